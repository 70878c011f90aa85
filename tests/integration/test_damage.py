"""Damaged files, full disks, other owners, other embedders: HMF starts or says why not, and nothing is lost."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from hmf import Hmf
from hmf.errors import DiskFull, ManifestMismatch, StoreDamaged, StoreLocked
from tests.integration.torture_child import CONFIG, fact

ROOT = Path(__file__).parent.parent.parent
TEXTS = {
    category: [
        f"{category} {n} : la mareyeuse range le dossier {category}{n}z et le carnet k{n}{category}." for n in range(8)
    ]
    for category in ("clients", "ideas")
}


def _half(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _flipped(data: bytes) -> bytes:
    """A tenth of the bytes that are not zero, each turned over."""
    changed, drawn = bytearray(data), random.Random(7)
    for place in (n for n, byte in enumerate(data) if byte and drawn.random() < 0.1):
        changed[place] ^= 0xFF
    return bytes(changed)


KINDS: dict[str, Callable[[bytes], bytes | None]] = {
    "cut in half": _half,
    "without its last byte": lambda data: data[:-1],
    "emptied": lambda _data: b"",
    "flipped": _flipped,
    "overwritten": lambda data: b"not an index\n" * (len(data) // 13 + 1),
    "deleted": lambda _data: None,
}


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder in memory where there is one: what is tested here is what files say, not how fast a disk is."""
    shared = Path("/dev/shm")
    with TemporaryDirectory(prefix="hmf-damage-", dir=shared if os.access(shared, os.W_OK) else None) as folder:
        yield Path(folder)


@pytest.fixture
def facts(home: Path) -> dict[str, list[Any]]:
    """What the store in `home` holds: sixteen notes in two categories."""
    with Hmf.open(home, CONFIG) as memory:
        for category, texts in TEXTS.items():
            for text in texts:
                memory.add(text, category=category, language="fr")
        return _facts(memory)


def _facts(memory: Hmf) -> dict[str, list[Any]]:
    return {m.id: fact(m) for m in memory.memories(limit=None)}


def _whole(memory: Hmf, facts: dict[str, list[Any]]) -> None:
    """Every note answers to its own words, once, at the first search, and the doctor is content."""
    for memory_id, (text, *_) in facts.items():
        assert [hit.memory.id for hit in memory.search(text).hits].count(memory_id) == 1, text
    assert _facts(memory) == facts
    assert [check for check in memory.doctor() if not check.well] == []


def _shard(home: Path) -> Path:
    [shard] = (home / "data" / "index").glob("clients.g[0-9]")
    return shard


def _write(file: Path, data: bytes | None) -> None:
    """The data without its long runs of zeros on the disk: the files of a shard are mostly holes."""
    if data is None:
        file.unlink()
        return
    with file.open("wb") as out:
        out.truncate(len(data))
        for start in range(0, len(data), 4096):
            if any(page := data[start : start + 4096]):
                out.seek(start)
                out.write(page)


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_of_the_index_is_survived_and_reported(
    home: Path, facts: dict[str, list[Any]], kind: str
) -> None:
    drawn, repaired = random.Random(kind), 0
    for _ in range(8):
        # One file of each name at most: a shard has a hundred, most of them the same for another field.
        named = {file.name: file for file in sorted(_shard(home).rglob("*")) if file.is_file()}
        victim = named[drawn.choice(sorted(named))]
        _write(victim, KINDS[kind](victim.read_bytes()))
        with Hmf.open(home, CONFIG) as memory:
            _whole(memory, facts)
            [index] = [check for check in memory.doctor() if check.name == "index"]
            for repair in memory.stats()["repairs"]:
                repaired += 1
                assert repair in index.found
                assert repair.startswith("clients was damaged")
                assert list((home / "data" / "index").glob("clients.g*.damaged-*"))
    assert repaired, f"no file {kind} was ever noticed"


@pytest.mark.parametrize("name", ["chunk_0.mmap", "mutable_id_tracker.mappings", "page_0.dat", "segment.json"])
def test_damage_that_shows_in_use_is_mended_there(home: Path, facts: dict[str, list[Any]], name: str) -> None:
    """Every file of the name emptied at once: some of it shows when the shard is loaded, some only at a search."""
    for file in [file for file in _shard(home).rglob(name) if file.is_file()]:
        _write(file, b"")
    with Hmf.open(home, CONFIG) as memory:
        _whole(memory, facts)
        assert len(memory.stats()["repairs"]) == 1
        added = memory.add("Après la réparation, la mareyeuse range zq9.", category="clients", language="fr")
        assert added.id in [hit.memory.id for hit in memory.search("réparation zq9").hits]
    with Hmf.open(home, CONFIG) as memory:
        assert memory.stats()["repairs"] == []


