"""Reading memories and counts out of the ledger."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Engine, Select, Text, cast, func, or_, select, text

from hmf.ledger import tables as t
from hmf.ledger.codec import active_key
from hmf.ledger.engine import guarded
from hmf.ledger.journal import JournalReads
from hmf.ledger.rows import SPANS, memories_by_id, memories_in_spans, select_memories, stream_memories
from hmf.ledger.wanted import Wanted, conditions
from hmf.ledger.youngest import youngest_query
from hmf.memory import Clock, Memory, Project, State, Tier

_PART = 500  # SQLite takes at most 32,766 variables in one statement; small parts keep plans cached


class Reads(JournalReads):
    """The reading half of the ledger."""

    def __init__(self, engine: Engine) -> None:
        """Read through `engine`."""
        super().__init__(engine)
        self._cached: dict[tuple[str, str], list[str]] = {}
        self.sqlite = engine.url.get_backend_name() == "sqlite"

    def memories(self, query: Select[Any]) -> list[Memory]:
        """The memories of a `select_memories` query."""
        with guarded(), self.engine.connect() as connection:
            return list(stream_memories(connection, query))

    def get(self, ids: Iterable[str], namespace: str | None = None) -> dict[str, Memory]:
        """Memories by id (any state); those that do not exist, or are another namespace's, are left out."""
        wanted, found = list(dict.fromkeys(ids)), {}
        with guarded(), self.engine.connect() as connection:
            for start in range(0, len(wanted), _PART):
                for memory in get_in(connection, wanted[start : start + _PART], namespace):
                    found[memory.id] = memory
        return found

    def beside(self, spans: Sequence[tuple[str, int, int]], namespace: str) -> list[Memory]:
        """The memories at these places, in any state: (session, first and last position, both included)."""
        found: dict[str, Memory] = {}
        if not spans:
            return []
        with guarded(), self.engine.connect() as connection:
            for start in range(0, len(spans), SPANS):
                for memory in memories_in_spans(connection, spans[start : start + SPANS]):
                    if memory.namespace == namespace:  # judged here, as in `get_in`, so that the places' index is used
                        found[memory.id] = memory
        return list(found.values())

    def resolve_prefix(self, prefix: str, namespace: str) -> list[str]:
        """Ids that begin or end with `prefix` (people copy the short form), at most ten."""
        safe = prefix.lower().replace("%", "").replace("_", "")
        column = t.memories.c.id
        query = (
            select(column)
            .where(t.memories.c.namespace == namespace, or_(column.like(f"{safe}%"), column.like(f"%{safe}")))
            .limit(10)
        )
        return [row["id"] for row in self.rows(query)]

    def active(self, key: str) -> Memory | None:
        """The active detail with this active key, if any."""
        return self.actives([key]).get(key)

    def actives(self, keys: Sequence[str]) -> dict[str, Memory]:
        """The active details with these active keys, by key; the others are left out."""
        found: dict[str, Memory] = {}
        for start in range(0, len(keys), _PART):
            query = select_memories().where(t.memories.c.active_key.in_(keys[start : start + _PART]))
            for memory in self.memories(query):
                found[active_key(memory.namespace, memory.project, memory.content_hash)] = memory
        return found

    def find(self, wanted: Wanted, *, limit: int | None = None, offset: int = 0) -> list[Memory]:
        """Memories that fit, newest first."""
        query = select_memories().where(conditions(wanted))
        query = query.order_by(t.memories.c.learnt_at.desc(), t.memories.c.id.desc()).limit(limit).offset(offset)
        return self.memories(query)

    def filed_by_hand(self, namespace: str, by: Sequence[str], limit: int) -> list[Memory]:
        """The newest `limit` live details that a person filed, oldest first."""
        c = t.memories.c
        mine = (c.namespace == namespace) & (c.state == State.LIVE) & c.route_by.in_(list(by))
        query = (
            select_memories().where(mine, c.tier == Tier.DETAIL).order_by(c.learnt_at.desc(), c.id.desc()).limit(limit)
        )
        return self.memories(query)[::-1]

    def forgotten_alike(self, namespace: str, content_hash: str) -> list[Memory]:
        """Forgotten memories that say exactly this."""
        c = t.memories.c
        here = (c.namespace == namespace) & (c.content_hash == content_hash) & (c.state == State.FORGOTTEN)
        return self.memories(select_memories().where(here))

    def summaries_of(self, namespace: str, ids: Collection[str]) -> list[Memory]:
        """Summaries of any tier, status and state that were made from one of these memories."""
        if not ids:
            return []
        c = t.memories.c
        mine = c.namespace == namespace
        made = c.tier.in_([Tier.SUMMARY, Tier.ARCHIVE]) & (cast(c.summary_of, Text) != "[]")
        wanted = set(ids)
        found = self.memories(select_memories().where(mine, made).order_by(c.id))
        return [memory for memory in found if wanted.intersection(memory.summary_of)]

    def gathered_in(self, namespace: str, ids: Collection[str]) -> list[Memory]:
        """Memories of any state that one of these summaries holds."""
        c = t.memories.c
        parts = [sorted(ids)[start : start + _PART] for start in range(0, len(ids), _PART)]
        queries = (select_memories().where(c.namespace == namespace, c.summarised_in.in_(part)) for part in parts)
        return [memory for query in queries for memory in self.memories(query)]

    def let_go(self, ids: Sequence[str], namespace: str) -> set[str]:
        """Those of the ids that an applied plan forgot, and nobody brought back by undoing it."""
        j, b = t.journal.c, t.batches.c
        found: set[str] = set()
        for start in range(0, len(ids), _PART):
            part = list(ids[start : start + _PART])
            query = (
                select(j.memory_id)
                .join(t.batches, b.id == j.batch_id)
                .where(j.memory_id.in_(part), j.namespace == namespace, j.verb == "forget")
                .where(b.plan_id.is_not(None), b.undone_by.is_(None))
                # What expired on a date is over; what grew old or was part of a finished project was true.
                .where(j.reason.is_distinct_from("expired"))
            )
            found.update(row["memory_id"] for row in self.rows(query))
        return found

    def youngest(self, namespace: str, category: str, clocks: Collection[Clock], count: int) -> set[str]:
        """Ids of the `count` memories of a category that were touched last, by these clocks."""
        return {row["id"] for row in self.rows(youngest_query(namespace, category, clocks, count))}

    def stream(self, wanted: Wanted, *, part: int = 2000) -> Iterator[Memory]:
        """The same in id order, read in parts: memory use does not grow with the store."""
        last = ""
        while True:
            query = select_memories().where(conditions(wanted, in_id_order=True), t.memories.c.id > last)
            found = self.memories(query.order_by(t.memories.c.id).limit(part))
            yield from found
            if len(found) < part:
                return
            last = found[-1].id

    def count(self, wanted: Wanted) -> int:
        """How many fit."""
        rows = self.rows(select(func.count().label("n")).select_from(t.memories).where(conditions(wanted)))
        return int(rows[0]["n"])

    def tally(self, namespace: str | None = None) -> list[Mapping[str, Any]]:
        """Counts by namespace, category, tier, status and state, with the newest learnt_at and the points expected."""
        c = t.memories.c
        keys = (c.namespace, c.category, c.tier, c.status, c.state)
        query = select(
            *keys, func.count().label("n"), func.sum(c.chunks).label("points"), func.max(c.learnt_at).label("newest")
        )
        if namespace is not None:
            query = query.where(c.namespace == namespace)
        return self.rows(query.group_by(*keys).order_by(*keys))

    def namespaces(self) -> list[str]:
        """Every namespace that holds or held something."""
        query = select(t.batches.c.namespace).distinct().order_by(t.batches.c.namespace)
        return [row["namespace"] for row in self.rows(query)]

    def projects(self, namespace: str) -> dict[str, Project]:
        """Known projects: those marked, and those that memories name."""
        c = t.memories.c
        named = select(c.project).where(c.namespace == namespace, c.project.is_not(None)).distinct()
        found = {row["project"]: Project(namespace, row["project"]) for row in self.rows(named)}
        for row in self.rows(select(t.projects).where(t.projects.c.namespace == namespace)):
            found[row["name"]] = Project(namespace, row["name"], row["finished_at"])
        return dict(sorted(found.items()))

    def project_names(self, namespace: str) -> list[str]:
        """Projects that memories name, kept in step with what is written here."""
        return self._names("project", namespace)

    def category_names(self, namespace: str) -> list[str]:
        """Categories that memories lie in, kept in step with what is written here."""
        return self._names("category", namespace)

    def tier_names(self, namespace: str) -> list[str]:
        """Tiers that memories lie in, kept in step with what is written here."""
        return self._names("tier", namespace)

    def _names(self, column: str, namespace: str) -> list[str]:
        # On a server another daemon may have written: there the question is asked each time.
        known = self._cached.get((column, namespace)) if self.sqlite else None
        if known is None:
            c = t.memories.c[column]
            query = select(c).where(t.memories.c.namespace == namespace, c.is_not(None)).distinct().order_by(c)
            known = self._cached[(column, namespace)] = [row[column] for row in self.rows(query)]
        return known

    def note_names(self, changes: Iterable[tuple[Memory | None, Memory | None]]) -> None:
        """Keep the names in step with what was committed, (state before, state after): a new memory may bring one, any
        other change may take the last memory of one away, so they are asked for again."""
        for before, after in changes:
            if before is not None or after is None:
                self._cached.clear()
                return
            for column, name in (("project", after.project), ("category", after.category), ("tier", str(after.tier))):
                known = self._cached.get((column, after.namespace))
                if known is not None and name is not None and name not in known:
                    self._cached[(column, after.namespace)] = sorted([*known, name])

    def integrity(self) -> list[str]:
        """What the database says of itself; empty when sound."""
        if not self.sqlite:
            return []
        with guarded(), self.engine.connect() as connection:
            found = connection.execute(text("PRAGMA integrity_check(10)")).scalars().all()
        return [] if found == ["ok"] else [str(line) for line in found]


def get_in(connection: Connection, ids: Sequence[str], namespace: str | None) -> Iterator[Memory]:
    """Memories by id, in one statement, inside a connection the caller holds."""
    for memory in memories_by_id(connection, ids):
        # Judged here: in the statement, SQLite would read the whole namespace by its index rather than so many ids.
        if namespace is None or memory.namespace == namespace:
            yield memory
