"""Which memories a rule is about, in words."""

from __future__ import annotations

from collections.abc import Iterable

from hmf.memory import Kind, Status, When
from hmf.policy.sentences.typeset import listed, quoted

_KINDS = {
    "en": ["facts", "preferences", "decisions", "constraints", "tasks", "events", "notes", "hypotheses", "lessons"],
    "fr": ["faits", "préférences", "décisions", "contraintes", "tâches", "événements", "notes", "hypothèses", "leçons"],
}
_STATUSES = {
    "en": ["confirmed", "not confirmed", "to be verified", "superseded", "refuted"],
    "fr": ["confirmé", "non confirmé", "à vérifier", "remplacé", "réfuté"],
}
_LANGUAGES = {"en": {"en": "English", "fr": "French"}, "fr": {"en": "anglais", "fr": "français"}}
_WHAT = {
    "en": {
        "all": "memories",
        "status": "with the status {}",
        "project": "of the project {}",
        "from": "from {}",
        "in": "in {}",
    },
    "fr": {
        "all": "souvenirs",
        "status": "au statut {}",
        "project": "du projet {}",
        "from": "venant de {}",
        "in": "en {}",
    },
}


def condition(when: When, tongue: str) -> str:
    """`facts and notes, of the project “Acme”, in French`; `tongue` is `fr` or `en`."""
    own = _WHAT[tongue]

    def either(words: Iterable[str]) -> str:
        return listed(list(words), tongue, either=True)

    parts = [listed(named(when.kinds, tongue), tongue) or own["all"]]
    if when.statuses:
        words = (word for status, word in zip(Status, _STATUSES[tongue], strict=True) if status in when.statuses)
        parts.append(own["status"].replace("{}", either(words)))
    for key, names in (("project", when.projects), ("from", when.sources)):
        if names:
            parts.append(own[key].replace("{}", either(quoted(name, tongue) for name in sorted(names))))
    if when.languages:
        known = _LANGUAGES[tongue]
        words = (known.get(code.casefold(), quoted(code, tongue)) for code in sorted(when.languages))
        parts.append(own["in"].replace("{}", either(words)))
    return ", ".join(parts)


def named(kinds: frozenset[Kind], tongue: str) -> list[str]:
    """The kinds in words, in the order of their enumeration."""
    return [word for kind, word in zip(Kind, _KINDS[tongue], strict=True) if kind in kinds]
