"""The nights of a forecast gone through in order, on the counted prospects of `hmf.policy.forecast`.

What a policy does by itself is carried forward: what was archived meets the policy of the archive, what was forgotten
its grace. What asks a person waits, as it would, and counts in the share that a later plan may touch.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from hmf.memory import Confirm
from hmf.policy.forecast import ARCHIVE, EXPIRE, REVIEW, Course, Outcome, Prospect, Rank, Said, Way
from hmf.policy.prospects import Prospects
from hmf.policy.retention import BY_AGE, Fate
from hmf.policy.shares import stops

GRACE = "grace"
VOLATILE = "volatile_stale"
"""Policies of a forecast that have no reason code in a plan, or are nobody's category."""

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
    way: Way
    course: Course
    rank: Rank | None
    in_archive: bool = False
    gone: bool = False
    active: bool = False
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
        self._free = Counter(prospects.free)
        self._places = defaultdict(list, {name: sorted(ranks) for name, ranks in prospects.places.items()})
        self._buried = Counter(prospects.buried)
        self._coming: dict[int, list[_Group]] = defaultdict(list)
        self._volatile: dict[int, list[_Group]] = defaultdict(list)
        self._active: list[_Group] = []
        self._reached = -1
        self.effects: Counter[Effect] = Counter()
        for prospect, count in prospects.counts.items():
            way = prospect.way
            group = _Group(prospect, count, prospect.category, way, way.course, prospect.rank)
            if way.course:
                self._coming[way.course[0][0]].append(group)
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
                    self._mark(moment, group)
        elif job in _FATES:
            for group, said, held in self._planned(moment, job):
                by_itself = said.confirm is Confirm.AUTO and not held
                if not by_itself:
                    self._ask(moment, group, said)
                if by_itself or (self._answered and said.confirm is not Confirm.NEVER):
                    self._apply(moment, group, said)
            for group in self._active:
                group.active = not group.gone and bool(group.course)
            self._active = [group for group in self._active if group.active]

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
            for group in self._coming.pop(self._reached, []):
                if not group.active:
                    group.active = True
                    self._active.append(group)
        due: list[tuple[_Group, Said]] = []
        touched: Counter[str] = Counter()
        for group in self._active:
            said = group.verdict(moment)
            if said is not None and said.fate is _FATES[job] and not self._kept(group, said):
                due.append((group, said))
                touched[group.category] += group.count
        stopped = {name for name, count in touched.items() if self._too_many(name, count)}
        for group, said in due:
            yield group, said, said.confirm is Confirm.AUTO and (said.undone or group.category in stopped)

    def _kept(self, group: _Group, said: Said) -> bool:
        """Whether it is among the last so many of its category, which never go by age."""
        if group.rank is None or said.code not in BY_AGE:
            return False
        ranks, last = self._places[group.category], self._setting.categories[group.category].policy.keep.last
        return len(ranks) <= last or group.rank >= ranks[-last]

    def _too_many(self, category: str, touched: int) -> bool:
        limit = self._setting.categories[category].policy.max_share_per_run
        return stops(touched, self._sizes[category], self._free[category], limit)

    def _mark(self, moment: int, group: _Group) -> None:
        """From now on it is to be verified: where that is another way, it goes on by it."""
        other = group.prospect.marked
        if other is None:
            return
        group.way, group.course = other, other.course
        if other.course and not group.active:
            self._coming[max(moment, other.course[0][0])].append(group)

    def _ask(self, moment: int, group: _Group, said: Said) -> None:
        """A question is counted once: from then on it waits."""
        if said.fate not in group.asked:
            group.asked.add(said.fate)
            kinds = {Confirm.ASK: Outcome.ASKED, Confirm.AUTO: Outcome.HELD, Confirm.NEVER: Outcome.REPORTED}
            self._tell(moment, group, said.code, kinds[said.confirm])

    def _apply(self, moment: int, group: _Group, said: Said) -> None:
        self._move(group, -1)
        if said.fate is Fate.FORGET:
            self._tell(moment, group, said.code, Outcome.FORGOTTEN)
            self._buried[group.category, self._at(moment)] += group.count
            group.gone = True
            return
        self._tell(moment, group, said.code, Outcome.ARCHIVED)
        if said.archive_to is not None:
            group.category, group.rank = said.archive_to, group.way.rank
        self._move(group, 1)
        group.course, group.in_archive, group.asked = group.way.archived, True, set()

    def _move(self, group: _Group, sign: int) -> None:
        """Out of its category (-1), or into it (1)."""
        self._sizes[group.category] += sign * group.count
        self._free[group.category] += sign * group.count
        ranks = self._places[group.category]
        if group.rank is not None and sign > 0:
            insort(ranks, group.rank)
        elif group.rank is not None:
            del ranks[bisect_left(ranks, group.rank)]

    def _tell(self, moment: int, group: _Group, policy: str, outcome: Outcome) -> None:
        week = self._week(moment) if moment else None
        self.effects[Effect(week, group.category, policy, outcome)] += group.count

    def _at(self, moment: int) -> datetime:
        return self._moments[moment]

    def _week(self, moment: int) -> int:
        return (self._at(moment).astimezone(self._setting.zone).date() - self._today).days // 7
