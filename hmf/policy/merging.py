"""Two memories that say the same become one, and nothing that was known of either is lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hmf.memory import Memory


def merged(kept: Memory, others: Sequence[Memory]) -> Memory:
    """`kept` with what was known of the others: their tags, their title where it has none, true and known since the
    earliest of them, verified when the last of them was told or checked (to be told again is a confirmation)."""
    all_ = [kept, *others]
    told = [m.learnt_at for m in all_] + [m.verified_at for m in all_ if m.verified_at is not None]
    known = min(m.learnt_at for m in all_)
    latest = max(told)
    return replace(
        linked(kept, others),
        tags=tuple(dict.fromkeys(tag for m in all_ for tag in m.tags)),
        title=next((m.title for m in all_ if m.title), None),
        valid_from=min(m.valid_from for m in all_),
        learnt_at=known,
        verified_at=latest if latest > known else kept.verified_at,
    )


def linked(kept: Memory, others: Sequence[Memory]) -> Memory:
    """`kept` as what takes the place of the others."""
    return replace(kept, supersedes=tuple(dict.fromkeys([*kept.supersedes, *(m.id for m in others)])))
