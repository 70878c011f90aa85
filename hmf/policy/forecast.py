"""What the coming nights will do if nothing else changes: the words of a forecast.

Each memory's prospects are found by `hmf.policy.prospects`, and the nights then played by `hmf.policy.forecast_play`.

Left out is what depends on texts and not on time: duplicates, conflicts, misfiled memories, and the summaries, which
are rebuilt or let go as their sources change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from enum import StrEnum
from typing import NamedTuple

from hmf.durations import Duration
from hmf.memory import Category, Confirm, Project
from hmf.policy.retention import Fate

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
    """A verdict of the retention rules, cut down to what a forecast tells. `undone`: a person took it back before.
    `archive_to`: the category it archives to, None for its own."""

    fate: Fate
    code: str
    confirm: Confirm
    undone: bool = False
    archive_to: str | None = None


Course = tuple[tuple[int, Said | None], ...]
"""The verdicts over the moments, by number: (moment from which it holds, verdict). Empty: none ever."""

Rank = tuple[datetime, str]
"""A memory's place among the youngest of a category: when it was touched, and its id."""


class Way(NamedTuple):
    """What comes to a memory: its course, its course once it has been archived, and its rank where it then goes."""

    course: Course
    archived: Course = ()
    rank: Rank | None = None


class Prospect(NamedTuple):
    """All that decides what becomes of a memory.

    `marked_at`: the moment at which the review marks it as past its freshness, `marked`: its way from then on, where
    that is another one. Ranks are None where the last so many can never be in question.
    """

    category: str
    way: Way
    rank: Rank | None
    marked_at: int | None
    marked: Way | None


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
