"""How sure one may be that a memory answers a question: what abstention goes by."""

from __future__ import annotations

import math
from dataclasses import dataclass

FARTHEST, NEAREST = -0.5, 1.6
"""Bounds of nearness: beyond them a cosine says no more."""


@dataclass(frozen=True, slots=True)
class Belief:
    """The logistic of `dense` x nearness + `words` x coverage + `offset` - `crowd` x crowding, fitted to questions with
    and without an answer.

    Nearness is the cosine on an embedder's scale (0 for unrelated texts, 1 for a question and its answer); coverage is
    the share, from 0 to 1, of the question's content words that the memory has. `hmf calibrate` fits it.
    """

    dense: float = 1.9
    words: float = 2.3
    offset: float = -1.6
    crowd: float = 0.6

    def sure(self, nearness: float, coverage: float, crowding: float = 0.0) -> float:
        """From 0 to 1. A memory that has every word of the question answers whatever the embedder makes of it: of a
        name, a code or a word of another language it may know nothing."""
        odds = self.dense * min(NEAREST, max(FARTHEST, nearness)) + self.words * coverage + self.offset
        odds -= self.crowd * crowding
        return 1 - (1 - coverage**4) / (1 + math.exp(odds))


def crowding(among: int) -> float:
    """By how much the nearest of so many unrelated memories comes nearer than that of a hundred; 0 up to a hundred.

    The largest of n draws from a normal distribution lies about the square root of 2 ln n above its mean: the more has
    been noted, the less it means that something is near.
    """
    return math.sqrt(2 * math.log(among)) - _HUNDRED if among > 100 else 0.0


_HUNDRED = math.sqrt(2 * math.log(100))
