"""The router with its memory: category examples embedded once, and what the user filed or corrected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hmf.config import resolve_category
from hmf.ledger.codec import content_key
from hmf.memory import Kind, Memory, Route, RoutedBy
from hmf.policy.routing import Examples, Subject, Thresholds, category_shares, route, seed_texts
from hmf.service.store import Store

TAUGHT = frozenset({RoutedBy.EXPLICIT, RoutedBy.CORRECTION})
"""Filings by the user's own hand: the ones to learn from."""


class Router:
    """Knows the seeds of the categories and the latest filings of each namespace."""

    def __init__(self, store: Store) -> None:
        """Nothing is embedded before the first question."""
        self._store = store
        self._seeds: Examples | None = None
        self._learnt: dict[str, Examples] = {}

    def route(
        self,
        text: str,
        vector: NDArray[np.float32],
        *,
        namespace: str,
        category: str | None,
        kind: Kind | None,
        source: str,
        project: str | None,
        guess: bool = False,
    ) -> Route:
        """The route of a new text; with `guess`, the best one however unsure.

        Raises UnknownCategory when an explicit category does not exist.
        """
        if category is not None and category.strip():
            name = resolve_category(category, self._store.settings)
            return Route(name, 1.0, RoutedBy.EXPLICIT, "you named it")
        settings = self._store.settings
        return route(
            Subject(text, vector, kind, source, project),
            self._store.categories,
            self.seeds(),
            self.learnt(namespace),
            inbox=settings.inbox,
            sure=Thresholds(0, 0) if guess else Thresholds(settings.routing.threshold, settings.routing.margin),
        )

    def shares(self, vector: NDArray[np.float32], namespace: str) -> dict[str, float]:
        """Soft belief in each category for a question."""
        return category_shares(vector, self._store.categories, self.seeds(), self.learnt(namespace))

    def seeds(self) -> Examples:
        """Vectors of the categories' descriptions and examples, kept in the embedding cache."""
        if self._seeds is None:
            pairs = seed_texts(self._store.categories)
            texts = [text for _, text in pairs]
            keys = [content_key(text) for text in texts]
            known = dict(self._store.cache.get(keys))
            missing = [text for text, key in zip(texts, keys, strict=True) if key not in known]
            if missing:
                fresh = {
                    content_key(t): v for t, v in zip(missing, self._store.embedder.documents(missing), strict=True)
                }
                known.update(fresh)
                with self._store.ledger.transaction() as connection:
                    self._store.cache.put(connection, fresh)
            rows = [known[key] for key in keys]
            self._seeds = _examples([name for name, _ in pairs], rows, self._store.embedder.dimension)
        return self._seeds

    def learnt(self, namespace: str) -> Examples:
        """The newest filings by hand in this namespace."""
        if namespace not in self._learnt:
            limit = self._store.settings.routing.learn_from
            taught = self._store.ledger.filed_by_hand(namespace, [str(by) for by in TAUGHT], limit)
            vectors = self._store.cache.get([content_key(m.text) for m in taught])
            known = [(m, vectors[content_key(m.text)]) for m in taught if content_key(m.text) in vectors]
            self._learnt[namespace] = replace(
                _examples([m.category for m, _ in known], [v for _, v in known], self._store.embedder.dimension),
                traits=tuple(_traits(m) for m, _ in known),
            )
        return self._learnt[namespace]

    def teach(self, memory: Memory, vector: NDArray[np.float32]) -> None:
        """Add one filing to what is known, without reading the ledger again."""
        if memory.route.by not in TAUGHT or memory.namespace not in self._learnt:
            return
        known = self._learnt[memory.namespace]
        limit = self._store.settings.routing.learn_from
        self._learnt[memory.namespace] = replace(
            known,
            labels=(*known.labels, memory.category)[-limit:],
            vectors=np.vstack([known.vectors, vector[None, :]])[-limit:],
            traits=(*known.traits, _traits(memory))[-limit:],
        )

    def forget(self, namespace: str) -> None:
        """Read the filings again at the next question: something was moved, forgotten or undone."""
        self._learnt.pop(namespace, None)


def _traits(memory: Memory) -> tuple[str, bool]:
    return str(memory.kind), memory.project is not None


def _examples(labels: Sequence[str], rows: Sequence[NDArray[np.float32]], dimension: int) -> Examples:
    return Examples(tuple(labels), np.vstack(rows).astype(np.float32)) if rows else Examples.none(dimension)
