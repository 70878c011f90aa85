"""How well rankings find what answers: recall at several depths, reciprocal rank, discounted gain; and their table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

DEPTHS = (5, 10, 20)


@dataclass(frozen=True, slots=True)
class Found:
    """How one question fared. Each measure goes from 0 to 1."""

    recall: Mapping[int, float]
    """Share of what answers that is among the first 5, 10 and 20."""
    reciprocal: float
    """One over the place of the first that answers; 0 when there is none."""
    gain: float
    """nDCG at 10: places near the head count more."""


def judge(ranked: Sequence[str], gold: Set[str]) -> Found:
    """Measure one ranking (best first, each once) against the keys that answer. Raises ValueError without any."""
    if not gold:
        raise ValueError("a question without an answer cannot be measured")
    places = [place for place, key in enumerate(ranked) if key in gold]
    best = sum(1 / math.log2(place + 2) for place in range(min(10, len(gold))))
    return Found(
        {depth: sum(place < depth for place in places) / len(gold) for depth in DEPTHS},
        1 / (places[0] + 1) if places else 0.0,
        sum(1 / math.log2(place + 2) for place in places if place < 10) / best,
    )


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` (0 to 1) of the others do not exceed; 0 of nothing."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def line(name: str, found: Sequence[Found], kinds: Sequence[str]) -> str:
    """One row of a table: recall at 5, 10, 20, MRR, nDCG, then recall at 10 of each kind of question, in per cent."""
    overall = [mean([f.recall[depth] for f in found]) for depth in DEPTHS]
    overall += [mean([f.reciprocal for f in found]), mean([f.gain for f in found])]
    by_kind: dict[str, list[float]] = {}
    for one, kind in zip(found, kinds, strict=True):
        by_kind.setdefault(kind, []).append(one.recall[10])
    cells = [*overall, *(mean(by_kind[kind]) for kind in sorted(by_kind) if len(by_kind) > 1)]
    return f"| {name} | " + " | ".join(f"{100 * cell:.1f}" for cell in cells) + " |"


def head(kinds: Sequence[str]) -> str:
    """The two head lines of the table that `line` fills."""
    named = sorted(set(kinds)) if len(set(kinds)) > 1 else []
    columns = ["recall@5", "@10", "@20", "MRR", "nDCG@10", *(f"{kind} @10" for kind in named)]
    return f"| | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}"
