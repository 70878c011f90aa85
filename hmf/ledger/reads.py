"""Reading memories, history and counts out of the ledger."""

from __future__ import annotations

import json
import operator
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, Select, Text, and_, cast, func, or_, select, text

from hmf.ledger import tables as t
from hmf.ledger.codec import from_json, from_row
from hmf.ledger.engine import guarded
from hmf.memory import Kind, Memory, Project, State, Status, Tier

_PART = 500  # SQLite takes at most 32,766 variables in one statement; small parts keep plans cached


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which memories to list; every condition given must hold. Newest `learnt_at` first unless `by_id`."""

    namespace: str
    categories: Sequence[str] = ()
    tiers: Sequence[Tier] = ()
    kinds: Sequence[Kind] = ()
    statuses: Sequence[Status] = ()
    states: Sequence[State] = (State.LIVE,)
    project: str | None = None
    pinned: bool | None = None
    volatile: bool | None = None
    since: datetime | None = None
    until: datetime | None = None
    touched_before: datetime | None = None
    expired_by: datetime | None = None
    learnt_since: datetime | None = None
    unsummarised: bool = False
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal. `before` is the state the change started from."""

    seq: int
    batch_id: str
    at: datetime
    namespace: str
    memory_id: str | None
    project: str | None
    verb: str
    reason: str | None
    before: Memory | None
    before_project: Mapping[str, Any] | None
    revision_after: int | None
    scrubbed: bool = False
    """What was there before was erased: it cannot be brought back, and is not the same as nothing."""


class Reads:
    """The reading half of the ledger."""

    def __init__(self, engine: Engine) -> None:
        """Read through `engine`."""
        self.engine = engine
        self._cached: dict[tuple[str, str], list[str]] = {}
        self.sqlite = engine.url.get_backend_name() == "sqlite"

    def rows(self, query: Select[Any]) -> list[Mapping[str, Any]]:
        """All rows of a query, as mappings."""
        with guarded(), self.engine.connect() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def get(self, ids: Iterable[str], namespace: str | None = None) -> dict[str, Memory]:
        """Memories by id (any state); those that do not exist, or are another namespace's, are left out."""
        wanted, found = list(dict.fromkeys(ids)), {}
        with guarded(), self.engine.connect() as connection:
            for start in range(0, len(wanted), _PART):
                for memory in get_in(connection, wanted[start : start + _PART], namespace):
                    found[memory.id] = memory
        return found

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
            query = select(t.memories).where(t.memories.c.active_key.in_(keys[start : start + _PART]))
            found.update({row["active_key"]: from_row(row) for row in self.rows(query)})
        return found

    def find(self, wanted: Wanted, *, limit: int | None = None, offset: int = 0) -> list[Memory]:
        """Memories that fit, newest first."""
        query = select(t.memories).where(_conditions(wanted))
        query = query.order_by(t.memories.c.learnt_at.desc(), t.memories.c.id.desc()).limit(limit).offset(offset)
        return [from_row(row) for row in self.rows(query)]

    def filed_by_hand(self, namespace: str, by: Sequence[str], limit: int) -> list[Memory]:
        """The newest `limit` live details that a person filed, oldest first."""
        c = t.memories.c
        mine = (c.namespace == namespace) & (c.state == State.LIVE) & c.route_by.in_(list(by))
        query = select(t.memories).where(mine, c.tier == Tier.DETAIL).order_by(c.learnt_at.desc(), c.id).limit(limit)
        return [from_row(row) for row in reversed(self.rows(query))]

    def forgotten_alike(self, namespace: str, content_hash: str) -> list[Memory]:
        """Forgotten memories that say exactly this."""
        c = t.memories.c
        here = (c.namespace == namespace) & (c.content_hash == content_hash) & (c.state == State.FORGOTTEN)
        return [from_row(row) for row in self.rows(select(t.memories).where(here))]

    def summaries_of(self, namespace: str, ids: Collection[str]) -> list[Memory]:
        """Summaries of any tier, status and state that were made from one of these memories."""
        if not ids:
            return []
        c = t.memories.c
        mine = c.namespace == namespace
        made = c.tier.in_([Tier.SUMMARY, Tier.ARCHIVE]) & (cast(c.summary_of, Text) != "[]")
        wanted = set(ids)
        rows = self.rows(select(t.memories).where(mine, made).order_by(c.id))
        return [from_row(row) for row in rows if wanted.intersection(row["summary_of"])]

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

    def stream(self, wanted: Wanted, *, part: int = 2000) -> Iterator[Memory]:
        """The same in id order, read in parts: memory use does not grow with the store."""
        last = ""
        while True:
            query = select(t.memories).where(_conditions(wanted, in_id_order=True), t.memories.c.id > last)
            rows = self.rows(query.order_by(t.memories.c.id).limit(part))
            yield from (from_row(row) for row in rows)
            if len(rows) < part:
                return
            last = rows[-1]["id"]

    def count(self, wanted: Wanted) -> int:
        """How many fit."""
        rows = self.rows(select(func.count().label("n")).select_from(t.memories).where(_conditions(wanted)))
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
        """Projects that memories name, cached until the next change."""
        return self._names("project", namespace)

    def category_names(self, namespace: str) -> list[str]:
        """Categories that memories lie in, cached until the next change."""
        return self._names("category", namespace)

    def tier_names(self, namespace: str) -> list[str]:
        """Tiers that memories lie in, cached until the next change."""
        return self._names("tier", namespace)

    def _names(self, column: str, namespace: str) -> list[str]:
        # On a server another daemon may have written: there the question is asked each time.
        known = self._cached.get((column, namespace)) if self.sqlite else None
        if known is None:
            c = t.memories.c[column]
            query = select(c).where(t.memories.c.namespace == namespace, c.is_not(None)).distinct().order_by(c)
            known = self._cached[(column, namespace)] = [row[column] for row in self.rows(query)]
        return known

    def forget_names(self) -> None:
        """Ask again for project and category names: something was written."""
        self._cached.clear()

    def integrity(self) -> list[str]:
        """What the database says of itself; empty when sound."""
        if not self.sqlite:
            return []
        with guarded(), self.engine.connect() as connection:
            found = connection.execute(text("PRAGMA integrity_check(10)")).scalars().all()
        return [] if found == ["ok"] else [str(line) for line in found]

    def entries(
        self,
        *,
        namespace: str,
        memory_id: str | None = None,
        batch_id: str | None = None,
        limit: int | None = None,
    ) -> list[Entry]:
        """Journal lines, oldest first (the newest `limit` of them where a limit is given)."""
        query = select(t.journal).where(t.journal.c.namespace == namespace)
        if memory_id is not None:
            query = query.where(t.journal.c.memory_id == memory_id)
        if batch_id is not None:
            query = query.where(t.journal.c.batch_id == batch_id)
        rows = self.rows(query.order_by(t.journal.c.seq.desc()).limit(limit))
        return [_entry(row) for row in reversed(rows)]

    def batch_rows(self, namespace: str, *, limit: int = 50, batch_id: str | None = None) -> list[Mapping[str, Any]]:
        """Batches, newest first, with the number of changes in each."""
        b, j = t.batches, t.journal
        changes = select(func.count()).where(j.c.batch_id == b.c.id).scalar_subquery().label("changes")
        query = select(b, changes).where(b.c.namespace == namespace)
        if batch_id is not None:
            query = query.where(b.c.id == batch_id)
        return self.rows(query.order_by(b.c.at.desc(), b.c.id.desc()).limit(limit))

    def journal_seq(self) -> int:
        """The number of the newest journal entry; 0 when there is none."""
        return int(self.rows(select(func.coalesce(func.max(t.journal.c.seq), 0).label("n")))[0]["n"])


