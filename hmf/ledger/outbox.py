"""What the index must still do. An entry says only "bring this memory up to date in this collection",
so applying it is idempotent and the order does not matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, delete, func, insert, select
from sqlalchemy.dialects.postgresql import insert as postgres_insert

from hmf.ledger import tables as t
from hmf.ledger.ledger import Ledger

_PART = 500
_VECTORS = select(t.embeddings.c.content_key, t.embeddings.c.vector).where(
    t.embeddings.c.embedder == bindparam("embedder"),
    t.embeddings.c.content_key.in_(bindparam("keys", expanding=True)),
)


@dataclass(frozen=True, slots=True)
class Work:
    """One entry: `memory_id` may have to come into `collection`, or to leave it."""

    seq: int
    memory_id: str
    collection: str
    rewrite: bool
    """Points of an earlier state may be left over and go first."""


class Outbox:
    """The queue between the ledger and the index."""

    def __init__(self, ledger: Ledger) -> None:
        """Work on `ledger`."""
        self._ledger = ledger

    def after(self, seq: int, *, limit: int = 2000) -> list[Work]:
        """Entries with a number above `seq`, in order."""
        c = t.outbox.c
        rows = self._ledger.rows(select(t.outbox).where(c.seq > seq).order_by(c.seq).limit(limit))
        return [Work(row["seq"], row["memory_id"], row["collection"], row["rewrite"]) for row in rows]

    def done(self, upto: int) -> None:
        """Forget the entries up to `upto`: they are applied and flushed."""
        with self._ledger.transaction() as connection:
            connection.execute(delete(t.outbox).where(t.outbox.c.seq <= upto))

    def last(self) -> int:
        """The number of the newest entry that waits; 0 when none does."""
        return int(self._ledger.rows(select(func.coalesce(func.max(t.outbox.c.seq), 0).label("n")))[0]["n"])

    def depth(self) -> int:
        """How many entries wait."""
        return int(self._ledger.rows(select(func.count().label("n")).select_from(t.outbox))[0]["n"])


class EmbeddingCache:
    """Vectors by (text, embedder): a rebuilt index pays for no embedding twice."""

    def __init__(self, ledger: Ledger, embedder: str) -> None:
        """Vectors of the embedder with this key."""
        self._ledger = ledger
        self._embedder = embedder

    def get(self, keys: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """Vectors that are kept, by content key."""
        found: dict[str, NDArray[np.float32]] = {}
        unique = list(dict.fromkeys(keys))
        for start in range(0, len(unique), _PART):
            asked = {"embedder": self._embedder, "keys": unique[start : start + _PART]}
            for key, vector in self._ledger.values(_VECTORS, asked):
                found[key] = np.frombuffer(vector, dtype=np.float32)
        return found

    def put(self, connection: Connection, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """Keep vectors, inside the caller's transaction; those already kept stay."""
        rows = [
            {"content_key": key, "embedder": self._embedder, "vector": np.asarray(vector, np.float32).tobytes()}
            for key, vector in vectors.items()
        ]
        if not rows:
            return
        if self._ledger.sqlite:
            connection.execute(insert(t.embeddings).prefix_with("OR IGNORE"), rows)
        else:
            connection.execute(postgres_insert(t.embeddings).on_conflict_do_nothing(), rows)

    def drop(self, connection: Connection, keys: Sequence[str]) -> None:
        """Destroy the vectors of these texts, for every embedder."""
        for start in range(0, len(keys), _PART):
            part = list(keys[start : start + _PART])
            connection.execute(delete(t.embeddings).where(t.embeddings.c.content_key.in_(part)))


class Manifest:
    """Small facts about the store: which embedder, dimension, tokenizer and index generation it was built with."""

    def __init__(self, ledger: Ledger) -> None:
        """The manifest of `ledger`."""
        self._ledger = ledger

    def read(self) -> dict[str, str]:
        """All of it."""
        return {row["key"]: row["value"] for row in self._ledger.rows(select(t.manifest))}

    def write(self, values: Mapping[str, str]) -> None:
        """Set these keys, together."""
        with self._ledger.transaction() as connection:
            connection.execute(delete(t.manifest).where(t.manifest.c.key.in_(list(values))))
            connection.execute(insert(t.manifest), [{"key": k, "value": v} for k, v in values.items()])
