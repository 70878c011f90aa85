"""Retention on a real store: what the preview shows is what goes, and a date ends where its user's day ends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from hmf import Hmf
from hmf.memory import State, Tier
from tests.service import LIGHT, Clock, open_memory

IDEAS: dict[str, Any] = {
    **LIGHT,
    "categories": {
        "inbox": {"routable": False},
        "ideas": {"policy": {"stale_after": "60d", "confirm": "auto", "expire_after": "1y"}},
    },
}


def planned(hmf: Hmf, job: str) -> set[str]:
    return {target.id for action in hmf.plan(job, file=False).actions for target in action.targets}


def add(hmf: Hmf, first: int, count: int, **more: Any) -> set[str]:
    notes = [
        {"text": f"Idea number {n}.", "category": "ideas", "kind": "note", **more} for n in range(first, first + count)
    ]
    return {added.id for added in hmf.add_many(notes) if added.id}


def test_of_many_notes_exactly_the_stale_ones_go_and_the_pinned_stay(tmp_path: Path) -> None:
    clock = Clock()
    with open_memory(tmp_path, clock, IDEAS) as hmf:
        stale = add(hmf, 0, 300)
        pinned = add(hmf, 300, 5, pinned=True, expires_at="2026-12-15")
        clock.forward(days=60)
        fresh = add(hmf, 400, 1195)
        preview = planned(hmf, "archive") | planned(hmf, "expire")
        assert preview == stale
        nights = 0
        while any(hmf.run(job).applied for job in ("expire", "archive")):
            nights += 1
        assert nights == 1  # stable after the first
        archived = {m.id for m in hmf.memories(limit=None) if m.tier is Tier.ARCHIVE}
        assert archived == stale
        assert {m.id for m in hmf.memories(limit=None)} == stale | pinned | fresh
        assert planned(hmf, "archive") == planned(hmf, "expire") == set()


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "Europe/Paris", "America/Los_Angeles"])
def test_a_date_holds_through_the_day_of_its_user_and_a_time_to_the_minute(tmp_path: Path, zone: str) -> None:
    here = ZoneInfo(zone)
    ends = {  # as it is written: the first moment at which it is over
        "2026-12-01": datetime(2026, 12, 2, tzinfo=here),
        "2026-12-01T18:00": datetime(2026, 12, 1, 18, tzinfo=here),
        "2026-12-01T18:00Z": datetime(2026, 12, 1, 18, tzinfo=UTC),
        "2026-12-01T18:00+02:00": datetime(2026, 12, 1, 16, tzinfo=UTC),
    }
    clock = Clock(datetime(2026, 11, 20, 12, tzinfo=UTC))
    with open_memory(tmp_path, clock, {**IDEAS, "timezone": zone}) as hmf:
        ids = {hmf.add(f"Offer of {said}.", category="ideas", expires_at=said).id: end for said, end in ends.items()}
        moments = [datetime(2026, 11, 30, 23, 59, tzinfo=here), datetime(2026, 12, 1, 23, 59, tzinfo=here)]
        moments += [datetime(2026, 12, 2, 0, 1, tzinfo=here)]
        moments += [end + step for end in ends.values() for step in (-timedelta(minutes=1), timedelta())]
        for moment in sorted(moments):
            clock.moment = moment.astimezone(UTC)
            assert planned(hmf, "expire") == {i for i, end in ids.items() if moment >= end}, moment
        hmf.run("expire")
        assert {hmf.get(i).state for i in ids if i} == {State.FORGOTTEN}