def get_in(connection: Connection, ids: Sequence[str], namespace: str | None) -> Iterator[Memory]:
    """Memories by id, in one statement, inside a connection the caller holds."""
    for row in connection.execute(select(t.memories).where(t.memories.c.id.in_(ids))).mappings():
        # Judged here: in the statement, SQLite would read the whole namespace by its index rather than so many ids.
        if namespace is None or row["namespace"] == namespace:
            yield from_row(dict(row))


def _conditions(wanted: Wanted, *, in_id_order: bool = False) -> Any:
    c = t.memories.c
    # A whole namespace in the order of ids is read along the primary key: by the namespace's index, each part of it
    # would sort all of it again. Joining an empty string keeps that index out.
    whole = in_id_order and not (wanted.categories or wanted.project or wanted.session or wanted.touched_before)
    found: list[Any] = [(c.namespace.concat("") if whole else c.namespace) == wanted.namespace]
    many = ((c.category, wanted.categories), (c.tier, wanted.tiers), (c.kind, wanted.kinds))
    for column, values in (*many, (c.status, wanted.statuses), (c.state, wanted.states)):
        if values:
            found.append(column.in_([str(v) for v in values]))
    exact = ((c.project, wanted.project), (c.session, wanted.session))
    found += [column == value for column, value in exact if value is not None]
    flags = ((c.pinned, wanted.pinned), (c.volatile, wanted.volatile))
    found += [column.is_(flag) for column, flag in flags if flag is not None]
    bounds = (
        (operator.ge, c.valid_from, wanted.since),
        (operator.le, c.valid_from, wanted.until),
        (operator.ge, c.learnt_at, wanted.learnt_since),
        (operator.lt, c.touched_at, wanted.touched_before),
        (operator.le, c.expires_at, wanted.expired_by),
    )
    found += [compare(column, bound) for compare, column, bound in bounds if bound is not None]
    if wanted.unsummarised:
        found.append(c.summarised_in.is_(None))
    return and_(*found)


def _entry(row: Mapping[str, Any]) -> Entry:
    body = json.loads(row["before"]) if isinstance(row["before"], str) else row["before"]
    of_memory = row["memory_id"] is not None and body is not None
    return Entry(
        seq=row["seq"],
        batch_id=row["batch_id"],
        at=row["at"],
        namespace=row["namespace"],
        memory_id=row["memory_id"],
        project=row["project"],
        verb=row["verb"],
        reason=row["reason"],
        before=from_json(body) if of_memory and not body.get("erased") else None,
        before_project=body if body is not None and row["memory_id"] is None else None,
        revision_after=row["revision_after"],
        scrubbed=bool(body and body.get("erased")),
    )
