"""Which memories have had their time: one pure verdict from a category's policy, the memory's clocks and `now`.

Being recalled never counts: a wrong but popular memory must not look fresh.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from enum import StrEnum
from functools import lru_cache

from hmf.durations import Duration
from hmf.memory import Category, Clock, Confirm, Kind, Memory, Policy, Project, RoutedBy, State, Tier

AGELESS = frozenset({Kind.DECISION, Kind.CONSTRAINT})
"""Kinds that no age alone may touch, even under a policy that forgot to keep them."""

SURE = 0.9
"""Routing confidence from which a filing counts as certain: 96 to 97 % of those at 0.9 and above were right, 87 to 91 %
of those at 0.8 to 0.9 (docs/routing.md). A wrong drawer must not be what kills a memory: below it a person is asked."""

_TICK = timedelta(microseconds=1)


class Fate(StrEnum):
    """What a policy wants done with a memory."""

    ARCHIVE = "archive"
    FORGET = "forget"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A fate, the reason code with its values (see `hmf.plan.Reason`), and who must confirm."""

    fate: Fate
    code: str
    values: Mapping[str, str | int | float]
    confirm: Confirm


def touched(memory: Memory, clocks: Collection[Clock]) -> datetime:
    """The latest of the clocks the policy counts; the day it was learnt where none of them ever ran."""
    shown = (memory.clock(clock) for clock in clocks)
    return max((moment for moment in shown if moment is not None), default=memory.learnt_at)


@lru_cache(maxsize=256)  # one moment and one limit judge a hundred thousand rows
def edge(limit: Duration, now: datetime, zone: tzinfo) -> datetime:
    """The first moment that is still young: a memory touched before it has reached `limit`."""
    return limit.before(now, zone) + _TICK


def reads_all_clocks(policy: Policy) -> bool:
    """Whether the policy counts all three clocks, so that `touched_before` of a view leaves out nothing it wants."""
    return set(policy.touched_by) == set(Clock)


def verdict(
    memory: Memory, category: Category, projects: Mapping[str, Project], now: datetime, zone: tzinfo
) -> Verdict | None:
    """What the category's policy wants done with the memory at `now`, or None.

    The strongest reason wins: an expiry date, a finished project, the age limit, staleness. Pinned and forgotten
    memories, sessions and summaries are out of reach. Archived details can be let go, and are never archived again.
    """
    within_reach = memory.tier in (Tier.DETAIL, Tier.ARCHIVE) and not memory.summary_of
    if memory.pinned or memory.state is not State.LIVE or not within_reach:
        return None
    return (
        _expired(memory, category.policy, now, zone)
        or _finished(memory, category.policy, projects, now, zone)
        or _aged(memory, category.policy, now, zone)
        or _stale(memory, category.policy, now, zone)
    )


def _expired(memory: Memory, policy: Policy, now: datetime, zone: tzinfo) -> Verdict | None:
    """A date on the memory itself. It also ends what the policy keeps by kind or tag, but then a person is asked."""
    if memory.expires_at is None or now < memory.expires_at:
        return None
    last_day = (memory.expires_at - _TICK).astimezone(zone).date()
    kept = _tagged(memory, policy) or memory.kind in policy.keep.kinds | AGELESS
    confirm = Confirm.ASK if kept and policy.confirm is Confirm.AUTO else _confirm(memory, policy)
    return Verdict(Fate.FORGET, "expired", {"date": last_day.isoformat()}, confirm)


def _finished(
    memory: Memory, policy: Policy, projects: Mapping[str, Project], now: datetime, zone: tzinfo
) -> Verdict | None:
    """Details of a finished project. A note learnt after the end has its own full delay."""
    rule = policy.on_project_finished
    project = projects.get(memory.project) if memory.project else None
    if rule is None or project is None or project.finished_at is None or memory.tier is not Tier.DETAIL:
        return None
    if memory.kind in rule.keep | policy.keep.kinds or _tagged(memory, policy):
        return None
    if now < rule.after.after(max(project.finished_at, memory.learnt_at), zone):
        return None
    day = project.finished_at.astimezone(zone).date()
    values = {"project": project.name, "date": day.isoformat()}
    return Verdict(Fate.FORGET, "project_finished", values, _confirm(memory, policy))


def _aged(memory: Memory, policy: Policy, now: datetime, zone: tzinfo) -> Verdict | None:
    if policy.expire_after is None or not _old(memory, policy, policy.expire_after, now, zone):
        return None
    return Verdict(Fate.FORGET, "expired_age", {"limit": str(policy.expire_after)}, _confirm(memory, policy))


def _stale(memory: Memory, policy: Policy, now: datetime, zone: tzinfo) -> Verdict | None:
    if policy.stale_after is None or memory.tier is not Tier.DETAIL:
        return None
    if not _old(memory, policy, policy.stale_after, now, zone):
        return None
    days = (now - touched(memory, policy.touched_by)).days
    return Verdict(Fate.ARCHIVE, "stale", {"days": days, "limit": str(policy.stale_after)}, policy.confirm)


def _old(memory: Memory, policy: Policy, limit: Duration, now: datetime, zone: tzinfo) -> bool:
    """Past `limit` by age alone. A clock that shows the future makes a memory young, never old."""
    if memory.kind in policy.keep.kinds | AGELESS or _tagged(memory, policy):
        return False
    return touched(memory, policy.touched_by) < edge(limit, now, zone)


def _tagged(memory: Memory, policy: Policy) -> bool:
    kept = {tag.casefold() for tag in policy.keep.tags}
    return bool(kept) and any(tag.casefold() in kept for tag in memory.tags)


def _confirm(memory: Memory, policy: Policy) -> Confirm:
    """Who confirms a forgetting: a person, where the memory lies in this category only by doubt."""
    by = memory.route.by
    doubtful = by is RoutedBy.INBOX or (by is RoutedBy.EMBEDDING and memory.route.confidence < SURE)
    return Confirm.ASK if doubtful and policy.confirm is Confirm.AUTO else policy.confirm
