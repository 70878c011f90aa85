"""What the screens say, in French and in English, and how they write dates. Help stays English.

French follows its typography: a narrow no-break space before : ; ? ! and 0 and 1 are singular.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any

from hmf.cli.phrases import MORE
from hmf.policy.sentences import say
from hmf.policy.sentences.typeset import decimal
from hmf.reason import from_json

_NARROW = "\u202f"

_WORDS: Mapping[str, Mapping[str, str | tuple[str, str]]] = {
    "en": {
        "no-memory": "No memory answers this.",
        "widened": "looked further: {where}",
        "trace": "how it was found",
        "none-listed": "No memory fits.",
        "none-waiting": "Nothing waits for a decision.",
        "waiting": ("{n} proposal waits for a decision.", "{n} proposals wait for a decision."),
        "no-batch": "Nothing was changed yet.",
        "changes": ("{n} change", "{n} changes"),
        "undone": "undone",
        "today": "today",
        "yesterday": "yesterday",
        "tomorrow": "tomorrow",
        "days-ago": ("{n} day ago", "{n} days ago"),
        "in-days": ("in {n} day", "in {n} days"),
        "id": "id",
        "category": "category",
        "kind": "kind",
        "tier": "tier",
        "status": "status",
        "project": "project",
        "tags": "tags",
        "title": "title",
        "source": "source",
        "authority": "authority",
        "language": "language",
        "valid": "true since",
        "learnt": "learnt",
        "verified": "last verified",
        "expires": "expires",
        "fresh": "good for",
        "filed": "filed",
        "session": "session",
        "superseded-by": "replaced by",
        "supersedes": "replaces",
        "summary-of": "summary of",
        "summarised-in": "summarised in",
        "forgotten-on": "forgotten",
        "archived-on": "archived",
        "history": "history",
        "stands-in": "where each sentence stands",
        "summary-changed": "Changed since this summary was written: {ids}. The next night writes it anew.",
        "stop": "{touched} of {total} in {category} would be touched, over the limit of {limit}%: look closely.",
        "goes-to": "to {category}",
        "report-only": "report only",
        "depends": "after {key}",
        "draft": "summary proposed",
        "gone": "(no longer there)",
        "decided": "Applied: {applied}. Refused: {refused}. Not possible: {skipped}.",
        "undo-hint": "To take it back: hmf undo {batch}",
        "verb-archive": "archive",
        "verb-summarise": "summarise",
        "verb-forget": "forget",
        "verb-move": "move",
        "verb-flag": "mark as to be verified",
        "verb-merge": "merge",
        "stats-namespace": "namespace",
        "stats-waiting": "waiting for you",
        "stats-outbox": "to be indexed",
        "stats-embedder": "embedder",
        "stats-index": "index",
        "stats-data_dir": "folder",
        "stats-ledger_bytes": "ledger, bytes",
        "stats-config": "configuration",
        "tier-working": "session",
        "tier-detail": "detail",
        "tier-summary": "summary",
        "tier-archive": "archive",
        "tier-retired": "retired",
        "tier-forgotten": "forgotten",
        "kind-fact": "fact",
        "kind-preference": "preference",
        "kind-decision": "decision",
        "kind-constraint": "constraint",
        "kind-task": "task",
        "kind-event": "event",
        "kind-note": "note",
        "kind-hypothesis": "hypothesis",
        "kind-lesson": "lesson",
        "status-confirmed": "confirmed",
        "status-hypothesis": "hypothesis",
        "status-to-verify": "to verify",
        "status-superseded": "superseded",
        "status-refuted": "refuted",
        "flag-pinned": "pinned",
    },
    "fr": {
        "no-memory": "Aucun souvenir ne répond à cela.",
        "widened": "cherché plus loin : {where}",
        "trace": "comment il a été trouvé",
        "none-listed": "Aucun souvenir ne correspond.",
        "none-waiting": "Rien n’attend de décision.",
        "waiting": ("{n} proposition attend une décision.", "{n} propositions attendent une décision."),
        "no-batch": "Rien n’a encore été changé.",
        "changes": ("{n} changement", "{n} changements"),
        "undone": "annulé",
        "today": "aujourd’hui",
        "yesterday": "hier",
        "tomorrow": "demain",
        "days-ago": ("il y a {n} jour", "il y a {n} jours"),
        "in-days": ("dans {n} jour", "dans {n} jours"),
        "id": "id",
        "category": "catégorie",
        "kind": "genre",
        "tier": "niveau",
        "status": "statut",
        "project": "projet",
        "tags": "étiquettes",
        "title": "titre",
        "source": "source",
        "authority": "autorité",
        "language": "langue",
        "valid": "vrai depuis",
        "learnt": "appris",
        "verified": "vérifié",
        "expires": "échéance",
        "fresh": "valable",
        "filed": "classé",
        "session": "session",
        "superseded-by": "remplacé par",
        "supersedes": "remplace",
        "summary-of": "résumé de",
        "summarised-in": "résumé dans",
        "forgotten-on": "oublié",
        "archived-on": "archivé",
        "history": "historique",
        "stands-in": "où se trouve chaque phrase",
        "summary-changed": "Changé depuis l’écriture de ce résumé : {ids}. La prochaine nuit le récrit.",
        "stop": "{touched} sur {total} dans {category} seraient touchés, "
        "plus que la limite de {limit}\u202f% : regardez de près.",
        "goes-to": "vers {category}",
        "report-only": "signalé seulement",
        "depends": "après {key}",
        "draft": "résumé proposé",
        "gone": "(n’existe plus)",
        "decided": "Appliqué : {applied}. Refusé : {refused}. Impossible : {skipped}.",
        "undo-hint": "Pour revenir en arrière : hmf undo {batch}",
        "verb-archive": "archiver",
        "verb-summarise": "résumer",
        "verb-forget": "oublier",
        "verb-move": "déplacer",
        "verb-flag": "marquer à vérifier",
        "verb-merge": "fusionner",
        "stats-namespace": "espace",
        "stats-waiting": "vous attend",
        "stats-outbox": "à indexer",
        "stats-embedder": "vecteurs",
        "stats-index": "index",
        "stats-data_dir": "dossier",
        "stats-ledger_bytes": "registre, octets",
        "stats-config": "configuration",
        "tier-working": "session",
        "tier-detail": "détail",
        "tier-summary": "résumé",
        "tier-archive": "archive",
        "tier-retired": "retiré",
        "tier-forgotten": "oublié",
        "kind-fact": "fait",
        "kind-preference": "préférence",
        "kind-decision": "décision",
        "kind-constraint": "contrainte",
        "kind-task": "tâche",
        "kind-event": "événement",
        "kind-note": "note",
        "kind-hypothesis": "hypothèse",
        "kind-lesson": "leçon",
        "status-confirmed": "confirmé",
        "status-hypothesis": "hypothèse",
        "status-to-verify": "à vérifier",
        "status-superseded": "remplacé",
        "status-refuted": "réfuté",
        "flag-pinned": "épinglé",
    },
}

CATALOG = {tongue: {**_WORDS[tongue], **MORE[tongue]} for tongue in _WORDS}
"""Every sentence by language and key; where it counts, as singular and plural."""


@dataclass(frozen=True, slots=True)
class Screen:
    """How to speak to this user: language (`fr`, else English), time zone, and the present."""

    language: str
    zone: tzinfo
    now: datetime

    @property
    def tongue(self) -> str:
        """`fr` or `en`."""
        return "fr" if self.language.lower().startswith("fr") else "en"

    def say(self, key: str, /, n: int | None = None, **values: object) -> str:
        """The sentence of `key`, singular or plural by `n`. Raises KeyError for a key that the catalog lacks."""
        found = CATALOG[self.tongue][key]
        if isinstance(found, tuple):
            one = abs(n or 0) <= 1 if self.tongue == "fr" else n == 1
            found = found[0] if one else found[1]
        typeset = re.sub(r" (?=[:;?!])", _NARROW, found) if self.tongue == "fr" else found
        return typeset.format(n=n, **values)

    def knows(self, key: str) -> bool:
        """Whether the catalog has this key."""
        return key in CATALOG[self.tongue]

    def named(self, kind: str, value: str) -> str:
        """The word for a tier, kind, status or verb; a value that has none is given back."""
        key = f"{kind}-{value}"
        return self.say(key) if key in CATALOG[self.tongue] else value

    def decimal(self, value: float) -> str:
        """A number with two decimals: `0.94`, `0,94`."""
        return decimal(value, self.tongue)

    def told(self, reason: Mapping[str, Any]) -> str:
        """A reason of the service in this user's language, which may be another than the daemon's."""
        return say(from_json(reason), self.tongue)

    def act(self, verb: str, n: int = 1) -> str:
        """The participle of a verb of the journal; one that has none is given back."""
        if verb.startswith("undo "):
            return self.say("taken-back", what=self.act(verb.removeprefix("undo "), n))
        return self.say(f"act-{verb}", n=n) if self.knows(f"act-{verb}") else verb

    def because(self, reason: Mapping[str, Any] | None) -> str | None:
        """A reason of the journal: a job's in few words, any other as a sentence, a person's own words as they are."""
        if reason is None:
            return None
        key = f"because-{reason['code']}"
        return self.say(key) if self.knows(key) else self.told(reason)

    def day(self, iso: str | None) -> str:
        """The local day of a moment: near ones in words, and always the date (`3 days ago, 2026-11-27`)."""
        if not iso:
            return ""
        date, near = _moment(iso).astimezone(self.zone).date().isoformat(), self.near(iso)
        return date if near == date else f"{near}, {date}"

    def near(self, iso: str) -> str:
        """The local day in words up to thirty days away, as a date beyond."""
        local = _moment(iso).astimezone(self.zone).date()
        days = (self.now.astimezone(self.zone).date() - local).days
        if abs(days) > 30:
            return local.isoformat()
        words = {0: "today", 1: "yesterday", -1: "tomorrow"}
        return self.say(words[days]) if days in words else self.say("days-ago" if days > 0 else "in-days", n=abs(days))

    def since(self, iso: str) -> str:
        """The local day of a moment as it stands after "since": `today`, `yesterday`, or the date."""
        near = self.near(iso)
        return near if near in (self.say("today"), self.say("yesterday")) else self.day(iso).rpartition(" ")[2]

    def age(self, iso: str) -> str:
        """How old something of that moment is: days up to two months, then months, then years."""
        days = max(0, (self.now - _moment(iso)).days)
        if days < 60:
            return self.say("age-days", n=days)
        return self.say("age-months", n=days * 12 // 365) if days < 730 else self.say("age-years", n=days // 365)

    def date(self, iso: str) -> str:
        """The local day of a moment in full: `Monday 30 November 2026`, `lundi 30 novembre 2026`."""
        local = _moment(iso).astimezone(self.zone).date()
        day = "1er" if local.day == 1 and self.tongue == "fr" else str(local.day)
        weekday, month = self.say(f"weekday-{local.weekday()}"), self.say(f"month-{local.month}")
        return self.say("date", weekday=weekday, day=day, month=month, year=local.year)

    def hour(self, iso: str) -> str:
        """The local time of a moment, to the minute."""
        return _moment(iso).astimezone(self.zone).strftime("%H:%M")

    def minute(self, iso: str | None) -> str:
        """The local date and time of a moment, to the minute."""
        return _moment(iso).astimezone(self.zone).strftime("%Y-%m-%d %H:%M") if iso else ""


def _moment(iso: str) -> datetime:
    parsed = datetime.fromisoformat(iso)
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
