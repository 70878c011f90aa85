"""Destroying what the ledger keeps of memories: before-images, proposals, vectors, names, free pages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar

from sqlalchemy import Connection, Text, cast, delete, func, insert, or_, select, update

from hmf.errors import StoreLocked
from hmf.ledger import tables as t
from hmf.ledger.codec import from_json
from hmf.ledger.engine import guarded
from hmf.ledger.ledger import Ledger, home_of
from hmf.ledger.plan_json import action_from_json
from hmf.ledger.plans import OPEN
from hmf.memory import Memory, State
from hmf.plan import Plan
from hmf.reason import Reason, pack

_BLANK = {"erased": True}
_NAMELESS = "(erased)"
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_PART = 500
LEDGER = "ledger"
"""The remnant that lies in the free pages of the ledger's own file. Any other is a collection of the index."""

T = TypeVar("T")
ChunkKeys = Callable[[Memory], Sequence[str]]


@dataclass
class Scrubbed:
    """What was taken out: the content keys of all past texts, whose vectors go too; the states that memories were in
    before; the collections in which points of them may be left; and whether proposals went."""

    keys: set[str] = field(default_factory=set)
    states: list[Memory] = field(default_factory=list)
    collections: set[str] = field(default_factory=set)
    plans: bool = False

    def note(self, state: Memory, chunk_keys: ChunkKeys) -> None:
        """A state in which it may have been written into the index and into the cache of vectors."""
        self.keys.update(chunk_keys(state))
        home = home_of(replace(state, state=State.LIVE))
        if home is not None:
            self.collections.add(home)


