"""A reason in words: its sentence in the reader's language, filled with its values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hmf.policy.sentences import changes, finding, gone, reasons, replacing, routes
from hmf.policy.sentences.typeset import (
    day,
    decimal,
    fill,
    gaps,
    listed,
    percent,
    quoted,
    singular,
    span,
    tongue_of,
)
from hmf.reason import Coded, Reason, Value, as_json

_SUBJECTS = (reasons, finding, routes, changes, gone, replacing)
SENTENCES: Mapping[str, Mapping[str, str]] = {
    tongue: {code: text for subject in _SUBJECTS for code, text in subject.SENTENCES[tongue].items()}
    for tongue in ("en", "fr")
}
"""Every sentence by language and code."""
_COUNTED: Mapping[str, Mapping[str, tuple[str, str]]] = {
    tongue: {name: forms for subject in _SUBJECTS for name, forms in subject.COUNTED[tongue].items()}
    for tongue in ("en", "fr")
}
_BARE = frozenset({"id", "ids", "batch", "verb", "names", "secret", "field", "author", "source", "old", "new"})
"""Values that are shown without quotation marks."""
_DAYS = frozenset({"date", "since"})


def say(reason: Coded, language: str) -> str:
    """The sentence of a reason, in `fr` or `en` (any other language is answered in English).

    A code without a sentence, or one that lacks a value, comes back as the code with its values.
    """
    tongue = tongue_of(language)
    words = {name: _word(reason.code, name, value, tongue) for name, value in reason.values.items()}
    words |= reasons.policy_words(reason.values, tongue)
    templates = (SENTENCES[tongue].get(code) for code in (f"{reason.code}+", reason.code))
    template = next((one for one in templates if one and gaps(one) <= set(words)), None)
    if template is None:
        values = ", ".join(f"{name}={_bare(value, tongue)}" for name, value in reason.values.items())
        return f"{reason.code} ({values})" if values else reason.code
    return fill(template, tongue, words)


def told(reason: Coded, language: str) -> dict[str, Any]:
    """The reason as JSON holds it, with its sentence as `text`."""
    return {**as_json(reason), "text": say(reason, language)}


def _word(code: str, name: str, value: Value, tongue: str) -> str:
    """One value of a reason, in words."""
    if isinstance(value, Reason):
        return say(value, tongue)
    if isinstance(value, tuple):
        return listed([_word(code, name, one, tongue) for one in value], tongue)
    counted = _COUNTED[tongue].get(code if name == "count" else name)
    if counted and isinstance(value, int):
        return counted[not singular(value, tongue)].format(n=value)
    if name in _DAYS:
        return day(str(value), tongue)
    if name in ("limit", "delay"):
        return span(value, tongue)
    if name in ("confidence", "share") and isinstance(value, int | float):
        return percent(value, tongue)
    if name == "score" and isinstance(value, int | float):
        return decimal(value, tongue)
    return quoted(value, tongue) if isinstance(value, str) and name not in _BARE else str(value)


def _bare(value: Value, tongue: str) -> str:
    if isinstance(value, tuple):
        return ", ".join(_bare(one, tongue) for one in value)
    return say(value, tongue) if isinstance(value, Reason) else str(value)
