"""The forecast against the nights themselves: played on a clock, week by week, they do what was foreseen."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf import Hmf
from hmf.errors import InvalidInput, UnknownCategory
from hmf.memory import Confirm, Kind
from hmf.plan import Verb
from hmf.policy.conditions import governing
from hmf.policy.forecast import Said, turns
from hmf.policy.retention import Fate
from hmf.policy.slots import upcoming
from hmf.service.forecasting import Foreseen
from tests.service import LIGHT, Clock, open_memory

WEEKS = 5
JOBS = ("expire", "archive", "review", "summarise")
SHELVES: dict[str, Any] = {
    "inbox": {"routable": False, "policy": {"on_project_finished": None}},
    "ideas": {"policy": {"stale_after": "30d", "archive_to": "shelf", "confirm": "auto", "max_share_per_run": 0.6}},
    "shelf": {"routable": False, "policy": {"expire_after": "45d", "confirm": "auto", "grace": "10d"}},
    "talk": {"policy": {"expire_after": "2w", "confirm": "auto", "grace": "1w", "max_share_per_run": 1.0}},
    "notes": {"policy": {"stale_after": "3w", "expire_after": "6w", "confirm": "ask", "on_project_finished": None}},
    "kept": {"policy": {"stale_after": "20d", "confirm": "never"}},
    "work": {"policy": {"summarise": True, "confirm": "auto", "max_share_per_run": 0.9}},
}  # fmt: skip
CONFIG = {
    **LIGHT,
    "categories": SHELVES,
    "projects": {"on_finished": {"after": "12d", "keep": ["decision", "lesson"]}},
}
RULED_SHELVES: dict[str, Any] = {
    "inbox": {"routable": False, "policy": {"on_project_finished": None}},
    "ideas": {"policy": {"stale_after": "30d", "archive_to": "shelf", "confirm": "auto", "max_share_per_run": 0.9,
              "keep": {"last": 6}}},
    "shelf": {"routable": False, "policy": {"expire_after": "45d", "confirm": "auto", "grace": "10d",
              "max_share_per_run": 0.9, "keep": {"last": 9}, "touched_by": ["learnt"]}},
    "talk": {"policy": {"expire_after": "2w", "confirm": "auto", "grace": "1w", "max_share_per_run": 1.0, "rules": [
        {"when": {"kinds": ["fact"]}, "expire_after": "4w", "confirm": "ask"},
        {"when": {"sources": ["web"]}, "expire_after": "5d"},
    ]}},
    "notes": {"policy": {"stale_after": "3w", "expire_after": "6w", "on_project_finished": None, "rules": [
        {"when": {"statuses": ["to-verify"]}, "stale_after": "8d", "archive_to": "shelf", "confirm": "auto"},
        {"when": {"languages": ["fr"]}, "stale_after": "never", "expire_after": "never"},
    ], "max_share_per_run": 0.95}},
    "kept": {"policy": {"stale_after": "20d", "confirm": "never", "keep": {"last": 2}}},
    "work": {"policy": {"confirm": "auto", "stale_after": "15d", "max_share_per_run": 0.9, "keep": {"last": 5},
             "rules": [
        {"when": {"projects": ["lumen"]}, "on_project_finished": {"after": "20d", "keep": []}},
        {"when": {"projects": ["Ostrea"], "kinds": ["note"]}, "stale_after": "never", "expire_after": "25d"},
    ]}},
}  # fmt: skip
RULED = {**CONFIG, "categories": RULED_SHELVES}
Told = Counter[tuple[Any, ...]]


def fill(hmf: Hmf, clock: Clock, rng: random.Random, count: int) -> None:
    """Notes of every age and kind, some volatile, some dated, some of a finished project, some forgotten by hand."""
    now, ids = clock.moment, []
    names = [name for name in SHELVES if name != "inbox"]
    for n in range(count):
        shelf = rng.choice(names)
        clock.moment = now - timedelta(hours=rng.randrange(24 * 60))
        volatile = rng.random() < 0.2
        added = hmf.add(
            f"Remark {n} on the subject of {rng.choice(['tides', 'salt', 'lamps', 'bells'])}, number {n * 7}.",
            category=shelf,
            kind=rng.choice([Kind.NOTE, Kind.NOTE, Kind.NOTE, Kind.FACT, Kind.DECISION, Kind.LESSON]),
            project=rng.choice(["Lumen", "Ostrea"]) if shelf == "work" else None,
            language=rng.choice(["en", "en", "fr"]),
            source={"type": rng.choice(["user", "web"])},
            volatile=volatile,
            fresh_for=rng.choice(["5d", "30d", "2mo"]) if volatile else None,
            expires_at=now + timedelta(days=rng.randrange(-3, 50)) if rng.random() < 0.15 else None,
            pinned=rng.random() < 0.1,
        )
        assert added.id
        ids.append(added.id)
    clock.moment = now - timedelta(days=rng.randrange(20))
    if "Lumen" in hmf.store.ledger.projects("default"):
        hmf.project("Lumen").finish()
    clock.moment = now
    hmf.forget(rng.sample(ids, count // 15))


def foreseen_counts(found: Foreseen) -> Told:
    told: Told = Counter()
    for row in found.rows:
        for week, count in enumerate((row.waiting, *row.weeks), -1):
            told[week, row.category, row.policy, str(row.outcome)] += count
    return +told


def later(told: Told) -> Told:
    return Counter({key: count for key, count in told.items() if key[0] >= 0})


class Nights:
    """The real nights: what the jobs did and asked, by week, for the memories that were there at the beginning."""

    def __init__(self, hmf: Hmf, clock: Clock, answered: bool) -> None:
        self.hmf, self.clock, self.answered = hmf, clock, answered
        self.start = clock.moment
        self.known = {m.id for m in [*hmf.memories(limit=None), *hmf.memories(limit=None, forgotten=True)]}
        self.told: Told = Counter()
        self.asked: set[tuple[str, str, str]] = set()

    def play(self) -> Told:
        for job in ("archive", "expire"):
            self._questions(-1, self.hmf.plan(job, file=False).actions)
        schedule = self.hmf.settings.schedule.jobs
        for at, job in sorted((at, one) for one in JOBS for at in self._moments(str(schedule[one]))):
            self.clock.moment = at
            self._night(job)
        return +self.told

    def _night(self, job: str) -> None:
        week, seen = self._week(self.clock.moment), self.hmf.store.ledger.journal_seq()
        buried = {m.id: m.category for m in self.hmf.memories(limit=None, forgotten=True)}
        ran = self.hmf.run(job)
        still = {m.id for m in self.hmf.memories(limit=None, forgotten=True)}
        for gone in buried.keys() & self.known - still:
            self.told[week, buried[gone], "grace", "purged"] += 1
        if job in ("archive", "expire"):
            filed = self.hmf.curator.get(ran.plans[0], "default")
            self._questions(week, [a for a in filed.plan.actions if filed.outcomes[a.key][0] != "applied"])
            if self.answered:
                self.hmf.apply(filed.plan, force=True)
        self._journal(week, seen)

    def _questions(self, week: int, actions: Any) -> None:
        for action in actions:
            if action.verb not in (Verb.ARCHIVE, Verb.FORGET) or action.confirm is Confirm.AUTO:
                continue
            for target in action.targets:
                question = (target.id, str(action.verb), action.category)
                if question not in self.asked and target.id in self.known:
                    self.asked.add(question)
                    self.told[week, action.category, action.reason.code, self._asking(target.id, action)] += 1

    def _asking(self, memory_id: str, action: Any) -> str:
        """Asked by its policy, or held back by the share; what is kept by its kind and has expired always asks."""
        memory = self.hmf.get(memory_id)
        _, policy = governing(self.hmf.store.categories[action.category].policy, memory)
        if policy.confirm is not Confirm.AUTO:
            return "reported" if policy.confirm is Confirm.NEVER else "asked"
        kept = memory.kind in policy.keep.kinds and action.reason.code == "expired"
        return "asked" if kept else "held"

    def _journal(self, week: int, seen: int) -> None:
        done = {"archive": "archived", "forget": "forgotten", "flag": "marked"}
        ledger = self.hmf.store.ledger
        for entry in ledger.entries(namespace="default", limit=ledger.journal_seq() - seen):
            if entry.memory_id in self.known and entry.verb in done and entry.before is not None:
                if entry.verb == "flag" and entry.reason != "volatile_stale":
                    continue
                self.told[week, entry.before.category, entry.reason, done[entry.verb]] += 1

    def _moments(self, line: str) -> list[datetime]:
        found, zone = [], self.hmf.store.zone
        at = upcoming(line, self.start, zone)
        while at is not None and self._week(at) < WEEKS:
            found.append(at)
            at = upcoming(line, at, zone)
        return found

    def _week(self, moment: datetime) -> int:
        zone = self.hmf.store.zone
        return int((moment.astimezone(zone).date() - self.start.astimezone(zone).date()).days // 7)


@pytest.mark.parametrize("answered", [False, True])
@pytest.mark.parametrize(("seed", "config"), [(0, CONFIG), (2, RULED)])
def test_the_nights_do_what_was_foreseen(tmp_path: Path, seed: int, config: Mapping[str, Any], answered: bool) -> None:
    rng = random.Random(seed)
    clock = Clock(datetime(2026, 3, 2, 15, tzinfo=UTC) + timedelta(days=rng.randrange(300)))
    with open_memory(tmp_path, clock, config) as hmf:
        fill(hmf, clock, rng, 120)
        foreseen = foreseen_counts(hmf.forecast(WEEKS, answered=answered))
        real = Nights(hmf, clock, answered).play()
        assert foreseen == real
        assert {key[3] for key in real} >= {"archived", "forgotten", "purged", "marked", "reported", "asked"}


def test_too_large_a_share_is_held_back_then_and_now(tmp_path: Path) -> None:
    clock = Clock()
    with open_memory(tmp_path, clock, CONFIG) as hmf:
        for n in range(12):
            hmf.add(f"Idea number {n}, all of one day.", category="ideas", kind="note")
        clock.forward(days=25)
        foreseen = foreseen_counts(hmf.forecast(WEEKS))
        assert foreseen == {(0, "ideas", "stale", "held"): 12} == Nights(hmf, clock, False).play()
        assert foreseen_counts(hmf.forecast(WEEKS)) == {(-1, "ideas", "stale", "held"): 12}


def test_what_was_refused_is_not_asked_again_and_what_was_undone_waits(tmp_path: Path) -> None:
    clock = Clock()
    with open_memory(tmp_path, clock, CONFIG) as hmf:
        for n in range(3):
            hmf.add(f"Note number {n} on the lamps.", category="notes", kind="note")
            hmf.add(f"Idea number {n} on the lamps.", category="ideas", kind="note")
        clock.forward(days=31)
        plan = hmf.plan("archive")
        asking = [a for a in plan.actions if a.category == "notes"]
        hmf.apply(plan, approve=(), refuse=[asking[0].key])
        hmf.undo(hmf.apply(plan, approve="auto").id)
        foreseen = foreseen_counts(hmf.forecast(WEEKS))
        assert foreseen[-1, "notes", "stale", "asked"] == 2
        assert foreseen[-1, "ideas", "stale", "held"] == 3
        assert foreseen[1, "notes", "expired_age", "asked"] == 3
        assert later(foreseen) == later(Nights(hmf, clock, False).play())


def test_a_night_each_local_day_across_the_change_of_clocks(tmp_path: Path) -> None:
    clock = Clock(datetime(2026, 10, 20, 10, tzinfo=UTC))
    with open_memory(tmp_path, clock, CONFIG) as hmf:
        for n in range(20):
            hmf.add(f"Passing talk number {n}.", category="talk", kind="note")
            clock.forward(hours=7)
        foreseen = foreseen_counts(hmf.forecast(WEEKS))
        assert foreseen == Nights(hmf, clock, False).play()
        assert sum(count for key, count in foreseen.items() if key[3] == "purged") > 0


def test_it_can_be_asked_for_one_category_and_says_what_is_on_no_schedule(tmp_path: Path) -> None:
    clock = Clock()
    off = {**CONFIG, "schedule": {"jobs": {"review": None, "expire": "*/5 * * * *"}}}
    with open_memory(tmp_path, clock, off) as hmf:
        hmf.add("Passing talk.", category="talk", kind="note")
        hmf.add("A price.", category="notes", kind="fact", volatile=True, fresh_for="5d")
        whole = hmf.forecast(4)
        assert foreseen_counts(whole) == {
            (0, "notes", "volatile_stale", "marked"): 1,
            (2, "talk", "expired_age", "forgotten"): 1,
            (3, "talk", "grace", "purged"): 1,
            (3, "notes", "stale", "asked"): 1,
        }
        assert {row.category for row in hmf.forecast(3, ["talk"]).rows} == {"talk"}
        assert whole.unscheduled == ("review",)
        assert [day.isoformat() for day in whole.weeks] == [
            "2026-11-30",
            "2026-12-07",
            "2026-12-14",
            "2026-12-21",
        ]
        before = hmf.memories(limit=None)
        hmf.forecast(104)
        assert hmf.memories(limit=None) == before
        for weeks in (0, 105):
            with pytest.raises(InvalidInput):
                hmf.forecast(weeks)
        with pytest.raises(UnknownCategory):
            hmf.forecast(3, ["nowhere"])


LADDER = [None, *(Said(Fate.ARCHIVE, code, Confirm.ASK) for code in "abcd")]


@given(st.lists(st.integers(0, 4), min_size=1, max_size=80).map(sorted))
def test_halving_finds_every_change_of_a_growing_verdict(steps: list[int]) -> None:
    said = [LADDER[step] for step in steps]
    whole = [(n, one) for n, one in enumerate(said) if one != (said[n - 1] if n else None)]
    assert list(turns(lambda n: said[n], len(said))) == whole


def test_whoever_comes_after_the_last_takes_the_place_of_one_that_leaves(tmp_path: Path) -> None:
    """Two are kept, the younger until a date. When that is over, the third is spared after all."""
    clock = Clock()
    shelves = {
        "inbox": SHELVES["inbox"],
        "talk": {"policy": {"expire_after": "1w", "confirm": "auto", "keep": {"last": 2}}},
    }
    with open_memory(tmp_path, clock, {**CONFIG, "categories": shelves}) as hmf:
        for n in range(4):
            ends = clock.moment + timedelta(days=3) if n == 3 else None
            hmf.add(f"Passing talk number {n}.", category="talk", kind="note", expires_at=ends)
            clock.forward(hours=5)
        foreseen = foreseen_counts(hmf.forecast(WEEKS))
        assert foreseen == Nights(hmf, clock, False).play()
        gone = sorted((code, count) for (_, _, code, outcome), count in foreseen.items() if outcome == "forgotten")
        assert gone == [("expired", 1), ("expired_age", 1)]
