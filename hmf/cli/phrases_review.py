"""What the review says in French and in English, and the letter of each answer; a part of `hmf.cli.words`."""

from __future__ import annotations

from collections.abc import Mapping

KEYS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "a": "approve", "k": "keep", "n": "refuse", "r": "archive", "e": "edit",
        "m": "merge", "f": "forget", "p": "postpone", "u": "undecided",
    },
    "fr": {
        "a": "approve", "g": "keep", "n": "refuse", "r": "archive", "m": "edit",
        "f": "merge", "o": "forget", "p": "postpone", "i": "undecided",
    },
}  # fmt: skip
"""Letter → answer. In capitals: the same for all the rest of the group. `q` stops, `?` explains."""

REVIEW: Mapping[str, Mapping[str, str | tuple[str, str]]] = {
    "en": {
        "group": "{job}: {verb}",
        "group-why": "{job}: {verb} – {why}",
        "progress": "{n} of {total}",
        "prompt": "[a]pply [k]eep [n]o a[r]chive [e]dit [m]erge [f]orget [p]ostpone [u]ndecided [q]uit [?]",
        "keys": "a  do what is proposed\n"
        "k  keep it: right as it stands, its clock starts again\n"
        "n  no: leave it as it is, clocks and all, and do not ask again\n"
        "r  to the archive\n"
        "e  change the text\n"
        "m  merge it into one of its neighbours, or another memory\n"
        "f  forget it\n"
        "p  ask again later\n"
        "u  undecided: nothing is done, it goes on waiting\n"
        "q  stop here; what was decided is done already\n"
        "A K N R F P U  the same for all the rest of this group",
        "ask-text": "New text",
        "ask-which": "Which one? (number, or the end of its id)",
        "ask-into": "Into which memory? (number of a neighbour, or the end of an id)",
        "ask-until": "For how long, or until when? (3d, 2w, 1mo, 2027-01-15, next month)",
        "done-approve": "done as proposed",
        "done-keep": "kept, verified today",
        "done-refuse": "left as it is",
        "done-archive": "archived",
        "done-edit": "reworded",
        "done-merge": "merged",
        "done-forget": "forgotten",
        "done-postpone": "put off ({until})",
        "done-undecided": "undecided",
        "undo-with": "{what} (hmf undo {batch})",
        "not-done": "{key} was not decided: {why}",
        "answered": ("{n} proposal answered.", "{n} proposals answered."),
        "all-answered": "Nothing more waits for a decision.",
        "never": "never",
        "recalled": "last recalled",
        "waits": "waits since {when}",
        "near": "near: ",
        "and-more": ("and {n} more memory", "and {n} more memories"),
        "age-days": ("{n} day old", "{n} days old"),
        "age-months": ("{n} month old", "{n} months old"),
        "age-years": ("{n} year old", "{n} years old"),
        "ran": "{job}: {applied} applied, {waiting} waiting for you, {skipped} skipped",
        "no-digest": "No job has run yet: there is nothing to tell.",
        "seen": "What the jobs have noticed",
        "dismiss-hint": "Not to be told again: hmf review --dismiss {key}",
        "dismissed": (
            "{n} remark put out of sight until it changes.",
            "{n} remarks put out of sight until they change.",
        ),
        "part": "{name} ({n}): {examples}",
        "no-editor": "The editor {editor} did not end well; the text stays as it is.",
        "because-replaced": "replaced by a newer one",
        "because-conflict": "they contradict each other",
        "because-duplicate": "the same text",
        "because-twin": "almost the same",
        "because-misfiled": "filed elsewhere",
        "because-unrouted": "waiting to be filed",
        "because-hypothesis_old": "never confirmed",
        "because-cluster": "they go together",
        "because-overview": "an overview",
        "because-summary_stale": "out of date",
        "act-refuse": ("left as it is", "left as they are"),
        "act-postpone": ("put off", "put off"),
        "by-approval": "job {job}, approved by you",
        "face-cli": "on the command line",
        "face-http": "through the daemon",
        "face-python": "from a program",
    },
    "fr": {
        "group": "{job} : {verb}",
        "group-why": "{job} : {verb} – {why}",
        "progress": "{n} sur {total}",
        "prompt": "[a]ppliquer [g]arder [n]on a[r]chiver [m]odifier [f]usionner [o]ublier [p]lus tard [i]ndécis "
        "[q]uitter [?]",
        "keys": "a  faire ce qui est proposé\n"
        "g  garder : c’est juste, et son horloge repart\n"
        "n  non : le laisser tel quel, horloges comprises, et ne plus demander\n"
        "r  à l’archive\n"
        "m  modifier le texte\n"
        "f  le fusionner dans un de ses voisins, ou dans un autre souvenir\n"
        "o  l’oublier\n"
        "p  redemander plus tard\n"
        "i  indécis : rien n’est fait, la question attend toujours\n"
        "q  s’arrêter là ; ce qui est décidé est déjà fait\n"
        "A G N R O P I  de même pour tout le reste du groupe",
        "ask-text": "Nouveau texte",
        "ask-which": "Lequel ? (numéro, ou fin de son id)",
        "ask-into": "Dans quel souvenir ? (numéro d’un voisin, ou fin d’un id)",
        "ask-until": "Pour combien de temps, ou jusqu’à quand ? (3d, 2w, 1mo, 2027-01-15, le mois prochain)",
        "done-approve": "fait comme proposé",
        "done-keep": "gardé, vérifié aujourd’hui",
        "done-refuse": "laissé tel quel",
        "done-archive": "archivé",
        "done-edit": "reformulé",
        "done-merge": "fusionné",
        "done-forget": "oublié",
        "done-postpone": "remis à plus tard ({until})",
        "done-undecided": "indécis",
        "undo-with": "{what} (hmf undo {batch})",
        "not-done": "{key} n’a pas été décidé : {why}",
        "answered": ("{n} proposition a reçu sa réponse.", "{n} propositions ont reçu leur réponse."),
        "all-answered": "Plus rien n’attend de décision.",
        "never": "jamais",
        "recalled": "rappelé",
        "waits": "attend depuis {when}",
        "near": "proche : ",
        "and-more": ("et {n} autre souvenir", "et {n} autres souvenirs"),
        "age-days": ("{n} jour d’âge", "{n} jours d’âge"),
        "age-months": ("{n} mois d’âge", "{n} mois d’âge"),
        "age-years": ("{n} an d’âge", "{n} ans d’âge"),
        "ran": "{job} : fait {applied}, vous attend {waiting}, laissé {skipped}",
        "no-digest": "Aucune tâche n’est encore passée : il n’y a rien à raconter.",
        "seen": "Ce que les tâches ont remarqué",
        "dismiss-hint": "Pour ne plus le lire : hmf review --dismiss {key}",
        "dismissed": (
            "{n} remarque mise de côté jusqu’à ce qu’elle change.",
            "{n} remarques mises de côté jusqu’à ce qu’elles changent.",
        ),
        "part": "{name} ({n}) : {examples}",
        "no-editor": "L’éditeur {editor} s’est mal terminé ; le texte reste tel quel.",
        "because-replaced": "remplacés par un plus récent",
        "because-conflict": "ils se contredisent",
        "because-duplicate": "même texte",
        "because-twin": "presque identiques",
        "because-misfiled": "à classer ailleurs",
        "because-unrouted": "en attente de classement",
        "because-hypothesis_old": "jamais confirmées",
        "because-cluster": "ils vont ensemble",
        "because-overview": "vue d’ensemble",
        "because-summary_stale": "plus à jour",
        "act-refuse": ("laissé tel quel", "laissés tels quels"),
        "act-postpone": ("remis à plus tard", "remis à plus tard"),
        "by-approval": "tâche {job}, approuvée par vous",
        "face-cli": "en ligne de commande",
        "face-http": "par le démon",
        "face-python": "depuis un programme",
    },
}
