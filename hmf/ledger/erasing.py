"""Destroying what the ledger keeps of a memory: before-images, drafts of plans, vectors, free pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import Connection, Text, cast, delete, select, update

from hmf.ledger import tables as t
from hmf.ledger.codec import from_json
from hmf.ledger.engine import guarded
from hmf.ledger.ledger import Ledger
from hmf.memory import Memory

_BLANK = {"erased": True}


class Erasing:
    """The only code that rewrites the journal."""

    def __init__(self, ledger: Ledger) -> None:
        """Work on `ledger`."""
        self._ledger = ledger

    def scrub(
        self, connection: Connection, memory: Memory, chunk_keys: Callable[[Memory], Sequence[str]], *, quoted: bool
    ) -> list[str]:
        """Blank the before-images of the memory; with `quoted`, also those of summaries that say it, and drop
        the plans that hold its text.

        Returns the content keys of all its past texts, so that their vectors go too.
        """
        j = t.journal.c
        rows = connection.execute(select(j.seq, j.before).where(j.memory_id == memory.id)).all()
        states = [memory, *(from_json(row.before) for row in rows if row.before and not row.before.get("erased"))]
        keys = {key for state in states for key in chunk_keys(state)}
        connection.execute(update(t.journal).where(j.memory_id == memory.id).values(before=_BLANK))
        connection.execute(delete(t.recalls).where(t.recalls.c.memory_id == memory.id))
        if quoted:
            keys.update(self._scrub_quotes(connection, memory, chunk_keys))
        return sorted(keys - self._shared(connection, memory, chunk_keys))

    def _scrub_quotes(
        self, connection: Connection, memory: Memory, chunk_keys: Callable[[Memory], Sequence[str]]
    ) -> set[str]:
        j, p = t.journal.c, t.plan_actions.c
        keys: set[str] = set()
        connection.execute(update(t.journal).where(j.memory_id == memory.id).values(reason=None))
        b = t.batches.c
        forgot = select(j.batch_id).where(j.memory_id == memory.id, j.verb == "forget")
        # The reason that a person gave for forgetting may say what was to be forgotten.
        connection.execute(update(t.batches).where(b.id.in_(forgot), b.verb == "forget").values(reason=None))
        quoting = select(j.seq, j.before).where(j.before.is_not(None), cast(j.before, Text).like(f"%{memory.id}%"))
        for row in connection.execute(quoting).all():
            if memory.id in row.before.get("summary_of", ()):
                keys.update(chunk_keys(from_json(row.before)))
                connection.execute(update(t.journal).where(j.seq == row.seq).values(before=_BLANK))
        plans = select(p.plan_id).where(cast(p.body, Text).like(f"%{memory.id}%")).distinct()
        holding = list(connection.execute(plans).scalars())
        connection.execute(delete(t.plan_actions).where(p.plan_id.in_(holding)))
        connection.execute(delete(t.plans).where(t.plans.c.id.in_(holding)))
        return keys

    def _shared(
        self, connection: Connection, memory: Memory, chunk_keys: Callable[[Memory], Sequence[str]]
    ) -> set[str]:
        """Keys of the text as it is now, where another memory says the same."""
        c = t.memories.c
        same = select(c.id).where(c.content_hash == memory.content_hash, c.id != memory.id).limit(1)
        return set(chunk_keys(memory)) if connection.execute(same).first() else set()

    def vacuum(self) -> None:
        """Bring the write-ahead log back into the file, so that the overwritten pages are the only ones."""
        if self._ledger.sqlite:
            with guarded(), self._ledger.engine.connect() as connection:
                raw = connection.connection.driver_connection
                assert raw is not None  # noqa: S101 - a connected pool always has one
                connection.rollback()
                raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
