"""The process that test_erase.py has killed in the middle of an erasure: python erase_child.py HOME POINT"""

from __future__ import annotations

import os
import signal
import sys
from itertools import count
from pathlib import Path
from typing import Any

from hmf.index.edge import EdgeIndex
from hmf.ledger.erasing import Erasing
from tests.integration.test_erase import TEXT, WORDS
from tests.service import EDGE, Clock, open_memory

POINTS: dict[str, tuple[type, str, int]] = {
    "committed, nothing cleaned": (EdgeIndex, "renew", 1),
    "a collection half written": (EdgeIndex, "upsert", 1),
    "a collection made anew": (Erasing, "cleaned", 1),
    "before the vacuum": (Erasing, "vacuum", 1),
    "vacuumed, the mark still there": (Erasing, "cleaned", 2),
}
"""Where the process dies: on entering this method for the n-th time."""


def main(home: str, point: str) -> None:
    """Add, then erase until death."""
    with open_memory(Path(home), Clock(), EDGE) as memory:
        for n in range(5):
            memory.add(f"Lumen veut la partie {n} plus courte.", category="client-projects", language="fr")
        one = memory.add(TEXT, category="client-projects", language="fr", project=WORDS[1])
        memory.tick()
        owner, name, nth = POINTS[point]
        original, calls = getattr(owner, name), count(1)

        def deadly(self: Any, *args: Any, **values: Any) -> Any:
            if next(calls) == nth:
                os.kill(os.getpid(), signal.SIGKILL)
            return original(self, *args, **values)

        setattr(owner, name, deadly)
        memory.erase(str(one.id))


if __name__ == "__main__":
    main(*sys.argv[1:])
