"""Reasons and policies in words, in French and in English.

French follows its typography: narrow no-break spaces before : ; ? ! % and inside « », typographic apostrophes;
0 and 1 are singular there. What comes from memories is quoted, never inflected: no elision can go wrong on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Protocol

from hmf.durations import Duration
from hmf.memory import Category, Clock, Confirm, Kind, Policy

Value = str | int | float

_NARROW = "\u202f"
_MONTHS = {
    "en": ("January", "February", "March", "April", "May", "June",
           "July", "August", "September", "October", "November", "December"),
    "fr": ("janvier", "février", "mars", "avril", "mai", "juin",
           "juillet", "août", "septembre", "octobre", "novembre", "décembre"),
}  # fmt: skip
_KINDS = {
    "en": ["facts", "preferences", "decisions", "constraints", "tasks", "events", "notes", "hypotheses", "lessons"],
    "fr": ["faits", "préférences", "décisions", "contraintes", "tâches", "événements", "notes", "hypothèses", "leçons"],
}
_CLOCKS = {
    "en": {
        Clock.VALID: "the date since when it is true",
        Clock.LEARNT: "the date it was learnt",
        Clock.VERIFIED: "the date it was last verified",
    },
    "fr": {
        Clock.VALID: "la date depuis laquelle c’est vrai",
        Clock.LEARNT: "la date d’apprentissage",
        Clock.VERIFIED: "la date de dernière vérification",
    },
}
_ARCHIVE = {
    "en": {
        Confirm.ASK: "ask me, then archive{summary}",
        Confirm.AUTO: "archive{summary}, without asking",
        Confirm.NEVER: "only report",
    },
    "fr": {
        Confirm.ASK: "me demander, puis archiver{summary}",
        Confirm.AUTO: "archiver{summary}, sans demander",
        Confirm.NEVER: "signaler seulement",
    },
}
_FORGET = {
    "en": {
        Confirm.ASK: "ask me, then forget",
        Confirm.AUTO: "forget, without asking",
        Confirm.NEVER: "only report",
    },
    "fr": {
        Confirm.ASK: "me demander, puis oublier",
        Confirm.AUTO: "oublier, sans demander",
        Confirm.NEVER: "signaler seulement",
    },
}
_POLICY = {
    "en": {
        "stale": "{label} not touched for {span}: {act}.",
        "expire": "{label} older than {span}: {act}.",
        "ageless": "{label}: nothing goes by age.",
        "target": "What is archived moves to {target}.",
        "summarise": "Related memories are gathered into summaries.",
        "keep": "Never by age: {kept}.",
        "tagged": "what is tagged {tags}",
        "touched": "What counts as touching: {clocks}; being recalled does not.",
        "finished": "{span} after a project is finished, all but {kept}: {act}.",
        "summaries": "summaries",
        "grace": "What is forgotten can be brought back for {span}.",
        "share": "More than {share} at once: stop and ask me.",
        "manual": "Nothing is filed here automatically.",
        "with": " with a summary",
    },
    "fr": {
        "stale": "{label} sans retouche depuis {span} : {act}.",
        "expire": "{label} de plus de {span} : {act}.",
        "ageless": "{label} : rien ne part avec l’âge.",
        "target": "Ce qui est archivé rejoint {target}.",
        "summarise": "Les souvenirs liés sont réunis en résumés.",
        "keep": "Jamais avec l’âge : {kept}.",
        "tagged": "ce qui porte l’étiquette {tags}",
        "touched": "Compte comme retouche : {clocks} ; un simple rappel ne compte pas.",
        "finished": "{span} après la fin d’un projet, tout sauf {kept} : {act}.",
        "summaries": "résumés",
        "grace": "Ce qui est oublié peut être repris pendant {span}.",
        "share": "Plus de {share} d’un coup : s’arrêter et me demander.",
        "manual": "Rien n’est classé ici automatiquement.",
        "with": " avec un résumé",
    },
}
_REASONS = {
    "en": {
        "stale": "Not touched for {days} (limit: {limit}).",
        "expired": "Expired on {date}.",
        "expired_age": "Older than {limit}.",
        "project_finished": "The project {project} was finished on {date}.",
        "cluster": "{count} about {subject}, to be gathered into one summary.",
        "summary_stale": "Since this summary was written: {changed}.",
        "volatile_stale": "Observed on {since} and good for {limit}: to be checked again.",
        "hypothesis_old": "A hypothesis not confirmed for {days}.",
        "conflict": "{count}: which one is right?",
        "replaced": "The newer text seems to take the place of the older one: {why}.",
        "twin": "Almost the same as {other}: does the difference matter?",
        "misfiled": "Would be filed in {category} today ({confidence} sure).",
        "duplicate": "The same text as {other}.",
        "unrouted": "Waiting to be filed for {days}.",
    },
    "fr": {
        "stale": "Sans retouche depuis {days} (limite : {limit}).",
        "expired": "Échéance passée le {date}.",
        "expired_age": "Date de plus de {limit}.",
        "project_finished": "Le projet {project} est terminé depuis le {date}.",
        "cluster": "{count} sur {subject}, à réunir en un résumé.",
        "summary_stale": "Depuis l’écriture de ce résumé : {changed}.",
        "volatile_stale": "Observé le {since}, valable {limit} : à revérifier.",
        "hypothesis_old": "Hypothèse sans confirmation depuis {days}.",
        "conflict": "{count} : lequel est juste ?",
        "replaced": "Le texte le plus récent semble prendre la place de l’autre : {why}.",
        "twin": "Presque identique à {other} : la différence compte-t-elle ?",
        "misfiled": "Serait classé aujourd’hui dans {category} (sûr à {confidence}).",
        "duplicate": "Même texte que {other}.",
        "unrouted": "En attente de classement depuis {days}.",
    },
}
_COUNTED = {
    "en": {
        "days": ("{n} day", "{n} days"),
        "cluster": ("{n} memory", "{n} memories"),
        "conflict": ("{n} memory is contradicted", "{n} memories contradict each other"),
        "changed": ("{n} source has changed", "{n} sources have changed"),
    },
    "fr": {
        "days": ("{n} jour", "{n} jours"),
        "cluster": ("{n} souvenir", "{n} souvenirs"),
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
    tongue = _tongue(language)
    template = _REASONS[tongue].get(reason.code)
    words = {name: _word(reason.code, name, value, tongue) for name, value in reason.values.items()}
    if template is None or not _gaps(template) <= set(words):
        values = ", ".join(f"{name}={value}" for name, value in reason.values.items())
        return f"{reason.code} ({values})" if values else reason.code
    return _fill(template, tongue, words)


def policy_sentences(category: Category, language: str) -> list[str]:
    """What a category's policy does, a sentence a rule, the one about age first; in `fr`, else in English."""
    tongue = _tongue(language)
    policy = category.policy
    label = category.label.get(tongue) or category.name
    names = [*_by_age(policy), *_around(policy), "grace", "share", *([] if category.routable else ["manual"])]
    return [_fill(_POLICY[tongue][name], tongue, _parts(name, policy, label, tongue)) for name in names]


