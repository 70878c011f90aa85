"""A plan that would leave nothing but the pinned in a category: it stops, and a word must be said for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hmf import Hmf
from hmf.errors import Refused
from hmf.memory import Confirm, Tier
from hmf.policy.shares import empties, stops
from tests.service import LIGHT, Clock, open_memory

IDEAS: dict[str, Any] = {"stale_after": "30d", "confirm": "auto", "max_share_per_run": 0.6}


def config(**policy: Any) -> dict[str, Any]:
    inbox = {"routable": False, "policy": {"on_project_finished": None}}
    return {**LIGHT, "categories": {"inbox": inbox, "ideas": {"policy": {**IDEAS, **policy}}}}


def fill(hmf: Hmf, clock: Clock, free: int, pinned: int) -> None:
    for n in range(free + pinned):
        hmf.add(f"Idea number {n} on the lamps.", category="ideas", kind="note", pinned=n >= free)
    clock.forward(days=40)


def archived(hmf: Hmf) -> int:
    return sum(m.tier is Tier.ARCHIVE for m in hmf.memories(limit=None))


@pytest.mark.parametrize(
    ("touched", "total", "free", "limit", "stopped"),
    [
        (9, 9, 9, 0.1, False),  # a few
        (3, 10, 10, 0.3, False),
        (4, 10, 10, 0.3, True),
        (10, 30, 10, 0.5, True),  # all but the pinned
        (9, 30, 9, 0.5, False),
        (10, 30, 11, 0.5, False),
        (30, 30, 30, 1.0, False),  # a share of 1 says so
    ],
)
def test_a_plan_stops_at_its_share_and_where_only_the_pinned_would_be_left(touched, total, free, limit, stopped):
    assert stops(touched, total, free, limit) is stopped


def test_ten_are_the_least_that_can_be_emptied():
    assert (empties(9, 9), empties(10, 10), empties(10, 11)) == (False, True, False)


@pytest.mark.parametrize("policy", [{}, {"archive_to": "shelf"}])
def test_all_but_the_pinned_is_held_back_and_foreseen_so(tmp_path: Path, policy: dict[str, Any]) -> None:
    clock = Clock()
    settings = config(**policy)
    settings["categories"]["shelf"] = {"policy": {"on_project_finished": None}}
    with open_memory(tmp_path, clock, settings) as hmf:
        fill(hmf, clock, free=12, pinned=20)
        foreseen = {(row.outcome, row.waiting) for row in hmf.forecast(1).rows}
        assert foreseen == {("held", 12)}
        plan = hmf.plan("archive")
        assert {action.confirm for action in plan.actions} == {Confirm.ASK}
        [stop] = plan.stops
        assert (stop.touched, stop.total, stop.left) == (12, 32, 0)
        hmf.run("archive")
        assert archived(hmf) == 0


def test_approving_all_of_it_is_refused_unless_forced_and_what_is_named_together_too(tmp_path: Path) -> None:
    clock = Clock()
    with open_memory(tmp_path, clock, config(confirm="ask")) as hmf:
        fill(hmf, clock, free=12, pinned=1)
        plan = hmf.plan("archive")
        keys = [action.key for action in plan.actions]
        for approve in ("all", keys):
            with pytest.raises(Refused, match=r"ideas \(12 memories\)") as caught:
                hmf.apply(plan, approve=approve)
            assert "--force" in str(caught.value.fix)
        assert archived(hmf) == 0
        assert len(hmf.apply(plan, refuse=keys[:1]).applied) == 11  # one stays: that is no emptying
        assert archived(hmf) == 11


def test_force_and_a_share_of_one_both_say_that_it_is_meant(tmp_path: Path) -> None:
    clock = Clock()
    with open_memory(tmp_path / "forced", clock, config(confirm="ask")) as hmf:
        fill(hmf, clock, free=12, pinned=1)
        assert len(hmf.apply(hmf.plan("archive"), force=True).applied) == 12
    with open_memory(tmp_path / "written", clock, config(max_share_per_run=1.0)) as hmf:
        fill(hmf, clock, free=12, pinned=1)
        hmf.run("archive")
        assert archived(hmf) == 12
