"""The memories nearest in meaning to one that a person is asked about: what it may be merged into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import structlog
from numpy.typing import NDArray

from hmf.errors import DiskFull, IndexFailure
from hmf.index.port import Filter, Query
from hmf.ledger.codec import content_key
from hmf.memory import RETIRED, Memory, State, Tier
from hmf.service.indexing import Indexer
from hmf.service.store import Store

log = structlog.get_logger(__name__)
_TIERS = (str(Tier.DETAIL), str(Tier.ARCHIVE))


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A memory, and how near it is: the cosine of the two vectors, 1 for the same."""

    memory: Memory
    nearness: float


class Neighbourhood:
    """Reads; changes nothing."""

    def __init__(self, store: Store, indexer: Indexer) -> None:
        """Over an open store."""
        self._store = store
        self._indexer = indexer

    def of(self, ids: Sequence[str], namespace: str, k: int) -> dict[str, list[Neighbour]]:
        """The `k` nearest of each memory, in the same namespace, live and not retired; nearest first.

        One without a vector, or whose index cannot be read, has none: a review must not fail for that.
        """
        rows = self._store.ledger.get(ids, namespace)
        keys = {name: content_key(row.text) for name, row in rows.items()}
        vectors = self._store.cache.get(list(dict.fromkeys(keys.values())))
        homes = self._store.ledger.category_names(namespace)
        found = {
            name: self._near(name, vectors[keys[name]], homes, namespace, k) if keys.get(name) in vectors else {}
            for name in ids
        }
        others = self._store.ledger.get(sorted({i for near in found.values() for i in near}), namespace)
        return {name: _live(near, others, k) for name, near in found.items()}

    def _near(
        self, memory_id: str, vector: NDArray[np.float32], homes: Sequence[str], namespace: str, k: int
    ) -> dict[str, float]:
        allowed = Filter({"namespace": (namespace,), "tier": _TIERS}, {"status": tuple(sorted(map(str, RETIRED)))})
        scores: dict[str, float] = {}
        for home in homes:
            # A long memory has several points: more of them are asked for than memories are wanted.
            least = sorted(scores.values(), reverse=True)[k] if len(scores) > k else None
            query = Query(vector.tolist(), None, allowed, 3 * (k + 1), least_dense=least)
            try:
                hits = self._indexer.search(home, query).dense
            except (IndexFailure, DiskFull) as error:
                log.warning("neighbours.unread", collection=home, error=str(error))
                continue
            for hit in hits:
                if hit.memory != memory_id:
                    scores[hit.memory] = max(hit.score, scores.get(hit.memory, -1.0))
        best = sorted(scores, key=lambda i: (-scores[i], i))[: 2 * k]
        return {name: scores[name] for name in best}


def _live(near: Mapping[str, float], rows: Mapping[str, Memory], k: int) -> list[Neighbour]:
    """Judged by the ledger: the index may still hold what was retired a moment ago."""
    fit = [i for i in near if i in rows and rows[i].state is State.LIVE and rows[i].status not in RETIRED]
    return [Neighbour(rows[i], round(float(near[i]), 3)) for i in fit[:k]]
