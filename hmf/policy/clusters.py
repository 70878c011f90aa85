"""Which memories belong together: by project, else by whom and what they name and by meaning.

Cosines of one embedder are not those of another, and in a narrow vocabulary all texts look alike. So nothing here is
an absolute threshold: a `Scale` is measured on the namespace itself, and related means clearly nearer than two
memories taken at random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from hmf.memory import Memory
from hmf.policy import naming
from hmf.policy.folding import fold

Rows = NDArray[np.float32]
Vectors = Mapping[str, Sequence[float]]

LEAST, MOST = 3, 40
"""A summary's sources: fewer are read as fast themselves; more do not fit in a page of sentences."""

WINDOW = 1000
"""Memories clustered at once; time and memory grow with its square (25 ms, 8 MB). Windows follow time, as topics do."""

_READ = 300
"""Characters of a memory that are read for names."""

SAMPLE, _FEWEST = 400, 8
"""Memories a scale is measured on; below the second number there is nothing to compare with."""

_FAR = 3.5
"""Robust standard deviations above the usual cosine from which two memories are related (one random pair in 4,000).
On the example year, groups mixed subjects at 3 with one of the packaged embedders, and real ones fell apart at 4."""

_LOWEST, _HIGHEST = 0.25, 0.95
"""Bounds of that cosine, for a namespace in which all pairs are equally far or some are wildly so."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What "near" means here: the common part of all vectors, and the cosine without it from which two are related."""

    mean: Rows
    limit: float


def sample(ids: Sequence[str]) -> list[str]:
    """At most `SAMPLE` of the ids, evenly spaced, so that the same ids give the same sample."""
    step = max(1, -(-len(ids) // SAMPLE))
    return list(islice(ids, 0, None, step))


def scale(vectors: Vectors) -> Scale | None:
    """The scale of a sample of unit vectors, or None where it is too small.

    The common part is taken out first, as in Mu and Viswanath, "All-but-the-top" (2018). Median and median absolute
    deviation stand for mean and spread, since a part of the sample is related.
    """
    if len(vectors) < _FEWEST:
        return None
    raw = np.array([vectors[i] for i in sorted(vectors)], dtype=np.float32)
    mean: Rows = raw.mean(axis=0)
    rows = _unit(raw - mean)
    cosines = (rows @ rows.T)[np.triu_indices(len(rows), 1)]
    middle = float(np.median(cosines))
    spread = 1.4826 * float(np.median(np.abs(cosines - middle)))
    return Scale(mean, round(min(max(middle + _FAR * spread, _LOWEST), _HIGHEST), 6))


def centred(vectors: Vectors, ids: Sequence[str], scale: Scale) -> Rows:
    """Unit rows of these memories without the common part, shape (n, d). Raises KeyError for one without a vector."""
    return _unit(np.array([vectors[i] for i in ids], dtype=np.float32).reshape(len(ids), -1) - scale.mean)


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """The cosine of two vectors of any length but zero."""
    a, b = np.asarray(one, np.float64), np.asarray(other, np.float64)
    return float(a @ b / max(1e-12, float(np.linalg.norm(a) * np.linalg.norm(b))))


def by_project(memories: Iterable[Memory]) -> dict[str | None, list[Memory]]:
    """Memories by project (None for those without), in order of name, each list in order of time."""
    groups: dict[str | None, list[Memory]] = {}
    for memory in memories:
        groups.setdefault(memory.project, []).append(memory)
    return {name: in_time(groups[name]) for name in sorted(groups, key=lambda n: (n is not None, n or ""))}


def in_time(memories: Iterable[Memory]) -> list[Memory]:
    """By `valid_from`, then id."""
    return sorted(memories, key=lambda m: (m.valid_from, m.id))


def split(memories: Sequence[Memory], most: int = MOST) -> list[list[Memory]]:
    """The memories in runs of time of nearly equal size, none above `most`."""
    parts = -(-len(memories) // most)
    bounds = [round(n * len(memories) / parts) for n in range(parts + 1)] if parts else []
    return [list(memories[a:b]) for a, b in pairwise(bounds)]


def windows(memories: Sequence[Memory]) -> list[list[Memory]]:
    """Memories in time order, cut so that each part can be clustered at once."""
    return split(memories, WINDOW)


def naming_alike(memories: Sequence[Memory]) -> NDArray[np.bool_]:
    """Which of these name the same person, title or code, shape (n, n)."""
    alike = np.zeros((len(memories), len(memories)), dtype=bool)
    places: dict[str, list[int]] = {}
    for place, memory in enumerate(memories):
        for name in dict.fromkeys(map(fold, naming.names(memory.text[:_READ]))):
            places.setdefault(name, []).append(place)
    for own in places.values():
        if len(own) > 1:
            alike[np.ix_(own, own)] = True
    return alike


def common_name(memories: Sequence[Memory]) -> str | None:
    """The name that most of these have in their texts, if three and half of all do; as most of them write it."""
    forms: dict[str, Counter[str]] = {}
    for memory in memories:
        for name in dict.fromkeys(naming.names(memory.text[:_READ])):
            forms.setdefault(fold(name), Counter())[name] += 1
    best = min(forms.values(), key=lambda f: (-f.total(), -len(min(f)), min(f)), default=Counter[str]())
    if best.total() < max(LEAST, len(memories) / 2):
        return None
    return min(best, key=lambda form: (-best[form], form))


def related(rows: Rows, scale: Scale, alike: NDArray[np.bool_] | None = None) -> list[list[int]]:
    """Groups of row numbers by average linkage (scipy), singles included, in order of their first member.

    Two that are `alike` in what they name need be only half as near in meaning: a shared name alone is not enough,
    since a namesake, or the town where one lives, is named in everything.

    Average linkage gives the same groups again when some of them are taken away: a second night changes nothing.
    `rows` are `centred` vectors, at most `WINDOW` of them.
    """
    if len(rows) < 2:
        return [[n] for n in range(len(rows))]
    # Here, since it costs half a second that most commands of the CLI do not need.
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    # Rounded, so that the last bits of another machine's matrix product do not group differently.
    cosines = rows @ rows.T
    if alike is not None:
        cosines = cosines + alike * np.float32(scale.limit / 2)
    distances = squareform(np.clip(1.0 - cosines, 0.0, 2.0), checks=False)
    tree = linkage(np.round(distances.astype(np.float64), 6), "average")
    groups: dict[int, list[int]] = {}
    for position, label in enumerate(fcluster(tree, 1.0 - scale.limit, "distance")):
        groups.setdefault(int(label), []).append(position)
    return sorted(groups.values())


def _unit(rows: Rows) -> Rows:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Rows = np.where(norms > 1e-6, rows / np.maximum(norms, 1e-6), 0.0).astype(np.float32)
    return unit
