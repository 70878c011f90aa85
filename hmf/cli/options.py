"""The options that commands share, each written once."""

from __future__ import annotations

from typing import Annotated

import typer

EXIT_CODES = (
    "Exit codes: 0 done; 1 error; 2 wrong usage or input; 3 done in part, some skipped; 4 configuration; "
    "5 store or daemon out of reach; 6 a review waits; 130 interrupted; 141 the reader of a pipe went away."
)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document, and nothing else, on stdout.")]
DryRun = Annotated[bool, typer.Option("--dry-run", "-n", help="Say what would happen; change nothing.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Answer yes beforehand.")]
MemoryId = Annotated[str, typer.Argument(metavar="ID", help="Id of a memory, or its last 8 characters.")]
Category = Annotated[str | None, typer.Option("--category", "-C", help="Name or label of a category.")]
Project = Annotated[str | None, typer.Option("--project", "-p", help="Name of a project.")]

TAKING_IN = "Taking in"
FINDING = "Finding"
CHANGING = "Changing"
CURATING = "Curating"
SETTING_UP = "Setting up"
