"""C58: the work of an addition or a search does not grow with the store (counted, never timed)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event

from hmf import Hmf
from hmf.ledger.reads import Reads
from tests.service import EDGE, Clock, open_memory

CATEGORIES = (
    "client-projects",
    "article-ideas",
    "research-notes",
    "personal-preferences",
    "general-conversation",
    "tasks",
)


def fill(hmf: Hmf, start: int, count: int) -> None:
    notes = (
        {"text": f"Note {n} about subject {n % 97} and place {n % 53}.", "category": CATEGORIES[n % 6], "kind": "note"}
        for n in range(start, start + count)
    )
    assert all(added.outcome == "created" for added in hmf.add_many(notes))


@contextmanager
def counted(hmf: Hmf, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, int]]:
    """Statements sent to the database and rows read back while the block runs."""
    seen = {"statements": 0, "rows": 0}
    real = Reads.rows

    def rows(self, query):
        found = real(self, query)
        seen["rows"] += len(found)
        return found

    def sent(*_args):
        seen["statements"] += 1

    engine = hmf.store.ledger.engine
    event.listen(engine, "before_cursor_execute", sent)
    with monkeypatch.context() as patch:
        patch.setattr(Reads, "rows", rows)
        yield seen
    event.remove(engine, "before_cursor_execute", sent)


def test_no_rescan_of_the_store_by_an_addition_a_search_or_an_opening(tmp_path: Path, monkeypatch):
    work: dict[int, list[dict[str, int]]] = {}
    for size in (400, 4000):
        with open_memory(tmp_path, Clock(), EDGE) as hmf:
            fill(hmf, sum(1 for _ in hmf.memories(limit=None)), size - len(hmf.memories(limit=None)))
        with open_memory(tmp_path, Clock(), EDGE) as hmf:
            hmf.add(f"A first one of {size}.")  # what is prepared once a process is not what is asked here
            hmf.search("subject 12")
            with counted(hmf, monkeypatch) as adding:
                for n in range(20):
                    hmf.add(f"Later note {n} at {size}.", category="tasks")
            with counted(hmf, monkeypatch) as searching:
                for n in range(20):
                    assert hmf.search(f"subject {n} place {n}").hits
            work[size] = [adding, searching]
    for small, large in zip(work[400], work[4000], strict=True):
        assert large["statements"] <= small["statements"] * 1.2
        assert large["rows"] <= small["rows"] * 2 + 200, "candidates are bounded, whatever the size"


def test_a_night_over_a_large_store_reads_what_is_old_and_not_everything(tmp_path: Path, monkeypatch):
    clock = Clock()
    with open_memory(tmp_path, clock, EDGE) as hmf:
        fill(hmf, 0, 3000)
        clock.forward(days=1)
        for job in ("archive", "expire"):
            with counted(hmf, monkeypatch) as read:
                assert hmf.plan(job).actions == ()
            assert read["rows"] < 300, f"{job} read {read['rows']} rows of 3,000 young ones"
