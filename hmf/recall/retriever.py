"""The tiered search: summaries, then details in the likely categories, then wider, then the archive.

Lexical search is cheap and looks everywhere at once; dense search opens the likely categories first and
the others only when what was found is weak: a category is a soft prior, never a gate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hmf.index.port import Between, Filter, Found, Query
from hmf.index.tokenizer import content_terms
from hmf.memory import RETIRED, Kind, Memory, State, Tier
from hmf.policy.ranking import Context, Evidence, Ranked, Scale, calibrated, once, rank
from hmf.recall.understand import Question

SUMMARIES = "summaries"
_CACHED = 2000
"""Content words of texts up to this many characters are remembered."""

_STRONG = 0.6
"""Evidence at which the first categories are believed and the others are not searched by vector."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds the caller sets. Empty sequences mean no bound."""

    namespace: str
    k: int
    categories: Sequence[str] = ()
    project: str | None = None
    kinds: Sequence[Kind] = ()
    since: datetime | None = None
    until: datetime | None = None
    archive: bool | None = None
    """True: search it with the rest; False: never; None: only when nothing else answers."""
    first: int = 4
    pool: int = 60


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the retriever reads: an index by collection, rows and vectors by id."""

    index: Callable[[str, Query], Found]
    """The answer of one collection."""
    rows: Callable[[Sequence[str]], Mapping[str, Memory]]
    vectors: Callable[[Sequence[Memory]], Mapping[str, NDArray[np.float32]]]
    weight: Callable[[str], float]
    """How much a word tells: its inverse document frequency."""


@dataclass
class _Search:
    """What one search has gathered so far."""

    dense: dict[str, float] = field(default_factory=dict)
    sparse: dict[str, float] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    """The collection that each memory was found in."""
    parents: dict[str, float] = field(default_factory=dict)
    rows: dict[str, Memory] = field(default_factory=dict)
    shared: dict[str, float] = field(default_factory=dict)
    unseen: set[str] = field(default_factory=set)
    """Memories whose vector was already asked of the ledger."""
    opened: set[str] = field(default_factory=set)
    trace: list[str] = field(default_factory=list)
    widened: list[str] = field(default_factory=list)


class Retriever:
    """Runs one question through the tiers."""

    def __init__(self, sources: Sources, scale: Scale, zone: tzinfo) -> None:
        """Read from `sources`, with this embedder's scale."""
        self._from = sources
        self._scale = scale
        self._zone = zone

    def search(
        self,
        question: Question,
        limits: Limits,
        *,
        shares: Mapping[str, float],
        categories: Sequence[str],
        now: datetime,
    ) -> tuple[list[Ranked], _Search]:
        """The memories that answer, best first, and what was done to find them. `categories`: the collections that
        hold something, the one of the summaries too."""
        context = Context(
            now=now,
            zone=self._zone,
            shares=shares,
            projects=question.projects,
            names=question.names,
            overview=question.need == "overview",
            history=question.history,
            about=tuple((span.since, span.until) for span in question.about),
        )
        state = _Search()
        held = [c for c in categories if c != SUMMARIES and (not limits.categories or c in limits.categories)]
        chosen = sorted(held, key=lambda c: (-shares.get(c, 0.0), c))
        base = self._filter(question, limits, archive=limits.archive is True)
        if SUMMARIES in categories:
            self._summaries(question, base, state)
        self._lexical(question, chosen, base, limits, state)
        first = self._likely(chosen, limits, state)
        self._dense(question, first, base, limits, state)
        state.trace.append("searched first: " + ", ".join(first))
        ranked = self._rank(question, context, limits, state)
        rest = [c for c in chosen if c not in state.opened]
        if rest and self._weak(ranked, limits):
            self._dense(question, rest, base, limits, state)
            state.widened.append("other categories")
            state.trace.append("widened to: " + ", ".join(rest))
            ranked = self._rank(question, context, limits, state)
        if not ranked and limits.archive is None:
            archive = self._filter(question, limits, archive=True)
            state.opened.clear()
            self._lexical(question, chosen, archive, limits, state)
            self._dense(question, chosen, archive, limits, state)
            state.widened.append("archive")
            state.trace.append("widened to the archive")
            ranked = self._rank(question, context, replace(limits, archive=True), state)
        return once(ranked, history=question.history)[: limits.k], state

    def _filter(self, question: Question, limits: Limits, *, archive: bool) -> Filter:
        any_of: dict[str, tuple[str, ...]] = {
            "namespace": (limits.namespace,),
            "tier": (Tier.DETAIL, Tier.SUMMARY, *((Tier.ARCHIVE,) if archive else ())),
        }
        if limits.project is not None:
            any_of["project"] = (limits.project,)
        if limits.kinds:
            any_of["kind"] = tuple(limits.kinds)
        none_of = {} if question.history else {"status": tuple(sorted(RETIRED))}
        span = _hull(limits, question)
        return Filter(any_of, none_of, {"valid_from": span} if span.since or span.until else {})

    def _ask(self, collection: str, query: Query, state: _Search) -> Found:
        found = self._from.index(collection, query)
        _merge(found, collection, state)
        return found

    def _summaries(self, question: Question, base: Filter, state: _Search) -> None:
        found = self._ask(SUMMARIES, Query(question.vector.tolist(), question.sparse, base, 12), state)
        best = {hit.memory: calibrated(hit.score, self._scale) for hit in found.dense}
        rows = self._from.rows(list(best))
        state.rows.update(rows)
        for memory_id, score in best.items():
            for source in rows[memory_id].summary_of if memory_id in rows and score > 0 else ():
                state.parents[source] = max(score, state.parents.get(source, 0.0))
        if rows:
            state.trace.append(f"summaries: {len(rows)}, opening {len(state.parents)} details")

    def _lexical(self, question: Question, chosen: Sequence[str], base: Filter, limits: Limits, state: _Search) -> None:
        if question.sparse.indices:
            for category in chosen:
                least = _least(state.sparse, limits.pool)
                self._ask(category, Query(None, question.sparse, base, limits.pool, least_sparse=least), state)

    def _likely(self, chosen: Sequence[str], limits: Limits, state: _Search) -> list[str]:
        """The first categories by belief, and the ones where the best lexical hits lie."""
        if limits.categories or len(chosen) <= limits.first:
            return list(chosen)
        top = sorted(state.sparse, key=lambda m: -state.sparse[m])[:5]
        where = {state.places[m] for m in top}
        likely = list(chosen[: limits.first])
        return likely + [c for c in chosen if c in where and c not in likely][:2]

    def _dense(self, question: Question, where: Sequence[str], base: Filter, limits: Limits, state: _Search) -> None:
        vector = question.vector.tolist()
        for category in where:
            state.opened.add(category)
            least = _least(state.dense, limits.pool)
            self._ask(category, Query(vector, None, base, limits.pool, least_dense=least), state)

    def _weak(self, ranked: Sequence[Ranked], limits: Limits) -> bool:
        return len(ranked) < limits.k or ranked[0].evidence < _STRONG

    def _in_force(self, memories: Sequence[Memory], question: Question) -> list[Memory]:
        """Without the summaries that speak of something replaced since: the next night rebuilds them."""
        sources = {i for m in memories for i in m.summary_of}
        if not sources or question.history:
            return list(memories)
        rows = self._from.rows(sorted(sources))
        replaced = {i for i, m in rows.items() if m.status in RETIRED}
        return [m for m in memories if not replaced.intersection(m.summary_of)]

    def _rank(self, question: Question, context: Context, limits: Limits, state: _Search) -> list[Ranked]:
        pool = _pool(state, max(limits.pool, 2 * limits.k), self._scale)
        state.rows.update(self._from.rows([i for i in pool if i not in state.rows]))
        read = [state.rows[i] for i in pool if i in state.rows]
        kept = {
            m.id: m for m in self._in_force([m for m in read if _allowed(m, question, limits, context.now)], question)
        }
        missing = [m for i, m in kept.items() if i not in state.dense and i not in state.unseen]
        state.unseen.update(m.id for m in missing)
        for memory_id, vector in self._from.vectors(missing).items():
            state.dense[memory_id] = float(vector @ question.vector)
        weights = {term: self._from.weight(term) for term in question.terms}
        for memory_id in kept.keys() - state.shared.keys():
            memory = kept[memory_id]
            state.shared[memory_id] = _covered(weights, memory)
        best = max((state.sparse.get(i, 0.0) for i in kept), default=0.0)
        evidence = {
            i: Evidence(
                dense=state.dense.get(i),
                lexical=state.sparse.get(i, 0.0) / best if best > 0 else 0.0,
                coverage=state.shared[i],
                parent=state.parents.get(i, 0.0),
            )
            for i in kept
        }
        return rank(evidence, kept, context, self._scale)


