"""Why a memory was replaced, or may be: what the newer text says, and what speaks against it."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "said_value": "{old} is now {new}",
        "said_named": "the new text says it takes the place of “{old}”",
        "said_worded": "“{old}” is now “{new}”",
        "said_reversed": "the new text says the contrary",
        "said_left": "{old} is out of that part",
        "said_cancelled": "the new text says it will not be",
        "said_settled": "what was waited for has come",
        "said_resolved": "the new text says how the guess turned out",
        "doubted": "{said}; {doubt}",
        "doubt_pinned": "it is pinned",
        "doubt_authority": "it stands on a higher authority",
        "doubt_source": "this source does not change such a thing by itself",
        "doubt_firm": "a decision or a constraint gives way only to words of change",
        "doubt_several": "several memories could be meant",
        "doubt_too_many": "one addition would replace too many",
        "doubt_partly": "the older text says other things too",
        "doubt_future": "the new text holds only from a later day",
    },
    "fr": {
        "said_value": "{old} devient {new}",
        "said_named": "le nouveau texte dit qu’il prend la place de «\u202f{old}\u202f»",
        "said_worded": "«\u202f{old}\u202f» devient «\u202f{new}\u202f»",
        "said_reversed": "le nouveau texte dit le contraire",
        "said_left": "{old} n’a plus ce rôle",
        "said_cancelled": "le nouveau texte dit que cela ne se fera pas",
        "said_settled": "ce qui était attendu est arrivé",
        "said_resolved": "le nouveau texte dit ce qu’il en est de l’hypothèse",
        "doubted": "{said} ; {doubt}",
        "doubt_pinned": "il est épinglé",
        "doubt_authority": "il s’appuie sur une autorité plus haute",
        "doubt_source": "cette source ne change pas cela d’elle-même",
        "doubt_firm": "une décision ou une contrainte ne cède qu’à des mots de changement",
        "doubt_several": "plusieurs souvenirs pourraient être visés",
        "doubt_too_many": "un seul ajout en remplacerait trop",
        "doubt_partly": "l’autre texte dit aussi autre chose",
        "doubt_future": "le nouveau texte ne vaut qu’à partir d’un jour à venir",
    },
}
COUNTED: Mapping[str, Mapping[str, tuple[str, str]]] = {"en": {}, "fr": {}}
