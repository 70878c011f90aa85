"""Why a memory was replaced, or may be: the reason of a finding in words, French and English."""

from __future__ import annotations

from hmf.policy.reconcile.rule import Finding

_CODES = {
    "en": {
        "value": "{old} is now {new}",
        "named": "the new text says it takes the place of “{old}”",
        "worded": "“{old}” is now “{new}”",
        "reversed": "the new text says the contrary",
        "left": "{old} is out of that part",
        "cancelled": "the new text says it will not be",
        "settled": "what was waited for has come",
        "resolved": "the new text says how the guess turned out",
    },
    "fr": {
        "value": "{old} devient {new}",
        "named": "le nouveau texte dit qu’il prend la place de « {old} »",
        "worded": "« {old} » devient « {new} »",
        "reversed": "le nouveau texte dit le contraire",
        "left": "{old} n’a plus ce rôle",
        "cancelled": "le nouveau texte dit que cela ne se fera pas",
        "settled": "ce qui était attendu est arrivé",
        "resolved": "le nouveau texte dit ce qu’il en est de l’hypothèse",
    },
}
_DOUBTS = {
    "en": {
        "pinned": "it is pinned",
        "authority": "it stands on a higher authority",
        "source": "this source does not change such a thing by itself",
        "firm": "a decision or a constraint gives way only to words of change",
        "several": "several memories could be meant",
        "too_many": "one addition would replace too many",
        "partly": "the older text says other things too",
        "future": "the new text holds only from a later day",
    },
    "fr": {
        "pinned": "il est épinglé",
        "authority": "il s’appuie sur une autorité plus haute",
        "source": "cette source ne change pas cela d’elle-même",
        "firm": "une décision ou une contrainte ne cède qu’à des mots de changement",
        "several": "plusieurs souvenirs pourraient être visés",
        "too_many": "un seul ajout en remplacerait trop",
        "partly": "l’autre texte dit aussi autre chose",
        "future": "le nouveau texte ne vaut qu’à partir d’un jour à venir",
    },
}


def explain(finding: Finding, language: str) -> str:
    """The reason, and the doubt where there is one, as a clause in `fr`, else in English."""
    tongue = "fr" if language.lower().startswith("fr") else "en"
    said = _CODES[tongue][finding.code].format_map(dict(finding.values))
    doubt = _DOUBTS[tongue].get(finding.doubt)
    joint = "\u202f; " if tongue == "fr" else "; "
    return f"{said}{joint}{doubt}" if doubt else said
