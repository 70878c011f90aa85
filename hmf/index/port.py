"""The index port: the few verbs every engine must have, in values of our own.

Scores: dense is the cosine (-1 to 1); sparse is the dot product with the engine's IDF applied to the
query side (>= 0). Filters are applied inside the engine, before the cut to `limit`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol

PayloadValue = str | int | float | bool | list[str]

KEYWORD_FIELDS = ("memory", "namespace", "project", "kind", "status", "tier", "language", "source", "tags", "session")
DATE_FIELDS = ("learnt_at", "valid_from")


@dataclass(frozen=True, slots=True)
class Sparse:
    """A sparse vector: token numbers (unsigned 32 bits, each once) and their weights."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """One chunk of one memory. `id` is a UUID; `payload["memory"]` is the id of the memory."""

    id: str
    dense: Sequence[float]
    sparse: Sparse
    payload: Mapping[str, PayloadValue]


@dataclass(frozen=True, slots=True)
class Between:
    """A closed range of datetimes; either end may be open (None)."""

    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Filter:
    """All of `any_of` (field -> accepted values), none of `none_of`, all of `between` (date field -> range)."""

    any_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    none_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    between: Mapping[str, Between] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scored:
    """A point found: its id, the memory it belongs to, and its score."""

    id: str
    memory: str
    score: float


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for in one collection: dense, sparse, or both at once (answered separately)."""

    dense: Sequence[float] | None
    sparse: Sparse | None
    filter: Filter
    limit: int
    least_dense: float | None = None
    """Hits that score less are not wanted: what a search over several collections has no use for any more."""
    least_sparse: float | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The two rankings of one query, best first; empty where that side was not asked."""

    dense: tuple[Scored, ...] = ()
    sparse: tuple[Scored, ...] = ()


class Index(Protocol):
    """A set of named collections. Every method raises `IndexFailure` (or a subclass of StoreUnavailable) on trouble.

    Names are slugs (`[a-z0-9][a-z0-9.-]*`). Upsert and delete are idempotent. `flush` returns once all
    that was written before it survives power loss.
    """

    name: str

    def ensure(self, collection: str) -> None:
        """Create the collection, with its payload indexes, if it does not exist."""
        ...

    def collections(self) -> list[str]:
        """Names of the collections that exist, sorted."""
        ...

    def upsert(self, collection: str, points: Sequence[Point]) -> None:
        """Write points, replacing those with the same id. Raises DiskFull before a write that may not fit."""
        ...

    def delete(self, collection: str, memories: Sequence[str]) -> None:
        """Remove every point of these memories; unknown ones are no error."""
        ...

    def search(self, collection: str, query: Query) -> Found:
        """The best points on each side that pass the filter."""
        ...

    def ids(self, collection: str, filter: Filter | None = None) -> list[tuple[str, str]]:
        """(point id, memory id) of every point that passes, in no particular order."""
        ...

    def count(self, collection: str) -> int:
        """Exactly how many points the collection holds."""
        ...

    def flush(self) -> None:
        """Make everything written so far durable."""
        ...

    def optimize(self, collection: str) -> None:
        """Merge and vacuum, where the engine has it."""
        ...

    def renew(self, collection: str, fill: Callable[[str], object]) -> bool:
        """Make the collection anew, so that nothing that was ever deleted is left in its files: `fill` writes all that
        it must hold into the collection whose name it is given, which then takes the place of the old one. What was
        set aside of it goes too. False where the engine lets nobody do so: it clears what was deleted in its own time.
        """
        ...

    def drop(self, collection: str) -> None:
        """Remove the collection and its files; an unknown one is no error."""
        ...

    def set_aside(self, collection: str, stamp: str) -> Path | None:
        """Take a damaged collection out of the way so that it can be made anew; where its files are now, if any."""
        ...

    def close(self) -> None:
        """Flush and release everything. Twice is harmless."""
        ...
