"""Reading the journal as a diary: batches in the order in which they were made, what each did, what replaced what."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, Text, and_, case, cast, func, or_, select

from hmf.ledger import tables as t
from hmf.ledger.journal import Entry
from hmf.ledger.reads import Reads
from hmf.ledger.rows import select_memories
from hmf.memory import Memory

Row = Mapping[str, Any]
_PART = 500  # as in the other reads: SQLite has a limit of variables, and small parts keep plans cached


def batches(
    reads: Reads, namespace: str, *, since: datetime | None = None, until: datetime | None = None, limit: int | None
) -> list[Row]:
    """Batches that changed something, the last made first, with `changes` and the number of their last journal line
    (`seq`). The order is the journal's: a clock that was set back does not disturb it."""
    b, j = t.batches.c, t.journal.c
    last = select(func.max(j.seq)).where(j.batch_id == b.id).scalar_subquery()
    bounds = [b.at >= since] if since else []
    bounds += [b.at <= until] if until else []
    some = select(t.batches, last.label("seq")).where(b.namespace == namespace, *bounds, last.is_not(None))
    newest = some.order_by(last.desc()).limit(limit).subquery()
    changes = select(func.count()).where(j.batch_id == newest.c.id).scalar_subquery().label("changes")
    return reads.rows(select(newest, changes).order_by(newest.c.seq.desc()))


def named(reads: Reads, namespace: str, ids: Collection[str]) -> dict[str, Row]:
    """Batches by id."""
    b = t.batches.c
    found = (row for part in _parts(ids) for row in reads.rows(select(t.batches).where(b.id.in_(part))))
    return {row["id"]: row for row in found if row["namespace"] == namespace}


def deeds(reads: Reads, ids: Collection[str]) -> dict[str, list[Row]]:
    """What each batch did: journal lines counted by verb, reason, category and whether a memory was made, in their
    order. The category is the one that the memory was in before, or is in now where it was made."""
    j, m = t.journal.c, t.memories.c
    category = func.coalesce(j.before["category"].as_string(), m.category)
    columns = (j.batch_id, j.verb, j.reason, j.project, category.label("category"), _made().label("made"))
    found: dict[str, list[Row]] = {}
    for part in _parts(ids):
        lines = select(*columns, j.seq, j.memory_id).join(t.memories, m.id == j.memory_id, isouter=True)
        inner = lines.where(j.batch_id.in_(part)).subquery()
        c = inner.c
        keys = (c.batch_id, c.verb, c.reason, c.project, c.category, c.made)
        query: Select[Any] = select(*keys, func.count().label("n"), func.min(c.seq).label("first")).group_by(*keys)
        for row in reads.rows(query.order_by(func.min(c.seq))):
            found.setdefault(row["batch_id"], []).append({**row, "made": bool(row["made"])})
    return found


def subjects(reads: Reads, ids: Collection[str]) -> dict[str, str]:
    """The memory that each of the batches is about, by batch: the first it made, else the first it changed."""
    j = t.journal.c
    about = func.coalesce(func.min(case((_made(), j.seq))), func.min(j.seq))
    found: dict[str, str] = {}
    for part in _parts(ids):
        first = select(about).where(j.batch_id.in_(part), j.memory_id.is_not(None)).group_by(j.batch_id)
        for row in reads.rows(select(j.batch_id, j.memory_id).where(j.seq.in_(first))):
            found[row["batch_id"]] = row["memory_id"]
    return found


def _made() -> ColumnElement[bool]:
    """Whether a line tells of a memory that was made: the journal writes "nothing was there" as the JSON null."""
    j = t.journal.c
    return and_(j.memory_id.is_not(None), or_(j.before.is_(None), cast(j.before, Text) == "null"))


def replaced_by(reads: Reads, namespace: str, ids: Collection[str]) -> list[Memory]:
    """The memories, in any state, that one of these has taken the place of."""
    c = t.memories.c
    parts = (select_memories().where(c.namespace == namespace, c.superseded_by.in_(part)) for part in _parts(ids))
    return [memory for query in parts for memory in reads.memories(query)]


def lines_of(reads: Reads, namespace: str, ids: Sequence[str]) -> dict[str, list[Entry]]:
    """The journal of each memory, oldest line first."""
    return {one: found for one in ids if (found := reads.entries(namespace=namespace, memory_id=one))}


def _parts(ids: Collection[str]) -> Iterator[list[str]]:
    rest = list(ids)
    for start in range(0, len(rest), _PART):
        yield rest[start : start + _PART]