def _by_age(policy: Policy) -> Iterable[str]:
    if policy.stale_after:
        yield "stale"
    if policy.expire_after:
        yield "expire"
    if not policy.stale_after and not policy.expire_after:
        yield "ageless"
    if policy.stale_after and policy.archive_to:
        yield "target"


def _around(policy: Policy) -> Iterable[str]:
    if policy.summarise:
        yield "summarise"
    ages = policy.stale_after or policy.expire_after
    if ages and (policy.keep_kinds or policy.keep_tags):
        yield "keep"
    if ages:
        yield "touched"
    if policy.on_project_finished:
        yield "finished"


def _parts(name: str, policy: Policy, label: str, tongue: str) -> dict[str, str]:
    """What fills the sentence called `name`."""
    own = _POLICY[tongue]
    forget, rule = _FORGET[tongue][policy.confirm], policy.on_project_finished
    if name == "stale" and policy.stale_after:
        act = _ARCHIVE[tongue][policy.confirm].format(summary=own["with"] if policy.summarise else "")
        return {"label": label, "span": policy.stale_after.say(tongue), "act": act}
    if name == "expire" and policy.expire_after:
        return {"label": label, "span": policy.expire_after.say(tongue), "act": forget}
    if name == "finished" and rule:
        kept = _listed([own["summaries"], *_named(rule.keep, tongue)], tongue)
        return {"span": rule.after.say(tongue), "kept": kept, "act": forget}
    if name == "keep":
        tags = ", ".join(_quoted(tag, tongue) for tag in sorted(policy.keep_tags))
        tagged = [own["tagged"].format(tags=tags)] if tags else []
        return {"kept": _listed([*_named(policy.keep_kinds, tongue), *tagged], tongue)}
    return {
        "label": label,
        "target": _quoted(policy.archive_to or "", tongue),
        "clocks": _listed([_CLOCKS[tongue][clock] for clock in policy.touched_by], tongue),
        "span": policy.grace.say(tongue),
        "share": _percent(policy.max_share_per_run, tongue),
    }


def _word(code: str, name: str, value: Value, tongue: str) -> str:
    """One value of a reason, in words."""
    counted = _COUNTED[tongue].get(code if name == "count" else name)
    if counted and isinstance(value, int):
        return counted[not _singular(value, tongue)].format(n=value)
    if name in ("date", "since"):
        return _day(str(value), tongue)
    if name == "limit":
        return _span(value, tongue)
    if name == "confidence" and isinstance(value, int | float):
        return _percent(value, tongue)
    return _quoted(str(value), tongue) if isinstance(value, str) else str(value)


def _span(value: Value, tongue: str) -> str:
    try:
        return Duration.parse(f"{value}d" if isinstance(value, int) else str(value)).say(tongue)
    except ValueError:
        return str(value)


def _day(value: str, tongue: str) -> str:
    """`2026-03-01` (or a datetime beginning so) → `1 March 2026`, `1er mars 2026`; anything else as it is."""
    try:
        day = date.fromisoformat(value[:10])
    except ValueError:
        return value
    number = "1er" if day.day == 1 and tongue == "fr" else str(day.day)
    return f"{number} {_MONTHS[tongue][day.month - 1]} {day.year}"


def _percent(share: float, tongue: str) -> str:
    return f"{share * 100:.0f}" + (f"{_NARROW}%" if tongue == "fr" else "%")


def _quoted(text: str, tongue: str) -> str:
    return f"«{_NARROW}{text}{_NARROW}»" if tongue == "fr" else f"“{text}”"


def _named(kinds: frozenset[Kind], tongue: str) -> list[str]:
    return [word for kind, word in zip(Kind, _KINDS[tongue], strict=True) if kind in kinds]


def _listed(words: list[str], tongue: str) -> str:
    joint = " et " if tongue == "fr" else " and "
    return joint.join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _singular(count: int, tongue: str) -> bool:
    return abs(count) <= 1 if tongue == "fr" else count == 1


def _gaps(template: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", template))


def _fill(template: str, tongue: str, words: Mapping[str, str]) -> str:
    """The template typeset, then filled: what people wrote themselves is left as it is."""
    spaced = re.sub(r" (?=[:;?!])", _NARROW, template) if tongue == "fr" else template
    return spaced.format_map(words)


def _tongue(language: str) -> str:
    return "fr" if language.lower().startswith("fr") else "en"
