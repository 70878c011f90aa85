"""What is measured, and how: `python bench/run.py`. Opening a store with a bench embedder is here."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from bench.corpus import configuration
from hmf import Hmf
from hmf.config import load
from hmf.embed.port import Embedder
from hmf.paths import places, prepare
from hmf.service.store import open_store, utc_now


def open_with(home: Path, embedder: Embedder) -> Hmf:
    """The store in `home`, sixteen categories, its embedder replaced by the one given (512 dimensions)."""
    where = places(home, os.environ)
    prepare(where)
    store = open_store(load(configuration(), environ=os.environ), where, utc_now, "a bench")
    try:
        return Hmf(replace(store, embedder=embedder))
    except BaseException:
        store.close()
        raise


def sync_ms(folder: Path, times: int = 50) -> float:
    """Median milliseconds that the disk takes for a small durable write: the floor of one acknowledged addition."""
    taken = []
    with (folder / "sync.probe").open("wb") as file:
        for _ in range(times):
            began = time.perf_counter()
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - began)
    (folder / "sync.probe").unlink()
    return 1000 * sorted(taken)[times // 2]


def seconds(work: Callable[[], object]) -> float:
    """How long `work` takes, in seconds."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
