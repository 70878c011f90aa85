"""Memories out of rows, by position: a job reads a hundred thousand of them, and a search a hundred.

SQLAlchemy's own mapping of the same row costs 40 µs, this one 14 (a row of a 100,000-row SQLite ledger, one core).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from sqlalchemy import BigInteger, Connection, Select, Text, bindparam, or_, select, type_coerce
from sqlalchemy.sql.elements import ColumnElement
from sqlalchemy.types import JSON

from hmf.durations import Duration
from hmf.ledger import tables as t
from hmf.ledger.codec import drawn_of
from hmf.memory import Authority, Kind, Memory, Route, RoutedBy, Source, State, Status, Tier
from hmf.reason import unpack

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TIERS = {str(one): one for one in Tier}
_KINDS = {str(one): one for one in Kind}
_STATUSES = {str(one): one for one in Status}
_AUTHORITIES = {str(one): one for one in Authority}
_STATES = {str(one): one for one in State}
_ROUTED = {str(one): one for one in RoutedBy}

_NAMES = (
    *("id", "namespace", "category", "tier", "kind", "text", "language", "status", "authority"),
    *("source_type", "source_ref", "source_author", "valid_from", "learnt_at", "verified_at", "content_hash"),
    *("route_category", "route_confidence", "route_by", "route_reason", "state", "title", "project", "tags"),
    *("volatile", "fresh_for", "expires_at", "pinned", "supersedes", "superseded_by", "superseded_at", "summary_of"),
    *("summarised_in", "session", "position", "forgotten_at", "archived_at", "revision", "chunks", "drawn"),
)


def _raw(name: str) -> ColumnElement[Any]:
    """The column as the driver gives it, where a conversion of our own is cheaper than the library's."""
    column = t.memories.c[name]
    if isinstance(column.type, t.Moment):
        return type_coerce(column, BigInteger).label(name)
    return type_coerce(column, Text).label(name) if isinstance(column.type, JSON) else column


_EVERY = select(*(_raw(name) for name in _NAMES))
_BY_ID = _EVERY.where(t.memories.c.id.in_(bindparam("ids", expanding=True)))
SPANS = 20
"""Spans of sessions in one query: always so many, so that it is built once."""
# Alternatives of equal form, each answered by the index; SQLite scans the table for pairs in a list of pairs.
_IN_SPANS = _EVERY.where(
    or_(
        *(
            (t.memories.c.session == bindparam(f"session{n}"))
            & t.memories.c.position.between(bindparam(f"first{n}"), bindparam(f"last{n}"))
            for n in range(SPANS)
        )
    )
)


def select_memories() -> Select[Any]:
    """A query for whole memories, to which the caller adds its conditions; its rows are for `memory_of`."""
    return _EVERY


def memories_by_id(connection: Connection, ids: Sequence[str]) -> Iterator[Memory]:
    """The memories with these ids, in no order. One prepared query: to build it anew costs more than to run it."""
    return map(memory_of, connection.execute(_BY_ID, {"ids": list(ids)}))


def memories_in_spans(connection: Connection, spans: Sequence[tuple[str, int, int]]) -> Iterator[Memory]:
    """The memories at these places, of any namespace and state: (session, first and last position), at most SPANS."""
    padded = [*spans, *([spans[0]] * (SPANS - len(spans)))]
    values = {
        f"{name}{n}": value
        for n, span in enumerate(padded)
        for name, value in zip(("session", "first", "last"), span, strict=True)
    }
    return map(memory_of, connection.execute(_IN_SPANS, values))


def stream_memories(connection: Connection, query: Select[Any]) -> Iterator[Memory]:
    """The memories that a `select_memories` query finds."""
    return map(memory_of, connection.execute(query).all())  # a row at a time costs a third more


def memory_of(row: Sequence[Any]) -> Memory:
    """A Memory from a row of `select_memories`."""
    # fmt: off
    (
        memory_id, namespace, category, tier, kind, text, language, status, authority,
        source_type, source_ref, source_author, valid_from, learnt_at, verified_at, content_hash,
        route_category, route_confidence, route_by, route_reason, state, title, project, tags,
        volatile, fresh_for, expires_at, pinned, supersedes, superseded_by, superseded_at, summary_of,
        summarised_in, session, position, forgotten_at, archived_at, revision, chunks, drawn,
    ) = row
    # fmt: on
    return Memory(
        memory_id,
        namespace,
        category,
        _TIERS[tier],
        _KINDS[kind],
        text,
        language,
        _STATUSES[status],
        _AUTHORITIES[authority],
        _source(source_type, source_ref, source_author),
        _moment(valid_from),
        _moment(learnt_at),
        None if verified_at is None else _moment(verified_at),
        content_hash,
        _route(route_category, route_confidence, route_by, route_reason),
        _STATES[state],
        title,
        project,
        _listed(tags),
        volatile,
        _span(fresh_for) if fresh_for else None,
        None if expires_at is None else _moment(expires_at),
        pinned,
        _listed(supersedes),
        superseded_by,
        None if superseded_at is None else _moment(superseded_at),
        _listed(summary_of),
        summarised_in,
        session,
        position,
        None if forgotten_at is None else _moment(forgotten_at),
        None if archived_at is None else _moment(archived_at),
        revision,
        chunks,
        None if drawn is None else drawn_of(json.loads(drawn) if isinstance(drawn, str) else drawn),
    )


def _moment(value: int) -> datetime:
    return _EPOCH + timedelta(0, 0, value)


def _listed(value: Any) -> tuple[str, ...]:
    """A list as JSON text (SQLite), or already read by the driver (PostgreSQL)."""
    if value == "[]":
        return ()
    return tuple(json.loads(value) if isinstance(value, str) else value)


# Rows share these values, which are frozen: one of each is enough.
@lru_cache(maxsize=1024)
def _source(kind: str, ref: str | None, author: str | None) -> Source:
    return Source(kind, ref, author)


@lru_cache(maxsize=1024)
def _route(category: str, confidence: float, by: str, reason: str) -> Route:
    return Route(category, confidence, _ROUTED[by], unpack(reason))


_span = lru_cache(maxsize=256)(Duration.parse)
