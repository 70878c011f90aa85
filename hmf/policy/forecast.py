"""What the coming nights will do if nothing else changes: each memory's prospects, and the words of a forecast.

Every memory is judged by the very rule that the jobs use, at the moments at which they will run. Memories with the same
prospects are counted together, so a hundred thousand of them need no more room than their different prospects. The
nights are then played by `hmf.policy.forecast_play`.

Left out is what depends on texts and not on time: duplicates, conflicts, misfiled memories, and the summaries, which
are rebuilt or let go as their sources change.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from enum import StrEnum
from typing import NamedTuple

from hmf.durations import Duration
from hmf.memory import Category, Confirm, Memory, Project, State, Status, Tier
from hmf.policy.retention import Fate, edge, verdict

ARCHIVE, EXPIRE, REVIEW = "archive", "expire", "review"
"""The jobs whose nights are played."""

FLAG = "flag"


class Outcome(StrEnum):
    """What happens to a memory: something a policy does by itself, or a question that a person will find."""

    ARCHIVED = "archived"
    FORGOTTEN = "forgotten"
    PURGED = "purged"
    MARKED = "marked"
    """To be verified again: it is volatile, and past its freshness."""
    ASKED = "asked"
    HELD = "held"
    """Asked though its policy acts by itself: the plan touches too large a share, or a person took it back before."""
    REPORTED = "reported"
    """Its policy only reports."""


class Decision(StrEnum):
    """What a person has said of a proposal before, on the memory as it still is."""

    REFUSED = "refused"
    UNDONE = "undone"


Decisions = Mapping[tuple[str, int, str], Decision]
"""By memory id, revision and verb (`archive`, `forget`, `flag`)."""


@dataclass(frozen=True, slots=True)
class Night:
    """One run to come of one job."""

    job: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Setting:
    """What a forecast is made under. `nights` are in the order in which they run, `inbox` the category whose grace
    counts for memories of categories that are not configured any more, `fresh_for` how long a volatile memory without a
    limit of its own is fresh."""

    categories: Mapping[str, Category]
    projects: Mapping[str, Project]
    nights: Sequence[Night]
    now: datetime
    zone: tzinfo
    inbox: str
    decisions: Decisions
    fresh_for: Duration

    @property
    def moments(self) -> list[datetime]:
        """The present, then the nights."""
        return [self.now, *(night.at for night in self.nights)]


class Said(NamedTuple):
    """A verdict of the retention rules, cut down to what a forecast tells. `undone`: a person took it back before."""

    fate: Fate
    code: str
    confirm: Confirm
    undone: bool = False


Course = tuple[tuple[int, Said | None], ...]
"""The verdicts over the moments, by number: (moment from which it holds, verdict). Empty: none ever."""


class Prospect(NamedTuple):
    """All that decides what becomes of a memory. `archived`: its course from when it has been archived; `marked_at`:
    the moment at which the review marks it as past its freshness."""

    category: str
    course: Course
    archived: Course
    marked_at: int | None


class Prospects:
    """The memories of one namespace, counted by what becomes of them."""

    def __init__(self, setting: Setting) -> None:
        """None yet."""
        self.setting = setting
        self.counts: Counter[Prospect] = Counter()
        self.sizes: Counter[str] = Counter()
        """Live memories by category, archived ones too, as the share of a plan counts them."""
        self.buried: Counter[tuple[str, datetime]] = Counter()
        """Forgotten ones that still have their grace, by category and moment."""
        self._moments = setting.moments
        self._reviews = [n for n, night in enumerate(setting.nights, 1) if night.job == REVIEW]

    def add(self, memories: Iterable[Memory]) -> None:
        """Take memories in; those no retention rule can reach count for nothing."""
        categories = self.setting.categories
        for memory in memories:
            if memory.state is State.FORGOTTEN and memory.forgotten_at is not None:
                self.buried[memory.category, memory.forgotten_at] += 1
            elif memory.category in categories and memory.tier in (Tier.DETAIL, Tier.ARCHIVE):
                self.sizes[memory.category] += 1
                prospect = self._prospect(memory, categories[memory.category])
                if prospect.course or prospect.marked_at is not None:
                    self.counts[prospect] += 1

    def _prospect(self, memory: Memory, category: Category) -> Prospect:
        course = self._course(memory, category)
        archived: Course = ()
        if any(said is not None and said.fate is Fate.ARCHIVE for _, said in course):
            place = self.setting.categories.get(category.policy.archive_to or category.name)
            if place is not None:
                # A changed memory is a new case: what was decided of it before does not hold any more.
                archived = self._course(replace(memory, tier=Tier.ARCHIVE, category=place.name, revision=-1), place)
        return Prospect(category.name, course, archived, self._marked_at(memory))

    def _course(self, memory: Memory, category: Category) -> Course:
        setting = self.setting

        def judged(moment: int) -> Said | None:
            found = verdict(memory, category, setting.projects, self._moments[moment], setting.zone)
            if found is None:
                return None
            before = setting.decisions.get((memory.id, memory.revision, str(found.fate)))
            if before is Decision.REFUSED:
                return None
            return Said(found.fate, found.code, found.confirm, before is Decision.UNDONE)

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


def turns(judged: Callable[[int], Said | None], moments: int) -> Course:
    """Where a verdict changes over so many moments.

    A stronger verdict comes later and none is taken back, so two equal ones have no other between them, and halving
    finds the changes: two calls for a memory that nothing befalls.
    """
    found: list[tuple[int, Said | None]] = []

    def between(low: int, before: Said | None, high: int, after: Said | None) -> None:
        if before == after:
            return
        if high - low == 1:
            found.append((high, after))
            return
        middle = (low + high) // 2
        here = judged(middle)
        between(low, before, middle, here)
        between(middle, here, high, after)

    first = judged(0)
    if first is not None:
        found.append((0, first))
    if moments > 1:
        between(0, first, moments - 1, judged(moments - 1))
    return tuple(found)
