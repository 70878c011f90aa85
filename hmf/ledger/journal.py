"""Reading the journal: what changed, when, and what was there before."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, Select, func, select

from hmf.ledger import tables as t
from hmf.ledger.codec import from_json
from hmf.ledger.engine import guarded
from hmf.memory import Memory


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal. `before` is the state the change started from."""

    seq: int
    batch_id: str
    at: datetime
    namespace: str
    memory_id: str | None
    project: str | None
    verb: str
    reason: str | None
    before: Memory | None
    before_project: Mapping[str, Any] | None
    revision_after: int | None
    scrubbed: bool = False
    """What was there before was erased: it cannot be brought back, and is not the same as nothing."""


class JournalReads:
    """The part of the ledger's reading that concerns changes."""

    def __init__(self, engine: Engine) -> None:
        """Read through `engine`."""
        self.engine = engine

    def rows(self, query: Select[Any]) -> list[Mapping[str, Any]]:
        """All rows of a query, as mappings."""
        with guarded(), self.engine.connect() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def values(self, query: Select[Any], parameters: Mapping[str, Any]) -> Sequence[Any]:
        """All rows of a prepared query, by position."""
        with guarded(), self.engine.connect() as connection:
            return connection.execute(query, parameters).all()

    def entries(
        self,
        *,
        namespace: str,
        memory_id: str | None = None,
        batch_id: str | None = None,
        limit: int | None = None,
    ) -> list[Entry]:
        """Journal lines, oldest first (the newest `limit` of them where a limit is given)."""
        query = select(t.journal).where(t.journal.c.namespace == namespace)
        if memory_id is not None:
            query = query.where(t.journal.c.memory_id == memory_id)
        if batch_id is not None:
            query = query.where(t.journal.c.batch_id == batch_id)
        rows = self.rows(query.order_by(t.journal.c.seq.desc()).limit(limit))
        return [_entry(row) for row in reversed(rows)]

    def as_of(self, memory_id: str, namespace: str, revision: int) -> Memory | None:
        """The state that a memory had at a revision which it has no more; None when that is not kept."""
        c = t.journal.c
        query = select(t.journal).where(c.namespace == namespace, c.memory_id == memory_id, c.seq > revision)
        rows = self.rows(query.order_by(c.seq).limit(1))
        before = _entry(rows[0]).before if rows else None
        return before if before is not None and before.revision == revision else None

    def batch_rows(self, namespace: str, *, limit: int = 50, batch_id: str | None = None) -> list[Mapping[str, Any]]:
        """Batches, newest first, with the number of changes in each."""
        b, j = t.batches, t.journal
        changes = select(func.count()).where(j.c.batch_id == b.c.id).scalar_subquery().label("changes")
        query = select(b, changes).where(b.c.namespace == namespace)
        if batch_id is not None:
            query = query.where(b.c.id == batch_id)
        return self.rows(query.order_by(b.c.at.desc(), b.c.id.desc()).limit(limit))

    def journal_seq(self) -> int:
        """The number of the newest journal entry; 0 when there is none."""
        return int(self.rows(select(func.coalesce(func.max(t.journal.c.seq), 0).label("n")))[0]["n"])


def _entry(row: Mapping[str, Any]) -> Entry:
    body = json.loads(row["before"]) if isinstance(row["before"], str) else row["before"]
    of_memory = row["memory_id"] is not None and body is not None
    return Entry(
        seq=row["seq"],
        batch_id=row["batch_id"],
        at=row["at"],
        namespace=row["namespace"],
        memory_id=row["memory_id"],
        project=row["project"],
        verb=row["verb"],
        reason=row["reason"],
        before=from_json(body) if of_memory and not body.get("erased") else None,
        before_project=body if body is not None and row["memory_id"] is None else None,
        revision_after=row["revision_after"],
        scrubbed=bool(body and body.get("erased")),
    )
