"""Tombstones, projects and recall counts: small marks beside the memories."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from hmf.ledger import tables as t
from hmf.ledger.ledger import Batch, Ledger, take_numbers
from hmf.memory import Memory


class Marks:
    """What is known of memories that are gone, of projects, and of what was recalled."""

    def __init__(self, ledger: Ledger) -> None:
        """Work on `ledger`."""
        self._ledger = ledger

    def bury(self, connection: Connection, memory: Memory, at: datetime, reason: str | None, *, erased: bool) -> None:
        """Leave a tombstone. An erased memory leaves only the hash of its text."""
        self.unbury(connection, [memory.id])
        connection.execute(
            insert(t.tombstones).values(
                memory_id=memory.id,
                namespace=memory.namespace,
                content_hash=memory.content_hash,
                at=at,
                reason=reason,
                erased=erased,
            )
        )

    def bury_past(self, connection: Connection, memory: Memory, hashes: Collection[str], at: datetime) -> None:
        """Tombstones for the texts that an erased memory had before it was revised."""
        for content_hash in sorted(hashes):
            past = replace(memory, id=str(uuid.uuid5(uuid.UUID(memory.id), content_hash)), content_hash=content_hash)
            self.bury(connection, past, at, None, erased=True)

    def unbury(self, connection: Connection, ids: Sequence[str]) -> None:
        """Lift the tombstones of these memories."""
        connection.execute(delete(t.tombstones).where(t.tombstones.c.memory_id.in_(list(ids))))

    def lift(self, connection: Connection, namespace: str, hashes: Sequence[str]) -> None:
        """Lift the tombstones of texts that a person added again on purpose."""
        c = t.tombstones.c
        for start in range(0, len(hashes), 500):
            part = list(hashes[start : start + 500])
            connection.execute(delete(t.tombstones).where(c.namespace == namespace, c.content_hash.in_(part)))

    def tombstone(self, namespace: str, content_hash: str) -> Mapping[str, Any] | None:
        """The newest tombstone of this text, if any."""
        c = t.tombstones.c
        query = select(t.tombstones).where(c.namespace == namespace, c.content_hash == content_hash)
        rows = self._ledger.rows(query.order_by(c.at.desc()).limit(1))
        return rows[0] if rows else None

    @staticmethod
    def moment(text: str | None) -> datetime | None:
        """A moment as the journal writes it for projects."""
        return datetime.fromisoformat(text) if text else None

    def set_project(
        self, connection: Connection, batch: Batch, name: str, finished_at: datetime | None, before: datetime | None
    ) -> None:
        """Mark a project finished (or open again: None) and write it in the journal."""
        c = t.projects.c
        here = (c.namespace == batch.namespace) & (c.name == name)
        done = connection.execute(update(t.projects).where(here).values(finished_at=finished_at))
        if done.rowcount == 0:
            row = {"namespace": batch.namespace, "name": name, "finished_at": finished_at}
            connection.execute(insert(t.projects).values(row))
        connection.execute(
            insert(t.journal).values(
                seq=take_numbers(connection, "journal", 1),
                batch_id=batch.id,
                at=batch.at,
                namespace=batch.namespace,
                project=name,
                verb=batch.verb,
                reason=batch.reason,
                before={"finished_at": before.isoformat() if before else None},
            )
        )

    def recalled(self, counts: Mapping[str, int], at: datetime) -> None:
        """Add to the recall counts. Not journalled: this clock changes nothing else."""
        if not counts:
            return
        c = t.recalls.c
        with self._ledger.transaction() as connection:
            known = set(connection.execute(select(c.memory_id).where(c.memory_id.in_(list(counts)))).scalars())
            for memory_id in known:
                more = c.times + counts[memory_id]
                connection.execute(update(t.recalls).where(c.memory_id == memory_id).values(last_at=at, times=more))
            fresh = [{"memory_id": m, "last_at": at, "times": n} for m, n in counts.items() if m not in known]
            if fresh:
                connection.execute(insert(t.recalls), fresh)

    def last_recalled(self, ids: Sequence[str]) -> dict[str, tuple[datetime, int]]:
        """When each memory was last returned, and how many times."""
        query = select(t.recalls).where(t.recalls.c.memory_id.in_(list(ids)))
        return {row["memory_id"]: (row["last_at"], row["times"]) for row in self._ledger.rows(query)}
