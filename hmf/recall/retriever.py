"""The tiered search: summaries, then details in the likely categories, then wider, then the archive.

Lexical search is cheap and looks everywhere at once; dense search opens the likely categories first and
the others only when what was found is weak: a category is a soft prior, never a gate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo

import numpy as np
from numpy.typing import NDArray

from hmf.index.port import Filter, Found, Query
from hmf.memory import RETIRED, Memory, Tier
from hmf.policy.need import FAVOURED, ON_HAND
from hmf.policy.ranking import Context, Evidence, Ranked, Scale, calibrated, decisive, once, own_scores, rank, relative
from hmf.policy.structure import Weights
from hmf.reason import Reason
from hmf.recall import neighbours, words
from hmf.recall.bounds import Limits, allowed, hull
from hmf.recall.understand import Question

SUMMARIES = "summaries"
_FEW = 4
"""So many categories are searched at once: a choice among them would spare little."""


_TOLD = 6
"""Categories whose share of belief is told in the trace."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the retriever reads: an index by collection, rows and vectors by id."""

    index: Callable[[str, Query], Found]
    """The answer of one collection."""
    rows: Callable[[Sequence[str]], Mapping[str, Memory]]
    beside: Callable[[Sequence[tuple[str, int, int]], str], Sequence[Memory]]
    """The memories at some places of sessions, (session, first and last position), in a namespace."""
    vectors: Callable[[Sequence[Memory]], Mapping[str, NDArray[np.float32]]]
    weight: Callable[[str], float]
    """How much a word tells: its inverse document frequency."""
    among: Callable[[str], int] = lambda _namespace: 0
    """About how many memories a namespace holds."""


_Candidates = tuple[dict[str, Memory], dict[str, Evidence]]


@dataclass
class _Search:
    """What one search has gathered so far."""

    dense: dict[str, float] = field(default_factory=dict)
    sparse: dict[str, float] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    """The collection that each memory was found in."""
    parents: dict[str, float] = field(default_factory=dict)
    rows: dict[str, Memory] = field(default_factory=dict)
    shared: dict[str, frozenset[str]] = field(default_factory=dict)
    """The question's words that each memory has."""
    unseen: set[str] = field(default_factory=set)
    """Memories whose vector was already asked of the ledger."""
    opened: set[str] = field(default_factory=set)
    trace: list[Reason] = field(default_factory=list)
    widened: list[Reason] = field(default_factory=list)


