"""Plans on file: proposals that wait, and what became of each action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Any

from sqlalchemy import ColumnElement, Connection, Text, bindparam, cast, delete, func, insert, select, update

from hmf.errors import NotFound
from hmf.ledger import answers
from hmf.ledger import tables as t
from hmf.ledger.answers import ANSWERED, APPLIED, HELD, POSTPONED, REFUSED, SKIPPED, UNDECIDED, UNDONE, Decision
from hmf.ledger.ledger import Ledger
from hmf.ledger.plan_json import action_from_json, action_json, note_from_json, note_json
from hmf.plan import Action, Note, Plan, Stop
from hmf.policy.answers import Held

OPEN, CLOSED, DROPPED = "open", "closed", "dropped"
Outcome = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class FiledPlan:
    """A plan with its state and, by action key, (outcome, note), since when it waits, and until when it was put off."""

    plan: Plan
    state: str
    outcomes: Mapping[str, Outcome]
    since: Mapping[str, datetime] = field(default_factory=dict)
    until: Mapping[str, datetime] = field(default_factory=dict)

    @property
    def undecided(self) -> tuple[Action, ...]:
        """The actions nobody has decided on."""
        return self._having(UNDECIDED)

    @property
    def postponed(self) -> tuple[Action, ...]:
        """The actions that are not to be shown before a day."""
        return self._having(POSTPONED)

    def _having(self, outcome: str) -> tuple[Action, ...]:
        return tuple(a for a in self.plan.actions if self.outcomes[a.key][0] == outcome)


class Plans:
    """The plans of every job and namespace."""

    def __init__(self, ledger: Ledger) -> None:
        """Work on `ledger`."""
        self._ledger = ledger

    def file(self, plan: Plan, zone: tzinfo = UTC) -> None:
        """Keep a plan. The same plan again changes nothing; an open older plan of the job gives way to the new one.

        What was answered to the same question before holds, as `hmf.policy.answers` tells.
        """
        with self._ledger.transaction() as connection:
            known = connection.execute(select(t.plans.c.state).where(t.plans.c.id == plan.id)).scalar()
            c = t.plans.c
            older = (c.job == plan.job) & (c.namespace == plan.namespace) & (c.state == OPEN) & (c.id != plan.id)
            waiting = _waiting_since(connection, older)
            connection.execute(update(t.plans).where(older).values(state=DROPPED))
            holding = answers.holding(connection, plan, plan.made_at, zone)
            if known is None:
                self._insert(connection, plan, holding, waiting)
            else:
                self._renew(connection, plan, holding, again=known != OPEN)
            self._note(connection, plan)

    def _note(self, connection: Connection, plan: Plan) -> None:
        """What the job sees today takes the place of what it saw before."""
        c = t.plans.c
        mine = (c.job == plan.job) & (c.namespace == plan.namespace)
        told = mine & (c.id != plan.id) & (cast(c.notes, Text) != "[]")
        connection.execute(update(t.plans).where(told).values(notes=[]))
        connection.execute(update(t.plans).where(c.id == plan.id).values(notes=[note_json(n) for n in plan.notes]))

    def notes(self, namespace: str, *, dismissed: bool = False) -> list[tuple[str, Note]]:
        """What each job saw at its latest run, as (job, note); `dismissed`: with what a person put out of sight."""
        c, d = t.plans.c, t.dismissed.c
        hidden = (
            set() if dismissed else {r["key"] for r in self._ledger.rows(select(d.key).where(d.namespace == namespace))}
        )
        query = select(c.job, c.notes).where(c.namespace == namespace, cast(c.notes, Text) != "[]").order_by(c.job)
        found = ((row["job"], note_from_json(one)) for row in self._ledger.rows(query) for one in row["notes"])
        return [(job, note) for job, note in found if note.key not in hidden]

    def dismiss(self, namespace: str, keys: Sequence[str], at: datetime | None) -> None:
        """Put notes out of sight at a moment, or (None) back in sight."""
        d = t.dismissed.c
        with self._ledger.transaction() as connection:
            connection.execute(delete(t.dismissed).where(d.namespace == namespace, d.key.in_(list(keys))))
            rows = [{"namespace": namespace, "key": key, "at": at} for key in dict.fromkeys(keys)]
            if at is not None:
                connection.execute(insert(t.dismissed), rows)

    def _insert(
        self, connection: Connection, plan: Plan, holding: Mapping[str, Held], waiting: Mapping[str, datetime]
    ) -> None:
        plan_id = plan.id  # made of every action: reckoned once
        stops = [[s.category, s.touched, s.total, s.limit, s.left] for s in plan.stops]
        connection.execute(
            insert(t.plans).values(
                id=plan_id, job=plan.job, namespace=plan.namespace, made_at=plan.made_at, state=OPEN, stops=stops
            )
        )
        # Applied, and yet proposed again on the same state: a person has undone it.
        c = t.plan_actions.c
        undone = self._past(connection, plan, (c.outcome == APPLIED) | (c.note == UNDONE))
        rows = [
            {
                "plan_id": plan_id,
                "key": action.key,
                "position": n,
                "body": action_json(action),
                "note": UNDONE if action.key in undone else None,
                "since": waiting.get(action.key, plan.made_at),
                **_held(holding.get(action.key)),
            }
            for n, action in enumerate(plan.actions)
        ]
        if rows:
            connection.execute(insert(t.plan_actions), rows)

    def _renew(self, connection: Connection, plan: Plan, holding: Mapping[str, Held], *, again: bool) -> None:
        """The job proposes the same. What was answered holds or has lapsed, and the days that a reason counts are those
        of now. `again`, where nothing was open: nothing of it stands then, and what was applied was undone."""
        c = t.plan_actions.c
        rows = {r["key"]: r for r in connection.execute(select(t.plan_actions).where(c.plan_id == plan.id)).mappings()}
        changed = []
        for action in plan.actions:
            row, verdict = rows[action.key], holding.get(action.key)
            if verdict is not None and row["answer"] is not None and row["outcome"] in (REFUSED, POSTPONED):
                continue  # this row is the answer that holds
            if not again and row["outcome"] in (APPLIED, SKIPPED, ANSWERED):
                continue
            taken_back = row["outcome"] == APPLIED or row["note"] == UNDONE
            new: dict[str, Any] = {"note": UNDONE if taken_back else None, "body": action_json(action), "answer": None}
            new |= _held(verdict)
            if row["note"] == UNDONE and verdict is None:  # an undoing can be undone: the answer would stand again
                new |= {"answer": row["answer"], "until": row["until"]}
            lapsed = verdict is None and row["outcome"] in (HELD, REFUSED)
            new["since"] = plan.made_at if lapsed else row["since"]
            if any(row[name] != value for name, value in new.items()):
                changed.append({"here": action.key, **new})
        if changed:
            names = [name for name in changed[0] if name != "here"]
            one = update(t.plan_actions).where(c.plan_id == plan.id, c.key == bindparam("here"))
            connection.execute(one.values({name: bindparam(name) for name in names}), changed)
        _settle(connection, plan.id, (OPEN, CLOSED, DROPPED))

    def _past(self, connection: Connection, plan: Plan, said: ColumnElement[bool]) -> set[str]:
        """Keys of this plan's actions of which an earlier plan of the job says this: the same on the same state."""
        c = t.plan_actions.c
        mine = (t.plans.c.job == plan.job) & (t.plans.c.namespace == plan.namespace) & said
        query = select(c.key).join(t.plans, t.plans.c.id == c.plan_id).where(mine).distinct()
        return {a.key for a in plan.actions}.intersection(connection.execute(query).scalars())

    def get(self, plan_id: str, namespace: str, now: datetime) -> FiledPlan:
        """One plan as it is at `now`: what was postponed until then is undecided again. Raises NotFound."""
        c = t.plans.c
        rows = self._ledger.rows(select(t.plans).where(c.id == plan_id, c.namespace == namespace))
        if not rows:
            raise NotFound(f"There is no plan {plan_id!r} in namespace {namespace!r}.", fix="hmf review --json")
        return self._load(rows[0], now)

    def open(self, namespace: str, now: datetime) -> list[FiledPlan]:
        """Every open plan that has something undecided or postponed, oldest first."""
        c = t.plans.c
        rows = self._ledger.rows(
            select(t.plans).where(c.namespace == namespace, c.state == OPEN).order_by(c.made_at, c.id)
        )
        return [filed for filed in (self._load(row, now) for row in rows) if filed.undecided or filed.postponed]

    def waiting(self, namespace: str, now: datetime) -> int:
        """How many actions wait for a decision."""
        c = t.plan_actions.c
        due = (c.outcome == UNDECIDED) | ((c.outcome == POSTPONED) & (c.until <= now))
        query = (
            select(func.count().label("n"))
            .select_from(t.plan_actions.join(t.plans, t.plans.c.id == c.plan_id))
            .where(t.plans.c.namespace == namespace, t.plans.c.state == OPEN, due)
        )
        return int(self._ledger.rows(query)[0]["n"])

    def mark(self, connection: Connection, plan_id: str, decided: Sequence[Decision]) -> None:
        """Write decisions inside the caller's transaction; close the plan when all is decided."""
        c = t.plan_actions.c
        names = ("outcome", "note", "answer", "decided_at", "until", "batch_id", "states")
        one = update(t.plan_actions).where(c.plan_id == plan_id, c.key == bindparam("here"))
        rows = [
            {
                "here": d.key,
                **dict(zip(names, (d.outcome, d.note, d.answer, d.at, d.until, d.batch, d.states), strict=True)),
            }
            for d in decided
        ]
        if rows:
            connection.execute(one.values({name: bindparam(name) for name in names}), rows)
        _settle(connection, plan_id, (OPEN, CLOSED))

    def _load(self, row: Mapping[str, Any], now: datetime) -> FiledPlan:
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
        later = {r["key"]: r["until"] for r in rows if r["outcome"] == POSTPONED and r["until"] and r["until"] > now}
        return FiledPlan(
            plan,
            row["state"],
            {r["key"]: _outcome(r["outcome"], r["note"], postponed=r["key"] in later) for r in rows},
            {r["key"]: r["since"] or row["made_at"] for r in rows},
            later,
        )


