"""One contract for every index engine."""

from __future__ import annotations

import math
import random
import uuid
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import pytest

from hmf.errors import IndexFailure, InvalidInput
from hmf.index.dictionary import DictionaryIndex
from hmf.index.port import Between, Filter, Index, Point, Query, Sparse
from tests.contract.index_engines import DIMENSION, ENGINES, engine

EVERYTHING = Filter()
START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(params=ENGINES)
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Index]:
    with engine(request.param, tmp_path) as opened:
        opened.ensure("notes")
        yield opened


def point(n: int, rng: random.Random, **payload: object) -> Point:
    vector = np.array([rng.gauss(0, 1) for _ in range(DIMENSION)], np.float32)
    words = sorted(rng.sample(range(1, 30), rng.randint(1, 6)))
    memory = str(uuid.UUID(int=n + 1))
    return Point(
        memory,
        (vector / np.linalg.norm(vector)).tolist(),
        Sparse(tuple(words), tuple(round(rng.uniform(0.1, 2), 3) for _ in words)),
        {
            "memory": memory,
            "namespace": rng.choice(["default", "other"]),
            "kind": rng.choice(["note", "fact", "decision"]),
            "tier": rng.choice(["detail", "archive"]),
            "status": "confirmed",
            "tags": rng.sample(["a", "b", "c"], 2),
            "valid_from": (START + timedelta(days=n)).isoformat(),
            "learnt_at": (START + timedelta(days=n)).isoformat(),
            **payload,
        },
    )


def points(count: int, seed: int = 1) -> list[Point]:
    rng = random.Random(seed)
    return [point(n, rng) for n in range(count)]


def test_what_is_written_is_counted_and_found(index: Index):
    some = points(20)
    index.upsert("notes", some)
    assert index.count("notes") == 20
    found = index.search("notes", Query(some[7].dense, None, EVERYTHING, 3)).dense
    assert found[0].id == found[0].memory == some[7].id
    assert found[0].score == pytest.approx(1, abs=1e-3)
    assert len(found) == 3


def test_writing_twice_is_writing_once(index: Index):
    index.upsert("notes", points(5))
    index.upsert("notes", points(5))
    assert index.count("notes") == 5


def test_a_point_written_again_has_its_new_payload(index: Index):
    rng = random.Random(3)
    index.upsert("notes", [point(1, rng, status="confirmed")])
    index.upsert("notes", [point(1, rng, status="superseded")])
    assert index.ids("notes", Filter(any_of={"status": ("confirmed",)})) == []
    assert len(index.ids("notes", Filter(any_of={"status": ("superseded",)}))) == 1


def test_deleting_takes_every_chunk_of_a_memory_and_no_other(index: Index):
    rng = random.Random(4)
    first = point(1, rng)
    chunk = Point(str(uuid.uuid4()), first.dense, first.sparse, first.payload)
    index.upsert("notes", [first, chunk, point(2, rng)])
    index.delete("notes", [first.id, str(uuid.uuid4())])
    index.delete("notes", [first.id])
    assert [memory for _, memory in index.ids("notes")] == [str(uuid.UUID(int=3))]


def test_the_two_sides_are_answered_apart(index: Index):
    some = points(30)
    index.upsert("notes", some)
    both = index.search("notes", Query(some[0].dense, some[0].sparse, EVERYTHING, 5))
    dense = index.search("notes", Query(some[0].dense, None, EVERYTHING, 5)).dense
    sparse = index.search("notes", Query(None, some[0].sparse, EVERYTHING, 5)).sparse
    assert [s.id for s in both.dense] == [s.id for s in dense]
    assert [s.id for s in both.sparse] == [s.id for s in sparse]
    assert index.search("notes", Query(None, Sparse((), ()), EVERYTHING, 5)).sparse == ()


def test_hits_below_what_is_wanted_are_left_out_and_no_other(index: Index):
    some = points(60)
    index.upsert("notes", some)
    query = Query(some[3].dense, Sparse((4, 9, 17), (1.0, 1.0, 1.0)), EVERYTHING, 60)
    every = index.search("notes", query)
    dense, sparse = every.dense[20].score, every.sparse[5].score
    above = index.search("notes", replace(query, least_dense=dense, least_sparse=sparse))
    for kept, whole, least in ((above.dense, every.dense, dense), (above.sparse, every.sparse, sparse)):
        # A score equal to the bound may fall on either side of it: engines compute with other last bits.
        sure = {hit.id for hit in whole if hit.score > least + 1e-5}
        assert sure <= {hit.id for hit in kept} <= {hit.id for hit in whole if hit.score > least - 1e-5}
        assert len(sure) < len(whole)