class Erasing:
    """The only code that rewrites the journal."""

    def __init__(self, ledger: Ledger) -> None:
        """Work on `ledger`."""
        self._ledger = ledger

    def scrub(
        self, connection: Connection, gone: Sequence[Memory], chunk_keys: ChunkKeys, *, quoted: Set[str]
    ) -> Scrubbed:
        """Blank the before-images of memories of one namespace whose rows are out; for those in `quoted`, also all that
        says the same elsewhere: reasons, earlier summaries, proposals, the name of a project that nothing else has."""
        found, j = Scrubbed(), t.journal.c
        for memory in gone:
            found.note(memory, chunk_keys)
        for part in _parts([memory.id for memory in gone]):
            mine = j.memory_id.in_(part)
            for before in connection.execute(select(j.before).where(mine)).scalars():
                if before and not before.get("erased"):
                    found.states.append(from_json(before))
                    found.note(found.states[-1], chunk_keys)
            connection.execute(update(t.journal).where(mine).values(before=_BLANK))
            connection.execute(delete(t.recalls).where(t.recalls.c.memory_id.in_(part)))
        if quoted:
            self._scrub_reasons(connection, quoted)
            self._scrub_summaries(connection, quoted, found, chunk_keys)
            found.plans = self._scrub_plans(connection, gone[0].namespace, quoted)
            named = {m.project for m in (*gone, *found.states) if m.id in quoted and m.project}
            for project in sorted(named):
                self._scrub_project(connection, gone[0].namespace, project)
            self._scrub_digests(connection, gone[0].namespace, {*quoted, *(json.dumps(name)[1:-1] for name in named)})
        found.keys -= self._shared(connection, gone, chunk_keys)
        return found

    def _scrub_reasons(self, connection: Connection, ids: Set[str]) -> None:
        j, b = t.journal.c, t.batches.c
        for part in _parts(sorted(ids)):
            mine = j.memory_id.in_(part)
            connection.execute(update(t.journal).where(mine).values(reason=None))
            forgot = select(j.batch_id).where(mine, j.verb == "forget")
            # The reason that a person gave for forgetting may say what was to be forgotten.
            connection.execute(update(t.batches).where(b.id.in_(forgot), b.verb == "forget").values(reason=None))
        # Why one memory took the place of another quotes both texts; which one did stays.
        telling = or_(j.reason.like("%replaced_for%"), j.reason.like("replaced by %(%"))
        for seq, reason in connection.execute(select(j.seq, j.reason).where(telling)).all():
            named = _ID.findall(reason)
            if not ids.isdisjoint(named):
                bare = pack(Reason("replaced_by", {"id": named[0]}))
                connection.execute(update(t.journal).where(j.seq == seq).values(reason=bare))

    def _scrub_summaries(self, connection: Connection, ids: Set[str], found: Scrubbed, chunk_keys: ChunkKeys) -> None:
        """Earlier states of summaries that were made from one of these."""
        j = t.journal.c
        made = select(j.seq, j.before).where(cast(j.before, Text).like('%"summary_of": ["%'))
        quoting = []
        for seq, before in connection.execute(made):
            if not ids.isdisjoint(before["summary_of"]):
                found.note(from_json(before), chunk_keys)
                quoting.append(seq)
        for part in _parts(quoting):
            connection.execute(update(t.journal).where(j.seq.in_(part)).values(before=_BLANK))

    def _scrub_plans(self, connection: Connection, namespace: str, ids: Set[str]) -> bool:
        """Take what speaks of these memories out of the plans; the rest stays, with what was decided."""
        p = t.plan_actions.c
        rows = select(p.plan_id, p.key, cast(p.body, Text)).join(t.plans, t.plans.c.id == p.plan_id)
        held: dict[str, set[str]] = {}
        for plan_id, key, body in connection.execute(rows.where(t.plans.c.namespace == namespace)):
            if not ids.isdisjoint(_ID.findall(body)):
                held.setdefault(plan_id, set()).add(key)
        for plan_id, keys in held.items():
            for part in _parts(sorted(keys)):
                connection.execute(delete(t.plan_actions).where(p.plan_id == plan_id, p.key.in_(part)))
            self._rename(connection, plan_id)
        # What a job has seen names shares of a category by words of its texts. It looks again in the next night.
        connection.execute(update(t.plans).where(t.plans.c.namespace == namespace).values(notes=[]))
        return bool(held)

    def _rename(self, connection: Connection, plan_id: str) -> None:
        """A plan is named by its actions: one that lost some has another name, and one without any is none."""
        p, own = t.plan_actions.c, t.plans.c
        row = connection.execute(select(t.plans).where(own.id == plan_id)).one()
        bodies = connection.execute(select(p.body).where(p.plan_id == plan_id)).scalars()
        actions = tuple(map(action_from_json, bodies))
        name = Plan(row.job, row.namespace, row.made_at, actions).id
        taken = connection.execute(select(own.id).where(own.id == name)).first()
        if not actions or (taken and name != plan_id):
            connection.execute(delete(t.plan_actions).where(p.plan_id == plan_id))
            connection.execute(delete(t.plans).where(own.id == plan_id))
            return
        connection.execute(update(t.plans).where(own.id == plan_id).values(id=name))
        connection.execute(update(t.plan_actions).where(p.plan_id == plan_id).values(plan_id=name))
        connection.execute(update(t.batches).where(t.batches.c.plan_id == plan_id).values(plan_id=name))
        if row.state == OPEN:
            waiting = select(func.count()).where(p.plan_id == name, p.outcome == "undecided")
            if not connection.execute(waiting).scalar_one():
                connection.execute(update(t.plans).where(own.id == name).values(state="closed"))

    def _scrub_digests(self, connection: Connection, namespace: str, words: Set[str]) -> None:
        """Take out what was told of the nights in which one of these ids or names occurs."""
        d = t.digests.c
        told = select(d.night, cast(d.body, Text)).where(d.namespace == namespace)
        nights = [night for night, body in connection.execute(told) if any(word in body for word in words)]
        for part in _parts(nights):
            connection.execute(delete(t.digests).where(d.namespace == namespace, d.night.in_(part)))

    def _scrub_project(self, connection: Connection, namespace: str, name: str) -> None:
        """Forget the name of a project, where no memory has it and none can be brought back that had."""
        m, j, b = t.memories.c, t.journal.c, t.batches.c
        says = cast(j.before, Text).like(f'%"project": {_escaped(json.dumps(name))}%', escape="\\")
        held = or_(
            select(m.id).where(m.namespace == namespace, m.project == name).exists(),
            select(j.seq).where(j.namespace == namespace, j.memory_id.is_not(None), says).exists(),
        )
        if connection.execute(select(held)).scalar_one():
            return
        here = (j.namespace == namespace) & (j.project == name)
        about = select(j.batch_id).where(here)
        connection.execute(update(t.batches).where(b.id.in_(about)).values(reason=None))
        connection.execute(update(t.journal).where(here).values(project=_NAMELESS, reason=None))
        own = t.projects.c
        connection.execute(delete(t.projects).where(own.namespace == namespace, own.name == name))

    def _shared(self, connection: Connection, gone: Sequence[Memory], chunk_keys: ChunkKeys) -> set[str]:
        """Keys of the texts as they were last, where another memory says the same."""
        c = t.memories.c
        by_hash = {memory.content_hash: memory for memory in gone}
        shared: set[str] = set()
        for part in _parts(sorted(by_hash)):
            for content_hash in connection.execute(select(c.content_hash).where(c.content_hash.in_(part))).scalars():
                shared.update(chunk_keys(by_hash[content_hash]))
        return shared

    def leave(self, connection: Connection, places: Iterable[str], due: datetime) -> None:
        """Mark where something of what was destroyed still lies: to be cleaned at `due`, or before."""
        c = t.remnants.c
        for place in sorted(places):
            known = connection.execute(select(c.due).where(c.place == place)).scalar()
            if known is None:
                connection.execute(insert(t.remnants).values(place=place, due=due))
            elif due < known:
                connection.execute(update(t.remnants).where(c.place == place).values(due=due))

    def left(self, now: datetime) -> list[str]:
        """The marked places that are due, the ledger's own file last."""
        c = t.remnants.c
        found = [row["place"] for row in self._ledger.rows(select(c.place).where(c.due <= now).order_by(c.place))]
        return sorted(found, key=lambda place: place == LEDGER)

    def cleaned(self, place: str) -> None:
        """Nothing is left there."""
        with self._ledger.transaction() as connection:
            connection.execute(delete(t.remnants).where(t.remnants.c.place == place))

    def vacuum(self) -> None:
        """Write the database anew without its free space, and empty its log. A server is left alone.

        Raises StoreLocked when readers did not let go of the log in time, DiskFull.
        """
        if not self._ledger.sqlite:
            return
        with guarded(), self._ledger.engine.connect() as connection:
            raw = connection.connection.driver_connection
            assert raw is not None  # noqa: S101 - a connected pool always has one
            connection.rollback()
            raw.execute("VACUUM")
            busy, *_ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise StoreLocked("The ledger's log is still being read.", fix="hmf doctor")


def _escaped(text: str) -> str:
    return re.sub(r"([\\%_])", r"\\\1", text)


def _parts(items: Sequence[T]) -> Iterator[list[T]]:
    for start in range(0, len(items), _PART):
        yield list(items[start : start + _PART])
