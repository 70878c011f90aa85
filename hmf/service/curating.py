"""Jobs run: read a view, file the plan, apply what its policies let apply by itself, record the run."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.metadata import entry_points
from typing import Any

import structlog

from hmf.errors import HmfError, InvalidInput, NotFound, Refused
from hmf.ledger.answers import APPLIED, REFUSED, SKIPPED, UNDONE, Decision
from hmf.ledger.ledger import Batch, Change
from hmf.ledger.plans import FiledPlan
from hmf.ledger.runs import FAILED, OK
from hmf.memory import Confirm
from hmf.plan import Job, Plan, emptying
from hmf.policy.answers import Answer
from hmf.reason import pack
from hmf.service.applying import Application, Applied
from hmf.service.changing import Changer
from hmf.service.deciding import decision, said
from hmf.service.digesting import Digester, trouble
from hmf.service.erasing import Eraser
from hmf.service.indexing import Indexer
from hmf.service.routing import Router
from hmf.service.store import Store
from hmf.service.view import LedgerView
from hmf.service.working import Working

log = structlog.get_logger(__name__)
_CLAIM = "curation"
LEASE = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Ran:
    """One run of a job: what it planned, what applied by itself, what waits for a person."""

    run: str
    job: str
    plans: tuple[str, ...]
    applied: int
    waiting: int
    skipped: int


def job_names() -> frozenset[str]:
    """Names of the installed jobs, without loading any."""
    return frozenset(point.name for point in entry_points(group="hmf.jobs"))


def installed_jobs() -> dict[str, Job]:
    """Jobs found through the entry-point group `hmf.jobs`, by name."""
    return {point.name: point.load() for point in sorted(entry_points(group="hmf.jobs"), key=lambda p: p.name)}


class Curator:
    """Plans, applies, and keeps the register of runs."""

    def __init__(self, store: Store, indexer: Indexer, router: Router, changer: Changer, eraser: Eraser) -> None:
        """Work on an open store."""
        self._store = store
        self._indexer = indexer
        self._router = router
        self._changer = changer
        self._eraser = eraser
        self.digester = Digester(store)
        self._jobs: Mapping[str, Job] | None = None

    @property
    def jobs(self) -> Mapping[str, Job]:
        """The installed jobs; loaded at the first use."""
        if self._jobs is None:
            self._jobs = installed_jobs()
        return self._jobs

    def plan(self, job: str, namespace: str, *, file: bool = True) -> Plan:
        """What a job proposes now. Filed for review unless `file` is False. Raises NotFound on an unknown job."""
        if job not in self.jobs:
            raise NotFound(f"There is no job {job!r}.", fix=f"one of: {', '.join(self.jobs)}.")
        view = LedgerView(self._store, self._router, namespace)
        plan = self.jobs[job].plan(view, self._store.now())
        if file:
            self._store.plans.file(plan, self._store.zone)
        return plan

    def get(self, plan_id: str, namespace: str) -> FiledPlan:
        """A filed plan. Raises NotFound."""
        return self._store.plans.get(plan_id, namespace, self._store.now())

    def open_plans(self, namespace: str) -> list[FiledPlan]:
        """The plans that wait for a person. What was postponed is in none before its day."""
        return [filed for filed in self._store.plans.open(namespace, self._store.now()) if filed.undecided]

    def apply(
        self,
        plan: Plan | str,
        namespace: str,
        *,
        approve: str | Collection[str] = "all",
        refuse: Collection[str] = (),
        face: str | None = "python",
        force: bool = False,
    ) -> Applied:
        """Apply actions of a plan as one batch. `face`: where a person said so; None when a job does it by itself.

        `approve`: "all" (every undecided one), "auto" (those whose policy needs nobody), or action keys
        or memory ids. Raises NotFound for an unknown plan, InvalidInput for a key the plan does not have, and Refused
        where it would leave a category of ten or more empty but for its pinned memories, unless `force`.
        """
        plan_id = plan if isinstance(plan, str) else plan.id
        if isinstance(plan, Plan):
            if plan.namespace != namespace:
                raise Refused(f"The plan is for namespace {plan.namespace!r}, not {namespace!r}.")
            self._store.plans.file(plan, self._store.zone)
        with self._store.guard:
            filed = self._store.plans.get(plan_id, namespace, self._store.now())
            undecided = {a.key: a for a in filed.undecided}
            chosen = _chosen(filed, approve)
            if not force:
                _refuse_to_empty(filed.plan, (chosen & undecided.keys()) - _named(filed, refuse))
            application = self.application(filed.plan)
            application.run(
                chosen & undecided.keys(), _named(filed, refuse) & undecided.keys(), by_person=approve != "auto"
            )
            batch = self._commit(filed.plan, application, face)
        return _report(filed.plan, batch, application)

    def run(
        self,
        job: str,
        *,
        slot: str | None = None,
        scheduled_for: datetime | None = None,
        attempt: int | None = None,
        owner: str = "manual",
    ) -> Ran:
        """Run a job over every namespace: claim, plan, file, apply what is automatic, record. `attempt`: its
        expected number in the slot, so that two daemons cannot both be the first.

        Raises Conflict when curation is already running, and whatever the job raised, after recording it.
        """
        if job not in self.jobs:
            raise NotFound(f"There is no job {job!r}.", fix=f"one of: {', '.join(self.jobs)}.")
        store, now = self._store, self._store.now()
        who = f"{owner}, process {os.getpid()}"
        store.runs.claim(_CLAIM, who, now, now + LEASE)
        run_id = store.new_id()
        try:
            name = slot or f"manual:{run_id}"
            store.runs.start(run_id, job, name, now=now, owner=who, scheduled_for=scheduled_for, expected=attempt)
            try:
                ran = self._run_all(run_id, job, who)
            except Exception as error:
                what = str(error) if isinstance(error, HmfError) else f"{type(error).__name__}: {error}"
                kept = {"trouble": trouble(error)}
                store.runs.end(run_id, now=store.now(), outcome=FAILED, detail=kept, error=what)
                self._tell(scheduled_for or now)
                log.error("job.failed", job=job, slot=name, error=what)
                raise
            detail = {"plans": list(ran.plans), "applied": ran.applied, "waiting": ran.waiting, "skipped": ran.skipped}
            store.runs.end(run_id, now=store.now(), outcome=OK, detail=detail)
            self._tell(scheduled_for or now)
            return ran
        finally:
            store.runs.release(_CLAIM, who)

    def _tell(self, moment: datetime) -> None:
        """Bring the digest of that night up to date. The run is over, and stands in the register: no trouble of its
        digest is a trouble of the job."""
        try:
            self.digester.write(self.digester.night(moment))
        except HmfError as error:
            log.warning("digest.failed", error=type(error).__name__)

    def _run_all(self, run_id: str, job: str, who: str) -> Ran:
        plans, applied, skipped, waiting = [], 0, 0, 0
        for namespace in self._store.ledger.namespaces():
            self._store.runs.renew(_CLAIM, who, self._store.now() + LEASE)
            plan = self.plan(job, namespace)
            plans.append(plan.id)
            done = self.apply(plan, namespace, approve="auto", face=None)
            applied += len(done.applied)
            skipped += len(done.skipped)
            waiting += len(self.get(plan.id, namespace).undecided)
        if job == "expire":
            self._eraser.purge_all()
        return Ran(run_id, job, tuple(plans), applied, waiting, skipped)

    def application(self, plan: Plan) -> Application:
        """The working out of a plan on the present rows."""
        store = self._store
        return Application(
            plan,
            Working(store.ledger.get),
            store.now(),
            store.new_id,
            self._indexer.chunk_count,
            store.categories,
            store.ledger.as_of,
        )

    def _commit(self, plan: Plan, application: Application, face: str | None) -> str | None:
        if not application.outcomes:
            return None
        batch = self.batch(plan.namespace, plan.job, face, plan_id=plan.id)
        actions = {action.key: action for action in plan.actions}
        refused = [actions[key] for key, (outcome, _) in application.outcomes.items() if outcome == REFUSED]
        decided = [
            decision(
                actions[key],
                outcome,
                pack(note) if note else None,
                None if face is None else Answer.REFUSE if outcome == REFUSED else Answer.APPROVE,
                batch,
                application.work,
            )
            for key, (outcome, note) in application.outcomes.items()
        ]
        changes = [*application.work.changes(), *said(refused, "refuse", application.work, plan.namespace)]
        return self.commit(batch, plan, changes, decided)

    def batch(self, namespace: str, verb: str, face: str | None, *, plan_id: str | None = None) -> Batch:
        """A new batch of a person, or where nobody says so (`face` None) of a job."""
        actor = "job" if face is None else "user"
        return Batch(self._store.new_id(), self._store.now(), namespace, verb, actor=actor, plan_id=plan_id, face=face)

    def commit(
        self,
        batch: Batch,
        plan: Plan,
        changes: Sequence[Change],
        decided: Sequence[Decision],
        vectors: Mapping[str, Any] | None = None,
    ) -> str | None:
        """Write what a plan or a review changes, and what was decided, as one. The id of the batch, None when nothing
        is in it. `vectors`: of new texts, by content key."""
        store = self._store
        with store.ledger.transaction() as connection:
            if vectors:
                store.cache.put(connection, vectors)
            if changes:
                store.ledger.record(connection, batch, changes)
                self._changer.rebury(connection, changes)
            store.plans.mark(connection, plan.id, decided)
        self._changer.settle(plan.namespace)
        return batch.id if changes else None


def _chosen(filed: FiledPlan, approve: str | Collection[str]) -> set[str]:
    if approve == "all":
        return {a.key for a in filed.plan.actions if a.confirm is not Confirm.NEVER}
    if approve == "auto":
        # What a person took back is not done again without one.
        return {a.key for a in filed.plan.actions if a.confirm is Confirm.AUTO and filed.outcomes[a.key][1] != UNDONE}
    return _named(filed, [approve] if isinstance(approve, str) else approve)


def _refuse_to_empty(plan: Plan, chosen: Set[str]) -> None:
    found = [f"{stop.category} ({stop.touched} memories)" for stop in emptying(plan, chosen)]
    if found:
        raise Refused(
            f"Nothing was done: it would leave only what is pinned in {', '.join(found)}.",
            fix="decide on them one by one (hmf review), or, if all of it is meant, add --force.",
        )


def _named(filed: FiledPlan, names: Collection[str]) -> set[str]:
    """Action keys from keys or from memory ids."""
    keys = {a.key: {a.key} for a in filed.plan.actions}
    for action in filed.plan.actions:
        for target in action.targets:
            keys.setdefault(target.id, set()).add(action.key)
    unknown = [name for name in names if name not in keys]
    if unknown:
        raise InvalidInput(
            f"Plan {filed.plan.id} has no action {', '.join(unknown)}.", fix="hmf review --json shows its keys."
        )
    return set().union(*(keys[name] for name in names))


def _report(plan: Plan, batch: str | None, application: Application) -> Applied:
    outcomes = application.outcomes.items()
    return Applied(
        batch,
        plan.id,
        tuple(key for key, (outcome, _) in outcomes if outcome == APPLIED),
        tuple((key, why) for key, (outcome, why) in outcomes if outcome == SKIPPED and why is not None),
        tuple(key for key, (outcome, _) in outcomes if outcome == REFUSED),
    )
