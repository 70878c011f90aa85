"""What a flat store answers, computed over the very texts and vectors that HMF holds: the methods HMF is compared with.

BM25 is HMF's own lexical side (tokenizer and term weights) with the usual inverse document frequency.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from hmf.index.port import Sparse
from hmf.index.tokenizer import sparse_document, sparse_query

METHODS = ("BM25", "dense", "rank fusion", "flat weighted hybrid")
_FUSED = 60
"""The constant of reciprocal rank fusion (Cormack et al., 2009)."""

Vector = NDArray[np.float32]
Scores = NDArray[np.floating]


class Flat:
    """A set of texts by key, each with the vectors of its chunks."""

    def __init__(
        self,
        texts: Mapping[str, str],
        vectors: Mapping[str, Sequence[Vector]],
        language: str | Mapping[str, str],
        weight: float,
    ) -> None:
        """`language`: of all texts, or by key. `weight`: share of the dense side in the weighted sum, the one of the
        embedder."""
        self._keys = list(texts)
        self._vectors = np.stack([vector for key in self._keys for vector in vectors[key]])
        counts = [len(vectors[key]) for key in self._keys]
        self._starts = np.cumsum([0, *counts[:-1]])
        self._weight = weight
        self._language = language if isinstance(language, str) else None
        spoken = {key: language if isinstance(language, str) else language[key] for key in texts}
        documents = [sparse_document(text, spoken[key]) for key, text in texts.items()]
        total = len(documents)
        found = Counter(number for document in documents for number in document.indices)
        self._idf = {n: math.log(1 + (total - count + 0.5) / (count + 0.5)) for n, count in found.items()}
        self._postings = _postings(documents)

    def rankings(self, question: str, vector: Vector, limit: int, language: str = "en") -> dict[str, list[str]]:
        """The first `limit` keys by each of METHODS. `language`: of the question, where the texts have several."""
        dense = np.maximum.reduceat(self._vectors @ vector, self._starts)
        sparse = self._bm25(sparse_query(question, self._language or language))
        fused = 1 / (_FUSED + 1 + _ranks(dense)) + np.where(sparse > 0, 1 / (_FUSED + 1 + _ranks(sparse)), 0.0)
        weighted = self._weight * _scaled(dense) + (1 - self._weight) * _scaled(sparse)
        scores = dict(zip(METHODS, (sparse, dense, fused, weighted), strict=True))
        return {name: [self._keys[i] for i in _order(score)[:limit]] for name, score in scores.items()}

    def _bm25(self, query: Sparse) -> NDArray[np.float64]:
        scores = np.zeros(len(self._keys))
        for number, weight in zip(query.indices, query.values, strict=True):
            if number in self._postings:
                rows, values = self._postings[number]
                scores[rows] += weight * self._idf[number] * values
        return scores


def _postings(documents: Sequence[Sparse]) -> dict[int, tuple[NDArray[np.int64], NDArray[np.float64]]]:
    gathered: dict[int, tuple[list[int], list[float]]] = {}
    for row, document in enumerate(documents):
        for number, value in zip(document.indices, document.values, strict=True):
            rows, values = gathered.setdefault(number, ([], []))
            rows.append(row)
            values.append(value)
    return {number: (np.array(rows), np.array(values)) for number, (rows, values) in gathered.items()}


def _scaled(scores: Scores) -> Scores:
    """From 0 for the least to 1 for the most."""
    low, high = float(scores.min()), float(scores.max())
    return (scores - low) / (high - low) if high > low else np.zeros_like(scores)


def _order(scores: Scores) -> NDArray[np.int64]:
    return np.argsort(-scores, kind="stable")


def _ranks(scores: Scores) -> NDArray[np.int64]:
    ranks = np.empty(len(scores), np.int64)
    ranks[_order(scores)] = np.arange(len(scores))
    return ranks
