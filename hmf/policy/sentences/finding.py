"""What a search says: why a memory is there, what to beware of, how it was found, what was not understood."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: Mapping[str, Mapping[str, str]] = {
    "en": {
        # Why a memory is in the answer.
        "same_words": "says the same words ({score})",
        "close_meaning": "close in meaning ({score})",
        "said_by": "said by {author}",
        "replies": "replies to a question that fits",
        "stands_beside": "stands beside what fits",
        "about_project": "about {project}",
        "summary_answers": "its summary answers too",
        "sums_up": "sums up what you ask about",
        "replaced_by": "replaced by {id}",
        # What to beware of.
        "stale_since": "stale since {since}",
        "hypothesis": "hypothesis",
        "to_verify": "to verify",
        "superseded": "superseded",
        "superseded_on": "superseded on {date}",
        "refuted": "refuted",
        "refuted_on": "refuted on {date}",
        "expired_since": "expired since {since}",
        "archived": "archived",
        "sources_changed": "its sources changed since",
        "addresses_assistant": "addresses the assistant",
        "pinned": "pinned",
        # How it was found.
        "likely": "likely: {likely}",
        "likely_one": "{names} {share}",
        "opened_summaries": "{summaries}, opening {details}",
        "searched_first": "searched first: {names}",
        "widened_to": "widened to: {names}",
        "widened_archive": "widened to the archive",
        "other_categories": "other categories",
        "archive": "archive",
        # What was not understood.
        "time_unknown": "time not understood: {expression}; no time limit was applied",
        "empty_question": "an empty question has no answer",
    },
    "fr": {
        "same_words": "dit les mêmes mots ({score})",
        "close_meaning": "proche par le sens ({score})",
        "said_by": "dit par {author}",
        "replies": "répond à une question qui convient",
        "stands_beside": "voisin de ce qui convient",
        "about_project": "sur {project}",
        "summary_answers": "son résumé répond aussi",
        "sums_up": "résume ce que vous demandez",
        "replaced_by": "remplacé par {id}",
        "stale_since": "périmé depuis le {since}",
        "hypothesis": "hypothèse",
        "to_verify": "à vérifier",
        "superseded": "remplacé",
        "superseded_on": "remplacé le {date}",
        "refuted": "réfuté",
        "refuted_on": "réfuté le {date}",
        "expired_since": "échu depuis le {since}",
        "archived": "archivé",
        "sources_changed": "ses sources ont changé depuis",
        "addresses_assistant": "s’adresse à l’assistant",
        "pinned": "épinglé",
        "likely": "vraisemblables : {likely}",
        "likely_one": "{names} {share}",
        "opened_summaries": "{summaries}, qui mènent à {details}",
        "searched_first": "cherché d’abord : {names}",
        "widened_to": "élargi à : {names}",
        "widened_archive": "élargi à l’archive",
        "other_categories": "autres catégories",
        "archive": "archive",
        "time_unknown": "moment non compris : {expression} ; aucune limite de temps n’a été appliquée",
        "empty_question": "une question vide n’a pas de réponse",
    },
}
COUNTED: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "en": {
        "summaries": ("{n} summary", "{n} summaries"),
        "details": ("{n} detail", "{n} details"),
    },
    "fr": {
        "summaries": ("{n} résumé", "{n} résumés"),
        "details": ("{n} détail", "{n} détails"),
    },
}
