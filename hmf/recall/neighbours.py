"""Where to look beside the best candidates: the turns before and after them in their sessions."""

from __future__ import annotations

from collections.abc import Iterable

from hmf.memory import Memory
from hmf.policy.structure import NEAR

MOST = 20
"""How many of the best candidates are looked around. Thirty or sixty found no more."""


def spans(memories: Iterable[Memory], *, reach: int = NEAR) -> list[tuple[str, int, int]]:
    """The places up to `reach` before and after each: (session, first and last position), those that touch joined.

    A memory without a session or a position has none.
    """
    wanted: dict[str, list[int]] = {}
    for memory in memories:
        if memory.session is not None and memory.position is not None:
            wanted.setdefault(memory.session, []).append(memory.position)
    found: list[tuple[str, int, int]] = []
    for session, positions in wanted.items():
        first = last = None
        for position in sorted(positions):
            if first is not None and last is not None and position - reach <= last + 1:
                last = position + reach
                continue
            if first is not None and last is not None:
                found.append((session, first, last))
            first, last = max(0, position - reach), position + reach
        if first is not None and last is not None:
            found.append((session, first, last))
    return found
