"""An in-memory ledger: a `View` that plans can be applied to, for the tests of the jobs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo

from hmf.memory import (
    RETIRED,
    Authority,
    Category,
    Clock,
    Confirm,
    Kind,
    Level,
    Memory,
    Patience,
    Policy,
    Project,
    Route,
    RoutedBy,
    Source,
    State,
    Status,
    Tier,
)
from hmf.plan import Action, Plan, Verb
from hmf.policy import lineage
from hmf.policy.retention import touched
from hmf.policy.text import content_hash
from hmf.reason import Reason

NOW = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)


def memory(number: int, text: str = "", *, at: datetime = NOW, **changes: object) -> Memory:
    """A confirmed detail in `notes`, learnt and valid at `at`, by a rule."""
    body = text or f"Note {number}."
    base = Memory(
        id=f"m{number:06d}",
        namespace="ws",
        category="notes",
        tier=Tier.DETAIL,
        kind=Kind.NOTE,
        text=body,
        language="fr",
        status=Status.CONFIRMED,
        authority=Authority.USER,
        source=Source(),
        valid_from=at,
        learnt_at=at,
        verified_at=None,
        content_hash=content_hash(body),
        route=Route(str(changes.get("category", "notes")), 1.0, RoutedBy.RULE, Reason("rule")),
        revision=number,
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def category(name: str = "notes", policy: Policy | None = None) -> Category:
    """A category with this policy."""
    return Category(name, {"fr": name, "en": name}, {"fr": name, "en": name}, policy=policy or Policy())


class FakeView:
    """A `hmf.plan.View` over a dictionary. `asked` counts calls of `reroute`."""

    def __init__(
        self,
        memories: Sequence[Memory],
        categories: Sequence[Category],
        *,
        projects: Sequence[Project] = (),
        zone: tzinfo = UTC,
        vectors: Mapping[str, Sequence[float]] | None = None,
        routes: Mapping[str, Route] | None = None,
    ) -> None:
        self.namespace = "ws"
        self.zone = zone
        self.language = "fr"
        self.categories = {c.name: c for c in categories}
        self.projects = {p.name: p for p in projects}
        self.patience = Patience()
        self.rows = {m.id: m for m in sorted(memories, key=lambda m: m.id)}
        self.stored = dict(vectors or {})
        self.routes = dict(routes or {})
        self.by_policy: set[str] = set()
        self.waiting: set[str] = set()
        self.asked = 0
        self._seq = max((m.revision for m in memories), default=0)

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
    ) -> Iterator[Memory]:
        for m in sorted(self.rows.values(), key=lambda m: m.id):
            clocks = [c for c in map(m.clock, Clock) if c is not None]
            if (
                m.state is State.LIVE
                and (category is None or m.category == category)
                and m.tier in tiers
                and (touched_before is None or max(clocks) < touched_before)
                and (not kinds or m.kind in kinds)
                and (project is None or m.project == project)
                and (volatile is None or m.volatile is volatile)
                and (expired_by is None or (m.expires_at is not None and m.expires_at <= expired_by))
                and (not unsummarised or m.summarised_in is None)
            ):
                yield m

    def get(self, ids: Sequence[str]) -> Mapping[str, Memory]:
        return {i: self.rows[i] for i in ids if i in self.rows and self.rows[i].state is State.LIVE}

    def let_go(self, ids: Sequence[str]) -> set[str]:
        return self.by_policy & set(ids)

    def youngest(self, category: str, clocks: Sequence[Clock], count: int) -> set[str]:
        rows = self.memories(category=category, tiers=(Tier.DETAIL, Tier.ARCHIVE))
        standing = [m for m in rows if not m.summary_of and m.status not in RETIRED]
        standing.sort(key=lambda m: (touched(m, clocks), m.id), reverse=True)
        return {m.id for m in standing[:count]}

    def count(self, category: str, *, pinned: bool | None = None) -> int:
        return sum(pinned is None or m.pinned is pinned for m in self.memories(category=category))

    def vectors(self, ids: Sequence[str]) -> Mapping[str, Sequence[float]]:
        return {i: self.stored[i] for i in ids if i in self.stored}

    def proposed(self) -> set[str]:
        return self.waiting

    def reroute(self, memories: Sequence[Memory]) -> Mapping[str, Route]:
        self.asked += len(memories)
        return {m.id: self.routes.get(m.id, m.route) for m in memories}

    def change(self, memory_id: str, **changes: object) -> None:
        """A person changes a memory."""
        self._seq += 1
        self.rows[memory_id] = replace(self.rows[memory_id], revision=self._seq, **changes)  # type: ignore[arg-type]

    def forget(self, memory_id: str) -> None:
        """A person forgets a memory."""
        self.change(memory_id, state=State.FORGOTTEN, forgotten_at=NOW)

    def apply(self, plan: Plan) -> list[Action]:
        """Apply every action that may ever be, in order, as the service does. Returns those that were applied."""
        before = dict(self.rows)
        done: dict[str, Action] = {}
        for action in plan.actions:
            if action.confirm is Confirm.NEVER:
                continue
            fresh = all(before[t.id].revision == t.revision for t in action.targets)
            live = all(self.rows[t.id].state is State.LIVE for t in action.targets)
            if fresh and live and (action.after is None or action.after in done):
                self._apply(action)
                done[action.key] = action
        return list(done.values())

    def _apply(self, action: Action) -> None:
        ids = [t.id for t in action.targets]
        for i in ids:
            if action.verb is Verb.ARCHIVE:
                place = action.to_category or self.rows[i].category
                self.change(i, tier=Tier.ARCHIVE, category=place, archived_at=NOW)
            elif action.verb is Verb.FORGET:
                self.by_policy.add(i)
                self.change(i, state=State.FORGOTTEN, forgotten_at=NOW)
            elif action.verb is Verb.FLAG:
                self.change(i, status=Status.TO_VERIFY)
            elif action.verb is Verb.MOVE:
                assert action.to_category is not None
                route = Route(action.to_category, 1.0, RoutedBy.CORRECTION, Reason("moved"))
                self.change(i, category=action.to_category, route=route)
            elif action.verb is Verb.MERGE and i != ids[0]:
                self.change(i, status=Status.SUPERSEDED, superseded_by=ids[0])
        if action.draft is not None:
            self._summarise(action, ids)

    def _summarise(self, action: Action, ids: list[str]) -> None:
        draft = action.draft
        assert draft is not None
        new = f"s{len(self.rows):06d}"
        sources = [self.rows[i] for i in ids]
        for i in ids if draft.level is not Level.CATEGORY else ():
            self.change(i, summarised_in=new)
        if draft.replaces is not None:
            self.change(draft.replaces.id, status=Status.SUPERSEDED, superseded_by=new)
        self._seq += 1
        self.rows[new] = memory(
            0,
            draft.text,
            at=max(m.valid_from for m in sources),
            id=new,
            category=draft.category,
            tier=Tier.ARCHIVE if action.verb is Verb.ARCHIVE else Tier.SUMMARY,
            status=lineage.weakest_status(sources),
            project=draft.project,
            title=draft.title,
            language=draft.language,
            summary_of=tuple(ids),
            tags=lineage.tags(sources),
            drawn=lineage.drawn(draft.level, draft.sentences, sources),
            revision=self._seq,
        )
