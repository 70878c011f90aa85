"""What a search may return at all: the caller's bounds, and the ledger's word on every row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from hmf.index.port import Between
from hmf.memory import RETIRED, Kind, Memory, State, Tier
from hmf.recall.understand import Question


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds the caller sets. Empty sequences mean no bound."""

    namespace: str
    k: int
    categories: Sequence[str] = ()
    project: str | None = None
    kinds: Sequence[Kind] = ()
    since: datetime | None = None
    until: datetime | None = None
    archive: bool | None = None
    """True: search it with the rest; False: never; None: only when nothing else answers."""
    first: int = 4
    pool: int = 60


def hull(limits: Limits, question: Question) -> Between:
    """The span the engine filters by: the caller's bounds, else from the first to the last of the question's."""
    if limits.since or limits.until or not question.during:
        return Between(limits.since, limits.until)
    starts, ends = [r.since for r in question.during], [r.until for r in question.during]
    return Between(
        None if None in starts else min(s for s in starts if s),
        None if None in ends else max(e for e in ends if e),
    )


def within_span(moment: datetime, span: Between) -> bool:
    """True inside a closed range, either end of which may be open."""
    return (span.since is None or moment >= span.since) and (span.until is None or moment <= span.until)


def allowed(memory: Memory, question: Question, limits: Limits, now: datetime) -> bool:
    """The ledger's word: a row the index has not caught up with is judged as it is now."""
    bounded = limits.since is not None or limits.until is not None
    spans = (Between(limits.since, limits.until),) if bounded else question.during
    return (
        memory.state is State.LIVE
        and memory.namespace == limits.namespace
        and (question.history or (memory.status not in RETIRED and not expired(memory, now)))
        # An earlier wording of a summary is no history: what it was made of is.
        and not (memory.tier is Tier.SUMMARY and memory.status in RETIRED)
        and (memory.tier is not Tier.ARCHIVE or limits.archive is True)
        and (not limits.categories or memory.category in limits.categories)
        and (limits.project is None or memory.project == limits.project)
        and (not limits.kinds or memory.kind in limits.kinds)
        and (not spans or any(within_span(memory.valid_from, span) for span in spans))
    )


def expired(memory: Memory, now: datetime) -> bool:
    """True once its expiry is past: it is no present truth any more, whether or not a night has let it go."""
    return memory.expires_at is not None and memory.expires_at <= now
