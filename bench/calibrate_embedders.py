"""Measure how to read an embedder's cosines: the floor of unrelated pairs and the ceiling of matching ones.

    python bench/calibrate_embedders.py --data fquad-dev.json --locomo locomo-dev.json --sib sib-fra-dev.tsv \
        --embedder use

Unrelated: a question and a sentence drawn at random from another text (95th percentile). Matching: a question
and the sentence with its answer (median). French from FQuAD (with SIB-200 as more unrelated text), English from
LoCoMo. The data is not shipped: see docs for where it is published. How sure an answer is, given such a cosine, is
fitted by `hmf calibrate` on notebooks that are shipped: docs/recall-calibration.md.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hmf.embed.factory import NAMES, build
from hmf.embed.port import Embedder
from hmf.policy.text import sentences


class Pair(NamedTuple):
    """A question, the sentence that answers it, and the text both come from."""

    question: str
    answer: str
    origin: str


def fquad(path: Path) -> list[Pair]:
    """French pairs; the answer's sentence is the one that its character position falls in."""
    pairs = []
    for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            spans, position = [], 0
            for sentence in sentences(paragraph["context"], "fr"):
                start = paragraph["context"].index(sentence, position)
                position = start + len(sentence)
                spans.append((start, position, sentence))
            for item in paragraph["qas"]:
                where = item["answers"][0]["answer_start"]
                hit = [s for start, end, s in spans if start <= where < end]
                pairs += [Pair(item["question"], s, article["title"]) for s in hit]
    return pairs


def locomo(path: Path) -> list[Pair]:
    """English pairs: each question with its first turn of evidence."""
    pairs = []
    for sample in json.loads(path.read_text(encoding="utf-8")):
        turns = {
            turn["dia_id"]: f"{turn['speaker']}: {turn['text']}"
            for value in sample["conversation"].values()
            if isinstance(value, list)
            for turn in value
        }
        for item in sample["qa"]:
            hit = [turns[e] for e in item.get("evidence", []) if e in turns]
            pairs += [Pair(item["question"], s, sample["sample_id"]) for s in hit[:1]]
    return pairs


def measure(embedder: Embedder, pairs: list[Pair], extra: list[str], rng: random.Random) -> tuple[float, float]:
    """(95th percentile of unrelated cosines, median of matching ones)."""
    questions = embedder.queries([p.question for p in pairs])
    answers = embedder.documents([p.answer for p in pairs])
    matching = np.sum(questions * answers, axis=1)
    origins = [p.origin for p in pairs] + [""] * len(extra)
    pool = np.vstack([answers, embedder.documents(extra)]) @ questions.T
    unrelated = []
    for column, pair in enumerate(pairs):
        for row in rng.sample(range(len(origins)), 20):
            if origins[row] != pair.origin:
                unrelated.append(pool[row, column])
    return float(np.percentile(unrelated, 95)), float(np.median(matching))


def main() -> None:
    """Print the figures of one embedder by language, and their means."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="FQuAD, in SQuAD's JSON")
    parser.add_argument("--locomo", type=Path, required=True)
    parser.add_argument("--sib", type=Path, nargs="*", default=[], help="SIB-200 tables in French")
    parser.add_argument("--embedder", choices=NAMES, required=True)
    parser.add_argument("--model")
    parser.add_argument("--dimension", type=int)
    parser.add_argument("--base-url")
    parser.add_argument("--pairs", type=int, default=400, help="pairs a language")
    options = parser.parse_args()
    rng = random.Random(20261130)
    extra = [
        row["text"]
        for path in options.sib
        for row in csv.DictReader(path.open(encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE)
    ]
    embedder = build(options.embedder, model=options.model, dimension=options.dimension, base_url=options.base_url)
    found = []
    for language, pairs, more in (("fr", fquad(options.data), extra), ("en", locomo(options.locomo), [])):
        chosen = rng.sample(pairs, min(options.pairs, len(pairs)))
        found.append(measure(embedder, chosen, more, rng))
        print(f"{embedder.key} {language}: floor {found[-1][0]:.3f} ceiling {found[-1][1]:.3f} ({len(chosen)} pairs)")
    floor, ceiling = np.mean(found, axis=0)
    print(f"{embedder.key} mean: floor {floor:.3f} ceiling {ceiling:.3f}")


if __name__ == "__main__":
    main()
