"""The commands through typer's runner: exit codes, what goes where, and questions that are never left hanging."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from hmf.cli import output
from hmf.cli.main import app, reference
from hmf.cli.options import EXIT_CODES
from hmf.errors import InvalidInput

CONFIG = """version: 1
language: {language}
timezone: Europe/Paris
embedder:
  name: hash
  dimension: 512
store:
  min_free_mb: 0
  index:
    engine: memory
categories:
  inbox: {{}}
  notes:
    policy: {{stale_after: 60d, confirm: ask}}
  ideas:
    policy: {{stale_after: 30d, confirm: ask}}
"""
OLD = "2026-01-05"
Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def _logging() -> Iterator[None]:
    """Commands point the log at a stderr that ends with them."""
    root = logging.getLogger()
    before = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = before[0], before[1]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "hmf.yaml").write_text(CONFIG.format(language="en"), encoding="utf-8")
    for name in ("HMF_CONFIG", "HMF_LOG", "HMF_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HMF_HOME", str(folder))
    monkeypatch.setenv("COLUMNS", "200")
    return folder


@pytest.fixture
def run(home: Path) -> Run:
    def call(*args: str, stdin: str | bytes | None = None) -> Result:
        result = CliRunner().invoke(app, list(args), input=stdin, prog_name="hmf")
        assert "Traceback" not in result.output
        assert result.exception is None or isinstance(result.exception, SystemExit)
        return result

    return call


@pytest.fixture
def someone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person at the terminal."""
    monkeypatch.setattr(output, "interactive", lambda: True)


def data(result: Result) -> dict[str, Any]:
    assert result.exit_code in (0, output.PARTIAL, output.PENDING), result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def add(run: Run, text: str, *more: str) -> str:
    return str(data(run("add", text, "--json", *more))["id"])


def texts(run: Run, *more: str) -> list[str]:
    return [one["text"] for one in data(run("list", "--json", *more))["memories"]]


@pytest.mark.parametrize("text", ["She prefers short titles.", "Elle préfère les titres courts."])
def test_adding_says_where_why_and_the_id(run: Run, text: str) -> None:
    result = run("add", text, "-C", "notes", "-t", "style", "--pin")
    assert result.exit_code == 0
    assert "created in notes (you named it)" in result.stdout
    assert texts(run) == [text]
    one = data(run("list", "--json"))["memories"][0]
    assert one["id"] in result.stdout
    assert (one["tags"], one["pinned"]) == (["style"], True)


def test_a_preview_stores_nothing(run: Run) -> None:
    result = run("add", "Only a thought.", "-C", "notes", "-n")
    assert "would be created in notes" in result.stdout
    assert texts(run) == []


def test_the_same_again_is_a_duplicate(run: Run) -> None:
    first = add(run, "The launch is on Monday.")
    again = data(run("add", "The launch is on Monday.", "--json"))
    assert (again["outcome"], again["id"]) == ("duplicate", first)


def test_text_comes_from_stdin(run: Run) -> None:
    assert run("add", "-", stdin="Reçu par un tuyau.").exit_code == 0
    assert texts(run) == ["Reçu par un tuyau."]


