"""What the tiered search keeps of the recall of a search everywhere, and how many points it scans for it."""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.asking import DEPTH, Trial, fill, opened
from bench.measures import Found, judge, mean, percentile
from hmf import Hmf
from hmf.reason import Reason

_SEARCHED = frozenset({"searched_first", "widened_to"})


def compare(trial: Trial, given: argparse.Namespace, name: str) -> None:
    """Ask everything twice, as a user does and naming every category, which searches them all; print both."""
    with tempfile.TemporaryDirectory() as passing:
        home = (given.keep or Path(passing)) / f"{name}-{given.embedder}"
        with opened(home, trial, given.embedder, {"token_budget": 100_000}) as memory:
            ids = fill(memory, trial)
            ways = (("tiered", []), ("everywhere", list(trial.categories)))
            rows = [(label, *_asked(memory, trial, ids, categories)) for label, categories in ways]
    print("| | recall@10 | points scanned by vector, mean | median | questions widened |\n|---|---|---|---|---|")
    for label, found, shares in rows:
        recall = mean([one.recall[10] for one in found])
        wide = mean([float(share > 0.99) for share in shares])
        cells = (recall, mean(shares), percentile(shares, 0.5), wide)
        print(f"| {label} | " + " | ".join(f"{100 * cell:.1f} %" for cell in cells) + " |")
    kept = mean([one.recall[10] for one in rows[0][1]]) / mean([one.recall[10] for one in rows[1][1]])
    print(f"\nkept of the recall of a search everywhere: {100 * kept:.1f} %")


def _asked(
    memory: Hmf, trial: Trial, ids: Mapping[str, str], categories: Sequence[str]
) -> tuple[list[Found], list[float]]:
    """How each question fared, and the share of all points that lie in the categories searched by vector."""
    sizes = Counter(m.category for m in memory.store.ledger.get(set(ids.values())).values())
    found, shares = [], []
    for one in trial.asked:
        pack = memory.search(one.text, k=DEPTH, categories=categories, namespace=one.namespace)
        found.append(judge([hit.memory.id for hit in pack.hits], {ids[key] for key in one.gold}))
        shares.append(sum(sizes[name] for name in _searched(pack.trace)) / sizes.total())
    return found, shares


def _searched(trace: Sequence[Reason]) -> set[str]:
    found: set[str] = set()
    for step in trace:
        if step.code in _SEARCHED:
            found.update(step.values["names"])
    return found
