"""What a person answered to proposals before, and whether it still holds: who said no twice is not asked again.

An answer is about one question (what would be done, for which reason, where to) on memories in one state. It lapses
when a person changes one of the memories, or when the limit that the policy goes by is another one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from enum import StrEnum

from hmf.durations import Duration
from hmf.memory import Memory
from hmf.policy.retention import edge

ENOUGH = 2
"""Kept so many times, a memory is not proposed again by that policy until something changes."""

_ONE_BY_ONE = frozenset({"stale", "expired", "expired_age", "project_finished"})
"""Reasons that hold of each memory by itself, however a job gathers them in one action."""


class Answer(StrEnum):
    """What a person can say to a proposal."""

    APPROVE = "approve"
    REFUSE = "refuse"
    KEEP = "keep"
    ARCHIVE = "archive"
    EDIT = "edit"
    MERGE = "merge"
    FORGET = "forget"
    POSTPONE = "postpone"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Past:
    """One answer that was given. `states`: each memory it was about, and its state then (see `state`).

    `limit`: that of the policy then, as `60d`. `at` is None in ledgers of before it was kept.
    """

    answer: Answer
    states: Mapping[str, str]
    limit: str | None
    at: datetime | None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """A question is not asked. `until`: it was postponed, and comes back then."""

    until: datetime | None = None


_SAME = {"replaced": "contradiction", "conflict": "contradiction", "duplicate": "copies", "twin": "copies"}
"""Reasons under which the same is asked of the same memories, whatever would be done about it."""


def question(verb: str, code: str, to_category: str | None) -> str:
    """What is asked: two proposals of one question on the same memories are the same to a person."""
    return _SAME.get(code) or f"{verb} {code} {to_category or ''}"


def state(memory: Memory) -> str:
    """What a person may change of a memory, as one word: two equal ones are the same case.

    Clocks that verify, marks of jobs and links between memories are no part of it.
    """
    said = [
        memory.content_hash,
        memory.category,
        memory.project,
        str(memory.kind),
        sorted(memory.tags),
        memory.valid_from.isoformat(),
        memory.expires_at.isoformat() if memory.expires_at else None,
    ]
    return hashlib.sha256(json.dumps(said, ensure_ascii=False).encode()).hexdigest()[:16]


def held(
    states: Mapping[str, Collection[str]],
    code: str,
    limit: str | None,
    past: Sequence[Past],
    *,
    now: datetime,
    zone: tzinfo,
) -> Held | None:
    """Whether a question (the reason `code`, on memories in these states) is not asked at `now`.

    `past`: the answers given to the same question; `states`: by memory id, the words under which an answer may know its
    state. A reason that holds of each memory alone is held when each is; any other, by one answer about all of them.
    """
    same = [one for one in past if one.limit == limit]
    if not states or not same:
        return None
    groups = [[name] for name in states] if code in _ONE_BY_ONE else [list(states)]
    found = []
    for names in groups:
        about = [one for one in same if all(one.states.get(name) in states[name] for name in names)]
        verdict = _standing(about, limit, now, zone)
        if verdict is None:
            return None
        found.append(verdict)
    untils = [one.until for one in found if one.until is not None]
    return Held(max(untils)) if untils else Held()


def _standing(about: Sequence[Past], limit: str | None, now: datetime, zone: tzinfo) -> Held | None:
    if any(one.answer is Answer.REFUSE for one in about):
        return Held()
    kept = [one.at for one in about if one.answer is Answer.KEEP and one.at is not None]
    if len(kept) >= ENOUGH or any(limit is None or at >= edge(Duration.parse(limit), now, zone) for at in kept):
        return Held()
    later = [one.until for one in about if one.answer is Answer.POSTPONE and one.until is not None and one.until > now]
    return Held(max(later)) if later else None
