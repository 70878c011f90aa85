"""The register of what people answered to proposals. It stands in the actions of the plans themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from sqlalchemy import Connection, select, update

from hmf.ledger import tables as t
from hmf.ledger.rows import memories_by_id
from hmf.plan import Action, Plan
from hmf.policy.answers import Answer, Held, Past, held, question, state

_STANDING = (Answer.REFUSE, Answer.KEEP, Answer.POSTPONE)
"""Answers after which a question may not be asked again."""

UNDECIDED, APPLIED, SKIPPED, REFUSED = "undecided", "applied", "skipped", "refused"
POSTPONED, ANSWERED, HELD = "postponed", "answered", "held"
UNDONE = "undone"
_PART = 500

OUTCOMES = {
    Answer.APPROVE: APPLIED,
    Answer.REFUSE: REFUSED,
    Answer.KEEP: REFUSED,
    Answer.POSTPONE: POSTPONED,
    Answer.UNDECIDED: UNDECIDED,
}
"""What an answer makes of a proposal; any other answers it with something else."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of one action. `states`: each memory it was about, and its state then; `answer` None: a job's own."""

    key: str
    outcome: str
    note: str | None = None
    answer: Answer | None = None
    at: datetime | None = None
    until: datetime | None = None
    batch: str | None = None
    states: Mapping[str, str] | None = None


def limit_of(reason_values: Mapping[str, Any]) -> str | None:
    """The limit that a reason goes by, as its policy writes it."""
    found = reason_values.get("limit")
    return None if found is None else str(found)


def holding(connection: Connection, plan: Plan, now: datetime, zone: tzinfo) -> dict[str, Held]:
    """The actions of a plan, by key, that are not to be asked: what was answered to the same question still holds."""
    asked = defaultdict(list)
    for action in plan.actions:
        asked[question(str(action.verb), action.reason.code, action.to_category)].append(action)
    past = _past(connection, plan.namespace, asked)
    about = [action for one in past for action in asked[one]]
    states = _states(connection, {t.id for action in about for t in action.targets})
    found: dict[str, Held] = {}
    for action in about:
        here = {t.id: {f"r{t.revision}", states.get(t.id, "")} for t in action.targets}
        answers = past[question(str(action.verb), action.reason.code, action.to_category)]
        verdict = held(here, action.reason.code, limit_of(action.reason.values), answers, now=now, zone=zone)
        if verdict is not None:
            found[action.key] = verdict
    return found


def decided_by(connection: Connection, batch_id: str, changed: Collection[str]) -> None:
    """A batch was undone, or its undoing: what it decided on these memories is open again, or decided again."""
    root, depth = batch_id, 0
    while (earlier := _undoes(connection, root)) is not None:
        root, depth = earlier, depth + 1
    c = t.plan_actions.c
    columns = (c.plan_id, c.key, c.body, c.answer, c.outcome, c.note)
    rows = connection.execute(select(*columns).where(c.batch_id == root)).mappings().all()
    for row in rows:
        if not any(target[0] in changed for target in row["body"]["targets"]):
            continue
        here = update(t.plan_actions).where(c.plan_id == row["plan_id"], c.key == row["key"])
        if depth % 2 == 0:
            # What was skipped was not done: it may be asked again, and no undoing of this one does it.
            connection.execute(here.values(outcome=UNDECIDED, note=None if row["outcome"] == SKIPPED else UNDONE))
            connection.execute(_open_again(row["plan_id"]))
        elif row["note"] == UNDONE:
            outcome = OUTCOMES.get(Answer(row["answer"]), ANSWERED) if row["answer"] else APPLIED
            connection.execute(here.values(outcome=outcome, note=None))


def _open_again(plan_id: str) -> Any:
    """A plan that was closed is open again; one that gave way to a newer stays as it is."""
    return update(t.plans).where(t.plans.c.id == plan_id, t.plans.c.state == "closed").values(state="open")


def _undoes(connection: Connection, batch_id: str) -> str | None:
    b = t.batches.c
    found: str | None = connection.execute(select(b.undoes).where(b.id == batch_id)).scalar()
    return found


def _past(connection: Connection, namespace: str, questions: Collection[str]) -> dict[str, list[Past]]:
    """The answers that stand, by the question they were given to, for those of the questions."""
    a, p = t.plan_actions.c, t.plans.c
    query = (
        select(a.body, a.answer, a.decided_at, a.until, a.states)
        .join(t.plans, p.id == a.plan_id)
        .where(p.namespace == namespace, a.answer.in_(_STANDING), a.outcome.in_((REFUSED, POSTPONED)))
    )
    found: dict[str, list[Past]] = defaultdict(list)
    for row in connection.execute(query).mappings():
        body = row["body"]
        asked = question(body["verb"], body["reason"][0], body["to_category"])
        if asked in questions:
            # Before the state was kept, the revision that was judged stands for it.
            states = row["states"] or {name: f"r{revision}" for name, revision in body["targets"]}
            limit = limit_of(body["reason"][1])
            found[asked].append(Past(Answer(row["answer"]), states, limit, row["decided_at"], row["until"]))
    return found


def _states(connection: Connection, ids: Iterable[str]) -> dict[str, str]:
    wanted = sorted(ids)
    parts = (wanted[start : start + _PART] for start in range(0, len(wanted), _PART))
    return {m.id: state(m) for part in parts for m in memories_by_id(connection, part)}


__all__ = ["Action", "Decision", "decided_by", "holding", "limit_of"]
