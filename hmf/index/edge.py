"""The embedded default: the Qdrant engine in this process, one shard a collection.

The ledger holds the truth, so this file may lose the index and never lies about it: writes are durable
after `flush`, a shard that does not load is reported, and a damaged one is set aside for a rebuild.
"""

from __future__ import annotations

import gc
import shutil
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import qdrant_edge as q

from hmf.errors import DiskFull, IndexFailure, InvalidInput
from hmf.index import edge_values as values
from hmf.index.names import checked
from hmf.index.port import Filter, Found, Point, Query, Scored

T = TypeVar("T")
_PAGE = 5000


class EdgeIndex:
    """An `Index` in a folder. One process at a time: the store's lock sees to that."""

    name = "edge"

    def __init__(self, folder: Path, dimension: int, *, min_free: int = 512 * 2**20) -> None:
        """Shards under `folder`, created when needed. `min_free`: bytes that must stay free for a write."""
        self._folder = folder
        self._dimension = dimension
        self._min_free = min_free
        self._shards: dict[str, q.EdgeShard] = {}
        self._dirty: set[str] = set()
        self._lock = threading.RLock()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def ensure(self, collection: str) -> None:
        """See `Index`."""
        with self._lock:
            if collection in self._shards:
                return
            path = self._path(collection)
            if path.exists():
                self._shard(collection)
                return
            self._check_space()
            path.mkdir(mode=0o700)
            shard = _call(collection, lambda: q.EdgeShard.create(str(path), values.config(self._dimension)))
            for operation in values.payload_indexes():
                _call(collection, lambda op=operation: shard.update(op))  # type: ignore[misc]
            _call(collection, shard.flush)
            self._shards[collection] = shard

    def collections(self) -> list[str]:
        """See `Index`."""
        return sorted(p.name for p in self._folder.iterdir() if p.is_dir() and ".damaged-" not in p.name)

    def upsert(self, collection: str, points: Sequence[Point]) -> None:
        """See `Index`."""
        if not points:
            return
        for point in points:
            if len(point.dense) != self._dimension:
                raise IndexFailure(f"A vector of {len(point.dense)} numbers came to an index of {self._dimension}.")
        self._check_space()
        self._update(collection, q.UpdateOperation.upsert_points([values.point(p) for p in points]))

    def delete(self, collection: str, memories: Sequence[str]) -> None:
        """See `Index`."""
        if memories:
            wanted = values.filter_of(Filter(any_of={"memory": tuple(memories)}))
            self._update(collection, q.UpdateOperation.delete_points_by_filter(wanted))

    def search(self, collection: str, query: Query) -> Found:
        """See `Index`. Both sides in one pass over the segments."""
        requests = values.requests(query)
        with self._lock:
            shard = self._shard(collection)
            answers = _call(collection, lambda: shard.query_batch(q.QueryBatchRequest([r for _, r in requests])))
        sides = {side: _scored(answer) for (side, _), answer in zip(requests, answers, strict=True)}
        return Found(sides.get("dense", ()), tuple(s for s in sides.get("sparse", ()) if s.score > 0))

    def ids(self, collection: str, filter: Filter | None = None) -> list[tuple[str, str]]:
        """See `Index`."""
        found: list[tuple[str, str]] = []
        offset: Any = None
        with self._lock:
            shard = self._shard(collection)
            while True:
                request = values.scroll(filter, offset, _PAGE)
                records, offset = _call(collection, lambda: shard.scroll(request))  # noqa: B023 - called at once
                found.extend((str(r.id), str((r.payload or {})["memory"])) for r in records)
                if offset is None:
                    return found

    def count(self, collection: str) -> int:
        """See `Index`."""
        with self._lock:
            shard = self._shard(collection)
            return int(_call(collection, lambda: shard.count(q.CountRequest(exact=True))))

    def flush(self) -> None:
        """See `Index`."""
        with self._lock:
            for collection in sorted(self._dirty):
                self._check_space()
                _call(collection, self._shard(collection).flush)
                self._dirty.discard(collection)

    def optimize(self, collection: str) -> None:
        """Merge and vacuum segments; the interpreter stands still meanwhile (10 s for 100,000 points)."""
        with self._lock:
            _call(collection, self._shard(collection).optimize)

    def drop(self, collection: str) -> None:
        """See `Index`."""
        with self._lock:
            self._release(collection)
            path = self._path(collection)
            if path.exists():
                shutil.rmtree(path)

    def set_aside(self, collection: str, stamp: str) -> Path | None:
        """Move a damaged shard out of the way, where it can be looked at; returns where to."""
        with self._lock:
            self._release(collection)
            path = self._path(collection)
            if not path.exists():
                return None
            aside = path.with_name(f"{path.name}.damaged-{stamp}")
            path.rename(aside)
            return aside

    def close(self) -> None:
        """See `Index`."""
        with self._lock:
            if self._dirty:
                self.flush()
            for collection in list(self._shards):
                self._release(collection)

    def _shard(self, collection: str) -> q.EdgeShard:
        if collection not in self._shards:
            path = self._path(collection)
            if not path.exists():
                raise IndexFailure(f"There is no collection {collection!r}.", fix="hmf reindex")
            self._shards[collection] = _call(
                collection, lambda: q.EdgeShard.load(str(path), values.config(self._dimension))
            )
        return self._shards[collection]

    def _update(self, collection: str, operation: q.UpdateOperation) -> None:
        with self._lock:
            self._dirty.add(collection)
            shard = self._shard(collection)
            _call(collection, lambda: shard.update(operation))

    def _release(self, collection: str) -> None:
        self._dirty.discard(collection)
        shard = self._shards.pop(collection, None)
        if shard is not None:
            _call(collection, shard.close)
            del shard
            gc.collect()  # the engine holds its files until the object is gone

    def _path(self, collection: str) -> Path:
        path = self._folder / checked(collection)
        if path.is_symlink():
            raise InvalidInput(f"{path} is a link; an index lies only in its own folder.", fix=f"remove {path}.")
        return path

    def _check_space(self) -> None:
        """A full disk kills the engine by a signal that nothing can catch: stop while there is room to say so."""
        free = shutil.disk_usage(self._folder).free
        if free < self._min_free:
            raise DiskFull(
                f"Only {free // 2**20} MB are free in {self._folder}; the index needs {self._min_free // 2**20} MB "
                "of room to write.",
                fix="free some space; what waits is written then.",
            )


def _scored(answer: Sequence[q.ScoredPoint]) -> tuple[Scored, ...]:
    hits = [Scored(str(p.id), str((p.payload or {})["memory"]), float(p.score)) for p in answer]
    hits.sort(key=lambda s: (-s.score, s.id))
    return tuple(hits)


def _call(collection: str, action: Callable[[], T]) -> T:
    """The engine's errors are bare, and its panics no Exception: both become IndexFailure, nothing else is caught."""
    try:
        return action()
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        raise IndexFailure(
            f"The index of {collection!r} failed: {error}. The memories are safe in the ledger.", fix="hmf doctor"
        ) from error
