"""The prospects of each memory: what becomes of it over the coming nights, judged by the very rule that the jobs use.

Memories with the same prospects are counted together, so a hundred thousand of them need no more room than their
different prospects. Only where a policy keeps the last so many of a category, those that may be among them stand alone.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from hmf.memory import RETIRED, Category, Memory, State, Status, Tier
from hmf.policy.forecast import FLAG, REVIEW, Course, Decision, Prospect, Rank, Said, Setting, Way, turns
from hmf.policy.retention import BY_AGE, Fate, edge, touched, verdict


class Prospects:
    """The memories of one namespace, counted by what becomes of them."""

    def __init__(self, setting: Setting) -> None:
        """None yet."""
        self.setting = setting
        self.counts: Counter[Prospect] = Counter()
        self.sizes: Counter[str] = Counter()
        """Live memories by category, archived ones too, as the share of a plan counts them."""
        self.free: Counter[str] = Counter()
        """Those of them that are not pinned."""
        self.places: dict[str, list[Rank]] = defaultdict(list)
        """Ranks of those that count, where a category keeps the last so many of them."""
        self.buried: Counter[tuple[str, datetime]] = Counter()
        """Forgotten ones that still have their grace, by category and moment."""
        self._moments = setting.moments
        self._reviews = [n for n, night in enumerate(setting.nights, 1) if night.job == REVIEW]
        self._decided = {memory_id for memory_id, _, _ in setting.decisions}
        policies = (one for category in setting.categories.values() for one in category.policy.rules)
        self._by_status = any(rule.when.statuses for rule in policies)

    def add(self, memories: Iterable[Memory]) -> None:
        """Take memories in; those no retention rule can reach count for nothing but their place."""
        categories = self.setting.categories
        for memory in memories:
            if memory.state is State.FORGOTTEN and memory.forgotten_at is not None:
                self.buried[memory.category, memory.forgotten_at] += 1
            elif memory.category in categories and memory.tier in (Tier.DETAIL, Tier.ARCHIVE):
                self.sizes[memory.category] += 1
                self.free[memory.category] += not memory.pinned
                rank = self._rank(memory, categories[memory.category])
                if rank is not None:
                    self.places[memory.category].append(rank)
                prospect = self._prospect(memory, categories[memory.category], rank)
                if prospect.way.course or prospect.marked_at is not None:
                    self.counts[prospect] += 1

    def settle(self) -> None:
        """Once all are in: let those stand together again that can never be among the last so many.

        Only a date or the end of a project takes one of the last away, and each lets one more in. So whoever is older
        than as many as are kept, and as may leave in this way, is never among them. Nothing else is changed by it.
        """
        least = self._least()
        settled: Counter[Prospect] = Counter()
        for prospect, count in self.counts.items():
            rank = _unless_below(prospect.rank, least.get(prospect.category))
            way, marked = self._ranked(prospect.way, least), prospect.marked and self._ranked(prospect.marked, least)
            settled[prospect._replace(rank=rank, way=way, marked=marked)] += count
        self.counts = settled
        for category, limit in least.items():
            self.places[category] = [rank for rank in self.places[category] if rank >= limit]

    def _least(self) -> dict[str, Rank]:
        """The rank under which nobody can come among the last so many, by category; none where all may."""
        leaving: Counter[str] = Counter()
        for prospect, count in self.counts.items():
            for way in (prospect.way, prospect.marked):
                if way is not None and _leaves(way.course):
                    leaving[prospect.category] += count
                if way is not None and _leaves(way.archived):
                    leaving[_place(way) or prospect.category] += count
        found = {}
        for category, ranks in self.places.items():
            many = self.setting.categories[category].policy.keep.last + leaving[category]
            if len(ranks) > many:
                found[category] = sorted(ranks)[-many]
        return found

    def _ranked(self, way: Way, least: dict[str, Rank]) -> Way:
        return way._replace(rank=_unless_below(way.rank, least.get(_place(way) or ""))) if way.rank else way

    def _prospect(self, memory: Memory, category: Category, rank: Rank | None) -> Prospect:
        way, marked_at = self._way(memory, category), self._marked_at(memory)
        marked: Way | None = None
        if marked_at is not None and (self._by_status or memory.id in self._decided):
            # A marked memory is a new case, and may fall under another rule.
            other = self._way(replace(memory, status=Status.TO_VERIFY, revision=-1), category)
            marked = other if other != way else None
        return Prospect(category.name, way, rank, marked_at, marked)

    def _way(self, memory: Memory, category: Category) -> Way:
        course = self._course(memory, category)
        archiving = next((said for _, said in course if said is not None and said.fate is Fate.ARCHIVE), None)
        place = self.setting.categories.get(archiving.archive_to or category.name) if archiving else None
        if place is None:
            return Way(course)
        # A changed memory is a new case: what was decided of it before does not hold any more.
        moved = replace(memory, tier=Tier.ARCHIVE, category=place.name, revision=-1)
        rank = self._rank(moved, place) if place is not category else None
        return Way(course, self._course(moved, place), rank)

    def _course(self, memory: Memory, category: Category) -> Course:
        setting = self.setting

        def judged(moment: int) -> Said | None:
            found = verdict(memory, category, setting.projects, self._moments[moment], setting.zone)
            if found is None:
                return None
            before = setting.decisions.get((memory.id, memory.revision, str(found.fate)))
            if before is Decision.REFUSED:
                return None
            return Said(found.fate, found.code, found.confirm, before is Decision.UNDONE, found.archive_to)

        return turns(judged, len(self._moments))

    def _marked_at(self, memory: Memory) -> int | None:
        """The first review that finds the memory volatile and past its freshness, by the rule of the review job."""
        if not memory.volatile or not memory.current or memory.tier is not Tier.DETAIL or memory.pinned:
            return None
        if memory.status is Status.TO_VERIFY or (memory.id, memory.revision, FLAG) in self.setting.decisions:
            return None
        since, limit = memory.verified_at or memory.learnt_at, memory.fresh_for or self.setting.fresh_for

        def past(moment: int) -> bool:
            return since < edge(limit, self._moments[moment], self.setting.zone)

        place = bisect_left(self._reviews, True, key=past)
        return self._reviews[place] if place < len(self._reviews) else None

    def _rank(self, memory: Memory, category: Category) -> Rank | None:
        """Its place among the last so many, where the category keeps any and the memory counts."""
        if not category.policy.keep.last or memory.summary_of or memory.status in RETIRED:
            return None
        return touched(memory, category.policy.touched_by), memory.id


def _place(way: Way) -> str | None:
    """The other category that this way archives to, if it does."""
    return next((said.archive_to for _, said in way.course if said and said.archive_to), None)


def _unless_below(rank: Rank | None, least: Rank | None) -> Rank | None:
    return None if rank is None or (least is not None and rank < least) else rank


def _leaves(course: Course) -> bool:
    """Whether something else than age ever takes it away."""
    return any(said is not None and said.code not in BY_AGE for _, said in course)
