"""More of what the screens say, in French and in English: the forecast, the diary, the register of decisions, undoing.

Part of the catalog of `hmf.cli.words`, which typesets it.
"""

from __future__ import annotations

from collections.abc import Mapping

Phrases = Mapping[str, Mapping[str, str | tuple[str, str]]]

FORECAST: Phrases = {
    "en": {
        "fc-title": "{first} to {last}, if nothing else changes",
        "fc-answered": "as if you approved all that is asked, on the same night",
        "fc-none": "Nothing happens to any memory in that time.",
        "fc-what": "what happens",
        "fc-now": "waits",
        "fc-total": "total",
        "fc-unscheduled": "not on the schedule, taken to run every night: {jobs}",
        "fc-several": "each column is {n} weeks, named by its first day",
        "fc-axis": "memories a week",
        "fc-archived": "archived",
        "fc-forgotten": "forgotten",
        "fc-purged": "gone for good",
        "fc-marked": "marked as to be verified",
        "fc-asked": "you are asked",
        "fc-held": "you are asked, held back",
        "fc-reported": "only reported",
        "because-stale": "untouched too long",
        "because-expired": "past its date",
        "because-expired_age": "too old",
        "because-project_finished": "project finished",
        "because-volatile_stale": "past its freshness",
        "because-grace": "can no longer be brought back",
    },
    "fr": {
        "fc-title": "Du {first} au {last}, si rien d’autre ne change",
        "fc-answered": "comme si vous approuviez tout ce qui est demandé, la nuit même",
        "fc-none": "Il n’arrive rien à aucun souvenir d’ici là.",
        "fc-what": "ce qui arrive",
        "fc-now": "attend",
        "fc-total": "total",
        "fc-unscheduled": "hors du calendrier, supposé passer chaque nuit : {jobs}",
        "fc-several": "chaque colonne couvre {n} semaines et porte la date de son premier jour",
        "fc-axis": "souvenirs par semaine",
        "fc-archived": "archivés",
        "fc-forgotten": "oubliés",
        "fc-purged": "effacés pour de bon",
        "fc-marked": "marqués à vérifier",
        "fc-asked": "à vous de décider",
        "fc-held": "à vous de décider, retenus",
        "fc-reported": "seulement signalés",
        "because-stale": "sans retouche depuis trop longtemps",
        "because-expired": "échéance passée",
        "because-expired_age": "trop anciens",
        "because-project_finished": "projet terminé",
        "because-volatile_stale": "plus assez récents",
        "because-grace": "ne peuvent plus être repris",
    },
}
