"""The embedded default: the Qdrant engine in this process, one shard a collection, in a folder of its own.

The ledger holds the truth, so this file may lose the index and never lies about it: writes are durable after
`flush`, a collection appears under its name only once it is complete, a shard that does not load is reported,
and a damaged one is set aside for a rebuild.
"""

from __future__ import annotations

import glob
import re
import shutil
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import qdrant_edge as q

from hmf.errors import DiskFull, IndexDamaged, IndexFailure, InvalidInput
from hmf.index import edge_values as values
from hmf.index.edge_reading import scrolled
from hmf.index.edge_shard import Shard
from hmf.index.names import checked
from hmf.index.port import Filter, Found, Point, Query

T = TypeVar("T")
_BATCH = 512
_ASIDE = ".damaged-"
_HIDDEN = re.compile(r"^_|\.damaged-|\.anew$")
_STAMP = re.compile(r"[A-Za-z0-9-]{1,40}")
# No collection's name begins with an underscore.
_NEW, _OLD = "_new-", "_old-"
_ANEW = ".anew"


class EdgeIndex:
    """An `Index` in a folder, shared between threads. One process at a time: the store's lock sees to that."""

    name = "edge"

    def __init__(self, folder: Path, dimension: int, *, min_free: int = 512 * 2**20) -> None:
        """Shards under `folder`, opened at their first use. `min_free`: bytes that must stay free for a write.

        Raises IndexFailure when the folder cannot be made.
        """
        self._folder = folder
        self._dimension = dimension
        self._min_free = min_free
        self._shards: dict[str, Shard] = {}
        self._lock = threading.RLock()
        self._closed = False
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._tidy()
        except OSError as error:
            raise IndexFailure(f"The index folder {folder} cannot be used: {error}.") from error

    def _tidy(self) -> None:
        """Finish or remove what a crash left: a collection made anew was whole before the old one was taken away."""
        for anew in self._folder.glob(f"[!_]*{_ANEW}"):
            place = anew.with_name(anew.name.removesuffix(_ANEW))
            old = self._folder / f"{_OLD}{place.name}"
            if old.exists() and not place.exists():
                anew.rename(place)
            else:
                _remove(anew)
        for leftover in [*self._folder.glob(f"{_NEW}*"), *self._folder.glob(f"{_OLD}*")]:
            _remove(leftover)

    def ensure(self, collection: str) -> None:
        """See `Index`. An existing one is not opened, so a damaged one shows at its first use."""
        path = self._path(collection)
        with self._lock:
            if path.is_dir():
                return
            if path.exists():
                raise IndexDamaged(f"{path} is a file, where a folder of the index should be.", fix="hmf doctor")
            self._check_space()
            new = self._folder / f"{_NEW}{collection}"
            _remove(new)
            new.mkdir(mode=0o700)
            Shard(collection, new, self._dimension).create()
            new.rename(path)

    def collections(self) -> list[str]:
        """See `Index`. Those set aside are not among them."""
        return sorted(p.name for p in self._folder.iterdir() if p.is_dir() and not _HIDDEN.search(p.name))

    def upsert(self, collection: str, points: Sequence[Point]) -> None:
        """See `Index`."""
        for point in points:
            if len(point.dense) != self._dimension:
                raise IndexFailure(f"A vector of {len(point.dense)} numbers came to an index of {self._dimension}.")
        shard = self._shard(collection)
        for start in range(0, len(points), _BATCH):
            self._check_space()
            batch = points[start : start + _BATCH]
            shard.update(partial(_upserting, batch))

    def delete(self, collection: str, memories: Sequence[str]) -> None:
        """See `Index`."""
        if memories:
            self._check_space()
            gone = Filter(any_of={"memory": tuple(memories)})
            self._shard(collection).update(lambda: q.UpdateOperation.delete_points_by_filter(values.filter_of(gone)))

    def search(self, collection: str, query: Query) -> Found:
        """See `Index`. Both sides in one pass over the segments."""
        return self._reading(collection, lambda shard: shard.search(query))

    def ids(self, collection: str, filter: Filter | None = None) -> list[tuple[str, str]]:
        """See `Index`."""
        return self._reading(collection, lambda own: own.call("listed", lambda shard: scrolled(shard, filter)))

    def count(self, collection: str) -> int:
        """See `Index`."""
        exactly = q.CountRequest(exact=True)
        return int(self._reading(collection, lambda own: own.call("counted", lambda shard: shard.count(exactly))))

    def flush(self) -> None:
        """See `Index`. Every collection is tried before the first failure is raised."""
        with self._lock:
            _each([shard.flush for shard in self._shards.values()])

    def optimize(self, collection: str) -> None:
        """Merge and vacuum segments; the interpreter stands still meanwhile (10 s for 100,000 points)."""
        self._check_space()
        self._shard(collection).call("optimized", lambda shard: shard.optimize())

    def renew(self, collection: str, fill: Callable[[str], object]) -> bool:
        """See `Index`. A crash leaves the old collection or the new one, never half of either."""
        path, anew = self._path(collection), self._folder / f"{collection}{_ANEW}"
        self.drop(anew.name)
        self.ensure(anew.name)
        fill(anew.name)
        self._shard(anew.name).flush()
        with self._lock:
            self._release(anew.name)
            self._release(collection)
            old = self._folder / f"{_OLD}{collection}"
            _remove(old)
            if path.exists():
                path.rename(old)
            anew.rename(path)
            _remove(old)
            for aside in self._folder.glob(f"{glob.escape(collection)}{_ASIDE}*"):
                _remove(aside)
        return True

    def drop(self, collection: str) -> None:
        """See `Index`."""
        path = self._path(collection)
        with self._lock:
            self._release(collection)
            if path.exists():
                old = self._folder / f"{_OLD}{collection}"
                _remove(old)
                path.rename(old)  # at once: a crash while files go leaves no half collection under its name
                _remove(old)

    def set_aside(self, collection: str, stamp: str) -> Path | None:
        """Move a damaged shard to `<collection>.damaged-<stamp>`, where it can be looked at; returns where to.

        None when there was nothing. Raises InvalidInput for a stamp that is not of letters, digits and hyphens.
        """
        if not _STAMP.fullmatch(stamp):
            raise InvalidInput(f"{stamp!r} cannot be part of a folder's name.", fix="use letters, digits and hyphens.")
        path = self._path(collection)
        with self._lock:
            self._release(collection)
            if not path.exists():
                return None
            aside, number = path.with_name(f"{path.name}{_ASIDE}{stamp}"), 1
            while aside.exists():
                number += 1
                aside = path.with_name(f"{path.name}{_ASIDE}{stamp}-{number}")
            return path.rename(aside)

    def close(self) -> None:
        """See `Index`. Everything is released even when a flush fails; the first failure is raised then."""
        with self._lock:
            self._closed = True
            shards = list(self._shards.values())
            self._shards.clear()
            _each([step for shard in shards for step in (shard.flush, shard.close)])

    def _shard(self, collection: str) -> Shard:
        with self._lock:
            if self._closed:
                raise IndexFailure("The index is closed.", fix="open the store again.")
            if collection not in self._shards:
                path = self._path(collection)
                if not path.is_dir():
                    raise IndexDamaged(f"There is no collection {collection!r}.", fix="hmf reindex")
                self._shards[collection] = Shard(collection, path, self._dimension)
            return self._shards[collection]

    def _reading(self, collection: str, work: Callable[[Shard], T]) -> T:
        """The answer of a shard; where another has just taken its place, of that one."""
        shard = self._shard(collection)
        try:
            return work(shard)
        except IndexFailure:
            if not shard.closed or (present := self._shard(collection)) is shard:
                raise
            return work(present)

    def _release(self, collection: str) -> None:
        """Let go of a shard that is about to move. One too broken to close is let go all the same."""
        shard = self._shards.pop(collection, None)
        if shard is not None:
            try:
                shard.close()
            except IndexFailure:
                return

    def _path(self, collection: str) -> Path:
        path = self._folder / checked(collection)
        if _ASIDE in collection:
            raise InvalidInput(f"{collection!r} is what a damaged collection is called.", fix="choose another name.")
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


def _upserting(points: Sequence[Point]) -> q.UpdateOperation:
    return q.UpdateOperation.upsert_points([values.point(point) for point in points])


def _remove(path: Path) -> None:
    """Delete a folder and what is in it; of a link only the link goes."""
    if path.is_symlink():
        path.unlink()
    elif path.exists():
        shutil.rmtree(path)


def _each(steps: Sequence[Callable[[], None]]) -> None:
    """Run every step, then raise the first failure."""
    failures: list[IndexFailure] = []
    for step in steps:
        try:
            step()
        except IndexFailure as error:
            failures.append(error)
    if failures:
        raise failures[0]
