"""Every engine that the contract suite runs on, made fresh for each test."""

from __future__ import annotations

import os
import shutil
import subprocess
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hmf.index.dictionary import DictionaryIndex
from hmf.index.edge import EdgeIndex
from hmf.index.port import Index
from hmf.index.qdrant import QdrantIndex, connect

DIMENSION = 8
ENGINES = ("memory", "edge", "qdrant-local", "qdrant-server")
_IMAGE = "qdrant/qdrant:v1.17.0"


@contextmanager
def engine(name: str, folder: Path) -> Iterator[Index]:
    """An open, empty index of this kind; skips aloud when the machine cannot have it."""
    if name == "memory":
        yield DictionaryIndex(DIMENSION)
    elif name == "edge":
        index = EdgeIndex(folder / "index", DIMENSION, min_free=0)
        yield index
        index.close()
    elif name == "qdrant-local":
        from qdrant_client import QdrantClient

        with warnings.catch_warnings():
            # The client's local mode warns that it has no payload indexes: it is only a double here.
            warnings.simplefilter("ignore")
            yield QdrantIndex(QdrantClient(":memory:"), DIMENSION)
    else:
        with _server() as url:
            index = connect(url, None, DIMENSION, prefix=f"t{uuid.uuid4().hex[:8]}-")
            yield index
            for collection in index.collections():
                index.drop(collection)
            index.close()


@contextmanager
def _server() -> Iterator[str]:
    url = os.environ.get("HMF_TEST_QDRANT_URL")
    if url:
        yield url
        return
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "info"], capture_output=True, check=False).returncode != 0:
        pytest.skip("no Qdrant server: set HMF_TEST_QDRANT_URL, or start Docker, to run the contract on one")
    from testcontainers.community.qdrant import QdrantContainer

    with QdrantContainer(_IMAGE) as container:
        yield f"http://{container.rest_host_address}"
