"""An open memory for tests: throw-away folder, injected clock, light embedder; the engines a test asks for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hmf import Hmf

LIGHT: dict[str, Any] = {
    "embedder": {"name": "hash"},
    "store": {"index": {"engine": "memory"}, "min_free_mb": 1},
    "timezone": "Europe/Paris",
}
EDGE: dict[str, Any] = {**LIGHT, "store": {"index": {"engine": "edge"}, "min_free_mb": 1}}


class Clock:
    """A clock that moves only when told."""

    def __init__(self, moment: datetime = datetime(2026, 11, 30, 9, tzinfo=UTC)) -> None:
        self.moment = moment

    def __call__(self) -> datetime:
        return self.moment

    def forward(self, **span: float) -> None:
        self.moment += timedelta(**span)


def open_memory(home: Path, clock: Clock | None = None, config: Mapping[str, Any] = LIGHT) -> Hmf:
    return Hmf.open(home=home, config=config, now=clock or Clock())
