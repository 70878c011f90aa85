"""Reading a shard without the work that changes nothing.

Measured on a shard of 16,505 points of 512 numbers: a dense search takes 2.2 ms under a filter that every point passes
and 0.9 ms without it; fetching the payloads of 60 hits takes 0.3 ms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import qdrant_edge as q

from hmf.index import edge_values as values
from hmf.index.chunks import owner
from hmf.index.port import Filter, Found, Query, Scored

_CLOSED = frozenset({"namespace", "tier", "status", "kind"})
"""Fields of few values, of which a filter often accepts all that a collection holds."""
_PAGE = 5_000


class Reader:
    """What is known of the points of one shard until it is next written."""

    def __init__(self) -> None:
        """Nothing is known."""
        self._idle: dict[tuple[str, tuple[str, ...], bool], bool] = {}

    def changed(self) -> None:
        """The shard was written."""
        self._idle.clear()

    def search(self, shard: q.EdgeShard, query: Query) -> Found:
        """Both sides in one pass over the segments."""
        requests = values.requests(query, self._needed(shard, query.filter))
        answers = shard.query_batch(q.QueryBatchRequest([request for _, request in requests]))
        sides = {side: _scored(shard, answer) for (side, _), answer in zip(requests, answers, strict=True)}
        return Found(sides.get("dense", ()), sides.get("sparse", ()))

    def _needed(self, shard: q.EdgeShard, wanted: Filter) -> Filter:
        """The filter without the conditions that every point here meets."""
        any_of = {k: v for k, v in wanted.any_of.items() if not self._all_meet(shard, k, v, accepted=True)}
        none_of = {k: v for k, v in wanted.none_of.items() if not self._all_meet(shard, k, v, accepted=False)}
        return Filter(any_of, none_of, wanted.between)

    def _all_meet(self, shard: q.EdgeShard, key: str, named: tuple[str, ...], *, accepted: bool) -> bool:
        if key not in _CLOSED:
            return False
        name = (key, named, accepted)
        if name not in self._idle:
            one: Mapping[str, tuple[str, ...]] = {key: named}
            against = Filter(none_of=one) if accepted else Filter(any_of=one)
            self._idle[name] = shard.count(q.CountRequest(exact=True, filter=values.filter_of(against))) == 0
        return self._idle[name]


def scrolled(shard: q.EdgeShard, wanted: Filter | None) -> list[tuple[str, str]]:
    """(point id, memory id) of every point that passes, page by page."""
    found: list[tuple[str, str]] = []
    offset: Any = None
    while True:
        records, offset = shard.scroll(values.scroll(wanted, offset, _PAGE))
        found.extend((str(r.id), str((r.payload or {})["memory"])) for r in records)
        if offset is None:
            return found


def _scored(shard: q.EdgeShard, answer: Sequence[q.ScoredPoint]) -> tuple[Scored, ...]:
    ids = [str(p.id) for p in answer]
    known = {name: own for name in ids if (own := owner(name)) is not None}
    if others := [p.id for p, name in zip(answer, ids, strict=True) if name not in known]:
        known |= {str(r.id): str((r.payload or {})["memory"]) for r in shard.retrieve(others, ["memory"], False)}
    hits = [Scored(name, known[name], float(p.score)) for p, name in zip(answer, ids, strict=True)]
    hits.sort(key=lambda s: (-s.score, s.id))
    return tuple(hits)
