"""Port values in the embedded engine's words."""

from __future__ import annotations

from typing import Any

import qdrant_edge as q

from hmf.index.port import Between, Filter, Point, Query

_EVERYTHING = 10_000_000
_INDEXED = ("memory", "project", "kind", "status", "tier")


def config(dimension: int) -> q.EdgeConfig:
    """One dense and one sparse vector, no graph (exact search), write-ahead log on, one search thread.

    Half precision: a scan is bound by memory, and 50,000 vectors of 512 were read in 30 ms instead of 48, for
    cosines that differ by less than 0.001.
    """
    dense = q.EdgeVectorParams(
        size=dimension,
        distance=q.Distance.Cosine,
        memory=q.Memory.Cold,
        datatype=q.VectorStorageDatatype.Float16,
    )
    return q.EdgeConfig(
        vectors={"dense": dense},
        sparse_vectors={"sparse": q.EdgeSparseVectorParams(modifier=q.Modifier.Idf, memory=q.Memory.Cold)},
        hnsw_config=q.HnswIndexConfig(m=0, ef_construct=16, full_scan_threshold=_EVERYTHING),
        max_search_threads=1,
        payload_memory=q.Memory.Cold,
        wal_enabled=True,
    )


def payload_indexes() -> list[q.UpdateOperation]:
    """An index on every field that HMF filters by; the namespace is the tenant. Filters on others work too, but slowly:
    each index costs a shard 5 MB of memory, however few its points."""
    tenant = q.KeywordIndexParams(is_tenant=True)
    fields: list[tuple[str, Any]] = [("namespace", tenant)]
    fields += [(name, q.PayloadSchemaType.Keyword) for name in _INDEXED]
    fields.append(("valid_from", q.PayloadSchemaType.Datetime))
    return [q.UpdateOperation.create_field_index(name, schema) for name, schema in fields]


def point(own: Point) -> q.Point:
    """A point with its two vectors."""
    vector: dict[str, Any] = {"dense": list(own.dense)}
    if own.sparse.indices:
        vector["sparse"] = q.SparseVector(list(own.sparse.indices), list(own.sparse.values))
    return q.Point(own.id, vector, dict(own.payload))


def filter_of(wanted: Filter) -> q.Filter:
    """All accepted, none refused, inside every range."""
    must: list[Any] = [q.FieldCondition(key=k, match=q.MatchAny(any=list(v))) for k, v in wanted.any_of.items()]
    for key, span in wanted.between.items():
        if span == Between():
            continue
        since = span.since.isoformat() if span.since else None
        until = span.until.isoformat() if span.until else None
        must.append(q.FieldCondition(key=key, range=q.RangeDateTime(gte=since, lte=until)))
    must_not: list[Any] = [q.FieldCondition(key=k, match=q.MatchAny(any=list(v))) for k, v in wanted.none_of.items()]
    return q.Filter(must=must or None, must_not=must_not or None)


def requests(query: Query, wanted: Filter) -> list[tuple[str, q.QueryRequest]]:
    """The sides that were asked for, each as a request under the filter `wanted`."""
    conditions = filter_of(wanted) if wanted != Filter() else None
    found = []
    if query.dense is not None:
        found.append(("dense", query.least_dense, q.Query.Nearest(list(query.dense), using="dense")))
    if query.sparse is not None and query.sparse.indices:
        sparse = q.SparseVector(list(query.sparse.indices), list(query.sparse.values))
        found.append(("sparse", query.least_sparse, q.Query.Nearest(sparse, using="sparse")))
    return [
        (
            side,
            q.QueryRequest(
                limit=query.limit,
                query=nearest,
                filter=conditions,
                score_threshold=least,
                with_payload=False,
                with_vector=False,
            ),
        )
        for side, least, nearest in found
    ]


def scroll(wanted: Filter | None, offset: Any, limit: int) -> q.ScrollRequest:
    """A page of points with the memory they belong to."""
    return q.ScrollRequest(
        offset=offset,
        limit=limit,
        filter=filter_of(wanted) if wanted else None,
        with_payload=["memory"],
        with_vector=False,
    )
