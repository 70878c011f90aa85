"""The schedule at work: what is due is run, what went wrong is seen, and the index is made durable in groups.

When a job is due is told by `hmf.policy.slots`; the register of runs in the ledger is the only memory of it.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

import structlog

from hmf.errors import Conflict
from hmf.ledger.runs import FAILED, INTERRUPTED, RUNNING
from hmf.policy.slots import Due, Next, Rows, due, latest, next_runs, rank
from hmf.service.api import Hmf

__all__ = ["Due", "JobState", "Next", "Scheduler", "due", "next_runs", "overview"]

log = structlog.get_logger(__name__)
_ASLEEP = timedelta(minutes=10)
"""No tick for this long: the machine slept, and what was due in between was missed."""


@dataclass(frozen=True, slots=True)
class JobState:
    """What is known of one job: how its last finished run went, and when it runs again (UTC).

    `failures` counts the runs that did not end well since the last that did.
    """

    job: str
    cron: str | None
    next_at: datetime | None
    retry: bool
    outcome: str | None
    ended_at: datetime | None
    failures: int
    error: str | None

    @property
    def well(self) -> bool:
        """False when the last finished run failed or was cut short."""
        return self.outcome not in (FAILED, INTERRUPTED)


def overview(memory: Hmf, now: datetime) -> list[JobState]:
    """Every job that is scheduled or has run, with its last result and its next run; for screens and health."""
    jobs = _jobs(memory)
    settings = memory.settings.schedule
    coming = {
        one.job: one
        for one in next_runs(
            jobs if settings.enabled else {},
            now,
            memory.store.zone,
            _history(memory, jobs, now),
            retries=settings.retries,
            retry_after=settings.retry_after,
        )
    }
    return [_state(memory, job, cron, coming.get(job)) for job, cron in jobs.items()]


def _state(memory: Hmf, job: str, cron: str | None, coming: Next | None) -> JobState:
    ended = [row for row in memory.store.runs.recent(job=job) if row["outcome"] != RUNNING]
    bad = list(takewhile(lambda row: row["outcome"] in (FAILED, INTERRUPTED), ended))
    last: Mapping[str, Any] = ended[0] if ended else {}
    return JobState(
        job,
        cron,
        coming.at if coming else None,
        bool(coming and coming.retry),
        last.get("outcome"),
        last.get("ended_at"),
        len(bad),
        last.get("error"),
    )


def _jobs(memory: Hmf) -> dict[str, str | None]:
    """The installed jobs with their cron lines. One that is scheduled and not installed is nothing to run."""
    lines = memory.settings.schedule.jobs
    return {job: lines.get(job) for job in sorted(memory.curator.jobs, key=rank)}


def _history(memory: Hmf, jobs: Mapping[str, str | None], now: datetime) -> dict[str, Rows]:
    """The runs of each job's newest slot: asked by slot, so no number of manual runs can hide them."""
    slots = {job: latest(cron, now, memory.store.zone) for job, cron in jobs.items() if cron}
    return {job: memory.store.runs.of_slot(job, slot.name) for job, slot in slots.items() if slot is not None}


class Scheduler:
    """Runs what is due, every `interval` seconds, and makes the index durable every `flush_every` seconds."""

    def __init__(self, memory: Hmf, *, interval: float = 30.0, flush_every: float | None = None) -> None:
        """Serve an open memory; `flush_every` is the configured one unless it is given."""
        self._memory = memory
        self._stop = threading.Event()
        self._seen: datetime | None = None
        self._awake_since: datetime | None = None
        self.troubles: dict[str, str] = {}
        """By thread, the error that kept its last round from its work: a sick scheduler must be seen."""
        every = memory.settings.store.flush_every if flush_every is None else flush_every
        self._threads = [
            threading.Thread(target=self._repeat, args=(interval, self.tick), name="hmf-schedule"),
            threading.Thread(target=self._repeat, args=(every, memory.tick), name="hmf-flush"),
        ]

    def start(self) -> None:
        """Begin; the first tick is at once, and makes up for what was missed."""
        now = self._memory.store.now()
        for state in overview(self._memory, now):
            log.info("schedule.next", job=state.job, cron=state.cron, next=_said(state.next_at))
        for job in sorted(set(self._memory.settings.schedule.jobs) - set(self._memory.curator.jobs)):
            log.warning("schedule.not_installed", job=job, fix="install its package, or set its line to null.")
        for thread in self._threads:
            thread.start()

    def ask_to_stop(self) -> None:
        """Begin no further job. Safe in a signal handler."""
        self._stop.set()

    def stop(self) -> None:
        """Begin nothing more, and return once the job in hand has ended. Twice is harmless."""
        self._stop.set()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()

    def tick(self, now: datetime | None = None) -> list[Due]:
        """Run what is due at `now` (default: the store's clock). Returns what was run, well or not.

        A job that fails is logged and recorded, and the next one runs. One that finds curation already
        running is left for the next tick.
        """
        moment = now or self._memory.store.now()
        began = time.monotonic()
        if self._seen is None or not timedelta(0) <= moment - self._seen <= _ASLEEP:
            self._awake_since = moment
        try:
            return [one for one in self._due(moment) if not self._stop.is_set() and self._run(one)]
        finally:
            self._seen = moment + timedelta(seconds=time.monotonic() - began)

    def _due(self, now: datetime) -> list[Due]:
        settings = self._memory.settings.schedule
        if not settings.enabled:
            return []
        jobs = _jobs(self._memory)
        return due(
            jobs,
            now,
            self._memory.store.zone,
            _history(self._memory, jobs, now),
            catch_up=settings.catch_up,
            retries=settings.retries,
            retry_after=settings.retry_after,
            awake_since=self._awake_since,
        )

    def _run(self, one: Due) -> bool:
        said = {"job": one.job, "slot": one.slot, "attempt": one.attempt, "late": one.late}
        log.info("schedule.run", **said, scheduled_for=_said(one.scheduled_for))
        try:
            ran = self._memory.run(
                one.job, slot=one.slot, scheduled_for=one.scheduled_for, attempt=one.attempt, owner="schedule"
            )
        except Conflict as error:
            log.info("schedule.busy", **said, why=error.what)
            return False
        except Exception as error:  # noqa: BLE001
            # The edge of a job: whatever it raised stands in the register, and the other jobs go on.
            log.error("schedule.failed", **said, error=type(error).__name__, trail=trail(error))
            return True
        log.info("schedule.done", **said, applied=ran.applied, waiting=ran.waiting, skipped=ran.skipped)
        return True

    def _repeat(self, seconds: float, work: Callable[[], object]) -> None:
        name = threading.current_thread().name
        while not self._stop.is_set():
            try:
                work()
                self.troubles.pop(name, None)
            except Exception as error:  # noqa: BLE001
                # The edge of a thread that must outlive a full disk or a lost database.
                self.troubles[name] = type(error).__name__
                log.error("schedule.trouble", thread=name, error=type(error).__name__, trail=trail(error))
            self._stop.wait(seconds)


def trail(error: BaseException) -> list[str]:
    """Where an error came from, innermost last, without its message, which may quote a memory."""
    frames = traceback.extract_tb(error.__traceback__)
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-8:]]


def _said(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