def expired(memory: Memory, now: datetime) -> bool:
    """True once its expiry is past: it is no present truth any more, whether or not a night has let it go."""
    return memory.expires_at is not None and memory.expires_at <= now


def _covered(weights: Mapping[str, float], memory: Memory) -> float:
    """Share of the question's content words that the memory has, rare words counting more; 0 when it has none."""
    text = _searchable(memory)
    words = _terms(text, memory.language) if len(text) < _CACHED else content_terms(text, memory.language)
    total = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in words) / total if total else 0.0


@lru_cache(maxsize=8192)
def _terms(text: str, language: str) -> frozenset[str]:
    """Remembered: the same candidates come back question after question."""
    return content_terms(text, language)


def _searchable(memory: Memory) -> str:
    return " ".join(filter(None, (memory.title, memory.project, " ".join(memory.tags), memory.text)))


def _merge(found: Found, collection: str, state: _Search) -> None:
    """Keep each memory's best chunk on each side."""
    for hits, scores in ((found.dense, state.dense), (found.sparse, state.sparse)):
        for hit in hits:
            scores[hit.memory] = max(hit.score, scores.get(hit.memory, float("-inf")))
            state.places[hit.memory] = collection


def _least(scores: Mapping[str, float], size: int) -> float | None:
    """The score of the last of the best `size`: what scores less in another collection cannot come into the pool."""
    return sorted(scores.values())[-size] if len(scores) >= size else None


