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

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo

from dateutil.relativedelta import relativedelta

from hmf.policy import timecues as cues
from hmf.policy.timegrammar import Found, find
from hmf.policy.timelexicon import (
    EDGES,
    FIXED_FEASTS,
    FRENCH_WEEKDAYS,
    MONTHS,
    MOVING_FEASTS,
    SEASONS,
    SHORT_MONTHS,
    WEEKDAYS,
)  # fmt: skip
from hmf.policy.timespans import BEGINNING, ENDING, TICK, Local, Range
from hmf.policy.timetext import Folded, Span

__all__ = ["BEGINNING", "ENDING", "Range", "TimeReading", "anchor", "read"]
_LEFT = 48
_PROPER = {*MONTHS, *SHORT_MONTHS, *WEEKDAYS, *SEASONS, *re.findall(r"\w+", " ".join([*FIXED_FEASTS, *MOVING_FEASTS]))}
_DATED = frozenset(
    ("iso", "numeric", "fraction", "date", "month", "season", "feast", "quarter", "half", "q", "t", "year")
)
_INSIDE = ("since", "before", "after", "until", "inside")


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


@dataclass(frozen=True, slots=True)
class _Governed:
    """An expression with what governs it: `operator` (kind) and its `word`, `article`, the text `left` of those."""

    found: Found
    range: Range | None
    start: int
    operator: str
    word: str
    article: str
    partial: bool
    closing: bool
    left: str

    @property
    def rule(self) -> str:
        return self.found.rule.name


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
        if not _means_now(folded, span, local):
            ahead = value.since > now or (local.ahead and value.until > now)
            ranges.append(replace(value, firm=value.firm and not ahead))
    blank = folded.blanked([*taken, *unknown])
    past = [match.span() for match in cues.HISTORY.finditer(blank)]
    blank = folded.blanked([*taken, *unknown, *past])
    unknown += [m.span() for m in cues.UNKNOWN.finditer(blank) if not _place_name(folded, m)]
    return TimeReading(
        ranges=tuple(ranges),
        rest=folded.without([*taken, *past]),
        unknown=tuple(folded.original(*span) for span in sorted(unknown)),
        history=bool(past),
    )


def anchor(text: str, *, said_at: datetime, zone: tzinfo, language: str) -> tuple[tuple[str, date], ...]:
    """The days that the relative words of a note stand for: ("demain", 2026-11-20) when said the day before.

    A week or a weekend is given by its first day. A bare day of the week is the next one; beside a verb in
    the past it could be either, and is left out. Months and years are left out too: no day stands for them.
    """
    folded, days = Folded.of(text), []
    local = Local(said_at, zone, language)
    backward, forward = (find(folded.text, way, stored=True) for way in (local, replace(local, ahead=True)))
    for behind, before in zip(backward, forward, strict=True):
        one = _governed(folded, before, 0, local)
        if not before.rule.point or _titled(folded, before.start, before.end):
            continue
        past = cues.PAST.search(folded.sentence((before.start, before.end))) is not None
        aimed = (one.operator in ("target", "before", "until") or one.word in ("a", "au")) and not one.article
        if before.bare and not aimed and (past or not _weekday_stands(folded, one)):
            continue
        value = behind.range if past and not before.bare else before.range
        if value is not None and value.until - value.since < timedelta(days=8):
            days.append((folded.original(before.start, before.end), local.day(value.since)))
    return tuple(days)


def _placed(folded: Folded, local: Local) -> Iterator[tuple[Span, Range | None]]:
    """Each expression that stands for a time in its sentence, with its prepositions; no range: not understood."""
    found, index, done, accepted = find(folded.text, local), 0, 0, False
    while index < len(found):
        one = _governed(folded, found[index], done, local)
        index += 1
        other = _governed(folded, found[index], one.found.end, local) if index < len(found) else None
        if _titled(folded, one.start, one.found.end) or _other_sense(folded, one):
            accepted = False
            continue
        pair = _between(one, other, local) if other else None
        if pair and other:
            span, value = pair
            yield span, value
            index, done, accepted = index + 1, other.found.end, True
            continue
        also = accepted and cues.ALSO.fullmatch(folded.text[done : one.start]) is not None
        accepted = (also or not one.found.bare or _stands(folded, one)) and not _aimed(one, local)
        if accepted:
            yield (done if also else one.start, one.found.end), _applied(one, local)
            done = one.found.end


def _governed(folded: Folded, found: Found, done: int, local: Local) -> _Governed:
    begin = max(done, found.start - _LEFT)
    left, value = folded.text[begin : found.start], found.range
    partial = cues.PARTIAL.search(left) if value and value.until - value.since > timedelta(days=2) else None
    closing = found.rule.name == "end"
    if partial and value:
        left, third = left[: partial.start()], EDGES[partial["which"] or partial["noun"]]
        value, closing = local.third(value, third), third == 2
    article = cues.ARTICLES.search(left)
    left = left[: article.start()] if article else left
    operator = cues.OPERATOR.search(left)
    start = begin + (operator.start() if operator else len(left))
    kind = (operator.lastgroup or "").rstrip("2") if operator else ""
    word, the = operator[0].strip() if operator else "", article[0].strip() if article else ""
    return _Governed(found, value, start, kind, word, the, partial is not None, closing, left)