@pytest.mark.parametrize(
    ("args", "stdin", "said"),
    [
        (("add", ""), None, "empty"),
        (("add", " \n "), None, "empty"),
        (("add", "a\0b"), None, "NUL"),
        (("add", "caf\udce9"), None, "UTF-8"),
        (("add", "-"), "x" * 5_000_000, "5000000 characters"),
        (("add", "-"), b"caf\xe9", "UTF-8"),
        (("add", "x", "-C", "nowhere"), None, "nowhere"),
        (("add", "x", "--at", "2999-01-01"), None, "future"),
        (("add", "x", "--at", "soon"), None, "not a date"),
        (("add", "x", "--fresh-for", "5m"), None, "duration"),
        (("add", "x", "-K", "nonsense"), None, "kind"),
        (("add",), None, "TEXT"),
        (("list", "-C", "nowhere"), None, "nowhere"),
        (("search", "x", "--since", "2026-02-30"), None, "not a date"),
        (("search", "x", "-k", "0"), None, "-k"),
        (("search", "x", "-p", "caf\udce9"), None, "UTF-8"),
        (("forget",), None, "empty choice"),
        (("apply", "abc"), None, "Say which"),
        (("nonsense",), None, "No such command"),
        (("import", "/nowhere/at/all.jsonl"), None, "cannot be read"),
        (("import", "a\0b"), None, "cannot be read"),
        (("show", "caf\udce9"), None, "UTF-8"),
        (("-N", "caf\udce9", "list"), None, "namespace"),
        (("-N", "../../x", "list"), None, "namespace"),
        (("-N", "n" * 300, "list"), None, "namespace"),
        (("-N", "C:\\x", "add", "x"), None, "namespace"),
    ],
)
def test_wrong_input_exits_2_with_a_sentence(
    run: Run, args: tuple[str, ...], stdin: str | bytes | None, said: str
) -> None:
    result = run(*args, stdin=stdin)
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    "args",
    [
        ("show", "../../etc/passwd"),
        ("show", "zz"),
        ("show", "%%%%%%%%"),
        ("show", "0" * 300),
        ("forget", "con"),
        ("erase", "C:\\x", "--yes"),
        ("move", "abcdef12", "notes"),
        ("undo", "nothing"),
        ("undo",),
        ("project", "finish", "../../x"),
        ("plan", "../x"),
        ("apply", "abc", "--all"),
        ("jobs", "run", "nonsense"),
    ],
)
def test_what_is_not_there_exits_1_and_says_what_to_do(run: Run, args: tuple[str, ...]) -> None:
    result = run(*args)
    assert result.exit_code == 1, result.output
    assert "Fix: " in result.stderr
    assert result.stdout == ""


def test_another_namespace_sees_and_changes_nothing(run: Run) -> None:
    mine = add(run, "My secret plan.")
    for args in (("show", mine), ("forget", mine), ("erase", mine, "--yes"), ("pin", mine), ("revise", mine, "x")):
        result = run("-N", "other", *args)
        assert result.exit_code == 1, args
        assert "secret" not in result.output
    assert texts(run, "--limit", "5") == ["My secret plan."]
    assert data(run("-N", "other", "search", "secret plan", "--json"))["abstained"]


@pytest.mark.parametrize(
    "name", ["../../x", "/etc/x", "C:\\x", "con", "a/b", "x" * 200, "a/b ", "Été"], ids=lambda name: name[:10]
)
def test_odd_project_names_are_only_names(run: Run, home: Path, name: str) -> None:
    add(run, "Something about it.", "-p", name)
    add(run, "Something about another.", "-p", "ordinary")
    assert texts(run, "-p", name.strip()) == ["Something about it."]
    finished = run("project", "finish", name.strip())
    assert finished.exit_code == 0
    assert finished.stdout.startswith("finish: project ")
    assert run("project", "finish", name.strip()).exit_code == 1  # it is finished already
    assert {p.name for p in home.parent.iterdir()} == {"home"}


def test_ids_are_short_and_whole_everywhere(run: Run) -> None:
    full = add(run, "To be changed.", "-C", "notes")
    short = full[-8:]
    assert short in run("list").stdout
    assert full in run("show", short).stdout
    assert run("move", short, "ideas").exit_code == 0
    assert run("revise", short, "It was changed.").exit_code == 0
    assert run("pin", short).exit_code == 0
    assert run("unpin", short).exit_code == 0
    assert data(run("show", full, "--json"))["memory"]["text"] == "It was changed."
    assert [one["verb"] for one in data(run("show", full, "--json"))["history"]] == [
        "add", "move", "revise", "pin", "unpin",
    ]  # fmt: skip


def as_it_is(run: Run, full: str) -> Any:
    """A memory and the log; having been looked up is no change."""
    shown = data(run("show", full, "--json"))
    del shown["recalled"]
    return shown, data(run("log", "--json"))


@pytest.mark.parametrize(
    "args",
    [
        ("revise", "{id}", "Other words."),
        ("move", "{id}", "ideas"),
        ("pin", "{id}"),
        ("forget", "{id}"),
        ("forget", "--matching", "oranges"),
        ("erase", "{id}"),
        ("undo",),
        ("project", "finish", "Fruit"),
        ("reindex",),
        ("jobs", "run", "all"),
        ("plan", "archive"),
    ],
)
def test_a_dry_run_changes_nothing_and_asks_nothing(run: Run, args: tuple[str, ...]) -> None:
    full = add(run, "Oranges are for January.", "-C", "notes", "--at", OLD, "-p", "Fruit")
    before = as_it_is(run, full)
    result = run(*(one.format(id=full) for one in args), "-n")
    assert result.exit_code == 0, result.stderr
    assert result.stdout
    assert as_it_is(run, full) == before
    assert run("review", "--list").exit_code == 0


