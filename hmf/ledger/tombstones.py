"""Tombstones: what was forgotten is known again when a replay or an import brings it, also in another wording."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import Connection, delete, func, insert, select

from hmf.ledger import tables as t
from hmf.ledger.engine import guarded
from hmf.ledger.ledger import Ledger
from hmf.ledger.reads import get_in
from hmf.memory import Memory
from hmf.policy.twins import Prints, alike, prints

T = TypeVar("T")
_PART = 500
_KEY = "tombstones"


@dataclass(frozen=True, slots=True)
class Stone:
    """A tombstone that stands in a text's way: whose, since when, and whether the text is its own word for word."""

    memory_id: str
    at: datetime
    exact: bool


class Tombstones:
    """The tombstones of every namespace."""

    def __init__(self, ledger: Ledger) -> None:
        """Work on `ledger`."""
        self._ledger = ledger

    def bury(
        self, connection: Connection, gone: Sequence[tuple[Memory, str | None]], at: datetime, *, erased: bool
    ) -> None:
        """Leave a tombstone for each (memory, reason). An erased memory leaves only numbers that its text gives."""
        if not gone:
            return
        self.unbury(connection, [memory.id for memory, _ in gone])
        key = self._key(connection)
        rows: list[dict[str, Any]] = []
        numbers: list[dict[str, Any]] = []
        for memory, reason in gone:
            rows.append(
                {
                    "memory_id": memory.id,
                    "namespace": memory.namespace,
                    "content_hash": memory.content_hash,
                    "at": at,
                    "reason": reason,
                    "erased": erased,
                }
            )
            numbers.extend(_rows(memory.id, prints(memory.text, memory.language, key)))
        connection.execute(insert(t.tombstones), rows)
        connection.execute(insert(t.prints), numbers)

    def bury_past(self, connection: Connection, states: Iterable[Memory], at: datetime) -> None:
        """Tombstones for the texts that an erased memory had before it was revised."""
        past = {(m.id, m.content_hash): m for m in states}
        named = [replace(m, id=str(uuid.uuid5(uuid.UUID(m.id), m.content_hash))) for m in past.values()]
        self.bury(connection, [(memory, None) for memory in named], at, erased=True)

    def unbury(self, connection: Connection, ids: Sequence[str]) -> None:
        """Lift the tombstones of these memories."""
        for part in _parts(ids):
            connection.execute(delete(t.tombstones).where(t.tombstones.c.memory_id.in_(part)))
            connection.execute(delete(t.prints).where(t.prints.c.memory_id.in_(part)))

    def lift(self, connection: Connection, namespace: str, hashes: Sequence[str]) -> None:
        """Lift the tombstones of texts that a person added again on purpose."""
        c = t.tombstones.c
        for part in _parts(hashes):
            here = (c.namespace == namespace) & c.content_hash.in_(part)
            self.unbury(connection, list(connection.execute(select(c.memory_id).where(here)).scalars()))

    def against(self, memories: Sequence[Memory]) -> dict[str, Stone]:
        """The tombstones that say the same as one of these memories (of one namespace), by the memory's id: word for
        word, or in another wording; the newest where there are several."""
        if not memories or not self._any(memories[0].namespace):
            return {}
        with guarded(), self._ledger.engine.connect() as connection:
            key = self._kept(connection)
            found = _exactly(connection, memories)
            rest = [memory for memory in memories if memory.id not in found]
            if key is not None and rest:
                found |= _alike(connection, rest, key)
        return found

    def _any(self, namespace: str) -> bool:
        query = select(func.count().label("n")).where(t.tombstones.c.namespace == namespace)
        return bool(self._ledger.rows(query)[0]["n"])

    def _key(self, connection: Connection) -> bytes:
        """The secret under which this store's prints are made; made with the first of them, in their transaction."""
        key = self._kept(connection)
        if key is None:
            key = secrets.token_bytes(32)
            connection.execute(insert(t.manifest).values(key=_KEY, value=key.hex()))
            self._complete(connection, key)
        return key

    def _complete(self, connection: Connection, key: bytes) -> None:
        """Prints for the tombstones of an earlier version, as far as their texts are still there."""
        bare = list(connection.execute(select(t.tombstones.c.memory_id)).scalars())
        for part in _parts(bare):
            known = list(get_in(connection, part, None))
            numbers = [row for m in known for row in _rows(m.id, prints(m.text, m.language, key))]
            if numbers:
                connection.execute(insert(t.prints), numbers)

    def _kept(self, connection: Connection) -> bytes | None:
        kept = connection.execute(select(t.manifest.c.value).where(t.manifest.c.key == _KEY)).scalar()
        return bytes.fromhex(kept) if kept else None


def _rows(memory_id: str, found: Prints) -> Iterator[dict[str, Any]]:
    for part, numbers in ((False, found.whole), (True, found.parts)):
        for number in sorted(numbers):
            yield {"memory_id": memory_id, "number": number, "part": part, "long": found.long}


def _exactly(connection: Connection, memories: Sequence[Memory]) -> dict[str, Stone]:
    c = t.tombstones.c
    stones: dict[str, Stone] = {}
    for part in _parts([m.content_hash for m in memories]):
        here = (c.namespace == memories[0].namespace) & c.content_hash.in_(part)
        for row in connection.execute(select(c.content_hash, c.memory_id, c.at).where(here).order_by(c.at)):
            stones[row.content_hash] = Stone(row.memory_id, row.at, True)
    return {m.id: stones[m.content_hash] for m in memories if m.content_hash in stones}


def _alike(connection: Connection, memories: Sequence[Memory], key: bytes) -> dict[str, Stone]:
    own = {m.id: prints(m.text, m.language, key) for m in memories}
    wanted = sorted({number for one in own.values() for number in one.whole | one.parts})
    c, p = t.tombstones.c, t.prints.c
    query = select(p.memory_id, p.number, p.part, p.long, c.at).join(t.tombstones, c.memory_id == p.memory_id)
    graves: dict[str, tuple[datetime, bool, set[int], set[int]]] = {}
    for part in _parts(wanted):
        here = (c.namespace == memories[0].namespace) & p.number.in_(part)
        for row in connection.execute(query.where(here)):
            grave = graves.setdefault(row.memory_id, (row.at, row.long, set(), set()))
            (grave[3] if row.part else grave[2]).add(row.number)
    by_number: dict[int, set[str]] = {}
    for stone, (_, _, whole, parts) in graves.items():
        for number in whole | parts:
            by_number.setdefault(number, set()).add(stone)
    found: dict[str, Stone] = {}
    for memory_id, mine in own.items():
        near = {stone for number in mine.whole | mine.parts for stone in by_number.get(number, ())}
        for stone in sorted(near, key=lambda one: graves[one][0]):
            at, long, whole, parts = graves[stone]
            if alike(mine, Prints(frozenset(whole), frozenset(parts), long)):
                found[memory_id] = Stone(stone, at, False)
    return found


def _parts(items: Sequence[T]) -> Iterator[list[T]]:
    for start in range(0, len(items), _PART):
        yield list(items[start : start + _PART])
