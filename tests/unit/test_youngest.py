"""The youngest of a category: the ledger answers what the rule of retention would."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from hmf.ledger.ledger import Batch, Change, Ledger
from hmf.memory import RETIRED, Clock, State, Status, Tier
from hmf.policy.retention import touched
from tests.unit.factory import NOON, memory


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    opened = Ledger(f"sqlite:///{tmp_path / 'ledger.db'}")
    yield opened
    opened.close()


def test_they_are_those_that_were_touched_last_by_whichever_clocks_count(ledger: Ledger) -> None:
    dice = Random(7)

    def some_day() -> timedelta:
        return timedelta(days=dice.randrange(12))

    rows = [
        memory(
            f"Note {n}.",
            category=dice.choice(["tasks", "tasks", "tasks", "ideas"]),
            namespace=dice.choice(["default", "default", "other"]),
            tier=dice.choice([Tier.DETAIL, Tier.DETAIL, Tier.ARCHIVE, Tier.SUMMARY]),
            status=dice.choice([*Status, Status.CONFIRMED]),
            state=dice.choice([State.LIVE, State.LIVE, State.LIVE, State.FORGOTTEN]),
            summary_of=dice.choice([(), (), (), ("x",)]),
            valid_from=NOON - some_day(),
            learnt_at=NOON - some_day(),
            verified_at=dice.choice([None, NOON - some_day()]),
            pinned=dice.random() < 0.3,
        )
        for n in range(300)
    ]
    rows = ledger.commit(Batch("b1", NOON, "default", "add"), [Change(None, m, "add") for m in rows])
    standing = [
        m
        for m in rows
        if (m.namespace, m.category, m.state) == ("default", "tasks", State.LIVE)
        and m.tier in (Tier.DETAIL, Tier.ARCHIVE)
        and not m.summary_of
        and m.status not in RETIRED
    ]
    assert len(standing) > 20
    for size in (1, 2, 3):
        for clocks in combinations(Clock, size):
            by_age = sorted(standing, key=lambda m: (touched(m, clocks), m.id), reverse=True)
            for count in (1, 5, 1000):
                assert ledger.youngest("default", "tasks", clocks, count) == {m.id for m in by_age[:count]}, clocks
