"""Which memories have had their time: one pure verdict from a category's policy, the memory's clocks and `now`.

Being recalled never counts: a wrong but popular memory must not look fresh.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from hmf.durations import Duration
from hmf.memory import Category, Clock, Confirm, Kind, Memory, Policy, Project, RoutedBy, State, Tier, When
from hmf.policy.conditions import encoded, governing

AGELESS = frozenset({Kind.DECISION, Kind.CONSTRAINT})
"""Kinds that no age alone may touch, even under a policy that forgot to keep them."""

SURE = 0.9
"""Routing confidence from which a filing counts as certain: 96 to 97 % of those at 0.9 and above were right, 87 to 91 %
of those at 0.8 to 0.9 (docs/routing.md). A wrong drawer must not be what kills a memory: below it a person is asked."""

_FIELDS = {Clock.VALID: "valid_from", Clock.LEARNT: "learnt_at", Clock.VERIFIED: "verified_at"}
_ORDER = (Clock.LEARNT, Clock.VERIFIED, Clock.VALID)
"""Of clocks that show the same, the one to speak of."""

_TICK = timedelta(microseconds=1)


class Fate(StrEnum):
    """What a policy wants done with a memory."""

    ARCHIVE = "archive"
    FORGET = "forget"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A fate, the reason code with its values (see `hmf.plan.Reason`), and who must confirm.

    `archive_to`: the category it goes to, None for the archive tier of its own.
    """

    fate: Fate
    code: str
    values: Mapping[str, str | int | float]
    confirm: Confirm
    archive_to: str | None = None


BY_AGE = frozenset({"stale", "expired_age"})
"""Codes of the verdicts that the last so many of a category are kept from."""


class _Case(NamedTuple):
    """A memory before the policy that governs it, and the condition of the rule that this policy came from."""

    memory: Memory
    policy: Policy
    when: When | None
    now: datetime
    zone: tzinfo

    @property
    def tagged(self) -> bool:
        if not self.policy.keep.tags or not self.memory.tags:
            return False
        kept = {tag.casefold() for tag in self.policy.keep.tags}
        return any(tag.casefold() in kept for tag in self.memory.tags)

    def because(self, **values: str | int | float) -> Mapping[str, str | int | float]:
        """The values of a reason, with the condition of the rule where one decided."""
        return values if self.when is None else {**values, "when": encoded(self.when)}

    def day(self, moment: datetime) -> str:
        return moment.astimezone(self.zone).date().isoformat()


def last_touch(memory: Memory, clocks: Collection[Clock]) -> tuple[Clock, datetime]:
    """The latest of the clocks the policy counts, and what it shows; where none of them ever ran, the learning."""
    shown = ((clock, memory.clock(clock)) for clock in _ORDER if clock in clocks)
    ran = [(clock, moment) for clock, moment in shown if moment is not None]
    return max(ran, key=lambda one: one[1], default=(Clock.LEARNT, memory.learnt_at))


def touched(memory: Memory, clocks: Collection[Clock]) -> datetime:
    """The latest of the clocks the policy counts; the day it was learnt where none of them ever ran."""
    latest: datetime | None = None
    for clock in clocks:  # spelled out: a forecast asks it a million times
        shown: datetime | None = getattr(memory, _FIELDS[clock])
        if shown is not None and (latest is None or shown > latest):
            latest = shown
    return latest or memory.learnt_at


@lru_cache(maxsize=256)  # one moment and one limit judge a hundred thousand rows
def edge(limit: Duration, now: datetime, zone: tzinfo) -> datetime:
    """The first moment that is still young: a memory touched before it has reached `limit`."""
    return limit.before(now, zone) + _TICK


def verdict(
    memory: Memory,
    category: Category,
    projects: Mapping[str, Project],
    now: datetime,
    zone: tzinfo,
    *,
    last: Collection[str] = (),
) -> Verdict | None:
    """What the category's policy wants done with the memory at `now`, or None. `last`: ids of the so many youngest
    that it keeps.

    The first rule of the policy that fits the memory decides in its place. The strongest reason wins: an expiry date, a
    finished project, the age limit, staleness. Pinned and forgotten memories, sessions and summaries are out of reach.
    Archived details can be let go, and are never archived again.
    """
    within_reach = memory.tier in (Tier.DETAIL, Tier.ARCHIVE) and not memory.summary_of
    if memory.pinned or memory.state is not State.LIVE or not within_reach:
        return None
    when, policy = governing(category.policy, memory)
    case = _Case(memory, policy, when, now, zone)
    return _expired(case) or _finished(case, projects) or (None if memory.id in last else _aged(case) or _stale(case))


def _expired(case: _Case) -> Verdict | None:
    """A date on the memory itself. It also ends what the policy keeps by kind or tag, but then a person is asked."""
    ends, policy = case.memory.expires_at, case.policy
    if ends is None or case.now < ends:
        return None
    kept = case.tagged or case.memory.kind in policy.keep.kinds | AGELESS
    confirm = Confirm.ASK if kept and policy.confirm is Confirm.AUTO else _confirm(case)
    return Verdict(Fate.FORGET, "expired", {"date": case.day(ends - _TICK)}, confirm)


def _finished(case: _Case, projects: Mapping[str, Project]) -> Verdict | None:
    """Details of a finished project. A note learnt after the end has its own full delay."""
    memory, rule = case.memory, case.policy.on_project_finished
    project = projects.get(memory.project) if memory.project else None
    if rule is None or project is None or project.finished_at is None or memory.tier is not Tier.DETAIL:
        return None
    if memory.kind in rule.keep | case.policy.keep.kinds or case.tagged:
        return None
    if case.now < rule.after.after(max(project.finished_at, memory.learnt_at), case.zone):
        return None
    values = case.because(project=project.name, date=case.day(project.finished_at), delay=str(rule.after))
    return Verdict(Fate.FORGET, "project_finished", values, _confirm(case))


def _aged(case: _Case) -> Verdict | None:
    limit = case.policy.expire_after
    touch = _outlived(case, limit)
    if limit is None or touch is None:
        return None
    values = case.because(limit=str(limit), clock=str(touch[0]), since=case.day(touch[1]))
    return Verdict(Fate.FORGET, "expired_age", values, _confirm(case))


def _stale(case: _Case) -> Verdict | None:
    limit = case.policy.stale_after
    touch = _outlived(case, limit) if case.memory.tier is Tier.DETAIL else None
    if limit is None or touch is None:
        return None
    days = (case.now - touch[1]).days
    values = case.because(days=days, limit=str(limit), clock=str(touch[0]), since=case.day(touch[1]))
    return Verdict(Fate.ARCHIVE, "stale", values, case.policy.confirm, case.policy.archive_to)


def _outlived(case: _Case, limit: Duration | None) -> tuple[Clock, datetime] | None:
    """What touched it last, where that is past `limit`. A clock in the future makes a memory young, never old."""
    memory, policy = case.memory, case.policy
    if limit is None or memory.kind in policy.keep.kinds | AGELESS or case.tagged:
        return None
    if touched(memory, policy.touched_by) >= edge(limit, case.now, case.zone):
        return None
    return last_touch(memory, policy.touched_by)


def _confirm(case: _Case) -> Confirm:
    """Who confirms a forgetting: a person, where the memory lies in this category only by doubt."""
    by, policy = case.memory.route.by, case.policy
    doubtful = by is RoutedBy.INBOX or (by is RoutedBy.EMBEDDING and case.memory.route.confidence < SURE)
    return Confirm.ASK if doubtful and policy.confirm is Confirm.AUTO else policy.confirm
