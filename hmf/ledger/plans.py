"""Plans on file: proposals that wait, and what became of each action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Text, cast, func, insert, select, update

from hmf.errors import NotFound
from hmf.ledger import tables as t
from hmf.ledger.ledger import Ledger
from hmf.memory import Confirm, Level
from hmf.plan import Action, Draft, Note, Part, Plan, Reason, Stop, Target, Verb

OPEN, CLOSED, DROPPED = "open", "closed", "dropped"
UNDONE = "undone"
UNDECIDED, APPLIED, SKIPPED, REFUSED = "undecided", "applied", "skipped", "refused"


@dataclass(frozen=True, slots=True)
class FiledPlan:
    """A plan with its state and, by action key, (outcome, note)."""

    plan: Plan
    state: str
    outcomes: Mapping[str, tuple[str, str | None]]

    @property
    def undecided(self) -> tuple[Action, ...]:
        """The actions nobody has decided on."""
        return tuple(a for a in self.plan.actions if self.outcomes[a.key][0] == UNDECIDED)


class Plans:
    """The plans of every job and namespace."""

    def __init__(self, ledger: Ledger) -> None:
        """Work on `ledger`."""
        self._ledger = ledger

    def file(self, plan: Plan) -> None:
        """Keep a plan. The same plan again changes nothing; an open older plan of the job gives way to the new one.

        An action that was refused stays refused until one of its memories changes.
        """
        with self._ledger.transaction() as connection:
            known = connection.execute(select(t.plans.c.state).where(t.plans.c.id == plan.id)).scalar()
            c = t.plans.c
            older = (c.job == plan.job) & (c.namespace == plan.namespace) & (c.state == OPEN) & (c.id != plan.id)
            connection.execute(update(t.plans).where(older).values(state=DROPPED))
            if known is None:
                self._insert(connection, plan)
            elif known != OPEN:
                self._reopen(connection, plan.id)
            self._note(connection, plan)

    def _note(self, connection: Connection, plan: Plan) -> None:
        """What the job sees today takes the place of what it saw before."""
        c = t.plans.c
        mine = (c.job == plan.job) & (c.namespace == plan.namespace)
        told = mine & (c.id != plan.id) & (cast(c.notes, Text) != "[]")
        connection.execute(update(t.plans).where(told).values(notes=[]))
        connection.execute(update(t.plans).where(c.id == plan.id).values(notes=[note_json(n) for n in plan.notes]))

    def notes(self, namespace: str) -> list[tuple[str, Note]]:
        """What each job saw at its latest run, as (job, note)."""
        c = t.plans.c
        query = select(c.job, c.notes).where(c.namespace == namespace, cast(c.notes, Text) != "[]").order_by(c.job)
        return [(row["job"], note_from_json(one)) for row in self._ledger.rows(query) for one in row["notes"]]

    def _reopen(self, connection: Connection, plan_id: str) -> None:
        """The job proposes it again, so nothing of it stands: what was applied was undone. Refusals hold."""
        c = t.plan_actions.c
        mine = c.plan_id == plan_id
        again = update(t.plan_actions).where(mine)
        connection.execute(again.where(c.outcome == APPLIED).values(outcome=UNDECIDED, note=UNDONE))
        connection.execute(again.where(c.outcome == SKIPPED).values(outcome=UNDECIDED, note=None))
        left = connection.execute(select(func.count()).where(mine, c.outcome == UNDECIDED)).scalar_one()
        connection.execute(update(t.plans).where(t.plans.c.id == plan_id).values(state=OPEN if left else CLOSED))

    def _past(self, connection: Connection, plan: Plan, said: ColumnElement[bool]) -> set[str]:
        """Keys of this plan's actions of which an earlier plan of the job says this: the same on the same state."""
        c = t.plan_actions.c
        mine = (t.plans.c.job == plan.job) & (t.plans.c.namespace == plan.namespace) & said
        query = select(c.key).join(t.plans, t.plans.c.id == c.plan_id).where(mine).distinct()
        return {a.key for a in plan.actions}.intersection(connection.execute(query).scalars())

    def _insert(self, connection: Connection, plan: Plan) -> None:
        stops = [[s.category, s.touched, s.total, s.limit, s.left] for s in plan.stops]
        connection.execute(
            insert(t.plans).values(
                id=plan.id, job=plan.job, namespace=plan.namespace, made_at=plan.made_at, state=OPEN, stops=stops
            )
        )
        c = t.plan_actions.c
        refused = self._past(connection, plan, c.outcome == REFUSED)
        # Applied, and yet proposed again on the same state: a person has undone it.
        undone = self._past(connection, plan, (c.outcome == APPLIED) | (c.note == UNDONE))
        rows = [
            {
                "plan_id": plan.id,
                "key": action.key,
                "position": n,
                "body": action_json(action),
                "outcome": REFUSED if action.key in refused else UNDECIDED,
                "note": UNDONE if action.key in undone else None,
            }
            for n, action in enumerate(plan.actions)
        ]
        if rows:
            connection.execute(insert(t.plan_actions), rows)

    def get(self, plan_id: str, namespace: str) -> FiledPlan:
        """One plan. Raises NotFound."""
        c = t.plans.c
        rows = self._ledger.rows(select(t.plans).where(c.id == plan_id, c.namespace == namespace))
        if not rows:
            raise NotFound(f"There is no plan {plan_id!r} in namespace {namespace!r}.", fix="hmf review --json")
        return self._load(rows[0])

    def open(self, namespace: str) -> list[FiledPlan]:
        """Every open plan that has something undecided, oldest first."""
        c = t.plans.c
        rows = self._ledger.rows(
            select(t.plans).where(c.namespace == namespace, c.state == OPEN).order_by(c.made_at, c.id)
        )
        return [filed for filed in map(self._load, rows) if filed.undecided]

    def waiting(self, namespace: str) -> int:
        """How many actions wait for a decision."""
        query = (
            select(func.count().label("n"))
            .select_from(t.plan_actions.join(t.plans, t.plans.c.id == t.plan_actions.c.plan_id))
            .where(t.plans.c.namespace == namespace, t.plans.c.state == OPEN, t.plan_actions.c.outcome == UNDECIDED)
        )
        return int(self._ledger.rows(query)[0]["n"])

    def mark(self, connection: Connection, plan_id: str, outcomes: Sequence[tuple[str, str, str | None]]) -> None:
        """Write (action key, outcome, note) inside the caller's transaction; close the plan when all is decided."""
        c = t.plan_actions.c
        for key, outcome, note in outcomes:
            connection.execute(
                update(t.plan_actions).where(c.plan_id == plan_id, c.key == key).values(outcome=outcome, note=note)
            )
        left = connection.execute(select(func.count()).where(c.plan_id == plan_id, c.outcome == UNDECIDED)).scalar_one()
        if not left:
            connection.execute(update(t.plans).where(t.plans.c.id == plan_id).values(state=CLOSED))

    def _load(self, row: Mapping[str, Any]) -> FiledPlan:
        c = t.plan_actions.c
        rows = self._ledger.rows(select(t.plan_actions).where(c.plan_id == row["id"]).order_by(c.position))
        plan = Plan(
            job=row["job"],
            namespace=row["namespace"],
            made_at=row["made_at"],
            actions=tuple(action_from_json(r["body"]) for r in rows),
            stops=tuple(Stop(*stop) for stop in row["stops"]),
            notes=tuple(map(note_from_json, row["notes"])),
        )
        return FiledPlan(plan, row["state"], {r["key"]: (r["outcome"], r["note"]) for r in rows})


