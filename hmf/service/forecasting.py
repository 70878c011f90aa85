"""The forecast: what the nights of the coming weeks will do, read from the ledger and told by the pure rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from hmf.errors import InvalidInput
from hmf.ledger.decisions import decisions
from hmf.ledger.wanted import Wanted
from hmf.memory import State, Tier
from hmf.policy.forecast import ARCHIVE, EXPIRE, REVIEW, Night, Outcome, Setting
from hmf.policy.forecast_play import play
from hmf.policy.prospects import Prospects
from hmf.policy.slots import rank, upcoming
from hmf.service.curating import Curator
from hmf.service.store import Store

MOST_WEEKS = 104
_USUAL = {EXPIRE: "20 3 * * *", ARCHIVE: "25 3 * * *", REVIEW: "30 3 * * *"}
"""When a job that is on no schedule is taken to run: every night, as in the configuration that HMF comes with."""


@dataclass(frozen=True, slots=True)
class Row:
    """What one policy of one category does. `weeks` has a count for each week, `waiting` those that ask already."""

    category: str
    policy: str
    outcome: Outcome
    waiting: int
    weeks: tuple[int, ...]

    @property
    def total(self) -> int:
        """All of it, with what waits."""
        return self.waiting + sum(self.weeks)


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A forecast. `weeks`: first day of each, from today on. `unscheduled`: jobs that are on no schedule and were taken
    to run every night. `answered`: made as if a person approved all that is asked."""

    namespace: str
    made_at: datetime
    weeks: tuple[date, ...]
    rows: tuple[Row, ...]
    unscheduled: tuple[str, ...]
    answered: bool


class Forecaster:
    """Reads; changes nothing."""

    def __init__(self, store: Store, curator: Curator) -> None:
        """Over an open store."""
        self._store = store
        self._curator = curator

    def forecast(
        self, namespace: str, weeks: int, categories: Iterable[str] = (), *, answered: bool = False
    ) -> Foreseen:
        """What each policy will do in the coming weeks, where nothing else changes; the rows of `categories` only where
        some are named. Raises InvalidInput for a number of weeks that is not 1 to 104."""
        if not 1 <= weeks <= MOST_WEEKS:
            raise InvalidInput(f"{weeks} weeks cannot be foreseen.", fix=f"use 1 to {MOST_WEEKS}.")
        store, now = self._store, self._store.now()
        lines = self._lines()
        nights = sorted(self._nights(lines, now, weeks), key=lambda night: (night.at, rank(night.job)))
        ledger = store.ledger
        setting = Setting(
            categories=store.categories,
            projects=ledger.projects(namespace),
            nights=nights,
            now=now,
            zone=store.zone,
            inbox=store.settings.inbox,
            decisions=decisions(ledger, namespace, lines),
            fresh_for=store.settings.review.fresh_for,
        )
        prospects = Prospects(setting)
        prospects.add(ledger.stream(Wanted(namespace, tiers=(Tier.DETAIL, Tier.ARCHIVE))))
        prospects.add(ledger.stream(Wanted(namespace, states=(State.FORGOTTEN,))))
        prospects.settle()
        today, wanted = now.astimezone(store.zone).date(), set(categories)
        cells: dict[tuple[str, str, Outcome], list[int]] = {}
        for effect, count in play(prospects, answered=answered).items():
            if not wanted or effect.category in wanted:
                row = cells.setdefault((effect.category, effect.policy, effect.outcome), [0] * (weeks + 1))
                row[0 if effect.week is None else effect.week + 1] += count
        return Foreseen(
            namespace,
            now,
            tuple(today + timedelta(weeks=n) for n in range(weeks)),
            tuple(Row(*key, counts[0], tuple(counts[1:])) for key, counts in sorted(cells.items(), key=_order)),
            tuple(job for job in lines if not self._scheduled(job)),
            answered,
        )

    def _scheduled(self, job: str) -> str | None:
        schedule = self._store.settings.schedule
        return schedule.jobs.get(job) if schedule.enabled else None

    def _lines(self) -> dict[str, str]:
        """The cron lines of the jobs that retention goes by; those of jobs that are not installed are left out."""
        return {job: self._scheduled(job) or usual for job, usual in _USUAL.items() if job in self._curator.jobs}

    def _nights(self, lines: dict[str, str], now: datetime, weeks: int) -> Iterator[Night]:
        """The first run of each job on each local day: one that runs by the minute would tell no more about weeks."""
        zone = self._store.zone
        last = now.astimezone(zone).date() + timedelta(weeks=weeks)
        for job, line in lines.items():
            at = upcoming(line, now, zone)
            while at is not None and (day := at.astimezone(zone).date()) < last:
                yield Night(job, at)
                evening = datetime.combine(day + timedelta(days=1), time(), tzinfo=zone) - timedelta(microseconds=1)
                at = upcoming(line, max(at, evening), zone)


def _order(cell: tuple[tuple[str, str, Outcome], list[int]]) -> tuple[str, str, int]:
    category, policy, outcome = cell[0]
    return category, policy, [*Outcome].index(outcome)
