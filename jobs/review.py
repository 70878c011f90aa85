"""The review job, the nightly pass: what a person should look at, and what to mark as no longer sure.

One pass over the details of each category; only a few words of each are kept. What a memory costs: volatile facts and
hypotheses, some comparisons of dates; copies, one folding of its text (10 µs); conflicts, the stems of lasting kinds
(20 µs). Misfiled and inbox: one routing each (some ms), so only for the memories of the last two days and those that
wait in the inbox, `_MOST_ROUTED` a night.

A memory is spoken of once a night: what needs nobody comes first, since a question can wait for weeks; then copies,
conflicts, old hypotheses and places.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from zlib import crc32

from hmf.durations import Duration
from hmf.memory import Category, Confirm, Memory, RoutedBy, Status
from hmf.plan import Action, Plan, Reason, Verb, View
from hmf.policy import clusters, doubles, twins
from hmf.policy.conflicts import Claim, claim, contradict
from hmf.policy.doubles import Doubles
from hmf.policy.folding import fold
from hmf.policy.reconcile.rule import judge
from hmf.policy.reconcile.sentences import because
from hmf.policy.retention import SURE, edge
from jobs.common import finish, sorted_categories, target, targets
from jobs.observing import Used, observed

_RECENT = Duration(days=2)
_MOST_ROUTED = 500
_CERTAIN = frozenset({RoutedBy.RULE, RoutedBy.LEARNT})
"""Steps of the router that may speak against a filing: what the user wrote as a rule or taught by correcting. What it
believes may speak only against what it believed before: 14 of 16 such proposals were right (bench/misfiled.py)."""

_A_NIGHT = 600
"""Older memories that are routed again in one night, about; some ms each."""

_NEAR = 0.8
"""Cosine from which texts of nearly the same words may be the same memory: less is another subject."""

_FILED_BY_HAND = frozenset({RoutedBy.EXPLICIT, RoutedBy.CORRECTION, RoutedBy.JOB})


@dataclass(frozen=True, slots=True)
class Review:
    """Plans FLAG (to verify), MERGE and MOVE actions.

    The first target of a MERGE is the memory that stays (`reason.values["other"]` too); the others are its copies.
    FLAG asks nobody where it only marks a volatile fact as past its freshness.
    """

    name: str = "review"

    def plan(self, view: View, now: datetime) -> Plan:
        """Propose what should be looked at."""
        routed = _Budget.of(view, now)
        passes = [(category, _Seen()) for category in sorted_categories(view)]
        actions = [a for category, seen in passes for a in _category(view, category, now, routed, seen)]
        plan = finish(self.name, view, now, actions)
        used = {category.name: Used(seen.ids, seen.newest) for category, seen in passes}
        return replace(plan, notes=tuple(observed(view, now, used)))


@dataclass(slots=True)
class _Budget:
    """What may be routed tonight: so many that are new or wait, and of the older ones those whose turn it is.

    What an open plan proposes to move is asked again every night, so that a question does not vanish before it is
    answered. A turn comes round after `rounds` nights, with a few thousand memories every night or two.
    """

    left: int
    rounds: int
    turn: int
    waiting: Set[str]

    @classmethod
    def of(cls, view: View, now: datetime) -> _Budget:
        """The budget of the night that `now` lies in."""
        rounds = max(1, -(-sum(view.count(name) for name in view.categories) // _A_NIGHT))
        turn = now.astimezone(view.zone).toordinal() % rounds
        return cls(_MOST_ROUTED, rounds, turn, view.proposed() if rounds > 1 else frozenset())

    def spend(self) -> bool:
        """Take one, if there is one."""
        self.left -= 1
        return self.left >= 0

    def due(self, memory_id: str) -> bool:
        """Whether an older memory has its turn tonight."""
        return self.rounds == 1 or memory_id in self.waiting or crc32(memory_id.encode()) % self.rounds == self.turn


@dataclass(slots=True)
class _Seen:
    """What the pass keeps for the checks that compare memories: those that may be told twice, (id, claim) by subject,
    and all ids."""

    ids: list[str] = field(default_factory=list)
    newest: datetime | None = None
    """When the last of them was learnt."""
    doubles: Doubles = field(default_factory=Doubles)
    claims: dict[tuple[str, ...], list[tuple[str, Claim]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, memory: Memory) -> None:
        """Remember a current memory."""
        self.ids.append(memory.id)
        if self.newest is None or memory.learnt_at > self.newest:
            self.newest = memory.learnt_at
        folded = fold(memory.text)
        if not memory.pinned:
            self.doubles.add(memory.id, (memory.project, memory.kind), memory.text, folded)
        said = claim(memory, folded)
        if said is not None:
            self.claims[said.subject].append((memory.id, said))


def _category(view: View, category: Category, now: datetime, routed: _Budget, seen: _Seen) -> Iterator[Action]:
    marks, doubtful = list[Action](), list[Memory]()
    for memory in view.memories(category=category.name):
        if not memory.current:
            continue
        seen.add(memory)
        if not memory.pinned:
            marks += _marked(memory, now, view)
            if _questioned(memory, view, now, routed):
                doubtful.append(memory)
    moves = _moves(doubtful, view, now)
    automatic = [a for a in marks if a.confirm is Confirm.AUTO]
    asking = [a for a in marks if a.confirm is not Confirm.AUTO]
    taken: set[str] = set()
    found = (*automatic, *_merges(view, category, seen), *_conflicts(view, category, seen), *asking, *moves)
    seen.doubles, seen.claims = Doubles(), {}  # a category's tables are large
    for action in found:
        ids = {t.id for t in action.targets}
        if taken.isdisjoint(ids):
            taken |= ids
            yield action


def _marked(memory: Memory, now: datetime, view: View) -> Iterator[Action]:
    """What can be said of one memory alone: a volatile fact past its freshness, a hypothesis nobody confirmed."""
    if memory.status is Status.TO_VERIFY:
        return
    since = memory.verified_at or memory.learnt_at
    limit = memory.fresh_for or view.patience.fresh_for
    if memory.volatile and since < edge(limit, now, view.zone):
        values: dict[str, str | int | float] = {
            "since": since.astimezone(view.zone).date().isoformat(),
            "limit": str(limit),
        }
        reason, confirm = Reason("volatile_stale", values), Confirm.AUTO
    elif (
        memory.status is Status.HYPOTHESIS
        and memory.verified_at is None
        and since < edge(view.patience.unconfirmed, now, view.zone)
    ):
        reason, confirm = Reason("hypothesis_old", {"days": (now - since).days}), Confirm.ASK
    else:
        return
    yield Action(Verb.FLAG, (target(memory),), reason, memory.category, confirm)


def _questioned(memory: Memory, view: View, now: datetime, routed: _Budget) -> bool:
    """Whether the router is asked again where this belongs: it waits in the inbox, is new, or has its turn."""
    if memory.route.by in _FILED_BY_HAND:
        return False
    waiting = memory.route.by is RoutedBy.INBOX
    old = memory.learnt_at < edge(view.patience.unfiled if waiting else _RECENT, now, view.zone)
    if waiting or not old:
        return old is waiting and routed.spend()
    return routed.due(memory.id)


def _moves(doubtful: Sequence[Memory], view: View, now: datetime) -> Iterator[Action]:
    routes = view.reroute(doubtful) if doubtful else {}
    for memory in doubtful:
        route = routes[memory.id]
        if route.category not in view.categories or route.category == memory.category or route.by is RoutedBy.INBOX:
            continue
        if memory.route.by is RoutedBy.INBOX:
            reason = Reason("unrouted", {"days": (now - memory.learnt_at).days})
        elif route.confidence >= SURE and (route.by in _CERTAIN or memory.route.by is route.by):
            reason = Reason("misfiled", {"category": route.category, "confidence": route.confidence})
        else:
            continue
        yield Action(Verb.MOVE, (target(memory),), reason, memory.category, to_category=route.category)


def _merges(view: View, category: Category, seen: _Seen) -> Iterator[Action]:
    """Exact copies, copies that differ in their form, and what says the same in nearly the same words and is near in
    meaning too. A person decides."""
    groups = doubles.groups(seen.doubles.pairs)
    rows = view.get([i for ids in groups for i in ids])
    for ids in groups:
        here = sorted((rows[i] for i in ids if i in rows), key=lambda m: (m.authority.rank, m.learnt_at, m.id))
        while len(here) > 1:  # one may have been forgotten since it was read
            kept, *others = here
            own = twins.prints(kept.text, kept.language)
            same = [m for m in others if twins.alike(own, twins.prints(m.text, m.language))]
            close = _close(view, kept, same)
            same = [m for m in same if m.id in close]
            here = [m for m in others if m not in same]
            if same:
                code = "duplicate" if all(m.content_hash == kept.content_hash for m in same) else "twin"
                merged = (target(kept), *targets(same))
                yield Action(Verb.MERGE, merged, Reason(code, {"other": kept.id}), category.name)


def _close(view: View, kept: Memory, others: Sequence[Memory]) -> Set[str]:
    """Those of these that mean the same as far as their vectors tell; where there is none, the words decide."""
    told = twins.wording(kept.text)
    ids = {m.id for m in others if twins.wording(m.text) == told}
    doubtful = [m.id for m in others if m.id not in ids]
    if not doubtful:
        return ids
    vectors = view.vectors([kept.id, *doubtful])
    own = vectors.get(kept.id)
    near = (i for i in doubtful if own is None or i not in vectors or clusters.cosine(own, vectors[i]) >= _NEAR)
    return ids | set(near)


def _conflicts(view: View, category: Category, seen: _Seen) -> Iterator[Action]:
    groups = [sorted(set(_contradicting(said))) for said in seen.claims.values() if len(said) > 1]
    rows = view.get([i for ids in groups for i in ids])
    for ids in filter(None, groups):
        asked = [rows[i] for i in ids if i in rows and not rows[i].pinned]
        replaced = _replaced(view, category, asked) if len(ids) == 2 else None
        if replaced is not None:
            yield replaced
        elif any(m.status is not Status.TO_VERIFY for m in asked):
            yield Action(Verb.FLAG, targets(asked), Reason("conflict", {"count": len(ids)}), category.name)


def _replaced(view: View, category: Category, asked: Sequence[Memory]) -> Action | None:
    """Of two that contradict each other, the later one in its place where its words leave no doubt: added while nobody
    looked, or imported. The same rule as for an addition."""
    if len(asked) != 2:
        return None
    older, newer = sorted(asked, key=lambda m: (m.valid_from, m.learnt_at, m.id))
    found = judge(newer, older)
    if found is None or not found.clear:
        return None
    reason = Reason("replaced", {"why": because(found)})
    return Action(Verb.MERGE, (target(newer), target(older)), reason, category.name)


def _contradicting(said: Sequence[tuple[str, Claim]]) -> Iterable[str]:
    distinct = {one for _, one in said}
    against = {one for one in distinct if any(contradict(one, other) for other in distinct)}
    return (memory_id for memory_id, one in said if one in against)


job = Review()
