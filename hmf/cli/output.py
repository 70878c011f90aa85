"""Where things are written: data on stdout, all else on stderr; prompts only where somebody can answer."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from hmf.errors import ConfigError, HmfError, InvalidInput

Json = dict[str, Any]
PARTIAL, CONFIGURATION, PENDING, INTERRUPTED, BROKEN_PIPE = 3, 4, 6, 130, 141
_PIPE_WIDTH = 200
# Control characters and those that reorder the line: a memory must not be able to repaint the screen.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class _Console(Console):
    def on_broken_pipe(self) -> NoReturn:
        """Whoever read us went away: let the edge of the program end it."""
        raise BrokenPipeError


def stdout() -> Console:
    """The console for data; as wide as a long line where nobody looks at it."""
    wide = None if sys.stdout.isatty() or "COLUMNS" in os.environ else _PIPE_WIDTH
    return _Console(file=sys.stdout, width=wide, markup=False, emoji=False, highlight=False)


def stderr() -> Console:
    """The console for messages, questions and progress."""
    return _Console(file=sys.stderr, markup=False, emoji=False, highlight=False, soft_wrap=True)


def safe(text: object) -> str:
    """The text with control characters made visible (`\\x1b` as `␛`): it cannot act on a terminal."""

    def shown(match: re.Match[str]) -> str:
        code = ord(match[0])
        return chr(0x2400 + code) if code < 0x20 else "\N{REPLACEMENT CHARACTER}"

    return _UNSAFE.sub(shown, str(text))


def emit(data: Json, as_json: bool, drawn: Callable[[], RenderableType]) -> None:
    """Write data on stdout: one JSON document, or what `drawn` makes of it."""
    if as_json:
        print_json(data)
    else:
        stdout().print(drawn())


def print_json(data: Any) -> None:
    """One JSON document on stdout; only ASCII where stdout cannot hold all of Unicode."""
    ascii_only = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    raw(json.dumps(data, ensure_ascii=ascii_only, indent=2))


def raw(text: str) -> None:
    """A line of data as it is."""
    sys.stdout.write(text + "\n")


def note(text: str, style: str = "") -> None:
    """A message on stderr."""
    stderr().print(Text(safe(text), style=style))


def warn(texts: list[str] | tuple[str, ...]) -> None:
    """Warnings on stderr, one a line."""
    for text in texts:
        note(f"! {text}", "yellow")


def failed(error: HmfError) -> None:
    """An error as a person reads it: what happened, every problem, and what mends it."""
    note(error.what, "red")
    if isinstance(error, ConfigError):
        for problem in error.problems:
            note(f"  {problem}")
    if error.fix:
        note(f"Fix: {error.fix}", "bold")


def interactive() -> bool:
    """Whether somebody is there to answer."""
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()


def must_ask(flag: str) -> None:
    """Raise InvalidInput, naming the flag that answers beforehand, where nobody can be asked."""
    if not interactive():
        raise InvalidInput("This needs an answer, and there is no terminal to ask at.", fix=f"give {flag}.")


def confirm(question: str, yes: bool) -> bool:
    """Ask on stderr, unless `--yes` was given. Raises InvalidInput where nobody can be asked."""
    if yes:
        return True
    must_ask("--yes, or -n to see what would happen")
    return typer.confirm(safe(question), default=False, err=True)


def ask(question: str) -> str:
    """One line of answer, without blanks around it; an empty one is an answer too."""
    answer: str = typer.prompt(safe(question), default="", show_default=False, err=True)
    return answer.strip()


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr, on a terminal only. Gives a function of (done, total); total 0: not known."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = stderr()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total or None)


def read_stdin() -> str:
    """All of stdin as UTF-8. Raises InvalidInput when it is closed or is not UTF-8."""
    if sys.stdin is None or sys.stdin.closed:
        raise InvalidInput("`-` reads from standard input, and it is closed.", fix="give the text as an argument.")
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"Standard input is not UTF-8: {error}.", fix="convert it first, with iconv.") from error
