"""What a change says: what was left alone and why, what else was done, what an addition should be told."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: Mapping[str, Mapping[str, str]] = {
    "en": {
        # What was left alone.
        "already_forgotten": "already forgotten",
        "changed_since": "changed since",
        "replacement_stays": "what replaced it stays",
        "before_erased": "what was there before was erased",
        "text_taken": "its text has become another active memory",
        "dependency_not_applied": "the action it depends on was not applied",
        "category_gone": "category {category} is not configured any more",
        "target_gone": "{id} is gone",
        "target_changed": "{id} changed since",
        "target_pinned": "{id} is pinned",
        # What else was done.
        # Why, in the journal.
        "too_few_sources": "too few of its sources are left",
        "its_summary_gone": "its summary is gone",
        "source_forgotten": "a source was forgotten",
        "rebuilt": "rebuilt",
        "said_again": "said again",
        "moved_to": "{category} → {target}",
        "replaced_for": "replaced by {id} ({why})",
        "found_by_hmf": "found by HMF: {why}",
        # What an addition is told.
        "reads_as_question": "this reads like a question: kept as a note, not as a fact",
        "volatile_refused": "volatile: look the live value up where it is kept",
        "dated": "{said} was kept with its date, {date}",
        "secret_refused": "a secret was found and nothing was stored: {secrets}",
        "secret_redacted": "a secret was redacted before storing: {secrets}",
        "secret_in": "{secret} in {field}",
        "may_contradict": "{id} may be contradicted, please review: {why}",
        "higher_authority": "{id} stands on a higher authority ({authority}): both were kept, please review",
        "holds_from": "it holds only from {date}: {id} stays until then, please review",
        "later_date": "{id} is valid from a later date: both were kept, please review",
    },
    "fr": {
        "already_forgotten": "déjà oublié",
        "changed_since": "changé depuis",
        "replacement_stays": "ce qui l’a remplacé reste",
        "before_erased": "ce qui était là avant a été détruit",
        "text_taken": "son texte est devenu un autre souvenir actif",
        "dependency_not_applied": "l’action dont celle-ci dépend n’a pas été appliquée",
        "category_gone": "la catégorie {category} n’est plus configurée",
        "target_gone": "{id} n’existe plus",
        "target_changed": "{id} a changé depuis",
        "target_pinned": "{id} est épinglé",
        "too_few_sources": "trop peu de ses sources restent",
        "its_summary_gone": "son résumé n’existe plus",
        "source_forgotten": "une source a été oubliée",
        "rebuilt": "refait",
        "said_again": "redit",
        "moved_to": "{category} → {target}",
        "replaced_for": "remplacé par {id} ({why})",
        "found_by_hmf": "trouvé par HMF : {why}",
        "reads_as_question": "cela se lit comme une question : gardé comme note, non comme fait",
        "volatile_refused": "volatil : la valeur du moment se lit là où elle est tenue",
        "dated": "{said} a été gardé avec sa date, {date}",
        "secret_refused": "un secret a été trouvé et rien n’a été enregistré : {secrets}",
        "secret_redacted": "un secret a été masqué avant l’enregistrement : {secrets}",
        "secret_in": "{secret} dans {field}",
        "may_contradict": "{id} est peut-être contredit, à revoir : {why}",
        "higher_authority": "{id} s’appuie sur une autorité plus haute ({authority}) : les deux sont gardés, à revoir",
        "holds_from": "ne vaut qu’à partir du {date} : {id} reste jusque-là, à revoir",
        "later_date": "{id} vaut à partir d’une date plus tardive : les deux sont gardés, à revoir",
    },
}
COUNTED: Mapping[str, Mapping[str, tuple[str, str]]] = {"en": {}, "fr": {}}
