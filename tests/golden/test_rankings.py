"""What the example year answers to two dozen questions: a change of order is made on purpose, or not at all.

After a change that is meant: python -m tests.golden.test_rankings > tests/golden/rankings.json
"""

from __future__ import annotations

import json
import sys
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from hmf import Hmf
from hmf.cli import year
from hmf.paths import shipped_config

HERE = Path(__file__).parent
FIRST = 5
QUESTIONS: list[str] = YAML(typ="safe").load(HERE / "questions.yaml")
NOISE = 0.004
"""Scores nearer than this may change places on another machine."""


def rankings(home: Path) -> dict[str, list[tuple[str, float]]]:
    """For each question the first keys with their scores; all notes in their drawers, no night in between."""
    lines, asked_at, _ = year.load(shipped_config().parent / "examples")
    clock = year.Clock(datetime.fromisoformat(lines[0]["at"]) - timedelta(hours=8))
    keys: dict[str, str] = {}
    ids: dict[str, str] = {}
    with Hmf.open(home, {"timezone": "Europe/Paris", "store": {"min_free_mb": 1}}, now=clock) as memory:
        for line in lines:
            if "text" in line:
                clock.moment = datetime.fromisoformat(line["at"])
                added = memory.add(**_values(line, ids))
                if added.id is not None:
                    ids[line["key"]] = added.id
                    keys[added.id] = line["key"]
        clock.moment = asked_at
        return {
            question: [(keys[hit.memory.id], round(hit.score, 4)) for hit in memory.search(question, k=FIRST).hits]
            for question in QUESTIONS
        }


def _values(line: dict[str, Any], ids: dict[str, str]) -> dict[str, Any]:
    values = {k: v for k, v in line.items() if k not in {"key", "drawer", "file", "lang", "event", "supersedes"}}
    replaced = [ids[key] for key in line.get("supersedes", ())]
    return {**values, "category": line["drawer"], "language": line["lang"], "supersedes": replaced}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[str, float]]]:
    return rankings(tmp_path_factory.mktemp("golden"))


@pytest.fixture(scope="module")
def golden() -> dict[str, list[tuple[str, float]]]:
    kept: dict[str, list[tuple[str, float]]] = json.loads((HERE / "rankings.json").read_text(encoding="utf-8"))
    assert list(kept) == QUESTIONS
    return kept


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_is_answered_as_it_was(
    found: dict[str, list[tuple[str, float]]], golden: dict[str, list[tuple[str, float]]], question: str
) -> None:
    now, before = found[question], golden[question]
    scores = dict(before)
    assert len(now) == len(before), now
    for (key, _), (old, score) in zip(now, before, strict=True):
        assert key == old or abs(scores.get(key, 0.0) - score) < NOISE, now


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        made = rankings(Path(folder))
    sys.stdout.write(json.dumps(made, ensure_ascii=False, indent=1) + "\n")
