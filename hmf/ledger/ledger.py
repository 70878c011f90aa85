"""The ledger: the truth. Every change is one transaction that writes row, journal and outbox together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from hmf.errors import Conflict, StoreDamaged
from hmf.ledger import tables as t
from hmf.ledger.codec import to_json, to_row
from hmf.ledger.engine import WRITE, guarded, open_engine
from hmf.ledger.reads import Reads
from hmf.memory import Memory, State, Tier

SUMMARIES = "summaries"
"""The collection that holds the summary tier of every category."""


_WRITTEN = "hmf_written"
"""What a transaction has changed so far, beside its connection: told to the readers once it is committed."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What is done, and undone, together."""

    id: str
    at: datetime
    namespace: str
    verb: str
    actor: str = "user"
    """Who let it be done: `user`, a person, or `job`, by itself."""
    reason: str | None = None
    plan_id: str | None = None
    undoes: str | None = None
    undone_by: str | None = None
    face: str | None = None
    """Where a person said so: `cli`, `http`, `python`; None where it was not kept."""


@dataclass(frozen=True, slots=True)
class Change:
    """One memory from one state to the next. `before` None: it is created; `after` None: it is taken out."""

    before: Memory | None
    after: Memory | None
    verb: str
    reason: str | None = None
    keep_revision: bool = False
    """An undo puts the old revision back, so that the row is equal to what it was."""

    @property
    def silent(self) -> bool:
        """A line in the journal, and nothing else: somebody said something of the memory that leaves it as it is."""
        return self.keep_revision and self.before is not None and self.before == self.after

    @property
    def memory(self) -> Memory:
        """The state that names the memory: the one after, or the one before when it goes."""
        memory = self.after or self.before
        assert memory is not None  # noqa: S101 - a change of nothing is a bug of ours
        return memory


def home_of(memory: Memory) -> str | None:
    """The collection the index must hold this memory in, or None when in none."""
    if memory.state is not State.LIVE:
        return None
    return SUMMARIES if memory.tier is Tier.SUMMARY else memory.category


