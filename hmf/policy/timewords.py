"""Expressions of time: in a question, as closed ranges; in a note, as the days its words stand for.

French and English are read in any text, whatever its language. Choices that words leave open:

- the last three days are today so far and the three days before; "last week" is the calendar week, and
  "the past week" the last seven days; "two months ago" is that whole calendar month, as "two days ago"
  is a whole day; "a few" is two to seven;
- a day, month, season or feast without a year is the latest that has begun, or the next one when the
  speaker looks ahead ("que dois-je rendre en juin ?"); a day of the week is the one before today;
- 05/11 is 5 November, save in American English (see `Local.day_first`);
- a name may hold such words: they are left alone inside quotation marks and in capitals ("Last Summer"),
  after "for", "by" and "pour" (what is due then was not noted then), and, when they mean other things
  too ("may", "mars", "2024"), without a preposition of time before them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from functools import partial

from dateutil.relativedelta import relativedelta

from hmf.policy import timecues as cues
from hmf.policy import timesense as sense
from hmf.policy.timegrammar import find
from hmf.policy.timelexicon import UNITS
from hmf.policy.timespans import BEGINNING, ENDING, TICK, Local, Range
from hmf.policy.timetext import Folded, Span

__all__ = ["BEGINNING", "ENDING", "Range", "TimeReading", "anchor", "read", "until"]


@dataclass(frozen=True, slots=True)
class TimeReading:
    """What a question says of time.

    `ranges`: when, in the order of the words; any of them will do. `rest`: the question without those
    words. `unknown`: words that look like a time and could not be read, as written. `history`: it asks
    how things were before ("avant le changement", "originally").
    """

    ranges: tuple[Range, ...]
    rest: str
    unknown: tuple[str, ...]
    history: bool


def read(text: str, *, now: datetime, zone: tzinfo, language: str) -> TimeReading:
    """Find the times in a question. `now` is aware; `zone` is the user's, whose calendar days count.

    `language` (`fr`, `en`, `en-GB` …) only decides the order of day and month in 05/11/2026.
    """
    folded = Folded.of(text)
    local = Local(now, zone, language, ahead=cues.AHEAD.search(folded.text) is not None)
    ranges: list[Range] = []
    taken: list[Span] = []
    unknown: list[Span] = []
    for span, value in _placed(folded, local):
        if value is None:
            unknown.append(span)
            continue
        taken.append(span)
        if not sense.means_now(folded, span, local):
            ahead = value.since > now or (local.ahead and value.until > now)
            ranges.append(replace(value, firm=value.firm and not ahead))
    blank = folded.blanked([*taken, *unknown])
    past = [match.span() for match in cues.HISTORY.finditer(blank)]
    blank = folded.blanked([*taken, *unknown, *past])
    unknown += [m.span() for m in cues.UNKNOWN.finditer(blank) if not sense.place_name(folded, m)]
    return TimeReading(
        ranges=tuple(ranges),
        rest=folded.without([*taken, *past]),
        unknown=tuple(folded.original(*span) for span in sorted(unknown)),
        history=bool(past),
    )


def anchor(text: str, *, said_at: datetime, zone: tzinfo, language: str) -> tuple[tuple[str, date], ...]:
    """The days that the relative words of a note stand for: ("demain", 2026-11-20) when said the day before.

    A week or a weekend is given by its first day. A bare day of the week is the next one; beside a verb in
    the past, or on that very day, it could be either, and is left out. Months and years are left out too:
    no day stands for them.
    """
    folded, days = Folded.of(text), []
    local = Local(said_at, zone, language)
    backward = find(folded.text, local, stored=True)
    if not backward:
        return ()  # most notes name no day
    forward = find(folded.text, replace(local, ahead=True), stored=True)
    for behind, before in zip(backward, forward, strict=True):
        one = sense.governed(folded, before, 0, local)
        if not before.rule.point or sense.titled(folded, before.start, before.end):
            continue
        past = cues.PAST.search(folded.sentence((before.start, before.end))) is not None
        aimed = (one.operator in ("target", "before", "until") or one.word in ("a", "au")) and not one.article
        same = behind.range is not None and local.day(behind.range.since) == local.today - timedelta(days=7)
        unclear = past or same or not sense.weekday_stands(folded, one)
        if sense.other_sense(folded, one) or (before.bare and (sense.habitual(folded, one) or (unclear and not aimed))):
            continue
        value = behind.range if past and not before.bare else before.range
        if value is not None and value.until - value.since < timedelta(days=8):
            days.append((folded.original(before.start, before.end), local.day(value.since)))
    return tuple(days)


def until(text: str, *, said_at: datetime, zone: tzinfo, language: str) -> datetime | None:
    """The first moment after the time that a note gives with "until" or "jusqu'à", read forward from when it was said.

    None when it gives none, gives several, or gives one that was over already.
    """
    folded = Folded.of(text)
    ends = [
        value.until
        for _, value in _placed(folded, Local(said_at, zone, language, ahead=True))
        if value is not None and value.since == BEGINNING and said_at < value.until < ENDING
    ]
    return ends[0] + TICK if len(ends) == 1 else None


def _placed(folded: Folded, local: Local) -> Iterator[tuple[Span, Range | None]]:
    """Each expression that stands for a time in its sentence, with its prepositions; no range: not understood."""
    found, index, done, accepted = find(folded.text, local), 0, 0, False
    while index < len(found):
        one = sense.governed(folded, found[index], done, local)
        index += 1
        other = sense.governed(folded, found[index], one.found.end, local) if index < len(found) else None
        if sense.titled(folded, one.start, one.found.end) or sense.other_sense(folded, one):
            accepted = False
            continue
        if other and _paired(one, other):
            yield (one.start, other.found.end), _or_none(partial(_between, one, other, local))
            index, done, accepted = index + 1, other.found.end, True
            continue
        also = accepted and cues.ALSO.fullmatch(folded.text[done : one.start]) is not None
        accepted = (also or not one.found.bare or sense.stands(folded, one)) and not sense.aimed(one, local)
        if accepted:
            yield (done if also else one.start, one.found.end), _or_none(partial(_applied, one, local))
            done = one.found.end


def _or_none(make: Callable[[], Range | None]) -> Range | None:
    """None for a range that leaves the calendar ("the week before 0003-01-01")."""
    try:
        return make()
    except (ValueError, OverflowError):
        return None


def _applied(one: sense.Governed, local: Local) -> Range | None:
    value = one.range
    if value is None:
        return None
    if one.operator == "beside":
        return _beside(one, value, local)
    if one.operator == "since":
        return local.from_(value.since, firm=value.firm)
    if one.operator == "after":
        return local.from_(value.until + TICK, firm=value.firm)
    if one.operator == "before":
        return local.to(value.until if one.closing else value.since - TICK, firm=value.firm)
    return local.to(value.until, firm=value.firm) if one.operator == "until" else value


def _beside(one: sense.Governed, value: Range, local: Local) -> Range:
    """The day, week or month that ends just before a time, or begins just after it: "the week before 12 March"."""
    unit = next(name for word, name in UNITS.items() if word in one.word.split())
    step = relativedelta(months=1) if unit == "month" else relativedelta(days=7 if unit == "week" else 1)
    if one.word.endswith(("before", "avant")):
        first = local.day(value.since)
        return local.span(first - step, first - timedelta(days=1), firm=value.firm)
    last = local.day(value.until)
    return local.span(last + timedelta(days=1), last + step, firm=value.firm)


def _paired(one: sense.Governed, other: sense.Governed) -> bool:
    """Whether two expressions bound one range: "entre juin et août", "from 28 May to 3 June"."""
    opening = cues.BETWEEN.search(one.left)
    habit = one.rule == "weekday" and opening is not None and opening[0].strip() not in ("entre", "between")
    return opening is not None and not habit and cues.AND.fullmatch(other.left) is not None


def _between(one: sense.Governed, other: sense.Governed, local: Local) -> Range | None:
    if one.range is None or other.range is None:
        return None
    since, until = one.range.since, other.range.until
    if since > until:  # an undated first day, read as the latest one, comes before the second
        back = relativedelta(days=7) if one.rule == "weekday" else relativedelta(years=1)
        since = local.span(local.day(since) - back, local.day(since)).since
    return Range(min(since, until), max(since, until), one.range.firm and other.range.firm)
