"""An embedder made of hashed character n-grams: no model, the same vectors on every machine. For tests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from zlib import crc32

import numpy as np

from hmf.embed import safe, unit_rows
from hmf.embed.port import Calibration, Vectors
from hmf.policy.belief import Belief
from hmf.policy.folding import fold

_WORD = re.compile(r"\w+")


class HashEmbedder:
    """Texts that share words, or parts of them, are near; meaning beyond spelling is not seen.

    Each n-gram adds or takes its weight at one of `dimension` cells, the "hashing trick" of Weinberger et al. (2009).
    """

    max_chars = 2000
    # python bench/calibrate_embedders.py --data fquad-dev.json --locomo locomo-dev.json --sib sib-fra-dev.tsv \
    #     --embedder hash
    # French 0.254 and 0.314, English 0.272 and 0.252: hardly better than chance, hence the small weight.
    worker: str | None = None
    calibration = Calibration(floor=0.26, ceiling=0.28, weight=0.1, belief=Belief(0.0, 6.35, -1.68, 1.7))

    def __init__(self, dimension: int = 64) -> None:
        self.dimension = dimension
        self.key = f"hash-ngram-1/{dimension}"

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, shape (n, dimension)."""
        return unit_rows([self._row(safe(text)) for text in texts], len(texts), self.dimension, self.key)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """The same as `documents`: there is no prefix."""
        return self.documents(texts)

    def close(self) -> None:
        """Nothing to release."""

    def _row(self, text: str) -> Vectors:
        row = np.zeros(self.dimension, dtype=np.float32)
        for gram, weight in _grams(text):
            # crc32 and not hash(): the latter changes from one process to the next.
            number = crc32(gram.encode())
            row[(number >> 1) % self.dimension] += weight if number & 1 else -weight
        return row


def _grams(text: str) -> list[tuple[str, float]]:
    """Words and their trigrams with weights: short words are mostly grammar, which all texts share."""
    grams: list[tuple[str, float]] = []
    for word in _WORD.findall(fold(text)):
        edged = f"<{word}>"
        weight = 1.0 if len(word) > 3 or not word.isalpha() else 0.1
        grams.append((edged, 2 * weight))
        grams.extend((edged[i : i + 3], weight / 2) for i in range(len(edged) - 2))
    return grams or [(char, 1.0) for char in text.strip()]
