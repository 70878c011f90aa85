"""The one `apply`: each approved action re-checked, all of them one batch, the journal with what was before."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from datetime import datetime

from hmf.ledger.answers import APPLIED, REFUSED, SKIPPED
from hmf.memory import Authority, Kind, Level, Memory, Route, RoutedBy, Source, State, Status, Tier
from hmf.plan import Action, Draft, Plan, Target, Verb
from hmf.policy import lineage, merging
from hmf.policy import text as texts
from hmf.reason import Reason
from hmf.service.working import Working


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of a plan: the batch (None when nothing was changed) and the outcome of each action by key."""

    batch: str | None
    plan: str
    applied: tuple[str, ...]
    skipped: tuple[tuple[str, Reason], ...]
    refused: tuple[str, ...] = ()

    @property
    def id(self) -> str | None:
        """The batch to give to `undo`."""
        return self.batch


@dataclass
class Application:
    """The working out of one plan, in memory; nothing is written here."""

    plan: Plan
    work: Working
    now: datetime
    new_id: Callable[[], str]
    chunk_count: Callable[[str, str], int]
    categories: Collection[str]
    as_of: Callable[[str, str, int], Memory | None]
    """The state of a memory (id, namespace) at an earlier revision, where it is kept."""
    outcomes: dict[str, tuple[str, Reason | None]] = field(default_factory=dict)

    def run(self, approved: Collection[str], refused: Collection[str], *, by_person: bool) -> None:
        """Apply the approved actions in order; those not named stay undecided."""
        self.work.expect(t.id for a in self.plan.actions if a.key in approved for t in a.targets)
        for action in self.plan.actions:
            if action.key in refused:
                self.outcomes[action.key] = (REFUSED, None)
            elif action.key in approved:
                why = self.obstacle(action)
                if why is None:
                    self.carry_out(action, by_person=by_person)
                self.outcomes[action.key] = (SKIPPED, why) if why else (APPLIED, None)

    def obstacle(self, action: Action, *, alone: bool = False) -> Reason | None:
        """Why the action cannot be carried out on the present rows, or None. `alone`: another answer than what it
        proposes, which waits for no other action."""
        if not alone and action.after is not None and self.outcomes.get(action.after, ("", None))[0] != APPLIED:
            return Reason("dependency_not_applied")
        if action.to_category is not None and action.to_category not in self.categories:
            return Reason("category_gone", {"category": action.to_category})
        targets = [*action.targets, *([action.draft.replaces] if action.draft and action.draft.replaces else [])]
        for target in targets:
            memory = self.work.get(target.id, self.plan.namespace)
            if memory is None or memory.state is not State.LIVE:
                return Reason("target_gone", {"id": target.id})
            if self._moved_on(action, target, memory):
                return Reason("target_changed", {"id": target.id})
            if memory.pinned and action.verb not in (Verb.SUMMARISE, Verb.FLAG):
                return Reason("target_pinned", {"id": target.id})
        return None

    def _moved_on(self, action: Action, target: Target, memory: Memory) -> bool:
        """Whether the memory is another case than the one that was judged. A summary written since is none: every night
        writes some, after the other jobs have asked. Only what would write one itself is then out of date."""
        if memory.revision == target.revision:  # this batch's own changes do not touch it
            return False
        if action.verb is Verb.SUMMARISE:
            return True
        judged = self.as_of(memory.id, memory.namespace, target.revision)
        return judged is None or not lineage.only_linked(judged, memory)

    def carry_out(self, action: Action, *, by_person: bool) -> None:
        """Work the action out; `obstacle` has seen that nothing stands in its way."""
        for target in action.targets:
            memory = self._read(target)
            getattr(self, f"_{action.verb}")(action, memory, by_person)
        if action.draft is not None:
            self._write_summary(action, action.draft)

    def _read(self, target: Target) -> Memory:
        memory = self.work.get(target.id, self.plan.namespace)
        assert memory is not None  # noqa: S101 - `obstacle` has just seen it
        return memory

    def _archive(self, action: Action, memory: Memory, _by_person: bool) -> None:
        after = replace(memory, tier=Tier.ARCHIVE, category=action.to_category or memory.category, archived_at=self.now)
        self.work.change(memory, after, "archive", action.reason.code)

    def _forget(self, action: Action, memory: Memory, _by_person: bool) -> None:
        gone = replace(memory, state=State.FORGOTTEN, forgotten_at=self.now)
        self.work.change(memory, gone, "forget", action.reason.code)
        for source_id in memory.summary_of:
            source = self.work.get(source_id, self.plan.namespace)
            if source is not None and source.summarised_in == memory.id:
                self.work.change(source, replace(source, summarised_in=None), "unlink", action.reason.code)

    def _move(self, action: Action, memory: Memory, by_person: bool) -> None:
        name = action.to_category or memory.category
        by = RoutedBy.CORRECTION if by_person else RoutedBy.JOB
        route = Route(name, 1.0, by, Reason("review_moved", {"category": memory.category}))
        self.work.change(memory, replace(memory, category=name, route=route), "move", action.reason.code)

    def _flag(self, action: Action, memory: Memory, _by_person: bool) -> None:
        self.work.change(memory, replace(memory, status=Status.TO_VERIFY), "flag", action.reason.code)

    def _merge(self, action: Action, memory: Memory, _by_person: bool) -> None:
        kept = action.targets[0].id
        if memory.id != kept:
            after = replace(memory, status=Status.SUPERSEDED, superseded_by=kept, superseded_at=self.now)
            self.work.change(memory, after, "merge", action.reason.code)
            return
        others = [self._read(target) for target in action.targets[1:]]
        # What replaces another does not become older by it; what says the same was known all along.
        joined = merging.linked if action.reason.code == "replaced" else merging.merged
        self.work.change(memory, joined(memory, others), "merge", action.reason.code)

    def _summarise(self, action: Action, memory: Memory, _by_person: bool) -> None:
        """The summary itself is written once, after its targets."""

    def _write_summary(self, action: Action, draft: Draft) -> None:
        sources = [self._read(target) for target in action.targets]
        summary = self._summary(action, draft, sources)
        # The sources first: a summary younger than all of them is how the next night knows that it is fresh.
        for source in sources if draft.level is not Level.CATEGORY else ():
            self.work.change(source, replace(source, summarised_in=summary.id), str(action.verb), action.reason.code)
        self.work.create(summary, "summarise", action.reason.code)
        if draft.replaces is not None:
            old = self._read(draft.replaces)
            retired = replace(old, status=Status.SUPERSEDED, superseded_by=summary.id, superseded_at=self.now)
            self.work.change(old, retired, "supersede", "rebuilt")

    def _summary(self, action: Action, draft: Draft, sources: list[Memory]) -> Memory:
        archived = action.verb is Verb.ARCHIVE
        category = (action.to_category or draft.category) if archived else draft.category
        return Memory(
            id=self.new_id(),
            namespace=self.plan.namespace,
            category=category,
            tier=Tier.ARCHIVE if archived else Tier.SUMMARY,
            kind=Kind.NOTE,
            text=draft.text,
            language=draft.language,
            status=lineage.weakest_status(sources),
            authority=max((m.authority for m in sources), key=lambda a: a.rank, default=Authority.OBSERVED),
            source=Source("job", self.plan.job),
            # A summary is as old as its newest source: writing it anew must not make old facts look fresh.
            valid_from=max(m.valid_from for m in sources),
            learnt_at=max(m.learnt_at for m in sources),
            verified_at=None,
            content_hash=texts.content_hash(draft.text),
            route=Route(category, 1.0, RoutedBy.JOB, Reason(action.reason.code)),
            title=draft.title,
            project=draft.project,
            tags=lineage.tags(sources),
            summary_of=tuple(target.id for target in action.targets),
            archived_at=self.now if archived else None,
            chunks=self.chunk_count(draft.text, draft.language),
            drawn=lineage.drawn(draft.level, draft.sentences, sources),
        )
