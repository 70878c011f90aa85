"""How much of a category one plan may take."""

from __future__ import annotations

_FEW = 10
"""Of fewer memories, one in three is not a landslide."""


def stops(touched: int, total: int, free: int, limit: float) -> bool:
    """Whether a plan that takes `touched` of a category's `total` memories must stop and ask: more than its share
    (0 to 1), or all of the `free` ones, which are not pinned. A limit of 1 says that a plan may take all."""
    return limit < 1 and ((total >= _FEW and touched > limit * total) or empties(touched, free))


def empties(touched: int, free: int) -> bool:
    """Whether nothing but the pinned would be left of a category of ten or more."""
    return free >= _FEW and touched >= free
