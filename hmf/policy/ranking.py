"""From candidates to an order: normalised scores fused, what stands around, small bounded factors, a threshold.

The order and the evidence are two things. The order compares the candidates of one question with each other; the
evidence puts each on one absolute scale (0: unrelated, 1: as good as it gets), so that "nothing fits" can be told from
"k weak rows". See docs/recall.md for how the figures were found.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo

from hmf.memory import RETIRED, Kind, Memory, Status, Tier
from hmf.policy import structure
from hmf.policy.belief import Belief, crowding
from hmf.policy.flags import stale_since
from hmf.policy.folding import fold
from hmf.policy.injection import addresses_assistant
from hmf.policy.related import beside, named
from hmf.policy.structure import Passage, Surroundings, Weights

_RANGE = 4.0
"""How many spans of the embedder's scale (floor to ceiling) lie between the nearest candidate and one worth nothing.
Less would let the noise of the cosine overrule the words."""
_BORROWED = 0.8
"""What the evidence of the neighbours is worth to a memory that has none of its own: with it, a store asked about
somebody else's life answered no more often, and 5 points more of what does answer were kept."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the engines said of one memory. `dense`: cosine; `lexical`: score as a share of the pool's best."""

    dense: float | None = None
    lexical: float = 0.0
    coverage: float = 0.0
    """Share of the question's content words that the text has."""
    shared: frozenset[str] = frozenset()
    """Those words."""
    parent: float = 0.0
    """The calibrated score of the summary that led here, if any."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the question asks for, beyond its words."""

    now: datetime
    zone: tzinfo
    shares: Mapping[str, float] = field(default_factory=dict)
    """Soft belief in each category (sums to 1)."""
    projects: Collection[str] = ()
    names: Collection[str] = ()
    """Folded names that the question mentions."""
    words: Mapping[str, float] = field(default_factory=dict)
    """The question's content words, each with how much it tells."""
    about: Sequence[tuple[datetime | None, datetime | None]] = ()
    """Dates the question mentions, which may be the subject's: a small hint."""
    overview: bool = False
    history: bool = False
    favoured: Mapping[Kind, float] = field(default_factory=dict)
    """Kinds that answer what is asked better than others do, each by how much."""
    among: int = 0
    """About how many memories there are in all: the more, the less it means that one is near."""
    several: bool = False
    """The question asks for more than one: a list of ideas, an overview."""
    latest: bool = False
    """The question is of how things stand: the newer of two memories answers better."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How to read this embedder: cosines worth 0 and 1, the weight of the dense side, the threshold of evidence."""

    floor: float
    ceiling: float
    weight: float
    threshold: float
    belief: Belief = field(default_factory=Belief)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A memory with its score, the evidence it rests on (0 to 1), and the named parts of the score."""

    memory: Memory
    score: float
    evidence: float
    parts: Mapping[str, float]


def rank(
    candidates: Mapping[str, Evidence],
    memories: Mapping[str, Memory],
    context: Context,
    scale: Scale,
    weights: Weights = Weights(),
) -> list[Ranked]:
    """Best first. When none has evidence up to the threshold, nothing; else also those that come near it: what goes
    with an answer may be less sure than the answer."""
    known = {i: evidence for i, evidence in candidates.items() if i in memories}
    scores = own_scores(known, scale)
    passages = {i: _passage(memories[i], e, scores[i], context, scale) for i, e in known.items()}
    around = structure.surroundings(passages, context.words)
    crowd = crowding(context.among)
    sure = {i: _sure(passages[i], around[i], evidence, scale, crowd) for i, evidence in known.items()}
    if not known or max(sure.values()) < scale.threshold:
        return []
    least = scale.threshold * (_CROWD if context.several else _COMPANY)
    scored = [
        _score(memories[i], e, passages[i], around[i], sure[i], context, weights)
        for i, e in known.items()
        if sure[i] >= least or passages[i].placed or context.overview
    ]
    best = max(one.score for one in scored if one.evidence >= scale.threshold)
    ranked = [
        one for one in scored if one.evidence >= least or (passages[one.memory.id].placed and one.score >= best * _PEER)
    ]
    ranked.sort(key=_order)
    return _with_others(ranked, scored, context) if context.overview else ranked


def _with_others(ranked: Sequence[Ranked], scored: Sequence[Ranked], context: Context) -> list[Ranked]:
    """An overview's memories, and those of who belongs to its subject: each inherits from what introduces it."""
    others = beside((one.memory for one in ranked), context.names)
    if not others:
        return list(ranked)
    inherited = _INHERITED * ranked[0].score
    found = {one.memory.id: one for one in ranked}
    for one in scored:
        if named(one.memory, others) and not named(one.memory, context.names):
            parts = {**one.parts, "beside": round(inherited, 3)}
            found[one.memory.id] = replace(one, score=one.score + inherited, parts=parts)
    return sorted(found.values(), key=_order)


