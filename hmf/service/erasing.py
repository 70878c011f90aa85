"""Destroying for good: what a person erases, and what was forgotten longer ago than the grace of its category."""

from __future__ import annotations

from hmf.errors import NotFound
from hmf.ledger.ledger import Batch
from hmf.ledger.wanted import Wanted
from hmf.memory import Memory, State
from hmf.service.changing import Changer, Done
from hmf.service.forgetting import Forgetter
from hmf.service.indexing import Indexer
from hmf.service.store import Store
from hmf.service.working import Working


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
        try:
            memory = self._changer.one(memory_id, namespace)
        except NotFound:
            memory = self._bygone(memory_id, namespace)
        for hidden in self._store.ledger.forgotten_alike(namespace, memory.content_hash):
            if hidden.id != memory.id:  # the same words, forgotten before: erased means that nobody can bring them back
                self._destroy(hidden, namespace, "erase")
        batch, notes = self._destroy(memory, namespace, "erase")
        self._indexer.flush()
        self._store.erasing.vacuum()
        left = "copies outside HMF, if you made any: exports, backups of the data folder, an assistant's own transcript"
        return Done(batch, "erase", (memory.id,), notes=(*notes, left))

    def _bygone(self, memory_id: str, namespace: str) -> Memory:
        """A memory whose addition was undone: only the journal still has it. Raises NotFound."""
        entries = self._store.ledger.entries(namespace=namespace, memory_id=memory_id)
        states = [entry.before for entry in entries if entry.before is not None]
        if not states:
            raise NotFound(f"There is no memory {memory_id!r} in namespace {namespace!r}.", fix="hmf list")
        return states[-1]

    def purge_all(self) -> int:
        """Destroy what was forgotten longer ago than its category's grace; returns how many memories."""
        store, now, count = self._store, self._store.now(), 0
        for namespace in store.ledger.namespaces():
            for memory in list(store.ledger.stream(Wanted(namespace, states=(State.FORGOTTEN,)))):
                category = store.categories.get(memory.category)
                grace = (category or store.categories[store.settings.inbox]).policy.grace
                if memory.forgotten_at and grace.after(memory.forgotten_at, store.zone) <= now:
                    self._destroy(memory, namespace, "purge")
                    count += 1
        return count

    def _destroy(self, memory: Memory, namespace: str, verb: str) -> tuple[str, tuple[str, ...]]:
        """Take a memory out of the ledger for good, with all that quotes it. Returns the batch and notes."""
        store = self._store
        with store.guard:
            work = Working(store.ledger.get)
            if work.get(memory.id, namespace) is not None:
                work.change(memory, None, verb)
            # What a job let go may live on in its summary; what a person erases may not.
            erased = verb == "erase"
            notes = self._forgetter.mend_summaries(work, namespace, destroy=True) if erased else ()
            quoted = erased or memory.id not in store.ledger.let_go([memory.id], namespace)
            now = store.now()
            entries = store.ledger.entries(namespace=namespace, memory_id=memory.id)
            hashes = {e.before.content_hash for e in entries if e.before is not None} - {memory.content_hash}
            batch = Batch(store.new_id(), now, namespace, verb, actor="user" if verb == "erase" else "job")
            with store.ledger.transaction() as connection:
                store.ledger.record(connection, batch, work.changes())
                keys = store.erasing.scrub(connection, memory, self._indexer.chunk_keys, quoted=quoted)
                store.cache.drop(connection, keys)
                if verb == "erase":
                    store.marks.bury(connection, memory, now, None, erased=True)
                    store.marks.bury_past(connection, memory, hashes, now)
            self._indexer.forget_recent()
            self._changer.settle(namespace)
        return batch.id, notes