def _stands(folded: Folded, one: _Governed) -> bool:
    """Whether words that mean other things as well mean a time here."""
    if one.rule == "weekday":
        return _weekday_stands(folded, one)
    if one.partial or one.operator in _INSIDE:
        return True
    core = folded.text[one.found.start : one.found.end]
    return {
        "fraction": one.article == "le" or one.operator == "on",
        "feast": one.operator in ("on", "from"),
        "season": one.word == "au" or (one.word == "a" and one.article == "l'"),
        "t": one.word == "au",
        "month": core.startswith(("mois", "le mois")) or (one.word == "from" and core not in cues.PROPER_MONTHS),
        "year": one.word == "from" or core.startswith(("l'annee", "the year")),
    }[one.rule]


def _weekday_stands(folded: Folded, one: _Governed) -> bool:
    """A single Monday: not every one ("le lundi", "on Mondays"), nor another noun's ("l'appel de lundi")."""
    core, after = folded.text[one.found.start : one.found.end], folded.text[one.found.end : one.found.end + 2]
    if cues.HABIT.search(one.left) or core.endswith("'s"):
        return False
    if one.operator in ("since", "before", "after", "until"):
        return True
    if core.split()[0] in FRENCH_WEEKDAYS:
        return not one.article and one.operator not in ("of", "target", "on", "from")
    ends = not after.strip() or after.strip()[0] in ".,;:?!)"
    return not one.article and (one.word == "on" or (not one.operator and ends))


def _aimed(one: _Governed, local: Local) -> bool:
    """What is meant for a day ("pour mars", "by 4 December") was not noted on that day."""
    later = one.range is not None and one.range.until > local.now
    return one.operator == "target" and (one.rule in _DATED or later or one.found.bare)


def _applied(one: _Governed, local: Local) -> Range | None:
    value = one.range
    if value is None:
        return None
    if one.operator == "since":
        return local.from_(value.since, firm=value.firm)
    if one.operator == "after":
        return local.from_(value.until + TICK, firm=value.firm)
    if one.operator == "before":
        return local.to(value.until if one.closing else value.since - TICK, firm=value.firm)
    return local.to(value.until, firm=value.firm) if one.operator == "until" else value


def _between(one: _Governed, other: _Governed, local: Local) -> tuple[Span, Range] | None:
    """Two expressions that bound one range: "entre juin et août", "from 28 May to 3 June"."""
    opening = cues.BETWEEN.search(one.left)
    weekdays = one.rule == "weekday" and opening is not None and opening[0].strip() not in ("entre", "between")
    if not opening or weekdays or not cues.AND.fullmatch(other.left) or not one.range or not other.range:
        return None
    since, until = one.range.since, other.range.until
    if since > until:  # an undated first day, read as the latest one, comes before the second
        back = relativedelta(days=7) if one.rule == "weekday" else relativedelta(years=1)
        since = local.span(local.day(since) - back, local.day(since)).since
    return (one.start, other.found.end), Range(
        min(since, until), max(since, until), one.range.firm and other.range.firm
    )


def _titled(folded: Folded, start: int, end: int) -> bool:
    """Whether capitals say that the words are a name: "Last Summer", "mon roman Avant Noël"."""
    if folded.shouted:
        return False
    words = re.finditer(r"[^\W\d_]{2,}", folded.text[start:end])
    capitals = (start + m.start() for m in words if m[0] not in _PROPER and folded.capital(start + m.start()))
    return any(not folded.begins_sentence(place) for place in capitals)


def _other_sense(folded: Folded, one: _Governed) -> bool:
    """Whether a month is a verb ("3 may be cut") or a first name ("in May Sarton's diary")."""
    if one.rule not in ("month", "date") or one.found.end - one.found.start > 40:
        return False
    core = folded.text[one.found.start : one.found.end]
    verb = cues.VERB_MONTHS.search(core)
    safe = one.operator in ("since", "inside", "until") or core[-4:].isdigit()
    if verb and not safe and not folded.capital(one.found.start + verb.start()):
        return True
    following = folded.text[one.found.end : one.found.end + 2]
    named = len(following) == 2 and following[0] == " " and folded.capital(one.found.end + 1) and not folded.shouted
    return one.found.bare and core in cues.PROPER_MONTHS and named


def _means_now(folded: Folded, span: Span, local: Local) -> bool:
    """Whether "today" asks how things stand ("what does it cost today?") rather than what was noted today."""
    if folded.text[slice(*span)].strip() not in ("aujourd'hui", "aujourdhui", "today") or local.ahead:
        return False
    return cues.PRESENT.match(folded.text) is not None and not cues.PAST.search(folded.sentence(span))


def _place_name(folded: Folded, match: re.Match[str]) -> bool:
    """Whether what follows is a place ("depuis Marseille", "à la Sainte-Chapelle"), by its capital."""
    return any(match[name] is not None and folded.capital(match.start(name)) for name in ("name", "name2"))
