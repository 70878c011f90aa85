"""The embedder port: text in, unit vectors out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hmf.policy.belief import Belief

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Calibration:
    """How to read this embedder's cosines, measured on unrelated and on matching pairs.

    `floor`: cosine of unrelated texts (95th percentile), worth 0. `ceiling`: cosine of a question and
    its answer (median), worth 1. `weight`: share of the dense side in the fused score. `belief`: how sure cosine and
    words together make us.
    """

    floor: float
    ceiling: float
    weight: float
    belief: Belief = field(default_factory=Belief)


class Embedder(Protocol):
    """A text encoder. Vectors are float32, of unit length, one row a text.

    `key` names model, revision, dimension and prefix rule: two embedders with one key give the same vectors.
    """

    key: str
    dimension: int
    max_chars: int
    """A text longer than this is to be cut into chunks before."""
    calibration: Calibration
    worker: str | None
    """The name under which `build` makes its equal in another process; None where a second process would not help."""

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Embed texts to be stored, shape (n, dimension). Raises EmbedderFailure."""
        ...

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Embed questions, shape (n, dimension). Raises EmbedderFailure."""
        ...

    def close(self) -> None:
        """Release the model."""
        ...
