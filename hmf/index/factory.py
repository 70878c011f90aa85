"""The engine that the configuration names."""

from __future__ import annotations

from pathlib import Path

from hmf.errors import ConfigError
from hmf.index.dictionary import DictionaryIndex
from hmf.index.port import Index


def build(
    engine: str,
    folder: Path,
    dimension: int,
    *,
    url: str | None = None,
    api_key: str | None = None,
    timeout: float = 10.0,
    prefix: str = "hmf-",
    min_free: int = 512 * 2**20,
) -> Index:
    """An index of vectors of `dimension`. Raises ConfigError, StoreUnavailable when a server does not answer."""
    if engine == "edge":
        from hmf.index.edge import EdgeIndex

        return EdgeIndex(folder, dimension, min_free=min_free)
    if engine == "qdrant":
        from hmf.index.qdrant import connect

        if not url:
            raise ConfigError(
                "store.index.url is missing: a Qdrant server needs one.", fix="url: http://127.0.0.1:6333"
            )
        return connect(url, api_key, dimension, timeout=timeout, prefix=prefix)
    if engine == "memory":
        return DictionaryIndex(dimension)
    raise ConfigError(f"store.index.engine: {engine!r} is not one of edge, qdrant, memory.")
