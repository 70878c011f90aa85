"""How search, opening, memory use and the jobs stand at 1,000, 10,000 and 100,000 memories in sixteen categories.

    python -m bench.scale 1000 10000 100000          (from the repository; each size in a temporary folder)
    python -m bench.scale --keep FOLDER 100000       (builds FOLDER/100000 once and measures it again later)

A store is built by `Hmf.restore`, the import, with the bench embedder. What is measured runs in a process of its own,
started cold, with the questions already embedded where embedding is not the matter.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from bench import open_with, seconds
from bench.corpus import DIMENSION, Corpus, WordVectors
from hmf import Hmf
from hmf.index.port import Filter, Point, Query
from hmf.index.qdrant import QdrantIndex
from hmf.index.tokenizer import sparse_document, sparse_query
from hmf.ledger.wanted import Wanted

QUESTIONS = 200
KINDS = ("two words of a project", "a project by name", "a month", "a whole sentence", "an unknown thing")
JOBS = ("expire", "archive", "review", "summarise")
FLAT_LIMIT = 20_000
"""Above it the client's local mode takes minutes to load and seconds a question: it is measured at this size."""
FLAT_QUESTIONS = 20


def build(home: Path, count: int) -> float:
    """A store of `count` memories; returns the seconds it took, 0 when it was there already."""
    if (home / "data" / "ledger.db").exists():
        return 0.0
    began = time.perf_counter()
    with open_with(home, WordVectors()) as memory:
        for done, _ in enumerate(memory.restore(Corpus().lines(count, datetime.now(UTC))), 1):
            if done % 2000 == 0:
                memory.tick()
    return time.perf_counter() - began


def measure(home: Path) -> dict[str, Any]:
    """Everything that is measured of one store; to be called in a fresh process."""
    process, embedder, questions = psutil.Process(), WordVectors(), Corpus(seed=11).questions(QUESTIONS)
    before = process.memory_info().rss
    embedder.queries(questions)
    embedding = process.memory_info().rss - before
    began = time.perf_counter()
    memory = open_with(home, embedder)
    ready = time.perf_counter() - began
    memory.search(questions[0])
    first = time.perf_counter() - began
    with memory:
        for question in questions[:20]:  # the collections are opened by the first questions, one time in a life
            memory.search(question)
        taken, spent = zip(*(_apart(memory, embedder, question) for question in questions), strict=True)
        used = process.memory_info()
        jobs = {job: _planned(memory, job) for job in JOBS}
        after = process.memory_info()
    return {
        "ready": ready,
        "first": first,
        "search": taken,
        "spent": spent,
        "resident": (used.rss - embedding) / 2**20,
        "private": (used.rss - used.shared - embedding) / 2**20,
        "resident_after_jobs": (after.rss - embedding) / 2**20,
        "private_after_jobs": (after.rss - after.shared - embedding) / 2**20,
        "jobs": jobs,
    }


def _apart(memory: Hmf, embedder: WordVectors, question: str) -> tuple[float, float]:
    """Seconds of one search without its embedding, and of processor time, which another process lengthens less."""
    before, processor = embedder.seconds, time.process_time()
    taken = seconds(lambda: memory.search(question))
    spent = time.process_time() - processor
    embedding = embedder.seconds - before
    return taken - embedding, spent - embedding


def _planned(memory: Hmf, job: str) -> tuple[float, int]:
    began = time.perf_counter()
    plan = memory.plan(job, file=False)
    return time.perf_counter() - began, len(plan.actions)