def test_a_word_nobody_has_finds_nothing(index: Index):
    index.upsert("notes", points(10))
    assert index.search("notes", Query(None, Sparse((4_000_000_000,), (1.0,)), EVERYTHING, 5)).sparse == ()


def test_filters_apply_before_the_cut(index: Index):
    rng = random.Random(5)
    near = [point(n, rng, kind="note") for n in range(50)]
    far = [point(100 + n, rng, kind="lesson") for n in range(3)]
    index.upsert("notes", near + far)
    found = index.search("notes", Query(near[0].dense, None, Filter(any_of={"kind": ("lesson",)}), 3)).dense
    assert {s.id for s in found} == {p.id for p in far}


def random_filter(rng: random.Random) -> Filter:
    any_of, none_of, between = {}, {}, {}
    if rng.random() < 0.6:
        any_of["kind"] = tuple(rng.sample(["note", "fact", "decision", "unknown"], rng.randint(1, 2)))
    if rng.random() < 0.4:
        any_of["tags"] = (rng.choice("abcd"),)
    if rng.random() < 0.5:
        none_of["tier"] = ("archive",)
    if rng.random() < 0.3:
        none_of["project"] = ("nowhere",)
    if rng.random() < 0.5:
        since = START + timedelta(days=rng.randint(0, 60))
        between["valid_from"] = Between(since, since + timedelta(days=20) if rng.random() < 0.7 else None)
    return Filter(any_of, none_of, between)


def test_every_engine_filters_and_ranks_as_the_dictionary_does(index: Index):
    some = points(120, seed=9)
    model = DictionaryIndex(DIMENSION)
    model.ensure("notes")
    for target in (index, model):
        target.upsert("notes", some)
    rng = random.Random(11)
    for _ in range(60):
        asked = rng.choice(some)
        query = Query(asked.dense, asked.sparse, random_filter(rng), 12)
        mine, exact = index.search("notes", query), model.search("notes", query)
        for got, wanted in ((mine.dense, exact.dense), (mine.sparse, exact.sparse)):
            assert [s.score for s in got] == pytest.approx([s.score for s in wanted], abs=2e-3)
            assert {s.id for s in got[:-1]} <= {s.id for s in wanted} | {s.id for s in got if s.score == got[-1].score}
        assert sorted(index.ids("notes", query.filter)) == sorted(model.ids("notes", query.filter))


def test_a_long_vector_and_a_note_without_words_change_no_ranking(index: Index):
    rng = random.Random(21)
    some = points(30, seed=8)
    longer = [replace(p, dense=[7 * x for x in p.dense]) for p in some[:10]]
    wordless = [replace(point(200 + n, rng), sparse=Sparse((), ())) for n in range(40)]
    model = DictionaryIndex(DIMENSION)
    model.ensure("notes")
    for target in (index, model):
        target.upsert("notes", some + longer + wordless)
    query = Query([3 * x for x in some[4].dense], some[4].sparse, EVERYTHING, 70)
    mine, exact = index.search("notes", query), model.search("notes", query)
    assert mine.dense[0].score == pytest.approx(1, abs=1e-3)
    assert [s.score for s in mine.sparse] == pytest.approx([s.score for s in exact.sparse], abs=1e-3)
    assert {s.id for s in mine.sparse}.isdisjoint({p.id for p in wordless})
    assert {s.id: s.score for s in mine.dense} == pytest.approx({s.id: s.score for s in exact.dense}, abs=1e-3)


