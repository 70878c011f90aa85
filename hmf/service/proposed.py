"""Proposals as values that JSON can hold: each with its memories, their clocks and neighbours, and what can be said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from hmf.ledger.plan_json import action_json, note_json
from hmf.ledger.plans import FiledPlan
from hmf.memory import Confirm, Memory
from hmf.plan import Action, Note, Plan
from hmf.policy.answers import Answer
from hmf.policy.sentences import say, told
from hmf.service.api import Hmf
from hmf.service.reviewing import Decided
from hmf.service.shapes import Json, memory_json, told_all, told_text

_GIVEN = {Answer.EDIT: " --text TEXT", Answer.MERGE: "=ID", Answer.POSTPONE: "=2w"}


class Proposed:
    """Plans for screens and programs, over one open memory."""

    def __init__(self, memory: Hmf) -> None:
        """Read from `memory`."""
        self._m = memory

    def waiting(self, namespace: str, neighbours: int = 0) -> Json:
        """Everything that waits for a decision, and what the jobs have seen besides. `neighbours`: so many memories
        near each."""
        plans = [self.plan(one.plan, one) for one in self._m.plans(namespace)]
        if neighbours:
            self._add_neighbours(plans, namespace, neighbours)
        notes = [{"job": job, **self.note(note)} for job, note in self._m.notes(namespace)]
        return {"plans": plans, "waiting": sum(len(p["actions"]) for p in plans), "notes": notes}

    def plan(self, plan: Plan, filed: FiledPlan | None = None) -> Json:
        """A plan with its actions; those that wait where it is filed, all of them where it is not."""
        actions = filed.undecided if filed else plan.actions
        ids = [target.id for action in actions for target in action.targets]
        rows = self._m.store.ledger.get(ids, plan.namespace)
        recalled = self._m.store.marks.last_recalled(list(rows))
        return {
            "id": plan.id,
            "job": plan.job,
            "namespace": plan.namespace,
            "made_at": plan.made_at.isoformat(),
            "stops": [
                {"category": s.category, "touched": s.touched, "total": s.total, "limit": s.limit} for s in plan.stops
            ],
            "actions": [self._action(action, rows, recalled, filed) for action in actions],
            "notes": [self.note(note) for note in plan.notes],
        }

    def note(self, note: Note) -> Json:
        """What a job has seen."""
        ids = [one for part in note.parts for one in part.examples]
        rows = self._m.store.ledger.get(ids)
        data = {**note_json(note), "key": note.key, "why": say(note, self._m.store.language)}
        for part in data["parts"]:
            part["examples"] = [{"id": one, "text": rows[one].text} for one in part["examples"] if one in rows]
        return data

    def neighbours(self, ids: Sequence[str], namespace: str, k: int) -> Json:
        """The memories nearest to each of these."""
        found, language = self._m.neighbours(ids, k, namespace), self._m.store.language
        return {
            one: [{"nearness": n.nearness, "memory": memory_json(n.memory, language)} for n in near]
            for one, near in found.items()
        }

    def _action(
        self,
        action: Action,
        rows: Mapping[str, Memory],
        recalled: Mapping[str, tuple[datetime, int]],
        filed: FiledPlan | None,
    ) -> Json:
        outcome = filed.outcomes[action.key] if filed else ("undecided", None)
        since = filed.since.get(action.key) if filed else None
        return {
            **action_json(action),
            "key": action.key,
            "why": say(action.reason, self._m.store.language),
            "outcome": outcome[0],
            "note": told_text(outcome[1], self._m.store.language),
            "since": since.isoformat() if since else None,
            "memories": [
                _memory(rows[t.id], recalled.get(t.id), self._m.store.language) for t in action.targets if t.id in rows
            ],
            "commands": commands(action),
        }

    def _add_neighbours(self, plans: Sequence[Json], namespace: str, k: int) -> None:
        memories = [row for plan in plans for action in plan["actions"] for row in action["memories"]]
        found = self.neighbours(list(dict.fromkeys(row["id"] for row in memories)), namespace, k)
        for row in memories:
            row["neighbours"] = found.get(row["id"], [])


def commands(action: Action) -> dict[str, str]:
    """The command that gives each answer; what is only reported cannot be approved."""
    said = [answer for answer in Answer if answer is not Answer.APPROVE or action.confirm is not Confirm.NEVER]
    return {str(one): f"hmf review --{one} {action.key}{_GIVEN.get(one, '')}" for one in said}


def decided_json(done: Decided, language: str) -> Json:
    """What an answer did."""
    return {
        "answer": str(done.answer),
        "plan": done.plan,
        "batch": done.batch,
        "decided": list(done.decided),
        "skipped": [{"action": key, "why": told(why, language)} for key, why in done.skipped],
        "notes": told_all(done.notes, language),
    }


def _memory(row: Memory, recalled: tuple[datetime, int] | None, language: str) -> Json:
    last = {"last_at": recalled[0].isoformat(), "times": recalled[1]} if recalled else None
    return {**memory_json(row, language), "recalled": last}
