"""A writer's days with the installed command `hmf`: another process each time, as it is really used."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

HMF = str(Path(sys.executable).with_name("hmf"))
OLD = "2026-01-05"
_TIMEOUT = 120


@dataclass(frozen=True)
class Said:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> dict[str, Any]:
        """The one JSON document on stdout."""
        found: dict[str, Any] = json.loads(self.out)
        return found


Command = Callable[..., Said]


def environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HMF_", "LC_", "LANG"))}
    return {**kept, "HMF_HOME": str(home), "LANG": "C.UTF-8", "COLUMNS": "200"}


def command(home: Path) -> Command:
    def call(*args: str | bytes, stdin: str | None = None, code: int = 0) -> Said:
        done = subprocess.run(
            [HMF, *args],
            env=environment(home),
            input=b"" if stdin is None else stdin.encode(),
            capture_output=True,
            timeout=_TIMEOUT,
            check=False,
        )
        said = Said(done.returncode, done.stdout.decode(), done.stderr.decode())
        assert "Traceback" not in said.err
        assert said.code == code, said
        return said

    return call


@pytest.fixture
def hmf(tmp_path: Path) -> Command:
    return command(tmp_path / "home")


@pytest.fixture
def light(tmp_path: Path) -> Command:
    """A home with an embedder and an engine that open at once, for what is not about finding."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "hmf.yaml").write_text(
        "version: 1\nlanguage: en\nembedder: {name: hash}\nstore: {min_free_mb: 0, index: {engine: memory}}\n",
        encoding="utf-8",
    )
    return command(home)


def test_the_story(hmf: Command, tmp_path: Path) -> None:
    made = hmf("init", "--json").data
    assert Path(made["config"]).exists()
    assert Path(made["schema"]).exists()
    _out_of_the_box(hmf)
    _changing_the_engine(hmf, Path(made["config"]))

    tea = _adding(hmf)
    _finding(hmf, tea)
    _curating(hmf)
    _moving_house(hmf, tmp_path)
    _forgetting(hmf, tea)
    assert hmf("doctor", "--json").data["well"]


def _out_of_the_box(hmf: Command) -> None:
    text = "Nora prefers to be called in the morning."
    hmf("add", text, "-C", "personal-preferences")
    assert hmf("search", "When should I ring Nora?", "--json").data["hits"][0]["memory"]["text"] == text


def _changing_the_engine(hmf: Command, config: Path) -> None:
    """And the embedder, to those that open at once: each command here is another process."""
    text = config.read_text(encoding="utf-8")
    for before, after in (("name: use", "name: hash"), ("dimension: null", "dimension: 512"), (": edge", ": memory")):
        assert f"{before}\n" in text
        text = text.replace(f"{before}\n", f"{after}\n")
    config.write_text(text, encoding="utf-8")
    assert "hmf reindex" in hmf("list", code=4).err
    assert hmf("reindex", "--json").data == {"points": 1}


def _adding(hmf: Command) -> str:
    text = "Pour le blog d’Acme, les titres restent sous soixante signes."
    added = hmf("add", text, "-C", "client-projects", "-p", "Acme", "--json").data
    assert (added["outcome"], added["category"]) == ("created", "client-projects")
    notes = [
        {"text": "Acme wants British spelling in every article.", "category": "client-projects", "project": "Acme"},
        {"text": "An article on the history of paper clips.", "category": "article-ideas", "at": OLD},
        {"text": "Un article sur les moulins à marée.", "category": "article-ideas", "at": OLD},
    ]
    assert hmf("import", "-", "--yes", "--json", stdin="\n".join(map(json.dumps, notes))).data["created"] == 3
    said = hmf("add", "-", "-C", "Personal preferences", stdin="Je bois du thé fumé en écrivant.\n")
    assert "created in personal-preferences (you named it)" in said.out
    assert said.err == ""
    ids: str = said.out.split()[-1]
    return ids


def _finding(hmf: Command, tea: str) -> None:
    def first(question: str) -> str:
        found: str = hmf("search", question, "--json").data["hits"][0]["memory"]["text"]
        return found

    assert "soixante signes" in first("Quelle longueur pour les titres du blog d'Acme ?")
    assert "British spelling" in first("Which spelling does Acme want?")
    assert "thé fumé" in first("thé fumé")
    assert "thé fumé" in hmf("show", tea[-8:]).out
    nothing = hmf("search", "Kubernetes ingress controller", "--json").data
    assert (nothing["abstained"], nothing["hits"]) == (True, [])
    assert len(hmf("list", "--json").data["memories"]) == 6


