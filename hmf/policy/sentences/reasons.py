"""The reasons of what the jobs propose, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from hmf.policy.sentences.typeset import Value, day, fill, gaps, percent, quoted, singular, span, tongue_of

_REASONS = {
    "en": {
        "stale": "Not touched for {days} (limit: {limit}).",
        "expired": "Expired on {date}.",
        "expired_age": "Older than {limit}.",
        "project_finished": "The project {project} was finished on {date}.",
        "cluster": "{count} about {subject}, to be gathered into one summary.",
        "overview": "An overview of {category}, from {count}.",
        "summary_stale": "Since this summary was written: {changed}.",
        "volatile_stale": "Observed on {since} and good for {limit}: to be checked again.",
        "hypothesis_old": "A hypothesis not confirmed for {days}.",
        "conflict": "{count}: which one is right?",
        "replaced": "The newer text seems to take the place of the older one: {why}.",
        "twin": "Almost the same as {other}: does the difference matter?",
        "misfiled": "Would be filed in {category} today ({confidence} sure).",
        "duplicate": "The same text as {other}.",
        "unrouted": "Waiting to be filed for {days}.",
        "too_large": "{category} has grown to {count}; it could be divided into {parts}.",
        "unused": "{category}: nothing was filed here since {since}.",
        "never_used": "{category}: nothing was ever filed here.",
    },
    "fr": {
        "stale": "Sans retouche depuis {days} (limite : {limit}).",
        "expired": "Échéance passée le {date}.",
        "expired_age": "Date de plus de {limit}.",
        "project_finished": "Le projet {project} est terminé depuis le {date}.",
        "cluster": "{count} sur {subject}, à réunir en un résumé.",
        "overview": "Une vue d’ensemble de {category}, à partir de {count}.",
        "summary_stale": "Depuis l’écriture de ce résumé : {changed}.",
        "volatile_stale": "Observé le {since}, valable {limit} : à revérifier.",
        "hypothesis_old": "Hypothèse sans confirmation depuis {days}.",
        "conflict": "{count} : lequel est juste ?",
        "replaced": "Le texte le plus récent semble prendre la place de l’autre : {why}.",
        "twin": "Presque identique à {other} : la différence compte-t-elle ?",
        "misfiled": "Serait classé aujourd’hui dans {category} (sûr à {confidence}).",
        "duplicate": "Même texte que {other}.",
        "unrouted": "En attente de classement depuis {days}.",
        "too_large": "{category} est arrivée à {count} ; on pourrait la diviser en {parts}.",
        "unused": "{category} : rien n’y a été classé depuis le {since}.",
        "never_used": "{category} : rien n’y a jamais été classé.",
    },
}
_COUNTED = {
    "en": {
        "days": ("{n} day", "{n} days"),
        "cluster": ("{n} memory", "{n} memories"),
        "too_large": ("{n} memory", "{n} memories"),
        "overview": ("{n} memory", "{n} memories"),
        "parts": ("{n} part", "{n} parts"),
        "conflict": ("{n} memory is contradicted", "{n} memories contradict each other"),
        "changed": ("{n} source has changed", "{n} sources have changed"),
    },
    "fr": {
        "days": ("{n} jour", "{n} jours"),
        "cluster": ("{n} souvenir", "{n} souvenirs"),
        "too_large": ("{n} souvenir", "{n} souvenirs"),
        "overview": ("{n} souvenir", "{n} souvenirs"),
        "parts": ("{n} partie", "{n} parties"),
        "conflict": ("{n} souvenir est contredit", "{n} souvenirs se contredisent"),
        "changed": ("{n} source a changé", "{n} sources ont changé"),
    },
}


class Coded(Protocol):
    """A reason: a code and its values, as `hmf.plan.Reason` is."""

    @property
    def code(self) -> str:
        """Which sentence."""
        ...

    @property
    def values(self) -> Mapping[str, Value]:
        """What fills it: days and counts as numbers, spans as `60d`, dates in ISO form, confidence from 0 to 1."""
        ...


def say(reason: Coded, language: str) -> str:
    """The sentence of a reason, in `fr` or `en` (any other language is answered in English).

    A code without a sentence, or one that lacks a value, comes back as the code with its values.
    """
    tongue = tongue_of(language)
    template = _REASONS[tongue].get(reason.code)
    words = {name: _word(reason.code, name, value, tongue) for name, value in reason.values.items()}
    if template is None or not gaps(template) <= set(words):
        values = ", ".join(f"{name}={value}" for name, value in reason.values.items())
        return f"{reason.code} ({values})" if values else reason.code
    return fill(template, tongue, words)


def _word(code: str, name: str, value: Value, tongue: str) -> str:
    """One value of a reason, in words."""
    counted = _COUNTED[tongue].get(code if name == "count" else name)
    if counted and isinstance(value, int):
        return counted[not singular(value, tongue)].format(n=value)
    if name in ("date", "since"):
        return day(str(value), tongue)
    if name == "limit":
        return span(value, tongue)
    if name == "confidence" and isinstance(value, int | float):
        return percent(value, tongue)
    return quoted(str(value), tongue) if isinstance(value, str) else str(value)
