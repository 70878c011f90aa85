"""The index on a Qdrant server: one line of YAML away, for a user who outgrows one machine."""

from __future__ import annotations

import ipaddress
import time
import uuid
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlparse

import httpx
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential

from hmf.errors import IndexFailure, StoreUnavailable
from hmf.index.names import checked
from hmf.index.port import DATE_FIELDS, KEYWORD_FIELDS, Between, Filter, Found, Point, Query, Scored

if TYPE_CHECKING:
    from qdrant_client import QdrantClient

T = TypeVar("T")
_PAGE, _BATCH = 2000, 256
_ATTEMPTS = 4


def connect(
    url: str, api_key: str | None, dimension: int, *, timeout: float = 10.0, prefix: str = "hmf-"
) -> QdrantIndex:
    """An index on the server at `url`. Raises StoreUnavailable when it does not answer."""
    from qdrant_client import QdrantClient  # costs most of a second: only who uses a server pays it

    local = _loopback(urlparse(url).hostname or "")
    with warnings.catch_warnings():
        if local:  # a key in clear text goes no further than this machine
            warnings.filterwarnings("ignore", message="Api key is used with an insecure connection")
        client = QdrantClient(
            url=url,
            api_key=api_key,
            timeout=max(1, round(timeout)),
            check_compatibility=False,
            # A proxy set for the web must not be asked for this machine's own server.
            trust_env=not local,
        )
    index = QdrantIndex(client, dimension, prefix=prefix)
    try:
        index.collections()
    except IndexFailure as error:
        raise StoreUnavailable(
            f"The Qdrant server at {url} does not answer: {error.what}", fix="start it, or check store.index.url."
        ) from error
    return index


