"""The schedule on a real store with an injected clock: missed, doubled, failing and interrupted runs (C46, C48)."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from hmf import Hmf
from hmf.errors import Conflict, StoreUnavailable
from hmf.ledger.runs import FAILED, INTERRUPTED, OK
from hmf.plan import Plan, View
from hmf.schedule import Scheduler, overview
from hmf.service import curating

PARIS = ZoneInfo("Europe/Paris")
LINE = "30 2 * * *"
PATIENCE = 20.0


class Clock:
    def __init__(self, text: str) -> None:
        self.now = datetime.fromisoformat(text).replace(tzinfo=PARIS).astimezone(UTC)

    def __call__(self) -> datetime:
        return self.now

    def set(self, text: str) -> datetime:
        self.now = datetime.fromisoformat(text).replace(tzinfo=PARIS).astimezone(UTC)
        return self.now

    def later(self, **span: float) -> datetime:
        self.now += timedelta(**span)
        return self.now


class FakeJob:
    """A job whose behaviour the test chooses; it notes when it was asked."""

    def __init__(self, name: str, calls: list[str]) -> None:
        self.name = name
        self.calls = calls
        self.error: Exception | None = None
        self.entered = threading.Event()
        self.may_end = threading.Event()
        self.may_end.set()

    def plan(self, view: View, now: datetime) -> Plan:
        self.calls.append(self.name)
        self.entered.set()
        assert self.may_end.wait(PATIENCE)
        if self.error is not None:
            raise self.error
        return Plan(self.name, view.namespace, now, ())


class House:
    """A home that can be closed and opened again, its jobs and its clock."""

    def __init__(self, home: Path, clock: Clock) -> None:
        self.home, self.clock = home, clock
        self.calls: list[str] = []
        self.jobs = {name: FakeJob(name, self.calls) for name in ("archive", "expire", "review", "summarise")}
        self.lines: dict[str, str | None] = {"review": LINE, "archive": None, "expire": None, "summarise": None}
        self.memory = self.open()
        self.memory.add("Acme wants short paragraphs in its blog posts.")

    def open(self, **schedule: Any) -> Hmf:
        config = {
            "embedder": {"name": "hash"},
            "timezone": "Europe/Paris",
            "store": {"index": {"engine": "memory"}},
            "schedule": {"jobs": self.lines, **schedule},
        }
        self.memory = Hmf.open(self.home, config, self.clock)
        return self.memory

    def reopen(self, **schedule: Any) -> Hmf:
        self.memory.close()
        return self.open(**schedule)

    def runs(self, job: str = "review") -> list[tuple[str, str]]:
        return [(row["slot"], row["outcome"]) for row in reversed(self.memory.store.runs.recent(job=job))]


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    jobs: dict[str, FakeJob] = {}
    monkeypatch.setattr(curating, "installed_jobs", lambda: jobs)
    house = House(tmp_path, Clock("2026-11-26T12:00"))
    jobs.update(house.jobs)
    yield house
    house.memory.close()


def test_three_nights_asleep_are_made_up_once_and_the_next_run_is_shown(house: House) -> None:
    house.clock.set("2026-11-27T02:30")
    Scheduler(house.memory).tick()
    house.reopen()
    house.clock.set("2026-11-30T09:00")
    scheduler = Scheduler(house.memory)
    assert [(one.slot, one.late) for one in scheduler.tick()] == [("2026-11-30", True)]
    house.clock.later(seconds=30)
    assert scheduler.tick() == []
    assert house.runs() == [("2026-11-27", OK), ("2026-11-30", OK)]
    state = next(s for s in overview(house.memory, house.clock()) if s.job == "review")
    assert state.next_at == datetime(2026, 12, 1, 1, 30, tzinfo=UTC)


def test_a_suspended_daemon_makes_up_for_its_sleep_once(house: House) -> None:
    scheduler = Scheduler(house.memory)
    house.clock.set("2026-11-27T02:30")
    scheduler.tick()
    house.clock.set("2026-11-30T09:00")
    assert [one.slot for one in scheduler.tick()] == ["2026-11-30"]
    house.clock.later(seconds=30)
    assert scheduler.tick() == []


def test_without_catch_up_what_was_slept_through_is_left_and_the_next_night_runs(house: House) -> None:
    scheduler = Scheduler(house.reopen(catch_up=False))
    for now, expected in (
        ("2026-11-29T23:00", []),
        ("2026-11-30T09:00", []),
        ("2026-12-01T02:26", []),
        ("2026-12-01T02:35:30", ["2026-12-01"]),  # a long job may hold the next one up
    ):
        house.clock.set(now)
        assert [one.slot for one in scheduler.tick()] == expected


def test_a_job_that_raises_each_night_is_recorded_counted_and_tried_again(house: House) -> None:
    house.jobs["review"].error = ValueError("no such file")
    scheduler = Scheduler(house.memory)
    house.clock.set("2026-11-27T02:30")
    tried = 0
    while house.clock.now < datetime(2026, 11, 30, 1, 15, tzinfo=UTC):
        tried += len(scheduler.tick())
        house.clock.later(minutes=15)
    assert tried == 12, "four attempts (one and three retries) on each of three nights"
    assert {outcome for _, outcome in house.runs()} == {FAILED}
    state = next(s for s in overview(house.memory, house.clock()) if s.job == "review")
    assert (state.failures, state.well, state.error) == (12, False, "ValueError: no such file")
    assert state.next_at == datetime(2026, 11, 30, 1, 30, tzinfo=UTC)

    house.jobs["review"].error = None
    house.clock.set("2026-11-30T02:30")
    scheduler.tick()
    state = next(s for s in overview(house.memory, house.clock()) if s.job == "review")
    assert (state.failures, state.well) == (0, True)


def test_the_next_try_of_a_failed_run_is_shown(house: House) -> None:
    house.jobs["review"].error = ValueError("no such file")
    house.clock.set("2026-11-27T02:30")
    Scheduler(house.memory).tick()
    state = next(s for s in overview(house.memory, house.clock()) if s.job == "review")
    assert (state.next_at, state.retry) == (house.clock() + timedelta(hours=1), True)


def test_a_failing_job_does_not_keep_the_others_from_running(house: House) -> None:
    house.lines = dict.fromkeys(house.lines, LINE)
    house.reopen()
    house.jobs["review"].error = RuntimeError("broken")
    house.clock.set("2026-11-27T02:30")
    Scheduler(house.memory).tick()
    assert house.calls == ["review", "archive", "summarise", "expire"]
    assert house.runs("archive") == [("2026-11-27", OK)]


def test_a_manual_run_during_the_nightly_is_refused(house: House) -> None:
    job = house.jobs["review"]
    job.may_end.clear()
    house.clock.set("2026-11-27T02:30")
    nightly = threading.Thread(target=Scheduler(house.memory).tick)
    nightly.start()
    try:
        assert job.entered.wait(PATIENCE)
        with pytest.raises(Conflict, match="already running"):
            house.memory.run("review")
    finally:
        job.may_end.set()
        nightly.join(PATIENCE)
    assert house.runs() == [("2026-11-27", OK)]


def test_a_nightly_that_meets_a_manual_run_comes_at_the_next_tick(house: House) -> None:
    job = house.jobs["review"]
    job.may_end.clear()
    house.clock.set("2026-11-27T02:29")
    manual = threading.Thread(target=house.memory.run, args=("review",))
    manual.start()
    scheduler = Scheduler(house.memory)
    try:
        assert job.entered.wait(PATIENCE)
        house.clock.set("2026-11-27T02:30")
        assert scheduler.tick() == []
    finally:
        job.may_end.set()
        manual.join(PATIENCE)
    house.clock.later(seconds=30)
    assert [one.attempt for one in scheduler.tick()] == [1]


def test_history_survives_a_restart_and_nothing_runs_again(house: House) -> None:
    house.clock.set("2026-11-27T02:30")
    Scheduler(house.memory).tick()
    house.reopen()
    house.clock.later(minutes=1)
    assert Scheduler(house.memory).tick() == []
    assert house.runs() == [("2026-11-27", OK)]


def test_a_clock_set_back_runs_nothing_twice(house: House) -> None:
    scheduler = Scheduler(house.memory)
    for now in ("2026-11-26T12:00", "2026-11-27T02:30", "2026-11-26T18:00", "2026-11-27T02:30"):
        house.clock.set(now)
        scheduler.tick()
    slots = [slot for slot, _ in house.runs()]
    assert slots == ["2026-11-26", "2026-11-27"]


def test_an_interrupted_run_is_made_again_at_once(house: House) -> None:
    house.clock.set("2026-11-27T02:30")
    store = house.memory.store
    store.runs.claim("curation", "a process that was killed", house.clock(), house.clock() + timedelta(hours=1))
    store.runs.start("killed", "review", "2026-11-27", now=house.clock(), owner="schedule")
    house.reopen()
    house.clock.later(minutes=1)
    assert [one.attempt for one in Scheduler(house.memory).tick()] == [2]
    assert house.runs() == [("2026-11-27", INTERRUPTED), ("2026-11-27", OK)]


def test_a_schedule_that_is_switched_off_runs_nothing(house: House) -> None:
    house.reopen(enabled=False)
    house.clock.set("2026-11-27T02:30")
    assert Scheduler(house.memory).tick() == []
    assert all(state.next_at is None for state in overview(house.memory, house.clock()))


def test_stopping_lets_the_job_in_hand_end_and_begins_no_other(house: House) -> None:
    house.lines = dict.fromkeys(house.lines, LINE)
    house.reopen()
    job = house.jobs["review"]
    job.may_end.clear()
    house.clock.set("2026-11-27T02:30")
    scheduler = Scheduler(house.memory, interval=0.01)
    scheduler.start()
    assert job.entered.wait(PATIENCE)
    scheduler.ask_to_stop()
    job.may_end.set()
    scheduler.stop()
    assert house.runs() == [("2026-11-27", OK)]
    assert house.calls == ["review"]


def test_the_index_is_made_durable_while_the_daemon_lives(house: House) -> None:
    assert house.memory.indexer.unflushed() > 0
    flushed = threading.Event()
    real = house.memory.store.index.flush

    def flush() -> None:
        real()
        flushed.set()

    house.memory.store.index.flush = flush  # type: ignore[method-assign]
    scheduler = Scheduler(house.memory, flush_every=0.01)
    scheduler.start()
    try:
        assert flushed.wait(PATIENCE)
    finally:
        scheduler.stop()
    assert house.memory.indexer.unflushed() == 0


def test_a_schedule_that_cannot_work_says_so_and_lives(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds, away = threading.Semaphore(0), threading.Event()
    away.set()
    real = house.memory.store.runs.of_slot

    def of_slot(job: str, slot: str) -> list[Mapping[str, Any]]:
        rounds.release()
        if away.is_set():
            raise StoreUnavailable("The database is away.")
        return real(job, slot)

    scheduler = Scheduler(house.memory, interval=0.01)
    scheduler.start()
    monkeypatch.setattr(house.memory.store.runs, "of_slot", of_slot)
    try:
        wait_for(rounds, 2)
        assert scheduler.troubles == {"hmf-schedule": "StoreUnavailable"}
        away.clear()
        wait_for(rounds, 3)
        assert scheduler.troubles == {}
    finally:
        scheduler.stop()


def wait_for(rounds: threading.Semaphore, count: int) -> None:
    """Let `count` further rounds begin, so that `count` - 1 of them have ended."""
    while rounds.acquire(blocking=False):
        pass
    for _ in range(count):
        assert rounds.acquire(timeout=PATIENCE)
