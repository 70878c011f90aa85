"""The values everything else speaks of: memories, their categories and policies.

All are frozen; nothing here does any I/O. Datetimes are aware and in UTC.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from hmf.durations import Duration
from hmf.reason import Reason


class Tier(StrEnum):
    """How deep a memory lies: a session, categorised detail, consolidated summary, or archive."""

    WORKING = "working"
    DETAIL = "detail"
    SUMMARY = "summary"
    ARCHIVE = "archive"


class Kind(StrEnum):
    """What a memory is about; decisions and constraints never age out."""

    FACT = "fact"
    PREFERENCE = "preference"
    DECISION = "decision"
    CONSTRAINT = "constraint"
    TASK = "task"
    EVENT = "event"
    NOTE = "note"
    HYPOTHESIS = "hypothesis"
    LESSON = "lesson"


class Status(StrEnum):
    """How far a memory can be relied upon now."""

    CONFIRMED = "confirmed"
    HYPOTHESIS = "hypothesis"
    TO_VERIFY = "to-verify"
    SUPERSEDED = "superseded"
    REFUTED = "refuted"


RETIRED = frozenset({Status.SUPERSEDED, Status.REFUTED})
"""Statuses that do not answer for the present any more."""


class State(StrEnum):
    """Whether a memory exists for recall. Forgotten ones are hidden at once and purged after a grace."""

    LIVE = "live"
    FORGOTTEN = "forgotten"


class Authority(StrEnum):
    """Who stands behind a memory, strongest first."""

    USER = "user"
    CANONICAL = "canonical"
    VALIDATED = "validated"
    OBSERVED = "observed"
    HISTORY = "history"
    HYPOTHESIS = "hypothesis"

    @property
    def rank(self) -> int:
        """0 for the strongest (a user's statement), growing as trust falls."""
        return _RANKS[self]


_RANKS = {authority: rank for rank, authority in enumerate(Authority)}


class Clock(StrEnum):
    """Three of the four clocks: the ones that retention may go by. Being recalled never counts."""

    VALID = "valid"
    LEARNT = "learnt"
    VERIFIED = "verified"


class Confirm(StrEnum):
    """Who lets a policy act: a person, nobody (it acts by itself), or it only reports."""

    ASK = "ask"
    AUTO = "auto"
    NEVER = "never"


class Level(StrEnum):
    """What a summary speaks of: things that go together, a project, or a whole category."""

    TOPIC = "topic"
    PROJECT = "project"
    CATEGORY = "category"


class RoutedBy(StrEnum):
    """Which step of the router decided."""

    EXPLICIT = "explicit"
    CORRECTION = "correction"
    RULE = "rule"
    LEARNT = "learnt"
    EMBEDDING = "embedding"
    INBOX = "inbox"
    JOB = "job"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a memory comes from. `type`: user, email, web, call, document, session, import, job …"""

    type: str = "user"
    ref: str | None = None
    author: str | None = None


@dataclass(frozen=True, slots=True)
class Route:
    """A routing decision: the category, how sure (0 to 1), by which step, and why."""

    category: str
    confidence: float
    by: RoutedBy
    reason: Reason


@dataclass(frozen=True, slots=True)
class Drawn:
    """How a summary was drawn from its originals; `hmf.policy.lineage` makes and reads it.

    `since`: the earliest `valid_from` of them. `quotes`: its sentences in order, a line feed between two: how many
    characters, and the ids of the originals that say it word for word. `basis`: what each original was like then, as
    (id, digest).
    """

    level: Level
    since: datetime
    quotes: tuple[tuple[int, tuple[str, ...]], ...]
    basis: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """One record: a text and all that is known about it.

    `revision` is the number of the journal entry that last changed it, so two states of one
    memory never share it. `chunks` is how many points the index holds for it.
    """

    id: str
    namespace: str
    category: str
    tier: Tier
    kind: Kind
    text: str
    language: str
    status: Status
    authority: Authority
    source: Source
    valid_from: datetime
    learnt_at: datetime
    verified_at: datetime | None
    content_hash: str
    route: Route
    state: State = State.LIVE
    title: str | None = None
    project: str | None = None
    tags: tuple[str, ...] = ()
    volatile: bool = False
    fresh_for: Duration | None = None
    expires_at: datetime | None = None
    pinned: bool = False
    supersedes: tuple[str, ...] = ()
    superseded_by: str | None = None
    superseded_at: datetime | None = None
    summary_of: tuple[str, ...] = ()
    summarised_in: str | None = None
    session: str | None = None
    position: int | None = None
    forgotten_at: datetime | None = None
    archived_at: datetime | None = None
    revision: int = 0
    chunks: int = 1
    drawn: Drawn | None = None

    @property
    def current(self) -> bool:
        """True when it may answer for the present: live, not archived, not retired."""
        return self.state is State.LIVE and self.tier is not Tier.ARCHIVE and self.status not in RETIRED

    def clock(self, which: Clock) -> datetime | None:
        """The moment one of the retention clocks shows, or None when it never ran."""
        return {
            Clock.VALID: self.valid_from,
            Clock.LEARNT: self.learnt_at,
            Clock.VERIFIED: self.verified_at,
        }[which]


@dataclass(frozen=True, slots=True)
class FinishedRule:
    """What goes once a project is finished: after `after`, all but `keep` and summaries."""

    after: Duration
    keep: frozenset[Kind] = frozenset({Kind.DECISION, Kind.CONSTRAINT, Kind.LESSON, Kind.PREFERENCE})


@dataclass(frozen=True, slots=True)
class Keep:
    """What never goes by age, beside the pinned: by kind, by tag, and the `last` so many youngest of the category.

    Kinds and tags outlive the end of their project too.
    """

    kinds: frozenset[Kind] = frozenset({Kind.DECISION, Kind.CONSTRAINT})
    tags: frozenset[str] = frozenset()
    last: int = 0


@dataclass(frozen=True, slots=True)
class When:
    """Which memories of a category a rule of its policy is about: every condition given holds, by any of its values.

    `projects` are names, `sources` types of source, `languages` codes (`fr`).
    """

    kinds: frozenset[Kind] = frozenset()
    statuses: frozenset[Status] = frozenset()
    projects: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Policy:
    """A category's forgetting rules, as its user wrote them.

    `stale_after`: untouched that long, a memory is stale, and goes to the archive (to the category
    `archive_to`, or to the archive tier of its own). `expire_after`: it is let go. `rules`: the first that fits a
    memory decides of it instead.
    """

    stale_after: Duration | None = None
    archive_to: str | None = None
    summarise: bool = False
    expire_after: Duration | None = None
    confirm: Confirm = Confirm.ASK
    keep: Keep = Keep()
    touched_by: tuple[Clock, ...] = (Clock.VALID, Clock.LEARNT, Clock.VERIFIED)
    grace: Duration = field(default_factory=lambda: Duration(days=30))
    max_share_per_run: float = 0.3
    on_project_finished: FinishedRule | None = None
    rules: tuple[PolicyRule, ...] = ()


@dataclass(frozen=True, slots=True)
class PolicyRule:
    """What holds for some memories of a category: the whole `policy`, in which `grace`, `summarise`, the share of a
    run and the `last` kept are those of the category."""

    when: When
    policy: Policy


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the review waits before it speaks of a memory, or of a category.

    `fresh_for`: since a volatile memory without a limit of its own was seen. `unconfirmed`: since a hypothesis was
    made. `unfiled`: since a memory came to the inbox. `large`: how many current details a category may hold, and
    `unused`: how long nothing may be filed in it, before something is said.
    """

    fresh_for: Duration = field(default_factory=lambda: Duration(days=30))
    unconfirmed: Duration = field(default_factory=lambda: Duration(days=60))
    unfiled: Duration = field(default_factory=lambda: Duration(days=7))
    large: int = 2000
    unused: Duration = field(default_factory=lambda: Duration(months=6))


@dataclass(frozen=True, slots=True)
class RouteRule:
    """A YAML routing rule: it holds when every condition given holds (any of its values)."""

    words: tuple[str, ...] = ()
    pattern: str | None = None
    kinds: frozenset[Kind] = frozenset()
    sources: frozenset[str] = frozenset()
    projects: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Category:
    """A drawer. `label` and `description` are by language code (`fr`, `en`)."""

    name: str
    label: Mapping[str, str]
    description: Mapping[str, str]
    examples: tuple[str, ...] = ()
    rules: tuple[RouteRule, ...] = ()
    policy: Policy = field(default_factory=Policy)
    routable: bool = True


@dataclass(frozen=True, slots=True)
class Project:
    """A piece of work inside a namespace."""

    namespace: str
    name: str
    finished_at: datetime | None = None
