"""Every scenario of a file in one or both modes, and the result as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from hmf.config import Settings
from hmf.errors import InvalidInput
from hmf.evaluation.measures import MEASURES, Report, measure
from hmf.evaluation.model import Scenario
from hmf.evaluation.play import Kept, play
from hmf.evaluation.played import Mode, Played
from hmf.paths import Places
from hmf.service.store import open_embedder, settled

Advance = Callable[[int, int], None]


def evaluate(
    scenarios: Sequence[Scenario],
    settings: Settings,
    where: Places,
    *,
    modes: Sequence[Mode],
    k: int,
    advance: Advance = lambda _done, _total: None,
) -> dict[str, Any]:
    """Play the scenarios, each in a memory of its own, and measure. Touches no memory of the user's.

    `where` only says where an embedder keeps its downloads. Raises EmbedderFailure and what playing raises.
    """
    settings = settled(settings, None)
    embedder = Kept(open_embedder(settings, where))
    played: list[Played] = []
    try:
        for mode in modes:
            for scenario in scenarios:
                played.append(play(scenario, settings, embedder, mode, k))
                advance(len(played), len(modes) * len(scenarios))
    finally:
        embedder.release()
    return {
        "embedder": embedder.key,
        "k": k,
        "min_score": settings.recall.min_score,
        "scenarios": len(scenarios),
        "items": sum(len(one.items) for one in scenarios),
        "queries": sum(len(one.queries) for one in scenarios),
        "categories_added": sorted({name for one in played for name in one.added_categories}),
        "not_stored": sorted({i for one in played for i, what in one.stored.items() if what != "created"}),
        "modes": {str(mode): _report(measure(played, mode)) for mode in modes},
    }


def _report(report: Report) -> dict[str, Any]:
    return {
        "measures": {
            name: {"found": count.found, "of": count.of, "ratio": round(count.ratio, 4)}
            for name, count in report.counts.items()
        },
        "harms": dict(report.harms),
        "failures": [asdict(failure) for failure in report.failures],
    }


def thresholds(given: Sequence[str]) -> dict[str, float]:
    """From "0.9" or "first=0.95" to the least ratio of each measure. Raises InvalidInput."""
    least: dict[str, float] = {}
    for one in given:
        name, _, value = one.rpartition("=")
        try:
            ratio = float(value)
        except ValueError:
            ratio = -1.0
        if not 0 <= ratio <= 1 or (name and name not in MEASURES):
            raise InvalidInput(
                f"--min {one}: this is no threshold.",
                fix=f"write a ratio from 0 to 1 (0.9), or one for a measure (first=0.95): {', '.join(MEASURES)}.",
            )
        least.update(dict.fromkeys([name] if name else MEASURES, ratio))
    return least


def below(result: Mapping[str, Any], least: Mapping[str, float], most_harm: int | None) -> list[str]:
    """What misses its threshold, as sentences."""
    found = []
    for mode, report in result["modes"].items():
        for name, ratio in least.items():
            count = report["measures"][name]
            if count["of"] and count["found"] / count["of"] < ratio:
                found.append(f"mode {mode}: {name} {count['found']}/{count['of']} is below {ratio:g}")
        harm = sum(report["harms"].values())
        if most_harm is not None and harm > most_harm:
            found.append(f"mode {mode}: {harm} harms where {most_harm} are allowed")
    return found