def test_the_sparse_score_is_the_dot_product_with_the_inverse_document_frequency(index: Index):
    rng = random.Random(22)
    words = [Sparse((7,), (2.0,)), Sparse((7, 9), (1.0, 0.5)), Sparse((8,), (1.0,)), Sparse((8,), (1.0,))]
    some = [replace(point(n, rng), sparse=sparse) for n, sparse in enumerate(words)]
    index.upsert("notes", some)
    found = index.search("notes", Query(None, Sparse((7, 9), (1.0, 3.0)), EVERYTHING, 5)).sparse
    common, rare = math.log((4 - 2 + 0.5) / (2 + 0.5) + 1), math.log((4 - 1 + 0.5) / (1 + 0.5) + 1)
    scores = {s.id: s.score for s in found}
    assert scores == pytest.approx({some[0].id: 2 * common, some[1].id: common + 1.5 * rare}, abs=1e-3)


def test_a_condition_that_says_nothing_and_one_that_accepts_nothing(index: Index):
    some = points(6)
    undated = replace(some[0], payload={k: v for k, v in some[0].payload.items() if k != "valid_from"})
    index.upsert("notes", [undated, *some[1:]])
    everyone = Filter(none_of={"kind": ()}, between={"valid_from": Between()})
    assert len(index.ids("notes", everyone)) == 6
    assert len(index.ids("notes", Filter(between={"valid_from": Between(until=START + timedelta(days=9))}))) == 5
    assert index.ids("notes", Filter(any_of={"kind": ()})) == []


def test_a_moment_is_the_same_in_every_zone(index: Index):
    index.upsert("notes", points(3))
    paris = (START + timedelta(days=1)).astimezone(timezone(timedelta(hours=2)))
    assert [i for i, _ in index.ids("notes", Filter(between={"valid_from": Between(paris, paris)}))] == [
        points(3)[1].id
    ]


def test_more_points_than_a_page_and_a_batch(index: Index):
    rng = random.Random(23)
    index.upsert("notes", [point(n, rng) for n in range(5100)])
    assert index.count("notes") == len(set(index.ids("notes"))) == 5100


def test_unicode_in_every_field(index: Index):
    odd = point(1, random.Random(24), project="Éditions d’Ève 🎉", tags=["été", "日本", "a\u0301"], source='"\\\n')
    index.upsert("notes", [odd])
    for wanted in (
        {"project": ("Éditions d’Ève 🎉",)},
        {"tags": ("日本",)},
        {"tags": ("a\u0301",)},
        {"source": ('"\\\n',)},
    ):
        assert [i for i, _ in index.ids("notes", Filter(any_of=wanted))] == [odd.id]


def test_ranges_are_closed(index: Index):
    some = points(5)
    index.upsert("notes", some)
    day = START + timedelta(days=2)
    assert [i for i, _ in index.ids("notes", Filter(between={"valid_from": Between(day, day)}))] == [some[2].id]


def test_collections_are_listed_and_dropped(index: Index):
    index.ensure("archive.g2")
    index.ensure("archive.g2")
    assert index.collections() == ["archive.g2", "notes"]
    index.drop("archive.g2")
    index.drop("archive.g2")
    assert index.collections() == ["notes"]


def test_an_absent_collection_is_an_error_and_not_an_empty_answer(index: Index):
    with pytest.raises(IndexFailure):
        index.search("absent", Query(points(1)[0].dense, None, EVERYTHING, 3))
    with pytest.raises(IndexFailure):
        index.count("absent")


def test_a_vector_of_another_size_is_refused(index: Index):
    wrong = points(1)[0]
    with pytest.raises(IndexFailure, match="numbers"):
        index.upsert("notes", [Point(wrong.id, [1.0, 2.0], wrong.sparse, wrong.payload)])
    assert index.count("notes") == 0


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/b", "C:\\x", "A", "", "a..b", "x" * 90, "nul\0", "é"])
def test_a_name_never_leaves_its_place(index: Index, name: str):
    with pytest.raises(InvalidInput):
        index.ensure(name)


def test_flush_and_optimize_and_close_are_harmless(index: Index):
    index.upsert("notes", points(3))
    index.flush()
    index.optimize("notes")
    assert index.count("notes") == 3
    index.close()
    index.close()


def test_a_collection_made_anew_holds_what_it_is_given(index: Index):
    some = points(30)
    index.upsert("notes", some)
    index.delete("notes", [some[0].id])
    if index.renew("notes", lambda fresh: index.upsert(fresh, some[1:])):
        assert index.collections() == ["notes"]
    assert index.count("notes") == 29
    index.upsert("notes", some[:1])
    index.flush()
    assert sorted(index.ids("notes")) == sorted((p.id, p.id) for p in some)
