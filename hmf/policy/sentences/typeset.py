"""How a sentence is set in French and in English: dates, spans, shares, quotations, lists, and the spaces of French.

French follows its typography: narrow no-break spaces before : ; ? ! % and inside « », typographic apostrophes;
0 and 1 are singular there. What comes from memories is quoted, never inflected: no elision can go wrong on it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

from hmf.durations import Duration

_NARROW = "\u202f"
_MONTHS = {
    "en": ("January", "February", "March", "April", "May", "June",
           "July", "August", "September", "October", "November", "December"),
    "fr": ("janvier", "février", "mars", "avril", "mai", "juin",
           "juillet", "août", "septembre", "octobre", "novembre", "décembre"),
}  # fmt: skip


def span(value: object, tongue: str) -> str:
    """`60d` or 60 (days) in words; what is no duration as it is."""
    try:
        return Duration.parse(f"{value}d" if isinstance(value, int) else str(value)).say(tongue)
    except ValueError:
        return str(value)


def day(value: str, tongue: str) -> str:
    """`2026-03-01` (or a datetime beginning so) → `1 March 2026`, `1er mars 2026`; anything else as it is."""
    try:
        read = date.fromisoformat(value[:10])
    except ValueError:
        return value
    number = "1er" if read.day == 1 and tongue == "fr" else str(read.day)
    return f"{number} {_MONTHS[tongue][read.month - 1]} {read.year}"


def percent(share: float, tongue: str) -> str:
    """A share from 0 to 1 as `82%`, `82 %`."""
    return f"{share * 100:.0f}" + (f"{_NARROW}%" if tongue == "fr" else "%")


def decimal(number: float, tongue: str) -> str:
    """Two places after the point, or after the comma."""
    said = f"{number:.2f}"
    return said.replace(".", ",") if tongue == "fr" else said


def quoted(text: str, tongue: str) -> str:
    """In the quotation marks of the language."""
    return f"«{_NARROW}{text}{_NARROW}»" if tongue == "fr" else f"“{text}”"


def listed(words: list[str], tongue: str, *, either: bool = False) -> str:
    """`a, b and c`; with `either`, `a, b or c`."""
    joint = {"fr": " ou " if either else " et "}.get(tongue, " or " if either else " and ")
    return joint.join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def singular(count: int, tongue: str) -> bool:
    """Whether so many take the singular."""
    return abs(count) <= 1 if tongue == "fr" else count == 1


def gaps(template: str) -> set[str]:
    """The names of what a template waits for."""
    return set(re.findall(r"\{(\w+)\}", template))


def fill(template: str, tongue: str, words: Mapping[str, str]) -> str:
    """The template typeset, then filled: what people wrote themselves is left as it is."""
    spaced = re.sub(r" (?=[:;?!])", _NARROW, template) if tongue == "fr" else template
    return spaced.format_map(words)


def tongue_of(language: str) -> str:
    """`fr` or `en`, whichever answers a language."""
    return "fr" if language.lower().startswith("fr") else "en"
