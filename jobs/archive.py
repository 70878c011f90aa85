"""The archive job: what nobody touched past the category's limit goes to the archive, with a summary where asked.

Cost: reads the rows older than the shortest limit of the policy's rules (all rows of a category whose policy does not
count all three clocks), and drafts one summary for every forty memories that go together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from hmf.memory import RETIRED, Category, Confirm, Memory
from hmf.plan import Action, Draft, Plan, Verb, View
from hmf.policy import clusters
from hmf.policy.reach import stale_reach
from hmf.policy.retention import Fate, Verdict, verdict
from jobs.common import draft, finish, reason, sorted_categories, targets, youngest

_LONG = 400
"""Characters from which a memory that goes alone leaves a summary; a shorter one is its own."""


@dataclass(frozen=True, slots=True)
class Archive:
    """Plans ARCHIVE actions. `to_category` is None for the archive tier of the memory's own category."""

    name: str = "archive"

    def plan(self, view: View, now: datetime) -> Plan:
        """Propose what is stale at `now`.

        Memories of one project go together, forty at most an action; those without a project go one by one, so that
        a person can let one idea go and keep another.
        """
        actions = [a for category in sorted_categories(view) for a in _category(view, category, now)]
        return finish(self.name, view, now, actions)


def _category(view: View, category: Category, now: datetime) -> Iterator[Action]:
    reach = stale_reach(category.policy, now, view.zone)
    if reach is None:
        return
    last = youngest(view, category)
    going: dict[str, Verdict] = {}
    alike: dict[tuple[str, Confirm], list[Memory]] = {}
    for memory in view.memories(category=category.name, **reach.asked):
        found = verdict(memory, category, view.projects, now, view.zone, last=last)
        if found and found.fate is Fate.ARCHIVE:
            going[memory.id] = found
            alike.setdefault((found.archive_to or category.name, found.confirm), []).append(memory)
    for memories in alike.values():  # what goes elsewhere, or asks somebody else, does not go together
        for project, members in clusters.by_project(memories).items():
            for group in _groups(members, project, together=category.policy.summarise):
                yield _archive(view, category, project, group, going)


def _groups(members: Sequence[Memory], project: str | None, *, together: bool) -> list[list[Memory]]:
    if together and project is not None and len(members) >= clusters.LEAST:
        return clusters.split(members)
    return [[m] for m in members]


def _archive(
    view: View, category: Category, project: str | None, group: Sequence[Memory], going: dict[str, Verdict]
) -> Action:
    latest = min((going[m.id] for m in group), key=lambda v: v.values["days"])
    return Action(
        verb=Verb.ARCHIVE,
        targets=targets(group),
        reason=reason(latest),
        category=category.name,
        confirm=latest.confirm,
        to_category=latest.archive_to,
        draft=_draft(view, category, project, group, latest.archive_to),
    )


def _draft(
    view: View, category: Category, project: str | None, group: Sequence[Memory], archive_to: str | None
) -> Draft | None:
    """A summary in the place the memories go to, unless they stay where a summary already speaks of them."""
    if not category.policy.summarise or (len(group) == 1 and len(group[0].text) <= _LONG):
        return None
    stays = archive_to is None
    if all(m.status in RETIRED or (stays and m.summarised_in) for m in group):
        return None
    return draft(group, view, archive_to or category.name, project)


job = Archive()
