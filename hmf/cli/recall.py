"""Finding: search, list, show, history, log."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from hmf.cli import diary, output, render
from hmf.cli.options import FINDING, AsJson, Category, MemoryId, Project
from hmf.cli.session import opened
from hmf.memory import Kind, Status, Tier

app = typer.Typer()
_SCREEN, _ALL = 50, 1_000_000
"""Batches of a log: as many as a person looks through, and as many as there may be in a time that was asked for."""


@app.command(rich_help_panel=FINDING)
def search(
    ctx: typer.Context,
    query: Annotated[str, typer.Argument(help="The question, between quotes; `-` reads standard input.")],
    k: Annotated[int | None, typer.Option("-k", min=1, max=200, help="Most memories in the answer.")] = None,
    category: Annotated[
        list[str] | None, typer.Option("--category", "-C", help="Only in this category; may be repeated.")
    ] = None,
    project: Project = None,
    kind: Annotated[list[Kind] | None, typer.Option("--kind", "-K", help="Only this kind; may be repeated.")] = None,
    since: Annotated[str | None, typer.Option(help="Not before this date.")] = None,
    until: Annotated[str | None, typer.Option(help="Not after this date.")] = None,
    archive: Annotated[
        bool | None, typer.Option(help="With or without the archive; left out: only when nothing else answers.")
    ] = None,
    history: Annotated[bool, typer.Option("--history", help="Also what does not hold any more.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show the parts of each score and each step.")] = False,
    prompt: Annotated[
        int | None, typer.Option(min=100, metavar="TOKENS", help="Print the answer as text for a model instead.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find the few memories that answer a question, or be told that there is none (exit code 0 all the same)."""
    with opened(ctx) as session:
        found = session.call(
            "search",
            query=output.read_stdin() if query == "-" else query,
            explain=explain,
            prompt_tokens=prompt,
            k=k,
            categories=category,
            project=project,
            kinds=[str(one) for one in kind or ()],
            since=since,
            until=until,
            archive=archive,
            history=history,
        )
        output.warn([] if as_json else render.texts(session.screen, found["warnings"]))
        if prompt is not None and not as_json:
            output.raw(output.safe(found["prompt"]))
            return
        output.emit(found, as_json, lambda: render.search(session.screen, found))


@app.command("list", rich_help_panel=FINDING)
def list_(
    ctx: typer.Context,
    category: Category = None,
    project: Project = None,
    kind: Annotated[Kind | None, typer.Option("--kind", "-K", help="Only this kind.")] = None,
    tier: Annotated[Tier | None, typer.Option(help="Only this tier.")] = None,
    status: Annotated[Status | None, typer.Option(help="Only this status.")] = None,
    pinned: Annotated[bool | None, typer.Option(help="Only pinned ones, or only those that are not.")] = None,
    forgotten: Annotated[bool, typer.Option("--forgotten", help="Those forgotten and not purged yet.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-l", min=1, help="At most so many.")] = 50,
    offset: Annotated[int, typer.Option(min=0, help="Leave out so many of the newest.")] = 0,
    as_json: AsJson = False,
) -> None:
    """List memories, newest first."""
    with opened(ctx) as session:
        found = session.call(
            "list",
            category=session.category(category),
            project=project,
            kind=kind and str(kind),
            tier=tier and str(tier),
            status=status and str(status),
            pinned=pinned,
            forgotten=forgotten,
            limit=limit,
            offset=offset,
        )
        output.emit(found, as_json, lambda: render.memories(session.screen, found["memories"]))


@app.command(rich_help_panel=FINDING)
def show(ctx: typer.Context, memory_id: MemoryId, as_json: AsJson = False) -> None:
    """Show one memory with all that is known about it, and its history."""
    with opened(ctx) as session:
        found = session.call("show", memory_id=memory_id)
        output.emit(
            found,
            as_json,
            lambda: render.memory(session.screen, found["memory"], found["history"], found.get("summary")),
        )


@app.command(rich_help_panel=FINDING)
def history(ctx: typer.Context, memory_id: MemoryId, as_json: AsJson = False) -> None:
    """What replaced what: all that a memory took the place of and all that took its place, oldest first.

    Each with its dates, its source, its status, and its lines in the journal: when, what, by whom and why. An id of
    which only the journal is left is taken too.
    """
    with opened(ctx) as session:
        found = session.call("chain", memory_id=memory_id)
        part = memory_id.lower()
        asked = next((i for one in found["chain"] if (i := one["id"]).startswith(part) or i.endswith(part)), memory_id)
        output.emit({"asked": asked, **found}, as_json, lambda: diary.chain(session.screen, found["chain"], asked))


@app.command(rich_help_panel=FINDING)
def log(
    ctx: typer.Context,
    limit: Annotated[int | None, typer.Option("--limit", "-l", min=1, help="At most so many. Default: 50.")] = None,
    since: Annotated[
        str | None, typer.Option(help="From this date, time or word on: yesterday, la semaine dernière.")
    ] = None,
    until: Annotated[str | None, typer.Option(help="Up to this date, time or word; a day is included.")] = None,
    each: Annotated[bool, typer.Option("--each", help="Every addition on a line of its own.")] = False,
    as_json: AsJson = False,
) -> None:
    """What was done, day by day, the last first, with the name of each batch: what `hmf undo` takes back."""
    with opened(ctx) as session:
        timed = since is not None or until is not None
        found = session.call("log", since=since, until=until, limit=limit or (_ALL if timed else _SCREEN))
        rows = found["batches"]
        some = rows or not timed
        output.emit(
            found,
            as_json,
            lambda: diary.log(session.screen, rows, each=each) if some else Text(session.screen.say("none-then")),
        )
