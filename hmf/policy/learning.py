"""What the router believes: descriptions say where to begin, examples and filings correct them, each at once.

A ridge regression whose weights are drawn towards the descriptions instead of towards zero, so that a category without
an example is judged by its description and one with fifty by its filings. A filing is one step of recursive least
squares (Plackett 1950): learning costs the square of the dimension and never a fit from the beginning, what is taken
back is taken out again, and the order of filings does not matter. `hmf.policy.judging` asks what this knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hmf.memory import Kind
from hmf.policy.background import Frame, Rows
from hmf.policy.seeds import Seeds

# Chosen on the train part of SIB-200 in French and English with two sets of descriptions that no bench uses, for zero,
# five and twenty filings a topic and both packaged embedders: docs/routing.md. Results are flat around these values.
_RIDGE = 2.0
"""Strength of the pull towards the descriptions."""
_DESCRIPTION = 1.5
"""Length of the weights that a description alone draws a category to."""
_EXAMPLES = 5
"""With this many examples a description counts half: who gives examples says by them what is meant."""
_RECENT = 64
"""Rows kept apart until there are that many, so that one filing does not copy them all."""

Matrix = NDArray[np.float64]
KINDS = {kind: place for place, kind in enumerate(Kind)}
"""The column of each kind in `Belief.habits`."""


@dataclass(frozen=True, slots=True)
class Filing:
    """What is kept of a memory that the user filed or corrected. `id` names it."""

    id: str
    category: str
    kind: Kind | None = None
    project: bool = False
    """Whether it belongs to a project."""
    content: str = ""
    """Names its text: a memory whose text was changed is another filing."""


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """All that is known of the categories `names`; made by `begin`, changed by `taught` and `untaught`."""

    names: tuple[str, ...]
    frame: Frame
    inverse: Matrix
    """Of rows' products plus the ridge, shape (d, d)."""
    weights: Matrix
    """Of the regression, shape (k, d)."""
    counts: Matrix
    """Examples and filings of each category, shape (k,)."""
    settled: Rows
    recent: Rows
    places: tuple[NDArray[np.intp], ...]
    """Rows of each category, numbered through `settled` and `recent`."""
    base: int
    """Rows before the first filing: descriptions and examples."""
    habits: Matrix
    """Filings of each category by kind, then those with a project, then all, shape (k, kinds + 2)."""
    spots: NDArray[np.intp]
    """The row of each filing."""
    filings: tuple[Filing, ...] = ()
    """Those that count, in the order in which they were taught."""


def begin(seeds: Seeds) -> Belief:
    """The belief before any filing. Costs the cube of the dimension (20 ms at 512)."""
    dimension = seeds.rows.shape[1]
    centred = seeds.frame.centred(seeds.rows)
    prototypes = _prototypes(seeds, centred)
    of = {name: place for place, name in enumerate(seeds.names)}
    given = np.array([seed.example for seed in seeds.seeds], dtype=bool)
    labels = np.array([of[seed.category] for seed in seeds.seeds], dtype=np.intp)[given]
    examples = centred[given]
    counts = np.bincount(labels, minlength=len(of)).astype(np.float64)
    worth = _DESCRIPTION * _EXAMPLES / (_EXAMPLES + counts)
    rows = examples.astype(np.float64)
    inverse = np.linalg.inv(rows.T @ rows + _RIDGE * np.eye(dimension)).astype(np.float64, copy=False)
    pulled = _targets(labels, len(of)).T @ rows + _RIDGE * worth[:, None] * prototypes
    described = np.flatnonzero(np.abs(prototypes).sum(axis=1) > 0)
    owners = np.concatenate([described, labels])
    settled: Rows = np.vstack([prototypes[described].astype(np.float32), examples])
    places = tuple(np.flatnonzero(owners == place) for place in range(len(of)))
    recent = np.zeros((0, dimension), np.float32)
    habits = np.zeros((len(of), len(KINDS) + 2))
    weights: Matrix = pulled @ inverse
    none = np.zeros(0, dtype=np.intp)
    frame, base = seeds.frame, len(settled)
    return Belief(seeds.names, frame, inverse, weights, counts, settled, recent, places, base, habits, none)


def learned(belief: Belief, filings: Sequence[Filing], vectors: Rows) -> Belief:
    """With many filings at once, `vectors` one row each: the same as `taught` for each, in one fit."""
    known = [n for n, filing in enumerate(filings) if filing.category in belief.names]
    if not known:
        return belief
    kept = tuple(filings[n] for n in known)
    rows = belief.frame.centred(vectors[known])
    labels = np.array([belief.names.index(f.category) for f in kept], dtype=np.intp)
    wide = rows.astype(np.float64)
    before = np.linalg.inv(belief.inverse)
    inverse = np.linalg.inv(before + wide.T @ wide).astype(np.float64, copy=False)
    weights = (belief.weights @ before + _targets(labels, len(belief.names)).T @ wide) @ inverse
    habits = belief.habits.copy()
    np.add.at(habits, labels, np.array([_traits(filing) for filing in kept]))
    first = len(belief.settled) + len(belief.recent)
    places = tuple(
        np.concatenate([own, first + np.flatnonzero(labels == place)]) for place, own in enumerate(belief.places)
    )
    return settled(
        replace(
            belief,
            inverse=inverse,
            weights=weights,
            counts=belief.counts + np.bincount(labels, minlength=len(belief.names)),
            recent=np.vstack([belief.recent, rows]),
            places=places,
            habits=habits,
            filings=(*belief.filings, *kept),
            spots=np.append(belief.spots, np.arange(first, first + len(kept))),
        )
    )


