"""The collections of the index as the service meets them: compared with the ledger at their first use, rebuilt from it
when they are damaged, then or later."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

import structlog

from hmf.errors import IndexDamaged, IndexFailure
from hmf.index.port import Found, Query
from hmf.ledger.ledger import SUMMARIES, home_of
from hmf.ledger.wanted import Wanted
from hmf.memory import Memory, State, Tier
from hmf.service.store import Store

log = structlog.get_logger(__name__)
T = TypeVar("T")
BATCH = 256
_OURS = re.compile(r".+\.g[0-9]+")


class Write(Protocol):
    """Puts memories of one collection into it, under its name in the engine, and returns how many points."""

    def __call__(self, memories: Sequence[Memory], name: str, *, counted: bool = True) -> int:
        """`counted`: their words are new to the store."""
        ...


class Collections:
    """Every collection of one generation of the index."""

    def __init__(self, store: Store, generation: int, write: Write) -> None:
        """`write` is how memories come into a collection."""
        self._store = store
        self._write = write
        self._checked: set[str] = set()
        self._mended: set[str] = set()
        self._unverified: set[str] = set()
        self._expected: dict[str, int] | None = None
        self.generation = generation
        self.repairs: list[str] = []

    def physical(self, collection: str) -> str:
        """The collection's name in the engine; it exists then, and holds what the ledger says or what waits."""
        if collection not in self._checked:
            self._prepare(collection)
        return named(collection, self.generation)

    def use(self, collection: str, work: Callable[[str], T]) -> T:
        """Do `work` with the collection's name in the engine. Where its files turn out to be damaged, it is rebuilt,
        once in the life of a process, and asked again. Raises IndexFailure, DiskFull."""
        try:
            name = self.physical(collection)
            try:
                return work(name)
            except IndexDamaged as error:
                self._mend(collection, name, error)
                return work(self.physical(collection))
        except OSError as error:
            raise IndexFailure(
                f"The index of {collection!r} cannot be reached: {error}. The memories are safe in the ledger.",
                fix="restart, then hmf reindex.",
            ) from error

    def search(self, collection: str, query: Query) -> Found:
        """The answer of one collection."""
        return self.use(collection, lambda name: self._store.index.search(name, query))

    def names(self) -> list[str]:
        """The categories, configured or held by a memory, and the summaries."""
        held = {row["category"] for row in self._store.ledger.tally()}
        return sorted({*self._store.categories, *held, SUMMARIES})

    def renew(self, collection: str) -> bool:
        """Make a collection anew from the ledger, so that its files hold nothing of what was erased. False where the
        engine does not let us. Raises IndexFailure, DiskFull."""
        name = named(collection, self.generation)
        with self._store.guard:
            self._store.check_space()
            done = self._store.index.renew(name, lambda fresh: self._fill(collection, fresh, counted=False))
            self._checked.discard(collection)  # its count is compared with the ledger at the next use
            return done

    def changed(self) -> None:
        """The ledger was written: count again what each collection must hold."""
        self._expected = None

    def settled(self) -> None:
        """All that waited is applied: what could not be compared with the ledger at its first use is compared now."""
        for collection in sorted(self._unverified):
            name = named(collection, self.generation)
            if self._store.index.count(name) != self._wanted().get(collection, 0):
                self._repair(collection, name)
        self._unverified.clear()

    def switch(self, generation: int) -> None:
        """Every collection was built anew."""
        self.generation = generation
        self._checked = set(self.names())
        self._mended.clear()
        self.drop_leftovers()

    def drop_leftovers(self) -> None:
        """Drop collections of other generations: a rebuild that was interrupted, or the old ones after it. What is not
        named like one of ours is somebody else's."""
        for name in self._store.index.collections():
            if _OURS.fullmatch(name) and not name.endswith(f".g{self.generation}"):
                self._store.index.drop(name)

    def verify(self) -> list[str]:
        """Compare every collection's count with the ledger's; returns the differences in words."""
        self.changed()
        wanted, found = self._wanted(), []
        for collection in self.names():
            have, right = self.use(collection, self._store.index.count), wanted.get(collection, 0)
            if have != right:
                found.append(f"{collection}: {have} points, the ledger says {right}")
        return found

    def _wanted(self) -> dict[str, int]:
        if self._expected is None:
            wanted: dict[str, int] = {}
            for row in self._store.ledger.tally():
                if row["state"] == State.LIVE:
                    home = SUMMARIES if row["tier"] == Tier.SUMMARY else row["category"]
                    wanted[home] = wanted.get(home, 0) + int(row["points"])
            self._expected = wanted
        return self._expected

    def _prepare(self, collection: str) -> None:
        """Open a collection for the first time in this process, and rebuild it when it is not what the ledger says."""
        store, name = self._store, named(collection, self.generation)
        with store.guard:
            if collection in self._checked:
                return
            waiting = any(w.collection == collection for w in store.outbox.after(0, limit=10**9))
            if waiting:
                self._unverified.add(collection)  # it cannot be whole yet; `settled` looks once the work is done
            try:
                store.index.ensure(name)
                have = store.index.count(name)
                damaged = not waiting and have != self._wanted().get(collection, 0)
            except IndexFailure as error:
                log.warning("index.damaged", collection=collection, error=str(error))
                damaged = True
            if damaged:
                self._repair(collection, name)
            self._checked.add(collection)

    def _mend(self, collection: str, name: str, error: IndexDamaged) -> None:
        with self._store.guard:
            if collection in self._mended or name != named(collection, self.generation):
                return  # another thread was here, or a rebuild has just replaced it: asking again is enough
            log.warning("index.damaged", collection=collection, error=str(error))
            self._mended.add(collection)
            self._repair(collection, name)

    def _repair(self, collection: str, name: str) -> None:
        store = self._store
        store.check_space()
        aside = store.index.set_aside(name, store.now().strftime("%Y%m%dT%H%M%S"))
        store.index.ensure(name)
        count = self._fill(collection, name)
        store.index.flush()
        if store.index.name == "memory":
            return  # it starts empty in every process: filling it is no repair
        note = f"{collection} was damaged or incomplete: rebuilt from the ledger ({count} points)"
        self.repairs.append(f"{note}; the damaged files are in {aside}" if aside else note)
        log.warning("index.rebuilt", collection=collection, points=count, aside=str(aside))

    def _fill(self, collection: str, name: str, *, counted: bool = True) -> int:
        """Write all that the collection must hold under this name; returns how many points."""
        here = {"tiers": (Tier.SUMMARY,)} if collection == SUMMARIES else {"categories": (collection,)}
        count = 0
        for namespace in self._store.ledger.namespaces():
            rows = self._store.ledger.stream(Wanted(namespace, **here))
            for part in parts(m for m in rows if home_of(m) == collection):
                count += self._write(part, name, counted=counted)
        return count


def named(collection: str, generation: int) -> str:
    """What a collection is called in the engine."""
    return f"{collection}.g{generation}"


def parts(memories: Iterable[Memory], size: int = BATCH) -> Iterable[list[Memory]]:
    """The memories in lists of at most `size`."""
    part: list[Memory] = []
    for memory in memories:
        part.append(memory)
        if len(part) == size:
            yield part
            part = []
    if part:
        yield part
