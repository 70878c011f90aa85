"""The reasons of what the jobs propose, in words."""

from __future__ import annotations

from collections.abc import Mapping

from hmf.memory import Clock
from hmf.policy.conditions import decoded
from hmf.policy.sentences.conditions import condition
from hmf.policy.sentences.typeset import day, fill
from hmf.reason import Value

SENTENCES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "stale": "Not touched for {days} (limit: {limit}).",
        "stale+": "Not touched for {days}: {touch} (limit: {limit}{rule}).",
        "expired": "Expired on {date}.",
        "expired_age": "Older than {limit}.",
        "expired_age+": "Older than {limit}: {touch}{rule}.",
        "project_finished": "The project {project} was finished on {date}.",
        "project_finished+": "The project {project} was finished on {date} (limit: {delay}{rule}).",
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
        "stale+": "Sans retouche depuis {days} : {touch} (limite : {limit}{rule}).",
        "expired": "Échéance passée le {date}.",
        "expired_age": "Date de plus de {limit}.",
        "expired_age+": "Date de plus de {limit} : {touch}{rule}.",
        "project_finished": "Le projet {project} est terminé depuis le {date}.",
        "project_finished+": "Le projet {project} est terminé depuis le {date} (limite : {delay}{rule}).",
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
_TOUCH = {
    "en": {Clock.VALID: "true since {}", Clock.LEARNT: "learnt on {}", Clock.VERIFIED: "last verified on {}"},
    "fr": {Clock.VALID: "vrai depuis le {}", Clock.LEARNT: "appris le {}", Clock.VERIFIED: "vérifié le {}"},
}
_RULE = {"en": "; rule for {condition}", "fr": " ; règle pour {condition}"}
COUNTED: Mapping[str, Mapping[str, tuple[str, str]]] = {
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


def policy_words(values: Mapping[str, Value], tongue: str) -> dict[str, str]:
    """What a policy says beside its values: the clock it went by, and for which memories its rule is."""
    found = {"rule": ""}
    clock = next((one for one in Clock if one == values.get("clock")), None)
    if clock and "since" in values:
        found["touch"] = _TOUCH[tongue][clock].replace("{}", day(str(values["since"]), tongue))
    if isinstance(values.get("when"), str):
        try:
            when = decoded(str(values["when"]))
        except (ValueError, TypeError):
            return found  # written by a job that is not ours: said without it
        found["rule"] = fill(_RULE[tongue], tongue, {"condition": condition(when, tongue)})
    return found
