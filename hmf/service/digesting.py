"""The digest of a night: what its jobs did, what awaits, what failed; gathered from the ledger, and kept in it.

It holds counts, names of categories and codes: nothing of the texts, so that an erasure has nothing to look for here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from hmf.errors import HmfError
from hmf.ledger import diary
from hmf.ledger.runs import OK, RUNNING
from hmf.memory import Confirm
from hmf.policy.sentences.digests import digest_sentences
from hmf.service.store import Store

Facts = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Digest:
    """One night of one namespace, by its local date: facts, and the sentences they make in the user's language."""

    namespace: str
    night: date
    made_at: datetime
    facts: Mapping[str, Any]
    sentences: tuple[str, ...]


class Digester:
    """Writes a digest after each run; a later run of the same night completes it."""

    def __init__(self, store: Store) -> None:
        """Over an open store."""
        self._store = store

    def night(self, moment: datetime) -> date:
        """The local date that a run belongs to."""
        return moment.astimezone(self._store.zone).date()

    def write(self, night: date) -> None:
        """Gather the night anew for every namespace, and keep it in place of what was written of it before."""
        now, runs = self._store.now(), list(self._runs(night))
        for namespace in self._store.ledger.namespaces():
            self._store.digests.put(namespace, night.isoformat(), now, self._facts(namespace, night, runs))

    def read(self, namespace: str, *, limit: int = 1, night: str | None = None) -> list[Digest]:
        """The latest digests, newest first; the one of a night where it is named."""
        rows = self._store.digests.read(namespace, limit=limit, night=night)
        return [
            Digest(
                namespace,
                date.fromisoformat(row["night"]),
                row["made_at"],
                row["body"],
                tuple(digest_sentences(row["body"], self._store.language)),
            )
            for row in rows
        ]

    def _runs(self, night: date) -> Iterator[Mapping[str, Any]]:
        """The runs of a night, oldest first. One that was due before midnight and retried after it belongs to the day
        it was due."""
        zone = self._store.zone
        first = datetime.combine(night, time(), tzinfo=zone)
        for run in self._store.runs.between(first, first + timedelta(days=3)):
            if self.night(run["scheduled_for"] or run["started_at"]) == night:
                yield run

    def _facts(self, namespace: str, night: date, runs: Sequence[Mapping[str, Any]]) -> Facts:
        before = self._store.digests.read(namespace, limit=1, before=night.isoformat())
        known = {note["key"] for row in before for note in row["body"]["notes"]}
        notes = self._store.plans.notes(namespace)
        return {
            "jobs": [*_jobs(runs)],
            "done": self._done(namespace, runs),
            "waiting": self._waiting(namespace),
            "notes": [
                {
                    "job": job,
                    "code": note.code,
                    "values": dict(note.values),
                    "category": note.category,
                    "key": note.key,
                    "new": note.key not in known,
                }
                for job, note in notes
            ],
        }

    def _done(self, namespace: str, runs: Sequence[Mapping[str, Any]]) -> list[Facts]:
        """What the jobs did by themselves in the course of these runs, counted."""
        orders: dict[str, str] = {}
        for run in runs:
            until = run["ended_at"] or self._store.now()
            for row in diary.batches(self._store.ledger, namespace, since=run["started_at"], until=until, limit=None):
                if row["actor"] == "job":
                    orders[row["id"]] = row["verb"]
        found: dict[tuple[Any, ...], Facts] = {}
        for batch, deeds in diary.deeds(self._store.ledger, list(orders)).items():
            for one in deeds:
                said = {name: one[name] for name in ("verb", "reason", "category", "made")}
                row = found.setdefault((orders[batch], *said.values()), {"job": orders[batch], **said, "n": 0})
                row["n"] += one["n"]
        return list(found.values())

    def _waiting(self, namespace: str) -> list[Facts]:
        """What waits for a person, counted by job, verb and reason, with since when the oldest does."""
        found: dict[tuple[str, str, str], Facts] = {}
        for filed in self._store.plans.open(namespace, self._store.now()):
            for action in filed.undecided:
                if action.confirm is Confirm.NEVER:
                    continue  # only reported: it waits for nobody
                key = (filed.plan.job, str(action.verb), action.reason.code)
                since = filed.since[action.key].astimezone(self._store.zone).date().isoformat()
                row = found.setdefault(key, {"job": key[0], "verb": key[1], "reason": key[2], "n": 0, "since": since})
                row["n"] += 1
                row["since"] = min(row["since"], since)
        return list(found.values())


def trouble(error: Exception) -> dict[str, str | None]:
    """What a failed run keeps of its error, for those who read it in another language."""
    code, fix = (error.code, error.fix) if isinstance(error, HmfError) else ("error", None)
    return {"code": code, "name": type(error).__name__, "fix": fix}


def _jobs(runs: Sequence[Mapping[str, Any]]) -> Iterator[Facts]:
    """Each job of a night: how its last run ended, and how many went wrong before."""
    by_job: dict[str, list[Mapping[str, Any]]] = {}
    for run in runs:
        by_job.setdefault(run["job"], []).append(run)
    for job, attempts in by_job.items():
        last = attempts[-1]
        kept = last["detail"].get("trouble", {})
        yield {
            "job": job,
            "attempts": len(attempts),
            "failures": sum(one["outcome"] not in (OK, RUNNING) for one in attempts),
            "outcome": last["outcome"],
            "code": kept.get("code", last["outcome"]),
            "name": kept.get("name", last["outcome"]),
            "fix": kept.get("fix"),
        }