class Ledger(Reads):
    """One open ledger. Reads may come from any thread; writes are serialised by the database."""

    def __init__(self, url: str) -> None:
        """Open and migrate `url`. Raises StoreDamaged, StoreUnavailable, ConfigError."""
        super().__init__(open_engine(url))
        self.url = url
        self._identity = self._inode()

    @property
    def file(self) -> Path | None:
        """The SQLite file, or None on a server."""
        return Path(self.engine.url.database) if self.sqlite and self.engine.url.database else None

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A write transaction: all of it, durable, or none of it."""
        if self._inode() != self._identity:
            raise StoreDamaged(
                f"The ledger {self.file} was removed or replaced while HMF was running; nothing was written.",
                fix="stop HMF, put the file back, start again.",
            )
        with guarded(), self.engine.connect().execution_options(**WRITE) as connection, connection.begin():
            connection.info[_WRITTEN] = []
            yield connection
            written = connection.info.pop(_WRITTEN)
        self.note_names(written)

    def _inode(self) -> int | None:
        """Which file this is; None on a server, or when it is gone."""
        try:
            return self.file.stat().st_ino if self.file else None
        except FileNotFoundError:
            return None

    def commit(self, batch: Batch, changes: Sequence[Change]) -> list[Memory]:
        """Record a batch. Returns the memories as stored (the removed ones left out), in the order given.

        Raises Conflict when a `before` is not the present state, or when an identical active memory exists.
        """
        with self.transaction() as connection:
            return self.record(connection, batch, changes)

    def record(self, connection: Connection, batch: Batch, changes: Sequence[Change]) -> list[Memory]:
        """The same inside a transaction that the caller opened."""
        _insert_batch(connection, batch)
        first = take_numbers(connection, "journal", len(changes))
        stored, rows, entries, work = [], [], [], []
        replaced: list[tuple[Memory, Memory | None]] = []
        for seq, change in enumerate(changes, first):
            after = change.after
            if after is not None and not change.keep_revision:
                after = replace(after, revision=seq)
            entries.append(
                {
                    "seq": seq,
                    "batch_id": batch.id,
                    "at": batch.at,
                    "namespace": batch.namespace,
                    "memory_id": change.memory.id,
                    "verb": change.verb,
                    "reason": change.reason,
                    "before": to_json(change.before) if change.before else None,
                    "revision_after": after.revision if after else None,
                }
            )
            if change.silent and after is not None:
                stored.append(after)
                continue
            work.extend(_outbox_rows(change.before, after))
            if change.before is None and after is not None:
                rows.append(to_row(after))
            elif change.before is not None:
                replaced.append((change.before, after))
            if after is not None:
                stored.append(after)
        _replace_all(connection, replaced)
        _insert_all(connection, rows)
        connection.info[_WRITTEN] += [(c.before, c.after) for c in changes if not c.silent]
        if entries:
            connection.execute(insert(t.journal), entries)
        if work:
            connection.execute(insert(t.outbox), work)
        return stored

    def set_chunks(self, counts: Mapping[str, int]) -> None:
        """How many points each of these memories takes. A fact about the index: no revision, no journal."""
        c = t.memories.c
        with self.transaction() as connection:
            for memory_id, count in counts.items():
                connection.execute(update(t.memories).where(c.id == memory_id).values(chunks=count))

    def close(self) -> None:
        """Release every connection. Twice is harmless."""
        self.engine.dispose()


def take_numbers(connection: Connection, name: str, count: int) -> int:
    """Reserve `count` consecutive numbers and return the first; the row lock orders concurrent writers."""
    done = connection.execute(
        update(t.counters).where(t.counters.c.name == name).values(value=t.counters.c.value + count)
    )
    if done.rowcount == 0:
        connection.execute(insert(t.counters).values(name=name, value=count))
    last: int = connection.execute(select(t.counters.c.value).where(t.counters.c.name == name)).scalar_one()
    return last - count + 1


def _insert_batch(connection: Connection, batch: Batch) -> None:
    connection.execute(
        insert(t.batches).values(
            id=batch.id,
            at=batch.at,
            namespace=batch.namespace,
            verb=batch.verb,
            actor=batch.actor,
            face=batch.face,
            reason=batch.reason,
            plan_id=batch.plan_id,
            undoes=batch.undoes,
        )
    )
    if batch.undoes:
        done = connection.execute(
            update(t.batches)
            .where(t.batches.c.id == batch.undoes, t.batches.c.undone_by.is_(None))
            .values(undone_by=batch.id)
        )
        if done.rowcount == 0:
            raise Conflict(f"Batch {batch.undoes} was already undone.", fix="hmf log")


_HERE = (t.memories.c.id == bindparam("before_id")) & (t.memories.c.revision == bindparam("before_revision"))


def _replace_all(connection: Connection, pairs: Sequence[tuple[Memory, Memory | None]]) -> None:
    """Each row from one state to the next, or out: thousands by one statement. What goes gives its place free first."""
    gone = [_where(before) for before, after in pairs if after is None]
    rows = [_where(before) | to_row(after) for before, after in pairs if after is not None]
    try:
        done = connection.execute(delete(t.memories).where(_HERE), gone).rowcount if gone else 0
        done += connection.execute(update(t.memories).where(_HERE), rows).rowcount if rows else 0
    except IntegrityError as error:
        raise Conflict(
            "The same text is already an active memory.", fix=f"hmf show {pairs[0][0].id}" if len(pairs) == 1 else None
        ) from error
    if done != len(pairs):
        raise _stale(connection, pairs)


def _where(before: Memory) -> dict[str, Any]:
    return {"before_id": before.id, "before_revision": before.revision}


def _stale(connection: Connection, pairs: Sequence[tuple[Memory, Memory | None]]) -> Conflict:
    """Which of the memories was not in the state that was read."""
    c = t.memories.c
    for before, after in pairs:
        found = connection.execute(select(c.revision).where(c.id == before.id)).scalar()
        if found != (after.revision if after else None):
            break
    return Conflict(f"Memory {before.id} changed since it was read.", fix=f"hmf show {before.id}, then try again.")


def _insert_all(connection: Connection, rows: list[dict[str, object]]) -> None:
    if not rows:
        return
    try:
        connection.execute(insert(t.memories), rows)
    except IntegrityError as error:
        raise Conflict("The same text, or the same id, is already an active memory.") from error


def _outbox_rows(before: Memory | None, after: Memory | None) -> list[dict[str, str | bool]]:
    states = [m for m in (before, after) if m is not None]
    homes = {home for home in map(home_of, states) if home is not None}
    rewrite = before is not None and before.chunks > 1
    return [{"memory_id": states[0].id, "collection": home, "rewrite": rewrite} for home in sorted(homes)]


__all__ = ["SUMMARIES", "Batch", "Change", "Ledger", "home_of", "take_numbers"]
