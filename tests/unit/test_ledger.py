"""The ledger: every change in one transaction, with its journal, and nothing written on a stale reading."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from hmf.durations import Duration
from hmf.errors import ConfigError, Conflict, StoreDamaged, StoreUnavailable
from hmf.ledger import engine, tables
from hmf.ledger.codec import from_json, from_row, to_json, to_row
from hmf.ledger.ledger import SUMMARIES, Batch, Change, Ledger, home_of
from hmf.ledger.outbox import EmbeddingCache, Manifest, Outbox
from hmf.ledger.plans import Plans
from hmf.ledger.runs import Runs
from hmf.ledger.wanted import Wanted
from hmf.memory import Kind, Memory, Source, State, Status, Tier
from hmf.plan import Action, Plan, Reason, Target, Verb
from tests.unit.factory import NOON, memory


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    opened = Ledger(f"sqlite:///{tmp_path / 'ledger.db'}")
    yield opened
    opened.close()


def batch(name: str, verb: str = "add", **more: str) -> Batch:
    return Batch(name, NOON, "default", verb, **more)


def add(ledger: Ledger, *memories: Memory, name: str = "b1") -> list[Memory]:
    return ledger.commit(batch(name), [Change(None, m, "add") for m in memories])


moments = st.datetimes(timezones=st.just(UTC))
texts = st.text(st.characters(exclude_categories=("Cs",)), min_size=1)


@given(
    texts,
    st.lists(texts, max_size=3).map(tuple),
    st.sampled_from(Kind),
    st.sampled_from(Status),
    st.sampled_from(Tier),
    moments,
    st.none() | moments,
    st.none() | texts,
)
def test_a_memory_survives_row_and_json(text, tags, kind, status, tier, valid, expires, ref):
    made = memory(
        text,
        tags=tags,
        kind=kind,
        status=status,
        tier=tier,
        valid_from=valid,
        expires_at=expires,
        source=Source("web", ref),
        fresh_for=Duration(months=2),
        revision=7,
    )
    assert from_row(to_row(made)) == made
    assert from_json(to_json(made)) == made


def test_what_is_written_is_read_back_equal_and_numbered(ledger):
    first, second = add(ledger, memory("un"), memory("deux"))
    assert (first.revision, second.revision) == (1, 2)
    assert ledger.get([second.id, first.id]) == {first.id: first, second.id: second}


def test_a_stale_before_changes_nothing(ledger):
    [first] = add(ledger, memory("one"))
    [revised] = ledger.commit(batch("b2", "revise"), [Change(first, replace(first, text="two"), "revise")])
    with pytest.raises(Conflict, match="changed since"):
        ledger.commit(batch("b3", "revise"), [Change(first, replace(first, text="three"), "revise")])
    assert ledger.get([first.id])[first.id] == revised
    assert [e.verb for e in ledger.entries(namespace="default")] == ["add", "revise"]
    assert [row["id"] for row in ledger.batch_rows("default")] == ["b2", "b1"]


def test_two_active_memories_never_say_the_same_of_one_project(ledger):
    add(ledger, memory("same"))
    with pytest.raises(Conflict):
        add(ledger, memory("same", id="other"), name="b2")
    add(ledger, memory("same", id="elsewhere", project="Acme"), name="b3")
    add(ledger, memory("same", id="retired", status=Status.SUPERSEDED), name="b4")
    assert ledger.count(Wanted("default")) == 3


def test_history_keeps_every_state(ledger):
    [one] = add(ledger, memory("v1"))
    [two] = ledger.commit(batch("b2", "revise"), [Change(one, replace(one, text="v2"), "revise")])
    ledger.commit(batch("b3", "erase"), [Change(two, None, "erase")])
    entries = ledger.entries(namespace="default", memory_id=one.id)
    assert [e.before for e in entries] == [None, one, two]
    assert [e.revision_after for e in entries] == [1, 2, None]
    assert ledger.get([one.id]) == {}


def test_the_outbox_names_every_place_a_memory_may_lie_in(ledger):
    [one] = add(ledger, memory("wanders", chunks=3))
    moved = replace(one, category="research-notes")
    ledger.commit(batch("b2", "move"), [Change(one, moved, "move")])
    work = Outbox(ledger).after(0)
    assert [(w.collection, w.rewrite) for w in work] == [
        ("tasks", False),
        ("research-notes", True),
        ("tasks", True),
    ]


def test_outbox_numbers_are_never_used_again(ledger):
    outbox = Outbox(ledger)
    add(ledger, memory("a"))
    last = outbox.last()
    outbox.done(last)
    add(ledger, memory("b"), name="b2")
    assert [w.seq > last for w in outbox.after(last)] == [True]


@pytest.mark.parametrize(
    ("changes", "home"),
    [
        ({}, "tasks"),
        ({"tier": Tier.ARCHIVE, "category": "old"}, "old"),
        ({"tier": Tier.SUMMARY}, SUMMARIES),
        ({"state": State.FORGOTTEN}, None),
    ],
)
def test_a_memory_has_one_home(changes, home):
    assert home_of(memory(**changes)) == home


def test_listing_and_streaming_agree(ledger):
    add(ledger, *[memory(f"n{i}", learnt_at=NOON + timedelta(minutes=i)) for i in range(25)])
    wanted = Wanted("default", categories=("tasks",))
    listed = ledger.find(wanted)
    assert [m.text for m in listed] == [f"n{i}" for i in reversed(range(25))]
    assert sorted(ledger.stream(wanted, part=7), key=lambda m: m.learnt_at) == listed[::-1]
    assert [m.text for m in ledger.find(wanted, limit=2, offset=3)] == ["n21", "n20"]


def test_another_namespace_is_not_there(ledger):
    [mine] = add(ledger, memory("secret"))
    assert ledger.get([mine.id], "other") == {}
    assert ledger.count(Wanted("other")) == 0
    assert ledger.entries(namespace="other", memory_id=mine.id) == []


def test_vectors_are_kept_exactly(ledger):
    import numpy as np

    cache = EmbeddingCache(ledger, "e1")
    vector = np.array([0.1, -0.2, 0.3], np.float32)
    with ledger.transaction() as connection:
        cache.put(connection, {"k": vector})
        cache.put(connection, {"k": vector * 2})
    assert cache.get(["k", "missing"])["k"].tolist() == vector.tolist()
    assert EmbeddingCache(ledger, "e2").get(["k"]) == {}


def test_the_manifest_is_set_as_a_whole(ledger):
    manifest = Manifest(ledger)
    manifest.write({"embedder": "a", "dimension": "3"})
    manifest.write({"dimension": "4"})
    assert manifest.read() == {"embedder": "a", "dimension": "4"}


def test_one_curation_at_a_time_and_a_dead_claim_gives_way(ledger):
    runs = Runs(ledger)
    runs.claim("curation", "daemon", NOON, NOON + timedelta(hours=1))
    with pytest.raises(Conflict, match="daemon"):
        runs.claim("curation", "by hand", NOON, NOON + timedelta(hours=1))
    runs.claim("curation", "by hand", NOON + timedelta(hours=2), NOON + timedelta(hours=3))
    runs.release("curation", "by hand")
    runs.claim("curation", "again", NOON, NOON + timedelta(hours=1))


def test_a_slot_counts_its_attempts_and_a_crash_is_seen(ledger):
    runs = Runs(ledger)
    assert runs.start("r1", "review", "2026-11-30", now=NOON, owner="me") == 1
    runs.end("r1", now=NOON, outcome="failed", detail={}, error="boom")
    assert runs.start("r2", "review", "2026-11-30", now=NOON, owner="me") == 2
    assert runs.interrupted(NOON, timedelta(hours=1)) == 1
    assert [r["outcome"] for r in runs.of_slot("review", "2026-11-30")] == ["failed", "interrupted"]


def test_migrations_make_the_tables_that_the_code_declares(ledger):
    with ledger.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": False})
        assert compare_metadata(context, tables.metadata) == []


def test_head_is_the_newest_migration():
    scripts = ScriptDirectory(str(Path(engine.__file__).with_name("migrations")))
    assert scripts.get_current_head() == engine.HEAD


def test_a_newer_ledger_is_refused_and_left_alone(tmp_path):
    file = tmp_path / "ledger.db"
    Ledger(f"sqlite:///{file}").close()
    with sqlite3.connect(file) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
    raw.close()
    with pytest.raises(StoreDamaged, match="newer HMF"):
        Ledger(f"sqlite:///{file}")


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"\0" * 5000])
def test_a_damaged_ledger_is_never_overwritten(tmp_path, content):
    file = tmp_path / "ledger.db"
    file.write_bytes(content)
    with pytest.raises(StoreDamaged, match="left untouched"):
        Ledger(f"sqlite:///{file}")
    assert file.read_bytes() == content


def test_a_database_of_somebody_else_is_refused(tmp_path):
    file = tmp_path / "other.db"
    with sqlite3.connect(file) as raw:
        raw.execute("CREATE TABLE bills (n)")
    raw.close()
    with pytest.raises(StoreDamaged, match="not an HMF ledger"):
        Ledger(f"sqlite:///{file}")


@pytest.mark.parametrize("url", ["nonsense", "mongodb://x", "oracle://x"])
def test_a_url_that_cannot_be_used_says_what_can(url):
    with pytest.raises((ConfigError, StoreUnavailable), match=r"sqlite|postgresql"):
        Ledger(url)


def test_a_naive_datetime_never_reaches_the_ledger(ledger):
    with pytest.raises(Exception, match="naive"):
        add(ledger, memory("x", valid_from=datetime(2026, 1, 1)))  # noqa: DTZ001 - the point of the test


def test_names_follow_what_is_written(ledger):
    assert (ledger.category_names("default"), ledger.project_names("default")) == ([], [])
    (first,) = add(ledger, memory("one", namespace="default", category="b", project="Zoé"))
    add(ledger, memory("two", namespace="default", category="a"), name="b2")
    assert (ledger.category_names("default"), ledger.project_names("default")) == (["a", "b"], ["Zoé"])
    ledger.commit(batch("b3"), [Change(first, replace(first, category="a", project=None), "move")])
    assert (ledger.category_names("default"), ledger.project_names("default")) == (["a"], [])
    new = Change(None, memory("three", namespace="default", category="c"), "add")
    with pytest.raises(Conflict):
        ledger.commit(batch("b4"), [new, Change(first, None, "erase")])
    assert ledger.category_names("default") == ["a"]


def _still_refused(opened: Ledger, one: Memory) -> None:
    """What was refused before the register of answers was kept holds for the same state, and for no other."""
    for revision, outcome in ((one.revision, "held"), (one.revision + 1, "undecided")):
        action = Action(Verb.ARCHIVE, (Target(one.id, revision),), Reason("stale", {"limit": "60d"}), one.category)
        plan = Plan("archive", "default", NOON, (action,))
        Plans(opened).file(plan)
        assert Plans(opened).get(plan.id, "default", NOON).outcomes[action.key] == (outcome, None)


def test_a_ledger_of_an_earlier_version_is_brought_up_with_all_it_holds(tmp_path: Path):
    file = tmp_path / "ledger.db"
    opened = Ledger(f"sqlite:///{file}")
    (one,) = add(opened, memory("Kept.", session="call", position=3))
    opened.close()
    with sqlite3.connect(file) as raw:  # as 0001 left it
        raw.execute("DROP INDEX ix_memories_session")
        raw.execute("ALTER TABLE plans DROP COLUMN notes")
        raw.execute("ALTER TABLE memories DROP COLUMN drawn")
        for table in ("prints", "remnants", "copies", "dismissed", "digests"):
            raw.execute(f"DROP TABLE {table}")
        raw.execute("DROP INDEX ix_plan_actions_batch_id")
        for name in ("since", "answer", "decided_at", "until", "batch_id", "states"):
            raw.execute(f"ALTER TABLE plan_actions DROP COLUMN {name}")
        raw.execute("ALTER TABLE batches DROP COLUMN face")
        raw.execute("INSERT INTO plans VALUES ('p1', 'archive', 'default', 0, 'closed', '[]')")
        body = {"verb": "archive", "targets": [[one.id, one.revision]], "reason": ["stale", {"limit": "60d"}]}
        body |= {"category": one.category, "confirm": "ask", "to_category": None, "after": None, "draft": None}
        row = ("p1", "k1", 0, json.dumps(body), "refused", None)
        raw.execute("INSERT INTO plan_actions VALUES (?, ?, ?, ?, ?, ?)", row)
        raw.execute("UPDATE alembic_version SET version_num = '0001'")
    raw.close()
    opened = Ledger(f"sqlite:///{file}")
    assert opened.get([one.id]) == {one.id: one}
    assert opened.beside([("call", 2, 4)], "default") == [one]
    _still_refused(opened, one)
    plan = opened.rows(text("EXPLAIN QUERY PLAN SELECT id FROM memories WHERE session = 'call' AND position = 3"))
    opened.close()
    assert "ix_memories_session" in str(plan)
