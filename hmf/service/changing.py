"""Changes a person orders: revise, move, pin, finish a project, and undo."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from hmf.config import resolve_category
from hmf.errors import Conflict, InvalidInput, NotFound, Refused
from hmf.ledger.answers import decided_by
from hmf.ledger.codec import to_row
from hmf.ledger.journal import Entry
from hmf.ledger.ledger import Batch, Change
from hmf.memory import Memory, Route, RoutedBy, State, Tier
from hmf.policy import screening
from hmf.policy import text as texts
from hmf.policy.language import detect
from hmf.reason import Reason, pack
from hmf.service.indexing import Indexer
from hmf.service.routing import TAUGHT, Router
from hmf.service.store import Store
from hmf.service.working import Working


@dataclass(frozen=True, slots=True)
class Done:
    """What a batch did: its id, the memories it changed, and what it left alone with the reason."""

    id: str
    verb: str
    changed: tuple[str, ...]
    skipped: tuple[tuple[str, Reason], ...] = ()
    notes: tuple[Reason, ...] = ()


class Changer:
    """Carries out orders on single memories and projects."""

    def __init__(self, store: Store, indexer: Indexer, router: Router) -> None:
        """Work on an open store."""
        self._store = store
        self._indexer = indexer
        self._router = router

    def one(self, memory_id: str, namespace: str) -> Memory:
        """A memory by its id, or by a unique beginning or end of it. Raises NotFound, InvalidInput when ambiguous."""
        found = self._store.ledger.get([memory_id], namespace).get(memory_id)
        if found is not None:
            return found
        hex_like = memory_id.replace("-", "")
        if len(hex_like) >= 6 and all(c in "0123456789abcdefABCDEF" for c in hex_like):
            ids = self._store.ledger.resolve_prefix(memory_id, namespace)
            if len(ids) == 1:
                return self._store.ledger.get(ids, namespace)[ids[0]]
            if ids:
                raise InvalidInput(f"{memory_id!r} fits {len(ids)} memories: {', '.join(ids[:3])} …", fix="write more.")
        raise NotFound(f"There is no memory {memory_id!r} in namespace {namespace!r}.", fix="hmf list")

    def revise(self, memory_id: str, namespace: str, text: str) -> Memory:
        """Give a memory another text; the old one stays in its history. Raises InvalidInput, Refused, Conflict."""
        before = self.one(memory_id, namespace)
        after, vectors = self.reworded(before, text)
        with self._store.guard, self._store.ledger.transaction() as connection:
            self._store.cache.put(connection, vectors)
            batch = Batch(self._store.new_id(), self._store.now(), namespace, "revise")
            [stored] = self._store.ledger.record(connection, batch, [Change(before, after, "revise")])
        self.settle(namespace)
        return stored

    def reworded(self, before: Memory, text: str) -> tuple[Memory, dict[str, NDArray[np.float32]]]:
        """A memory with another text, and the vectors of that by content key. A person who edits it where it lies has
        seen where that is: the router learns from it. Raises InvalidInput, Refused, Conflict."""
        body = texts.clean(text)
        texts.check_size(body, self._store.settings.screening.max_chars)
        found = screening.screen(body, allow=self._store.settings.screening.allow)
        if found.findings and self._store.settings.screening.secrets != "allow":
            if self._store.settings.screening.secrets == "refuse":
                raise Refused("The new text holds a secret and was not stored.", fix="leave the secret out.")
            body = found.text
        self._must_live(before)
        language = detect(body, default=before.language)
        vectors = self._indexer.embed([body], [language])[0]
        after = replace(
            before,
            text=body,
            language=language,
            content_hash=texts.content_hash(body),
            verified_at=max(self._store.now(), before.learnt_at),
            chunks=len(vectors),
            drawn=replace(before.drawn, quotes=()) if before.drawn else None,  # the words are a person's now
            route=self._seen_there(before),
        )
        return after, self._indexer.keep(body, language, vectors)

    def _seen_there(self, memory: Memory) -> Route:
        if memory.route.by in TAUGHT or memory.summary_of or memory.category == self._store.settings.inbox:
            return memory.route
        return Route(memory.category, 1.0, RoutedBy.CORRECTION, Reason("you_edited"))

    def move(self, memory_id: str, namespace: str, category: str) -> Memory:
        """File a memory elsewhere; the router learns from it. Out of the archive category it is live again."""
        name = resolve_category(category, self._store.settings)
        before = self.one(memory_id, namespace)
        self._must_live(before)
        if before.category == name and before.tier is not Tier.ARCHIVE:
            return before
        route = Route(name, 1.0, RoutedBy.CORRECTION, Reason("you_moved", {"category": before.category}))
        tier = Tier.DETAIL if before.tier is Tier.ARCHIVE and not before.summary_of else before.tier
        after = replace(before, category=name, route=route, tier=tier, archived_at=None)
        why = Reason("moved_to", {"category": before.category, "target": name})
        return self._single(namespace, Change(before, after, "move", pack(why)))

    def pin(self, memory_id: str, namespace: str, on: bool = True) -> Memory:
        """Put a memory out of the reach of every job, or back within it."""
        before = self.one(memory_id, namespace)
        self._must_live(before)
        if before.pinned == on:
            return before
        return self._single(namespace, Change(before, replace(before, pinned=on), "pin" if on else "unpin"))

    def project(self, name: str, namespace: str, *, finished: bool) -> Done:
        """Mark a project finished, or open it again. Raises NotFound, Conflict when it is so already."""
        known = self._store.ledger.projects(namespace)
        if name not in known:
            raise NotFound(f"No memory speaks of a project {name!r}.", fix=f"known: {', '.join(known) or 'none'}.")
        before, now = known[name].finished_at, self._store.now()
        if (before is not None) == finished:
            raise Conflict(f"Project {name!r} is already {'finished' if finished else 'open'}.")
        verb = "finish" if finished else "reopen"
        batch = Batch(self._store.new_id(), now, namespace, verb, reason=name)
        with self._store.guard, self._store.ledger.transaction() as connection:
            self._store.ledger.record(connection, batch, [])
            self._store.marks.set_project(connection, batch, name, now if finished else None, before)
        return Done(batch.id, verb, (name,))

    def undo(self, batch_id: str, namespace: str, only: Collection[str] | None = None) -> Done:
        """Take a batch back: every memory it changed, unless it changed again since. `only`: these memories of it; the
        batch is not undone by that.

        Raises NotFound, Conflict (already undone), Refused (an erasure, which cannot be undone).
        """
        rows = self._store.ledger.batch_rows(namespace, batch_id=batch_id)
        if not rows:
            raise NotFound(f"There is no batch {batch_id!r} in namespace {namespace!r}.", fix="hmf log")
        if rows[0]["undone_by"] is not None and only is None:
            raise Conflict(f"Batch {batch_id} was already undone.", fix="hmf log")
        if rows[0]["verb"] in ("erase", "purge"):
            raise Refused(f"Batch {batch_id} is an {rows[0]['verb']}: what it destroyed cannot come back.")
        with self._store.guard:
            whole = self._store.ledger.entries(namespace=namespace, batch_id=batch_id)
            entries = whole if only is None else [e for e in whole if e.memory_id in only]
            undoes = batch_id if only is None else None
            batch = Batch(self._store.new_id(), self._store.now(), namespace, "undo", undoes=undoes)
            changes, skipped = self._reversed(entries, whole)
            if not changes and all(entry.project is None for entry in entries):
                return Done(batch.id, "undo", (), tuple(skipped))  # nothing came back: it may still be undone later
            with self._store.ledger.transaction() as connection:
                self._store.ledger.record(connection, batch, changes)
                self.rebury(connection, changes)
                self._reverse_projects(connection, batch, entries)
                decided_by(connection, batch_id, {c.memory.id for c in changes})
            self.settle(namespace)
        return Done(batch.id, "undo", tuple(c.memory.id for c in changes), tuple(skipped))

    def _reversed(
        self, entries: Sequence[Entry], whole: Sequence[Entry]
    ) -> tuple[list[Change], list[tuple[str, Reason]]]:
        now_rows = self._store.ledger.get([e.memory_id for e in whole if e.memory_id])
        going = {e.memory_id for e in entries}
        staying = {
            e.memory_id
            for e in whole
            if e.before is None
            and not e.scrubbed
            and e.memory_id in now_rows
            and (e.memory_id not in going or now_rows[e.memory_id].revision != e.revision_after)
        }
        changes, skipped = [], []
        for entry in reversed(entries):
            if entry.memory_id is None:
                continue
            current = now_rows.get(entry.memory_id)
            if (current.revision if current else None) != entry.revision_after:
                skipped.append((entry.memory_id, Reason("changed_since")))
            elif current is not None and current.superseded_by in staying:
                skipped.append((entry.memory_id, Reason("replacement_stays")))
            elif entry.scrubbed:
                skipped.append((entry.memory_id, Reason("before_erased")))
            elif self._taken(entry.before, now_rows):
                skipped.append((entry.memory_id, Reason("text_taken")))
            else:
                changes.append(Change(current, entry.before, f"undo {entry.verb}", entry.reason, keep_revision=True))
        left = [e for e in entries if e.memory_id in {one for one, _ in skipped}]
        changes = self._standing(changes)
        return [*changes, *self._loosened(left, now_rows, {c.memory.id for c in changes if c.after is None})], skipped

    def _standing(self, changes: Sequence[Change]) -> list[Change]:
        """The same, but what comes back belongs to no summary that is gone, or stands on it no more."""
        will = {change.memory.id: change.after for change in changes}
        within = {change.after.summarised_in for change in changes if change.after and change.after.summarised_in}
        rows = {**self._store.ledger.get(sorted(within - will.keys())), **will}
        found = []
        for change in changes:
            after = change.after
            if after is not None and after.summarised_in is not None:
                summary = rows.get(after.summarised_in)
                if summary is None or after.id not in summary.summary_of:
                    after = replace(after, summarised_in=None)
            found.append(change if after is change.after else replace(change, after=after, keep_revision=False))
        return found

    def _loosened(self, left: Sequence[Entry], rows: Mapping[str, Memory], out: Set[str]) -> Iterator[Change]:
        """What stays lets go of what is taken out: of a summary that is none any more, of a memory that replaced it."""
        for entry in left:
            row = rows.get(entry.memory_id or "")
            if row is None or entry.before is None or out.isdisjoint({row.summarised_in, row.superseded_by}):
                continue
            after = replace(row, summarised_in=None) if row.summarised_in in out else row
            if row.superseded_by in out:
                after = replace(after, status=entry.before.status, superseded_by=None, superseded_at=None)
            if not self._taken(after, rows):
                yield Change(row, after, "unlink")

    def _taken(self, before: Memory | None, going: Mapping[str, Memory]) -> bool:
        """True when bringing this state back would make a second active memory of the same text."""
        key = to_row(before)["active_key"] if before is not None else None
        other = self._store.ledger.active(key) if key else None
        return other is not None and before is not None and other.id != before.id and other.id not in going

    def rebury(self, connection: Connection, changes: Sequence[Change]) -> None:
        """Tombstones follow what a batch forgets or brings back."""
        gone: list[tuple[Memory, str | None]] = []
        back: list[str] = []
        for change in changes:
            was = change.before.state if change.before else None
            now = change.after.state if change.after else None
            if change.after and now is State.FORGOTTEN and was is not State.FORGOTTEN:
                gone.append((change.after, change.reason))
            elif was is State.FORGOTTEN and now is not State.FORGOTTEN:
                back.append(change.memory.id)
        self._store.tombstones.bury(connection, gone, self._store.now(), erased=False)
        self._store.tombstones.unbury(connection, back)

    def _reverse_projects(self, connection: Connection, batch: Batch, entries: Sequence[Entry]) -> None:
        known = self._store.ledger.projects(batch.namespace)
        for entry in entries:
            if entry.project is not None and entry.before_project is not None:
                before = known[entry.project].finished_at if entry.project in known else None
                restored = self._store.marks.moment(entry.before_project["finished_at"])
                self._store.marks.set_project(connection, batch, entry.project, restored, before)

    def commit(
        self, work: Working, namespace: str, verb: str, *, reason: str | None = None, plan_id: str | None = None
    ) -> Done:
        """Commit a working set as one batch, with tombstones for what it forgets."""
        with self._store.guard:
            changes = work.changes()
            batch = Batch(self._store.new_id(), self._store.now(), namespace, verb, reason=reason, plan_id=plan_id)
            with self._store.ledger.transaction() as connection:
                self._store.ledger.record(connection, batch, changes)
                self.rebury(connection, changes)
            self.settle(namespace)
        return Done(batch.id, verb, tuple(c.memory.id for c in changes))

    def _single(self, namespace: str, change: Change) -> Memory:
        batch = Batch(self._store.new_id(), self._store.now(), namespace, change.verb)
        with self._store.guard:
            [stored] = self._store.ledger.commit(batch, [change])
            self.settle(namespace)
        return stored

    def settle(self, namespace: str) -> None:
        """After a commit: the index catches up, and the router reads its examples again."""
        self._router.forget(namespace)
        self._indexer.sync()

    def _must_live(self, memory: Memory) -> None:
        if memory.state is not State.LIVE:
            raise Conflict(f"Memory {memory.id} was forgotten.", fix="hmf log, then hmf undo BATCH")
