"""Destroying for good: what a person erases, and what was forgotten longer ago than the grace of its category.

What is destroyed leaves the ledger in one transaction, with all that quotes it and a mark for every place where bytes
of it may still lie. Then those places are cleaned: the collections of the index made anew, the database written anew.
The marks outlive a crash; the next start goes on where this one was cut short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import structlog

from hmf.errors import EmbedderFailure, NotFound, StoreUnavailable
from hmf.ledger.erasing import LEDGER, Scrubbed
from hmf.ledger.ledger import Batch
from hmf.ledger.wanted import Wanted
from hmf.memory import Memory, State
from hmf.reason import Reason
from hmf.service.changing import Changer, Done
from hmf.service.forgetting import Forgetter
from hmf.service.indexing import Indexer
from hmf.service.store import Store
from hmf.service.working import Working

log = structlog.get_logger(__name__)
_PURGED = 200
"""Memories that go in one transaction of a purge."""

_WITHIN = timedelta(days=7)
"""How long the files may keep bytes of what was purged: they are written anew once a week, not every night."""


@dataclass(frozen=True, slots=True)
class _Destroyed:
    batch: str
    notes: tuple[Reason, ...]
    scrubbed: Scrubbed


class Eraser:
    """Takes memories out of the ledger, with all that quotes them."""

    def __init__(self, store: Store, indexer: Indexer, changer: Changer, forgetter: Forgetter) -> None:
        """Work on an open store."""
        self._store = store
        self._indexer = indexer
        self._changer = changer
        self._forgetter = forgetter

    def erase(self, memory_id: str, namespace: str) -> Done:
        """Destroy a memory now, everywhere HMF keeps anything of it. There is no undo."""
        store = self._store
        with store.guard:
            try:
                memory = self._changer.one(memory_id, namespace)
            except NotFound:
                memory = self._bygone(memory_id, namespace)
            # The same words, forgotten before: erased means that nobody can bring them back.
            alike = [m for m in store.ledger.forgotten_alike(namespace, memory.content_hash) if m.id != memory.id]
            gone = [memory, *alike]
            copies = self._copies(gone, namespace)
            done = self._destroy(gone, namespace, "erase")
            failed = self.clean()
        notes = [*done.notes, self._where(done.scrubbed), *failed, *copies, *self._servers()]
        return Done(done.batch, "erase", tuple(m.id for m in gone), notes=(*notes, Reason("outside")))

    def purge_all(self) -> int:
        """Destroy what was forgotten longer ago than its category's grace; returns how many memories."""
        store, now, count = self._store, self._store.now(), 0
        for namespace in store.ledger.namespaces():
            over = []
            for memory in store.ledger.stream(Wanted(namespace, states=(State.FORGOTTEN,))):
                category = store.categories.get(memory.category)
                grace = (category or store.categories[store.settings.inbox]).policy.grace
                if memory.forgotten_at and grace.after(memory.forgotten_at, store.zone) <= now:
                    over.append(memory.id)
            for start in range(0, len(over), _PURGED):
                with store.guard:
                    rows = store.ledger.get(over[start : start + _PURGED], namespace)
                    still = [m for m in rows.values() if m.state is State.FORGOTTEN]  # restored since: it stays
                    if still:
                        self._destroy(still, namespace, "purge")
                        count += len(still)
        self.clean()
        return count

    def clean(self) -> list[Reason]:
        """Clean the places that are due; says what could not be cleaned now. Their marks stay."""
        store, failed = self._store, list[Reason]()
        with store.guard:
            for place in store.erasing.left(store.now()):
                try:
                    if place == LEDGER:
                        store.erasing.vacuum()
                    else:
                        self._indexer.collections.renew(place)
                    store.erasing.cleaned(place)
                except (StoreUnavailable, EmbedderFailure) as error:
                    log.warning("erase.unfinished", place=place, error=str(error))
                    failed.append(Reason("unfinished", {"why": Reason(error.what)}))
        return failed

    def _bygone(self, memory_id: str, namespace: str) -> Memory:
        """A memory whose addition was undone: only the journal still has it. Raises NotFound."""
        entries = self._store.ledger.entries(namespace=namespace, memory_id=memory_id)
        states = [entry.before for entry in entries if entry.before is not None]
        if not states:
            raise NotFound(f"There is no memory {memory_id!r} in namespace {namespace!r}.", fix="hmf list")
        return states[-1]

    def _destroy(self, gone: Sequence[Memory], namespace: str, verb: str) -> _Destroyed:
        """Take memories out of the ledger for good, with all that quotes them, in one transaction."""
        store, erased = self._store, verb == "erase"
        ids, now = [memory.id for memory in gone], store.now()
        work = Working(store.ledger.get)
        present = store.ledger.get(ids, namespace)
        for memory in gone:
            if memory.id in present:
                work.change(present[memory.id], None, verb)
        # What a job let go may live on in its summary; what a person erases may not.
        notes = self._forgetter.mend_summaries(work, namespace, destroy=True) if erased else ()
        self._loosen(work, namespace)
        quoted = set(ids) if erased else set(ids) - store.ledger.let_go(ids, namespace)
        batch = Batch(store.new_id(), now, namespace, verb, actor="user" if erased else "job")
        with store.ledger.transaction() as connection:
            store.ledger.record(connection, batch, work.changes())
            scrubbed = store.erasing.scrub(connection, gone, self._indexer.chunk_keys, quoted=quoted)
            store.cache.drop(connection, sorted(scrubbed.keys))
            if erased:
                store.tombstones.bury(connection, [(memory, None) for memory in gone], now, erased=True)
                now_said = {memory.content_hash for memory in gone}
                past = [state for state in scrubbed.states if state.content_hash not in now_said]
                store.tombstones.bury_past(connection, past, now)
            due = now if erased else now + _WITHIN
            store.erasing.leave(connection, {LEDGER, *scrubbed.collections}, due)
        self._indexer.forget_recent()
        self._changer.settle(namespace)
        return _Destroyed(batch.id, notes, scrubbed)

    def _loosen(self, work: Working, namespace: str) -> None:
        """No memory, forgotten ones too, belongs to a summary that is destroyed."""
        gone = {change.memory.id for change in work.changes() if change.after is None}
        for found in self._store.ledger.gathered_in(namespace, gone):
            row = work.get(found.id, namespace)
            if row is not None and row.summarised_in in gone:
                work.release(row, "its_summary_gone")

    def _where(self, scrubbed: Scrubbed) -> Reason:
        """The places that were cleaned."""
        names = tuple(sorted(scrubbed.collections))
        index = (Reason("in_index", {"names": names}),) if names else ()
        plans = (Reason("in_plans"),) if scrubbed.plans else ()
        return Reason("scrubbed", {"places": (Reason("in_ledger"), Reason("in_vectors"), *index, *plans)})

    def _copies(self, gone: Sequence[Memory], namespace: str) -> list[Reason]:
        """The exports that say one of these memories, or may. Read before they go: what is not known any more cannot
        be looked for."""
        store, said = self._store, list[Reason]()
        wanted = [memory.id.encode() for memory in gone]
        for path, at in store.copies.of(namespace):
            try:
                with path.open("rb") as lines:
                    code = "copy" if any(one in line for line in lines for one in wanted) else None
            except OSError:
                code = "copy_unsure"
            if code:
                date = at.astimezone(store.zone).date().isoformat()
                said.append(Reason(code, {"path": str(path), "date": date}))
        return said

    def _servers(self) -> list[Reason]:
        """What is kept by servers, whose files are not ours to write."""
        store, said = self._store, list[Reason]()
        if store.index.name == "qdrant":
            said.append(Reason("server_index", {"url": str(store.settings.store.index.url)}))
        if not store.ledger.sqlite:
            said.append(Reason("server_ledger"))
        return said
