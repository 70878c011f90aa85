"""Kill -9 while HMF writes: what was acknowledged is there, once, in one place; the rest is there whole or not at all.

HMF_TEST_TORTURE sets how many times the process is killed at a moment drawn by chance (default 6; `make torture`: 50).
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from sqlalchemy import select

from hmf import Hmf
from hmf.ledger import tables
from hmf.ledger.ledger import home_of
from hmf.ledger.wanted import Wanted
from hmf.memory import Memory, State, Tier
from tests.integration.torture_child import CONFIG, POINTS, fact

KILLS = int(os.environ.get("HMF_TEST_TORTURE", "6"))
CHILD = Path(__file__).with_name("torture_child.py")
SEED = 20261130

pytestmark = [
    pytest.mark.torture,
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="SIGKILL is what this is about"),
]


@dataclass
class Account:
    """What the child said, over all rounds: facts by id (None: taken out), and the operation it died in."""

    facts: dict[str, list[Any] | None] = field(default_factory=dict)
    begun: dict[str, Any] | None = None
    done: Counter[str] = field(default_factory=Counter)
    cut_short: Counter[str] = field(default_factory=Counter)
    touched: set[str] = field(default_factory=set)

    def hear(self, line: str) -> None:
        """One line of the child; the last may be cut in its middle."""
        with suppress(ValueError):
            said = json.loads(line)
            if "begin" in said:
                self.begun = said
            else:
                self.begun = None
                self.done[said["done"]] += 1
                self.facts.update(said["rows"])
                self.touched.update(said["rows"])


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder in memory where there is one: kill -9 spares the page cache, so that a disk would only cost time."""
    shared = Path("/dev/shm")
    with TemporaryDirectory(prefix="hmf-torture-", dir=shared if os.access(shared, os.W_OK) else None) as folder:
        yield Path(folder)


def test_killed_at_chosen_points(home: Path) -> None:
    account = Account()
    for number, point in enumerate(POINTS):
        child = _child(home, number, point)
        _listen(child, account, lines=10_000)
        assert child.returncode == -signal.SIGKILL, f"{point}: the child was never there ({child.returncode})"
        assert account.begun is not None, f"{point}: nothing was going on"
        _verify(home, account)
    assert account.done["add"] >= 6 * (len(POINTS) - 2)
    assert account.cut_short["apply"] >= 1
    assert account.cut_short["reindex"] == sum("reindex" in point for point in POINTS)


def test_killed_at_any_moment(home: Path) -> None:
    drawn, account = random.Random(SEED), Account()
    for number in range(KILLS):
        child = _child(home, 100 + number)
        _listen(child, account, lines=drawn.randint(2, 60), then=drawn.expovariate(1 / 0.01))
        assert child.returncode == -signal.SIGKILL
        _verify(home, account)
    with Hmf.open(home, CONFIG) as memory:
        _found(memory, account, account.facts)
    assert sum(account.cut_short.values()) >= KILLS // 3, f"hardly ever killed at work: {account.cut_short}"
    assert account.done.total() >= 5 * KILLS


def _child(home: Path, round_: int, *at: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(CHILD), str(home), str(SEED), str(round_), *at]
    folder = CHILD.parent.parent.parent
    env = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def _listen(child: subprocess.Popen[str], account: Account, *, lines: int, then: float = 0.0) -> None:
    """Hear `lines` lines, give the child `then` seconds more, kill it, and hear what it had still said."""
    assert child.stdout is not None
    with child, child.stdout:
        for _, line in zip(range(lines), child.stdout, strict=False):
            account.hear(line)
        with suppress(subprocess.TimeoutExpired):
            child.wait(then)
        child.kill()
        for line in child.stdout:
            account.hear(line)


def _verify(home: Path, account: Account) -> None:
    with Hmf.open(home, CONFIG) as memory:
        rows = {m.id: m for m in memory.store.ledger.stream(Wanted("default", states=()))}
        _settle(account, rows)
        assert {i: fact(m) for i, m in rows.items()} == {i: f for i, f in account.facts.items() if f is not None}
        texts = Counter(m.text for m in rows.values())
        assert [text for text, times in texts.items() if times > 1] == []
        _index_agrees(memory, rows.values())
        _links_agree(memory, rows)
        assert [check for check in memory.doctor() if not check.well] == []
        assert memory.stats()["repairs"] == []
        _found(memory, account, account.touched)
    account.touched.clear()


def _settle(account: Account, rows: dict[str, Memory]) -> None:
    """The operation that was cut short happened as a whole or not at all; either is taken over as what holds now."""
    begun, account.begun = account.begun, None
    if begun is None:
        return
    verb = begun["begin"]
    account.cut_short[verb] += 1
    if "texts" in begun:
        new = [m for m in rows.values() if m.text in begun["texts"]]
        assert len(new) in (0, len(begun["texts"])), f"half of {begun}"
        named = [m.id for m in new]
    else:
        named = begun["ids"]
        changed = [i for i in named if _now(rows, i) != account.facts[i]]
        assert len(changed) in (0, len(named)), f"half of {begun}: {changed}"
        # What an operation writes beside what it names (a summary, a link) came or stayed away with it.
        named = list(rows) if changed else named
        named += [i for i, was in account.facts.items() if changed and was is not None and i not in rows]
    account.facts.update({i: _now(rows, i) for i in named})
    account.touched.update(named)


def _now(rows: dict[str, Memory], memory_id: str) -> list[Any] | None:
    return fact(rows[memory_id]) if memory_id in rows else None


def _index_agrees(memory: Hmf, rows: Iterable[Memory]) -> None:
    """Each live memory has its points in its home, once, and nothing else has any."""
    wanted = Counter({(home_of(m), m.id): m.chunks for m in rows if m.state is State.LIVE})
    held: Counter[tuple[str | None, str]] = Counter()
    for collection in [*CONFIG["categories"], "summaries"]:
        points = memory.store.index.ids(memory.indexer.physical(collection))
        held.update((collection, owner) for _, owner in points)
    assert held == wanted


def _links_agree(memory: Hmf, rows: dict[str, Memory]) -> None:
    stones = {row["memory_id"] for row in memory.store.ledger.rows(select(tables.tombstones))}
    assert stones == {m.id for m in rows.values() if m.state is State.FORGOTTEN}
    for one in rows.values():
        assert one.summarised_in is None or one.id in rows[one.summarised_in].summary_of
        assert all(rows[i].summarised_in == one.id for i in one.summary_of if one.state is State.LIVE)
    for filed in memory.plans():
        outcomes = {outcome for outcome, _ in filed.outcomes.values()}
        assert "applied" not in outcomes, f"plan {filed.plan.id} waits and was applied in part"


def _found(memory: Hmf, account: Account, ids: Iterable[str]) -> None:
    """A search for its own words gives a memory once, and what was forgotten not at all."""
    for memory_id, kept in [(i, account.facts[i]) for i in ids]:
        if kept is not None:
            text, _, tier, state, *_ = kept
            hits = [hit.memory.id for hit in memory.search(text, archive=tier == Tier.ARCHIVE).hits]
            assert hits.count(memory_id) == (state == State.LIVE), (memory_id, kept, hits)
