"""Projects and recall counts: small marks beside the memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from hmf.ledger import tables as t
from hmf.ledger.ledger import Batch, Ledger, take_numbers


class Marks:
    """What is known of projects, and of what was recalled."""

    def __init__(self, ledger: Ledger) -> None:
        """Work on `ledger`."""
        self._ledger = ledger

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
