"""One Qdrant Edge shard behind a lock: opened at its first use, and its bare errors turned into IndexFailure."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import qdrant_edge as q

from hmf.errors import IndexDamaged, IndexFailure
from hmf.index import edge_values as values
from hmf.index.edge_pages import give_back
from hmf.index.edge_reading import Reader
from hmf.index.port import Found, Query

T = TypeVar("T")
_LOG = "wal"


class Shard:
    """The files of one collection. Every method raises IndexFailure; IndexDamaged where the engine gave up on them."""

    def __init__(self, collection: str, path: Path, dimension: int) -> None:
        """Nothing is opened yet. `collection` is for messages."""
        self._collection = collection
        self._path = path
        self._dimension = dimension
        self._lock = threading.RLock()
        self._open: q.EdgeShard | None = None
        self._dirty = False
        self._reader = Reader()
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether its files were released for good."""
        return self._closed

    def create(self) -> None:
        """Make the files, with the payload indexes, durable and closed."""
        with self._lock:
            shape = values.config(self._dimension)
            self._open = shard = self._guarded("created", lambda: q.EdgeShard.create(str(self._path), shape))
            for operation in values.payload_indexes():
                self._guarded("created", partial(shard.update, operation))
            self._guarded("created", shard.flush)
            self.close()

    def call(self, done: str, work: Callable[[q.EdgeShard], T]) -> T:
        """The answer of `work`; `done` says in a message what could not be done."""
        with self._lock:
            shard = self._loaded()
            return self._guarded(done, lambda: work(shard))

    def search(self, query: Query) -> Found:
        """The two rankings of a query."""
        return self.call("searched", lambda shard: self._reader.search(shard, query))

    def update(self, operation: Callable[[], q.UpdateOperation]) -> None:
        """Apply what `operation` makes; it waits for the next flush to be durable."""
        with self._lock:
            self._dirty = True
            self._reader.changed()
            self.call("written", lambda shard: shard.update(operation()))

    def flush(self) -> None:
        """Make what was written durable; a shard that was only read has nothing to do."""
        with self._lock:
            if self._dirty:
                self.call("flushed", lambda shard: shard.flush())
                self._dirty = False
                give_back(self._path / _LOG)

    def close(self) -> None:
        """Release the files for good. What was not flushed is in the write-ahead log."""
        with self._lock:
            self._closed = True
            shard, self._open = self._open, None
            if shard is not None:
                self._guarded("closed", shard.close)

    def _loaded(self) -> q.EdgeShard:
        if self._closed:
            raise IndexFailure(f"The index collection {self._collection!r} was closed or dropped.", fix="try again.")
        if self._open is None:
            for entry in self._path.rglob("*"):
                if entry.is_symlink():
                    raise IndexFailure(
                        f"The index collection {self._collection!r} holds a link, {entry}: HMF writes only inside its "
                        "own folder.",
                        fix="remove the link; the collection is then rebuilt.",
                    )
            shape = values.config(self._dimension)
            self._open = self._guarded("opened", lambda: q.EdgeShard.load(str(self._path), shape))
            give_back(self._path)
        return self._open

    def _guarded(self, done: str, work: Callable[[], T]) -> T:
        """One call into the engine, whose errors are bare exceptions and whose panics are not even that."""
        try:
            return work()
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:
            if not isinstance(error, Exception):
                self._open = None  # after a panic what it holds in memory cannot be trusted: read the files anew
            raise IndexDamaged(
                f"The index collection {self._collection!r} could not be {done}: {error}. The memories are safe in the "
                "ledger.",
                fix="hmf doctor",
            ) from error
