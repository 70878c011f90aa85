"""What playing a scenario gives: values that the measures read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from hmf.evaluation.model import Query, Scenario


class Mode(StrEnum):
    """A: what replaces what is given. B: HMF must find it in the texts."""

    A = "A"
    B = "B"


@dataclass(frozen=True, slots=True)
class Shown:
    """One row of an answer. `item`: the scenario's id; None for a memory HMF made itself, such as a summary."""

    item: str | None
    text: str
    status: str
    tier: str
    flags: tuple[str, ...]
    source: tuple[str, str | None]
    dated: bool


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. `leaks`: the forbidden texts found, each with where."""

    query: Query
    shown: tuple[Shown, ...]
    abstained: bool
    warnings: tuple[str, ...]
    leaks: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """A scenario played: what became of each item, and every reply."""

    scenario: Scenario
    mode: Mode
    replies: tuple[Reply, ...]
    retired: frozenset[str]
    """Items that do not answer for the present any more."""
    stored: Mapping[str, str]
    """What `add` answered, by item: created, duplicate, refused."""
    added_categories: tuple[str, ...] = ()
