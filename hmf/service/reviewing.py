"""A person's answers to what the jobs propose: each one a batch of its own, in the journal, undoable.

What is not answered stays undecided, and nothing undecided is applied.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from typing import Any

from hmf.durations import Duration
from hmf.errors import InvalidInput, NotFound, Refused
from hmf.ledger.answers import ANSWERED, OUTCOMES, SKIPPED, UNDECIDED, Decision
from hmf.ledger.ledger import Change
from hmf.ledger.plans import FiledPlan
from hmf.memory import RETIRED, Memory, State
from hmf.plan import Action, Target, Verb
from hmf.policy.answers import Answer
from hmf.policy.sentences import say
from hmf.reason import Reason, pack
from hmf.service.applying import Application
from hmf.service.changing import Changer
from hmf.service.curating import Curator
from hmf.service.deciding import decision, said
from hmf.service.forgetting import Forgetter
from hmf.service.notes import moment
from hmf.service.store import Store
from hmf.service.times import beginning
from hmf.service.working import Working

_AGAIN = "hmf review --list"


@dataclass(frozen=True, slots=True)
class Decided:
    """What an answer did in one plan: the batch (None when there is nothing to undo), the actions it decided, and those
    it did not, with why not."""

    answer: Answer
    plan: str
    batch: str | None
    decided: tuple[str, ...]
    skipped: tuple[tuple[str, Reason], ...] = ()
    notes: tuple[Reason, ...] = ()


@dataclass
class _Sheet:
    """One answer to actions of one plan, as it is worked out; nothing is written here."""

    filed: FiledPlan
    application: Application
    changes: list[Change] = field(default_factory=list)
    vectors: dict[str, Any] = field(default_factory=dict)
    notes: tuple[Reason, ...] = ()


class Reviewer:
    """Takes answers in."""

    def __init__(self, store: Store, curator: Curator, changer: Changer, forgetter: Forgetter) -> None:
        """Over an open store."""
        self._forgetter = forgetter
        self._store = store
        self._curator = curator
        self._changer = changer

    def decide(
        self,
        keys: Sequence[str],
        answer: Answer,
        namespace: str,
        *,
        plan: str | None = None,
        text: str | None = None,
        into: str | None = None,
        until: datetime | str | None = None,
        face: str = "python",
        force: bool = False,
    ) -> list[Decided]:
        """Answer actions, by their keys or by ids of the memories they are about; one batch for each plan.

        `text`: what an edited memory says now; `into`: the memory that the others are merged into; `until`: the day, or
        the span (`2w`), before which what is postponed is not asked. Raises NotFound for what waits nowhere,
        InvalidInput for an answer without what it needs, Refused (`force`: not where it empties a category).
        """
        _complete(answer, keys, text, into, until)
        later = self._later(until) if until is not None else None
        with self._store.guard:
            sheets = list(self._sheets(keys, namespace, plan))
            return [
                self._answered(filed, chosen, answer, keys, text, into, later, face, force) for filed, chosen in sheets
            ]

    def dismiss(self, keys: Sequence[str], namespace: str, *, on: bool) -> list[str]:
        """Put notes of the jobs out of sight until what they tell of changes, or back. Raises NotFound."""
        plans = self._store.plans
        known = {note.key for _, note in plans.notes(namespace, dismissed=True)}
        if not keys or (unknown := set(keys) - known):
            named = ", ".join(sorted(unknown)) if keys else "no key"
            raise NotFound(f"No job has a note under {named}.", fix="hmf review --json")
        plans.dismiss(namespace, keys, self._store.now() if on else None)
        return list(dict.fromkeys(keys))

    def _sheets(
        self, keys: Sequence[str], namespace: str, plan: str | None
    ) -> Iterator[tuple[FiledPlan, list[Action]]]:
        """The plans that hold the actions, with those that are meant."""
        now = self._store.now()
        plans = self._store.plans
        filed = [plans.get(plan, namespace, now)] if plan else plans.open(namespace, now)
        left = set(keys)
        found = []
        for one in filed:
            open_ones = [*one.undecided, *one.postponed]
            chosen = [a for a in open_ones if not left.isdisjoint(names(a))]
            if chosen:
                found.append((one, chosen))
        for _, chosen in found:
            left -= {name for action in chosen for name in names(action)}
        if left:
            raise NotFound(f"Nothing waits under {', '.join(sorted(left))}.", fix=_AGAIN)
        yield from found

    def _answered(
        self,
        filed: FiledPlan,
        actions: list[Action],
        answer: Answer,
        keys: Sequence[str],
        text: str | None,
        into: str | None,
        until: datetime | None,
        face: str,
        force: bool,
    ) -> Decided:
        plan, own = filed.plan, [action.key for action in actions]
        if answer is Answer.UNDECIDED:
            with self._store.ledger.transaction() as connection:
                self._store.plans.mark(connection, plan.id, [Decision(key, UNDECIDED) for key in own])
            return Decided(answer, plan.id, None, tuple(own))
        if answer in (Answer.APPROVE, Answer.REFUSE):
            yes = with_what_comes_first(filed, actions) if answer is Answer.APPROVE else []
            self._wake(filed, actions)
            no = own if answer is Answer.REFUSE else []
            done = self._curator.apply(plan.id, plan.namespace, approve=yes, refuse=no, face=face, force=force)
            return Decided(answer, plan.id, done.batch, (*done.applied, *done.refused), done.skipped)
        sheet = _Sheet(filed, self._curator.application(plan))
        skipped = {a.key: why for a in actions if (why := sheet.application.obstacle(a, alone=True)) is not None}
        going = [action for action in actions if action.key not in skipped]
        for action in going:
            self._carry_out(sheet, action, answer, keys, text, into)
        return self._written(sheet, going, answer, skipped, until, face)

    def _wake(self, filed: FiledPlan, actions: Collection[Action]) -> None:
        """What was postponed and is decided all the same is undecided first."""
        asleep = {a.key for a in filed.postponed} & {a.key for a in actions}
        if asleep:
            with self._store.ledger.transaction() as connection:
                self._store.plans.mark(connection, filed.plan.id, [Decision(key, UNDECIDED) for key in sorted(asleep)])

    def _carry_out(
        self, sheet: _Sheet, action: Action, answer: Answer, keys: Sequence[str], text: str | None, into: str | None
    ) -> None:
        work, space, code = sheet.application.work, sheet.filed.plan.namespace, action.reason.code
        if answer is Answer.KEEP:
            for memory in self._rows(sheet, action.targets):
                verified = max(self._store.now(), memory.learnt_at)
                work.change(memory, replace(memory, verified_at=verified), "verify", code)
        elif answer is Answer.POSTPONE:
            sheet.changes += said([action], "postpone", work, space)
        elif answer is Answer.EDIT:
            memory = self._named(sheet, action, keys)
            after, vectors = self._changer.reworded(memory, text or "")
            work.change(memory, after, "revise", code)
            sheet.vectors |= vectors
        elif answer is Answer.ARCHIVE:
            category = self._store.categories.get(action.category)
            there = category.policy.archive_to if category else None
            self._as(sheet, replace(action, verb=Verb.ARCHIVE, to_category=there, draft=None, after=None))
        elif answer is Answer.MERGE:
            self._as(sheet, self._merging(sheet, action, into or ""))
        elif answer is Answer.FORGET:
            self._forget(sheet, action, keys)
            sheet.notes += self._forgetter.mend_summaries(work, space)

    def _forget(self, sheet: _Sheet, action: Action, keys: Sequence[str]) -> None:
        """What was named is forgotten: the memories of it, or all those of an action that was named by its key. One
        that stands in several actions is forgotten once."""
        meant = [target for target in action.targets if target.id in keys and action.key not in keys] or action.targets
        work = sheet.application.work
        left = tuple(target for target in meant if not _let_go(work, target, sheet.filed.plan.namespace))
        if left:
            self._as(sheet, replace(action, verb=Verb.FORGET, targets=left, to_category=None, draft=None, after=None))

    def _as(self, sheet: _Sheet, action: Action) -> None:
        """Another verb on the same memories, by the same hand as an approved plan."""
        why = sheet.application.obstacle(action, alone=True)
        if why is not None:
            raise Refused(f"{action.key}: {say(why, self._store.language)}", fix=_AGAIN)
        sheet.application.carry_out(action, by_person=True)

    def _merging(self, sheet: _Sheet, action: Action, into: str) -> Action:
        space = sheet.filed.plan.namespace
        kept = self._changer.one(into, space)
        if kept.state is not State.LIVE or kept.status in RETIRED or kept.summary_of:
            raise InvalidInput(f"{kept.id} cannot take another in: it is not current, or a summary.", fix=_AGAIN)
        others = tuple(target for target in action.targets if target.id != kept.id)
        if not others:
            raise InvalidInput(f"{kept.id} cannot be merged into itself.", fix="name one of its neighbours.")
        targets = (Target(kept.id, kept.revision), *others)
        return replace(action, verb=Verb.MERGE, targets=targets, to_category=None, draft=None, after=None)

    def _named(self, sheet: _Sheet, action: Action, keys: Sequence[str]) -> Memory:
        """The memory that is meant: the one that was named, or the only one."""
        rows = self._rows(sheet, action.targets)
        meant = [row for row in rows if row.id in keys] or rows
        if len(meant) != 1:
            ids = ", ".join(row.id for row in rows)
            raise InvalidInput(f"{action.key} is about {len(rows)} memories.", fix=f"name one of them: {ids}.")
        return meant[0]

    def _rows(self, sheet: _Sheet, targets: Sequence[Target]) -> list[Memory]:
        found = (sheet.application.work.get(target.id, sheet.filed.plan.namespace) for target in targets)
        return [row for row in found if row is not None]

    def _written(
        self,
        sheet: _Sheet,
        actions: list[Action],
        answer: Answer,
        skipped: Mapping[str, Reason],
        until: datetime | None,
        face: str,
    ) -> Decided:
        plan, work = sheet.filed.plan, sheet.application.work
        batch = self._curator.batch(plan.namespace, "review", face)
        outcome = OUTCOMES.get(answer, ANSWERED)
        note = str(answer) if outcome == ANSWERED else None
        rows = [decision(action, outcome, note, answer, batch, work, until) for action in actions]
        rows += [Decision(key, SKIPPED, pack(why), at=batch.at) for key, why in skipped.items()]
        changes = [*work.changes(), *sheet.changes]
        done = self._curator.commit(batch, plan, changes, rows, sheet.vectors)
        return Decided(answer, plan.id, done, tuple(a.key for a in actions), tuple(skipped.items()), sheet.notes)

    def _later(self, until: datetime | str) -> datetime:
        """The moment until which something is postponed: after a span, at a date, or when words say. Raises
        InvalidInput."""
        now, zone = self._store.now(), self._store.zone
        try:
            found = Duration.parse(until).after(now, zone) if isinstance(until, str) else moment(until, zone, "until")
        except ValueError:
            found = self._day(str(until), now, zone)
        if found is None or found <= now:
            raise InvalidInput(f"until: {until!s:.80} is not in the future.", fix="write a span (2w) or a later day.")
        return found

    def _day(self, said: str, now: datetime, zone: tzinfo) -> datetime | None:
        try:
            return beginning(said, "until", now=now, zone=zone, language=self._store.language)
        except InvalidInput as error:
            raise InvalidInput(
                f"until: {said[:80]!r} is neither a span nor a day.",
                fix="write a span (12h, 3d, 2w, 1mo), a day (2027-01-15), or words: next month, lundi prochain.",
            ) from error


def _let_go(work: Working, target: Target, namespace: str) -> bool:
    """Whether this very answer has forgotten it already."""
    row = work.get(target.id, namespace)
    return work.changed(target.id) and row is not None and row.state is State.FORGOTTEN


def names(action: Action) -> set[str]:
    """What an action answers to: its key, and the ids of its memories."""
    return {action.key, *(target.id for target in action.targets)}


def with_what_comes_first(filed: FiledPlan, actions: Sequence[Action]) -> list[str]:
    """The keys of the actions, and of the undecided ones that must be applied before them."""
    undecided = {action.key for action in filed.undecided}
    first = [a.after for a in actions if a.after in undecided]
    return list(dict.fromkeys([*filter(None, first), *(action.key for action in actions)]))


def _complete(answer: Answer, keys: Sequence[str], text: object, into: object, until: object) -> None:
    """Raise InvalidInput where an answer lacks what it needs, or is given what it does not."""
    if not keys:
        raise InvalidInput("Nothing was named: an empty choice never means everything.", fix="name keys; see " + _AGAIN)
    needed = (("text", text, Answer.EDIT), ("into", into, Answer.MERGE), ("until", until, Answer.POSTPONE))
    for name, value, wanted in needed:
        if (value is None) is (answer is wanted):
            what = "needs" if answer is wanted else "does not take"
            raise InvalidInput(f"The answer {answer} {what} {name}.", fix=f"{name} belongs to {wanted}.")
    if answer is Answer.EDIT and len(keys) != 1:
        raise InvalidInput("One text is for one memory.", fix="edit them one by one.")
