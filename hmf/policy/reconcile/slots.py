"""The values a note states, each with what it measures: money, a length, a day, an hour, a number of things.

Two notes can only disagree about values of one sort. Read from folded text: one space between words, titles blanked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from hmf.policy.reconcile.patterns import (
    CURRENCIES,
    FIGURED,
    FREQUENCIES,
    SMALL,
    STYLES,
    TRIGGERS,
    UNITS,
    WORDED,
)
from hmf.policy.reconcile.words import ANY_EMPTY, ORDINALS
from hmf.policy.stems import stems
from hmf.policy.timelexicon import DAY_PARTS, MONTHS, SEASONS, SHORT_MONTHS, WEEKDAYS, number
from hmf.policy.timetext import Folded


@dataclass(frozen=True, slots=True)
class Slot:
    """One value: `sort` says what it can be compared with, `value` is its normal form, `start` and `end` its place.

    Sorts that begin with "id" number a thing and are no value of it; "since" is a time from which something holds,
    "per" the time that a price is for, "number" a figure of which nothing else is known.
    """

    sort: str
    value: str
    start: int
    end: int


WHEN = frozenset(("day", "weekday", "hour", "month", "time of year", "part of day"))
"""Sorts that together say when something is."""

_TOKEN = re.compile(r"[€$£+]|\w+")
_BLANK = re.compile("\x01+")
_OF_ISSUE = re.compile(r"(?<!mois )(?<!debut )(?<!fin )(?<!mi )(?<!end )(?:\bde |\bof |d')\w{0,3}$")
_ISSUE = re.compile(r" (?:issue|number|newsletter|column|edition|letter)\b")
_EDGE = re.compile(r"debut|mi\b|fin\b|mid|early|late|end of")
_FROM = (
    r"(?:a partir d[eu]|a compter d[eu]|depuis|des|since|starting|as of|as from|effective) "
    r"(?:le |la |the |l')?(?:\w+ (?:de |d'|of ))?(?:\w{1,12})?$|(?:a partir|a compter) d[eu]$"
)
_SINCE = re.compile(_FROM)
_AROUND_YEAR = re.compile(rf"{_FROM}|(?:jusqu'(?:a|au|en)|until|till|avant|before|apres|after) \w{{0,6}}$")
_ADJECTIVE = re.compile(r"\w+(?:el|le|elle|al|re|ly|ienne?)")
_SAYS_HOW_OFTEN = re.compile(
    r"(?:est|sont|devien(?:t|nent)|deviendra|sera|reste|maintenant|desormais|parai(?:t|tra)|publiee?|is|are|"
    r"becomes?|be|"
    r"now|goes|go|out|comes|published|going|turns?|from|to|back) $"
)
_FREQUENCY = tuple((re.compile(pattern), value) for pattern, value in FREQUENCIES)
_STYLE = tuple((re.compile(pattern), sort, value) for pattern, sort, value in STYLES)
_MONTH = {**MONTHS, **SHORT_MONTHS}
_SAME_LABEL = {
    "chap": "chapter", "ch": "chapter", "chapitre": "chapter", "ep": "episode", "vol": "volume", "tome": "volume",
    "facture": "invoice", "brouillon": "draft", "ebauche": "draft",
}  # fmt: skip


def slots(folded: Folded) -> list[Slot]:
    """Every value in a text, in order."""
    found = [
        _placed(slot, folded.text) for match in _matches(folded.text) if _stands(match, folded) for slot in _read(match)
    ]
    # "12 € a month" is one value.
    paid = {slot.end for slot in found if slot.sort == "money"}
    return [replace(s, sort="per") if s.sort == "often" and paid & {s.start - 1, s.start} else s for s in found]


def quoted(folded: Folded) -> list[Slot]:
    """Titles and sayings between quotation marks, each a value."""
    return [
        Slot("title", " ".join(folded.original(*m.span()).strip("\"'«»“”„ \xa0\u202f").casefold().split()), *m.span())
        for m in _BLANK.finditer(folded.text)
    ]


def same(one: str, other: str) -> bool:
    """Whether two normal forms are one value. "04" (a day, without its month) may be "04/05"."""
    if ("/" in one) == ("/" in other):
        return one == other
    return one.split("/")[0] == other.split("/")[0]


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """One stem for both languages (English, then French), so that a text taken for the other still meets its words."""
    for language in ("en", "fr"):
        word = next(iter(stems(word, language, function_words=True)), word)
    return word


def _matches(text: str) -> Iterator[re.Match[str]]:
    """The longest reading at each word where one may begin: trying every letter would cost ten times as much."""
    done = 0
    linked = "@" in text
    for token in _TOKEN.finditer(text):
        start, end = token.span()
        if start < done:
            continue
        word = token[0]
        if word[0].isdecimal() or word in "€$£+":
            match = FIGURED.match(text, start)
        elif linked or word in TRIGGERS or _numbered(text, word, end) or word.startswith(("tuto", "vouvo")):
            match = WORDED.match(text, start)
        else:
            continue
        if match:
            done = match.end()
            yield match


def _numbered(text: str, word: str, end: int) -> bool:
    """Whether a word holds a figure, or one follows its hyphen: "f118", "f-118"."""
    return (text[end : end + 1] == "-" and text[end + 1 : end + 2].isdecimal()) or not word.isalpha()


def _stands(match: re.Match[str], folded: Folded) -> bool:
    """Whether the words around and capitals allow the reading: "the weekly letter" is the name of a thing, "22 Castle
    Street" counts nothing, "la version a paru" has no letter A."""
    groups = match.groupdict()
    if groups.get("freq") and _ADJECTIVE.fullmatch(match[0]):
        before = folded.text[max(0, match.start() - 24) : match.start()]
        return _SAYS_HOW_OFTEN.search(before) is not None
    noun, code = groups.get("noun"), groups.get("code")
    if noun:
        return not folded.capital(match.start("noun"))
    return not (code and len(code) == 1 and code.isalpha()) or folded.capital(match.start("code"))


