"""What is written of a decision: the row of the plan, and a line in the journal where nothing else changes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from hmf.ledger.answers import OUTCOMES, POSTPONED, REFUSED, Decision
from hmf.ledger.ledger import Batch, Change
from hmf.plan import Action
from hmf.policy.answers import Answer, state
from hmf.service.working import Working


def decision(
    action: Action,
    outcome: str,
    note: str | None,
    answer: Answer | None,
    batch: Batch,
    work: Working,
    until: datetime | None = None,
) -> Decision:
    """What became of an action, with the state of its memories where the answer is one that holds."""
    states = None
    if answer is not None and OUTCOMES.get(answer) in (REFUSED, POSTPONED):
        rows = (work.get(target.id, batch.namespace) for target in action.targets)
        states = {row.id: state(row) for row in rows if row is not None}
    return Decision(action.key, outcome, note, answer, batch.at, until, batch.id, states)


def said(actions: Iterable[Action], verb: str, work: Working, namespace: str) -> list[Change]:
    """Lines of the journal for what was said of memories, and leaves them as they are."""
    found: dict[str, Change] = {}
    for action in actions:
        for target in action.targets:
            row = work.get(target.id, namespace)
            if row is not None and not work.changed(target.id):
                found[row.id] = Change(row, row, verb, action.reason.code, keep_revision=True)
    return list(found.values())
