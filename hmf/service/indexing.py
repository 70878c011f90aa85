"""Keeping the index what the ledger says: the outbox applied, damage repaired, new generations built beside the old."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby

import numpy as np
import structlog
from numpy.typing import NDArray

from hmf.errors import DiskFull, EmbedderFailure, IndexFailure, ManifestMismatch
from hmf.index import tokenizer
from hmf.index.chunks import chunks, point_id
from hmf.index.port import Found, Point, Query
from hmf.index.terms import TermCounts
from hmf.ledger.codec import content_key
from hmf.ledger.ledger import home_of
from hmf.ledger.outbox import Work
from hmf.ledger.wanted import Wanted
from hmf.memory import Memory, State
from hmf.service.collections import Collections, named, parts
from hmf.service.store import Store

log = structlog.get_logger(__name__)
Progress = Callable[[int, int], None]
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
        self._recent: dict[str, NDArray[np.float32]] = {}
        self._recently = threading.Lock()
        self.terms = TermCounts(store.places.data_dir / "index" / "terms.npy" if store.index.name != "memory" else None)
        self.collections = Collections(store, self._check_manifest(), self._write)
        if not reindexing:
            self.collections.drop_leftovers()
            self.sync()

    @property
    def repairs(self) -> list[str]:
        """What was rebuilt in this process, in words."""
        return self.collections.repairs

    def physical(self, collection: str) -> str:
        """The collection's name in the engine, in this generation; checked and repaired at its first use."""
        return self.collections.physical(collection)

    def search(self, collection: str, query: Query) -> Found:
        """The answer of one collection, rebuilt first where it turns out to be damaged. Raises IndexFailure."""
        return self.collections.search(collection, query)

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

    def embed(
        self, texts: Sequence[str], language: Sequence[str], *, keep: bool = False
    ) -> list[list[NDArray[np.float32]]]:
        """Vectors of the chunks of each text, from the cache where it has them; with `keep`, new ones go into it."""
        cut = [self._chunks(text, lang) for text, lang in zip(texts, language, strict=True)]
        flat = list(dict.fromkeys(piece for pieces in cut for piece in pieces))
        vectors = self._known(flat)
        missing = [piece for piece in flat if content_key(piece) not in vectors]
        if missing:
            for piece, vector in zip(missing, self._store.embedder.documents(missing), strict=True):
                vectors[content_key(piece)] = vector
            self._remember(vectors)
            if keep:
                with self._store.ledger.transaction() as connection:
                    self._store.cache.put(connection, {content_key(p): vectors[content_key(p)] for p in missing})
        return [[vectors[content_key(piece)] for piece in pieces] for pieces in cut]

    def unknown(self, texts: Sequence[str], language: Sequence[str]) -> list[str]:
        """The chunks of these texts that no vector is known of, each once."""
        cut = (self._chunks(text, lang) for text, lang in zip(texts, language, strict=True))
        pieces = list(dict.fromkeys(piece for part in cut for piece in part))
        known = self._known(pieces)
        return [piece for piece in pieces if content_key(piece) not in known]

    def learn(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """Remember the vectors of chunks that were embedded elsewhere, by text."""
        self._remember({content_key(piece): vector for piece, vector in vectors.items()})

    def _known(self, pieces: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """Vectors already computed: those of the last additions from memory, the others from the ledger's cache."""
        keys = [content_key(piece) for piece in pieces]
        with self._recently:
            known = {key: self._recent[key] for key in keys if key in self._recent}
        if len(known) < len(keys):
            known.update(self._store.cache.get([key for key in keys if key not in known]))
        return known

    def _remember(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        with self._recently:
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
        with self._recently:
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
                self.collections.settled()
            except (IndexFailure, DiskFull, EmbedderFailure) as error:
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
            new = self.collections.generation + 1
            total = sum(row["n"] for row in store.ledger.tally() if row["state"] == State.LIVE)
            done = points = 0
            recut: dict[str, int] = {}
            last = store.outbox.last()
            self.terms.clear()
            for name in self.collections.names():
                store.index.drop(named(name, new))
            for namespace in store.ledger.namespaces():
                for part in parts(store.ledger.stream(Wanted(namespace))):
                    points += self._build(part, new)
                    counts = {m.id: self.chunk_count(m.text, m.language) for m in part}
                    recut.update({m.id: counts[m.id] for m in part if m.chunks != counts[m.id]})
                    done += len(part)
                    if progress:
                        progress(done, total)
            for name in self.collections.names():
                store.index.ensure(named(name, new))
            store.index.flush()
            self.terms.save()
            store.ledger.set_chunks(recut)  # another embedder cuts long texts elsewhere
            store.manifest.write({**self.facts(), "generation": str(new)})
            store.outbox.done(last)
            self._applied = self._flushed = max(self._applied, last)
            self.collections.switch(new)
            return points

    def verify(self) -> list[str]:
        """Compare every collection's count with the ledger's; returns the differences in words."""
        with self._store.guard:
            return self.collections.verify()

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

    def _apply(self, work: Sequence[Work]) -> None:
        rows = self._store.ledger.get({w.memory_id for w in work})
        self.collections.changed()
        for collection, group in groupby(sorted(work, key=lambda w: w.collection), key=lambda w: w.collection):
            self.collections.use(collection, partial(self._bring, collection, list(group), rows))

    def _bring(self, collection: str, work: Sequence[Work], rows: Mapping[str, Memory], name: str) -> None:
        """Make one collection hold what it must of these memories. Doing it twice changes nothing."""
        ids = list(dict.fromkeys(w.memory_id for w in work))
        here = [rows[i] for i in ids if i in rows and home_of(rows[i]) == collection]
        gone = sorted(set(ids) - {m.id for m in here})
        stale = sorted({w.memory_id for w in work if w.rewrite} & {m.id for m in here})
        if gone or stale:
            self._store.index.delete(name, [*gone, *stale])
        for part in parts(here):
            self._write(part, name)

    def _build(self, memories: Sequence[Memory], generation: int) -> int:
        """Write live memories into their collections of a new generation."""
        homes = sorted({home for home in map(home_of, memories) if home is not None})
        written = 0
        for home in homes:
            name = named(home, generation)
            self._store.index.ensure(name)
            written += self._write([m for m in memories if home_of(m) == home], name)
        return written

    def _write(self, memories: Sequence[Memory], name: str, *, counted: bool = True) -> int:
        """Write memories of one collection under its name in the engine; `counted`: their words are new to it."""
        vectors = self.embed([m.text for m in memories], [m.language for m in memories], keep=True)
        points = [p for memory, own in zip(memories, vectors, strict=True) for p in self._points(memory, own)]
        if counted:
            self.terms.add(point.sparse.indices for point in points)
        self._store.index.upsert(name, points)
        return len(points)

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