def _placed(slot: Slot, text: str) -> Slot:
    """A month that names an issue is a number of it; a time from which something holds is not what changed."""
    if slot.sort not in WHEN and slot.sort != "year":
        return slot
    before, said, after = text[max(0, slot.start - 40) : slot.start], text[slot.start : slot.end], text[slot.end :][:12]
    pattern = _AROUND_YEAR if slot.sort == "year" else _SINCE
    if pattern.search(f"{before}{said.split()[0]}"):
        return replace(slot, sort="since")
    if slot.sort == "month" and not _EDGE.match(said) and (_OF_ISSUE.search(before + said[:3]) or _ISSUE.match(after)):
        return replace(slot, sort="id month")
    return slot


def _read(match: re.Match[str]) -> Iterator[Slot]:
    groups = match.groupdict()
    kind = next(name for name in _READERS if groups.get(name))
    start, end = match.span()
    for sort, value in _READERS[kind](groups):
        yield Slot(sort, value, start, end)


def _figure(text: str) -> str:
    """The normal form of a number: no grouping, a point before decimals that are not zero."""
    if not text[0].isdigit():
        try:
            return str(number(text.replace("-", " ") if " " in text else text))
        except KeyError:
            return text
    plain = re.sub(r"[ .,'](?=\d{3}(?!\d))", "", text).replace(",", ".")
    return plain.rstrip("0").rstrip(".") if "." in plain else str(int(plain))


_Groups = dict[str, str | None]
_Values = list[tuple[str, str]]


def _first(groups: _Groups, *names: str) -> str:
    return next((value for name in names if (value := groups.get(name))), "")


def _money(groups: _Groups) -> _Values:
    said = _first(groups, "money")
    currency = next((sign for word, sign in CURRENCIES.items() if word in said), "")
    thousands = "k" if re.search(r"k ?[€$£]|k$", said) else ""
    return [("money", f"{_figure(_first(groups, 'm1', 'm2', 'm3'))}{thousands} {currency}")]


