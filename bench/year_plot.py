"""Pictures of the simulated year: memories by tier, outdated answers beside a flat store's, nights."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

_TIERS = {"detail": "#4477aa", "summary": "#66ccee", "retired": "#ee6677", "archive": "#ccbb44"}
_WEEK = timedelta(days=7)
_OURS, _FLAT, _QUIET = "#228833", "#aa3377", "#888888"
"""Told apart by people who see few colours, too (after Paul Tol's bright scheme); grey reads on light and on dark."""


def draw(data: dict[str, Any], folder: Path) -> list[Path]:
    """Three PNG files in `folder`, made from what `bench.year.as_json` gives."""
    folder.mkdir(parents=True, exist_ok=True)
    months = [datetime.fromisoformat(month["at"]) for month in data["months"]]
    pictures = {"year-tiers.png": _tiers, "year-outdated.png": _outdated, "year-nights.png": _nights}
    for name, drawing in pictures.items():
        figure = Figure(figsize=(7.2, 3.4), layout="constrained", facecolor="white")
        FigureCanvasAgg(figure)  # no window, no global state
        axes = figure.add_subplot()
        drawing(axes, data, months)
        axes.set_xticks(months, [f"{month:%d/%m}" for month in months], fontsize="small")
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", color="#dddddd", linewidth=0.6)
        axes.set_axisbelow(True)
        figure.savefig(folder / name, dpi=110)
    return [folder / name for name in pictures]


def _tiers(axes: Axes, data: dict[str, Any], months: list[datetime]) -> None:
    rows = [[month["tiers"].get(tier, 0) for month in data["months"]] for tier in _TIERS]
    axes.stackplot(months, *rows, labels=list(_TIERS), colors=list(_TIERS.values()), alpha=0.9)
    axes.set_title("Live memories by tier (retired: kept, and silent about the present)", fontsize="medium")
    axes.legend(loc="upper left", fontsize="small", frameon=False)
    axes.set_ylim(bottom=0)


def _outdated(axes: Axes, data: dict[str, Any], months: list[datetime]) -> None:
    for store, colour, label in (("flat", _FLAT, "flat store"), ("hmf", _OURS, "HMF")):
        shares = [100 * month["outdated"][store] for month in data["months"]]
        axes.plot(months, shares, color=colour, marker="o", markersize=4, linewidth=2, label=label)
    axes.set_title("Outdated memories among the first five answers, per cent", fontsize="medium")
    axes.legend(loc="best", fontsize="small", frameon=False)
    axes.set_ylim(bottom=0)


def _nights(axes: Axes, data: dict[str, Any], months: list[datetime]) -> None:
    nights = [(datetime.fromisoformat(night["at"]), night["applied"], night["seconds"]) for night in data["nights"]]
    by_week: Counter[datetime] = Counter()
    for at, applied, _ in nights:
        by_week[nights[0][0] + (at - nights[0][0]) // _WEEK * _WEEK] += applied
    axes.bar(list(by_week), list(by_week.values()), width=5, color=_OURS, alpha=0.7, label="changes by night, a week")
    axes.set_ylabel("changes a week", fontsize="small")
    axes.set_title("What the nights changed, and how long each took", fontsize="medium")
    beside = axes.twinx()
    beside.plot([at for at, *_ in nights], [seconds for *_, seconds in nights], color=_QUIET, linewidth=0.8)
    beside.set_ylabel("seconds a night (line)", fontsize="small")
    beside.set_ylim(bottom=0)
    beside.spines[["top"]].set_visible(False)