def _order(one: Ranked) -> tuple[float, float, str]:
    return -one.score, -one.memory.learnt_at.timestamp(), one.memory.id


def calibrated(cosine: float | None, scale: Scale) -> float:
    """A cosine on the absolute scale, 0 to 1."""
    return 0.0 if cosine is None else min(1.0, max(0.0, _nearness(cosine, scale)))


def _nearness(cosine: float, scale: Scale) -> float:
    return (cosine - scale.floor) / (scale.ceiling - scale.floor)


def own_scores(candidates: Mapping[str, Evidence], scale: Scale) -> dict[str, float]:
    """How well each fits by itself, among these: the weighted sum of meaning and words, 0 to 1.

    A cosine is measured down from the best one of the question, since questions differ in how near anything comes to
    them, and by a fixed unit, since with few candidates their least and their most would make a mountain of nothing.
    """
    nearest = max((e.dense for e in candidates.values() if e.dense is not None), default=0.0)
    return {
        key: scale.weight * relative(one.dense, nearest, scale) + (1 - scale.weight) * _lexical(one)
        for key, one in candidates.items()
    }


def relative(cosine: float | None, nearest: float, scale: Scale) -> float:
    """How near a cosine comes to the best one of the question: 1 for the best, 0 from some spans of the scale on."""
    if cosine is None:
        return 0.0
    return max(0.0, 1 - (nearest - cosine) / (_RANGE * (scale.ceiling - scale.floor)))


def _lexical(evidence: Evidence) -> float:
    return evidence.lexical * math.sqrt(evidence.coverage)


def _passage(memory: Memory, evidence: Evidence, own: float, context: Context, scale: Scale) -> Passage:
    author, words = memory.source.author, structure.length(memory.text)
    return Passage(
        session=memory.session,
        position=memory.position,
        words=words,
        shared=evidence.shared,
        own=own,
        dense=calibrated(evidence.dense, scale),
        coverage=evidence.coverage,
        closeness=structure.closeness(words),
        asks=structure.asks(memory.text),
        named=bool(author and context.names) and structure.is_named(fold(author or ""), context.names),
    )


def decisive(candidates: Mapping[str, Evidence], k: int, scale: Scale) -> bool:
    """Whether what was found so far is good enough to look no further: `k` that may be kept, each by its own evidence,
    and one of them strong.

    How many memories there are does not count here: with it `use` scanned 60 % of a store instead of 43, and found no
    more (nine categories of French sentences).
    """
    sure = [_alone(evidence, scale, 0.0) for evidence in candidates.values()]
    return sum(one >= scale.threshold * _COMPANY for one in sure) >= k and max(sure) >= _STRONG


def _alone(evidence: Evidence, scale: Scale, crowd: float) -> float:
    """How sure we are that a memory answers, 0 to 1, by itself."""
    near = -1.0 if evidence.dense is None else _nearness(evidence.dense, scale)
    return scale.belief.sure(near, evidence.coverage, crowd)


def _sure(passage: Passage, around: Surroundings, evidence: Evidence, scale: Scale, crowd: float) -> float:
    """How sure we are that it answers, by itself or by what stands around it."""
    own = _alone(evidence, scale, crowd)
    return max(own, _BORROWED * scale.belief.sure(around.dense, around.near, crowd)) if passage.placed else own


