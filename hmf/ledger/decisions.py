"""What people have said of proposals before: the refusals and the undone applications that still hold."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sqlalchemy import and_, or_, select

from hmf.ledger import tables as t
from hmf.ledger.answers import APPLIED, HELD, REFUSED, UNDONE, limit_of
from hmf.ledger.reads import Reads
from hmf.policy.answers import ENOUGH, Answer, state
from hmf.policy.forecast import Decision


def decisions(reads: Reads, namespace: str, jobs: Collection[str]) -> dict[tuple[str, int, str], Decision]:
    """By memory id, the revision that was judged, and verb. A memory that changed since is a new case: its revision
    is another one. A refusal outweighs an undoing."""
    a, p, b = t.plan_actions.c, t.plans.c, t.batches.c
    taken_back = select(b.plan_id).where(b.namespace == namespace, b.plan_id.is_not(None), b.undone_by.is_not(None))
    undone = or_(a.note == UNDONE, and_(a.outcome == APPLIED, a.plan_id.in_(taken_back)))
    query = (
        select(a.body, a.outcome)
        .join(t.plans, p.id == a.plan_id)
        .where(p.namespace == namespace, p.job.in_(sorted(jobs)), or_(a.outcome.in_((REFUSED, HELD)), undone))
    )
    found: dict[tuple[str, int, str], Decision] = {}
    for row in reads.rows(query):
        said = Decision.REFUSED if row["outcome"] in (REFUSED, HELD) else Decision.UNDONE
        for memory_id, revision in row["body"]["targets"]:
            key = (memory_id, revision, row["body"]["verb"])
            if found.get(key) is not Decision.REFUSED:
                found[key] = said
    return found | dict.fromkeys(_settled(reads, namespace, jobs), Decision.REFUSED)


def _settled(reads: Reads, namespace: str, jobs: Collection[str]) -> Iterator[tuple[str, int, str]]:
    """What a person has settled of memories that only jobs, or the keeping itself, have changed since: by their present
    revision."""
    a, p = t.plan_actions.c, t.plans.c
    query = (
        select(a.body, a.answer, a.states)
        .join(t.plans, p.id == a.plan_id)
        .where(p.namespace == namespace, p.job.in_(sorted(jobs)), a.outcome == REFUSED)
    )
    said: dict[tuple[str, str, str], int] = {}
    for row in reads.rows(query):
        body = row["body"]
        once = row["answer"] != Answer.KEEP or limit_of(body["reason"][1]) is None
        for memory_id, its_state in (row["states"] or {}).items():
            key = (memory_id, its_state, body["verb"])
            said[key] = said.get(key, 0) + (ENOUGH if once else 1)
    rows = reads.get([key[0] for key, times in said.items() if times >= ENOUGH], namespace)
    for (memory_id, its_state, verb), times in said.items():
        memory = rows.get(memory_id)
        if times >= ENOUGH and memory is not None and state(memory) == its_state:
            yield memory_id, memory.revision, verb