class QdrantIndex:
    """An `Index` over a `QdrantClient`."""

    name = "qdrant"

    def __init__(
        self,
        client: QdrantClient,
        dimension: int,
        *,
        prefix: str = "hmf-",
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """Collections are called `prefix` + name on the server. `pause` waits so many seconds between two tries."""
        from qdrant_client import models

        self._client = client
        self._m = models
        self._dimension = dimension
        self._prefix = prefix
        self._pause = pause

    def ensure(self, collection: str) -> None:
        """See `Index`."""
        name = self._name(collection)
        if self._call(lambda: self._client.collection_exists(name)):
            return
        m = self._m
        self._call(
            lambda: self._client.create_collection(
                name,
                vectors_config={"dense": m.VectorParams(size=self._dimension, distance=m.Distance.COSINE)},
                sparse_vectors_config={"sparse": m.SparseVectorParams(modifier=m.Modifier.IDF)},
            )
        )
        schemas: list[tuple[str, Any]] = [(f, m.PayloadSchemaType.KEYWORD) for f in KEYWORD_FIELDS if f != "namespace"]
        schemas.append(("namespace", m.KeywordIndexParams(type=m.KeywordIndexType.KEYWORD, is_tenant=True)))
        schemas += [(f, m.PayloadSchemaType.DATETIME) for f in DATE_FIELDS]
        for field, schema in schemas:
            self._call(lambda f=field, s=schema: self._client.create_payload_index(name, f, s, wait=True))  # type: ignore[misc]

    def collections(self) -> list[str]:
        """See `Index`."""
        found = self._call(lambda: self._client.get_collections().collections)
        return sorted(c.name.removeprefix(self._prefix) for c in found if c.name.startswith(self._prefix))

    def upsert(self, collection: str, points: Sequence[Point]) -> None:
        """See `Index`."""
        name = self._name(collection)
        for point in points:
            if len(point.dense) != self._dimension:
                raise IndexFailure(f"A vector of {len(point.dense)} numbers came to an index of {self._dimension}.")
        for start in range(0, len(points), _BATCH):
            part = [self._point(p) for p in points[start : start + _BATCH]]
            self._call(lambda p=part: self._client.upsert(name, p, wait=True))  # type: ignore[misc]

    def delete(self, collection: str, memories: Sequence[str]) -> None:
        """See `Index`."""
        if memories:
            wanted = self._filter(Filter(any_of={"memory": tuple(memories)}))
            selector = self._m.FilterSelector(filter=wanted)
            self._call(lambda: self._client.delete(self._name(collection), selector, wait=True))

    def search(self, collection: str, query: Query) -> Found:
        """See `Index`. Both sides in one request."""
        m, wanted, asked = self._m, self._filter(query.filter), []
        if query.dense is not None:
            asked.append(("dense", query.least_dense, list(query.dense)))
        if query.sparse is not None and query.sparse.indices:
            sparse = m.SparseVector(indices=list(query.sparse.indices), values=list(query.sparse.values))
            asked.append(("sparse", query.least_sparse, sparse))
        requests = [
            m.QueryRequest(
                query=vector,
                using=side,
                filter=wanted,
                limit=query.limit,
                score_threshold=least,
                with_payload=["memory"],
            )
            for side, least, vector in asked
        ]
        answers = self._call(lambda: self._client.query_batch_points(self._name(collection), requests))
        sides = {side: _scored(answer.points) for (side, *_), answer in zip(asked, answers, strict=True)}
        return Found(sides.get("dense", ()), tuple(s for s in sides.get("sparse", ()) if s.score > 0))

    def ids(self, collection: str, filter: Filter | None = None) -> list[tuple[str, str]]:
        """See `Index`."""
        found: list[tuple[str, str]] = []
        offset: Any = None
        wanted = self._filter(filter) if filter else None
        while True:
            records, offset = self._call(
                lambda o=offset: self._client.scroll(  # type: ignore[misc]
                    self._name(collection), wanted, limit=_PAGE, offset=o, with_payload=["memory"]
                )
            )
            found.extend((str(r.id), str((r.payload or {})["memory"])) for r in records)
            if offset is None:
                return found

    def count(self, collection: str) -> int:
        """See `Index`."""
        return int(self._call(lambda: self._client.count(self._name(collection), exact=True)).count)

    def flush(self) -> None:
        """Every write waited for the server's own log."""

    def optimize(self, collection: str) -> None:
        """The server optimises by itself."""

    def renew(self, collection: str, fill: Callable[[str], object]) -> bool:
        """A server's files are its own: it rewrites them as it optimises."""
        return False

    def drop(self, collection: str) -> None:
        """See `Index`."""
        self._call(lambda: self._client.delete_collection(self._name(collection)))

    def set_aside(self, collection: str, stamp: str) -> Path | None:
        """A server has no files of ours to keep: the collection is dropped."""
        self.drop(collection)
        return None

    def close(self) -> None:
        """See `Index`."""
        self._client.close()

    def _name(self, collection: str) -> str:
        return self._prefix + checked(collection)

    def _point(self, own: Point) -> Any:
        m = self._m
        vector: dict[str, Any] = {"dense": list(own.dense)}
        if own.sparse.indices:
            vector["sparse"] = m.SparseVector(indices=list(own.sparse.indices), values=list(own.sparse.values))
        return m.PointStruct(id=str(uuid.UUID(own.id)), vector=vector, payload=dict(own.payload))

    def _filter(self, wanted: Filter) -> Any:
        m = self._m
        must: list[Any] = [m.FieldCondition(key=k, match=m.MatchAny(any=list(v))) for k, v in wanted.any_of.items()]
        for key, span in wanted.between.items():
            if span != Between():
                must.append(m.FieldCondition(key=key, range=m.DatetimeRange(gte=span.since, lte=span.until)))
        none = [m.FieldCondition(key=k, match=m.MatchAny(any=list(v))) for k, v in wanted.none_of.items()]
        return m.Filter(must=must or None, must_not=none or None)

    def _call(self, action: Callable[[], T]) -> T:
        """Retry what a moment may mend; everything else, and a last failure, becomes IndexFailure."""
        from qdrant_client.common.client_exceptions import QdrantException
        from qdrant_client.http.exceptions import ApiException

        retrying = Retrying(
            stop=stop_after_attempt(_ATTEMPTS),
            wait=wait_random_exponential(multiplier=0.3, max=3),
            retry=retry_if_exception(_passing),
            sleep=self._pause,
            reraise=True,
        )
        try:
            return retrying(action)
        except (ApiException, QdrantException, httpx.HTTPError, ValueError, OSError) as error:
            raise IndexFailure(f"The Qdrant server refused or failed: {_short(error)}.", fix="hmf doctor") from error


def _passing(error: BaseException) -> bool:
    """True for what may work in a moment: no answer, too many requests, or the server's own failure."""
    status = getattr(error, "status_code", None)
    if status is not None:
        return bool(status == 429 or status >= 500)
    return type(error).__name__ in ("ResponseHandlingException", "ResourceExhaustedResponse") or isinstance(
        error, httpx.TransportError
    )


def _short(error: BaseException) -> str:
    cause = getattr(error, "source", None) or error  # the client wraps what failed underneath, and says nothing
    return " ".join(str(cause).split())[:300] or type(cause).__name__


def _loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _scored(points: Sequence[Any]) -> tuple[Scored, ...]:
    hits = [Scored(str(p.id), str((p.payload or {})["memory"]), float(p.score)) for p in points]
    hits.sort(key=lambda s: (-s.score, s.id))
    return tuple(hits)
