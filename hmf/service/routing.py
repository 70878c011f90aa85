"""The router with its memory: category seeds embedded once, and what the user filed or corrected."""

from __future__ import annotations

from collections.abc import Sequence
from threading import RLock

import numpy as np
from numpy.typing import NDArray

from hmf.config import resolve_category
from hmf.ledger.codec import content_key
from hmf.memory import Kind, Memory, Route, RoutedBy
from hmf.policy.background import NEUTRAL, Frame, Rows
from hmf.policy.judging import shares, sight
from hmf.policy.learning import Belief, Filing, begin, learned, settled, taught, untaught
from hmf.policy.routing import Subject, Thresholds, route
from hmf.policy.seeds import embedded, seed_texts
from hmf.reason import Reason
from hmf.service.store import Store

TAUGHT = frozenset({RoutedBy.EXPLICIT, RoutedBy.CORRECTION})
"""Filings by the user's own hand: the ones to learn from."""

_LATEST = 256
"""Filings among which one just taught may be already: more than one addition brings."""

_STEPS = 64
"""Changes that are cheaper one by one than a fit from the beginning (0.5 ms each, against 60 ms)."""


class Router:
    """Knows the seeds of the categories and the latest filings of each namespace. For any thread."""

    def __init__(self, store: Store) -> None:
        """Nothing is embedded before the first question."""
        self._store = store
        self._first: Belief | None = None
        self._beliefs: dict[str, Belief] = {}
        self._outdated: set[str] = set()
        self._lock = RLock()

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
            return Route(name, 1.0, RoutedBy.EXPLICIT, Reason("you_named"))
        settings = self._store.settings
        return route(
            Subject(text, vector, kind, source, project),
            self._store.categories,
            self.belief(namespace),
            inbox=settings.inbox,
            sure=Thresholds(0, 0) if guess else Thresholds(settings.routing.threshold, settings.routing.margin),
        )

    def shares(self, vector: NDArray[np.float32], namespace: str) -> dict[str, float]:
        """Soft belief in each category for a question."""
        belief = self.belief(namespace)
        return shares(belief, sight(belief, vector))

    def belief(self, namespace: str) -> Belief:
        """What is believed in this namespace, its latest filings counted."""
        first = self._unfiled()  # outside the lock, since it may have to write what it embedded
        with self._lock:
            known = self._beliefs.get(namespace)
            if known is None or namespace in self._outdated:
                known = self._beliefs[namespace] = self._read(namespace, known or first)
                self._outdated.discard(namespace)
            return known

    def teach(self, memory: Memory, vector: NDArray[np.float32]) -> None:
        """Add one filing to what is known, without reading the ledger again."""
        with self._lock:
            known = self._beliefs.get(memory.namespace)
            if memory.route.by not in TAUGHT or known is None or memory.namespace in self._outdated:
                return
            if any(filing.id == memory.id for filing in known.filings[-_LATEST:]):
                return  # another thread read it from the ledger in the meantime
            known = taught(known, _filing(memory), vector)
            while len(known.filings) > self._store.settings.routing.learn_from:
                known = untaught(known, 0)
            self._beliefs[memory.namespace] = known

    def forget(self, namespace: str) -> None:
        """Read the filings again at the next question: something was moved, forgotten or undone."""
        with self._lock:
            self._outdated.add(namespace)

    def _unfiled(self) -> Belief:
        """Belief from the configuration alone. Its texts are embedded once, and kept in the embedding cache."""
        if self._first is None:
            seeds = seed_texts(self._store.categories)
            neutral = [text for texts in NEUTRAL.values() for text in texts]
            rows = self._vectors([*neutral, *(seed.text for seed in seeds)])
            languages, start = [], 0
            for texts in NEUTRAL.values():
                languages.append(rows[start : start + len(texts)])
                start += len(texts)
            self._first = begin(embedded(self._store.categories, seeds, rows[start:], Frame.of(languages)))
        return self._first

    def _vectors(self, texts: Sequence[str]) -> Rows:
        keys = [content_key(text) for text in texts]
        known = dict(self._store.cache.get(keys))
        missing = list(dict.fromkeys(text for text, key in zip(texts, keys, strict=True) if key not in known))
        if missing:
            found = self._store.embedder.documents(missing)
            fresh = {content_key(text): vector for text, vector in zip(missing, found, strict=True)}
            known.update(fresh)
            with self._store.ledger.transaction() as connection:
                self._store.cache.put(connection, fresh)
        return np.array([known[key] for key in keys], dtype=np.float32)

    def _read(self, namespace: str, known: Belief) -> Belief:
        """The belief that the ledger's filings make, from one that knew some of them."""
        limit = self._store.settings.routing.learn_from
        memories = self._store.ledger.filed_by_hand(namespace, [str(by) for by in TAUGHT], limit)
        wanted = {memory.id: (_filing(memory), content_key(memory.text)) for memory in memories}
        wanted = {i: pair for i, pair in wanted.items() if pair[0].category in known.names}
        stays = {f.id for f in known.filings if f.id in wanted and wanted[f.id][0] == f}
        new = [pair for i, pair in wanted.items() if i not in stays]
        if len(known.filings) - len(stays) + len(new) > _STEPS:
            return self._fitted(list(wanted.values()))
        vectors = self._store.cache.get([key for _, key in new])
        gone = [number for number, filing in enumerate(known.filings) if filing.id not in stays]
        for number in reversed(gone):
            known = untaught(known, number)
        if gone:
            known = settled(known)  # what was erased is not kept in memory either
        for filing, key in new:
            # A text without a vector was erased, or came before this embedder: nothing to learn from.
            known = taught(known, filing, vectors[key]) if key in vectors else known
        return known

    def _fitted(self, filings: Sequence[tuple[Filing, str]]) -> Belief:
        vectors = self._store.cache.get([key for _, key in filings])
        held = [(filing, vectors[key]) for filing, key in filings if key in vectors]
        if not held:
            return self._unfiled()
        rows = np.array([vector for _, vector in held], dtype=np.float32)
        return learned(self._unfiled(), [filing for filing, _ in held], rows)


def _filing(memory: Memory) -> Filing:
    return Filing(memory.id, memory.category, memory.kind, memory.project is not None, memory.content_hash)
