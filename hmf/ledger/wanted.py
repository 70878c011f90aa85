"""Which memories to list, and the conditions of that in SQL."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_

from hmf.ledger import tables as t
from hmf.memory import Kind, State, Status, Tier


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
    unsummarised: bool = False


def conditions(wanted: Wanted, *, in_id_order: bool = False) -> Any:
    """The WHERE clause; `in_id_order` where the rows are asked for by id, part by part."""
    c = t.memories.c
    # A whole namespace in the order of ids is read along the primary key: by the namespace's index, each part of it
    # would sort all of it again. Joining an empty string keeps that index out.
    whole = in_id_order and not (wanted.categories or wanted.project or wanted.touched_before)
    found: list[Any] = [(c.namespace.concat("") if whole else c.namespace) == wanted.namespace]
    many = ((c.category, wanted.categories), (c.tier, wanted.tiers), (c.kind, wanted.kinds))
    for column, values in (*many, (c.status, wanted.statuses), (c.state, wanted.states)):
        if values:
            found.append(column.in_([str(v) for v in values]))
    if wanted.project is not None:
        found.append(c.project == wanted.project)
    flags = ((c.pinned, wanted.pinned), (c.volatile, wanted.volatile))
    found += [column.is_(flag) for column, flag in flags if flag is not None]
    bounds = (
        (operator.ge, c.valid_from, wanted.since),
        (operator.le, c.valid_from, wanted.until),
        (operator.lt, c.touched_at, wanted.touched_before),
        (operator.le, c.expires_at, wanted.expired_by),
    )
    found += [compare(column, bound) for compare, column, bound in bounds if bound is not None]
    if wanted.unsummarised:
        found.append(c.summarised_in.is_(None))
    return and_(*found)
