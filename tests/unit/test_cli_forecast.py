"""`hmf forecast` on screen, as JSON, and as a picture."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from hmf.cli.forecast import MARKS, drawn
from hmf.cli.words import CATALOG
from hmf.policy.forecast import Outcome
from tests.unit import test_cli_render
from tests.unit.test_cli_commands import CONFIG, OLD, Run, _logging, add, data, home, run  # noqa: F401
from tests.unit.test_cli_render import LANGUAGES, screen


def foreseen(weeks: int, *rows: tuple[str, str, str, int, list[int]]) -> dict[str, Any]:
    return {
        "made_at": "2026-11-30T09:00:00+00:00",
        "answered": False,
        "unscheduled": [],
        "weeks": [{"from": f"2026-{n // 28 + 1:02}-{n % 28 + 1:02}", "to": "2026-12-31"} for n in range(weeks)],
        "rows": [
            {"category": c, "policy": p, "outcome": o, "waiting": w, "weeks": n, "total": w + sum(n)}
            for c, p, o, w, n in rows
        ],
    }


def shown(language: str, found: dict[str, Any]) -> str:
    return test_cli_render.drawn(drawn(screen(language), found))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_outcome_has_its_words_and_its_mark(language: str) -> None:
    assert {f"fc-{one}" for one in Outcome} <= CATALOG[language].keys()
    assert MARKS.keys() == set(Outcome)
    rows = [("ideas", "stale", str(one), 0, [3, 0]) for one in Outcome]
    assert all(mark in shown(language, foreseen(2, *rows)) for mark, _ in MARKS.values())


def test_the_table_has_a_column_a_week_and_the_bars_follow() -> None:
    found = foreseen(3, ("ideas", "stale", "archived", 0, [4, 0, 2]), ("talk", "grace", "purged", 0, [0, 0, 2]))
    lines = [" ".join(line.split()) for line in shown("en", found).splitlines()]
    assert "ideas archived (untouched too long) · 4 · 2 6" in lines
    assert "talk gone for good (can no longer be brought back) · · · 2 2" in lines
    assert f"01-01 {'█' * 60} 4" in lines
    assert f"01-03 {'█' * 30}{'▒' * 30} 4" in lines


def test_what_is_asked_says_what_for_in_both_languages() -> None:
    found = foreseen(1, ("ideas", "stale", "asked", 5, [0]), ("talk", "expired_age", "held", 0, [1]))
    assert "you are asked: archive (untouched too long)" in shown("en", found)
    said = shown("fr", found)
    assert "à vous de décider\u202f: archiver (sans retouche depuis trop longtemps)" in said
    assert "à vous de décider, retenus\u202f: oublier (trop anciens)" in said


def test_many_weeks_are_added_up_in_few_columns() -> None:
    said = shown("en", foreseen(30, ("ideas", "stale", "archived", 0, [1] * 30)))
    assert "each column is 3 weeks" in said
    assert " ".join(["3"] * 10) in " ".join(said.split())


def test_the_command_foresees_and_changes_nothing(run: Run) -> None:  # noqa: F811
    add(run, "An idea on otters.", "-C", "ideas", "--at", OLD)
    add(run, "A price of today.", "-C", "notes", "--volatile", "--fresh-for", "3d")
    before = run("log").stdout
    found = data(run("forecast", "--weeks", "2", "--json"))
    rows = {(row["category"], row["policy"], row["outcome"]): row for row in found["rows"]}
    assert rows["ideas", "stale", "asked"]["waiting"] == 1
    assert rows["notes", "volatile_stale", "marked"]["weeks"] == [1, 0]
    assert len(found["weeks"]) == 2
    assert "notes" not in run("forecast", "-C", "ideas").stdout
    assert run("log").stdout == before
    assert run("forecast", "-C", "nowhere").exit_code == 2
    assert run("forecast", "--weeks", "0").exit_code == 2
    assert "Nothing happens" in run("-N", "other", "forecast").stdout


def test_a_picture_without_its_library_names_the_extra(run: Run, tmp_path: Path, monkeypatch: Any) -> None:  # noqa: F811
    found = importlib.util.find_spec
    monkeypatch.setattr("hmf.cli.forecast_plot.find_spec", lambda name: None if name == "matplotlib" else found(name))
    result = run("forecast", "--plot", str(tmp_path / "a.png"))
    assert result.exit_code == 2
    assert "pip install 'hmf-memory[plots]'" in result.stderr
    for name in ("a.txt", "nowhere/a.png"):
        assert run("forecast", "--plot", str(tmp_path / name)).exit_code == 2
    assert not list(tmp_path.glob("*.*g"))


def test_a_picture_is_drawn(run: Run, tmp_path: Path) -> None:  # noqa: F811
    pytest.importorskip("matplotlib", reason="the extra `plots` is not installed")
    add(run, "A price of today.", "-C", "notes", "--volatile", "--fresh-for", "3d")
    result = run("forecast", "--plot", str(tmp_path / "a.png"))
    assert result.exit_code == 0, result.stderr
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