def test_forgetting_hides_and_undo_brings_back(run: Run) -> None:
    full = add(run, "To be forgotten.")
    result = run("forget", full)
    assert result.exit_code == 0
    assert "hmf undo" in result.stderr
    assert texts(run) == []
    assert texts(run, "--forgotten") == ["To be forgotten."]
    assert run("forget", full).exit_code == output.PARTIAL
    batch = next(b["id"] for b in data(run("log", "--json"))["batches"] if b["verb"] == "forget" and b["changes"])
    assert run("undo", batch[-8:]).exit_code == 0
    assert texts(run) == ["To be forgotten."]
    assert run("undo", batch).exit_code == 1


def test_forgetting_by_a_search_asks_which(run: Run, someone: None) -> None:
    for text in ("A draft about otters.", "Another draft about otters.", "Rent is due."):
        add(run, text)
    for answer, code in (("\n", 1), ("7\n", 2), ("0\n", 2), ("some\n", 2)):
        assert run("forget", "--matching", "otters draft", stdin=answer).exit_code == code
    assert len(texts(run)) == 3
    result = run("forget", "--matching", "otters draft", stdin="1\n")
    assert result.exit_code == 0
    assert "otters" in result.stderr
    assert len(texts(run)) == 2
    assert "Rent is due." in texts(run)


def test_forgetting_by_a_search_never_happens_without_an_answer(run: Run) -> None:
    add(run, "A draft about otters.")
    result = run("forget", "--matching", "otters")
    assert result.exit_code == 2
    assert "--yes" in result.stderr
    assert len(texts(run)) == 1
    assert run("forget", "--matching", "otters", "--yes").exit_code == 0
    assert texts(run) == []


def test_erasing_wants_the_id_typed(run: Run, someone: None) -> None:
    full = add(run, "Never to be seen again.")
    assert run("erase", full, stdin="yes\n").exit_code == 1
    assert texts(run) == ["Never to be seen again."]
    assert run("erase", full, stdin=f"{full[-8:]}\n").exit_code == 0
    assert texts(run) == []
    assert texts(run, "--forgotten") == []


@pytest.mark.parametrize("args", [("erase", "{id}"), ("review",)])
def test_questions_without_a_terminal_name_the_flag(run: Run, args: tuple[str, ...]) -> None:
    full = add(run, "Old enough.", "-C", "notes", "--at", OLD)
    run("plan", "archive")
    result = run(*(one.format(id=full) for one in args))
    assert result.exit_code == 2
    assert "--yes" in result.stderr
    assert texts(run) == ["Old enough."]


def ideas(run: Run, count: int = 3) -> list[str]:
    """Old ideas that the archive job proposes to archive; their action keys, in the order of the review."""
    for n in range(count):
        add(run, f"Idea number {n} about otters and rivers.", "-C", "ideas", "--at", OLD)
    planned = data(run("plan", "archive", "--json"))
    return [one["key"] for one in planned["actions"]]


def archived(run: Run) -> int:
    return len(texts(run, "--tier", "archive"))


def test_a_review_waits_until_it_is_decided(run: Run) -> None:
    assert run("review", "--list").exit_code == 0
    keys = ideas(run)
    for args in (("review", "--list"), ("review", "--json"), ("review", "--json", "--only", "ideas")):
        assert run(*args).exit_code == output.PENDING
    assert run("plan", "archive", "--exit-code", "-n").exit_code == output.PENDING
    assert run("review", "--list", "--only", "expire").exit_code == 0
    result = run("review", "--approve", keys[0], "--refuse", keys[1][:8])
    assert result.exit_code == output.PENDING
    assert archived(run) == 1
    assert [a["key"] for p in data(run("review", "--json"))["plans"] for a in p["actions"]] == [keys[2]]
    assert run("review", "--yes").exit_code == 0
    assert archived(run) == 2


def test_a_review_refuses_unknown_and_contradictory_keys(run: Run) -> None:
    keys = ideas(run, 2)
    assert run("review", "--approve", "nonsense").exit_code == 2
    assert run("review", "--approve", keys[0], "--refuse", keys[0]).exit_code == 2
    assert archived(run) == 0


