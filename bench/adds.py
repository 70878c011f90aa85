"""How many notes a second are taken in: one by one, each durable, and in a stream, apart from and beside the embedder.

python -m bench.adds                  (from the repository)
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from bench import open_with, seconds, sync_ms
from bench.corpus import Corpus, WordVectors
from hmf.embed.packaged import UseEmbedder
from hmf.embed.port import Embedder

WARM = 300
ONE_BY_ONE = 1000
STREAM = 3000


def main() -> None:
    """Measure and print a table."""
    corpus, now = Corpus(seed=5), datetime.now(UTC)
    warm = list(corpus.notes(WARM, now))  # filed, so that every category has its collection before the clock starts
    measured = list(corpus.notes(STREAM, now, filed=False))
    print("| adding, notes routed by HMF | |\n|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        print(f"| one small durable write on this disk | {sync_ms(Path(folder)):.1f} ms |")
    median, rate = _one_by_one(warm, measured[:ONE_BY_ONE])
    print(f"| `add`, embedding taken off | {rate:.0f} a second, median {median:.1f} ms |")
    bench = WordVectors()
    taken = _stream(bench, warm, measured)
    print(f"| `add_many`, embedding taken off | {len(measured) / (taken - bench.seconds):.0f} a second |")
    use = UseEmbedder()
    alone = _embedder(use, measured)
    together = _stream(use, warm, measured)
    single = 1000 * np.median([seconds(lambda n=n: use.documents([n["text"]])) for n in measured[:100]])  # type: ignore[misc]
    print(f"| the embedder `use` alone, one by one | {single:.1f} ms a note |")
    print(f"| the embedder `use` alone, in batches | {len(measured) / alone:.0f} a second |")
    print(f"| `add_many` with it | {len(measured) / together:.0f} a second, {alone / together:.0%} of it |", flush=True)


def _one_by_one(warm: Sequence[Mapping[str, Any]], notes: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    """Median milliseconds of one `add`, and notes a second, both without the embedding."""
    embedder = WordVectors()
    with tempfile.TemporaryDirectory() as folder, open_with(Path(folder), embedder) as memory:
        for _ in memory.add_many(warm):
            pass
        taken = []
        for note in notes:
            before = embedder.seconds
            took = seconds(lambda note=note: memory.add(**note))  # type: ignore[misc]
            taken.append(took - (embedder.seconds - before))
    return 1000 * float(np.median(taken)), len(taken) / sum(taken)


def _stream(embedder: Embedder, warm: Sequence[Mapping[str, Any]], notes: Sequence[Mapping[str, Any]]) -> float:
    """Seconds that `add_many` takes, its flushes too, once the collections exist."""
    with tempfile.TemporaryDirectory() as folder, open_with(Path(folder), embedder) as memory:
        for _ in memory.add_many(warm):
            pass
        memory.tick()
        if isinstance(embedder, WordVectors):
            embedder.seconds = 0.0
        began = time.perf_counter()
        for _ in memory.add_many(notes):
            pass
        memory.tick()
        return time.perf_counter() - began


def _embedder(embedder: Embedder, notes: Sequence[Mapping[str, Any]]) -> float:
    """Seconds for the texts alone, in the batches that `add_many` makes."""
    texts = [note["text"] for note in notes]
    embedder.documents(texts[:128])
    return seconds(lambda: [embedder.documents(texts[n : n + 128]) for n in range(0, len(texts), 128)])


if __name__ == "__main__":
    main()
