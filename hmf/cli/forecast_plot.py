"""The forecast as a picture, through matplotlib, which is an extra: nothing else needs it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from hmf.cli.output import Json
from hmf.cli.words import Screen
from hmf.errors import InvalidInput

_KINDS = (".png", ".svg", ".pdf")
_COLOURS = {
    "archived": "#4477aa",
    "forgotten": "#aa3377",
    "purged": "#ee6677",
    "marked": "#ccbb44",
    "asked": "#228833",
    "held": "#bbbb88",
    "reported": "#bbbbbb",
}
"""Told apart by people who see few colours, too (after Paul Tol's bright scheme)."""


def check(file: Path) -> None:
    """Refuse what cannot be drawn before anything is computed. Raises InvalidInput."""
    if file.suffix.lower() not in _KINDS:
        raise InvalidInput(f"{file.name!r} names no kind of picture.", fix=f"end it with {', '.join(_KINDS)}.")
    if not file.absolute().parent.is_dir():
        raise InvalidInput(f"There is no folder {file.absolute().parent}.", fix="make it, or name another file.")
    if find_spec("matplotlib") is None:
        raise InvalidInput(
            "Pictures are drawn by matplotlib, which is not installed.", fix="pip install 'hmf-memory[plots]'"
        )


def draw(screen: Screen, data: Json, file: Path) -> None:
    """Stacked bars, one a week, a colour for each outcome. Raises InvalidInput when the file cannot be written."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    days = [week["from"] for week in data["weeks"]]
    figure = Figure(figsize=(max(6.0, 0.45 * len(days) + 3), 4.5), layout="constrained")
    FigureCanvasAgg(figure)  # no window, no global state: a server has no display
    axes = figure.add_subplot()
    floor = [0] * len(days)
    for outcome, colour in _COLOURS.items():
        rows = [row["weeks"] for row in data["rows"] if row["outcome"] == outcome]
        counts = [sum(column) for column in zip(*rows, strict=True)] if rows else []
        if any(counts):
            axes.bar(days, counts, bottom=floor, color=colour, label=screen.say(f"fc-{outcome}"))
            floor = [below + count for below, count in zip(floor, counts, strict=True)]
    axes.set_title(screen.say("fc-title", first=days[0], last=data["weeks"][-1]["to"]))
    axes.set_ylabel(screen.say("fc-axis"))
    axes.set_xticks(range(len(days)), days, rotation=60, ha="right", fontsize="small")
    axes.set_ylim(0, max([*floor, 1]) * 1.1)
    if any(floor):
        axes.legend(fontsize="small")
    try:
        figure.savefig(file, dpi=150)
    except OSError as error:
        raise InvalidInput(f"{file} cannot be written: {error.strerror or error}.", fix="name another file.") from error