def note_json(note: Note) -> dict[str, Any]:
    """A note as JSON-safe data."""
    parts = [{"name": p.name, "count": p.count, "examples": list(p.examples)} for p in note.parts]
    return {"code": note.code, "values": dict(note.values), "category": note.category, "parts": parts}


def note_from_json(data: Mapping[str, Any]) -> Note:
    """The inverse of `note_json`."""
    parts = tuple(Part(p["name"], p["count"], tuple(p["examples"])) for p in data["parts"])
    return Note(data["code"], data["values"], data["category"], parts)


def action_json(action: Action) -> dict[str, Any]:
    """An action as JSON-safe data."""
    draft = action.draft
    return {
        "verb": str(action.verb),
        "targets": [[x.id, x.revision] for x in action.targets],
        "reason": [action.reason.code, dict(action.reason.values)],
        "category": action.category,
        "confirm": str(action.confirm),
        "to_category": action.to_category,
        "after": action.after,
        "draft": None
        if draft is None
        else {
            "text": draft.text,
            "title": draft.title,
            "category": draft.category,
            "project": draft.project,
            "language": draft.language,
            "sentences": [list(pair) for pair in draft.sentences],
            "replaces": [draft.replaces.id, draft.replaces.revision] if draft.replaces else None,
            "level": str(draft.level),
        },
    }


def action_from_json(data: Mapping[str, Any]) -> Action:
    """The inverse of `action_json`."""
    draft = data["draft"]
    return Action(
        verb=Verb(data["verb"]),
        targets=tuple(Target(*pair) for pair in data["targets"]),
        reason=Reason(data["reason"][0], data["reason"][1]),
        category=data["category"],
        confirm=Confirm(data["confirm"]),
        to_category=data["to_category"],
        after=data["after"],
        draft=None
        if draft is None
        else Draft(
            text=draft["text"],
            title=draft["title"],
            category=draft["category"],
            project=draft["project"],
            language=draft["language"],
            sentences=tuple((s, i) for s, i in draft["sentences"]),
            replaces=Target(*draft["replaces"]) if draft["replaces"] else None,
            level=Level(draft.get("level", Level.PROJECT if draft["project"] else Level.TOPIC)),
        ),
    )
