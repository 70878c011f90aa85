"""How likely each category is for a text, by what is believed (`hmf.policy.learning`).

Two views are added up: the regression, which knows what tells categories apart, and the nearest things that a category
holds, which know its corners. What is filed where by its kind and by belonging to a project weighs the shares of
memories; questions have neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hmf.memory import Kind
from hmf.policy.background import Rows
from hmf.policy.learning import KINDS, Belief

# Chosen as those of `learning` were: docs/routing.md.
_GLOBAL, _LOCAL = 8.0, 6.0
"""Of the regression and of the nearest: such that a share of belief is about how often it is right."""
_NEAREST = 3
"""One odd filing neither makes nor breaks a category."""
_FEW = 5
"""Filings that each category is taken to have besides its own, when it is judged how common it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """A text's vector without the common part, and its cosines with everything a belief has."""

    row: Rows
    near: Rows


def sight(belief: Belief, vector: Rows) -> Sight:
    """Look at a text once, for `shares` and `nearest`. The only part whose cost grows with the filings.

    By this thread alone: for so little work BLAS wakes one thread a core, which wait for each other on a busy machine
    (a search took 115 ms of processor time instead of 50).
    """
    row = belief.frame.centred(vector[None, :])[0]
    parts = [np.einsum("ij,j->i", rows, row) for rows in (belief.settled, belief.recent) if len(rows)]
    return Sight(row, np.concatenate(parts) if parts else np.zeros(0, np.float32))


def shares(belief: Belief, text: Sight) -> dict[str, float]:
    """Each category's share of belief for a text, summing to 1; empty when nothing is known.

    A category with no description, example or filing has none. How many memories a category holds is no reason to
    file one more in it: its advantage in the regression is taken off (Menon et al. 2021, "logit adjustment").
    """
    live = [place for place, own in enumerate(belief.places) if len(own)]
    if not live:
        return {}
    common = belief.counts[live] + _FEW
    scores = _GLOBAL * np.einsum("ij,j->i", belief.weights, text.row.astype(np.float64))[live]
    scores += _LOCAL * np.array([_top(text.near[belief.places[place]]) for place in live])
    scores -= np.log(common / common.mean())
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    return {belief.names[place]: float(weight) for place, weight in zip(live, weights, strict=True)}


def habitual(belief: Belief, believed: Mapping[str, float], kind: Kind, project: bool) -> dict[str, float]:
    """Shares of belief, weighed by what the user files where: kinds, and notes with or without a project.

    Naive Bayes over the two traits with add-one smoothing. Without filings it changes nothing.
    """
    weighed = {}
    for name, share in believed.items():
        habits = belief.habits[belief.names.index(name)]
        with_project, filed = float(habits[-2]), float(habits[-1])
        by_kind = (float(habits[KINDS[kind]]) + 1) / (filed + len(KINDS)) * len(KINDS)
        likely = (with_project + 1) / (filed + 2) * 2
        weighed[name] = share * by_kind * (likely if project else 2 - likely)
    total = sum(weighed.values())
    return {name: value / total for name, value in weighed.items()} if total else dict(believed)


def nearest(belief: Belief, text: Sight, most: int) -> list[tuple[str, float]]:
    """(category, cosine without the common part) of the nearest filings, nearest first, at most `most`."""
    if not belief.filings:
        return []
    near = text.near[belief.spots]
    likely = np.argpartition(near, -most)[-most:] if len(near) > most else np.arange(len(near))
    order = likely[np.argsort(-near[likely], kind="stable")]
    return [(belief.filings[int(n)].category, float(near[n])) for n in order]


def _top(own: Rows) -> float:
    return float(own.mean() if len(own) <= _NEAREST else np.partition(own, -_NEAREST)[-_NEAREST:].mean())
