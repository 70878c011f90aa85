"""Which rule of a policy a memory falls under."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from functools import lru_cache

from hmf.memory import Kind, Memory, Policy, Status, When

_NAMES = tuple(field.name for field in fields(When))


def fits(when: When, memory: Memory) -> bool:
    """Whether every condition given holds. Names and codes are read without case, `fr-CA` is French."""
    return (
        (not when.kinds or memory.kind in when.kinds)
        and (not when.statuses or memory.status in when.statuses)
        and (not when.projects or (memory.project or "").casefold() in _folded(when.projects))
        and (not when.sources or memory.source.type.casefold() in _folded(when.sources))
        and (not when.languages or _tongue(memory.language) in _folded(when.languages))
    )


def governing(policy: Policy, memory: Memory) -> tuple[When | None, Policy]:
    """The first rule that fits, as its condition and its policy; where none does, the policy itself."""
    for rule in policy.rules:
        if fits(rule.when, memory):
            return rule.when, rule.policy
    return None, policy


def covers(earlier: When, later: When) -> bool:
    """Whether all that fits the later condition fits the earlier one too."""
    pairs = ((getattr(earlier, name), getattr(later, name)) for name in _NAMES)
    return all(not wide or (narrow and _texts(narrow) <= _texts(wide)) for wide, narrow in pairs)


def encoded(when: When) -> str:
    """The condition as JSON, so that a reason can carry it wherever the reason goes."""
    given = {name: sorted(str(value) for value in getattr(when, name)) for name in _NAMES if getattr(when, name)}
    return json.dumps(given, ensure_ascii=False)


def decoded(text: str) -> When:
    """The inverse of `encoded`. Raises ValueError on anything else."""
    given = json.loads(text)
    if not isinstance(given, dict) or not given.keys() <= set(_NAMES):
        raise ValueError(f"{text!r} is not a condition")
    parts = {name: frozenset(str(value) for value in values) for name, values in given.items()}
    kinds, statuses = parts.pop("kinds", frozenset()), parts.pop("statuses", frozenset())
    return When(kinds=frozenset(map(Kind, kinds)), statuses=frozenset(map(Status, statuses)), **parts)


def every_policy(policy: Policy) -> Iterator[Policy]:
    """The policy itself, then those of its rules."""
    yield policy
    for rule in policy.rules:
        yield rule.policy


@lru_cache(maxsize=256)
def _folded(values: frozenset[str]) -> frozenset[str]:
    return frozenset(value.casefold() for value in values)


@lru_cache(maxsize=256)
def _tongue(code: str) -> str:
    return code.casefold().split("-")[0].split("_")[0]


def _texts(values: frozenset[str]) -> frozenset[str]:
    return _folded(frozenset(str(value) for value in values))
