"""Forgetting on order: hidden at once, with a tombstone, restorable; and what becomes of the summaries that say it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hmf.config import resolve_category
from hmf.config.wording import suggestion
from hmf.errors import NotFound, Refused, UnknownCategory
from hmf.ledger.wanted import Wanted
from hmf.memory import RETIRED, Memory, State
from hmf.policy import summaries
from hmf.policy.folding import fold
from hmf.reason import Reason
from hmf.service.changing import Changer, Done
from hmf.service.indexing import Indexer
from hmf.service.store import Store
from hmf.service.working import Working

MERGEABLE = 3
"""A summary stands on at least this many originals."""


class Forgetter:
    """Hides memories, and mends what speaks of them."""

    def __init__(self, store: Store, indexer: Indexer, changer: Changer) -> None:
        """Work on an open store."""
        self._store = store
        self._indexer = indexer
        self._changer = changer

    def forget(self, ids: Sequence[str], namespace: str, reason: str | None) -> Done:
        """Hide memories at once and leave tombstones; restorable by undo until the grace has passed."""
        if not ids:
            raise Refused("Nothing was named: an empty choice never means everything.", fix="name ids.")
        work = Working(self._store.ledger.get)
        known = self._store.ledger.get(ids, namespace)
        now, skipped = self._store.now(), []
        for memory_id in dict.fromkeys(ids):
            memory = known.get(memory_id) or self._changer.one(memory_id, namespace)
            if memory.state is State.FORGOTTEN:
                skipped.append((memory.id, Reason("already_forgotten")))
                continue
            work.change(memory, replace(memory, state=State.FORGOTTEN, forgotten_at=now), "forget", reason)
        notes = self.mend_summaries(work, namespace)
        done = self._changer.commit(work, namespace, "forget", reason=reason)
        return replace(done, skipped=tuple(skipped), notes=notes)

    def fitting(self, namespace: str, project: str | None, category: str | None) -> list[Memory]:
        """The live memories of a project, of a category, or of both at once, oldest first.

        Raises Refused when nothing was named, NotFound for a project that no memory speaks of (with the nearest name),
        UnknownCategory.
        """
        if not (project or "").strip() and not (category or "").strip():
            raise Refused("Nothing was named: an empty choice never means everything.", fix="name a project.")
        store = self._store
        if project is not None:
            known = store.ledger.projects(namespace)
            if project not in known:
                by_form = {fold(name): name for name in known}
                near = by_form.get(fold(project)) or by_form.get(suggestion(fold(project), by_form) or "")
                hint = f" Did you mean {near!r}?" if near else ""
                raise NotFound(
                    f"No memory speaks of a project {project!r}.{hint}", fix=f"known: {', '.join(known) or 'none'}."
                )
        name = self._category(category, namespace) if category is not None else None
        found = store.ledger.find(Wanted(namespace, project=project, categories=(name,) if name else ()))
        return found[::-1]

    def _category(self, name: str, namespace: str) -> str:
        """A configured category, or one that only memories still name. Raises UnknownCategory."""
        try:
            return resolve_category(name, self._store.settings)
        except UnknownCategory:
            if name in self._store.ledger.category_names(namespace):
                return name
            raise

    def mend_summaries(self, work: Working, namespace: str, *, destroy: bool = False) -> tuple[Reason, ...]:
        """Rewrite, in the same batch, the summaries that say what is being forgotten; `destroy` what is erased."""
        going = {
            c.memory.id for c in work.changes() if c.after is None or (c.after.state is State.FORGOTTEN and c.before)
        }
        notes: list[Reason] = []
        for found in self._store.ledger.summaries_of(namespace, sorted(going)):
            summary = work.get(found.id, namespace)
            if summary is None or summary.id in going:
                continue
            left = [m for i in summary.summary_of if (m := work.get(i, namespace)) and m.state is State.LIVE]
            sources = [m for m in left if m.status not in RETIRED]
            current = summary.state is State.LIVE and summary.status not in RETIRED
            anew = summaries.rewritten(summary, sources) if current and len(sources) >= MERGEABLE else None
            if anew is not None:
                notes.append(self._rewrite(work, summary, anew))
            elif destroy or summary.state is State.LIVE:
                notes.append(self._let_go(work, summary, left, destroy=destroy))
        return tuple(notes)

    def _let_go(self, work: Working, summary: Memory, sources: list[Memory], *, destroy: bool) -> Reason:
        gone = None if destroy else replace(summary, state=State.FORGOTTEN, forgotten_at=self._store.now())
        work.change(summary, gone, "erase" if destroy else "forget", "too_few_sources")
        for source in sources:
            if source.summarised_in == summary.id:
                work.change(source, replace(source, summarised_in=None), "unlink", "its_summary_gone")
        return Reason("let_go", {"id": summary.id})

    def _rewrite(self, work: Working, summary: Memory, anew: Memory) -> Reason:
        after = replace(anew, chunks=self._indexer.chunk_count(anew.text, anew.language))
        work.change(summary, after, "rebuild", "source_forgotten")
        for source in (work.get(i, summary.namespace) for i in set(summary.summary_of) - set(after.summary_of)):
            if source is not None and source.summarised_in == summary.id:
                work.release(source, "source_forgotten")
        return Reason("rewritten", {"id": summary.id})