def _pool(state: _Search, size: int, scale: Scale) -> list[str]:
    """The `size` most promising by what the engines said, a third of them sure of a place by each side alone, and the
    details that summaries point to. Reading and weighing a memory costs more than finding it."""
    best = max(state.sparse.values(), default=0.0) or 1.0

    def promise(memory: str) -> float:
        dense = calibrated(state.dense.get(memory), scale)
        return scale.weight * dense + (1 - scale.weight) * state.sparse.get(memory, 0.0) / best

    sides = [sorted(side, key=side.__getitem__, reverse=True)[: size // 3] for side in (state.dense, state.sparse)]
    both = sorted(state.dense.keys() | state.sparse.keys(), key=lambda m: (-promise(m), m))
    chosen = list(dict.fromkeys([*sides[0], *sides[1], *both]))[:size]
    by_parent = sorted(state.parents, key=state.parents.__getitem__, reverse=True)[: size // 2]
    return list(dict.fromkeys([*chosen, *by_parent]))


def _hull(limits: Limits, question: Question) -> Between:
    """The span the engine filters by: the caller's bounds, else from the first to the last of the question's."""
    if limits.since or limits.until or not question.during:
        return Between(limits.since, limits.until)
    starts, ends = [r.since for r in question.during], [r.until for r in question.during]
    return Between(
        None if None in starts else min(s for s in starts if s),
        None if None in ends else max(e for e in ends if e),
    )


def within_span(moment: datetime, span: Between) -> bool:
    """True inside a closed range, either end of which may be open."""
    return (span.since is None or moment >= span.since) and (span.until is None or moment <= span.until)


def _allowed(memory: Memory, question: Question, limits: Limits, now: datetime) -> bool:
    """The ledger's word: a row the index has not caught up with is judged as it is now."""
    bounded = limits.since is not None or limits.until is not None
    spans = (Between(limits.since, limits.until),) if bounded else question.during
    return (
        memory.state is State.LIVE
        and memory.namespace == limits.namespace
        and (question.history or (memory.status not in RETIRED and not expired(memory, now)))
        and (memory.tier is not Tier.ARCHIVE or limits.archive is True)
        and (not limits.categories or memory.category in limits.categories)
        and (limits.project is None or memory.project == limits.project)
        and (not limits.kinds or memory.kind in limits.kinds)
        and (not spans or any(within_span(memory.valid_from, span) for span in spans))
    )
