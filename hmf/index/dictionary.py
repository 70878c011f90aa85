"""The index as a dictionary: exact, in memory, for unit tests and throw-away stores."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hmf.errors import IndexFailure
from hmf.index.names import checked
from hmf.index.port import Between, Filter, Found, Point, Query, Scored, Sparse


class DictionaryIndex:
    """An `Index` that lives as long as its process."""

    name = "memory"

    def __init__(self, dimension: int) -> None:
        """Vectors of `dimension` floats."""
        self._dimension = dimension
        self._points: dict[str, dict[str, Point]] = {}
        self._lock = threading.RLock()

    def ensure(self, collection: str) -> None:
        """See `Index`."""
        with self._lock:
            self._points.setdefault(checked(collection), {})

    def collections(self) -> list[str]:
        """See `Index`."""
        return sorted(self._points)

    def upsert(self, collection: str, points: Sequence[Point]) -> None:
        """See `Index`."""
        with self._lock:
            held = self._held(collection)
            for point in points:
                if len(point.dense) != self._dimension:
                    raise IndexFailure(f"A vector of {len(point.dense)} numbers came to an index of {self._dimension}.")
                held[point.id] = point

    def delete(self, collection: str, memories: Sequence[str]) -> None:
        """See `Index`."""
        with self._lock:
            held, gone = self._held(collection), set(memories)
            for key in [k for k, p in held.items() if p.payload["memory"] in gone]:
                del held[key]

    def search(self, collection: str, query: Query) -> Found:
        """See `Index`."""
        with self._lock:
            every = list(self._held(collection).values())
        fitting = [p for p in every if passes(p, query.filter)]
        dense: tuple[Scored, ...] = ()
        sparse: tuple[Scored, ...] = ()
        if query.dense is not None:
            vector = _unit(query.dense)
            near = [(p, float(_unit(p.dense) @ vector)) for p in fitting]
            dense = _top(_above(near, query.least_dense), query.limit)
        if query.sparse is not None:
            idf = _idf(query.sparse, every)
            scored = [(p, _dot(query.sparse, idf, p.sparse)) for p in fitting]
            sparse = _top([(p, score) for p, score in _above(scored, query.least_sparse) if score > 0], query.limit)
        return Found(dense, sparse)

    def ids(self, collection: str, filter: Filter | None = None) -> list[tuple[str, str]]:
        """See `Index`."""
        with self._lock:
            every = self._held(collection).values()
            return [(p.id, str(p.payload["memory"])) for p in every if filter is None or passes(p, filter)]

    def count(self, collection: str) -> int:
        """See `Index`."""
        return len(self._held(collection))

    def flush(self) -> None:
        """Nothing outlives the process."""

    def optimize(self, collection: str) -> None:
        """Nothing to merge."""

    def renew(self, collection: str, fill: Callable[[str], object]) -> bool:
        """What was deleted here is gone."""
        return True

    def drop(self, collection: str) -> None:
        """See `Index`."""
        with self._lock:
            self._points.pop(collection, None)

    def set_aside(self, collection: str, stamp: str) -> Path | None:
        """A dictionary leaves nothing to look at."""
        self.drop(collection)
        return None

    def close(self) -> None:
        """See `Index`."""

    def _held(self, collection: str) -> dict[str, Point]:
        try:
            return self._points[collection]
        except KeyError:
            raise IndexFailure(f"There is no collection {collection!r}.", fix="hmf reindex") from None


def passes(point: Point, wanted: Filter) -> bool:
    """The filter's meaning, in one place: engines are held to it by the contract tests."""
    for field, accepted in wanted.any_of.items():
        if not _values(point, field) & set(accepted):
            return False
    for field, refused in wanted.none_of.items():
        if _values(point, field) & set(refused):
            return False
    for field, span in wanted.between.items():
        value = point.payload.get(field)
        if span == Between():
            continue
        if value is None:
            return False
        moment = datetime.fromisoformat(str(value))
        if (span.since and moment < span.since) or (span.until and moment > span.until):
            return False
    return True


def _values(point: Point, field: str) -> set[str]:
    value = point.payload.get(field)
    if value is None:
        return set()
    return {str(v) for v in value} if isinstance(value, list) else {str(value)}


def _unit(vector: Sequence[float]) -> NDArray[np.float32]:
    """Of length one, as the cosine wants it; a vector of zeros stays what it is."""
    own = np.asarray(vector, np.float32)
    length = float(np.linalg.norm(own))
    return own / np.float32(length) if length else own


def _idf(query: Sparse, points: Sequence[Point]) -> dict[int, float]:
    """Qdrant's: ln((N - n + 0.5) / (n + 0.5) + 1); N counts the points that have any term at all."""
    total = sum(1 for point in points if point.sparse.indices)
    seen = dict.fromkeys(query.indices, 0)
    for point in points:
        for index in point.sparse.indices:
            if index in seen:
                seen[index] += 1
    return {index: math.log((total - n + 0.5) / (n + 0.5) + 1) for index, n in seen.items()}


def _dot(query: Sparse, idf: dict[int, float], document: Sparse) -> float:
    own = dict(zip(document.indices, document.values, strict=True))
    return sum(v * idf[i] * own[i] for i, v in zip(query.indices, query.values, strict=True) if i in own)


def _above(scored: list[tuple[Point, float]], least: float | None) -> list[tuple[Point, float]]:
    return scored if least is None else [(p, score) for p, score in scored if score >= least]


def _top(scored: list[tuple[Point, float]], limit: int) -> tuple[Scored, ...]:
    scored.sort(key=lambda pair: (-pair[1], pair[0].id))
    return tuple(Scored(p.id, str(p.payload["memory"]), score) for p, score in scored[:limit])
