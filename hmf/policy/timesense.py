"""Whether words of time mean a time in their sentence: the words that govern them, and those that turn them away."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta

from hmf.policy import timecues as cues
from hmf.policy.timegrammar import Found
from hmf.policy.timelexicon import (
    EDGES,
    FIXED_FEASTS,
    FRENCH_WEEKDAYS,
    MONTHS,
    MOVING_FEASTS,
    SEASONS,
    SHORT_MONTHS,
    WEEKDAYS,
)
from hmf.policy.timespans import Local, Range
from hmf.policy.timetext import Folded, Span

_LEFT = 48
_PROPER = {*MONTHS, *SHORT_MONTHS, *WEEKDAYS, *SEASONS, *re.findall(r"\w+", " ".join([*FIXED_FEASTS, *MOVING_FEASTS]))}
_DATED = frozenset(
    ("iso", "numeric", "fraction", "date", "month", "season", "feast", "quarter", "half", "q", "t", "year")
)
INSIDE = ("since", "before", "after", "until", "inside", "beside")


@dataclass(frozen=True, slots=True)
class Governed:
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
        """Name of the rule that found it."""
        return self.found.rule.name


def governed(folded: Folded, found: Found, done: int, local: Local) -> Governed:
    """Read the words before an expression, back to `done` (the end of the one before it)."""
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
    return Governed(found, value, start, kind, word, the, partial is not None, closing, left)


def stands(folded: Folded, one: Governed) -> bool:
    """Whether words that mean other things as well mean a time here."""
    if one.rule == "weekday":
        return weekday_stands(folded, one) and not habitual(folded, one)
    if one.partial or one.operator in INSIDE:
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


def weekday_stands(folded: Folded, one: Governed) -> bool:
    """A single Monday: not every one ("le lundi", "on Mondays"), nor another noun's ("l'appel de lundi")."""
    core, after = folded.text[one.found.start : one.found.end], folded.text[one.found.end : one.found.end + 2]
    if core.endswith("'s"):
        return False
    if one.operator in INSIDE:
        return True
    if core.split()[0] in FRENCH_WEEKDAYS:
        return not one.article and one.operator not in ("of", "target", "on", "from")
    ends = not after.strip() or after.strip()[0] in ".,;:?!)"
    return not one.article and (one.word == "on" or (not one.operator and ends))


def habitual(folded: Folded, one: Governed) -> bool:
    """Every Monday: "chaque lundi", "on Monday mornings"."""
    after = folded.text[one.found.end : one.found.end + 12]
    return cues.HABIT.search(one.left) is not None or cues.HABITS.match(after) is not None


def aimed(one: Governed, local: Local) -> bool:
    """What is meant for a day ("pour mars", "by 4 December") was not noted on that day."""
    later = one.range is not None and one.range.until > local.now
    return one.operator == "target" and (one.rule in _DATED or later or one.found.bare)


def titled(folded: Folded, start: int, end: int) -> bool:
    """Whether capitals say that the words are a name: "Last Summer", "mon roman Avant Noël"."""
    if folded.shouted:
        return False
    words = re.finditer(r"[^\W\d_]{2,}", folded.text[start:end])
    capitals = (start + m.start() for m in words if m[0] not in _PROPER and folded.capital(start + m.start()))
    return any(not folded.begins_sentence(place) for place in capitals)


def other_sense(folded: Folded, one: Governed) -> bool:
    """Whether a month is a verb ("3 may be cut") or a first name ("in May Sarton's diary"), a season an adjective
    ("the last winter boat")."""
    if one.rule not in ("month", "date", "season", "feast", "weekday"):
        return False
    start, end = one.found.start, one.found.end
    core, following = folded.text[start:end], folded.text[end : end + 2]
    if one.article == "the" and core.startswith(("last ", "next ", "previous ")) and following[1:].isalpha():
        return True
    verb = cues.VERB_MONTHS.search(core)
    safe = one.operator in ("since", "inside", "until") or core[-4:].isdigit()
    if verb and not safe and not folded.capital(start + verb.start()):
        return True
    named = len(following) == 2 and following[0] == " " and folded.capital(end + 1) and not folded.shouted
    return one.found.bare and core in cues.PROPER_MONTHS and named


def means_now(folded: Folded, span: Span, local: Local) -> bool:
    """Whether "today" asks how things stand ("what does it cost today?") rather than what was noted today."""
    if folded.text[slice(*span)].strip() not in ("aujourd'hui", "aujourdhui", "today") or local.ahead:
        return False
    return cues.PRESENT.match(folded.text) is not None and not cues.PAST.search(folded.sentence(span))


def place_name(folded: Folded, match: re.Match[str]) -> bool:
    """Whether what follows is a place ("depuis Marseille", "à la Sainte-Chapelle"), by its capital."""
    return any(match[name] is not None and folded.capital(match.start(name)) for name in ("name", "name2"))