def _score(
    memory: Memory,
    evidence: Evidence,
    passage: Passage,
    around: Surroundings,
    sure: float,
    context: Context,
    weights: Weights,
) -> Ranked:
    fits = structure.fitness(passage, around, weights)
    base = max(0.0, sum(fits.values()))
    factors = {
        "status": _status(memory, context),
        "authority": 1.0 - 0.01 * memory.authority.rank,
        "freshness": 0.92 if stale_since(memory, context.now, context.zone) else 1.0,
        "recency": 1.0 + 0.04 * _recency(memory, context.now, 90) + _latest(memory, context),
        # In a conversation a name in a turn is mostly that of the one who is spoken to.
        "name": 1.0 if passage.placed else 1.0 + 0.3 * named(memory, context.names),
        "orders": 0.7 if addresses_assistant(memory) else 1.0,
        "kind": context.favoured.get(memory.kind, 1.0),
        "pinned": 1.03 if memory.pinned else 1.0,
        "category": 1.0 + 0.08 * min(1.0, context.shares.get(memory.category, 0.0) * 2),
        "project": 1.15 if memory.project and memory.project in context.projects else 1.0,
        "date": 1.1 if _dated(memory, context.about) else 1.0,
        "parent": 1.0 + 0.1 * evidence.parent,
        "tier": _tier(memory, context),
    }
    score = base
    for factor in factors.values():
        score *= factor
    parts = {"dense": round(passage.dense, 3), "lexical": round(_lexical(evidence), 3), "base": round(base, 3)}
    if passage.placed:
        parts.update({name: round(value, 3) for name, value in fits.items() if round(value, 3)})
    parts.update({name: round(value, 3) for name, value in factors.items() if value != 1.0})
    return Ranked(memory, score, sure, parts)


_INHERITED = 0.3
"""Share of the best score that goes to a memory that names somebody who belongs to the subject of an overview."""
_STRONG = 0.6
"""Evidence at which the first categories are believed and the others are not searched by vector."""

_COMPANY = 0.5
_CROWD = 0.4
"""Beside an answer that passes the threshold, others are kept from this share of it on; the second where the question
asks for several."""
_PEER = 0.5
"""And turns of a session from this share of the best score on: what answers there is often one word long, and it is the
session that makes it an answer."""

_STATUS = {
    Status.HYPOTHESIS: 0.9,
    Status.TO_VERIFY: 0.95,
    Status.SUPERSEDED: 0.85,
    Status.REFUTED: 0.8,
}


def _status(memory: Memory, context: Context) -> float:
    """Asked how things were, what has been replaced since is the likelier answer; else only trust counts."""
    return 1.15 if context.history and memory.status in RETIRED else _STATUS.get(memory.status, 1.0)


def _latest(memory: Memory, context: Context) -> float:
    near, far = _recency(memory, context.now, 7), _recency(memory, context.now, 90)
    return 0.08 * (near + far) if context.latest else 0.0


def _tier(memory: Memory, context: Context) -> float:
    if memory.tier is Tier.SUMMARY:
        return 1.25 if context.overview else 0.85
    return 0.9 if memory.tier is Tier.ARCHIVE and not context.history else 1.0


def _dated(memory: Memory, spans: Sequence[tuple[datetime | None, datetime | None]]) -> bool:
    """True when the memory held, or began to hold, within one of the spans."""
    end = memory.superseded_at or memory.valid_from
    return any(
        (since is None or end >= since) and (until is None or memory.valid_from <= until) for since, until in spans
    )


def _recency(memory: Memory, now: datetime, days: float) -> float:
    """1 for today, halving every so many days; a date in the future counts as today, never more."""
    age = max(0.0, (now - max(memory.valid_from, memory.learnt_at)).total_seconds() / 86400)
    return float(0.5 ** (age / days))


def once(ranked: Sequence[Ranked], *, history: bool = False) -> list[Ranked]:
    """Keep the best of memories that say exactly the same; on a history question all of them."""
    if history:
        return list(ranked)
    seen: set[str] = set()
    kept = []
    for one in ranked:
        if one.memory.content_hash not in seen:
            seen.add(one.memory.content_hash)
            kept.append(one)
    return kept
