"""Embedders: text in, unit vectors out. `port` is the contract; here is what every one of them needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hmf.embed.port import Vectors
from hmf.errors import EmbedderFailure


def safe(text: str, longest: int | None = None) -> str:
    """The text as any encoder can take it: NUL ends a C string and a lone surrogate has no bytes.

    At most `longest` characters of it: documents come in chunks, but a question may be a pasted book, and the
    time of a model grows with it (50 s for 60,000 characters with E5).
    """
    return text[:longest].replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def unit_rows(rows: Any, count: int, dimension: int, name: str) -> Vectors:
    """Check what an embedder gave and make it float32 rows of length one, shape (count, dimension).

    A row of zeros (a text without any feature) becomes the first axis: a cosine with it is defined and low.
    Raises EmbedderFailure on another shape, or on a value that is not a finite number.
    """
    try:
        matrix = np.asarray(rows, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise EmbedderFailure(
            f"The embedder {name} gave rows of unequal size, or something other than numbers.",
            fix="check that the model is an embedding model",
        ) from error
    if count == 0:
        return np.zeros((0, dimension), dtype=np.float32)
    if matrix.shape != (count, dimension):
        raise EmbedderFailure(
            f"The embedder {name} gave vectors of shape {matrix.shape} where {(count, dimension)} was expected.",
            fix="set the dimension in the configuration to that of the model, then run `hmf reindex`",
        )
    if not np.isfinite(matrix).all():
        raise EmbedderFailure(
            f"The embedder {name} gave a vector with values that are not finite numbers.",
            fix="use another model, or another build of this one",
        )
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    matrix[lengths[:, 0] == 0, 0] = 1.0
    unit: Vectors = (matrix / np.where(lengths == 0, 1.0, lengths)).astype(np.float32)
    return unit


def batches(texts: Sequence[str], size: int) -> list[Sequence[str]]:
    """The texts in groups of at most `size`, in order."""
    return [texts[start : start + size] for start in range(0, len(texts), size)]
