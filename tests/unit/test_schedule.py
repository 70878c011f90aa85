"""When a job is due: one run for each local slot, whatever the clocks and the machine do."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hmf.durations import Duration
from hmf.ledger.runs import FAILED, INTERRUPTED, OK, RUNNING
from hmf.policy.slots import Due, due, latest, next_runs, upcoming

PARIS = ZoneInfo("Europe/Paris")
NIGHTLY = {"review": "30 2 * * *"}
HOUR = Duration(hours=1)


def local(text: str, zone: ZoneInfo = PARIS, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold).astimezone(UTC)


def run(slot: str, outcome: str, ended: datetime, attempt: int = 1) -> dict[str, Any]:
    return {"slot": slot, "outcome": outcome, "attempt": attempt, "started_at": ended, "ended_at": ended}


class Register:
    """The register of runs, as far as `due` reads it."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Mapping[str, Any]]] = {}

    def do(self, found: list[Due], now: datetime, outcome: str = OK) -> None:
        for one in found:
            self.rows.setdefault(one.job, []).append(run(one.slot, outcome, now, one.attempt))

    def slots(self, job: str = "review") -> list[str]:
        return [row["slot"] for row in self.rows.get(job, [])]


def live_through(start: datetime, end: datetime, step: timedelta, cron: str = NIGHTLY["review"]) -> Register:
    register, now = Register(), start
    while now <= end:
        register.do(due({"review": cron}, now, PARIS, register.rows), now)
        now += step
    return register


def test_nothing_is_due_before_its_time_and_one_run_is_after() -> None:
    rows = {"review": [run("2026-11-29", OK, local("2026-11-29T02:30"))]}
    assert due(NIGHTLY, local("2026-11-30T02:29"), PARIS, rows) == []
    found = due(NIGHTLY, local("2026-11-30T02:30"), PARIS, rows)
    assert found == [Due("review", "2026-11-30", local("2026-11-30T02:30"))]


def test_three_nights_asleep_are_made_up_once() -> None:
    rows = {"review": [run("2026-11-27", OK, local("2026-11-27T02:31"))]}
    now = local("2026-11-30T09:00")
    found = due(NIGHTLY, now, PARIS, rows, awake_since=now)
    assert [(one.slot, one.late) for one in found] == [("2026-11-30", True)]
    after = {"review": [*rows["review"], run("2026-11-30", OK, now)]}
    assert due(NIGHTLY, now + timedelta(minutes=1), PARIS, after, awake_since=now) == []


def test_without_catch_up_a_missed_night_is_left_and_the_next_one_runs() -> None:
    now = local("2026-11-30T09:00")
    assert due(NIGHTLY, now, PARIS, {}, catch_up=False, awake_since=now) == []
    night = local("2026-12-01T02:30")
    assert [one.slot for one in due(NIGHTLY, night, PARIS, {}, catch_up=False, awake_since=now)] == ["2026-12-01"]


def test_without_catch_up_a_job_that_waited_for_a_longer_one_still_runs() -> None:
    awake, now = local("2026-11-29T09:00"), local("2026-11-30T04:30")
    assert len(due(NIGHTLY, now, PARIS, {}, catch_up=False, awake_since=awake)) == 1


def test_half_past_two_runs_once_on_the_night_that_has_it_twice() -> None:
    register = live_through(local("2026-10-24T12:00"), local("2026-10-25T12:00"), timedelta(seconds=30))
    assert register.slots() == ["2026-10-24", "2026-10-25"]
    assert register.rows["review"][1]["ended_at"] == local("2026-10-25T02:30", fold=0)


def test_half_past_two_missed_in_the_first_fold_is_made_up_in_the_second_and_not_twice() -> None:
    rows = {"review": [run("2026-10-24", OK, local("2026-10-24T02:30"))]}
    second = local("2026-10-25T02:05", fold=1)
    assert [one.slot for one in due(NIGHTLY, second, PARIS, rows)] == ["2026-10-25"]


def test_half_past_two_runs_once_on_the_night_that_lacks_it_at_the_next_moment_there_is() -> None:
    register = live_through(local("2026-03-28T12:00"), local("2026-03-29T12:00"), timedelta(seconds=30))
    assert register.slots() == ["2026-03-28", "2026-03-29"]
    assert register.rows["review"][1]["ended_at"] == local("2026-03-29T03:00")


def test_an_hourly_line_has_a_slot_an_hour_and_one_for_the_doubled_hour() -> None:
    register = live_through(
        local("2026-10-25T01:00"), local("2026-10-25T04:10"), timedelta(minutes=10), cron="0 * * * *"
    )
    assert register.slots() == [f"2026-10-25T0{hour}:00" for hour in (1, 2, 3, 4)]


def test_a_weekly_and_a_leap_day_line_find_their_last_slot() -> None:
    now = local("2026-11-30T12:00")
    weekly, leap = latest("0 4 * * sun", now, PARIS), latest("0 4 29 2 *", now, PARIS)
    assert weekly is not None
    assert weekly.name == "2026-11-29"
    assert leap is not None
    assert leap.name == "2024-02-29"


