"""Where to look beside the best candidates: the turns before and after them in their sessions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from hmf.memory import Memory
from hmf.policy.structure import NEAR

_SHARES = (1.0, 0.5, 0.4)
"""What a memory, those one place away and those two places away count in their scene."""

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


def scenes(
    memories: Iterable[Memory], vectors: Mapping[str, NDArray[np.float32]], question: NDArray[np.float32]
) -> dict[str, float]:
    """The cosine of the question and each memory's scene: the sum of its vector and of those up to two places away.

    Of memories with a session, a position and a vector. What stands beside one and is not among them does not count.
    """
    places: dict[tuple[str, int], NDArray[np.float32]] = {}
    found: dict[str, tuple[str, int]] = {}
    for memory in memories:
        if memory.session is not None and memory.position is not None and memory.id in vectors:
            found[memory.id] = place = (memory.session, memory.position)
            places[place] = places[place] + vectors[memory.id] if place in places else vectors[memory.id]
    return {key: _scene(session, position, places, question) for key, (session, position) in found.items()}


def _scene(
    session: str, position: int, places: Mapping[tuple[str, int], NDArray[np.float32]], question: NDArray[np.float32]
) -> float:
    whole = places[session, position].copy()
    for away, share in enumerate(_SHARES[1:], 1):
        for place in ((session, position - away), (session, position + away)):
            if place in places:
                whole += share * places[place]
    return float(whole @ question) / (float(np.linalg.norm(whole)) or 1.0)
