"""A collection made anew: its files hold nothing of what was deleted, whatever instant a crash chooses."""

from __future__ import annotations

import uuid
from pathlib import Path

import numpy as np
import pytest

from hmf.index import edge
from hmf.index.edge import EdgeIndex
from hmf.index.port import Filter, Point, Query, Sparse

WORD = "QUARTZQUARTZ"
VECTOR = np.array([0.5, -0.25, 0.75, 0.125], np.float32)


def point(n: int, project: str = "Lumen") -> Point:
    memory = str(uuid.UUID(int=n + 1))
    dense = (VECTOR / np.linalg.norm(VECTOR) if project == WORD else np.eye(4)[n % 4]).tolist()
    return Point(memory, dense, Sparse((n, 77), (1.0, 2.0)), {"memory": memory, "project": project})


def traces(folder: Path) -> set[str]:
    half = np.asarray(VECTOR / np.linalg.norm(VECTOR), np.float16).tobytes()
    files = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    return {str(p) for p, body in files.items() if WORD.encode() in body or half in body}


@pytest.fixture
def index(tmp_path: Path) -> EdgeIndex:
    index = EdgeIndex(tmp_path / "index", 4, min_free=0)
    index.ensure("notes.g1")
    index.upsert("notes.g1", [point(n) for n in range(20)] + [point(20, WORD)])
    index.flush()
    index.delete("notes.g1", [point(20).id])
    index.flush()
    return index


def refill(index: EdgeIndex) -> None:
    assert index.renew("notes.g1", lambda fresh: index.upsert(fresh, [point(n) for n in range(20)]))


def test_a_delete_leaves_traces_and_a_renewal_leaves_none(index: EdgeIndex, tmp_path: Path) -> None:
    assert traces(tmp_path)
    refill(index)
    assert not traces(tmp_path)
    assert index.count("notes.g1") == 20
    assert [hit.id for hit in index.search("notes.g1", Query(None, Sparse((3,), (1.0,)), Filter(), 5)).sparse] == [
        point(3).id
    ]
    index.close()
    assert not traces(tmp_path)
    assert EdgeIndex(tmp_path / "index", 4, min_free=0).count("notes.g1") == 20


def test_what_was_set_aside_of_it_goes_too(index: EdgeIndex, tmp_path: Path) -> None:
    aside = index.set_aside("notes.g1", "20261130T000000")
    assert aside is not None
    index.ensure("notes.g1")
    assert traces(tmp_path)
    refill(index)
    assert not traces(tmp_path)
    assert not aside.exists()


def test_a_search_that_waits_while_the_shard_is_replaced_is_answered(index: EdgeIndex) -> None:
    shard = index._shard("notes.g1")
    refill(index)
    assert shard.closed
    taken = iter([shard])
    present = index._shard
    index._shard = lambda name: next(taken, None) or present(name)  # type: ignore[method-assign]
    assert index.count("notes.g1") == 20


@pytest.mark.parametrize("crash", range(1, 5))
def test_a_crash_leaves_the_old_or_the_new_and_never_neither(
    index: EdgeIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, crash: int
) -> None:
    steps = iter(range(1, 100))

    class Crash(BaseException):
        pass

    def dying(real):
        def step(*args):
            if next(steps) == crash:
                raise Crash
            return real(*args)

        return step

    def fill(fresh: str) -> None:
        index.upsert(fresh, [point(n) for n in range(20)])
        monkeypatch.setattr(Path, "rename", dying(Path.rename))
        monkeypatch.setattr(edge, "_remove", dying(edge._remove))

    with pytest.raises(Crash):
        index.renew("notes.g1", fill)
    monkeypatch.undo()
    index._shards.clear()  # the process is gone
    again = EdgeIndex(tmp_path / "index", 4, min_free=0)
    assert again.collections() == ["notes.g1"]
    assert again.count("notes.g1") == 20
    assert {p.name for p in (tmp_path / "index").iterdir()} == {"notes.g1"}
