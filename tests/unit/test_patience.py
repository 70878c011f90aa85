"""How long the review waits is written in one place of the configuration, and all that speaks of it reads it there."""

from __future__ import annotations

from pathlib import Path

from hmf.config import load
from hmf.durations import Duration
from hmf.memory import Patience
from tests.service import LIGHT, Clock, open_memory

HASTY = {**LIGHT, "review": {"fresh_for": "4d", "unconfirmed": "6d", "unfiled": "2d"}}


def test_the_defaults_are_those_of_the_domain_and_a_key_changes_one() -> None:
    assert load(None, environ={}).review.patience() == Patience()
    assert load({"review": {"unfiled": "3d"}}, environ={}).review.patience() == Patience(unfiled=Duration(days=3))


def test_the_nights_and_the_forecast_wait_as_long_as_the_configuration_says(tmp_path: Path) -> None:
    clock = Clock()
    with open_memory(tmp_path, clock, HASTY) as hmf:
        price = hmf.add("Paper: see the shop.", category="tasks", volatile=True)
        guess = hmf.add("Perhaps the editor left.", category="tasks", kind="hypothesis")
        assert price.id
        assert hmf.get(price.id).fresh_for == Duration(days=4)
        foreseen = [row for row in hmf.forecast(1).rows if row.policy == "volatile_stale"]
        assert [row.total for row in foreseen] == [1]
        clock.forward(days=3)
        assert hmf.plan("review", file=False).actions == ()
        clock.forward(days=2)
        assert [a.targets[0].id for a in hmf.plan("review", file=False).actions] == [price.id]
        clock.forward(days=2)
        codes = {a.targets[0].id: a.reason.code for a in hmf.plan("review", file=False).actions}
        assert codes == {price.id: "volatile_stale", guess.id: "hypothesis_old"}