def taught(belief: Belief, filing: Filing, vector: Rows) -> Belief:
    """With one more filing. The same belief when its category cannot be routed to, or is unknown."""
    if filing.category not in belief.names:
        return belief
    place = belief.names.index(filing.category)
    row = belief.frame.centred(vector[None, :])
    spot = len(belief.settled) + len(belief.recent)
    places = list(belief.places)
    places[place] = np.append(places[place], spot)
    changed = _stepped(belief, row[0], place, filing, 1.0)
    changed = replace(
        changed,
        recent=np.vstack([belief.recent, row]),
        places=tuple(places),
        filings=(*belief.filings, filing),
        spots=np.append(belief.spots, spot),
    )
    return settled(changed) if len(changed.recent) >= _RECENT else changed


def untaught(belief: Belief, number: int) -> Belief:
    """Without the filing of that number in `filings`. Raises IndexError when there is none."""
    filing, spot = belief.filings[number], int(belief.spots[number])
    place = belief.names.index(filing.category)
    places = list(belief.places)
    places[place] = places[place][places[place] != spot]
    changed = _stepped(belief, _row(belief, spot), place, filing, -1.0)
    # Its row stays where it is, reached from nowhere, until the rows are `settled`.
    return replace(
        changed,
        places=tuple(places),
        filings=belief.filings[:number] + belief.filings[number + 1 :],
        spots=np.delete(belief.spots, number),
    )


def settled(belief: Belief) -> Belief:
    """The same belief with all rows in one array, and nothing kept of those that were taken back."""
    every = np.vstack([belief.settled, belief.recent])
    spots = belief.spots
    new = np.full(len(every), -1, dtype=np.intp)
    new[: belief.base] = np.arange(belief.base)
    new[spots] = belief.base + np.arange(len(spots))
    return replace(
        belief,
        settled=np.vstack([every[: belief.base], every[spots]]),
        recent=np.zeros((0, every.shape[1]), np.float32),
        places=tuple(new[own] for own in belief.places),
        spots=belief.base + np.arange(len(spots)),
    )


def _prototypes(seeds: Seeds, centred: Rows) -> Matrix:
    """A unit row for each category with a description, without what the descriptions have in common; else zero."""
    dimension = centred.shape[1]
    parts: dict[str, list[int]] = {}
    for number, seed in enumerate(seeds.seeds):
        if not seed.example:
            parts.setdefault(seed.category, []).append(number)
    means = {name: centred[own].mean(axis=0).astype(np.float64) for name, own in parts.items()}
    shared = np.mean(list(means.values()), axis=0) if len(means) > 1 else np.zeros(dimension)
    found = np.zeros((len(seeds.names), dimension))
    for place, name in enumerate(seeds.names):
        if name in means:
            apart = means[name] - shared
            norm = float(np.linalg.norm(apart))
            found[place] = apart / norm if norm > 1e-9 else 0.0
    return found


def _targets(labels: NDArray[np.intp], categories: int) -> Matrix:
    found: Matrix = np.eye(categories)[labels] - 1 / max(categories, 1)
    return found


def _stepped(belief: Belief, row: Rows, place: int, filing: Filing, weight: float) -> Belief:
    """One step of recursive least squares: a row more (weight 1) or one less (-1)."""
    wide = row.astype(np.float64)
    gain = np.einsum("ij,j->i", belief.inverse, wide)
    scale = 1.0 / (weight + float(wide @ gain))
    target = _targets(np.array([place]), len(belief.names))[0]
    missed = target - belief.weights @ wide
    counts, habits = belief.counts.copy(), belief.habits.copy()
    counts[place] += weight
    habits[place] += weight * _traits(filing)
    return replace(
        belief,
        inverse=belief.inverse - np.multiply.outer(gain * scale, gain),
        weights=belief.weights + np.multiply.outer(missed, gain * scale),
        counts=counts,
        habits=habits,
    )


def _traits(filing: Filing) -> Matrix:
    found = np.zeros(len(KINDS) + 2)
    if filing.kind is not None:
        found[KINDS[filing.kind]] = 1.0
    found[-2:] = float(filing.project), 1.0
    return found


def _row(belief: Belief, spot: int) -> Rows:
    first = len(belief.settled)
    row: Rows = belief.settled[spot] if spot < first else belief.recent[spot - first]
    return row
