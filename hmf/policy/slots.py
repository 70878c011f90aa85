"""When a job is due: cron lines read on the wall clock, one run for each local slot, a missed one made up once.

Pure: `now` and the register of runs are arguments. APScheduler gives the cron trigger and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import islice, takewhile
from typing import Any

from apscheduler.triggers.cron import CronTrigger

from hmf.durations import Duration

ORDER = ("review", "archive", "summarise", "expire")
"""Which job goes first when several are due for the same minute; others follow, by name."""

Rows = Sequence[Mapping[str, Any]]
_MINUTE = timedelta(minutes=1)
_FAILED, _INTERRUPTED = "failed", "interrupted"
_GRACE = timedelta(minutes=5)
_REACHES = tuple(timedelta(days=days) for days in (0.1, 2, 40, 400, 3000))
"""How far back the last slot of a cron line is looked for, in steps (29 February can be eight years away)."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One local date (and time, where the line fires several times that day) and the UTC moment it begins."""

    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Due:
    """A run to be made now. `attempt` is 1 for the first in its slot; `late` when its moment was missed."""

    job: str
    slot: str
    scheduled_for: datetime
    attempt: int = 1
    late: bool = False


@dataclass(frozen=True, slots=True)
class Next:
    """A run to come. `retry` when it repeats a failed one rather than begins a slot of its own."""

    job: str
    at: datetime
    retry: bool = False


def latest(cron: str, now: datetime, zone: tzinfo) -> Slot | None:
    """The newest slot that has begun by `now`; None when the line has not fired in the last eight years."""
    trigger = CronTrigger.from_crontab(cron, timezone=UTC)
    for reach in _REACHES:
        begun = takewhile(lambda fire: _moment(fire, zone) <= now, _fires(trigger, _wall(now - reach, zone)))
        newest = None
        for newest in begun:  # noqa: B007 - the last one is wanted
            pass
        if newest is not None:
            return Slot(_name(trigger, newest), _moment(newest, zone))
    return None


def upcoming(cron: str, now: datetime, zone: tzinfo) -> datetime | None:
    """The UTC moment of the first slot that begins after `now`."""
    trigger = CronTrigger.from_crontab(cron, timezone=UTC)
    moments = (_moment(fire, zone) for fire in _fires(trigger, _wall(now, zone)))
    return next((moment for moment in moments if moment > now), None)


def due(
    jobs: Mapping[str, str | None],
    now: datetime,
    zone: tzinfo,
    history: Mapping[str, Rows],
    *,
    catch_up: bool = True,
    retries: int = 3,
    retry_after: Duration = Duration(hours=1),
    awake_since: datetime | None = None,
) -> list[Due]:
    """What must run now: at most one run a job, for its newest slot, so three missed nights are made up once.

    `jobs`: cron line by name (None never runs). `history`: rows of the register by job; those of the newest
    slot count, and a job that never ran counts as missed. A failed slot is tried again `retry_after` later, an
    interrupted one at once, until it was started 1 + `retries` times. Slots before `awake_since` (default:
    five minutes ago) were missed: they are made up only where `catch_up` holds.
    """
    found = []
    for job, cron in jobs.items():
        slot = latest(cron, now, zone) if cron else None
        if slot is None:
            continue
        past = [row for row in history.get(job, ()) if row["slot"] == slot.name]
        late = slot.at < (awake_since or now - _GRACE)
        again = _retry_at(past, zone, retries, retry_after)
        if (again is not None and again <= now) if past else (catch_up or not late):
            found.append(Due(job, slot.name, slot.at, len(past) + 1, late))
    return sorted(found, key=lambda one: (one.scheduled_for, rank(one.job)))


def next_runs(
    jobs: Mapping[str, str | None],
    now: datetime,
    zone: tzinfo,
    history: Mapping[str, Rows],
    *,
    retries: int = 3,
    retry_after: Duration = Duration(hours=1),
) -> list[Next]:
    """The next run of each job, soonest first; a retry that comes before the next slot is the next run."""
    found = []
    for job, cron in jobs.items():
        slot = latest(cron, now, zone) if cron else None
        coming = upcoming(cron, now, zone) if cron else None
        past = [row for row in history.get(job, ()) if slot is not None and row["slot"] == slot.name]
        again = _retry_at(past, zone, retries, retry_after)
        if again is not None and (coming is None or again < coming):
            found.append(Next(job, max(again, now), retry=True))
        elif coming is not None:
            found.append(Next(job, coming))
    return sorted(found, key=lambda one: (one.at, rank(one.job)))


def _retry_at(past: Rows, zone: tzinfo, retries: int, retry_after: Duration) -> datetime | None:
    """When a slot that was tried may be tried again; None when it ended well, still runs, or was tried enough."""
    if not past or len(past) > retries:
        return None
    last = max(past, key=lambda row: int(row["attempt"]))
    ended: datetime = last["ended_at"] or last["started_at"]
    if last["outcome"] == _INTERRUPTED:
        return ended
    return retry_after.after(ended, zone) if last["outcome"] == _FAILED else None


def rank(job: str) -> tuple[int, str]:
    """Sorts jobs that are due for the same minute."""
    return (ORDER.index(job) if job in ORDER else len(ORDER), job)


def _wall(moment: datetime, zone: tzinfo) -> datetime:
    """What the clock on the wall shows, labelled UTC so that a calendar without jumps can be searched."""
    return moment.astimezone(zone).replace(tzinfo=UTC, fold=0)


def _moment(wall: datetime, zone: tzinfo) -> datetime:
    """The first UTC moment at which the wall clock shows `wall`, or has just jumped over it."""
    moment = min(wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    while _wall(moment, zone) < wall:
        moment += _MINUTE
    return moment


def _fires(trigger: CronTrigger, wall: datetime) -> Iterator[datetime]:
    fire = trigger.get_next_fire_time(None, wall)
    while fire is not None:
        yield fire
        fire = trigger.get_next_fire_time(None, fire + _MINUTE)


def _name(trigger: CronTrigger, fire: datetime) -> str:
    midnight = fire.replace(hour=0, minute=0)
    several = sum(one.date() == fire.date() for one in islice(_fires(trigger, midnight), 2)) > 1
    return fire.strftime("%Y-%m-%dT%H:%M" if several else "%Y-%m-%d")
