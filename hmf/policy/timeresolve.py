"""From a matched expression of time to the range it stands for, one function a kind of expression.

Each takes the match and the user's moment, and raises ValueError or OverflowError for a day that no
calendar has. The patterns are in `hmf.policy.timegrammar`; their groups: `n` number, `u` unit, `d` day
of the month, `m` month, `y` year, `s` season, `w` weekday, `q` quarter, `f` feast.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

from dateutil.easter import easter

from hmf.policy.timelexicon import (
    DAY_PARTS,
    EDGES,
    FEW,
    FIXED_FEASTS,
    LAST_YEAR,
    MONTHS,
    MOVING_FEASTS,
    NEAR_DAYS,
    NEXT,
    PAST,
    RANKS,
    SEASONS,
    SHORT_MONTHS,
    SOME,
    UNITS,
    WEEKDAYS,
    number,
)  # fmt: skip
from hmf.policy.timespans import TICK, Days, Local, Range, whole_months

Match = re.Match[str]


def group(match: Match, name: str) -> str | None:
    """A group that not every pattern has."""
    return match.groupdict().get(name)


def _turn(match: Match) -> int:
    """-1, 0 or 1 by the word before or after a name: "last May", "mai prochain"."""
    return _which(match["before"]) or _which(match["after"])


def _which(word: str | None) -> int:
    """-1 for a word like "last", 1 for one like "next", else 0."""
    if word is None:
        return 0
    return -1 if re.fullmatch(PAST, word) else int(re.fullmatch(NEXT, word) is not None)


def _scaled(match: Match) -> tuple[str, int]:
    word, name = group(match, "n"), UNITS[match["u"]]
    count = number(word) if word else 1
    return {"fortnight": ("week", 2 * count), "weekend": ("day", 7 * count)}.get(name, (name, count))


def _year(match: Match, local: Local) -> int | None:
    word = group(match, "y")
    if word is None or word.isdigit():
        return int(word) if word else None
    return local.today.year - (re.fullmatch(LAST_YEAR, word) is not None)


def _month(word: str) -> int:
    return MONTHS.get(word) or SHORT_MONTHS[word]


def near(match: Match, local: Local) -> Range:
    day = local.today + timedelta(days=NEAR_DAYS[match["near"]])
    return local.span(day, day, DAY_PARTS.get(match["part"] or "", (0, 24)))


def this_part(match: Match, local: Local) -> Range:
    gone = match["night"] in ("cette nuit", "last night")
    day = local.today - timedelta(days=gone)
    return local.span(day, day, DAY_PARTS[match["part"] or "night"])


def calendar(match: Match, local: Local) -> Range:
    name, shift = UNITS[match["u"]], _which(group(match, "which"))
    if name == "weekend" and local.today.weekday() < 5 and (shift > 0 or (shift == 0 and not local.ahead)):
        shift -= 1  # on a weekday "this weekend" is the one just gone, and "next weekend" the one of this week
    return local.unit(name, shift)


def but_one(match: Match, local: Local) -> Range:
    return local.unit(UNITS[match["u"]], 2 if group(match, "later") else -2)


def rolling(match: Match, local: Local) -> Range:
    (name, count), which = _scaled(match), group(match, "which")
    if group(match, "n") is None and which in ("derniers", "dernieres", "prochains", "prochaines"):
        count = FEW
    return local.coming(name, count) if _which(which) > 0 else local.rolling(name, count)


def ago(match: Match, local: Local) -> Range:
    (name, count), bound = _scaled(match), group(match, "bound")
    if bound:
        since = local.rolling(name, count).since
        return local.from_(since) if bound.startswith(("moins", "less")) else local.to(since - TICK)
    if match["n"] in SOME:
        return Range(local.ago(name, FEW).since, local.ago(name, 2).until)
    if match["u"] == "jour" and count in (8, 15):  # a French week has eight days: the one it starts from counts
        return Range(local.ago(name, count).since, local.ago(name, count - 1).until)
    return local.ago(name, count)


def ahead(match: Match, local: Local) -> Range:
    name, count = _scaled(match)
    day = local.shifted(name, count - (match["u"] == "jour" and count in (8, 15)))
    return local.span(day, day)


def calendar_date(match: Match, local: Local) -> Range:
    month = _month(match["m"])
    one = 1 if match["d"] == "premier" else int(match["d"])
    two = int(group(match, "d2") or one)
    date(2024, month, one), date(2024, month, two)  # refuses 31 February at once; 2024 has a 29th

    def build(year: int) -> Days:
        return date(year, month, min(one, two)), date(year, month, max(one, two))

    return local.yearly(build, _year(match, local))


def iso_date(match: Match, local: Local) -> Range:
    day = date(int(match["y"]), int(match["m"]), int(match["d"]))
    return local.span(day, day, firm=False)


def numeric_date(match: Match, local: Local) -> Range:
    one, two, word = int(match["a"]), int(match["b"]), group(match, "y")
    day, month = (one, two) if one > 12 or (local.day_first and two <= 12) else (two, one)
    date(2024, month, day)
    year = None if word is None else int(word) + (2000 if len(word) == 2 else 0)
    return local.yearly(lambda y: (date(y, month, day), date(y, month, day)), year)


def _months(start: int, count: int) -> Callable[[int], Days]:
    return lambda year: whole_months(year, start, count)


def named_months(match: Match, local: Local) -> Range:
    which = _turn(match)
    start, length = (SEASONS[match["s"]], 3) if group(match, "s") else (MONTHS[match["m"]], 1)
    return local.yearly(_months(start, length), _year(match, local), which)


def quarter(match: Match, local: Local) -> Range:
    word, length = match["q"], 6 if group(match, "half") else 3
    rank = RANKS.get(word) or int(word)
    return local.yearly(_months((rank - 1) * length + 1, length), _year(match, local))


def whole_year(match: Match, local: Local) -> Range:
    return local.span(*whole_months(int(match["y"]), 1, 12), firm=False)


def feast(match: Match, local: Local) -> Range:
    name = match["f"].replace("saint ", "saint-")

    def build(year: int) -> Days:
        moving = MOVING_FEASTS.get(name)
        day = date(year, *FIXED_FEASTS[name]) if moving is None else easter(year) + timedelta(days=moving)
        return day, day

    return local.yearly(build, _year(match, local), _turn(match))


def weekday(match: Match, local: Local) -> Range:
    wanted, today = WEEKDAYS[match["w"]], local.today
    which = _turn(match)
    if match["before"] in ("this", "ce"):
        day = today + timedelta(days=wanted - today.weekday())
    elif which > 0 or (local.ahead and not which):
        day = today + timedelta(days=(wanted - today.weekday() - 1) % 7 + 1)
    else:
        day = today - timedelta(days=(today.weekday() - wanted - 1) % 7 + 1)
    return local.span(day, day, DAY_PARTS.get(match["part"] or "", (0, 24)))


def edge(match: Match, local: Local) -> Range:
    return local.third(local.unit(UNITS[match["u"]], 0), EDGES[match["edge"]])


def lately(_match: Match, local: Local) -> Range:
    return replace(local.rolling("month", 1), firm=False)


def weeks_on(match: Match, local: Local) -> Range:
    weeks = 2 if match["more"] == "quinze" else 1
    wanted = WEEKDAYS[match["w"]]
    day = local.today + timedelta(days=(wanted - local.today.weekday() - 1) % 7 + 1 + 7 * weeks)
    return local.span(day, day)
