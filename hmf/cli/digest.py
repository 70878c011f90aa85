"""`hmf digest`: what the nights did, what awaits and what failed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from hmf.cli import output
from hmf.cli.options import CURATING, AsJson
from hmf.cli.output import Json, safe
from hmf.cli.session import opened
from hmf.cli.words import Screen
from hmf.errors import InvalidInput

app = typer.Typer()
_LISTED = 14


@app.command(rich_help_panel=CURATING)
def digest(
    ctx: typer.Context,
    night: Annotated[
        str | None, typer.Argument(metavar="[DATE]", help="A night by its date; left out: the last.")
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="The nights of two weeks, newest first.")] = False,
    limit: Annotated[int | None, typer.Option("--limit", "-l", min=1, help="So many nights.")] = None,
    as_json: AsJson = False,
) -> None:
    """What the jobs did in the night, what waits for you, and what failed. One digest a night, whatever ran twice."""
    if night is not None:
        night = _day(night)
    with opened(ctx) as session:
        count = limit or (_LISTED if listing else 1)
        found = session.call("digest", limit=count, night=night)
        output.emit(found, as_json, lambda: _drawn(session.screen, found["digests"]))


def _drawn(screen: Screen, digests: Sequence[Json]) -> RenderableType:
    if not digests:
        return Text(screen.say("no-digest"))
    parts: list[RenderableType] = []
    for one in digests:
        noon = datetime.combine(date.fromisoformat(one["night"]), time(12), tzinfo=screen.zone)
        title = screen.date(noon.isoformat())
        parts.append(Text(title[:1].upper() + title[1:], style="bold"))
        parts += [Text(f"  {safe(sentence)}") for sentence in one["sentences"]]
    return Group(*parts)


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise InvalidInput(f"{text!r:.40} is not a date.", fix="write 2026-11-30.") from error