def _curating(hmf: Command) -> None:
    plan = hmf("plan", "archive", "--json").data
    assert len(plan["actions"]) == 2
    listed = hmf("review", "--list", code=6).out
    assert all(f"{OLD} · " in listed and text in listed for text in ("paper clips", "moulins à marée"))
    assert "--yes" in hmf("review", code=2).err
    kept, gone = (action["key"] for action in plan["actions"])
    hmf("review", "--refuse", kept, code=6)
    assert hmf("apply", plan["id"], "--all", "--json").data["applied"] == [gone]
    hmf("undo")
    assert hmf("list", "--tier", "archive", "--json").data["memories"] == []


def _moving_house(hmf: Command, tmp_path: Path) -> None:
    file = tmp_path / "mémoires.jsonl"
    hmf("export", str(file))
    assert file.stat().st_mode & 0o777 == 0o600
    other = command(tmp_path / "other")
    taken = other("import", str(file), "--yes", "--json").data
    assert (taken["created"], taken["unreadable"], taken["skipped"]) == (6, [], [])
    assert other("export").out.splitlines()[1:] == hmf("export").out.splitlines()[1:]
    found = other("search", "Which spelling does Acme want?", "--json").data
    assert "British spelling" in found["hits"][0]["memory"]["text"]


def _forgetting(hmf: Command, tea: str) -> None:
    assert "hmf undo" in hmf("forget", tea).err
    assert hmf("search", "thé fumé", "--json").data["hits"] == []
    hmf("undo")
    assert len(hmf("search", "thé fumé", "--json").data["hits"]) == 1
    hmf("erase", tea, "--yes")
    assert "thé fumé" not in hmf("export").out


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ((b"add", b"caf\xe9"), 2),
        ((b"show", b"\xff\xfe"), 2),
        ((b"--home", b"/dev/null/x", b"list"), 5),
        ((b"--home", b"", b"list"), 4),
    ],
)
def test_bytes_and_places_that_cannot_be(light: Command, args: tuple[bytes, ...], code: int) -> None:
    said = light(*args, code=code)
    assert said.out == ""
    assert said.err.strip()


def test_a_closed_stdin_never_hangs(light: Command, tmp_path: Path) -> None:
    light("add", "A note.", "-C", "inbox")
    for args in (("add", "-"), ("import", "-"), ("forget", "--matching", "note")):
        closed = subprocess.run(
            ["sh", "-c", 'exec "$0" "$@" <&-', HMF, *args],
            env=environment(tmp_path / "home"), capture_output=True, timeout=_TIMEOUT, check=False,
        )  # fmt: skip
        assert closed.returncode == 2, (args, closed)
        assert b"Fix: " in closed.stderr


def test_a_reader_that_goes_away_is_no_failure(light: Command, tmp_path: Path) -> None:
    light("add", "-", "-C", "inbox", stdin="word " * 40_000)
    ended = subprocess.run(
        ["bash", "-c", '"$0" export | head -c 10 >/dev/null; echo ${PIPESTATUS[0]}', HMF],
        env=environment(tmp_path / "home"), capture_output=True, timeout=_TIMEOUT, check=False, text=True,
    )  # fmt: skip
    assert (ended.stdout.strip(), ended.stderr) == ("141", "")


def test_a_review_at_a_terminal(light: Command, tmp_path: Path) -> None:
    for text in ("Idea one.", "Idea two."):
        light("add", text, "-C", "article-ideas", "--at", OLD)
    light("plan", "archive")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [HMF, "review"],
        env=environment(tmp_path / "home"), stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    os.close(theirs)
    os.write(ours, b"a\nq\n")
    _, err = process.communicate(timeout=_TIMEOUT)
    os.close(ours)
    assert process.returncode == 6, err
    assert b"Idea" in err
    assert len(light("list", "--tier", "archive", "--json").data["memories"]) == 1


def test_commands_go_through_the_daemon(light: Command, tmp_path: Path) -> None:
    daemon = subprocess.Popen([HMF, "serve", "--port", "0"], env=environment(tmp_path / "home"), stderr=subprocess.PIPE)
    assert daemon.stderr is not None
    try:
        assert any(b"serve.ready" in line for line in daemon.stderr)
        said = light("add", "Par le démon.", "-C", "inbox", "--json").data
        assert light("list", "--json").data["memories"][0]["id"] == said["id"]
        assert "There is no memory" in light("show", "abcdef01", code=1).err
        assert "Par le démon." in light("export").out
        assert daemon.poll() is None
    finally:
        daemon.terminate()
        daemon.communicate(timeout=_TIMEOUT)
    assert light("list", "--json").data["memories"][0]["text"] == "Par le démon."
