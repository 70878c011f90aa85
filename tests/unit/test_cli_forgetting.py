"""Forgetting a project or a category: shown first, asked, counted truly, in one batch that is undone in one command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hmf.cli import output
from tests.unit.test_cli_commands import Run, _logging, home, run

__all__ = ["_logging", "home", "run"]


def data(result: Any) -> Any:
    assert result.exit_code in (0, output.PARTIAL), result.output
    return json.loads(result.stdout)


def count(run: Run, project: str) -> int:
    return len(data(run("list", "--project", project, "--limit", "100", "--json"))["memories"])


@pytest.fixture
def three(run: Run) -> Run:
    for project in ("Aube", "Brume", "Cèdre"):
        for n in range(4):
            category = "notes" if n % 2 else "ideas"
            run("add", f"{project} wants part {n} shorter, n° {n}.", "--project", project, "-C", category)
    return run


def test_a_project_is_forgotten_as_shown_and_no_other(three: Run) -> None:
    shown = data(three("forget", "--project", "Brume", "-n", "--json"))
    assert (len(shown["memories"]), shown["categories"]) == (4, {"ideas": 2, "notes": 2})
    assert count(three, "Brume") == 4
    assert three("forget", "--project", "Brume").exit_code == 2  # nobody is there to be asked
    assert count(three, "Brume") == 4
    done = data(three("forget", "--project", "Brume", "--yes", "--json"))
    assert len(done["changed"]) == 4
    assert [count(three, p) for p in ("Aube", "Brume", "Cèdre")] == [4, 0, 4]
    assert len(data(three("undo", done["batch"], "--json"))["changed"]) == 4
    assert [count(three, p) for p in ("Aube", "Brume", "Cèdre")] == [4, 4, 4]


def test_a_category_and_what_is_in_both(three: Run) -> None:
    done = data(three("forget", "--project", "Aube", "--category", "Notes", "--yes", "--json"))
    assert len(done["changed"]) == 2
    done = data(three("forget", "-C", "ideas", "--yes", "--json"))
    assert len(done["changed"]) == 6
    assert [count(three, p) for p in ("Aube", "Brume", "Cèdre")] == [0, 2, 2]


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("--project", "Brme"), 1, "Did you mean 'Brume'"),
        (("--project", "cedre"), 1, "Did you mean 'Cèdre'"),
        (("--project", ""), 1, "empty choice"),
        (("--project", "  "), 1, "empty choice"),
        (("--category", "nots"), 2, "Did you mean 'notes'"),
        (("--category", "inbox"), 1, "No memory fits"),
        (("--project", "Brume", "--matching", "part"), 2, "empty choice"),
        ((), 2, "empty choice"),
    ],
)
def test_an_empty_or_misspelt_filter_forgets_nothing(three: Run, args: tuple[str, ...], code: int, says: str) -> None:
    result = three("forget", *args, "--yes")
    assert result.exit_code == code, result.output
    assert says in result.output
    assert [count(three, p) for p in ("Aube", "Brume", "Cèdre")] == [4, 4, 4]


def test_an_import_says_what_it_does_not_bring_back_and_takes_it_on_purpose(three: Run, tmp_path: Path) -> None:
    file = tmp_path / "notes.jsonl"
    three("forget", "--project", "Aube", "--yes")
    text = "* Note: AUBE WANTS PART 2 SHORTER, N° 2"
    file.write_text(json.dumps({"text": text, "language": "en"}), encoding="utf-8")
    result = three("import", str(file), "--notes", "--yes", "--json")
    assert data(result)["refused"] == 1
    assert "in other words" in data(result)["stopped"][0]
    assert data(three("import", str(file), "--notes", "--yes", "--again", "--json"))["created"] == 1


def test_an_erasure_names_the_export_that_still_says_it(three: Run, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    assert three("export", str(file)).exit_code == 0
    one = data(three("list", "--project", "Aube", "--json"))["memories"][0]["id"]
    done = data(three("erase", one, "--yes", "--json"))
    assert any(str(file) in json.dumps(note) for note in done["notes"])