def flat(home: Path, count: int) -> tuple[int, list[float]]:
    """The bare hybrid search of the same questions on one flat collection of `QdrantClient(path=...)`.

    Returns how many memories it held, and the seconds a question: dense and sparse, sixty of each, the same filter,
    with no reading of rows and no ranking after it.
    """
    import warnings

    from qdrant_client import QdrantClient

    warnings.simplefilter("ignore")  # local mode warns that it has no payload indexes and should stay small
    size, embedder = min(count, FLAT_LIMIT), WordVectors()
    wanted = Filter({"namespace": ("default",), "tier": ("detail", "summary")}, {"status": ("superseded", "refuted")})
    with tempfile.TemporaryDirectory() as folder:
        index = QdrantIndex(QdrantClient(path=folder), DIMENSION)
        index.ensure("flat")
        for part in _points(home, size):
            index.upsert("flat", part)
        taken = []
        for question in Corpus(seed=11).questions(FLAT_QUESTIONS):
            query = Query(embedder.queries([question])[0].tolist(), sparse_query(question, "fr"), wanted, 60)
            taken.append(seconds(lambda query=query: index.search("flat", query)))  # type: ignore[misc]
        index.close()
    return size, taken


def _points(home: Path, size: int) -> Iterator[list[Point]]:
    from hmf.service.indexing import payload_of

    embedder = WordVectors()
    with open_with(home, embedder) as memory:
        part: list[Point] = []
        for number, one in enumerate(memory.store.ledger.stream(Wanted("default")), 1):
            vector = embedder.documents([one.text])[0]
            part.append(Point(one.id, vector.tolist(), sparse_document(one.text, one.language), payload_of(one)))
            if len(part) == 256 or number == size:
                yield part
                part = []
            if number == size:
                return


def report(count: int, built: float, found: dict[str, Any], other: tuple[int, list[float]]) -> str:
    """The figures of one size as lines of a table."""
    search, (size, flat_taken) = 1000 * np.array(found["search"]), other
    flat_ms, spent = 1000 * np.array(flat_taken), 1000 * np.array(found["spent"])
    lines = [
        f"| {count:,} memories | |",
        "|---|---|",
        f"| built in | {built:.0f} s |" if built else "| built | before |",
        f"| search, p50 / p95 | {np.median(search):.1f} / {np.percentile(search, 95):.1f} ms |",
        f"| … processor time, p50 / p95 | {np.median(spent):.1f} / {np.percentile(spent, 95):.1f} ms |",
        *(f"| … {kind}, p50 | {np.median(search[n :: len(KINDS)]):.1f} ms |" for n, kind in enumerate(KINDS)),
        f"| flat local mode, p50 / p95, {size:,} memories | "
        f"{np.median(flat_ms):.0f} / {np.percentile(flat_ms, 95):.0f} ms |",
        f"| ratio of the medians | {np.median(flat_ms) / np.median(search):.0f} |",
        f"| open: ready / first answer | {found['ready']:.2f} / {found['first']:.2f} s |",
        f"| resident beside the embedder | {found['resident']:.0f} MB, without file pages {found['private']:.0f} MB |",
        f"| … after the jobs | {found['resident_after_jobs']:.0f} MB, {found['private_after_jobs']:.0f} MB |",
        *(f"| plan {job} | {took:.1f} s, {actions:,} actions |" for job, (took, actions) in found["jobs"].items()),
        f"| plan all four | {sum(took for took, _ in found['jobs'].values()):.1f} s |",
    ]
    return "\n".join(lines)


def cold(home: Path) -> dict[str, Any]:
    """`measure` in a process of its own."""
    command = [sys.executable, "-m", "bench.scale", "--measure", str(home)]
    done = subprocess.run(command, cwd=Path(__file__).parent.parent, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the measuring process failed:\n{done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def main(arguments: Sequence[str]) -> None:
    """Build, measure and print; see the head of this file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sizes", type=int, nargs="*")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--measure", type=Path)
    given = parser.parse_args(arguments)
    if given.measure:
        print(json.dumps(measure(given.measure)))
        return
    with tempfile.TemporaryDirectory() as passing:
        for count in given.sizes:
            home = (given.keep or Path(passing)) / str(count)
            built = build(home, count)
            print(report(count, built, cold(home), flat(home, count)), "\n", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