class Retriever:
    """Runs one question through the tiers."""

    def __init__(self, sources: Sources, scale: Scale, zone: tzinfo, weights: Weights = Weights()) -> None:
        """Read from `sources`, with this embedder's scale. `weights`: of what stands around a memory."""
        self.weights = weights
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
            words={term: self._from.weight(term) + words.EVERYWHERE for term in question.terms},
            overview=question.need == "overview",
            history=question.history,
            favoured=ON_HAND if question.resumes else FAVOURED.get(question.need, {}),
            latest=question.latest,
            several=question.several,
            among=self._from.among(limits.namespace),
            about=tuple((span.since, span.until) for span in question.about),
        )
        state = _Search()
        if question.history and limits.archive is None:
            limits = replace(limits, archive=True)  # what was given up lies there
        held = [c for c in categories if c != SUMMARIES and (not limits.categories or c in limits.categories)]
        chosen = sorted(held, key=lambda c: (-shares.get(c, 0.0), c))
        state.trace.append(_believed(chosen, shares))
        base = self._filter(question, limits, archive=limits.archive is True)
        if SUMMARIES in categories:
            self._summaries(question, base, state)
        self._lexical(question, chosen, base, limits, state)
        first = self._likely(chosen, limits, state)
        self._dense(question, first, base, limits, state)
        state.trace.append(Reason("searched_first", {"names": tuple(first)}))
        kept, evidence = self._candidates(question, context, limits, state)
        rest = [c for c in chosen if c not in state.opened]
        if rest and not decisive(evidence, limits.k, self._scale):
            self._dense(question, rest, base, limits, state)
            state.widened.append(Reason("other_categories"))
            state.trace.append(Reason("widened_to", {"names": tuple(rest)}))
            kept, evidence = self._candidates(question, context, limits, state)
        ranked = self._rank(kept, evidence, question, context, limits, state)
        if not ranked and limits.archive is None:
            archive = self._filter(question, limits, archive=True)
            state.opened.clear()
            self._lexical(question, chosen, archive, limits, state)
            self._dense(question, chosen, archive, limits, state)
            state.widened.append(Reason("archive"))
            state.trace.append(Reason("widened_archive"))
            limits = replace(limits, archive=True)
            kept, evidence = self._candidates(question, context, limits, state)
            ranked = self._rank(kept, evidence, question, context, limits, state)
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
        span = hull(limits, question)
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
            counts = {"summaries": len(rows), "details": len(state.parents)}
            state.trace.append(Reason("opened_summaries", counts))

    def _lexical(self, question: Question, chosen: Sequence[str], base: Filter, limits: Limits, state: _Search) -> None:
        if question.sparse.indices:
            for category in chosen:
                least = _least(state.sparse, limits.pool)
                self._ask(category, Query(None, question.sparse, base, limits.pool, least_sparse=least), state)

    def _likely(self, chosen: Sequence[str], limits: Limits, state: _Search) -> list[str]:
        """Where the best lexical hits lie, and the first categories by belief: at most a third of them all."""
        if limits.categories or len(chosen) <= _FEW:
            return list(chosen)
        size = max(2, min(limits.first, len(chosen) // 3))
        top = sorted(state.sparse, key=lambda m: -state.sparse[m])[:5]
        where = {state.places[m] for m in top}
        lexical = [c for c in chosen if c in where][: size // 2]
        return list(dict.fromkeys([*lexical, *chosen]))[:size]

    def _dense(self, question: Question, where: Sequence[str], base: Filter, limits: Limits, state: _Search) -> None:
        vector = question.vector.tolist()
        for category in where:
            state.opened.add(category)
            least = _least(state.dense, limits.pool)
            self._ask(category, Query(vector, None, base, limits.pool, least_dense=least), state)

    def _in_force(self, memories: Sequence[Memory], question: Question) -> list[Memory]:
        """Without the summaries that speak of something replaced since: the next night rebuilds them."""
        sources = {i for m in memories for i in m.summary_of}
        if not sources or question.history:
            return list(memories)
        rows = self._from.rows(sorted(sources))
        replaced = {i for i, m in rows.items() if m.status in RETIRED}
        return [m for m in memories if not replaced.intersection(m.summary_of)]

    def _candidates(self, question: Question, context: Context, limits: Limits, state: _Search) -> _Candidates:
        """The most promising of what the engines found, as the ledger knows them, with what speaks for each."""
        pool = _pool(state, max(limits.pool, 2 * limits.k), self._scale)
        state.rows.update(self._from.rows([i for i in pool if i not in state.rows]))
        read = [state.rows[i] for i in pool if i in state.rows]
        kept = self._kept(read, question, limits, context)
        return kept, self._evidence(kept, question, context, state)

    def _rank(
        self,
        kept: Mapping[str, Memory],
        evidence: Mapping[str, Evidence],
        question: Question,
        context: Context,
        limits: Limits,
        state: _Search,
    ) -> list[Ranked]:
        """The candidates in order, judged with what stands beside them."""
        beside = self._beside(kept, evidence, limits, state)
        if fresh := self._kept(beside, question, limits, context):
            kept = {**kept, **fresh}
            evidence = self._evidence(kept, question, context, state)
        return rank(evidence, kept, context, self._scale, self.weights)

    def _kept(
        self, memories: Sequence[Memory], question: Question, limits: Limits, context: Context
    ) -> dict[str, Memory]:
        permitted = [m for m in memories if allowed(m, question, limits, context.now)]
        return {m.id: m for m in self._in_force(permitted, question)}

    def _beside(
        self, kept: Mapping[str, Memory], evidence: Mapping[str, Evidence], limits: Limits, state: _Search
    ) -> list[Memory]:
        """What stands beside the best candidates in their sessions, and is no candidate yet."""
        own = own_scores(evidence, self._scale)
        best = sorted((i for i in own if kept[i].session is not None), key=lambda i: (-own[i], i))[: neighbours.MOST]
        spans = neighbours.spans(kept[i] for i in best)
        found = [m for m in self._from.beside(spans, limits.namespace) if m.id not in kept] if spans else []
        state.rows.update({m.id: m for m in found})
        return found

    def _evidence(
        self, kept: Mapping[str, Memory], question: Question, context: Context, state: _Search
    ) -> dict[str, Evidence]:
        missing = [m for i, m in kept.items() if i not in state.dense and i not in state.unseen]
        state.unseen.update(m.id for m in missing)
        if missing:
            for memory_id, vector in self._from.vectors(missing).items():
                state.dense[memory_id] = float(vector @ question.vector)
        for memory_id in kept.keys() - state.shared.keys():
            state.shared[memory_id] = words.shared(question.terms, kept[memory_id], question.language)
        if question.resumes:  # it names no subject: what lies in its time answers, the open and the newest first
            return {i: Evidence(lexical=1.0, coverage=1.0) for i in kept}
        best = max((state.sparse.get(i, 0.0) for i in kept), default=0.0)
        return {
            i: Evidence(
                dense=state.dense.get(i),
                lexical=state.sparse.get(i, 0.0) / best if best > 0 else 0.0,
                coverage=float(words.says(question.phrase, kept[i]))
                if question.phrase
                else words.coverage(context.words, state.shared[i]),
                shared=state.shared[i],
                parent=state.parents.get(i, 0.0),
            )
            for i in kept
        }


def _believed(chosen: Sequence[str], shares: Mapping[str, float]) -> Reason:
    """The first categories by belief, for the trace."""
    first = ((name, round(shares.get(name, 0.0), 4)) for name in chosen[:_TOLD])
    likely = tuple(Reason("likely_one", {"names": name, "share": share}) for name, share in first)
    return Reason("likely", {"likely": likely})


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
    nearest = max(state.dense.values(), default=0.0)

    def promise(memory: str) -> float:
        dense = relative(state.dense.get(memory), nearest, scale)
        return scale.weight * dense + (1 - scale.weight) * state.sparse.get(memory, 0.0) / best

    sides = [sorted(side, key=side.__getitem__, reverse=True)[: size // 3] for side in (state.dense, state.sparse)]
    both = sorted(state.dense.keys() | state.sparse.keys(), key=lambda m: (-promise(m), m))
    chosen = list(dict.fromkeys([*sides[0], *sides[1], *both]))[:size]
    by_parent = sorted(state.parents, key=state.parents.__getitem__, reverse=True)[: size // 2]
    return list(dict.fromkeys([*chosen, *by_parent]))
