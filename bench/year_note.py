"""What a simulated writer tells, with what is true of it kept beside: the ground truth HMF is judged by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(slots=True)
class Told:
    """One note. What only the future knows (`stale`, `free`) is filled in while its story is written.

    `about`: subject and attribute; notes that share them and hold at once say the same `value`. `details`: words that
    must stay findable together. `stale`: spans in which showing it as current is wrong (superseded, refuted, done,
    abandoned). `free`: from when it may leave the present without harm. `asked`: it was forgotten on order.
    """

    key: str
    at: datetime
    text: str
    language: str
    drawers: tuple[str, ...]
    about: tuple[str, str]
    value: str = ""
    details: tuple[str, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    replaces: str | None = None
    """Key of the note it names as replaced; most changes name none."""
    stale: list[tuple[datetime, datetime | None]] = field(default_factory=list)
    free: tuple[datetime, datetime | None] | None = None
    asked: bool = False

    def is_stale(self, now: datetime) -> bool:
        """Whether it must not answer for the present at `now`."""
        return any(start <= now and (end is None or now < end) for start, end in self.stale)

    def may_go(self, now: datetime) -> bool:
        """Whether it may be retired, archived or let go at `now`."""
        free = self.free is not None and self.free[0] <= now and (self.free[1] is None or now < self.free[1])
        return free or self.is_stale(now)


@dataclass(frozen=True, slots=True)
class Order:
    """Something the writer orders. `verb`: finish, reopen (a project), forget, erase (a note, by key)."""

    at: datetime
    verb: str
    name: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the keys of the notes of which one must come back; none and `unknown`: nothing answers.

    `kind`: current, idea, dropped idea, status, detail, history, unknown.
    """

    text: str
    language: str
    kind: str
    gold: frozenset[str] = frozenset()
