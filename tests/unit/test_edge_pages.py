"""Giving pages back: less is resident, nothing is lost."""

import mmap
import re
import sys
from pathlib import Path

import pytest

from hmf.index.edge_pages import give_back

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="pages are given back on Linux only")

PAGE = mmap.PAGESIZE


def resident(file: Path) -> int:
    """Kilobytes of the file's maps that count as this process's."""
    parts = re.split(r"^[0-9a-f]+-[0-9a-f]+ ", Path("/proc/self/smaps").read_text(), flags=re.MULTILINE)
    return sum(int(re.search(r"Rss:\s+(\d+)", part)[1]) for part in parts if str(file) in part.split("\n")[0])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "café index" / "wal" / "open-1"
    made.parent.mkdir(parents=True)
    made.write_bytes(b"\0" * (64 * PAGE))
    return made


def test_what_was_written_and_not_yet_synced_is_still_there(file: Path):
    with file.open("r+b") as opened, mmap.mmap(opened.fileno(), 0) as shared:
        for n in range(64):
            shared[n * PAGE] = n + 1
        before = resident(file)
        give_back(file.parent.parent)
        assert resident(file) <= before - 60 * PAGE // 1024
        assert [shared[n * PAGE] for n in range(64)] == list(range(1, 65))
    assert [file.read_bytes()[n * PAGE] for n in range(64)] == list(range(1, 65))


def test_a_private_map_and_another_folder_are_left_alone(file: Path, tmp_path: Path):
    other = tmp_path / "café index 2"
    other.write_bytes(b"\0" * (8 * PAGE))
    with (
        file.open("r+b") as opened,
        other.open("r+b") as beside,
        mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_COPY) as private,
        mmap.mmap(beside.fileno(), 0) as elsewhere,
    ):
        private[0] = elsewhere[0] = 7
        before = resident(other)
        give_back(file.parent.parent)
        assert private[0] == 7
        assert resident(other) == before > 0
