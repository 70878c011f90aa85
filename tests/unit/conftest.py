from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hmf import Hmf
from tests.service import Clock, open_memory


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def hmf(tmp_path: Path, clock: Clock) -> Iterator[Hmf]:
    with open_memory(tmp_path / "home", clock) as opened:
        yield opened
