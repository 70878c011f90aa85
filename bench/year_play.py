"""The year played on a clock: notes at their hours, every night by the schedule, the writer's answers on Sundays.

The nights go through `hmf.schedule`, as the daemon's do; the answers go by what is true, and how often a proposal was
right is counted. Whatever HMF takes out of the present is held against what is true at that moment.
"""

from __future__ import annotations

import heapq
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count

from bench.year_note import Order, Told
from bench.year_words import Words
from bench.year_world import World
from hmf import Hmf
from hmf.cli.year import Clock
from hmf.ledger.journal import Entry
from hmf.memory import State
from hmf.plan import Action, Verb
from hmf.policy.slots import next_runs
from hmf.reason import unpack
from hmf.schedule import Scheduler

RETIRING = frozenset({"supersede", "merge", "archive", "forget"})
_REVIEW = timedelta(hours=10)
_SUNDAY = 6


@dataclass(frozen=True, slots=True)
class Wrong:
    """A memory taken out of the present though it still held. `by`: add, night or review; `other`: what replaced it."""

    at: datetime
    by: str
    verb: str
    reason: str
    text: str
    other: str


@dataclass(frozen=True, slots=True)
class Night:
    """One night: its seconds, what it applied, and the seconds that reading every memory once took then."""

    at: datetime
    seconds: float
    applied: int
    reading: float


@dataclass
class Played:
    """What came of the year so far."""

    ids: dict[str, str] = field(default_factory=dict)
    """Note key to memory id."""
    told: dict[str, list[Told]] = field(default_factory=lambda: defaultdict(list))
    outcomes: Counter[str] = field(default_factory=Counter)
    found: int = 0
    """Memories retired by an addition that did not name them."""
    wrong: list[Wrong] = field(default_factory=list)
    answers: Counter[tuple[str, bool]] = field(default_factory=Counter)
    """Proposals by kind (verb and reason), and whether each was right."""
    refused: list[str] = field(default_factory=list)
    """Wrong proposals in words, to be looked at."""
    nights: list[Night] = field(default_factory=list)
    verbs: Counter[str] = field(default_factory=Counter)
    """Journal entries by what was done and why."""


