"""The diary of what was done, and the register of what replaced what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from hmf.errors import NotFound
from hmf.ledger import diary
from hmf.ledger.journal import Entry
from hmf.memory import Memory
from hmf.service.changing import Changer
from hmf.service.store import Store
from hmf.service.times import When, beginning, ending

Row = Mapping[str, Any]
_SHOWN = 3
"""Batches of so many changes say which memory they are about."""


@dataclass(frozen=True, slots=True)
class Line:
    """One journal line of a memory, with who ordered it (`user`, or `job` for a plan), what was ordered (the verb of
    the batch: a command, or the name of a job), and why."""

    entry: Entry
    actor: str
    order: str
    batch_reason: str | None
    plan: str | None
    undone: bool


@dataclass(frozen=True, slots=True)
class Link:
    """One memory of a chain. `memory` None: it was erased or purged, or its addition undone, and only the journal
    speaks of it. `replaces`: the ids it took the place of."""

    id: str
    memory: Memory | None
    replaces: tuple[str, ...]
    replaced_by: str | None
    lines: tuple[Line, ...]


class Diary:
    """Reads; changes nothing."""

    def __init__(self, store: Store, changer: Changer) -> None:
        """Over an open store."""
        self._store = store
        self._changer = changer

    def log(
        self, namespace: str, *, limit: int | None = 50, since: When = None, until: When = None, told: bool = True
    ) -> list[dict[str, Any]]:
        """Batches, the last made first. `told`: with what each did, and the memory that a small one is about.

        `since`, `until`: moments, ISO strings, or words of time; a day of `until` is included. Raises InvalidInput.
        """
        ledger = self._store.ledger
        rows = diary.batches(ledger, namespace, since=self.beginning(since), until=self._ending(until), limit=limit)
        undone = self._undone(namespace, rows)
        found = [{**row, "undone": row["id"] in undone} for row in rows]
        if told:
            did = diary.deeds(ledger, [row["id"] for row in found])
            about = self._about(namespace, [row["id"] for row in found if row["changes"] <= _SHOWN])
            for row in found:
                row["did"] = [_deed(one) for one in did.get(row["id"], [])]
                row["memory"] = about.get(row["id"])
        return found

    def _undone(self, namespace: str, rows: Sequence[Row]) -> set[str]:
        """Those of the batches that are undone, and not brought back by an undoing of that."""
        known = {row["id"]: row for row in rows}
        while ahead := {r["undone_by"] for r in known.values() if r["undone_by"]} - known.keys():
            found = diary.named(self._store.ledger, namespace, ahead)
            known.update(found)
            if not found:
                break
        undone: set[str] = set()
        for row in rows:
            count, later = 0, row["undone_by"]
            while later in known:
                count, later = count + 1, known[later]["undone_by"]
            if count % 2 == 1:
                undone.add(row["id"])
        return undone

    def beginning(self, since: When) -> datetime | None:
        """The first moment of what was said. Raises InvalidInput for what is no time."""
        store = self._store
        return beginning(since, "since", now=store.now(), zone=store.zone, language=store.language)

    def chain(self, memory_id: str, namespace: str) -> list[Link]:
        """All that this memory replaced and all that replaced it, however far, in the order in which they came.

        An id that only the journal knows is taken too. Raises NotFound, InvalidInput for an ambiguous part of an id.
        """
        start = self._start(memory_id, namespace)
        rows = self._linked(start, namespace)
        lines = diary.lines_of(self._store.ledger, namespace, list(rows))
        about = diary.named(self._store.ledger, namespace, {e.batch_id for found in lines.values() for e in found})
        before: dict[str, set[str]] = {one: set() for one in rows}
        for one, memory in rows.items():
            if memory is not None:
                before[one].update(memory.supersedes)
                if memory.superseded_by in before:
                    before[memory.superseded_by].add(one)
        links = [
            Link(
                one,
                memory,
                tuple(sorted(before[one])),
                (memory.superseded_by if memory else None) or next((n for n in rows if one in before[n]), None),
                tuple(_line(entry, about.get(entry.batch_id, {})) for entry in lines.get(one, [])),
            )
            for one, memory in rows.items()
        ]
        return sorted(links, key=lambda link: (link.lines[0].entry.seq if link.lines else 0, link.id))

    def _start(self, memory_id: str, namespace: str) -> str:
        try:
            return self._changer.one(memory_id, namespace).id
        except NotFound:
            if not self._store.ledger.entries(namespace=namespace, memory_id=memory_id, limit=1):
                raise
            return memory_id

    def _linked(self, start: str, namespace: str) -> dict[str, Memory | None]:
        """Every memory that can be reached along replacements, in both directions; None for the ones that are gone."""
        found: dict[str, Memory | None] = {}
        ahead = {start}
        while ahead:
            rows = self._store.ledger.get(sorted(ahead), namespace)
            found.update({one: rows.get(one) for one in ahead})
            near = {i for m in rows.values() for i in (*m.supersedes, m.superseded_by) if i}
            near |= {m.id for m in diary.replaced_by(self._store.ledger, namespace, sorted(ahead))}
            ahead = near - found.keys()
        return found

    def _ending(self, until: When) -> datetime | None:
        store = self._store
        return ending(until, "until", now=store.now(), zone=store.zone, language=store.language)

    def _about(self, namespace: str, batches: Sequence[str]) -> dict[str, dict[str, str | None]]:
        first = diary.subjects(self._store.ledger, batches)
        rows = self._store.ledger.get(first.values(), namespace)
        return {batch: {"id": one, "text": rows[one].text if one in rows else None} for batch, one in first.items()}


def _deed(row: Row) -> dict[str, Any]:
    return {name: row[name] for name in ("verb", "reason", "category", "project", "made", "n")}


def _line(entry: Entry, batch: Row) -> Line:
    undone = batch.get("undone_by") is not None
    order = batch.get("verb", entry.verb)
    return Line(entry, batch.get("actor", "user"), order, batch.get("reason"), batch.get("plan_id"), undone)
