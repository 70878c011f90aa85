"""A review at a real terminal, in both languages: what is on the screen, what a letter does, and what a kill leaves."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.acceptance.test_cli_story import HMF, OLD, Command, command, environment

_PATIENCE = 120
IDEAS = {
    "en": ["Idea: the tides of Finistere.", "Idea: salt workers.", "Idea: lamps of the coast.", "Idea: ferry bells."],
    "fr": ["Idée : les marées du Finistère.", "Idée : les sauniers.", "Idée : les phares.", "Idée : la cloche du bac."],
}
PROMPT = {"en": "[u]ndecided", "fr": "[i]ndécis"}


@dataclass
class Terminal:
    """The other end of a pseudo-terminal on which `hmf review` runs."""

    process: subprocess.Popen[bytes]
    handle: int
    seen: str = ""
    read: int = 0

    def until(self, wanted: str) -> str:
        """All that is written up to and with `wanted`, since the last time."""
        until, start = time.monotonic() + _PATIENCE, self.read
        while wanted not in self.seen[start:]:
            ready, _, _ = select.select([self.handle], [], [], max(0.0, until - time.monotonic()))
            assert ready, f"waited for {wanted!r}, saw {self.seen[start:]!r}"
            self.seen += self._read()
        self.read = self.seen.index(wanted, start) + len(wanted)
        return self.seen[start : self.read]

    def say(self, line: str) -> None:
        """Type a line."""
        os.write(self.handle, f"{line}\n".encode())

    def interrupt(self) -> None:
        """Ctrl-C, again while nothing comes of it: a signal that falls between the prompt and the reading of the answer
        is seen only after the answer."""
        self.until("[?]: ")
        for _ in range(_PATIENCE):
            os.kill(self.process.pid, signal.SIGINT)
            if select.select([self.handle], [], [], 1.0)[0]:
                return

    def end(self) -> int:
        """Read to the end, and the exit code."""
        while True:
            ready, _, _ = select.select([self.handle], [], [], _PATIENCE)
            assert ready, f"it does not end; saw {self.seen[self.read :]!r}"
            try:
                chunk = self._read()
            except OSError:  # the terminal closes with its last process
                break
            if not chunk:
                break
            self.seen += chunk
        return self.process.wait(_PATIENCE)

    def _read(self) -> str:
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", os.read(self.handle, 65536).decode("utf-8", "replace"))


@contextmanager
def reviewing(home: Path, *args: str) -> Iterator[Terminal]:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [HMF, "review", *args], env=environment(home), stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    try:
        yield Terminal(process, ours)
    finally:
        process.kill()
        process.wait(_PATIENCE)
        os.close(ours)


@pytest.fixture(params=["en", "fr"])
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def home(tmp_path: Path, language: str) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    (home / "hmf.yaml").write_text(
        f"version: 1\nlanguage: {language}\nembedder: {{name: hash}}\n"
        "store: {min_free_mb: 0, index: {engine: memory}}\n",
        encoding="utf-8",
    )
    return home


@pytest.fixture
def hmf(home: Path, language: str) -> Command:
    call = command(home)
    notes = [{"text": text, "category": "article-ideas", "at": OLD} for text in IDEAS[language]]
    call("import", "-", "--yes", stdin="\n".join(map(json.dumps, notes)))
    call("plan", "archive")
    return call


def waiting(hmf: Command) -> int:
    found: int = hmf("review", "--json", "--limit", "1", code=6).data["waiting"]
    return found


def test_a_person_goes_through_it(hmf: Command, home: Path, language: str) -> None:
    french = language == "fr"
    with reviewing(home) as terminal:
        shown = terminal.until(PROMPT[language])
        for wanted in (
            IDEAS[language][0],
            "1 sur 4" if french else "1 of 4",
            "vrai depuis 2026-01-05" if french else "true since 2026-01-05",
            "vérifié jamais" if french else "last verified never",
            "rappelé jamais" if french else "last recalled never",
            "mois d’âge" if french else "months old",
            "proche" if french else "near: [1]",
            "Sans retouche depuis" if french else "Not touched for",
            "article-ideas-archived",
        ):
            assert wanted in shown, (wanted, shown)
        assert ("archive : archiver" if french else "archive: archive") in shown.replace("\u202f", " ")
        terminal.say("?")
        terminal.until("son horloge repart" if french else "its clock starts again")
        terminal.until(PROMPT[language])
        terminal.say("g" if french else "k")
        terminal.until("gardé, vérifié aujourd’hui" if french else "kept, verified today")
        terminal.until(PROMPT[language])
        terminal.say("p")
        terminal.until("[1w]")
        terminal.say("3w")
        terminal.until("remis à plus tard (3w)" if french else "put off (3w)")
        terminal.until(PROMPT[language])
        terminal.say("o" if french else "f")
        terminal.until("oublié" if french else "forgotten")
        terminal.until("4 sur 4" if french else "4 of 4")
        terminal.until(PROMPT[language])
        terminal.say("q")
        assert terminal.end() == 6
    assert waiting(hmf) == 1
    log = hmf("log", "--json").data["batches"]
    assert [(row["verb"], row["actor"], row["face"]) for row in log[:3]] == [("review", "user", "cli")] * 3
    hmf("undo")
    assert waiting(hmf) == 2


def test_killed_in_the_middle_nothing_decided_is_lost_and_nothing_else_done(
    hmf: Command, home: Path, language: str
) -> None:
    with reviewing(home) as terminal:
        for letter in ("a", "g" if language == "fr" else "k"):
            terminal.until(PROMPT[language])
            terminal.say(letter)
        terminal.until("3 sur 4" if language == "fr" else "3 of 4")
        terminal.until(PROMPT[language])
        os.kill(terminal.process.pid, signal.SIGKILL)
        assert terminal.end() == -signal.SIGKILL
    assert waiting(hmf) == 2
    assert len(hmf("list", "--tier", "archive", "--json").data["memories"]) == 1
    with reviewing(home) as terminal:
        terminal.until("1 sur 2" if language == "fr" else "1 of 2")
        terminal.until(PROMPT[language])
        terminal.interrupt()
        assert terminal.end() == 130
    assert waiting(hmf) == 2
    assert hmf("doctor", "--json").data["well"]
