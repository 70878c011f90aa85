"""How often the review is right when it says that a memory is misfiled, on the example year.

    python -m bench.misfiled        (from the repository; some seconds)

The notes are added without their drawers, so that an eager router files them. Then the writer corrects every other
filing that is wrong, and the review asks the router again about all the others.
"""

from __future__ import annotations

import tempfile
from datetime import datetime, timedelta
from pathlib import Path

from hmf import Hmf
from hmf.cli import year
from hmf.memory import RoutedBy
from hmf.paths import shipped_config
from hmf.plan import Verb

_EAGER = {"threshold": 0.4, "margin": 0.05}
"""A router that guesses more than it does by default, so that there is something to put right."""

_LEFT = frozenset({"key", "drawer", "file", "lang", "event", "supersedes"})


def main() -> None:
    """Play, correct, ask, count."""
    lines, asked_at, _ = year.load(shipped_config().parent / "examples")
    clock = year.Clock(datetime.fromisoformat(lines[0]["at"]) - timedelta(hours=8))
    drawers: dict[str, str] = {}
    with (
        tempfile.TemporaryDirectory() as home,
        Hmf.open(
            Path(home), {"timezone": "Europe/Paris", "store": {"min_free_mb": 1}, "routing": _EAGER}, now=clock
        ) as memory,
    ):
        for line in lines:
            if "text" in line:
                clock.moment = datetime.fromisoformat(line["at"])
                values = {name: value for name, value in line.items() if name not in _LEFT}
                added = memory.add(**values, language=line["lang"])
                if added.id is not None:
                    drawers[added.id] = line["drawer"]
        clock.moment = asked_at
        rows = {one.id: one for one in memory.memories(limit=None) if one.id in drawers}
        wrong = [i for i, one in sorted(rows.items()) if one.category != drawers[i]]
        guessed = [i for i in wrong if rows[i].route.by is not RoutedBy.INBOX]
        for corrected in wrong[::2]:
            memory.move(corrected, drawers[corrected])
        found = {"misfiled": [0, 0], "unrouted": [0, 0]}
        for action in memory.plan("review", file=False).actions:
            if action.verb is Verb.MOVE:
                right = action.to_category == drawers[action.targets[0].id]
                found[action.reason.code][0 if right else 1] += 1
    print(f"{len(rows)} notes, {len(wrong)} in another drawer than the writer's ({len(guessed)} guessed, others wait)")
    print(f"{len(wrong[::2])} corrected")
    for code, (right, not_right) in found.items():
        total = right + not_right
        print(f"{code}: {right} of {total} proposals right" + (f" ({right / total:.0%})" if total else ""))


if __name__ == "__main__":
    main()
