"""What a view can leave out before a policy judges: conditions that are necessary, never sufficient."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from hmf.durations import Duration
from hmf.memory import Clock, Kind, Policy
from hmf.policy.retention import edge


@dataclass(frozen=True, slots=True)
class Reach:
    """How far one age limit of a policy reaches. `touched_before` None: nothing can be left out by age; `kinds` empty:
    nothing by kind."""

    touched_before: datetime | None
    kinds: tuple[Kind, ...]

    @property
    def asked(self) -> Mapping[str, Any]:
        """As arguments of `View.memories`."""
        return {"touched_before": self.touched_before, "kinds": self.kinds}


def stale_reach(policy: Policy, now: datetime, zone: tzinfo) -> Reach | None:
    """How far `stale_after` reaches, in whichever rule; None where no rule has it."""
    return _reach(policy, policy.stale_after, [rule.policy.stale_after for rule in policy.rules], now, zone)


def expiry_reach(policy: Policy, now: datetime, zone: tzinfo) -> Reach | None:
    """How far `expire_after` reaches, in whichever rule; None where no rule has it."""
    return _reach(policy, policy.expire_after, [rule.policy.expire_after for rule in policy.rules], now, zone)


def _reach(
    policy: Policy, own: Duration | None, of_rules: list[Duration | None], now: datetime, zone: tzinfo
) -> Reach | None:
    acting = [(limit, rule.policy, rule.when) for limit, rule in zip(of_rules, policy.rules, strict=True) if limit]
    limits = [(own, policy)] if own else []
    limits += [(limit, of_rule) for limit, of_rule, _ in acting]
    if not limits:
        return None
    before: datetime | None = None
    if all(set(one.touched_by) == set(Clock) for _, one in limits):  # a view knows the latest of all three clocks only
        before = max(edge(limit, now, zone) for limit, _ in limits)  # the shortest limit reaches the youngest
    kinds: set[Kind] = set()
    if own is None and all(when.kinds for _, _, when in acting):
        kinds = {kind for _, _, when in acting for kind in when.kinds}
    return Reach(before, tuple(kind for kind in Kind if kind in kinds))
