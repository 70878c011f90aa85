"""The embedded index when things go wrong: killed, damaged, full, linked, closed."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import uuid
from pathlib import Path

import pytest

from hmf.errors import DiskFull, IndexFailure, InvalidInput
from hmf.index.edge import EdgeIndex
from hmf.index.port import Filter, Point, Query, Sparse

ROOT = Path(__file__).parents[2]
CHILD = textwrap.dedent(
    """
    import sys
    from pathlib import Path
    from tests.integration.test_edge_crash import opened, points

    index = opened(Path(sys.argv[1]))
    index.ensure("notes")
    for start in range(0, 10_000, 40):
        index.upsert("notes", points(start, 40))
        index.flush()
        print(start + 40, flush=True)
    """
)


def opened(folder: Path, **settings: int) -> EdgeIndex:
    return EdgeIndex(folder, 4, **{"min_free": 0, **settings})


def points(start: int, count: int) -> list[Point]:
    rng = random.Random(start)
    found = []
    for n in range(start, start + count):
        memory = str(uuid.UUID(int=n + 1))
        dense = [rng.uniform(0.1, 1) for _ in range(4)]
        found.append(Point(memory, dense, Sparse((n % 9,), (1.0,)), {"memory": memory, "namespace": "default"}))
    return found


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """A closed index with a hundred points in `notes`."""
    index = opened(tmp_path / "index")
    index.ensure("notes")
    index.upsert("notes", points(0, 100))
    index.close()
    return tmp_path / "index"


@pytest.mark.parametrize("after", [1, 3])
def test_what_was_flushed_survives_a_kill(tmp_path: Path, after: int):
    command = [sys.executable, "-c", CHILD, str(tmp_path / "index")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        flushed = [int(child.stdout.readline()) for _ in range(after)][-1]
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
    index = opened(tmp_path / "index")
    expected = {str(uuid.UUID(int=n + 1)) for n in range(flushed)}
    assert expected <= {memory for memory, _ in index.ids("notes")}
    assert index.count("notes") >= flushed
    index.close()


def test_a_creation_that_was_cut_short_leaves_no_collection(filled: Path):
    (filled / "_new-ideas" / "segments").mkdir(parents=True)
    (filled / "_old-gone").mkdir()
    index = opened(filled)
    assert index.collections() == ["notes"]
    assert {p.name for p in filled.iterdir()} == {"notes"}
    index.ensure("ideas")
    assert index.count("ideas") == 0
    index.close()


DAMAGER = textwrap.dedent(
    """
    import sys
    from pathlib import Path
    from tests.integration.test_edge_crash import damage_each

    damage_each(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
    """
)


@pytest.mark.parametrize("damage", ["truncated", "flipped"])
def test_a_damaged_file_is_an_index_failure_or_harmless_and_never_a_crash(filled: Path, tmp_path: Path, damage: str):
    """In a process of its own, where a signal or a panic that gets through would be seen."""
    command = [sys.executable, "-c", DAMAGER, str(filled), str(tmp_path / "copy"), damage]
    child = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert child.returncode == 0, f"{child.stdout[-200:]} {child.stderr[-2000:]}"
    assert "IndexFailure" in child.stdout


def damage_each(source: Path, copy: Path, damage: str) -> None:
    """Spoil every file in turn and say how it showed."""
    for file in sorted(p for p in source.rglob("*") if p.is_file() and "payload_index" not in p.parts):
        shutil.rmtree(copy, ignore_errors=True)
        subprocess.run(["cp", "-r", "--sparse=always", str(source), str(copy)], check=True)
        sys.stdout.write(f"{file.name} {damage}: ")
        sys.stdout.flush()
        _spoil(copy / file.relative_to(source), damage)
        sys.stdout.write(f"{_look(copy)}\n")


def _spoil(file: Path, damage: str) -> None:
    if damage == "truncated":
        os.truncate(file, 0)
        return
    with file.open("r+b") as opened_file:
        head = opened_file.read(64)
        opened_file.seek(0)
        opened_file.write(bytes(byte ^ 0xFF for byte in head))


def _look(folder: Path) -> str:
    index = opened(folder)
    try:
        whole = index.count("notes") == len(index.ids("notes")) == 100
        index.search("notes", Query(points(0, 1)[0].dense, Sparse((1,), (1.0,)), Filter(), 10))
        index.close()
    except IndexFailure:
        return "IndexFailure"
    return "whole" if whole else "the count tells"


def test_a_damaged_collection_is_set_aside_and_made_anew(filled: Path):
    (filled / "notes" / "edge_config.json").write_text("{")
    index = opened(filled)
    for stamp_again in ("", "-2"):
        with pytest.raises(IndexFailure, match="notes"):
            index.count("notes")
        aside = index.set_aside("notes", "20261130T101500")
        assert aside == filled / f"notes.damaged-20261130T101500{stamp_again}"
        assert aside.is_dir()
        assert index.collections() == []
        index.ensure("notes")
        index.upsert("notes", points(0, 5))
        assert index.count("notes") == 5
        index.close()
        (filled / "notes" / "edge_config.json").write_text("{")
        index = opened(filled)
    assert index.set_aside("absent", "x") is None
    with pytest.raises(InvalidInput):
        index.set_aside("notes", "../x")


def test_an_index_of_another_dimension_is_not_read_as_ours(filled: Path):
    index = EdgeIndex(filled, 5, min_free=0)
    with pytest.raises(IndexFailure):
        index.count("notes")
    index.close()


def test_below_the_free_space_nothing_is_written_and_reading_and_closing_go_on(filled: Path):
    index = opened(filled, min_free=2**62)
    for write in (
        lambda: index.ensure("ideas"),
        lambda: index.upsert("notes", points(200, 1)),
        lambda: index.delete("notes", [points(0, 1)[0].id]),
        lambda: index.optimize("notes"),
    ):
        with pytest.raises(DiskFull, match="MB are free"):
            write()
    assert index.count("notes") == 100
    assert index.collections() == ["notes"]
    index.flush()
    index.close()


def test_a_point_the_engine_cannot_hold_is_an_index_failure_and_writes_nothing(filled: Path):
    index = opened(filled)
    good, other = points(200, 2)
    for bad in (Point("no uuid", good.dense, good.sparse, good.payload), Point(*_odd(other))):
        with pytest.raises(IndexFailure, match="notes"):
            index.upsert("notes", [good, bad])
    assert index.count("notes") == 100
    index.close()


def _odd(point: Point) -> tuple[str, object, Sparse, dict[str, str]]:
    return point.id, point.dense, point.sparse, {"memory": point.id, "project": "\ud800"}


def test_a_panic_of_the_engine_is_an_index_failure_and_the_shard_is_read_anew(filled: Path):
    class PanicException(BaseException):
        pass

    def panic(_: object) -> None:
        raise PanicException("index out of bounds")

    index = opened(filled)
    assert index.count("notes") == 100
    with pytest.raises(IndexFailure, match="index out of bounds"):
        index._shard("notes").call("searched", panic)
    assert index.count("notes") == 100
    index.close()


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_goes_through(filled: Path, stop: type[BaseException]):
    def interrupted(_: object) -> None:
        raise stop

    index = opened(filled)
    with pytest.raises(stop):
        index._shard("notes").call("searched", interrupted)
    assert index.count("notes") == 100
    index.close()


def test_links_are_refused_and_what_they_point_to_stays(filled: Path, tmp_path: Path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("x")
    (filled / "linked").symlink_to(outside)
    (filled / "_old-linked").symlink_to(outside)
    (filled / "notes" / "inside").symlink_to(outside)
    index = opened(filled)
    for verb in (index.ensure, index.drop, index.count, lambda name: index.set_aside(name, "x")):
        with pytest.raises(InvalidInput, match="link"):
            verb("linked")
    with pytest.raises(IndexFailure, match="link"):
        index.count("notes")
    index.drop("notes")
    assert (outside / "precious").read_text() == "x"
    index.close()


def test_a_closed_index_stays_closed(filled: Path):
    index = opened(filled)
    index.count("notes")
    held = index._shard("notes")
    index.close()
    index.close()
    with pytest.raises(IndexFailure, match="closed"):
        index.count("notes")
    with pytest.raises(IndexFailure, match="closed"):
        held.call("counted", lambda shard: shard)
    again = opened(filled)
    assert again.count("notes") == 100
    again.close()


def test_threads_share_it(filled: Path):
    index = opened(filled)
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        try:
            for n in range(10):
                index.upsert("notes", points(1000 * seed + n, 1))
                assert index.search("notes", Query(points(0, 1)[0].dense, None, Filter(), 5)).dense
            index.flush()
        except (IndexFailure, AssertionError, RuntimeError) as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert index.count("notes") == 140
    index.close()