def _date(groups: _Groups) -> _Values:
    month = _first(groups, "mo1", "mo2", "mo3")
    which = int(month) if month.isdecimal() else _MONTH[month]
    return [("day", f"{int(_first(groups, 'd1', 'd2', 'd3')):02d}/{which:02d}")]


def _hour(groups: _Groups) -> _Values:
    if groups.get("noon"):
        return [("hour", "12:00")]
    hour, half = int(_first(groups, "h1", "h2", "h3", "h4")), _first(groups, "ap2", "ap3")
    hour = hour % 12 + 12 if half == "p" else hour % 12 if half == "a" else hour
    return [("hour", f"{hour:02d}:{_first(groups, 'n1', 'n2') or '00'}")]


def _weekday(groups: _Groups) -> _Values:
    day = _first(groups, "wd")
    return [("weekday", str(WEEKDAYS[_first(groups, "w")])), *([("day", f"{int(day):02d}")] if day else [])]


def _measure(groups: _Groups) -> _Values:
    sort, unit = UNITS[_first(groups, "u")]
    return [(sort, f"{_figure(_first(groups, 'q'))} {unit}")]


def _month(groups: _Groups) -> _Values:
    year = _first(groups, "y4")
    return [("month", f"{_MONTH[_first(groups, 'mo4', 'mo5')]:02d}" + (f"/{year}" if year else ""))]


def _count(groups: _Groups) -> _Values:
    noun = _first(groups, "noun")
    return [("number" if noun in ANY_EMPTY else f"count {stem(noun)}", _figure(_first(groups, "c")))]


def _id(groups: _Groups) -> _Values:
    rank = _first(groups, "rank")
    if rank:
        return [(f"id {stem(_first(groups, 'ranked'))}", ORDINALS[rank])]
    code, label = _first(groups, "code"), _first(groups, "label")
    return [(f"id {stem(_SAME_LABEL.get(label.rstrip('s'), label))}", _figure(code) if code in SMALL else code)]


_READERS: dict[str, Callable[[_Groups], _Values]] = {
    "street": lambda g: [("street", _first(g, "street").strip())],
    "nth": lambda g: [("nth", f"{ORDINALS[_first(g, 'nrank')]} {WEEKDAYS[_first(g, 'nday')]}")],
    "part": lambda g: [("part of day", str(DAY_PARTS[_first(g, "which")][0]))],
    "time": lambda g: [("time of year", str(SEASONS[_first(g, "s3")]))],
    "style": lambda g: next([(sort, value)] for p, sort, value in _STYLE if p.fullmatch(_first(g, "style"))),
    "id": _id,
    "link": lambda g: [("link", _first(g, "link").rstrip(".,;"))],
    "phone": lambda g: [("phone", re.sub(r"\D", "", _first(g, "phone")))],
    "money": _money,
    "season": lambda g: [("id season", str(SEASONS[_first(g, "s1", "s2")]))],
    "percent": lambda g: [("percent", _figure(_first(g, "pc")))],
    "iso": lambda g: [("day", f"{_first(g, 'iso')[8:]}/{_first(g, 'iso')[5:7]}")],
    "ref": lambda g: [("id", _first(g, "ref"))],
    "date": _date,
    "hour": _hour,
    "weekday": _weekday,
    "times": lambda g: [("often", f"{_figure(_first(g, 'tn'))}/{_first(g, 'tu')[:2]}")],
    "freq": lambda g: [("often", next(v for p, v in _FREQUENCY if p.fullmatch(_first(g, "freq"))))],
    "age": lambda g: [("age", _figure(_first(g, "a1")))],
    "measure": _measure,
    "month": _month,
    "year": lambda g: [("year", _first(g, "y"))],
    "monthday": lambda g: [("day", f"{int(_first(g, 'd5')):02d}")],
    "first": lambda g: [("day", "last" if g.get("final") else "01")],
    "single": lambda g: [(f"count {stem(_first(g, 'sole'))}", "1")],
    "count": _count,
    "bare": lambda g: [("number", _figure(_first(g, "b")))],
}
