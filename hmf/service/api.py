"""Hmf: the one place where effects meet rules, and the public face of the library."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import structlog

from hmf.config import Settings, load, resolve_category
from hmf.errors import InvalidInput, NotFound
from hmf.ledger.journal import Entry
from hmf.ledger.plans import FiledPlan
from hmf.ledger.wanted import Wanted
from hmf.memory import Kind, Memory, State, Status, Tier
from hmf.paths import places, prepare
from hmf.plan import Note as Observation
from hmf.plan import Plan
from hmf.policy.answers import Answer
from hmf.policy.packing import Pack
from hmf.service.adding import Adder
from hmf.service.applying import Applied
from hmf.service.changing import Changer, Done
from hmf.service.curating import LEASE, Curator, Ran, job_names
from hmf.service.diary import Diary, Link
from hmf.service.digesting import Digest
from hmf.service.erasing import Eraser
from hmf.service.forecasting import Forecaster, Foreseen
from hmf.service.forgetting import Forgetter
from hmf.service.health import Check, Health
from hmf.service.indexing import Indexer, Progress
from hmf.service.interchange import Interchange
from hmf.service.neighbours import Neighbour, Neighbourhood
from hmf.service.notes import Added, Note, check, end, moment
from hmf.service.recalling import Recaller
from hmf.service.reviewing import Decided, Reviewer
from hmf.service.routing import Router
from hmf.service.store import Store, open_store, utc_now
from hmf.service.undoing import Undoer, Undone

When = datetime | str | None
W = TypeVar("W", bound=StrEnum)


class Hmf:
    """An open memory. Use as a context manager; one process at a time may hold a store open."""

    def __init__(self, store: Store, *, reindexing: bool = False) -> None:
        """Build the service on an open store; `Hmf.open` does both."""
        self._store = store
        self._indexer = Indexer(store, reindexing=reindexing)
        self._router = Router(store)
        self._adder = Adder(store, self._indexer, self._router)
        self._changer = Changer(store, self._indexer, self._router)
        self._recaller = Recaller(store, self._indexer, self._router)
        self._forgetter = Forgetter(store, self._indexer, self._changer)
        self._eraser = Eraser(store, self._indexer, self._changer, self._forgetter)
        self._curator = Curator(store, self._indexer, self._router, self._changer, self._eraser)
        self._reviewer = Reviewer(store, self._curator, self._changer, self._forgetter)
        self._neighbourhood = Neighbourhood(store, self._indexer)
        self._diary = Diary(store, self._changer)
        self._undoer = Undoer(store, self._changer, self._diary)
        self._interchange = Interchange(store, self._indexer)
        self._health = Health(store, self._indexer)
        self._closed = False
        if not reindexing:
            store.runs.interrupted(store.now(), LEASE)
            self._eraser.clean()  # what a crash cut short

    @classmethod
    def open(
        cls,
        home: str | Path | None = None,
        config: str | Path | Mapping[str, Any] | None = None,
        now: Callable[[], datetime] | None = None,
        *,
        role: str = "a program",
        reindexing: bool = False,
    ) -> Self:
        """Open the store in `home` (default: HMF_HOME, or the user's data folder).

        `config`: a YAML file, a mapping laid over the default, or None for the file in the home's config
        folder if there is one, else the default. `now`: an injected clock giving aware datetimes.
        Raises ConfigError, StoreLocked, StoreDamaged, ManifestMismatch, EmbedderFailure, StoreUnavailable.
        """
        if not structlog.is_configured():  # a library's warnings belong on stderr, without anybody's local values
            quiet = structlog.make_filtering_bound_logger(logging.WARNING)
            structlog.configure(wrapper_class=quiet, logger_factory=structlog.PrintLoggerFactory(sys.stderr))
        where = places(home, os.environ)
        source = Path(config) if isinstance(config, str) else config
        if source is None and (where.config_file.exists() or os.environ.get("HMF_CONFIG")):
            source = where.config_file  # one that was named and is not there is an error, not a reason for the default
        settings = load(source, environ=os.environ, known_jobs=job_names())
        prepare(where)
        store = open_store(settings, where, now or utc_now, role)
        try:
            return cls(store, reindexing=reindexing)
        except BaseException:
            store.close()
            raise

    @property
    def settings(self) -> Settings:
        """The configuration in force."""
        return self._store.settings

    @property
    def store(self) -> Store:
        """The parts below, for the daemon and the benches."""
        return self._store

    @property
    def curator(self) -> Curator:
        """Jobs, plans and runs."""
        return self._curator

    @property
    def undoer(self) -> Undoer:
        """What would be undone, before it is."""
        return self._undoer

    @property
    def indexer(self) -> Indexer:
        """The index and its repairs."""
        return self._indexer

    def add(self, text: str, **values: Any) -> Added:
        """Add one memory; see `Note` for the fields (category, kind, project, status, source, at, valid_from,
        volatile, fresh_for, expires_at, supersedes, pinned, tags, title, namespace …).

        Durable when it returns. Raises InvalidInput, UnknownCategory, Refused, NotFound, DiskFull.
        """
        return self._adder.add(check({"text": text, **values}))

    def preview(self, text: str, **values: Any) -> Added:
        """What `add` would do, without doing it: outcome, category and why, warnings."""
        return self._adder.preview(check({"text": text, **values}))

    def add_many(self, items: Iterable[str | Note | Mapping[str, Any]]) -> Iterator[Added]:
        """Add a stream of texts, mappings or Notes in batches; consume the result to drive it."""
        return self._adder.add_many(_note(item) for item in items)

    def search(
        self,
        query: str,
        k: int | None = None,
        categories: Sequence[str] | None = None,
        project: str | None = None,
        kinds: Sequence[Kind | str] | None = None,
        since: When = None,
        until: When = None,
        archive: bool | None = None,
        history: bool = False,
        namespace: str = "default",
    ) -> Pack:
        """The few memories that answer, or an explicit abstention. `archive`: True with it, False without it,
        None only when nothing else answers. Raises InvalidInput, UnknownCategory."""
        zone = self._store.zone
        return self._recaller.search(
            query,
            namespace,
            k=k,
            categories=categories or (),
            project=project,
            kinds=[_one_of(Kind, kind) for kind in kinds or ()],
            since=moment(since, zone, "since"),
            until=end(until, zone),
            archive=archive,
            history=history,
        )

    def get(self, memory_id: str, namespace: str = "default") -> Memory:
        """One memory by id or by a unique part of it. Raises NotFound."""
        return self._changer.one(memory_id, namespace)

    def memories(
        self,
        *,
        category: str | None = None,
        tier: Tier | str | None = None,
        status: Status | str | None = None,
        kind: Kind | str | None = None,
        project: str | None = None,
        pinned: bool | None = None,
        forgotten: bool = False,
        limit: int | None = 50,
        offset: int = 0,
        namespace: str = "default",
    ) -> list[Memory]:
        """Memories that fit every condition, newest first."""
        _count(limit, "limit")
        _count(offset, "offset")
        wanted = Wanted(
            namespace,
            categories=(category,) if category else (),
            tiers=(_one_of(Tier, tier),) if tier else (),
            kinds=(_one_of(Kind, kind),) if kind else (),
            statuses=(_one_of(Status, status),) if status else (),
            states=(State.FORGOTTEN,) if forgotten else (State.LIVE,),
            project=project,
            pinned=pinned,
        )
        return self._store.ledger.find(wanted, limit=limit, offset=offset)

    def history(self, memory_id: str, namespace: str = "default") -> list[Entry]:
        """Every change of a memory, oldest first. An erased one has entries without content."""
        entries = self._store.ledger.entries(namespace=namespace, memory_id=memory_id)
        if not entries:
            found = self.get(memory_id, namespace)
            entries = self._store.ledger.entries(namespace=namespace, memory_id=found.id)
        return entries

    def chain(self, memory_id: str, namespace: str = "default") -> list[Link]:
        """What replaced what: all that this memory took the place of and all that took its place, with the journal."""
        return self._diary.chain(memory_id, namespace)

    def log(
        self,
        *,
        limit: int | None = 50,
        since: When = None,
        until: When = None,
        told: bool = True,
        namespace: str = "default",
    ) -> list[dict[str, Any]]:
        """Batches, the last made first; `told`: with what each did. Times may be words, as in a search."""
        _count(limit, "limit")
        return self._diary.log(namespace, limit=limit, since=since, until=until, told=told)

    def revise(self, memory_id: str, text: str, namespace: str = "default") -> Memory:
        """Give a memory another text; the old one stays in its history."""
        return self._changer.revise(memory_id, namespace, text)

    def move(self, memory_id: str, category: str, namespace: str = "default") -> Memory:
        """File a memory elsewhere; the router learns from it."""
        return self._changer.move(memory_id, namespace, category)

    def pin(self, memory_id: str, on: bool = True, namespace: str = "default") -> Memory:
        """Put a memory out of the reach of every job (`on=False`: back within it)."""
        return self._changer.pin(memory_id, namespace, on)

    def forget(self, memory_id: str | Sequence[str], reason: str | None = None, namespace: str = "default") -> Done:
        """Hide memories at once; `undo(done.id)` brings them back until the grace has passed."""
        ids = [memory_id] if isinstance(memory_id, str) else list(memory_id)
        return self._forgetter.forget(ids, namespace, reason)

    def fitting(
        self, project: str | None = None, category: str | None = None, namespace: str = "default"
    ) -> list[Memory]:
        """The live memories of a project, a category or both: what an order to forget them would hide. Raises Refused
        for an empty choice, NotFound, UnknownCategory."""
        return self._forgetter.fitting(namespace, project, category)

    def erase(self, memory_id: str, namespace: str = "default") -> Done:
        """Destroy a memory now, everywhere. There is no undo."""
        return self._eraser.erase(memory_id, namespace)

    def undo(self, batch_id: str, namespace: str = "default") -> Done:
        """Take a batch back, except what changed again since (reported in `skipped`)."""
        return self._changer.undo(batch_id, namespace)

    def undo_since(self, since: When, only: Collection[str] | None = None, namespace: str = "default") -> Undone:
        """Take back all that was done since a moment, the last first (`only`: of these batches)."""
        return self._undoer.undo_since(since, namespace, only)

    def undo_memory(self, memory_id: str, namespace: str = "default") -> Done:
        """Take back the last change of one memory, and nothing else of its batch."""
        return self._undoer.undo_memory(memory_id, namespace)[1]

    def plan(self, job: str, namespace: str = "default", *, file: bool = True) -> Plan:
        """What a job proposes now; nothing is done yet."""
        return self._curator.plan(job, namespace, file=file)

    def plans(self, namespace: str = "default") -> list[FiledPlan]:
        """The plans that wait for a decision."""
        return self._curator.open_plans(namespace)

    def apply(
        self,
        plan: Plan | str,
        approve: str | Collection[str] = "all",
        refuse: Collection[str] = (),
        namespace: str | None = None,
        *,
        face: str = "python",
        force: bool = False,
    ) -> Applied:
        """Apply a plan: "all", "auto" (what its policies let apply by itself), or action keys or memory ids.
        `face`: where a person said so, for the journal. Raises Refused where it would leave nothing but the pinned in a
        category of ten or more, unless `force`."""
        space = namespace or (plan.namespace if isinstance(plan, Plan) else "default")
        return self._curator.apply(plan, space, approve=approve, refuse=refuse, face=face, force=force)

    def decide(
        self,
        keys: str | Sequence[str],
        answer: Answer | str,
        *,
        plan: str | None = None,
        text: str | None = None,
        into: str | None = None,
        until: When = None,
        namespace: str = "default",
        face: str = "python",
        force: bool = False,
    ) -> list[Decided]:
        """Answer proposals: approve, refuse, keep (which verifies), archive, edit (`text`), merge (`into` another),
        forget, postpone (`until` a day, or for a span such as `2w`), undecided. See `Reviewer.decide`."""
        chosen = [keys] if isinstance(keys, str) else list(keys)
        said = _one_of(Answer, answer)
        return self._reviewer.decide(
            chosen, said, namespace, plan=plan, text=text, into=into, until=until, face=face, force=force
        )

    def digests(self, *, limit: int = 1, night: str | None = None, namespace: str = "default") -> list[Digest]:
        """What the latest nights did, what awaits and what failed, newest first; one night by its date."""
        _count(limit, "limit")
        return self._curator.digester.read(namespace, limit=limit, night=night)

    def notes(self, namespace: str = "default") -> list[tuple[str, Observation]]:
        """What each job saw at its latest run and cannot mend by an action, as (job, note); without what was
        dismissed."""
        return self._store.plans.notes(namespace)

    def dismiss(self, keys: Sequence[str], on: bool = True, namespace: str = "default") -> list[str]:
        """Do not show these notes again until they change; `on=False`: show them again. Raises NotFound."""
        return self._reviewer.dismiss(keys, namespace, on=on)

    def neighbours(
        self, memory_ids: Sequence[str], k: int = 3, namespace: str = "default"
    ) -> dict[str, list[Neighbour]]:
        """The live memories nearest in meaning to each of these, nearest first."""
        return self._neighbourhood.of(memory_ids, namespace, k)

    def run(self, job: str, **how: Any) -> Ran:
        """Run a job over every namespace and record the run; see `Curator.run`."""
        return self._curator.run(job, **how)

    def forecast(
        self,
        weeks: int = 8,
        categories: Sequence[str] | None = None,
        *,
        answered: bool = False,
        namespace: str = "default",
    ) -> Foreseen:
        """What each policy will do in the coming weeks if nothing else changes. `answered`: as if you approved all that
        it asks, on the same night. Raises InvalidInput, UnknownCategory."""
        names = [resolve_category(name, self.settings) for name in categories or ()]
        return Forecaster(self._store, self._curator).forecast(namespace, weeks, names, answered=answered)

    def project(self, name: str, namespace: str = "default") -> ProjectHandle:
        """A project by name. Raises NotFound when no memory speaks of it."""
        if name not in self._store.ledger.projects(namespace):
            known = ", ".join(self._store.ledger.projects(namespace)) or "none"
            raise NotFound(f"No memory speaks of a project {name!r}.", fix=f"known: {known}.")
        return ProjectHandle(self._changer, name, namespace)

    def stats(self, namespace: str = "default") -> dict[str, Any]:
        """Counts by category and tier, and where everything lies."""
        return self._health.stats(namespace)

    def doctor(self) -> list[Check]:
        """Every check of the store; those that fail name their remedy."""
        return self._health.doctor()

    def reindex(self, progress: Progress | None = None) -> int:
        """Build the index anew beside the old one, then switch. Returns the points written."""
        return self._indexer.rebuild(progress)

    def export(self, namespace: str = "default") -> Iterator[str]:
        """JSON lines of everything the namespace holds."""
        return self._interchange.export(namespace)

    def restore(
        self,
        lines: Iterable[str],
        namespace: str = "default",
        *,
        again: bool = False,
        report: list[str] | None = None,
    ) -> Iterator[tuple[str, str]]:
        """Take an export in; repeats are harmless. `again`: also what was forgotten here since; `report`: takes a
        sentence for each memory that is not taken for that."""
        return self._interchange.restore(lines, namespace, again=again, report=report)

    def exported(self, path: str | Path, namespace: str = "default") -> None:
        """Note that an export was written there: an erasure names it."""
        self._store.copies.note(Path(path), namespace, self._store.now())

    def warm(self) -> None:
        """Load what the first questions would wait for. A long-lived process calls it once, beside its other work.

        Raises IndexFailure, EmbedderFailure.
        """
        for namespace in self._store.ledger.namespaces():
            self._recaller.warm(namespace)

    def tick(self) -> None:
        """Housekeeping for a long life: apply what waits, make the index durable."""
        self._indexer.sync()
        self._indexer.flush()

    def close(self) -> None:
        """Flush and close. Twice is harmless."""
        if self._closed:
            return
        self._closed = True
        try:
            self._recaller.close()
            self.tick()
        finally:
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class ProjectHandle:
    """One project of one namespace."""

    def __init__(self, changer: Changer, name: str, namespace: str) -> None:
        """Made by `Hmf.project`."""
        self._changer = changer
        self.name = name
        self.namespace = namespace

    def finish(self) -> Done:
        """Mark it finished: after the policy's delay its details go, its summary, decisions and lessons stay."""
        return self._changer.project(self.name, self.namespace, finished=True)

    def reopen(self) -> Done:
        """Mark it open again."""
        return self._changer.project(self.name, self.namespace, finished=False)


def _note(item: str | Note | Mapping[str, Any]) -> Note:
    if isinstance(item, Note):
        return item
    return check({"text": item} if isinstance(item, str) else item)


def _count(value: int | None, field: str) -> None:
    if value is not None and not 0 <= value <= 10**9:
        raise InvalidInput(f"{field}: {value} is out of range.", fix="use a whole number from 0 to 1,000,000,000.")


def _one_of(words: type[W], value: str) -> W:
    try:
        return words(value)
    except ValueError as error:
        known = ", ".join(words)
        raise InvalidInput(f"{value!r} is not a {words.__name__.lower()}.", fix=f"one of: {known}.") from error
