"""What a job proposes: a plan of actions with reasons. Nothing here has been done yet."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from enum import StrEnum
from typing import Any, Protocol

from hmf.memory import Category, Clock, Confirm, Kind, Level, Memory, Patience, Project, Route, Tier
from hmf.policy import shares
from hmf.reason import Reason as Reason


class Verb(StrEnum):
    """What an action does when it is applied. None destroys."""

    ARCHIVE = "archive"
    SUMMARISE = "summarise"
    FORGET = "forget"
    MOVE = "move"
    FLAG = "flag"
    MERGE = "merge"


@dataclass(frozen=True, slots=True)
class Target:
    """A memory an action touches, and the revision it was judged at: changed since means skipped."""

    id: str
    revision: int


@dataclass(frozen=True, slots=True)
class Draft:
    """A summary to be written. `sources` are the details each sentence was taken from, sentence by sentence."""

    text: str
    title: str
    category: str
    project: str | None
    language: str
    sentences: tuple[tuple[str, str], ...]
    """(sentence, id of the memory it stands in)."""
    replaces: Target | None = None
    """The stale summary this one is rebuilt from scratch to replace."""
    level: Level = Level.TOPIC
    """What it speaks of. An overview of a category (CATEGORY) is beside the summaries that its originals are in."""


@dataclass(frozen=True, slots=True)
class Action:
    """One proposal on one or several memories."""

    verb: Verb
    targets: tuple[Target, ...]
    reason: Reason
    category: str
    """The category the memories are in now; shares are counted by it."""
    confirm: Confirm = Confirm.ASK
    to_category: str | None = None
    draft: Draft | None = None
    after: str | None = None
    """Key of the action that must have been applied first; if it was not, this one is skipped."""

    @property
    def key(self) -> str:
        """A short name that two equal actions share, whatever plan they stand in."""
        return _digest(_plain(self))[:12]


@dataclass(frozen=True, slots=True)
class Stop:
    """A category whose share a plan would exceed; its actions wait for a person whatever their policy says."""

    category: str
    touched: int
    total: int
    limit: float
    left: int | None = None
    """How many that are not pinned it would leave there; 0: it would empty the category. None: filed before this."""


@dataclass(frozen=True, slots=True)
class Part:
    """A share of a category: its name, how many memories, and the ids of a few that show what it is."""

    name: str
    count: int
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """What a job has seen and cannot mend by an action: there is nothing to apply. `say` puts it into words, as a
    reason. `parts` is a division that it suggests."""

    code: str
    values: Mapping[str, str | int | float]
    category: str
    parts: tuple[Part, ...] = ()

    @property
    def key(self) -> str:
        """A short name of what it speaks of. Growing figures and other examples do not change it."""
        return _digest([self.code, self.category, sorted(p.name for p in self.parts)])[:12]


@dataclass(frozen=True, slots=True)
class Plan:
    """The proposals of one job for one namespace. Two plans with the same actions have the same id."""

    job: str
    namespace: str
    made_at: datetime
    actions: tuple[Action, ...]
    stops: tuple[Stop, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def id(self) -> str:
        """Made of the content only, so that planning twice changes nothing."""
        return _digest([self.job, self.namespace, sorted(a.key for a in self.actions)])[:16]


class View(Protocol):
    """What a job may read. A view is one consistent moment of the ledger, in one namespace."""

    namespace: str
    zone: tzinfo
    language: str
    categories: Mapping[str, Category]
    projects: Mapping[str, Project]
    patience: Patience

    def memories(
        self,
        *,
        category: str | None = None,
        tiers: Sequence[Tier] = (Tier.DETAIL,),
        touched_before: datetime | None = None,
        kinds: Sequence[Kind] = (),
        project: str | None = None,
        volatile: bool | None = None,
        expired_by: datetime | None = None,
        unsummarised: bool = False,
    ) -> Iterable[Memory]:
        """Live memories in id order, streamed. `touched_before` is a necessary condition only: all three
        retention clocks lie before it; a rule still judges each row by the clocks its policy counts."""
        ...

    def get(self, ids: Sequence[str]) -> Mapping[str, Memory]:
        """Rows by id; the ones that do not exist (or are forgotten) are left out."""
        ...

    def let_go(self, ids: Sequence[str]) -> Set[str]:
        """Those of the ids that a plan's action has forgotten (expiry, finished project): summaries may go on speaking
        of them. What a person forgot or erased by hand is not among them."""
        ...

    def youngest(self, category: str, clocks: Sequence[Clock], count: int) -> Set[str]:
        """Ids of the `count` memories of the category that were touched last by these clocks, as `retention.touched`
        has it: live ones in sight or archived, no summaries, none that is retired; of equal ones the later ids."""
        ...

    def count(self, category: str, *, pinned: bool | None = None) -> int:
        """How many live memories the category holds, archived ones too, summaries not; only those (not) pinned."""
        ...

    def vectors(self, ids: Sequence[str]) -> Mapping[str, Sequence[float]]:
        """Stored embeddings of the first chunk, by memory id."""
        ...

    def proposed(self) -> Set[str]:
        """Ids of the memories that a plan which still waits would move."""
        ...

    def reroute(self, memories: Sequence[Memory]) -> Mapping[str, Route]:
        """Where the router would file each of these today, by id: where it is, if its vector is not kept."""
        ...


class Job(Protocol):
    """A maker of plans, found through the entry-point group `hmf.jobs`."""

    name: str

    def plan(self, view: View, now: datetime) -> Plan:
        """Read the view and propose. Must be deterministic for an equal view and `now`."""
        ...


def limited(plan: Plan, view: View) -> Plan:
    """Make every action ask where the plan touches more than a category's `max_share_per_run`, or would leave nothing
    there but the pinned; see `hmf.policy.shares`."""
    stops = []
    for name, ids in sorted(_taken(plan.actions).items()):
        total, category = view.count(name), view.categories.get(name)
        limit = category.policy.max_share_per_run if category else 1.0
        free = view.count(name, pinned=False)
        if shares.stops(len(ids), total, free, limit):
            stops.append(Stop(name, len(ids), total, limit, max(free - len(ids), 0)))
    stopped = {s.category for s in stops}
    actions = tuple(
        replace(a, confirm=Confirm.ASK) if a.category in stopped and a.confirm is Confirm.AUTO else a
        for a in plan.actions
    )
    return replace(plan, actions=actions, stops=tuple(stops))


def emptying(plan: Plan, chosen: Set[str]) -> list[Stop]:
    """The stops of categories in which these actions (by key) together would leave nothing but the pinned."""
    taken = _taken(action for action in plan.actions if action.key in chosen)
    return [stop for stop in plan.stops if stop.left == 0 and len(taken.get(stop.category, ())) >= stop.touched]


def _taken(actions: Iterable[Action]) -> dict[str, set[str]]:
    """Ids by category of what actions take away: a summary and a mark take nothing."""
    taken: dict[str, set[str]] = {}
    for action in actions:
        if action.verb not in (Verb.SUMMARISE, Verb.FLAG):
            taken.setdefault(action.category, set()).update(t.id for t in action.targets)
    return taken


def _plain(action: Action) -> Any:
    draft = action.draft
    return [
        action.verb,
        sorted([t.id, t.revision] for t in action.targets),
        action.to_category,
        [draft.text, draft.category, draft.project] if draft else None,
        *([draft.level] if draft and draft.level is Level.CATEGORY else []),
    ]


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