def test_a_failed_slot_is_tried_again_after_a_while_then_waits_for_the_next_night() -> None:
    start = local("2026-11-30T02:30")
    register, now, starts = Register(), start, []
    while now <= start + timedelta(hours=26):
        found = due(NIGHTLY, now, PARIS, register.rows, retries=2, retry_after=HOUR)
        register.do(found, now, FAILED)
        starts += [(now - start) // timedelta(hours=1) for _ in found]
        now += timedelta(minutes=1)
    assert starts == [0, 1, 2, 24, 25, 26]


def test_an_interrupted_run_is_tried_again_at_once_but_not_for_ever() -> None:
    night = local("2026-11-30T02:30")
    rows = [run("2026-11-30", INTERRUPTED, night)]
    found = due(NIGHTLY, night + timedelta(minutes=2), PARIS, {"review": rows}, retries=1)
    assert [one.attempt for one in found] == [2]
    rows.append(run("2026-11-30", INTERRUPTED, night, attempt=2))
    assert due(NIGHTLY, night + timedelta(minutes=4), PARIS, {"review": rows}, retries=1) == []


def test_a_run_that_another_process_has_in_hand_is_left_to_it() -> None:
    night = local("2026-11-30T02:30")
    row = {**run("2026-11-30", RUNNING, night), "ended_at": None}
    assert due(NIGHTLY, night + timedelta(hours=3), PARIS, {"review": [row]}) == []


def test_a_manual_run_does_not_stand_for_the_night() -> None:
    night = local("2026-11-30T02:30")
    assert len(due(NIGHTLY, night, PARIS, {"review": [run("manual:1", OK, night)]})) == 1


def test_a_clock_that_jumps_back_runs_nothing_twice() -> None:
    register = live_through(local("2026-11-27T00:00"), local("2026-11-30T12:00"), timedelta(minutes=30))
    for back in (timedelta(minutes=1), timedelta(hours=9, minutes=31), timedelta(days=2)):
        assert due(NIGHTLY, local("2026-11-30T12:00") - back, PARIS, register.rows) == []


def test_jobs_due_for_one_minute_go_in_their_order_and_earlier_ones_first() -> None:
    line = "30 3 * * *"
    jobs = dict.fromkeys(("tidy", "expire", "summarise", "archive", "review"), line) | {"early": "20 3 * * *"}
    found = due(jobs, local("2026-11-30T03:31"), PARIS, {})
    assert [one.job for one in found] == ["early", "review", "archive", "summarise", "expire", "tidy"]


def test_a_job_without_a_line_never_runs() -> None:
    now = local("2026-11-30T12:00")
    assert due({"review": None}, now, PARIS, {}) == []
    assert next_runs({"review": None}, now, PARIS, {}) == []


def test_the_next_run_is_the_next_slot_or_the_retry_that_comes_before() -> None:
    now = local("2026-11-30T03:00")
    assert [one.at for one in next_runs(NIGHTLY, now, PARIS, {})] == [local("2026-12-01T02:30")]
    failed = {"review": [run("2026-11-30", FAILED, local("2026-11-30T02:31"))]}
    (retry,) = next_runs(NIGHTLY, now, PARIS, failed, retry_after=HOUR)
    assert (retry.at, retry.retry) == (local("2026-11-30T03:31"), True)


@pytest.mark.parametrize(
    ("zone", "moment", "expected"),
    [
        # Lord Howe's clocks jump by half an hour; Samoa skipped all of 30 December 2011.
        ("Australia/Lord_Howe", "2026-10-04T01:00", "2026-10-04T02:30"),
        ("Pacific/Apia", "2011-12-29T23:00", "2011-12-31T00:00"),
    ],
)
def test_a_moment_the_clocks_jump_over_becomes_the_first_after_it(zone: str, moment: str, expected: str) -> None:
    there = ZoneInfo(zone)
    cron = "10 2 * * *"
    assert upcoming(cron, local(moment, there), there) == local(expected, there)


ZONES = [ZoneInfo(name) for name in ("Europe/Paris", "America/Montreal", "Australia/Lord_Howe", "Asia/Kolkata", "UTC")]


@settings(max_examples=60, deadline=None)
@given(
    zone=st.sampled_from(ZONES),
    hour=st.integers(0, 23),
    minute=st.integers(0, 59),
    day=st.integers(0, 365),
    naps=st.lists(st.integers(1, 60 * 50), min_size=1, max_size=12),
)
def test_no_slot_runs_twice_and_no_day_is_lost_while_awake(
    zone: ZoneInfo, hour: int, minute: int, day: int, naps: list[int]
) -> None:
    register, jobs = Register(), {"review": f"{minute} {hour} * * *"}
    now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day)
    begun = now
    for nap in naps:
        register.do(due(jobs, now, zone, register.rows), now)
        now += timedelta(minutes=nap)
    register.do(due(jobs, now, zone, register.rows), now)
    slots = register.slots()
    assert len(slots) == len(set(slots))
    assert slots == sorted(slots)
    newest = latest(jobs["review"], now, zone)
    assert newest is not None
    assert slots[-1] == newest.name
    assert begun - timedelta(days=2) < newest.at <= now


@settings(max_examples=60, deadline=None)
@given(zone=st.sampled_from(ZONES), hour=st.integers(0, 23), minute=st.integers(0, 59), minutes=st.integers(0, 525_600))
def test_a_daily_line_has_one_slot_a_local_day(zone: ZoneInfo, hour: int, minute: int, minutes: int) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    cron = f"{minute} {hour} * * *"
    here = latest(cron, now, zone)
    coming = upcoming(cron, now, zone)
    assert here is not None
    assert coming is not None
    after = latest(cron, coming, zone)
    assert after is not None
    assert here.at <= now < coming == after.at
    days = datetime.fromisoformat(after.name).date() - datetime.fromisoformat(here.name).date()
    assert days == timedelta(days=1)
