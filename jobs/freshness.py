"""Whether summaries still stand: what became of the originals each was made from.

A source that was changed, retired, pinned, moved to another category or forgotten by a person makes a summary stale.
One archived in place, or let go by a policy, does not: outliving its details is what a summary is for.
`hmf.policy.lineage` says when a source counts as changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from hmf.memory import RETIRED, Category, Confirm, Level, Memory, Status, Tier
from hmf.plan import Action, Reason, Verb, View
from hmf.policy import lineage
from hmf.policy.clusters import in_time
from jobs.common import summarising, target

_PART = 50
"""Summaries examined with one read of their sources."""


@dataclass(frozen=True, slots=True)
class Known:
    """A live summary and the sources it still has, in order of time.

    `changed` counts sources that changed or left since it was written, `forgotten` those a person forgot. `outlived`
    says that a policy let some go, so that it cannot be rebuilt. `joining` collects new details that belong to it.
    """

    summary: Memory
    sources: Sequence[Memory]
    changed: int
    forgotten: int
    outlived: bool
    joining: list[Memory] = field(default_factory=list)

    @property
    def overview(self) -> bool:
        """Whether it speaks of the whole category."""
        return self.summary.drawn is not None and self.summary.drawn.level is Level.CATEGORY

    @property
    def stale(self) -> int:
        """How many of its sources it no longer speaks for; 0 when it is fresh."""
        return self.changed + self.forgotten


def known_summaries(view: View, category: Category) -> list[Known]:
    """The category's live summaries in order of id; pinned and retired ones are out of reach."""
    rows = view.memories(category=category.name, tiers=(Tier.SUMMARY,))
    summaries = [s for s in rows if s.summary_of and not s.pinned and s.status not in RETIRED]
    found: list[Known] = []
    for start in range(0, len(summaries), _PART):
        part = summaries[start : start + _PART]
        wanted = list(dict.fromkeys(i for s in part for i in s.summary_of))
        present = view.get(wanted)
        missing = [i for i in wanted if i not in present]
        gone = view.let_go(missing) if missing else frozenset()
        found += [_examined(s, present, gone) for s in part]
    return found


def let_go(known: Known, category: Category) -> Iterator[Action]:
    """What becomes of a stale summary that cannot be rebuilt.

    One whose details a policy let go is all that is left of them: a person decides, and is asked once.
    """
    reason = Reason("summary_stale", {"changed": known.stale})
    about = (target(known.summary),)
    if not known.outlived:
        yield Action(Verb.FORGET, about, reason, category.name, summarising(category))
    elif known.forgotten:
        yield Action(Verb.FORGET, about, reason, category.name, Confirm.ASK)
    elif known.summary.status is not Status.TO_VERIFY:
        yield Action(Verb.FLAG, about, reason, category.name, Confirm.ASK)


def _examined(summary: Memory, present: Mapping[str, Memory], gone: Set[str]) -> Known:
    found = [present[i] for i in dict.fromkeys(summary.summary_of) if i in present]
    lost = [i for i in dict.fromkeys(summary.summary_of) if i not in present]
    outlived = any(i in gone for i in lost)
    stand = in_time(m for m in found if _stands(m, summary))
    changed = set(lineage.changed(summary, present)) | {m.id for m in found if m.pinned}
    if outlived:
        # Where a person looks, what changed before the last look is settled; a rebuild settles it by itself.
        changed = {m.id for m in found if m.id in changed and m.revision > summary.revision}
    elif summary.drawn is None or (stand and lineage.weakest_status(stand) is not summary.status):
        changed |= {m.id for m in stand if m.revision > summary.revision} or {summary.id}
    return Known(
        summary=summary,
        sources=stand,
        changed=len(changed),
        forgotten=sum(i not in gone for i in lost),
        outlived=outlived,
    )


def _stands(source: Memory, summary: Memory) -> bool:
    here = source.category == summary.category and source.tier in (Tier.DETAIL, Tier.ARCHIVE)
    return here and source.status not in RETIRED and not source.pinned