class Player:
    """Plays a world in an open memory."""

    def __init__(self, memory: Hmf, clock: Clock, world: World) -> None:
        """Nothing happens yet."""
        self.memory, self.clock, self.world = memory, clock, world
        self.played = Played()
        self._schedule = Scheduler(memory)
        self._words = Words(len(world.notes))
        self._coming: list[tuple[datetime, int, Callable[[], None]]] = []
        self._number = count()
        self._seq = memory.store.ledger.journal_seq()

    def play(self, probe: Callable[[datetime], None], tick: Callable[[], None]) -> Played:
        """The whole year. `probe` is called once a month, `tick` after each day."""
        for one in self.world.notes:
            self._at(one.at, lambda one=one: self._note(one))  # type: ignore[misc]
        for order in self.world.orders:
            self._at(order.at, lambda order=order: self._order(order))  # type: ignore[misc]
        for moment in _probes(self.world.start, self.world.end):
            self._at(moment, lambda moment=moment: probe(moment))  # type: ignore[misc]
        for day in self._days(self.world.start, self.world.end):
            self._at(day + timedelta(hours=3), self.night)
            self._at(day + _REVIEW, self._review)
            self._at(day + timedelta(hours=23, minutes=59), tick)
        self._run()
        return self.played

    def night(self) -> None:
        """Every job at its minute, by the schedule; the moment after stands at the end of the last."""
        jobs = self.memory.settings.schedule.jobs
        began, applied = time.perf_counter(), 0
        runs = next_runs(jobs, self.clock.moment, self.memory.store.zone, {}, retries=0)
        for run in runs:
            self.clock.moment = run.at
            self._schedule.tick(run.at)
            applied += len(self._changes("night"))
        seconds = time.perf_counter() - began
        began = time.perf_counter()
        everything = list(self.memory.memories(limit=None))
        reading = time.perf_counter() - began
        assert everything or not self.played.ids
        self.played.nights.append(Night(self.clock.moment, seconds, applied, reading))

    def live(self, memory_id: str) -> bool:
        """Whether it still holds and must stay, by what is true now. What no note told, such as a summary, may go."""
        now = self.clock.moment
        return any(not one.may_go(now) for one in self.played.told.get(memory_id, ()))

    def _at(self, moment: datetime, what: Callable[[], None]) -> None:
        heapq.heappush(self._coming, (moment, next(self._number), what))

    def _run(self) -> None:
        while self._coming:
            moment, _, what = heapq.heappop(self._coming)
            self.clock.moment = max(moment, self.clock.moment)
            what()

    def _days(self, start: datetime, end: datetime) -> Iterator[datetime]:
        day = start.astimezone(self.memory.store.zone).replace(hour=0, minute=0, second=0, microsecond=0)
        while (day := day + timedelta(days=1)) < end:
            yield day

    def _note(self, one: Told) -> None:
        played, fields = self.played, dict(one.fields)
        named = played.ids.get(one.replaces or "")
        old = self.memory.store.ledger.get([named]).get(named) if named else None
        if old is not None and old.state is State.LIVE:
            fields["supersedes"] = [old.id]
        added = self.memory.add(one.text, at=one.at, **fields)
        played.outcomes[added.outcome] += 1
        if added.id is None:
            return
        played.ids[one.key] = added.id
        played.told[added.id].append(one)
        if "supersedes" not in fields:
            played.found += len(added.superseded)
        self._changes("add", asked=fields.get("supersedes", ()))
        if added.category not in one.drawers and self._words.chance(0.2):
            self._at(one.at + timedelta(days=1), lambda: self._correct(one))

    def _correct(self, one: Told) -> None:
        found = self.memory.store.ledger.get([self.played.ids[one.key]]).get(self.played.ids[one.key])
        if found is not None and found.state is State.LIVE and found.category not in one.drawers:
            self.memory.move(found.id, one.drawers[0])
            self._seq = self.memory.store.ledger.journal_seq()

    def _order(self, order: Order) -> None:
        memory, known = self.memory, self.memory.store.ledger.projects("default")
        if order.verb in ("finish", "reopen"):
            if order.name in known:
                getattr(memory.project(order.name), order.verb)()
        elif order.name in self.played.ids:
            getattr(memory, order.verb)(self.played.ids[order.name])
        self._seq = memory.store.ledger.journal_seq()

    def _review(self) -> None:
        """On Sundays the writer answers all that is asked: yes to what is right, no to what is not."""
        if self.clock.moment.astimezone(self.memory.store.zone).weekday() != _SUNDAY:
            return
        for filed in self.memory.plans():
            yes, no = [], []
            for action in filed.undecided:
                right = self.agrees(action)
                (yes if right else no).append(action.key)
                kind = f"{action.verb}: {action.reason.code}"
                self.played.answers[kind, right] += 1
                if not right:
                    self.played.refused.append(f"{kind}: {self._said(action)}")
            self.memory.apply(filed.plan.id, yes, no, filed.plan.namespace)
            self._changes("review")

    def agrees(self, action: Action) -> bool:
        """Whether a proposal is right by what is true now."""
        told, now = self.played.told, self.clock.moment
        ids = [target.id for target in action.targets]
        if action.verb is Verb.MOVE:
            return all(action.to_category in one.drawers for i in ids for one in told.get(i, ()))
        if action.verb in (Verb.ARCHIVE, Verb.FORGET):
            return not any(map(self.live, ids))
        if action.verb is Verb.MERGE:
            return all(self._replaces(ids[0], i) for i in ids[1:])
        if action.verb is Verb.FLAG and action.reason.code == "conflict":
            return any(one.is_stale(now) for i in ids for one in told.get(i, ()))
        return True

    def _replaces(self, new: str, old: str) -> bool:
        """The old one does not hold any more, or the new one says the same."""
        told = self.played.told
        same = any(self.world.equal(a, b) for a in told.get(new, ()) for b in told.get(old, ()))
        return same or not self.live(old)

    def _changes(self, by: str, asked: Sequence[str] = ()) -> list[Entry]:
        """The journal since the last look; what it took out of the present is judged."""
        ledger = self.memory.store.ledger
        newest = ledger.journal_seq()
        entries = ledger.entries(namespace="default", limit=newest - self._seq) if newest > self._seq else []
        self._seq = newest
        for entry in entries:
            if by != "add" or entry.verb != "add":
                self.played.verbs[f"{by}: {entry.verb}" + (f" ({_code(entry)})" if entry.reason else "")] += 1
            if entry.verb in RETIRING and entry.memory_id and entry.memory_id not in asked:
                self._judge(entry, by)
        return entries

    def _judge(self, entry: Entry, by: str) -> None:
        memory_id = str(entry.memory_id)
        if not self.live(memory_id):
            return
        now = self.memory.store.ledger.get([memory_id]).get(memory_id)
        heir = now.superseded_by if now is not None else None
        if heir is not None and self._replaces(heir, memory_id):
            return  # said again in other words: the newer wording answers in its place
        other = self.memory.store.ledger.get([heir]).get(heir) if heir else None
        text = entry.before.text if entry.before else ""
        self.played.wrong.append(
            Wrong(self.clock.moment, by, entry.verb, entry.reason or "", text, other.text if other else "")
        )

    def _said(self, action: Action) -> str:
        rows = self.memory.store.ledger.get([target.id for target in action.targets])
        return " | ".join(f"{m.text} [{m.category}]" for m in rows.values()) + f" → {action.to_category or ''}"


def _code(entry: Entry) -> str:
    return unpack(entry.reason or "").code


def _probes(start: datetime, end: datetime) -> Iterator[datetime]:
    """The evenings that end each thirtieth day or so: twelve in a year."""
    months = max(1, round((end - start).days / 30.4))
    for month in range(1, months + 1):
        yield start + (end - start) * month / months - timedelta(hours=5)
