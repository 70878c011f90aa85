"""A working set: the changes of one batch, one net change a memory, seen by the rest of the batch at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from hmf.ledger.ledger import Change
from hmf.memory import Memory

Read = Callable[[Sequence[str]], Mapping[str, Memory]]


class Working:
    """Memories as they will be once the batch is committed."""

    def __init__(self, read: Read) -> None:
        """`read` gives the present rows by id."""
        self._read = read
        self._before: dict[str, Memory | None] = {}
        self._after: dict[str, Memory | None] = {}
        self._rows: dict[str, Memory] = {}
        self._kept: set[str] = set()
        self._why: dict[str, tuple[str, str | None]] = {}

    def expect(self, ids: Iterable[str]) -> None:
        """Read these at once: each `get` of one that the batch has not touched is then answered from here."""
        self._rows = dict(self._read(list(dict.fromkeys(ids))))

    def get(self, memory_id: str, namespace: str) -> Memory | None:
        """The memory as this batch leaves it so far; None when there is none in the namespace."""
        if memory_id not in self._after:
            row = self._rows.get(memory_id) or self._read([memory_id]).get(memory_id)
            return row if row is not None and row.namespace == namespace else None
        memory = self._after[memory_id]
        return memory if memory is not None and memory.namespace == namespace else None

    def create(self, memory: Memory, verb: str, reason: str | None = None) -> None:
        """A memory that did not exist."""
        self._before[memory.id] = None
        self._after[memory.id] = memory
        self._why[memory.id] = (verb, reason)

    def change(self, before: Memory, after: Memory | None, verb: str, reason: str | None = None) -> None:
        """From what `get` gave to a new state (None: taken out). The net change keeps the first `before`."""
        if before.id not in self._before:
            self._before[before.id] = before
        elif self._before[before.id] is None:
            verb, reason = self._why[before.id]  # created here: it stays an addition
        self._kept.discard(before.id)
        self._after[before.id] = after
        self._why[before.id] = (verb, reason)

    def release(self, memory: Memory, reason: str) -> None:
        """A summary holds the memory no more. Where the batch does nothing else with it, its revision stays: what was
        done to it before (a forgetting) can still be taken back."""
        kept = memory.id not in self._after or memory.id in self._kept
        verb, why = self._why.get(memory.id, ("unlink", reason))
        self.change(memory, replace(memory, summarised_in=None), verb, why)
        if kept:
            self._kept.add(memory.id)

    def changed(self, memory_id: str) -> bool:
        """True when this batch touches the memory."""
        return memory_id in self._after

    def changes(self) -> list[Change]:
        """The net changes, in the order in which the memories were first touched."""
        return [
            Change(self._before[i], after, *self._why[i], keep_revision=i in self._kept)
            for i, after in self._after.items()
            if not (after is None and self._before[i] is None) and after != self._before[i]
        ]
