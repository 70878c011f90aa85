"""What the review sees of whole categories and cannot mend by an action: too large, or not used.

Cost: a sample of vectors and rows of each category that is too large; for the others the newest date, if nothing in
them is recent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from hmf.memory import Category, Tier
from hmf.plan import Note, Part, View
from hmf.policy import clusters, dividing
from hmf.policy.retention import edge

_SAMPLE = 400
"""Memories by which a category is divided."""

_SHOWN = 3
"""Examples of each part."""

_EVERYWHERE = (Tier.DETAIL, Tier.SUMMARY, Tier.ARCHIVE)


@dataclass(frozen=True, slots=True)
class Used:
    """The current details of a category: their ids in order, and when the last one was learnt."""

    ids: Sequence[str]
    newest: datetime | None


def observed(view: View, now: datetime, details: Mapping[str, Used]) -> Iterator[Note]:
    """What there is to say, category by category."""
    before = edge(view.patience.unused, now, view.zone)
    # Whether there has been something to file for so long at all; the first memories of the categories tell.
    first = view.get([used.ids[0] for used in details.values() if used.ids])
    old_enough = any(m.learnt_at < before for m in first.values())
    for name, used in details.items():
        category = view.categories[name]
        if len(used.ids) > view.patience.large:
            note = _divided(view, category, used.ids)
            if note is not None:
                yield note
        elif category.routable and old_enough and (used.newest is None or used.newest < before):
            yield from _unused(view, category, before)


def _unused(view: View, category: Category, before: datetime) -> Iterator[Note]:
    label = category.label.get(view.language) or category.name
    newest: datetime | None = None
    for memory in view.memories(category=category.name, tiers=_EVERYWHERE):
        if memory.learnt_at >= before:
            return
        newest = max(newest or memory.learnt_at, memory.learnt_at)
    if newest is None:
        yield Note("never_used", {"category": label}, category.name)
    else:
        since = newest.astimezone(view.zone).date().isoformat()
        yield Note("unused", {"category": label, "since": since}, category.name)


def _divided(view: View, category: Category, ids: Sequence[str]) -> Note | None:
    """A division of a large category, where its memories fall into parts that have names."""
    step = max(1, len(ids) // _SAMPLE)
    rows = view.get(ids[::step])
    vectors = view.vectors(sorted(rows))
    scale = clusters.scale({i: vectors[i] for i in clusters.sample(sorted(vectors))})
    if scale is None:
        return None
    seen = [rows[i] for i in sorted(vectors)]
    parts = dividing.divided(clusters.centred(vectors, sorted(vectors), scale))
    names = dividing.named([[seen[n] for n in part] for part in parts], view.language)
    shown = [
        Part(name, round(len(part) / len(seen) * len(ids)), tuple(seen[n].id for n in part[:_SHOWN]))
        for name, part in zip(names, parts, strict=True)
    ]
    if len(shown) < 2:
        return None
    label = category.label.get(view.language) or category.name
    values: dict[str, str | int | float] = {"category": label, "count": len(ids), "parts": len(shown)}
    return Note("too_large", values, category.name, tuple(shown))