def _outcome(outcome: str, note: str | None, *, postponed: bool) -> Outcome:
    return (UNDECIDED, note) if outcome == POSTPONED and not postponed else (outcome, note)


def _held(verdict: Held | None) -> dict[str, Any]:
    """The columns of an action that is asked, or that an earlier answer holds back."""
    if verdict is None:
        return {"outcome": UNDECIDED, "until": None}
    return {"outcome": HELD if verdict.until is None else POSTPONED, "until": verdict.until}


def _waiting_since(connection: Connection, older: ColumnElement[bool]) -> dict[str, datetime]:
    """Since when each action of these plans waits, by its key."""
    c = t.plan_actions.c
    query = select(c.key, func.coalesce(c.since, t.plans.c.made_at, type_=t.Moment)).join(
        t.plans, t.plans.c.id == c.plan_id
    )
    rows = connection.execute(query.where(older, c.outcome.in_((UNDECIDED, POSTPONED)))).all()
    return {row[0]: row[1] for row in rows}


def _settle(connection: Connection, plan_id: str, states: Sequence[str]) -> None:
    """Open while something is undecided or postponed, else closed; for a plan that is in one of these states."""
    c = t.plan_actions.c
    query = select(func.count()).where(c.plan_id == plan_id, c.outcome.in_((UNDECIDED, POSTPONED)))
    left = connection.execute(query).scalar_one()
    mine = update(t.plans).where(t.plans.c.id == plan_id, t.plans.c.state.in_(states))
    connection.execute(mine.values(state=OPEN if left else CLOSED))