@pytest.mark.parametrize(
    ("answers", "moved", "left"),
    [
        ("a\na\nk\n", 2, 0),
        ("u\nu\nu\n", 0, 3),
        ("a\nq\n", 1, 2),
        ("?\nnonsense\na\nK\n", 1, 0),
        ("A\n", 3, 0),
        ("k\nU\n", 0, 2),
        ("n\nR\n", 2, 0),
        ("p\n3w\nP\n\n", 0, 0),
        ("p\nnever\np\n2w\nF\n", 0, 0),
        ("e\nIdea number nought, told anew.\ne\n\nu\nu\n", 0, 2),
        ("m\n1\nQ\n", 0, 2),
        ("m\nffffffff\nQ\n", 0, 3),
    ],
)
def test_a_review_asks_one_by_one(run: Run, someone: None, answers: str, moved: int, left: int) -> None:
    ideas(run)
    result = run("review", stdin=answers)
    assert result.exit_code == (output.PENDING if left else 0), result.stderr
    assert "Idea number" in result.stderr
    assert archived(run) == moved
    assert data(run("review", "--json"))["waiting"] == left


def test_a_review_broken_off_has_done_what_was_answered(run: Run, someone: None) -> None:
    ideas(run)
    result = run("review", stdin="a\n")  # then the end of the input: as Ctrl-D
    assert result.exit_code == output.INTERRUPTED
    assert archived(run) == 1
    again = run("review", stdin="q\n")
    assert "1 of 2" in again.stderr


def test_a_review_in_french(run: Run, home: Path, someone: None) -> None:
    (home / "hmf.yaml").write_text(CONFIG.format(language="fr"), encoding="utf-8")
    ideas(run)
    result = run("review", stdin="?\na\ng\ni\n")
    for said in ("archiver", "[g]arder", "son horloge repart", "3 sur 3", "vrai depuis", "gardé", "hmf undo"):
        assert said in result.stderr, said
    assert "1 proposition attend une décision." in run("review", "--list").stdout


def test_answers_by_name(run: Run) -> None:
    keys = ideas(run, 3)
    shown = data(run("review", "--json", "--limit", "2"))
    assert (shown["waiting"], len(shown["plans"][0]["actions"])) == (3, 2)
    action = shown["plans"][0]["actions"][0]
    memory = action["memories"][0]
    assert action["commands"]["keep"] == f"hmf review --keep {keys[0]}"
    assert memory["recalled"] is None
    assert {n["memory"]["id"] for n in memory["neighbours"]} <= {
        m["id"] for m in data(run("list", "--json"))["memories"]
    }
    into = memory["neighbours"][0]["memory"]["id"]
    done = data(run("review", "--keep", keys[1], "--merge", f"{keys[0]}={into[-8:]}", "--json"))["decided"]
    assert [(one["answer"], len(one["decided"])) for one in done] == [("keep", 1), ("merge", 1)]
    assert run("review", "--postpone", f"{keys[2]}=2w").exit_code == 0
    assert run("review", "--undecided", keys[2]).exit_code == output.PENDING
    assert run("review", "--edit", keys[2], "--text", "Une idée reformulée.").exit_code == 0
    assert "Une idée reformulée." in texts(run)


@pytest.mark.parametrize(
    "args",
    [
        ("--postpone", "KEY"),
        ("--merge", "KEY="),
        ("--edit", "KEY"),
        ("--text", "x"),
        ("--keep", "KEY", "--forget", "KEY"),
        ("--yes", "--approve", "KEY"),
        ("--merge", "KEY=KEY"),
    ],
)
def test_answers_that_cannot_be_change_nothing(run: Run, args: tuple[str, ...]) -> None:
    key = ideas(run, 2)[0]
    result = run("review", *(one.replace("KEY", key) for one in args))
    assert result.exit_code in (1, 2), result.output
    assert "Fix: " in result.stderr
    assert data(run("review", "--json"))["waiting"] == 2


