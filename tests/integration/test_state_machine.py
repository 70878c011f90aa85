"""The store against a plain dictionary: any order of additions, changes, nights, undoings, erasures and crashes.

HMF_TEST_STATES sets how many sequences are played (default 12); HMF_TEST_STEPS how long each is (default 25).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from dataclasses import replace
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from uuid import UUID

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from hmf import Hmf
from hmf.errors import Conflict, NotFound, Refused
from hmf.ledger.ledger import SUMMARIES, home_of
from hmf.ledger.wanted import Wanted
from hmf.memory import RETIRED, Memory, State, Tier
from tests.service import LIGHT, Clock, open_memory

CONFIG: dict[str, Any] = {
    **LIGHT,
    "categories": {
        "clients": {"description": {"fr": "Projets de clients.", "en": "Client projects."}},
        "ideas": {
            "description": {"fr": "Idées d'articles.", "en": "Article ideas."},
            "policy": {"stale_after": "60d", "archive_to": "shelved", "summarise": True, "confirm": "auto",
                       "grace": "20d", "max_share_per_run": 1.0},
        },
        "chores": {
            "description": {"fr": "Choses à faire.", "en": "Chores."},
            "policy": {"expire_after": "30d", "confirm": "auto", "grace": "10d", "max_share_per_run": 1.0},
        },
        "shelved": {"description": {"fr": "Idées rangées.", "en": "Shelved ideas."}, "routable": False},
        "inbox": {"description": {"fr": "À classer.", "en": "To be filed."}},
    },
}  # fmt: skip
FILED = ("clients", "ideas", "chores")
JOBS = ("review", "archive", "summarise", "expire")
SUBJECTS = ("granite", "quartz", "basalt", "schist", "marble", "chalk", "slate", "amber", "coral", "jade")
PROJECTS = (None, "Lumen", "Été « 26 »")
PICK = st.integers(0, 10**6)


class Store(RuleBasedStateMachine):
    """What the store says, beside what it must say."""

    def __init__(self) -> None:
        super().__init__()
        shared = Path("/dev/shm")
        self.folder = Path(mkdtemp(prefix="hmf-states-", dir=shared if os.access(shared, os.W_OK) else None))
        self.clock = Clock()
        self.numbers = count(1)
        self.hmf = self.open()
        self.rows: dict[str, Memory] = {}
        self.erased: dict[str, str] = {}
        self.said = 0

    def open(self) -> Hmf:
        """The same ids in every playing of a sequence, or a failure could not be told again."""
        hmf = open_memory(self.folder / "home", self.clock, CONFIG)
        hmf.store.new_id = lambda: str(UUID(int=(next(self.numbers) << 80) | (7 << 76) | (2 << 62)))  # type: ignore[method-assign]
        return hmf

    def teardown(self) -> None:
        self.hmf.close()
        shutil.rmtree(self.folder)

    # What is chosen, and what is taken over

    def all(self) -> dict[str, Memory]:
        return {m.id: m for m in self.hmf.store.ledger.stream(Wanted("default", states=()))}

    def one(self, pick: int, *, live: bool = True) -> Memory | None:
        fit = [m for m in self.rows.values() if not live or m.state is State.LIVE]
        return fit[pick % len(fit)] if fit else None

    def took(self, touched: Iterable[str], *, spare_pinned: bool = False) -> None:
        """Take over what the last order changed; nothing but `touched`, and what hangs on it, may have."""
        now = self.all()
        changed = {i for i in self.rows.keys() | now.keys() if self.rows.get(i) != now.get(i)}
        hung = {
            m.id
            for m in [*self.rows.values(), *now.values()]
            if {*m.summary_of, m.summarised_in, m.superseded_by, *m.supersedes} & set(touched)
        }
        assert changed <= {*touched, *hung}, f"changed beside what was named: {changed - {*touched, *hung}}"
        if spare_pinned:
            for one in changed:
                was, is_ = self.rows.get(one), now.get(one)
                if was is not None and was.pinned and is_ is not None:
                    # A summary may gather a pinned memory: that takes nothing away from it.
                    linked = replace(is_, summarised_in=was.summarised_in, revision=was.revision)
                    assert linked == was, "a job touched a pinned memory"
                # One that a person forgot is purged after its grace, pinned or not.
                spared = was is not None and was.pinned and was.state is State.LIVE
                assert not (spared and is_ is None), "a job destroyed a pinned memory"
        self.rows = now

    def newer(self, seq: int) -> set[str]:
        return {
            e.memory_id
            for e in self.hmf.store.ledger.entries(namespace="default")
            if e.seq > seq and e.memory_id is not None
        }

    def ordered(self, act: Any, *, jobs: bool = False) -> Any:
        """Carry out an order and take over what the journal says that it changed."""
        seq = self.hmf.store.ledger.journal_seq()
        answer = act()
        self.took(self.newer(seq), spare_pinned=jobs)
        return answer

    # Additions

    @initialize()
    def some(self) -> None:
        for n in range(4):
            self.add(n, "ideas", "Lumen", False)

    @rule(subject=PICK, category=st.sampled_from(FILED), project=st.sampled_from(PROJECTS), pinned=st.booleans())
    def add(self, subject: int, category: str, project: str | None, pinned: bool) -> None:
        self.said += 1
        text = f"Part {self.said} speaks of {SUBJECTS[subject % len(SUBJECTS)]} n° {self.said}, été comme hiver."
        added = self.ordered(
            lambda: self.hmf.add(text, category=category, project=project, pinned=pinned, language="en")
        )
        assert added.outcome == "created"
        assert self.rows[added.id].text == text

    @rule(pick=PICK)
    def add_the_same_again(self, pick: int) -> None:
        one = self.one(pick)
        if one is None or one.tier is not Tier.DETAIL or one.status in RETIRED:
            return
        again = self.ordered(lambda: self.hmf.add(f"  {one.text.upper()} ", project=one.project))
        assert (again.outcome, again.id) == ("duplicate", one.id)

    @rule(pick=PICK, category=st.sampled_from(FILED))
    def add_in_its_place(self, pick: int, category: str) -> None:
        one = self.one(pick)
        if one is None or one.tier is not Tier.DETAIL:
            return
        self.said += 1
        text = f"Now part {self.said} speaks of something else, n° {self.said}."
        added = self.ordered(lambda: self.hmf.add(text, category=category, supersedes=[one.id], language="en"))
        assert added.outcome == "created"

    @rule(pick=PICK)
    def a_replay_brings_nothing_back(self, pick: int) -> None:
        gone = [m for m in self.rows.values() if m.state is State.FORGOTTEN and m.tier is Tier.DETAIL]
        said = {m.content_hash for m in self.rows.values() if m.state is State.LIVE}
        texts = [m.text for m in gone if m.content_hash not in said and self.buried(m)]
        texts += [text for text in self.erased.values() if not any(m.text == text for m in self.rows.values())]
        if texts:
            text = texts[pick % len(texts)]
            added = self.ordered(lambda: self.hmf.add(f"- Note: {text.upper()}", source="import", language="en"))
            assert added.outcome == "refused", text

    def buried(self, memory: Memory) -> bool:
        return memory.id in self.hmf.store.tombstones.against([memory])

    # Changes by order

    @rule(pick=PICK)
    def revise(self, pick: int) -> None:
        one = self.one(pick)
        if one is not None:
            self.said += 1
            self.ordered(lambda: self.hmf.revise(one.id, f"Revised as part {self.said}, about n° {self.said}."))

    @rule(pick=PICK, category=st.sampled_from((*FILED, "shelved")))
    def move(self, pick: int, category: str) -> None:
        one = self.one(pick)
        if one is not None:
            self.attempt(lambda: self.hmf.move(one.id, category))

    @rule(pick=PICK, on=st.booleans())
    def pin(self, pick: int, on: bool) -> None:
        one = self.one(pick)
        if one is not None:
            self.attempt(lambda: self.hmf.pin(one.id, on))

    @rule(picks=st.lists(PICK, min_size=1, max_size=3))
    def forget(self, picks: list[int]) -> None:
        ids = {one.id for one in map(self.one, picks) if one is not None}
        if ids:
            self.ordered(lambda: self.hmf.forget(sorted(ids)))
            assert all(self.rows[i].state is State.FORGOTTEN for i in ids)

    @rule(pick=PICK)
    def erase(self, pick: int) -> None:
        one = self.one(pick, live=False)
        if one is None or one.tier is not Tier.DETAIL:
            return
        done = self.ordered(lambda: self.hmf.erase(one.id))
        self.erased[one.id] = one.text
        assert one.id not in self.rows
        assert one.id in done.changed
        if not any(m.text == one.text for m in self.rows.values()):
            assert one.text not in "\n".join(self.hmf.export())
            assert not any(one.text in m.text for m in self.rows.values())

    @rule(project=st.sampled_from(PROJECTS[1:]), finished=st.booleans())
    def project(self, project: str, finished: bool) -> None:
        def act() -> object:
            handle = self.hmf.project(project)
            return handle.finish() if finished else handle.reopen()

        self.attempt(act)

    def attempt(self, act: Any) -> None:
        """An order that may be refused: then nothing changed."""
        try:
            self.ordered(act)
        except (Conflict, Refused, NotFound):
            self.took(())

    # Going back

    @rule()
    def undo_the_last_batch_exactly(self) -> None:
        """The last order, undone, leaves everything as it was before it; undone again, as it was after."""
        batches = [b for b in self.hmf.log(limit=1, told=False) if b["undone_by"] is None]
        if not batches or batches[0]["verb"] in ("erase", "purge"):
            return
        entries = self.hmf.store.ledger.entries(namespace="default", batch_id=batches[0]["id"])
        if any(e.scrubbed for e in entries):
            return
        expected = dict(self.rows)
        for entry in entries:
            if entry.memory_id is not None:
                expected.pop(entry.memory_id, None)
                if entry.before is not None:
                    expected[entry.memory_id] = entry.before
        after = dict(self.rows)
        undone = self.ordered(lambda: self.hmf.undo(batches[0]["id"]))
        if undone.skipped:
            return
        assert self.rows == expected
        again = self.ordered(lambda: self.hmf.undo(undone.id))
        if not again.skipped:
            assert self.rows == after

    @rule(pick=PICK)
    def undo_any_batch(self, pick: int) -> None:
        batches = [b for b in self.hmf.log(limit=20, told=False) if b["undone_by"] is None]
        if batches:
            self.attempt(lambda: self.hmf.undo(batches[pick % len(batches)]["id"]))

    @rule(pick=PICK)
    def undo_a_memory(self, pick: int) -> None:
        one = self.one(pick, live=False)
        if one is not None:
            self.attempt(lambda: self.hmf.undo_memory(one.id))

    @rule(pick=PICK)
    def undo_since(self, pick: int) -> None:
        batches = self.hmf.log(limit=6, told=False)
        if batches:
            since = batches[pick % len(batches)]["at"]
            self.attempt(lambda: self.hmf.undo_since(since))

    # Nights

    @rule(days=st.integers(1, 40))
    def nights(self, days: int) -> None:
        self.clock.forward(days=days)
        for job in JOBS:
            self.ordered(lambda job=job: self.hmf.run(job), jobs=True)
        for job in JOBS:
            # Nothing happened since: what a second run does is nothing.
            applied = self.ordered(lambda job=job: self.hmf.run(job), jobs=True).applied
            assert applied == 0 or job in ("summarise", "archive"), f"{job} acted again"

    @rule(approve=st.booleans())
    def review(self, approve: bool) -> None:
        for filed in self.hmf.plans():
            keys = [a.key for a in filed.undecided]
            self.ordered(
                lambda filed=filed, keys=keys: self.hmf.apply(
                    filed.plan.id, keys if approve else [], [] if approve else keys
                ),
                jobs=True,
            )

    # Crashes and journeys

    @rule()
    def crash(self) -> None:
        """The process is gone without a word: the lock falls, nothing is flushed."""
        self.hmf.store.lock.release()
        self.hmf.store.ledger.close()
        self.hmf = self.open()
        self.took(())

    @rule(subject=PICK)
    def crash_between_the_ledger_and_the_index(self, subject: int) -> None:
        class Crash(BaseException):
            pass

        def dies() -> bool:
            raise Crash

        self.hmf.indexer.sync = dies  # type: ignore[method-assign]
        try:
            self.add(subject, "clients", None, False)
        except Crash:
            pass
        else:
            raise AssertionError("it did not reach the index")
        self.hmf.store.lock.release()
        self.hmf.store.ledger.close()
        self.hmf = self.open()
        new = self.all().keys() - self.rows.keys()
        assert len(new) == 1
        self.took(new)

    @rule()
    def export_and_import(self) -> None:
        lines = list(self.hmf.export())
        outcomes = self.ordered(lambda: dict(self.hmf.restore(lines)))
        assert set(outcomes.values()) <= {"unchanged"}
        with open_memory(self.folder / "other", self.clock, CONFIG) as other:
            taken = dict(other.restore(lines))
            assert set(taken.values()) <= {"created", "duplicate"}
            rows = {m.id: m for m in other.store.ledger.stream(Wanted("default", states=()))}
            for one, outcome in taken.items():
                if outcome == "created":
                    assert replace(rows[one], revision=0) == replace(self.rows[one], revision=0)
        shutil.rmtree(self.folder / "other")

    # What always holds

    @invariant()
    def the_ledger_is_what_was_acknowledged(self) -> None:
        assert self.all() == self.rows

    @invariant()
    def the_index_holds_the_live_rows_once(self) -> None:
        wanted = sorted((home_of(m), m.id) for m in self.rows.values() for _ in range(m.chunks) if home_of(m))
        held = []
        for collection in [*CONFIG["categories"], SUMMARIES]:
            points = self.hmf.store.index.ids(self.hmf.indexer.physical(collection))
            held += [(collection, owner) for _, owner in points]
        assert sorted(held) == wanted

    @invariant()
    def the_journal_explains_every_row(self) -> None:
        """The newest line of a memory made its present revision, and each line starts from what the one before left."""
        lines: dict[str, list[Any]] = {}
        for entry in self.hmf.store.ledger.entries(namespace="default"):
            if entry.memory_id is not None:
                lines.setdefault(entry.memory_id, []).append(entry)
        for one, row in self.rows.items():
            assert lines[one][-1].revision_after == row.revision, f"{one} was changed behind the journal's back"
        for one, entries in lines.items():
            assert (one in self.rows) == (entries[-1].revision_after is not None)
            before = None
            for entry in entries:
                if not entry.scrubbed:
                    was = entry.before.revision if entry.before is not None else None
                    assert was == before, f"{one}: a line of the journal starts from another state"
                before = entry.revision_after

    @invariant()
    def the_links_agree(self) -> None:
        for one in self.rows.values():
            if one.summarised_in is not None:
                assert one.id in self.rows[one.summarised_in].summary_of
            if one.state is State.LIVE and one.status not in RETIRED:
                for source in one.summary_of:
                    assert source in self.rows or source in self.gone(), f"{one.id} stands on {source}, which never was"
            assert (one.forgotten_at is not None) == (one.state is State.FORGOTTEN)
            assert (one.archived_at is not None) == (one.tier is Tier.ARCHIVE)

    def gone(self) -> set[str]:
        return {e.memory_id for e in self.hmf.store.ledger.entries(namespace="default") if e.memory_id}

    @invariant()
    def no_two_active_memories_say_the_same(self) -> None:
        active = [
            (m.project, m.content_hash)
            for m in self.rows.values()
            if m.state is State.LIVE and m.tier is Tier.DETAIL and m.status not in RETIRED
        ]
        assert len(active) == len(set(active))

    @precondition(lambda self: self.erased)
    @invariant()
    def what_was_erased_is_in_no_row(self) -> None:
        said = {m.text for m in self.rows.values()}
        for memory_id, text in self.erased.items():
            assert memory_id not in self.rows
            if text not in said:
                assert not any(text in m.text for m in self.rows.values()), f"{text!r} lives on"


TestStore = Store.TestCase
TestStore.settings = settings(
    max_examples=int(os.environ.get("HMF_TEST_STATES", "12")),
    stateful_step_count=int(os.environ.get("HMF_TEST_STEPS", "25")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
