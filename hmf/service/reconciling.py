"""What a new memory replaces: what its author named, or what the rules find among its like."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import structlog

from hmf.errors import Conflict, DiskFull, IndexFailure, NotFound, Refused
from hmf.index.port import Filter, Query
from hmf.index.tokenizer import sparse_query
from hmf.memory import RETIRED, Memory, State, Status, Tier
from hmf.plan import Action, Plan, Target, Verb
from hmf.policy.reconcile.rule import Finding, Outcome, may_replace, nearest, reconcile
from hmf.policy.reconcile.sentences import because
from hmf.reason import Reason, Value, pack
from hmf.service.indexing import Indexer
from hmf.service.notes import SKEW
from hmf.service.store import Store
from hmf.service.working import Working

log = structlog.get_logger(__name__)

REPLAYED = frozenset({"extraction", "session", "import", "replay"})
"""Sources that may bring a forgotten memory back by themselves; only a person may do so on purpose."""

UNASKED = REPLAYED | {"web", "job"}
"""Sources that speak without a person having said "this replaces that": they never overrule a higher authority."""

JOB = "adding"
"""Whose proposals these are, in the review."""

_EACH, _ALL = 6, 8
"""Memories asked of each collection, and kept of all: what a new text replaces shares its rare words."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """One memory to be retired, and why in words for the journal."""

    old: Memory
    reason: Reason | None = None


class Reconciler:
    """Finds what an addition retires. It changes nothing itself."""

    def __init__(self, store: Store, indexer: Indexer) -> None:
        """Look in an open store."""
        self._store = store
        self._indexer = indexer
        self._open: list[tuple[Memory, Finding]] = []

    def retired(
        self, memory: Memory, work: Working, fresh: Iterable[Memory]
    ) -> tuple[list[Replaced], tuple[Reason, ...]]:
        """What `memory` retires, and what its author should know. `fresh`: memories of the same batch, which the index
        does not hold yet. Raises Refused, Conflict, NotFound for what was named and cannot be replaced."""
        if memory.supersedes:
            return self._named(memory, work)
        way = self._store.settings.adding.reconcile
        if way == "off" or not may_replace(memory):
            return [], ()
        outcome = self.found(memory, self._candidates(memory, work, fresh))
        if way == "ask":
            outcome = Outcome((), (*outcome.replaced, *outcome.conflicts))
        self._open += [(memory, one) for one in outcome.conflicts]
        replaced = [Replaced(one.old, Reason("found_by_hmf", {"why": because(one)})) for one in outcome.replaced]
        return replaced, tuple(
            Reason("may_contradict", {"id": one.old.id, "why": because(one)}) for one in outcome.conflicts
        )

    def propose(self) -> None:
        """File what the last additions left open for the review, beside what still waits there. Call it once they are
        committed: their revisions are not known before."""
        waiting, self._open = self._open, []
        for namespace in dict.fromkeys(memory.namespace for memory, _ in waiting):
            mine = [(memory.id, one) for memory, one in waiting if memory.namespace == namespace]
            rows = self._store.ledger.get([i for new, one in mine for i in (new, one.old.id)], namespace)
            asked = [_action(rows[new], rows[one.old.id], one) for new, one in mine if new in rows]
            now = self._store.now()
            filed = [plan for plan in self._store.plans.open(namespace, now) if plan.plan.job == JOB]
            known = {action.key: action for plan in filed for action in (*plan.undecided, *plan.postponed)}
            actions = {**known, **{action.key: action for action in asked}}
            self._store.plans.file(Plan(JOB, namespace, now, tuple(actions.values())), self._store.zone)

    def forget(self) -> None:
        """Drop what is open: the additions it belongs to were not committed."""
        self._open.clear()

    def found(self, memory: Memory, candidates: Iterable[Memory]) -> Outcome:
        """What the rules find, within the cap."""
        return reconcile(memory, candidates, now=self._store.now(), cap=self._store.settings.limits.retire_per_add)

    def alike(self, memory: Memory) -> list[Memory]:
        """The current memories that share most rare words with this one, itself left out: a bounded number.

        Lexical only: a rule that asks for words in common gains nothing from vectors, which cost more. Empty where the
        index cannot be read: an addition must not fail for that.
        """
        filters = Filter(
            {"namespace": (memory.namespace,), "tier": (Tier.DETAIL,)}, {"status": tuple(sorted(map(str, RETIRED)))}
        )
        head = " ".join(filter(None, (memory.title, memory.project, memory.text)))
        query = Query(None, sparse_query(head, memory.language), filters, _EACH)
        if query.sparse is None or not query.sparse.indices:
            return []
        scores: dict[str, float] = {}
        for home in self._store.ledger.category_names(memory.namespace):
            try:
                hits = self._indexer.search(home, query).sparse
            except (IndexFailure, DiskFull) as error:
                log.warning("reconcile.unread", collection=home, error=str(error))
                continue
            for hit in hits:
                scores[hit.memory] = max(hit.score, scores.get(hit.memory, 0.0))
        scores.pop(memory.id, None)
        best = sorted(scores, key=lambda i: (-scores[i], i))[:_ALL]
        rows = self._store.ledger.get(best, memory.namespace)
        return [rows[i] for i in best if i in rows]

    def _candidates(self, memory: Memory, work: Working, fresh: Iterable[Memory]) -> list[Memory]:
        """Its like as this batch leaves them so far, and the new ones of the batch."""
        near = {one.id: one for one in (*self.alike(memory), *nearest(memory, fresh, _EACH))}
        present = (work.get(i, one.namespace) if work.changed(i) else one for i, one in near.items())
        return [one for one in present if one is not None]

    def _named(self, memory: Memory, work: Working) -> tuple[list[Replaced], tuple[Reason, ...]]:
        """What an explicit `supersedes` retires: the present head of each chain, within the cap and the authority."""
        cap = self._store.settings.limits.retire_per_add
        if len(memory.supersedes) > cap:
            raise Refused(
                f"One addition may replace at most {cap} memories; {len(memory.supersedes)} were named.",
                fix="raise limits.retire_per_add, or add in steps.",
            )
        heads: dict[str, Memory] = {}
        notes: list[Reason] = []
        for name in memory.supersedes:
            old = _head(name, memory.namespace, work)
            if old.state is not State.LIVE:
                raise Conflict(f"Memory {name} was forgotten: it cannot be replaced.", fix="leave it out.")
            if memory.source.type in UNASKED and old.authority.rank < memory.authority.rank:
                notes.append(Reason("higher_authority", {"id": old.id, "authority": str(old.authority)}))
            elif memory.valid_from > self._store.now() + SKEW:
                day = memory.valid_from.astimezone(self._store.zone).date().isoformat()
                notes.append(Reason("holds_from", {"date": day, "id": old.id}))
            elif old.valid_from > memory.valid_from:
                notes.append(Reason("later_date", {"id": old.id}))
            else:
                heads[old.id] = old
        return [Replaced(old) for old in heads.values()], tuple(notes)


def retire(memory: Memory, replaced: Iterable[Replaced], work: Working) -> None:
    """Write into the batch that these memories do not answer for the present any more."""
    for one in replaced:
        after = replace(one.old, status=Status.SUPERSEDED, superseded_by=memory.id, superseded_at=memory.valid_from)
        by: dict[str, Value] = {"id": memory.id}
        why = Reason("replaced_for", {**by, "why": one.reason}) if one.reason else Reason("replaced_by", by)
        work.change(one.old, after, "supersede", pack(why))


def _action(new: Memory, old: Memory, finding: Finding) -> Action:
    """The question for the review: approving the first kind retires the old memory, the second marks both as unsure."""
    if finding.clear and not old.pinned:
        merged = (Target(new.id, new.revision), Target(old.id, old.revision))
        return Action(Verb.MERGE, merged, Reason("replaced", {"why": because(finding)}), old.category)
    asked = tuple(Target(one.id, one.revision) for one in (new, old) if not one.pinned)
    return Action(Verb.FLAG, asked, Reason("conflict", {"count": 2}), old.category)


def _head(name: str, namespace: str, work: Working) -> Memory:
    """The memory at the end of the chain that starts at `name`: the one that is current now, or the last that was not
    destroyed."""
    seen: set[str] = set()
    last: Memory | None = None
    while True:
        old = work.get(name, namespace)
        if old is None and last is not None:
            return last
        if old is None:
            raise NotFound(f"There is no memory {name!r} in namespace {namespace!r} to replace.", fix="hmf search")
        if old.superseded_by is None or old.superseded_by in seen:
            return old
        seen.add(name)
        last, name = old, old.superseded_by
