"""The youngest memories of a category, by the clocks that its policy counts."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, Select, Text, case, cast, select

from hmf.ledger import tables as t
from hmf.memory import RETIRED, Clock, State, Tier


def youngest_query(namespace: str, category: str, clocks: Collection[Clock], count: int) -> Select[Any]:
    """Their ids: live ones in sight or archived, no summaries, none that is retired; of equal moments the later ids."""
    c = t.memories.c
    return (
        select(c.id)
        .where(c.namespace == namespace, c.category == category, c.state == State.LIVE)
        .where(c.tier.in_([Tier.DETAIL, Tier.ARCHIVE]), cast(c.summary_of, Text) == "[]")
        .where(c.status.not_in([str(status) for status in RETIRED]))
        .order_by(_touched(clocks).desc(), c.id.desc())
        .limit(count)
    )


def _touched(clocks: Collection[Clock]) -> ColumnElement[Any]:
    """What `retention.touched` says, in SQL: a function for the larger of two is not the same on both engines."""
    c = t.memories.c
    if set(clocks) == set(Clock):
        return c.touched_at
    if set(clocks) == {Clock.VERIFIED}:
        return case((c.verified_at.is_(None), c.learnt_at), else_=c.verified_at)
    columns = {Clock.VALID: c.valid_from, Clock.LEARNT: c.learnt_at, Clock.VERIFIED: c.verified_at}
    found, *others = (columns[clock] for clock in Clock if clock in clocks)
    latest: ColumnElement[Any] = found
    for column in others:
        latest = case((column > latest, column), else_=latest)  # a clock that never ran compares as unknown: not later
    return latest
