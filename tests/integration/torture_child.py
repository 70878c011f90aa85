"""The process that test_torture.py kills: it changes a store without end and says on its output what it has done.

    python torture_child.py HOME SEED ROUND [POINT]

Every operation gives two JSON lines, flushed at once: what it is about to touch, and what then holds. With a POINT the
process kills itself with SIGKILL as it arrives there.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from hmf import Hmf
from hmf.index.edge import EdgeIndex
from hmf.ledger.outbox import Manifest, Outbox
from hmf.ledger.plans import Plans
from hmf.memory import Memory, Tier
from hmf.service.collections import Collections
from hmf.service.indexing import Indexer

CONFIG: dict[str, Any] = {
    "timezone": "Europe/Paris",
    "embedder": {"name": "hash"},
    "categories": {
        "clients": {"description": {"fr": "Projets de clients.", "en": "Client projects."}},
        "ideas": {
            "description": {"fr": "Idées d'articles.", "en": "Article ideas."},
            "policy": {"stale_after": "60d", "archive_to": "shelved", "summarise": True},
        },
        "shelved": {"description": {"fr": "Idées rangées.", "en": "Shelved ideas."}, "routable": False},
        "inbox": {"description": {"fr": "À classer.", "en": "To be filed."}},
    },
}
POINTS: dict[str, tuple[type, str, int]] = {
    "committed, before the index": (Indexer, "sync", 5),
    "the index partly written": (EdgeIndex, "upsert", 9),
    "index written, before its flush": (EdgeIndex, "flush", 1),
    "flushed, before the outbox forgets": (Outbox, "done", 1),
    "in the middle of an apply": (Plans, "mark", 1),
    "a reindex begun": (EdgeIndex, "drop", 2),
    "a reindex half built": (EdgeIndex, "upsert", 2),
    "a reindex built, before the switch": (Manifest, "write", 1),
    "a reindex switched, before the old one goes": (Collections, "drop_leftovers", 1),
}
"""Where the process can be told to die: on entering this method for the n-th time, within a reindex where said so."""

WITHIN: set[str] = set()


class Child:
    """Operations on one store, drawn by a seed."""

    def __init__(self, memory: Hmf, seed: int, round_: int) -> None:
        """Each round writes texts of its own."""
        self.memory = memory
        self.random = random.Random(f"{seed}/{round_}")
        self.texts = (f"Note {round_}.{n} : la mareyeuse {round_}k{n} range le dossier q{n}r{round_}." for n in count())
        self.batch: str | None = None

    def run(self) -> None:
        """Six additions, then every verb once in a drawn order, then any of them for ever."""
        for _ in range(6):
            self.add()
        verbs: list[Callable[[], None]] = [
            self.add_many, self.move, self.forget, self.undo, self.revise, self.apply, self.undo,
            self.reindex, self.flush,
        ]  # fmt: skip
        self.random.shuffle(verbs)
        for verb in verbs:
            verb()
        while True:
            self.random.choice([self.add] * 6 + verbs)()

    def add(self) -> None:
        """One note, in either category; an idea may be old enough to be archived."""
        note = self._note()
        say("begin", "add", texts=[note["text"]])
        added = self.memory.add(**note)
        self._done("add", [added.id])

    def add_many(self) -> None:
        """Three at once: all or none."""
        notes = [self._note() for _ in range(3)]
        say("begin", "add_many", texts=[note["text"] for note in notes])
        self._done("add_many", [added.id for added in self.memory.add_many(notes)])

    def move(self) -> None:
        """To another category."""
        if chosen := self._details():
            one = chosen[0]
            other = "ideas" if one.category == "clients" else "clients"
            self._do("move", [one.id], lambda: self.memory.move(one.id, other))

    def forget(self) -> None:
        """Three at once."""
        if ids := [m.id for m in self._details()[:3]]:
            self._do("forget", ids, lambda: self.memory.forget(ids))

    def revise(self) -> None:
        """Another text for a memory."""
        if chosen := self._details():
            one = chosen[0]
            self._do("revise", [one.id], lambda: self.memory.revise(one.id, next(self.texts)))

    def apply(self) -> None:
        """Everything that the archive job proposes."""
        plan = self.memory.plan("archive")
        ids = sorted({target.id for action in plan.actions for target in action.targets})
        if ids:
            self._do("apply", ids, lambda: self.memory.apply(plan))

    def undo(self) -> None:
        """The last batch that can be."""
        batch = next((b for b in self.memory.log(limit=1) if b["undone_by"] is None and b["verb"] != "undo"), None)
        if batch is not None:
            entries = self.memory.store.ledger.entries(namespace="default", batch_id=batch["id"])
            ids = [entry.memory_id for entry in entries if entry.memory_id]
            self._do("undo", ids, lambda: self.memory.undo(batch["id"]))

    def reindex(self) -> None:
        """A new index beside the old one."""
        WITHIN.add("a reindex")
        self._do("reindex", [], self.memory.reindex)
        WITHIN.clear()

    def flush(self) -> None:
        """What the daemon does every two seconds."""
        self._do("flush", [], self.memory.tick)

    def _do(self, verb: str, ids: Sequence[str], act: Callable[[], object]) -> None:
        say("begin", verb, ids=ids)
        seq = self.memory.store.ledger.journal_seq()
        act()
        ledger = self.memory.store.ledger
        newer = ledger.entries(namespace="default", limit=ledger.journal_seq() - seq)
        self._done(verb, [*ids, *(entry.memory_id for entry in newer if entry.memory_id and entry.seq > seq)])

    def _done(self, verb: str, ids: Sequence[str | None]) -> None:
        rows = self.memory.store.ledger.get([i for i in ids if i])
        say("done", verb, rows={i: fact(rows[i]) if i in rows else None for i in ids if i})

    def _note(self) -> dict[str, Any]:
        old = datetime.now(UTC) - timedelta(days=90)
        idea = self.random.random() < 0.6
        return {
            "text": next(self.texts),
            "category": "ideas" if idea else "clients",
            "language": "fr",
            "project": self.random.choice([None, "Phare"]) if idea else "Acme",
            "at": old if idea and self.random.random() < 0.7 else None,
        }

    def _details(self) -> list[Memory]:
        found = self.memory.memories(tier=Tier.DETAIL, limit=None)
        self.random.shuffle(found)
        return found


def fact(memory: Memory) -> list[Any]:
    """What must still hold of a memory after the crash."""
    return [memory.text, memory.category, str(memory.tier), str(memory.state), str(memory.status), memory.revision]


def say(what: str, verb: str, **values: Any) -> None:
    """One line, handed over before anything else happens."""
    print(json.dumps({what: verb, **values}), flush=True)  # noqa: T201 - the parent reads it


def die_at(point: str) -> None:
    """Make the arrival at the point the end of this process."""
    owner, name, nth = POINTS[point]
    original, left = getattr(owner, name), count(nth, -1)

    def deadly(self: Any, *args: Any, **values: Any) -> Any:
        armed = bool(WITHIN) if point.startswith("a reindex") else True
        if armed and next(left) <= 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return original(self, *args, **values)

    setattr(owner, name, deadly)


def main(home: str, seed: str, round_: str, point: str = "") -> None:
    """See the head of this file."""
    with Hmf.open(home, CONFIG) as memory:
        if point:
            die_at(point)
        Child(memory, int(seed), int(round_)).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
