"""The nights of a forecast gone through in order, on the counted prospects of `hmf.policy.forecast`.

What a policy does by itself is carried forward: what was archived meets the policy of the archive, what was forgotten
its grace. What asks a person waits, as it would, and counts in the share that a later plan may touch.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from hmf.memory import Confirm
from hmf.policy.forecast import ARCHIVE, EXPIRE, REVIEW, Course, Outcome, Prospect, Prospects, Said
from hmf.policy.retention import Fate

GRACE = "grace"
VOLATILE = "volatile_stale"
"""Policies of a forecast that have no reason code in a plan, or are nobody's category."""

_FEW = 10
"""Categories of fewer memories know no limit on the share that one run may touch (see `hmf.plan.limited`)."""

_FATES = {ARCHIVE: Fate.ARCHIVE, EXPIRE: Fate.FORGET}


class Effect(NamedTuple):
    """One cell of the forecast. `week` counts from today's, and is None for what waits already. `policy` is the code of
    the reason, as a plan gives it."""

    week: int | None
    category: str
    policy: str
    outcome: Outcome


@dataclass(slots=True)
class _Group:
    """Memories that fare alike, and where they are by now."""

    prospect: Prospect
    count: int
    category: str
    course: Course
    in_archive: bool = False
    gone: bool = False
    asked: set[Fate] = field(default_factory=set)

    def verdict(self, moment: int) -> Said | None:
        """What holds at the moment."""
        found = None
        for start, said in self.course:
            if start > moment:
                break
            found = said
        return found


def play(prospects: Prospects, *, answered: bool = False) -> Mapping[Effect, int]:
    """How many memories meet each effect. `answered`: as if a person approved all that is asked, on the same night;
    else nobody answers."""
    nights = _Nights(prospects, answered)
    nights.waiting()
    for moment, night in enumerate(prospects.setting.nights, 1):
        nights.run(moment, night.job)
    nights.purge()
    return nights.effects


class _Nights:
    def __init__(self, prospects: Prospects, answered: bool) -> None:
        self._setting = prospects.setting
        self._moments = prospects.setting.moments
        self._today = self._moments[0].astimezone(self._setting.zone).date()
        self._answered = answered
        self._sizes = Counter(prospects.sizes)
        self._buried = Counter(prospects.buried)
        self._coming: dict[int, list[_Group]] = defaultdict(list)
        self._volatile: dict[int, list[_Group]] = defaultdict(list)
        self._active: list[_Group] = []
        self._reached = -1
        self.effects: Counter[Effect] = Counter()
        for prospect, count in prospects.counts.items():
            group = _Group(prospect, count, prospect.category, prospect.course)
            if prospect.course:
                self._coming[prospect.course[0][0]].append(group)
            if prospect.marked_at is not None:
                self._volatile[prospect.marked_at].append(group)

    def waiting(self) -> None:
        """What asks a person now, before any of the nights."""
        for job in sorted({night.job for night in self._setting.nights} & _FATES.keys()):
            for group, said, held in self._planned(0, job):
                if held or said.confirm is not Confirm.AUTO:
                    self._ask(0, group, said)

    def run(self, moment: int, job: str) -> None:
        """One night of one job; of jobs that no retention rule speaks of, nothing is told."""
        if job == REVIEW:
            for group in self._volatile[moment]:
                if not group.gone and not group.in_archive:
                    self._tell(moment, group, VOLATILE, Outcome.MARKED)
        elif job in _FATES:
            for group, said, held in self._planned(moment, job):
                by_itself = said.confirm is Confirm.AUTO and not held
                if not by_itself:
                    self._ask(moment, group, said)
                if by_itself or (self._answered and said.confirm is not Confirm.NEVER):
                    self._apply(moment, group, said)
            self._active = [group for group in self._active if not group.gone and group.course]

    def purge(self) -> None:
        """Each forgotten memory goes with the first expiry that finds its grace over."""
        expiries = [n for n, night in enumerate(self._setting.nights, 1) if night.job == EXPIRE]
        for (category, at), count in self._buried.items():
            known = self._setting.categories.get(category) or self._setting.categories[self._setting.inbox]
            freed = known.policy.grace.after(at, self._setting.zone)
            place = bisect_left(expiries, freed, key=self._at)
            if place < len(expiries):
                self.effects[Effect(self._week(expiries[place]), category, GRACE, Outcome.PURGED)] += count

    def _planned(self, moment: int, job: str) -> Iterator[tuple[_Group, Said, bool]]:
        """The plan of a night: each group with its verdict, and whether something holds back what is automatic."""
        while self._reached < moment:
            self._reached += 1
            self._active += self._coming.pop(self._reached, [])
        due: list[tuple[_Group, Said]] = []
        touched: Counter[str] = Counter()
        for group in self._active:
            said = group.verdict(moment)
            if said is not None and said.fate is _FATES[job]:
                due.append((group, said))
                touched[group.category] += group.count
        stopped = {name for name, count in touched.items() if self._too_many(name, count)}
        for group, said in due:
            yield group, said, said.confirm is Confirm.AUTO and (said.undone or group.category in stopped)

    def _too_many(self, category: str, touched: int) -> bool:
        size, policy = self._sizes[category], self._setting.categories[category].policy
        return size >= _FEW and touched > policy.max_share_per_run * size

    def _ask(self, moment: int, group: _Group, said: Said) -> None:
        """A question is counted once: from then on it waits."""
        if said.fate not in group.asked:
            group.asked.add(said.fate)
            kinds = {Confirm.ASK: Outcome.ASKED, Confirm.AUTO: Outcome.HELD, Confirm.NEVER: Outcome.REPORTED}
            self._tell(moment, group, said.code, kinds[said.confirm])

    def _apply(self, moment: int, group: _Group, said: Said) -> None:
        self._sizes[group.category] -= group.count
        if said.fate is Fate.FORGET:
            self._tell(moment, group, said.code, Outcome.FORGOTTEN)
            self._buried[group.category, self._at(moment)] += group.count
            group.gone = True
            return
        self._tell(moment, group, said.code, Outcome.ARCHIVED)
        group.category = self._setting.categories[group.category].policy.archive_to or group.category
        self._sizes[group.category] += group.count
        group.course, group.in_archive, group.asked = group.prospect.archived, True, set()

    def _tell(self, moment: int, group: _Group, policy: str, outcome: Outcome) -> None:
        week = self._week(moment) if moment else None
        self.effects[Effect(week, group.category, policy, outcome)] += group.count

    def _at(self, moment: int) -> datetime:
        return self._moments[moment]

    def _week(self, moment: int) -> int:
        return (self._at(moment).astimezone(self._setting.zone).date() - self._today).days // 7
