"""Keeping the index what the ledger says: the outbox applied, damage repaired, new generations built beside the old."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby

import numpy as np
import structlog
from numpy.typing import NDArray

from hmf.errors import DiskFull, IndexFailure, ManifestMismatch
from hmf.index import tokenizer
from hmf.index.chunks import chunks, point_id
from hmf.index.port import Point
from hmf.index.terms import TermCounts
from hmf.ledger.codec import content_key
from hmf.ledger.ledger import SUMMARIES, home_of
from hmf.ledger.outbox import Work
from hmf.ledger.reads import Wanted
from hmf.memory import Memory, State
from hmf.service.store import Store

log = structlog.get_logger(__name__)
Progress = Callable[[int, int], None]
_BATCH = 256
_SCHEMA = "1"
_RECENT = 1024


class Indexer:
    """The one part of the service that writes to the index."""

    def __init__(self, store: Store, *, reindexing: bool = False) -> None:
        """Check the manifest and finish what the last process left.

        Raises ManifestMismatch, unless `reindexing`: then nothing is touched until `rebuild`.
        """
        self._store = store
        self._reindexing = reindexing
        self._applied = 0
        self._flushed = 0
        self._checked: set[str] = set()
        self._recent: dict[str, NDArray[np.float32]] = {}
        self._expected: dict[str, int] | None = None
        self.repairs: list[str] = []
        self.terms = TermCounts(store.places.data_dir / "index" / "terms.npy" if store.index.name != "memory" else None)
        self._generation = self._check_manifest()
        if not reindexing:
            self._drop_leftovers()
            self.sync()

    def physical(self, collection: str) -> str:
        """The collection's name in the engine, in this generation; checked and repaired at its first use."""
        name = _name(collection, self._generation)
        if collection not in self._checked:
            self._prepare(collection, name)
        return name

    def facts(self) -> dict[str, str]:
        """What the index depends on; a difference means it must be rebuilt."""
        embedder = self._store.embedder
        return {
            "embedder": embedder.key,
            "dimension": str(embedder.dimension),
            "tokenizer": tokenizer.VERSION,
            "engine": self._store.index.name,
            "points": _SCHEMA,
        }

    def embed(self, texts: Sequence[str], language: Sequence[str]) -> list[list[NDArray[np.float32]]]:
        """Vectors of the chunks of each text, from the cache where it has them."""
        parts = [self._chunks(text, lang) for text, lang in zip(texts, language, strict=True)]
        flat = list(dict.fromkeys(piece for piece_list in parts for piece in piece_list))
        vectors = self._known(flat)
        missing = [piece for piece in flat if content_key(piece) not in vectors]
        if missing:
            for piece, vector in zip(missing, self._store.embedder.documents(missing), strict=True):
                vectors[content_key(piece)] = vector
            self._remember(vectors)
        return [[vectors[content_key(piece)] for piece in piece_list] for piece_list in parts]

    def _known(self, pieces: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """Vectors already computed: those of the last additions from memory, the others from the ledger's cache."""
        keys = [content_key(piece) for piece in pieces]
        known = {key: self._recent[key] for key in keys if key in self._recent}
        if len(known) < len(keys):
            known.update(self._store.cache.get([key for key in keys if key not in known]))
        return known

    def _remember(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        self._recent.update(vectors)
        for key in list(self._recent)[: max(0, len(self._recent) - _RECENT)]:
            del self._recent[key]

    def keep(self, text: str, language: str, vectors: Sequence[NDArray[np.float32]]) -> dict[str, NDArray[np.float32]]:
        """The cache entries of a text's chunks."""
        return {content_key(p): v for p, v in zip(self._chunks(text, language), vectors, strict=True)}

    def chunk_count(self, text: str, language: str) -> int:
        """How many points a text takes."""
        return len(self._chunks(text, language))

    def forget_recent(self) -> None:
        """Drop the vectors kept in memory."""
        self._recent.clear()

    def chunk_keys(self, memory: Memory) -> list[str]:
        """Content keys of a memory's chunks, in order."""
        return [content_key(piece) for piece in self._chunks(memory.text, memory.language)]

    def sync(self) -> bool:
        """Apply what waits in the outbox. False (logged) when the index failed: the work stays, the ledger is whole."""
        store = self._store
        with store.guard:
            try:
                while work := store.outbox.after(self._applied):
                    self._apply(work)
                    self._applied = work[-1].seq
            except (IndexFailure, DiskFull) as error:
                log.warning("index.behind", error=str(error))
                return False
            return True

    def flush(self) -> None:
        """Make the index durable, then forget the outbox entries it has applied."""
        with self._store.guard:
            if self._applied > self._flushed:
                self._store.index.flush()
                self.terms.save()
                self._store.outbox.done(self._applied)
                self._flushed = self._applied

    @property
    def applied(self) -> int:
        """The number of the last outbox entry that was applied in this process."""
        return self._applied

    def unflushed(self) -> int:
        """How many applied entries still wait for a flush."""
        return self._applied - self._flushed

    def rebuild(self, progress: Progress | None = None) -> int:
        """Build every collection anew beside the old ones, switch, and drop the old. Returns the points written."""
        store = self._store
        with store.guard:
            new = self._generation + 1
            total = sum(row["n"] for row in store.ledger.tally() if row["state"] == State.LIVE)
            done = points = 0
            last = store.outbox.last()
            self.terms.clear()
            for name in self._collections():
                store.index.drop(_name(name, new))
            for namespace in store.ledger.namespaces():
                for part in _parts(store.ledger.stream(Wanted(namespace))):
                    points += self._write(part, new)
                    done += len(part)
                    if progress:
                        progress(done, total)
            for name in self._collections():
                store.index.ensure(_name(name, new))
            store.index.flush()
            self.terms.save()
            store.manifest.write({**self.facts(), "generation": str(new)})
            store.outbox.done(last)
            self._applied = self._flushed = max(self._applied, last)
            self._generation = new
            self._checked = set(self._collections())
            self._drop_leftovers()
            return points

    def verify(self) -> list[str]:
        """Compare every collection's count with the ledger's; returns the differences in words."""
        with self._store.guard:
            self._expected = None
            wanted, found = self._wanted(), []
            for collection in self._collections():
                have = self._store.index.count(self.physical(collection))
                if have != wanted.get(collection, 0):
                    found.append(f"{collection}: {have} points, the ledger says {wanted.get(collection, 0)}")
            return found

    def _chunks(self, text: str, language: str) -> list[str]:
        return chunks(text, self._store.embedder.max_chars, language)

    def _check_manifest(self) -> int:
        facts, known = self.facts(), self._store.manifest.read()
        if not known:
            self._store.manifest.write({**facts, "generation": "1"})
            return 1
        different = [f"{k} was {known.get(k)!r}, now {v!r}" for k, v in facts.items() if known.get(k) != v]
        if different and not self._reindexing:
            raise ManifestMismatch(
                "The index was built with other settings: " + "; ".join(different) + ". The memories are intact.",
                fix="hmf reindex (builds the new index beside the old one, then switches), or put the setting back.",
            )
        return int(known["generation"])

    def _drop_leftovers(self) -> None:
        """Collections of other generations: a rebuild that was interrupted, or the old ones after it."""
        for name in self._store.index.collections():
            if not name.endswith(f".g{self._generation}"):
                self._store.index.drop(name)

    def _collections(self) -> list[str]:
        held = {row["category"] for row in self._store.ledger.tally()}
        return sorted({*self._store.categories, *held, SUMMARIES})

    def _wanted(self) -> dict[str, int]:
        if self._expected is None:
            wanted: dict[str, int] = {}
            for row in self._store.ledger.tally():
                if row["state"] == State.LIVE:
                    home = SUMMARIES if row["tier"] == "summary" else row["category"]
                    wanted[home] = wanted.get(home, 0) + int(row["points"])
            self._expected = wanted
        return self._expected

    def _prepare(self, collection: str, name: str) -> None:
        """Open a collection for the first time in this process, and rebuild it when it is not what the ledger says."""
        store = self._store
        with store.guard:
            if collection in self._checked:
                return
            waiting = {w.memory_id for w in store.outbox.after(0, limit=10**9) if w.collection == collection}
            try:
                store.index.ensure(name)
                damaged = not waiting and store.index.count(name) != self._wanted().get(collection, 0)
            except IndexFailure as error:
                log.warning("index.damaged", collection=collection, error=str(error))
                damaged = True
            self._checked.add(collection)
            if damaged:
                self._repair(collection, name)

    def _repair(self, collection: str, name: str) -> None:
        store = self._store
        aside = store.index.set_aside(name, store.now().strftime("%Y%m%dT%H%M%S"))
        store.index.ensure(name)
        count = 0
        for namespace in store.ledger.namespaces():
            for part in _parts(m for m in store.ledger.stream(Wanted(namespace)) if home_of(m) == collection):
                count += self._write(part, self._generation)
        store.index.flush()
        note = f"{collection} was damaged or incomplete: rebuilt from the ledger ({count} points)"
        self.repairs.append(f"{note}; the damaged files are in {aside}" if aside else note)
        log.warning("index.rebuilt", collection=collection, points=count, aside=str(aside))

    def _apply(self, work: Sequence[Work]) -> None:
        rows = self._store.ledger.get({w.memory_id for w in work})
        self._expected = None
        for collection, group in groupby(sorted(work, key=lambda w: w.collection), key=lambda w: w.collection):
            name = self.physical(collection)
            entries = list(group)
            ids = list(dict.fromkeys(w.memory_id for w in entries))
            here = [rows[i] for i in ids if i in rows and home_of(rows[i]) == collection]
            gone = sorted(set(ids) - {m.id for m in here})
            stale = sorted({w.memory_id for w in entries if w.rewrite} & {m.id for m in here})
            if gone or stale:
                self._store.index.delete(name, [*gone, *stale])
            for part in _parts(here):
                self._write(part, self._generation)

    def _write(self, memories: Sequence[Memory], generation: int) -> int:
        vectors = self.embed([m.text for m in memories], [m.language for m in memories])
        by_home: dict[str, list[Point]] = {}
        for memory, parts in zip(memories, vectors, strict=True):
            home = home_of(memory)
            if home is not None:
                by_home.setdefault(home, []).extend(self._points(memory, parts))
        for home, points in by_home.items():
            self.terms.add(point.sparse.indices for point in points)
            name = _name(home, generation)
            if generation != self._generation:
                self._store.index.ensure(name)
            self._store.index.upsert(name, points)
        return sum(map(len, by_home.values()))

    def _points(self, memory: Memory, vectors: Sequence[NDArray[np.float32]]) -> Iterable[Point]:
        payload = payload_of(memory)
        head = " ".join(filter(None, (memory.title, memory.project, " ".join(memory.tags))))
        for n, (piece, vector) in enumerate(zip(self._chunks(memory.text, memory.language), vectors, strict=True)):
            sparse = tokenizer.sparse_document(f"{head}\n{piece}" if head else piece, memory.language)
            yield Point(point_id(memory.id, n), vector.tolist(), sparse, payload)


def payload_of(memory: Memory) -> Mapping[str, str | list[str]]:
    """What the engine filters by."""
    payload: dict[str, str | list[str]] = {
        "memory": memory.id,
        "namespace": memory.namespace,
        "kind": str(memory.kind),
        "status": str(memory.status),
        "tier": str(memory.tier),
        "language": memory.language,
        "source": memory.source.type,
        "learnt_at": memory.learnt_at.isoformat(),
        "valid_from": memory.valid_from.isoformat(),
    }
    optional = {"project": memory.project, "session": memory.session, "tags": list(memory.tags)}
    payload.update({key: value for key, value in optional.items() if value})
    return payload


def _name(collection: str, generation: int) -> str:
    return f"{collection}.g{generation}"


def _parts(memories: Iterable[Memory], size: int = _BATCH) -> Iterable[list[Memory]]:
    part: list[Memory] = []
    for memory in memories:
        part.append(memory)
        if len(part) == size:
            yield part
            part = []
    if part:
        yield part
