"""Taking back more than a batch, or less: all that was done since a moment, or the last change of one memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from hmf.errors import HmfError, InvalidInput, NotFound, Refused
from hmf.ledger.journal import Entry
from hmf.memory import Memory
from hmf.reason import Reason
from hmf.service.changing import Changer, Done
from hmf.service.diary import Diary
from hmf.service.store import Store
from hmf.service.times import When

FINAL = frozenset({"erase", "purge"})
"""What destroyed cannot be taken back."""

WORDS = frozenset({"refuse", "postpone"})
"""What is said of a memory in a review, and changes nothing of it."""

_LOOKED = 500
"""Batches among which the newest that can be taken back is looked for."""


@dataclass(frozen=True, slots=True)
class Undone:
    """What taking several batches back did: (batch, what came of it) in the order in which they were taken back, and
    (batch, why not) for those that stay."""

    done: tuple[tuple[str, Done], ...]
    left: tuple[tuple[str, Reason], ...]

    @property
    def partial(self) -> bool:
        """Whether something of it was left alone."""
        return bool(self.left) or any(done.skipped for _, done in self.done)


class Undoer:
    """Orders undoings; each is one of `Changer`, and a batch of its own."""

    def __init__(self, store: Store, changer: Changer, diary: Diary) -> None:
        """Over the parts that read and that change."""
        self._store = store
        self._changer = changer
        self._diary = diary

    def since(self, when: When, namespace: str, *, told: bool = True) -> list[dict[str, Any]]:
        """The batches that bringing back that moment takes back, or must leave (`erase`, `purge`); the last made first.

        What was done and undone again since then is in none, for nothing of it is left. An undoing of something older
        is, since it was not undone then. Raises InvalidInput for what is no time.
        """
        if self._diary.beginning(when) is None:
            raise InvalidInput("Since when?", fix='hmf undo --since "2026-11-29 18:00"')
        rows = self._diary.log(namespace, limit=None, since=when, told=told)
        here = {row["id"]: row for row in rows}
        return [row for row in rows if row["undone_by"] is None and _odd(row, here)]

    def newest(self, namespace: str) -> str:
        """The last batch that can be taken back. Raises NotFound, and Refused where the very last destroyed."""
        rows = self._diary.log(namespace, limit=_LOOKED, told=False)
        fit = [row["id"] for row in rows if row["undone_by"] is None and row["verb"] not in (*FINAL, "undo")]
        if not fit:
            raise NotFound("There is nothing to undo.", fix="hmf log")
        if rows[0]["verb"] in FINAL:
            raise Refused(
                f"The last thing done was an {rows[0]['verb']}, which cannot be undone; nothing was taken back.",
                fix=f"hmf undo {fit[0]} takes back what came before it.",
            )
        return str(fit[0])

    def undo_since(self, when: When, namespace: str, only: Collection[str] | None = None) -> Undone:
        """Take back all that was done since then, the last first; `only`: of these batches, as a person saw them.

        A batch that cannot be taken back keeps none of the others from it. Raises InvalidInput, NotFound when there
        is nothing.
        """
        rows = [r for r in self.since(when, namespace, told=False) if only is None or r["id"] in only]
        if not rows:
            raise NotFound("Nothing was done since then that is not undone already.", fix="hmf log")
        done: list[tuple[str, Done]] = []
        left: list[tuple[str, Reason]] = []
        for row in rows:
            try:
                done.append((row["id"], self._changer.undo(row["id"], namespace)))
            except HmfError as error:
                left.append((row["id"], Reason(error.what)))
        return Undone(tuple(done), tuple(left))

    def last_of(self, memory_id: str, namespace: str) -> tuple[Entry, list[str]]:
        """The last change of a memory that still holds, and the memories that go back with it.

        Those are what it replaced in the same batch, and what one summary holds together. Raises NotFound when no
        change of it can be taken back.
        """
        ledger = self._store.ledger
        memory = self._changer.one(memory_id, namespace)
        lines = ledger.entries(namespace=namespace, memory_id=memory.id)
        # An undoing puts the old revision back: the change that holds is the one that made the present revision.
        holding = [e for e in standing(lines) if e.revision_after == memory.revision and not _released(e)]
        if not holding:
            raise NotFound(f"No change of {memory.id} is left to take back.", fix=f"hmf history {memory.id[-8:]}")
        entries = ledger.entries(namespace=namespace, batch_id=holding[-1].batch_id)
        rows = ledger.get([e.memory_id for e in entries if e.memory_id], namespace)
        return holding[-1], sorted(together(memory.id, entries, rows))

    def undo_memory(self, memory_id: str, namespace: str) -> tuple[str, Done]:
        """Take back the last change of a memory that still holds, and nothing else of its batch. Returns that batch,
        and what came of it. Raises NotFound, Refused."""
        entry, going = self.last_of(memory_id, namespace)
        return entry.batch_id, self._changer.undo(entry.batch_id, namespace, only=going)


def standing(lines: Sequence[Entry]) -> list[Entry]:
    """The changes of a memory, without undoings and without what those took back of mere words (a refusal, a delay):
    words leave the revision as it is, so that it cannot tell them from what still holds."""
    found: list[Entry] = []
    for line in lines:
        if not line.verb.startswith("undo "):
            found.append(line)
        elif line.verb.removeprefix("undo ") in WORDS:
            last = next(
                (n for n in reversed(range(len(found))) if found[n].verb == line.verb.removeprefix("undo ")), None
            )
            found = [one for n, one in enumerate(found) if n != last]
    return found


def _released(entry: Entry) -> bool:
    """Whether a summary only let go of the memory, on account of another one."""
    return entry.verb == "unlink" and entry.before is not None and entry.before.revision == entry.revision_after


def together(memory_id: str, entries: Sequence[Entry], rows: Mapping[str, Memory]) -> set[str]:
    """The memories of a batch whose change cannot stand without that of `memory_id`. `rows`: as they are now."""
    going = {memory_id}
    while True:
        found = {e.memory_id for e in entries if e.memory_id and e.memory_id in rows and _hangs(e, rows, going)}
        for summary in entries:
            found |= _mended(summary, entries, going)
        if found <= going:
            return going
        going |= found


def _hangs(entry: Entry, rows: Mapping[str, Memory], going: Set[str]) -> bool:
    """Whether this change made a link to one that goes back: replaced by it, summarised in it, or its summary."""
    row, before = rows[str(entry.memory_id)], entry.before
    replaced = row.superseded_by in going and (before is None or before.superseded_by != row.superseded_by)
    gathered = row.summarised_in in going and (before is None or before.summarised_in != row.summarised_in)
    return replaced or gathered or (before is None and not going.isdisjoint(row.summary_of))


def _mended(summary: Entry, entries: Sequence[Entry], going: Set[str]) -> set[str]:
    """A summary rewritten, or let go, only because of what goes back; with those that were cut loose from it."""
    sources = set(summary.before.summary_of) if summary.before else set()
    lost = {e.memory_id for e in entries if e.verb == "forget" and e.memory_id in sources}
    if not lost or not lost <= going or summary.memory_id is None:
        return set()
    loose = {e.memory_id for e in entries if e.verb == "unlink" and e.memory_id in sources}
    return {summary.memory_id, *(one for one in loose if one)}


def _odd(row: Mapping[str, Any], here: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether a batch, with the undoings that it ends a row of, leaves something changed since the beginning of `here`:
    an undoing of an undoing brings back what was first."""
    count = 1
    while row["undoes"] in here:
        row, count = here[row["undoes"]], count + 1
    return count % 2 == 1
