"""The review job, the nightly pass: what a person should look at, and what to mark as no longer sure.

One pass over the details of each category; only a few words of each are kept. What a memory costs: volatile facts and
hypotheses, some comparisons of dates; copies, one folding of its text (10 µs); conflicts, the stems of lasting kinds
(20 µs). Misfiled and inbox: one routing each (some ms), so only for the memories of the last two days and those that
wait in the inbox, `_MOST_ROUTED` a night.

A memory is spoken of once a night: what needs nobody comes first, since a question can wait for weeks; then copies,
conflicts, old hypotheses and places.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from hmf.durations import Duration
from hmf.memory import Category, Confirm, Memory, RoutedBy, Status
from hmf.plan import Action, Plan, Reason, Verb, View
from hmf.policy.conflicts import Claim, claim, contradict
from hmf.policy.folding import fold
from hmf.policy.reconcile.rule import judge
from hmf.policy.reconcile.sentences import explain
from hmf.policy.retention import SURE, edge
from jobs.common import finish, sorted_categories, target, targets

_RECENT = Duration(days=2)
_MOST_ROUTED = 500
_CERTAIN = frozenset({RoutedBy.RULE, RoutedBy.LEARNT})
"""Steps of the router that may speak against a filing: what the user wrote as a rule or taught by correcting."""

_WORDS = re.compile(r"(?:(?<!\w)-)?\d+(?:[.,/:-]\d+)*|[^\W_]+|[?%€$£+]")
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
        routed = _Budget(_MOST_ROUTED)
        actions = [a for category in sorted_categories(view) for a in _category(view, category, now, routed)]
        return finish(self.name, view, now, actions)


@dataclass(slots=True)
class _Budget:
    left: int

    def spend(self) -> bool:
        """Take one, if there is one."""
        self.left -= 1
        return self.left >= 0


@dataclass(slots=True)
class _Seen:
    """What the pass keeps for the checks that compare memories: ids by wording, and (id, claim) by subject."""

    wordings: dict[tuple[object, ...], list[str]] = field(default_factory=lambda: defaultdict(list))
    claims: dict[tuple[str, ...], list[tuple[str, Claim]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, memory: Memory) -> None:
        """Remember a current memory."""
        folded = fold(memory.text)
        if not memory.pinned:
            self.wordings[(memory.project, memory.kind, _wording(folded))].append(memory.id)
        said = claim(memory, folded)
        if said is not None:
            self.claims[said.subject].append((memory.id, said))


def _category(view: View, category: Category, now: datetime, routed: _Budget) -> Iterator[Action]:
    seen, marks, moves = _Seen(), list[Action](), list[Action]()
    for memory in view.memories(category=category.name):
        if not memory.current:
            continue
        seen.add(memory)
        if not memory.pinned:
            marks += _marked(memory, now, view)
            moves += _moved(memory, view, now, routed)
    automatic = [a for a in marks if a.confirm is Confirm.AUTO]
    asking = [a for a in marks if a.confirm is not Confirm.AUTO]
    taken: set[str] = set()
    for action in (*automatic, *_merges(view, category, seen), *_conflicts(view, category, seen), *asking, *moves):
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


def _moved(memory: Memory, view: View, now: datetime, routed: _Budget) -> Iterator[Action]:
    waiting = memory.route.by is RoutedBy.INBOX
    old = memory.learnt_at < edge(view.patience.unfiled if waiting else _RECENT, now, view.zone)
    if memory.route.by in _FILED_BY_HAND or old is not waiting or not routed.spend():
        return
    route = view.reroute(memory)
    known = view.categories.get(route.category)
    if known is None or route.category == memory.category or route.by is RoutedBy.INBOX:
        return
    if waiting:
        reason = Reason("unrouted", {"days": (now - memory.learnt_at).days})
    elif route.confidence >= SURE and route.by in _CERTAIN:
        reason = Reason("misfiled", {"category": route.category, "confidence": route.confidence})
    else:
        return
    yield Action(Verb.MOVE, (target(memory),), reason, memory.category, to_category=route.category)


def _merges(view: View, category: Category, seen: _Seen) -> Iterator[Action]:
    """Exact copies, and copies that differ in case, accents, spaces or punctuation only. A person decides."""
    groups = [ids for ids in seen.wordings.values() if len(ids) > 1]
    rows = view.get([i for ids in groups for i in ids])
    for ids in groups:
        here = [rows[i] for i in ids if i in rows]  # one may have been forgotten since it was read
        if len(here) < 2:
            continue
        kept, *others = sorted(here, key=lambda m: (m.authority.rank, m.learnt_at, m.id))
        code = "duplicate" if all(m.content_hash == kept.content_hash for m in others) else "twin"
        merged = (target(kept), *targets(others))
        yield Action(Verb.MERGE, merged, Reason(code, {"other": kept.id}), category.name)


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
    reason = Reason("replaced", {"why": explain(found, view.language)})
    return Action(Verb.MERGE, (target(newer), target(older)), reason, category.name)


def _contradicting(said: Sequence[tuple[str, Claim]]) -> Iterable[str]:
    distinct = {one for _, one in said}
    against = {one for one in distinct if any(contradict(one, other) for other in distinct)}
    return (memory_id for memory_id, one in said if one in against)


def _wording(folded: str) -> str:
    """Words, figures and the question mark of a folded text in order: what is left without the other punctuation."""
    return " ".join(_WORDS.findall(folded))


job = Review()
