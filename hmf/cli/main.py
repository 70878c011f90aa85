"""The command `hmf`: its groups put together, and the edge where every failure becomes a sentence and a code."""

from __future__ import annotations

import os
import sys
import traceback
from importlib.metadata import version as installed
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from hmf.cli import change, curate, digest, evaluate, forecast, output, recall, remember, review, setup
from hmf.cli.options import CHANGING, CURATING, EXIT_CODES, SETTING_UP
from hmf.cli.session import Options, Session
from hmf.daemon import logging
from hmf.errors import HmfError


class Guarded(TyperGroup):
    """The root group: nothing that a command raises gets past it as a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a failure becomes a message on stderr and an exit code."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except HmfError as error:
            output.failed(error)
            raise typer.Exit(error.exit_code) from error
        except (KeyboardInterrupt, typer.Abort) as error:
            raise typer.Exit(output.INTERRUPTED) from error
        except BrokenPipeError as error:
            _let_go_of_stdout()
            raise typer.Exit(output.BROKEN_PIPE) from error
        except (typer.Exit, typer.TyperException):
            raise
        except Exception as error:  # the edge of the program: nothing gets past it
            _unexpected(error, ctx)
            raise typer.Exit(1) from error
        return result


app = typer.Typer(
    cls=Guarded,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    epilog=EXIT_CODES,
    context_settings={"help_option_names": ["--help", "-h"]},
)
for part in (remember, recall, change, review, digest, curate, forecast, setup, evaluate):
    app.add_typer(part.app)
app.add_typer(change.project, name="project", help="Finish or reopen a project.", rich_help_panel=CHANGING)
app.add_typer(curate.jobs, name="jobs", help="Run jobs by hand, and see their runs.", rich_help_panel=CURATING)
app.add_typer(setup.config, name="config", help="Check and show the configuration.", rich_help_panel=SETTING_UP)


def _version(asked: bool) -> None:
    if asked:
        output.raw(installed("hmf-memory"))
        raise typer.Exit


@app.callback()
def root(
    ctx: typer.Context,
    home: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Folder that holds everything (or HMF_HOME).")
    ] = None,
    config: Annotated[
        str | None, typer.Option("--config", "-c", metavar="FILE", help="Configuration file (or HMF_CONFIG).")
    ] = None,
    namespace: Annotated[
        str | None, typer.Option("--namespace", "-N", metavar="NAME", help="Whose memory; left out: as configured.")
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """A long-term memory for writing assistants that tidies itself at night.

    Global options come before the command: `hmf -N work search "…"`. Data goes to stdout, all else to stderr.
    """
    _log_to_stderr()
    ctx.obj = Options(home, config, namespace)


def run() -> None:
    """The entry point of the command `hmf`."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # what the terminal cannot write must not end the command
    try:
        app(prog_name="hmf")
    except KeyboardInterrupt:
        sys.exit(output.INTERRUPTED)


def _log_to_stderr() -> None:
    """Logs are messages: stdout is for data. HMF_LOG says how much of them, warnings by default."""
    logging.configure(logging.level_of({"HMF_LOG": os.environ.get("HMF_LOG") or "warning"}), json=False)


def _let_go_of_stdout() -> None:
    """Point stdout nowhere, so that the interpreter's last flush does not complain again."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return  # not a real stream: nothing will be flushed to it


def _unexpected(error: Exception, ctx: Any) -> None:
    """One line on stderr for what should not have happened, and the traceback in a file for who mends it."""
    output.note(f"Unexpected {type(error).__name__}: {error}", "red")
    try:
        folder: Path = Session(ctx.find_object(Options) or Options(), "hmf").places.state_dir
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = folder / "crash.log"
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "a", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write("".join(traceback.format_exception(error)) + "\n")
    except (HmfError, OSError):
        output.note("Its traceback could not be written.")
    else:
        output.note(f"This is a fault of HMF; its traceback is in {file}: please report it.")


def reference() -> str:
    """The text of `docs/cli.md`: every command with its options, made from the commands themselves."""
    from typer.cli import get_docs_for_click
    from typer.main import get_command

    command = get_command(app)
    head = "<!-- Generated from hmf/cli by `hmf.cli.main.reference`; a test compares the two. -->\n\n"
    text: str = get_docs_for_click(obj=command, ctx=typer.Context(command), name="hmf", title="The command line")
    return head + "\n".join(line.rstrip() for line in text.strip().splitlines()) + "\n"