@pytest.mark.parametrize("what", ["index", "shard", "everything in the shard"])
def test_a_deleted_index_is_built_again(home: Path, facts: dict[str, list[Any]], what: str) -> None:
    target = home / "data" / "index" if what == "index" else _shard(home)
    shutil.rmtree(target)
    if what == "everything in the shard":
        target.mkdir()
    with Hmf.open(home, CONFIG) as memory:
        _whole(memory, facts)
        assert any("clients" in repair for repair in memory.stats()["repairs"])


def test_foreign_files_are_left_alone(home: Path, facts: dict[str, list[Any]]) -> None:
    index = home / "data" / "index"
    foreign = [
        index / "notes.txt",
        index / "Photos" / "été.jpg",
        index / "backup" / "old.db",
        _shard(home) / "mine.txt",
    ]
    for file in foreign:
        file.parent.mkdir(exist_ok=True)
        file.write_text("mine", encoding="utf-8")
    with Hmf.open(home, CONFIG) as memory:
        _whole(memory, facts)
        memory.reindex()
        _whole(memory, facts)
    assert [file.read_text(encoding="utf-8") for file in foreign[:3]] == ["mine"] * 3


def test_a_file_in_the_place_of_a_shard_is_set_aside(home: Path, facts: dict[str, list[Any]]) -> None:
    place = _shard(home)
    shutil.rmtree(place)
    place.write_text("mine", encoding="utf-8")
    with Hmf.open(home, CONFIG) as memory:
        _whole(memory, facts)
    [aside] = place.parent.glob("clients.g*.damaged-*")
    assert aside.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("kind", ["cut in half", "emptied to a header", "overwritten", "flipped"])
