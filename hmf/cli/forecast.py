"""What the coming weeks will do to the memories: the command `forecast`, as a table, bars, JSON or a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hmf.cli import output
from hmf.cli.options import CURATING, AsJson
from hmf.cli.output import Json, safe
from hmf.cli.session import opened
from hmf.cli.words import Screen

app = typer.Typer()
MARKS = {
    "archived": ("█", "cyan"),
    "forgotten": ("▓", "magenta"),
    "purged": ("▒", "red"),
    "marked": ("░", "yellow"),
    "asked": ("?", "green"),
    "held": ("!", "bright_yellow"),
    "reported": ("·", "white"),
}
"""How each outcome shows in a bar: told apart without colours too."""

_COLUMNS = 12
"""Weeks that fit side by side; more are added up, several a column."""

_BAR = 60


@app.command(rich_help_panel=CURATING)
def forecast(
    ctx: typer.Context,
    weeks: Annotated[int, typer.Option("--weeks", "-w", min=1, max=104, help="How many weeks from today.")] = 8,
    category: Annotated[
        list[str] | None, typer.Option("--category", "-C", help="Only this category; may be repeated.")
    ] = None,
    answered: Annotated[
        bool, typer.Option("--answered", help="As if you approved all that is asked, on the same night.")
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also draw it to this .png, .svg or .pdf (needs the extra `plots`)."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What each policy will do in the coming weeks if nothing else changes. Changes nothing.

    What a policy does by itself is followed on: what is archived can expire in the archive, what is forgotten is gone
    for good after its grace. What asks you waits for your answer; --answered shows what follows from a yes. Left out is
    what depends on texts: duplicates, conflicts, misfiled memories, and the upkeep of summaries.
    """
    with opened(ctx) as session:
        if plot is not None:
            from hmf.cli import forecast_plot

            forecast_plot.check(plot)
        found = session.call("forecast", weeks=weeks, categories=category or [], answered=answered)
        screen = session.screen
        if plot is not None:
            forecast_plot.draw(screen, found, plot)
        output.emit(found, as_json, lambda: drawn(screen, found))
        if plot is not None and not as_json:
            output.note(str(plot))


def drawn(screen: Screen, data: Json) -> RenderableType:
    """The table, then a bar for each column of it."""
    title = screen.say("fc-title", first=data["weeks"][0]["from"], last=data["weeks"][-1]["to"])
    parts: list[RenderableType] = [Text(title, style="bold")]
    if data["answered"]:
        parts.append(Text(screen.say("fc-answered"), style="dim"))
    if data["unscheduled"]:
        parts.append(Text(screen.say("fc-unscheduled", jobs=", ".join(data["unscheduled"])), style="yellow"))
    if not data["rows"]:
        return Group(*parts, Text(screen.say("fc-none")))
    step = -(-len(data["weeks"]) // _COLUMNS)
    if step > 1:
        parts.append(Text(screen.say("fc-several", n=step), style="dim"))
    return Group(*parts, Text(""), _table(screen, data, step), Text(""), _bars(screen, data, step))


def said(screen: Screen, row: Json) -> str:
    """One row in words: what happens, and by which rule."""
    what = screen.say(f"fc-{row['outcome']}")
    if row["outcome"] in ("asked", "held", "reported"):
        verb = screen.named("verb", "archive" if row["policy"] == "stale" else "forget")
        what = screen.say("group", job=what, verb=verb)
    return f"{what} ({screen.named('because', row['policy'])})"


def _table(screen: Screen, data: Json, step: int) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold", pad_edge=False)
    table.add_column(screen.say("category"))
    table.add_column(screen.say("fc-what"))
    table.add_column(screen.say("fc-now"), justify="right", style="green", no_wrap=True)
    for week in data["weeks"][::step]:
        table.add_column(week["from"][5:], justify="right", no_wrap=True)
    table.add_column(screen.say("fc-total"), justify="right", style="bold", no_wrap=True)
    before = None
    for row in data["rows"]:
        name = safe(row["category"]) if row["category"] != before else ""
        counts = [row["waiting"], *_summed(row["weeks"], step)]
        table.add_row(name, safe(said(screen, row)), *(str(n) if n else "·" for n in counts), str(row["total"]))
        before = row["category"]
    return table


def _bars(screen: Screen, data: Json, step: int) -> RenderableType:
    """A stacked bar for each column of the table; what waits already is in none."""
    by_outcome = {
        outcome: [sum(column) for column in zip(*counts, strict=True)]
        for outcome in MARKS
        if (counts := [_summed(row["weeks"], step) for row in data["rows"] if row["outcome"] == outcome])
    }
    totals = [sum(column) for column in zip(*by_outcome.values(), strict=True)] if by_outcome else []
    most = max(totals, default=0)
    grid = Table.grid(padding=(0, 1))
    for place, (week, total) in enumerate(zip(data["weeks"][::step], totals, strict=True)):
        bar = Text()
        for outcome, length in _lengths({o: counts[place] for o, counts in by_outcome.items()}, most).items():
            mark, style = MARKS[outcome]
            bar.append(mark * length, style=style)
        grid.add_row(week["from"][5:], bar, str(total))
    legend = Text()
    for outcome, counts in by_outcome.items():
        if any(counts):
            mark, style = MARKS[outcome]
            legend.append(mark, style=style).append(f" {screen.say(f'fc-{outcome}')}   ", style="dim")
    return Group(grid, legend) if most else Text("")


def _lengths(counts: dict[str, int], most: int) -> dict[str, int]:
    """Characters of each part of a bar: what is not zero shows, and rounding never adds up to a longer bar."""
    lengths: dict[str, int] = {}
    done = drawn_so_far = 0
    for outcome, count in counts.items():
        done += count
        end = round(done / most * _BAR) if most else 0
        lengths[outcome] = max(end - drawn_so_far, 1 if count else 0)
        drawn_so_far += lengths[outcome]
    return lengths


def _summed(weeks: list[int], step: int) -> list[int]:
    return [sum(weeks[start : start + step]) for start in range(0, len(weeks), step)]
