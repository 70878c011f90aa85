"""When two current memories cannot both be true. Conservative: unsure means no.

Two memories conflict when they are worded alike, about the same project and of the same lasting kind, and differ in
exactly one of these: the one measured value ("pays at 30 days" / "pays at 45 days"), or a negation ("accepts" /
"no longer accepts"). A number that names a thing ("invoice 2026-041", "chapter 3") is part of the wording, not a value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hmf.memory import Kind, Memory
from hmf.policy.folding import fold
from hmf.policy.stems import stems

_LASTING = frozenset({Kind.FACT, Kind.PREFERENCE, Kind.CONSTRAINT, Kind.DECISION})
"""Events, notes and tasks repeat themselves with other figures and contradict nothing."""

NEGATIONS = frozenset(
    {"ne", "n", "pas", "plus", "jamais", "aucun", "aucune", "not", "no", "never", "cannot", "t"}
    | {"don", "doesn", "didn", "won", "isn", "aren", "wasn", "weren", "hasn", "haven", "mustn", "shouldn"}
)
"""Closed-class words that deny, as `fold` leaves them; `don` and `t` are what "don't" is cut into."""

_EMPTY = frozenset({"do", "does", "did", "longer", "any", "encore", "du", "de", "d"})
"""Words that come and go with a negation and say nothing by themselves."""

_UNSAID = NEGATIONS | _EMPTY

_FIGURE = r"\d+(?:[.,\s]\d{3})*(?:[.,]\d+)?"
_UNITS = (
    "%|[€$£]|euros?|eur|dollars?|usd|pounds?|livres? sterling|gbp|cents?|centimes?|chf|"
    "jours?|semaines?|mois|ans?|annees?|heures?|minutes?|days?|weeks?|months?|years?|hours?|min|h|"
    "mots?|signes?|caracteres?|pages?|lignes?|feuillets?|words?|characters?|chars?|lines?|sheets?|"
    "mm|cm|km|m|kg|g|points?|pts?|px|exemplaires?|copies|numeros|issues"
)
_VALUE = re.compile(rf"[€$£]\s?{_FIGURE}|(?<![\w.,/-]){_FIGURE}[\s-]?(?:{_UNITS})(?!\w)")
"""A figure with a measure beside it. Any other figure names something, and is part of the wording."""

_LONGEST = 200
"""Characters; about two sentences."""

_LEAST = 3
"""Shared stems below which two texts have no subject in common that one could name."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a memory says, taken apart: `subject` is equal for two claims that may conflict."""

    subject: tuple[str, ...]
    value: str | None
    denied: bool


def claim(memory: Memory, folded: str | None = None) -> Claim | None:
    """The claim a memory makes, or None where none can be read safely. `folded` is its folded text, if at hand.

    None for other kinds, for dated observations (a new price does not contradict the old one), for questions, for
    texts with more than one value and for long ones, which claim several things.
    """
    if memory.kind not in _LASTING or memory.volatile or len(memory.text) > _LONGEST:
        return None
    text = fold(memory.text) if folded is None else folded
    values = list(_VALUE.finditer(text))
    if len(values) > 1:
        return None
    rest = text[: values[0].start()] + " \0 " + text[values[0].end() :] if values else text
    words = re.findall(r"[^\W_]+|\0|[?]", rest)
    denied = not NEGATIONS.isdisjoint(words)
    kept = " ".join(word for word in words if word not in _UNSAID)
    subject = [stem for part in re.split(r"(\0)", kept) for stem in _subject(part, memory.language)]
    if len(subject) < _LEAST or "?" in words:
        return None
    found = re.sub(r"[\s.,](?=\d{3}(?!\d))", "", values[0][0]).strip() if values else None
    return Claim((memory.project or "", *subject), found, denied)


def _subject(part: str, language: str) -> list[str]:
    return [part] if part == "\0" else stems(part, language, function_words=True)


def conflicting(a: Memory, b: Memory) -> bool:
    """Whether two live current memories contradict each other, by the rule at the head of this module."""
    if a.id == b.id or not (a.current and b.current):
        return False
    first, second = claim(a), claim(b)
    return first is not None and second is not None and contradict(first, second)


def contradict(a: Claim, b: Claim) -> bool:
    """Same subject, and exactly one difference: the value or the denial."""
    return a.subject == b.subject and (a.value != b.value) != (a.denied != b.denied)
