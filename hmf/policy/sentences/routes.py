"""Why a memory was filed where it is."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "you_named": "you named it",
        "you_moved": "you moved it from {category}",
        "you_edited": "you edited it there",
        "review_moved": "moved from {category} by the review",
        "nothing_described": "no category has a description or an example",
        "closest": "closest to what {category} holds",
        "unsure": "unsure between {category} and {rival}",
        "unsure_alone": "not sure enough of {category}",
        "near_filed": "very close to a memory you filed in {category}",
        "rule": "rule of {category}: {held}",
        "rule_word": "word {word}",
        "rule_wording": "the wording",
        "rule_kind": "kind {kind}",
        "rule_source": "source {source}",
        "rule_project": "project {project}",
        "filed_in": "filed in {category}: {why}",
    },
    "fr": {
        "you_named": "vous l’avez nommée",
        "you_moved": "vous l’avez déplacé depuis {category}",
        "you_edited": "vous l’avez modifié là",
        "review_moved": "déplacé depuis {category} par la revue",
        "nothing_described": "aucune catégorie n’a de description ni d’exemple",
        "closest": "le plus proche de ce que contient {category}",
        "unsure": "hésitation entre {category} et {rival}",
        "unsure_alone": "pas assez sûr de {category}",
        "near_filed": "très proche d’un souvenir que vous avez classé dans {category}",
        "rule": "règle de {category} : {held}",
        "rule_word": "mot {word}",
        "rule_wording": "la tournure",
        "rule_kind": "genre {kind}",
        "rule_source": "source {source}",
        "rule_project": "projet {project}",
        "filed_in": "classé dans {category} : {why}",
    },
}
COUNTED: Mapping[str, Mapping[str, tuple[str, str]]] = {"en": {}, "fr": {}}