def test_a_damaged_ledger_is_refused_and_left_as_it_is(home: Path, facts: dict[str, list[Any]], kind: str) -> None:
    ledger = home / "data" / "ledger.db"
    whole = ledger.read_bytes()
    damaged = {
        "cut in half": whole[: len(whole) // 2],
        "emptied to a header": whole[:100],
        "overwritten": KINDS["overwritten"](whole) or b"",
        "flipped": whole[:16] + bytes(byte ^ 0xFF for byte in whole[16:]),
    }[kind]
    ledger.write_bytes(damaged)
    with pytest.raises(StoreDamaged, match="left untouched") as refused:
        Hmf.open(home, CONFIG)
    assert refused.value.fix
    assert ledger.read_bytes() == damaged
    ledger.write_bytes(whole)
    with Hmf.open(home, CONFIG) as memory:
        _whole(memory, facts)


def test_too_little_free_space_stops_writing_and_not_reading(home: Path, facts: dict[str, list[Any]]) -> None:
    config = {**CONFIG, "store": {"min_free_mb": shutil.disk_usage(home).free // 2**20 + 1000}}
    with Hmf.open(home, config) as memory:
        for write in (
            lambda: memory.add("Une note de trop.", category="clients"),
            lambda: list(memory.add_many(["Une autre de trop."])),
        ):
            with pytest.raises(DiskFull, match="MB are free"):
                write()
        assert _facts(memory) == facts
        for memory_id, (text, *_) in facts.items():
            assert memory_id in [hit.memory.id for hit in memory.search(text).hits]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 700 MB of its own, with all but 76 MB taken."""
    image, folder = tmp_path / "disk.img", tmp_path / "disk"
    folder.mkdir()
    with image.open("wb") as file:
        file.truncate(700 * 2**20)
    made = shutil.which("mkfs.ext4") and shutil.which("mount") and not _status("mkfs.ext4", "-q", "-F", str(image))
    if not made or _status("mount", "-o", "loop", str(image), str(folder)):
        pytest.skip("a full disk needs mkfs.ext4 and the right to mount: run the tests as root")
    (folder / "ballast").write_bytes(bytes(shutil.disk_usage(folder).free - 76 * 2**20))
    yield folder
    assert _status("umount", "-l", str(folder)) == 0


def _status(*command: str) -> int:
    return subprocess.run(command, capture_output=True, check=False).returncode


FILL = """
import sys
from hmf import Hmf
from hmf.errors import DiskFull
from tests.integration.torture_child import CONFIG
store = {"min_free_mb": int(sys.argv[2]), "index": {"engine": sys.argv[3]}}
with Hmf.open(sys.argv[1], {**CONFIG, "store": store}) as memory:
    print("open", flush=True)
    sys.stdin.readline()
    try:
        for n in range(20_000):
            text = f"Note {n}. " + " ".join(f"mot{n}x{i}" for i in range(2000))
            print(memory.add(text, category="clients", language="fr").id, flush=True)
    except DiskFull as error:
        print("refused:", error, flush=True)
"""


def _fill(
    disk: Path, min_free: int, engine: str, meanwhile: Callable[[], None] = lambda: None
) -> tuple[list[str], str]:
    """Another process adds notes until it is refused: the ids it acknowledged, and the refusal. It must not die."""
    with _python(FILL, str(disk), str(min_free), engine) as child:
        assert child.stdout is not None
        assert child.stdout.readline().strip() == "open"
        meanwhile()
        said = child.communicate("go on\n")[0].splitlines()
    assert child.returncode == 0
    return said[:-1], said[-1]


def _python(script: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_a_disk_that_fills_up_keeps_what_was_acknowledged(small_disk: Path) -> None:
    """The guard speaks while the engine still has room: a full disk would kill it."""
    kept, refused = _fill(small_disk, 64, "edge")
    assert len(kept) > 10
    assert refused.startswith("refused: Only 63 MB are free")
    assert "free some space" in refused
    config = {**CONFIG, "store": {"min_free_mb": 64}}
    with Hmf.open(small_disk, config) as memory:
        assert [m.id for m in reversed(memory.memories(limit=None))] == kept
        for n in range(0, len(kept), len(kept) // 10):
            assert kept[n] in [hit.memory.id for hit in memory.search(f"mot{n}x7 mot{n}x9").hits]
    (small_disk / "ballast").unlink()
    with Hmf.open(small_disk, config) as memory:
        assert memory.add("Il y a de nouveau de la place.", category="clients").outcome == "created"
        assert [check for check in memory.doctor() if not check.well] == []


def test_a_disk_that_somebody_else_fills_is_survived(small_disk: Path) -> None:
    """Every byte goes while HMF is open, and its guard is off: the database itself must say it."""

    def take_all() -> None:
        with suppress(OSError), (small_disk / "more").open("wb", buffering=0) as out:
            while True:
                out.write(bytes(2**16))

    config = {**CONFIG, "store": {"min_free_mb": 0, "index": {"engine": "memory"}}}
    with Hmf.open(small_disk, config) as memory:
        first = memory.add("La première note tient.", category="clients").id
    kept, refused = _fill(small_disk, 0, "memory", take_all)
    assert refused.startswith("refused: The disk is full: nothing was written")
    (small_disk / "more").unlink()
    with Hmf.open(small_disk, config) as memory:
        assert [m.id for m in reversed(memory.memories(limit=None))] == [first, *kept]
        assert memory.add("La place est revenue.", category="clients").outcome == "created"
        assert [check for check in memory.doctor() if not check.well] == []


def _owner(home: Path, *, die: bool) -> subprocess.Popen[str]:
    """Another process that has opened the store, added a note, and waits (or kills itself)."""
    script = (
        "import os, signal, sys\n"
        "from hmf import Hmf\n"
        "from tests.integration.torture_child import CONFIG\n"
        "memory = Hmf.open(sys.argv[1], CONFIG, role='the other process')\n"
        "added = memory.add('La note de l autre processus.', category='clients')\n"
        "print(added.id, flush=True)\n"
        f"{'os.kill(os.getpid(), signal.SIGKILL)' if die else 'sys.stdin.read()'}\n"
    )
    return _python(script, str(home))


def test_a_second_process_is_told_who_owns_the_store(home: Path) -> None:
    with _owner(home, die=False) as other:
        assert other.stdout is not None
        told = other.stdout.readline().strip()
        with pytest.raises(StoreLocked) as locked:
            Hmf.open(home, CONFIG)
        assert "the other process" in str(locked.value)
        assert str(other.pid) in str(locked.value)
        other.communicate("")
    with Hmf.open(home, CONFIG) as memory:
        assert memory.get(told).text == "La note de l autre processus."


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="SIGKILL is what this is about")
def test_a_killed_owner_leaves_nothing_to_clean_up(home: Path) -> None:
    with _owner(home, die=True) as other:
        told = other.communicate()[0].strip()
    assert other.returncode == -signal.SIGKILL
    with Hmf.open(home, CONFIG) as memory:
        assert [hit.memory.id for hit in memory.search("note de l'autre processus").hits] == [told]


def test_another_dimension_is_refused_until_a_reindex(home: Path, facts: dict[str, list[Any]]) -> None:
    wider = {**CONFIG, "embedder": {"name": "hash", "dimension": 96}}
    with pytest.raises(ManifestMismatch) as refused:
        Hmf.open(home, wider)
    for said in ("64", "96", "hmf reindex"):
        assert said in str(refused.value)
    with Hmf.open(home, CONFIG) as memory:  # the old setting still works: nothing was touched
        _whole(memory, facts)
    with Hmf.open(home, wider, reindexing=True) as memory:
        assert memory.reindex() == len(facts)
        _whole(memory, facts)
    with Hmf.open(home, wider) as memory:
        _whole(memory, facts)
        assert memory.stats()["repairs"] == []
