"""Adding: check → screen → deduplicate → embed → route → reconcile → store, then the index."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from hmf.errors import HmfError, InvalidInput
from hmf.ledger.codec import active_key
from hmf.ledger.ledger import Batch, Change
from hmf.ledger.tombstones import Stone
from hmf.memory import Kind, Memory, Route, RoutedBy, Source, Status, Tier
from hmf.policy import kinds, timewords
from hmf.policy import text as texts
from hmf.policy.language import detect
from hmf.reason import Reason
from hmf.service.foresight import Foresight
from hmf.service.indexing import Indexer
from hmf.service.notes import SKEW, Added, Note, expiry, moment
from hmf.service.reading import authority_of, ends, freshness, screened_fields
from hmf.service.reconciling import REPLAYED, Reconciler, retire
from hmf.service.routing import Router
from hmf.service.store import Store
from hmf.service.working import Working

_BATCH = 128
_PATIENT = 1
"""Parts of a stream after which it is long enough for a second process to pay."""
_Vectors = dict[str, list[NDArray[np.float32]]]


@dataclass(frozen=True, slots=True)
class _Ready:
    """A note that passed every check that needs no vector."""

    note: Note
    memory: Memory
    category: str | None
    warnings: tuple[Reason, ...]

    @property
    def key(self) -> str:
        """What it must not share with another active memory."""
        return active_key(self.memory.namespace, self.memory.project, self.memory.content_hash)


class Adder:
    """Takes notes in."""

    def __init__(self, store: Store, indexer: Indexer, router: Router) -> None:
        """Work on an open store."""
        self._store = store
        self._indexer = indexer
        self._router = router
        self._reconciler = Reconciler(store, indexer)

    def add(self, note: Note) -> Added:
        """Add one note, durably. Raises InvalidInput, UnknownCategory, Refused, NotFound, DiskFull."""
        return self._take([note])[0]

    def preview(self, note: Note) -> Added:
        """What adding would answer, with nothing stored."""
        one = self._ready(note)
        if isinstance(one, Added):
            return one
        twin = self._store.ledger.active(one.key)
        if twin is not None:
            return Added(twin.id, "duplicate", twin.category, None, (), one.warnings)
        memory, warnings = self._filed(one, self._indexer.embed([one.memory.text], [one.memory.language])[0])
        return Added(None, "created", memory.category, memory.route, (), (*one.warnings, *warnings))

    def add_many(self, notes: Iterable[Note]) -> Iterator[Added]:
        """Add a stream in batches; memory use does not grow with it. Stops at the first note that cannot be taken:
        the batches before are in, nothing of its own batch is."""
        stream = iter(notes)
        parts = iter(lambda: list(islice(stream, _BATCH)), [])
        with Foresight(self._indexer, self._store.embedder.worker) as foresight:
            for number, part in enumerate(parts, 1):
                yield from self._take(part)
                if number == _PATIENT and len(part) == _BATCH:
                    foresight.start()
                if foresight.ready:
                    break
            yield from self._take_ahead(parts, foresight)

    def _take_ahead(self, parts: Iterator[list[Note]], foresight: Foresight) -> Iterator[Added]:
        """Each part is stored while the vectors of the next are made elsewhere."""
        ready: list[_Ready | Added] = []
        for part in parts:
            try:
                coming = [self._ready(note) for note in part]
            except HmfError:
                foresight.finish()
                yield from self._stored(ready)
                raise
            foresight.finish()
            waiting = [one.memory for one in coming if isinstance(one, _Ready)]
            foresight.begin([m.text for m in waiting], [m.language for m in waiting])
            yield from self._stored(ready)
            ready = coming
        foresight.finish()
        yield from self._stored(ready)

    def _take(self, notes: Sequence[Note]) -> list[Added]:
        return self._stored([self._ready(note) for note in notes])

    def _stored(self, ready: Sequence[_Ready | Added]) -> list[Added]:
        self._store.check_space()
        waiting = [r for r in ready if isinstance(r, _Ready)]
        vectors = dict(
            zip(
                (r.memory.id for r in waiting),
                self._indexer.embed([r.memory.text for r in waiting], [r.memory.language for r in waiting]),
                strict=True,
            )
        )
        with self._store.guard:
            results = self._store_all(ready, vectors)
            self._indexer.sync()
            if self._indexer.unflushed() >= 2000:
                self._indexer.flush()
        return results

    def _ready(self, note: Note) -> _Ready | Added:
        settings, zone, now = self._store.settings, self._store.zone, self._store.now()
        cleaned = texts.clean(note.text)
        texts.check_size(cleaned, settings.screening.max_chars)
        warnings: list[Reason] = []
        screened = screened_fields(note, cleaned, settings.screening, warnings)
        if screened is None:
            return Added(None, "refused", warnings=tuple(warnings))
        body = screened["text"]
        learnt = moment(note.at, zone, "at") or now
        if learnt > now + SKEW:
            raise InvalidInput(
                f"at: {learnt.isoformat()} lies in the future (it is {now.isoformat()}).",
                fix="use valid_from for when it becomes true.",
            )
        valid = moment(note.valid_from, zone, "valid_from") or learnt
        expires = expiry(note.expires_at, zone)
        if expires is not None and expires <= valid:
            raise InvalidInput(f"expires_at: {expires.isoformat()} is not after valid_from {valid.isoformat()}.")
        language = note.language or detect(body, default=self._store.language)
        kind = note.kind or kinds.infer(body)
        if texts.is_question(body, language) and note.kind is None:
            warnings.append(Reason("reads_as_question"))
        fresh, is_volatile = freshness(note, body, language, kind, settings.review.fresh_for)
        if is_volatile and settings.screening.volatile == "refuse":
            return Added(None, "refused", warnings=(Reason("volatile_refused"),))
        if is_volatile and expires is None:
            expires = ends(note, body, language, kind, valid, zone)
        anchors = timewords.anchor(body, said_at=learnt, zone=zone, language=language)
        anchors = tuple((said, day) for said, day in anchors if day != learnt.astimezone(zone).date())
        warnings.extend(Reason("dated", {"said": said, "date": day.isoformat()}) for said, day in anchors)
        dated = [day.isoformat() for _, day in anchors if day.isoformat() not in body]
        memory = Memory(
            id=self._store.new_id(),
            namespace=note.namespace,
            category="",
            tier=Tier.DETAIL,
            kind=kind,
            text=body,
            language=language,
            status=note.status or (Status.HYPOTHESIS if kind is Kind.HYPOTHESIS else Status.CONFIRMED),
            authority=note.authority or authority_of(note, kind),
            source=Source(note.source.type, screened.get("source.ref"), screened.get("source.author")),
            valid_from=valid,
            learnt_at=learnt,
            verified_at=None,
            content_hash=texts.content_hash(body),
            route=Route("", 0.0, RoutedBy.INBOX, Reason("unfiled")),
            title=screened.get("title"),
            project=screened.get("project"),
            tags=tuple(dict.fromkeys([*(v for k, v in screened.items() if k.startswith("tags.")), *dated])),
            volatile=is_volatile,
            fresh_for=fresh,
            expires_at=expires,
            pinned=note.pinned,
            supersedes=note.supersedes,
            session=screened.get("session"),
            position=note.position,
        )
        return _Ready(note, memory, note.category, tuple(warnings))

    def _store_all(self, ready: Sequence[_Ready | Added], vectors: _Vectors) -> list[Added]:
        """One transaction for the whole part: every new memory, its vectors, and what it replaces."""
        self._reconciler.forget()
        work = Working(self._store.ledger.get)
        results: list[Added] = []
        created: dict[str, Memory] = {}
        graves = self._graves(ready)
        twins = self._store.ledger.actives([one.key for one in ready if isinstance(one, _Ready)])
        for one in ready:
            if isinstance(one, Added):
                results.append(one)
                continue
            twin = created.get(one.key) or twins.get(one.key)
            stone = graves.get(one.memory.id)
            added = self._place(one, vectors[one.memory.id], work, twin, stone, created.values())
            if added.outcome == "created" and added.memory is not None:
                created[one.key] = added.memory
            results.append(added)
        if changes := work.changes():
            self._commit(changes, created, vectors)
        self._reconciler.propose()
        for memory in created.values():
            self._router.teach(memory, vectors[memory.id][0])
        return results

    def _place(
        self,
        one: _Ready,
        vectors: Sequence[NDArray[np.float32]],
        work: Working,
        twin: Memory | None,
        stone: Stone | None,
        fresh: Collection[Memory],
    ) -> Added:
        one = self._stamped(one)
        twin = work.get(twin.id, twin.namespace) if twin else None
        if twin is not None and twin.current:
            return self._repeat(one, twin, work)
        if stone is not None:
            return self._stopped(one.memory, stone)
        memory, warnings = self._filed(one, vectors)
        replaced, notes = self._reconciler.retired(memory, work, fresh)
        retired = tuple(one.old.id for one in replaced)
        memory = replace(memory, supersedes=retired)
        retire(memory, replaced, work)
        work.create(memory, "add")
        said = (*one.warnings, *warnings, *notes)
        return Added(memory.id, "created", memory.category, memory.route, retired, said, memory)

    def _stamped(self, one: _Ready) -> _Ready:
        """Read the clock again, now that nobody else writes: of two notes that give no date, the one stored later is
        the later one. Otherwise both could replace the same memory, and neither the other."""
        note, now = one.note, self._store.now()
        if note.at is not None:
            return one
        valid = one.memory.valid_from if note.valid_from is not None else now
        return replace(one, memory=replace(one.memory, learnt_at=now, valid_from=valid))

    def _commit(self, changes: Sequence[Change], created: dict[str, Memory], vectors: _Vectors) -> None:
        now = self._store.now()
        with self._store.ledger.transaction() as connection:
            kept: dict[str, NDArray[np.float32]] = {}
            for memory in created.values():
                kept |= self._indexer.keep(memory.text, memory.language, vectors[memory.id])
            self._store.cache.put(connection, kept)
            for namespace in dict.fromkeys(c.memory.namespace for c in changes):
                own = [c for c in changes if c.memory.namespace == namespace]
                self._store.ledger.record(connection, Batch(self._store.new_id(), now, namespace, "add"), own)
                hashes = [m.content_hash for m in created.values() if m.namespace == namespace]
                self._store.tombstones.lift(connection, namespace, hashes)

    def _filed(self, one: _Ready, vectors: Sequence[NDArray[np.float32]]) -> tuple[Memory, tuple[Reason, ...]]:
        memory = one.memory
        route = self._router.route(
            memory.text,
            vectors[0],
            namespace=memory.namespace,
            category=one.category,
            kind=memory.kind,
            source=memory.source.type,
            project=memory.project,
        )
        inboxed = Reason("filed_in", {"category": route.category, "why": route.reason})
        warnings = (inboxed,) if route.by is RoutedBy.INBOX else ()
        return replace(memory, category=route.category, route=route, chunks=len(vectors)), warnings

    def _repeat(self, one: _Ready, twin: Memory, work: Working) -> Added:
        """The same text again: it is not stored twice, but saying it again later verifies it."""
        said = one.memory.learnt_at
        if said > (twin.verified_at or twin.learnt_at) and one.memory.source.type not in REPLAYED:
            work.change(twin, replace(twin, verified_at=said), "verify", "said_again")
        return Added(twin.id, "duplicate", twin.category, twin.route, (), one.warnings, twin)

    def _graves(self, ready: Sequence[_Ready | Added]) -> dict[str, Stone]:
        """The tombstones in the way of what comes back by itself, by memory id."""
        replayed = [
            one.memory
            for one in ready
            if isinstance(one, _Ready) and one.memory.source.type in REPLAYED and not one.note.again
        ]
        found: dict[str, Stone] = {}
        for namespace in dict.fromkeys(memory.namespace for memory in replayed):
            found |= self._store.tombstones.against([m for m in replayed if m.namespace == namespace])
        return found

    def _stopped(self, memory: Memory, stone: Stone) -> Added:
        day = stone.at.astimezone(self._store.zone).date().isoformat()
        code = "stopped" if stone.exact else "stopped_alike"
        return Added(None, "refused", warnings=(Reason(code, {"date": day, "source": memory.source.type}),))