def test_an_editor_gives_the_text(run: Run, someone: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ideas(run, 1)
    editor = tmp_path / "ed.sh"
    editor.write_text('#!/bin/sh\nsed -i "s/Idea/Better idea/" "$1"\n', encoding="utf-8")
    monkeypatch.setenv("EDITOR", f"sh {editor}")
    assert run("review", stdin="e\n").exit_code == 0
    assert texts(run)[0].startswith("Better idea")


def test_an_editor_that_fails_changes_nothing(run: Run, someone: None, monkeypatch: pytest.MonkeyPatch) -> None:
    ideas(run, 1)
    monkeypatch.setenv("EDITOR", "/nowhere/editor")
    result = run("review", stdin="e\nq\n")
    assert result.exit_code == output.PENDING
    assert "/nowhere/editor" in result.stderr
    assert texts(run)[0].startswith("Idea number 0")


def test_applying_a_plan(run: Run) -> None:
    keys = ideas(run)
    plan = data(run("review", "--json"))["plans"][0]["id"]
    assert run("apply", plan, "--all", "--auto").exit_code == 2
    assert run("apply", plan, "nonsense").exit_code == 2
    shown = data(run("apply", plan, keys[0], "-n", "--json"))
    assert [one["key"] for one in shown["actions"]] == keys[:1]
    assert archived(run) == 0
    assert run("apply", plan, "--auto").exit_code == 0
    assert archived(run) == 0
    done = run("apply", plan[:8], keys[0])
    assert done.exit_code == 0
    assert archived(run) == 1
    assert run("apply", plan, "--all").exit_code == 0
    assert archived(run) == 3
    assert run("undo").exit_code == 0
    assert archived(run) == 1


def test_what_changed_since_is_skipped_and_said(run: Run) -> None:
    ideas(run)
    plan = data(run("review", "--json"))["plans"][0]
    changed = plan["actions"][0]["targets"][0][0]
    run("revise", changed, "Changed in between.")
    result = run("apply", plan["id"], "--all")
    assert result.exit_code == output.PARTIAL
    assert "changed since" in result.stderr


def test_jobs_run_and_are_listed(run: Run) -> None:
    add(run, "An old idea.", "-C", "ideas", "--at", OLD)
    ran = data(run("jobs", "run", "all", "--json"))
    assert {one["job"] for one in ran["runs"]} == {"archive", "expire", "review", "summarise"}
    assert "waiting for you" in run("jobs", "run", "archive").stdout
    listed = run("jobs", "list")
    assert "archive" in listed.stdout
    assert len(data(run("jobs", "list", "--json"))["runs"]) == 5


@pytest.fixture
def exported(run: Run, tmp_path: Path) -> Path:
    add(run, "Première note.", "-p", "Acme")
    add(run, "Second note.")
    file = tmp_path / "out.jsonl"
    result = run("export", str(file))
    assert result.exit_code == 0
    assert "2 memories" in result.stderr
    assert result.stdout == ""
    return file


def test_an_export_is_private_whole_and_comes_back(run: Run, exported: Path) -> None:
    assert exported.stat().st_mode & 0o777 == 0o600
    assert run("export").stdout == exported.read_text(encoding="utf-8")
    assert [p.name for p in exported.parent.iterdir() if ".part" in p.name] == []
    plan = run("import", str(exported), "-n")
    assert plan.exit_code == 0
    assert "2 exported memories" in plan.stderr
    again = data(run("import", str(exported), "--yes", "--json"))
    assert (again["created"], again["unchanged"]) == (0, 2)


def test_an_export_overwrites_only_by_force(run: Run, exported: Path) -> None:
    exported.write_text("mine", encoding="utf-8")
    assert run("export", str(exported)).exit_code == 1
    assert exported.read_text(encoding="utf-8") == "mine"
    assert run("export", str(exported), "--force").exit_code == 0
    assert exported.read_text(encoding="utf-8") != "mine"


@pytest.mark.parametrize("name", ["{dir}", "{dir}/no/where.jsonl", "{dir}/" + "x" * 300, "a\0b", "", "{dir}/.."])
def test_an_export_to_an_impossible_place_is_refused(run: Run, tmp_path: Path, name: str) -> None:
    add(run, "A note.")
    result = run("export", name.format(dir=tmp_path))
    assert result.exit_code == 2, result.output
    assert "Fix: " in result.stderr


def test_an_export_never_writes_over_the_store(run: Run, home: Path, tmp_path: Path) -> None:
    add(run, "A note.")
    ledger = home / "data" / "ledger.db"
    link = tmp_path / "link"
    link.symlink_to(home / "data")
    pointer = tmp_path / "pointer.jsonl"
    pointer.symlink_to(ledger)
    before = ledger.read_bytes()
    for name in (ledger, link / "ledger.db", home / "data" / "new.jsonl", pointer):
        assert run("export", str(name), "--force").exit_code == 1, name
    assert ledger.read_bytes() == before
    assert texts(run) == ["A note."]


def test_notes_are_imported_and_bad_lines_are_skipped_and_said(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "notes.jsonl"
    lines = [
        json.dumps({"text": "Une première note.", "category": "notes"}),
        "",
        "not json",
        json.dumps({"text": "x", "colour": "red"}),
        json.dumps({"text": "From the future.", "at": "2999-01-01"}),
        json.dumps({"text": "A last note.", "namespace": "other"}),
    ]
    file.write_bytes("\n".join(lines).encode() + b"\n\xff\xfe\n")
    result = run("import", str(file), "--yes", "--json")
    assert result.exit_code == output.PARTIAL
    counts = data(result)
    assert (counts["found"], counts["created"], len(counts["unreadable"])) == (3, 2, 3)
    assert [line.split(" ")[1] for line in counts["unreadable"]] == ["3", "4:", "7"]
    assert "Line 5" in counts["skipped"][0]
    assert sorted(texts(run)) == ["A last note.", "Une première note."]


def test_an_import_asks_and_a_no_imports_nothing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "notes.jsonl"
    file.write_text(json.dumps({"text": "A note."}), encoding="utf-8")
    assert run("import", str(file)).exit_code == 2
    monkeypatch.setattr(output, "interactive", lambda: True)
    assert run("import", str(file), stdin="n\n").exit_code == 1
    assert texts(run) == []
    assert run("import", str(file), stdin="y\n").exit_code == 0
    assert texts(run) == ["A note."]


def test_an_import_from_stdin_and_a_foreign_format(run: Run) -> None:
    assert run("import", "-", "--yes", stdin=json.dumps({"text": "Par le tuyau."})).exit_code == 0
    assert texts(run) == ["Par le tuyau."]
    result = run("import", "-", "--yes", stdin=json.dumps({"format": "hmf/99"}))
    assert result.exit_code == 1
    assert "hmf/99" in result.stderr


def test_init_leaves_a_configuration_as_it_is(run: Run, home: Path) -> None:
    mine = (home / "hmf.yaml").read_text(encoding="utf-8")
    result = run("init")
    assert result.exit_code == 0
    assert "left as it is" in result.stdout
    assert "hmf add" in result.stderr
    assert (home / "hmf.yaml").read_text(encoding="utf-8") == mine
    assert not (home / "hmf.schema.json").exists()
    assert (home / "data" / "ledger.db").exists()


def test_init_by_force_keeps_a_backup_of_each(run: Run, home: Path) -> None:
    mine = (home / "hmf.yaml").read_text(encoding="utf-8")
    planned = data(run("init", "--force", "-n", "--json"))
    assert (home / "hmf.yaml").read_text(encoding="utf-8") == mine
    assert planned["backup"] == str(home / "hmf.yaml.bak")
    (home / "hmf.yaml.bak").write_text("an older backup", encoding="utf-8")
    made = data(run("init", "--force", "--json"))
    assert made["backup"] == str(home / "hmf.yaml.bak2")
    assert (home / "hmf.yaml.bak2").read_text(encoding="utf-8") == mine
    assert (home / "hmf.yaml.bak").read_text(encoding="utf-8") == "an older backup"
    assert "categories:" in (home / "hmf.yaml").read_text(encoding="utf-8")
    assert json.loads((home / "hmf.schema.json").read_text(encoding="utf-8"))["title"]


@pytest.mark.parametrize(
    ("text", "said"),
    [("version: 99\n", "newer"), ("langage: fr\n", "langage"), ("version: [\n", "hmf.yaml"), ("\x00", "hmf.yaml")],
)
def test_a_configuration_that_cannot_be_used_exits_4(run: Run, home: Path, text: str, said: str) -> None:
    (home / "hmf.yaml").write_text(text, encoding="utf-8")
    for args in (("add", "x"), ("config", "check"), ("stats",)):
        result = run(*args)
        assert result.exit_code == output.CONFIGURATION
        assert said in result.stderr
        assert result.stdout == ""
    verdict = run("config", "check", "--json")
    assert verdict.exit_code == output.CONFIGURATION
    assert json.loads(verdict.stdout)["problems"]


@pytest.mark.parametrize("option", ["--home", "--config"])
def test_an_empty_path_is_not_the_current_folder(run: Run, option: str) -> None:
    result = run(option, "", "list")
    assert result.exit_code == output.CONFIGURATION
    assert f"{option} is empty" in result.stderr


@pytest.mark.parametrize("how", ["option", "environment"])
def test_a_configuration_named_and_missing_is_no_default(run: Run, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    if how == "environment":
        monkeypatch.setenv("HMF_CONFIG", "/nowhere/hmf.yaml")
    result = run(*(("-c", "/nowhere/hmf.yaml") if how == "option" else ()), "stats")
    assert result.exit_code == output.CONFIGURATION
    assert "/nowhere/hmf.yaml" in result.stderr


def test_the_configuration_shows_itself(run: Run) -> None:
    assert "3 categories" in run("config", "check").stdout
    assert "engine: memory" in run("config", "show").stdout
    assert data(run("config", "show", "--json"))["embedder"]["name"] == "hash"
    assert data(run("config", "schema"))["properties"]
    sentences = data(run("config", "policies", "--json"))["policies"]
    assert sentences["ideas"][0] == "Ideas not touched for 30 days: ask me, then archive."
    assert sentences["ideas"][0] in run("config", "policies").stdout


def test_policies_speak_the_users_language(run: Run, home: Path) -> None:
    (home / "hmf.yaml").write_text(CONFIG.format(language="fr"), encoding="utf-8")
    assert "sans retouche depuis 30 jours" in run("config", "policies").stdout


def test_a_held_store_exits_5_and_names_the_owner(run: Run, home: Path) -> None:
    from hmf import Hmf

    with Hmf.open(home, role="an editor of letters"):
        result = run("list")
    assert result.exit_code == 5
    assert "an editor of letters" in result.stderr
    assert run("list").exit_code == 0


def test_stats_doctor_and_reindex(run: Run) -> None:
    add(run, "A note.", "-C", "notes")
    assert data(run("stats", "--json"))["categories"]["notes"] == {"detail": 1}
    assert "notes" in run("stats").stdout
    found = data(run("doctor", "--json"))
    assert found["well"]
    assert "ledger" in run("doctor").stdout
    assert data(run("reindex", "--json"))["points"] == 1


def test_a_doctor_who_finds_something_exits_1(run: Run, home: Path) -> None:
    add(run, "A note.")
    (home / "data").chmod(0o755)
    result = run("doctor")
    assert result.exit_code == 1
    assert "Fix: chmod" in result.stdout


def test_search_answers_abstains_and_speaks_french(run: Run, home: Path) -> None:
    add(run, "Le rendez-vous avec Acme est fixé au 12 mars.", "-C", "notes", "-p", "Acme")
    assert "rendez-vous avec Acme" in run("search", "rendez-vous Acme").stdout
    nothing = run("search", "zzyzx quux")
    assert nothing.exit_code == 0
    assert nothing.stdout.startswith("No memory answers this.\n")
    assert data(run("search", "rendez-vous Acme", "--explain", "--json"))["hits"][0]["parts"]
    prompt = run("search", "rendez-vous Acme", "--prompt", "500")
    assert prompt.stdout.startswith("<memories")
    (home / "hmf.yaml").write_text(CONFIG.format(language="fr"), encoding="utf-8")
    assert "Aucun souvenir ne répond à cela." in run("search", "zzyzx quux").stdout
    assert "dit les mêmes mots" in run("search", "rendez-vous Acme").stdout


def test_a_fault_is_one_line_and_a_traceback_in_a_file(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr("hmf.cli.session.Session.call", broken)
    result = run("list")
    assert result.exit_code == 1
    assert "Unexpected ZeroDivisionError: by nought" in result.stderr
    log = home / "state" / "crash.log"
    assert str(log) in result.stderr
    assert "in broken" in log.read_text(encoding="utf-8")
    assert log.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 130), (BrokenPipeError(), 141)])
def test_interruptions_are_quiet(run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("hmf.cli.session.Session.call", interrupted)
    result = run("list")
    assert (result.exit_code, result.output) == (code, "")


def test_every_group_tells_the_exit_codes(run: Run) -> None:
    for args in ((), ("project",), ("jobs",), ("config",)):
        shown = " ".join(run(*args, "--help").stdout.split())
        assert EXIT_CODES in shown, args


def test_must_ask_needs_somebody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(InvalidInput, match="--yes"):
        output.must_ask("--yes")


def test_the_reference_is_what_the_commands_say() -> None:
    """Renew it with `python -c "from hmf.cli.main import reference; print(reference(), end='')" > docs/cli.md`."""
    page = Path(__file__).parents[2] / "docs" / "cli.md"
    assert page.read_text(encoding="utf-8") == reference()
