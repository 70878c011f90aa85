"""The expire job: what a policy lets go by its date, its age, or the end of its project.

Details of a finished project go only once a summary speaks of them: where none does, the plan writes it first, and each
forgetting comes `after` it. Decisions, constraints and what else the rule keeps stay, and so do summaries.

Cost: reads the rows with a past expiry date, the rows older than the age limit, and the rows of finished projects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from hmf.memory import RETIRED, Category, Confirm, Memory, Tier
from hmf.plan import Action, Plan, Reason, Verb, View
from hmf.policy import clusters
from hmf.policy.conditions import every_policy
from hmf.policy.reach import expiry_reach
from hmf.policy.retention import Fate, Verdict, verdict
from jobs.common import draft, finish, reason, sorted_categories, target, targets, youngest

_REACH = (Tier.DETAIL, Tier.ARCHIVE)
Going = dict[str, tuple[Memory, Verdict]]


@dataclass(frozen=True, slots=True)
class Expire:
    """Plans FORGET actions, one a memory, and SUMMARISE actions for finished projects."""

    name: str = "expire"

    def plan(self, view: View, now: datetime) -> Plan:
        """Propose what is let go at `now`."""
        actions = [a for category in sorted_categories(view) for a in _category(view, category, now)]
        return finish(self.name, view, now, actions)


def _category(view: View, category: Category, now: datetime) -> Iterator[Action]:
    going: Going = {}
    last = youngest(view, category)
    for memory in _candidates(view, category, now):
        found = verdict(memory, category, view.projects, now, view.zone, last=last)
        if found and found.fate is Fate.FORGET:
            going[memory.id] = (memory, found)
    of_project = [memory for memory, found in going.values() if found.code == "project_finished"]
    spoken = _spoken_for(view, of_project)
    silent = [memory for memory in of_project if memory.id not in spoken]
    after: dict[str, str] = {}
    for project, members in clusters.by_project(silent).items():
        for action in _summaries(view, category, project, members, going):
            after.update({t.id: action.key for t in action.targets})
            yield action
    for memory in silent:
        if memory.id not in after:  # no sentence of it fits in a summary: it stays, rather than go unspoken for
            del going[memory.id]
    for memory, found in going.values():
        yield Action(
            Verb.FORGET,
            (target(memory),),
            reason(found),
            category.name,
            found.confirm,
            after=after.get(memory.id),
        )


def _candidates(view: View, category: Category, now: datetime) -> Iterator[Memory]:
    yield from view.memories(category=category.name, tiers=_REACH, expired_by=now)
    policy = category.policy
    reach = expiry_reach(policy, now, view.zone)
    if reach is not None:
        yield from view.memories(category=category.name, tiers=_REACH, **reach.asked)
    if any(one.on_project_finished is not None for one in every_policy(policy)):
        for name in sorted(n for n, p in view.projects.items() if p.finished_at is not None):
            yield from view.memories(category=category.name, project=name)


def _summaries(
    view: View, category: Category, project: str | None, members: Sequence[Memory], going: Going
) -> Iterator[Action]:
    """The summaries that must exist before these go. They wait for the same person, so that both happen at once."""
    for group in clusters.split(members):
        written = draft(group, view, category.name, project)
        if written is not None:
            asks = {going[m.id][1].confirm for m in group}
            yield Action(
                verb=Verb.SUMMARISE,
                targets=targets(group),
                reason=Reason("project_finished", going[group[0].id][1].values),
                category=category.name,
                confirm=min(asks, key=[Confirm.AUTO, Confirm.ASK, Confirm.NEVER].index),
                draft=written,
            )


def _spoken_for(view: View, memories: Sequence[Memory]) -> set[str]:
    """Those that may go without a new summary: a live one has them among its sources, or they are no longer true."""
    found = view.get(sorted({m.summarised_in for m in memories if m.summarised_in}))
    told = {source for s in found.values() if s.status not in RETIRED for source in s.summary_of}
    return {m.id for m in memories if not m.current or m.id in told}


job = Expire()
