"""Where to look beside the best candidates, and what is found there: a turn whose neighbour has the words asked for."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.ledger.rows import SPANS
from hmf.reason import Reason
from hmf.recall.neighbours import spans
from tests.service import LIGHT, open_memory
from tests.unit.factory import memory

CATEGORY = "general-conversation"


def at(session, position):
    return memory(f"{session} {position}", session=session, position=position)


def test_places_that_touch_are_joined():
    assert spans([at("s", 5), at("s", 8), at("s", 40)], reach=2) == [("s", 3, 10), ("s", 38, 42)]


def test_no_place_before_the_first():
    assert spans([at("s", 0)], reach=2) == [("s", 0, 2)]


def test_a_memory_without_a_place_is_not_looked_around():
    assert spans([memory("a"), memory("b", session="s"), memory("c", position=3)]) == []


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 60)), max_size=20), st.integers(0, 4))
def test_every_neighbour_lies_in_exactly_one_span(places, reach):
    found = spans([at(*place) for place in places], reach=reach)
    for session, position in places:
        for wanted in range(max(0, position - reach), position + reach + 1):
            assert sum(s == session and first <= wanted <= last for s, first, last in found) == 1


def talk(hmf, clock, *lines, session="call", **values):
    ids = []
    for position, (author, text) in enumerate(lines):
        source = {"type": "session", "author": author}
        added = hmf.add(text, session=session, position=position, source=source, category=CATEGORY, **values)
        ids.append(added.id)
        clock.forward(minutes=1)
    return ids


@pytest.fixture
def lisbon(hmf, clock):
    return talk(
        hmf,
        clock,
        ("Rhona", "The proofs of the almanac came back from the printer with two pages swapped."),
        ("Armel", "When are you leaving for the residency in Lisbon?"),
        ("Rhona", "On the third of March, by the night train, with the whole crew."),
        ("Armel", "Lucky you. I stay with the invoices."),
    )


def test_an_answer_is_found_by_the_question_before_it(hmf, lisbon):
    found = [hit.memory.id for hit in hmf.search("When is Rhona leaving for the residency in Lisbon?").hits]
    assert lisbon[2] in found[:2]


def test_it_is_said_why_a_neighbour_is_here(hmf, lisbon):
    hits = {hit.memory.id: hit for hit in hmf.search("When is Rhona leaving for the residency in Lisbon?").hits}
    assert Reason("said_by", {"author": "Rhona"}) in hits[lisbon[2]].why
    assert Reason("replies") in hits[lisbon[2]].why


def test_without_its_session_it_is_not(hmf, clock):
    answer = hmf.add("On the third of March, by the night train, with the whole crew.", category=CATEGORY).id
    hmf.add("When are you leaving for the residency in Lisbon?", category=CATEGORY)
    assert answer not in [
        hit.memory.id for hit in hmf.search("When is Rhona leaving for the residency in Lisbon?").hits
    ]


def test_a_forgotten_neighbour_does_not_come_along(hmf, lisbon):
    hmf.forget(lisbon[2])
    found = [hit.memory.id for hit in hmf.search("When is Rhona leaving for the residency in Lisbon?").hits]
    assert lisbon[1] in found
    assert lisbon[2] not in found


def test_a_neighbour_of_another_namespace_does_not_come_along(hmf, clock, lisbon):
    stranger = hmf.add(
        "By the night train, says the stranger.",
        session="call",
        position=2,
        namespace="other",
        category=CATEGORY,
    ).id
    found = [hit.memory.id for hit in hmf.search("When is Rhona leaving for the residency in Lisbon?").hits]
    assert stranger not in found


def test_a_neighbour_outside_the_callers_bounds_does_not_come_along(hmf, clock, lisbon):
    before = hmf.get(lisbon[2]).learnt_at - timedelta(seconds=30)
    found = [hit.memory.id for hit in hmf.search("When is Rhona leaving for Lisbon?", until=before).hits]
    assert lisbon[2] not in found


def test_neighbours_of_nothing_are_no_evidence(hmf, lisbon):
    assert hmf.search("tyre pressure of the lorry").abstained


def test_of_two_who_say_the_same_the_named_one_comes_first(hmf, clock):
    talk(
        hmf,
        clock,
        ("Armel", "I keep bees behind the workshop, two hives of black bees this year."),
        ("Rhona", "I keep bees behind the workshop, four hives of black bees this year."),
    )
    for name, hives in (("Rhona", "four"), ("Armel", "two")):
        found = hmf.search(f"How many hives of black bees does {name} keep behind the workshop?").hits
        assert hives in found[0].memory.text


def test_what_no_side_of_the_index_brings_is_read_beside_what_it_brings(tmp_path, clock):
    with open_memory(tmp_path / "few", clock, {**LIGHT, "recall": {"k": 3, "candidates": 3}}) as hmf:
        for n in range(8):
            hmf.add(f"Rhona has a residency in Lisbon on her list, reason {n}.", category=CATEGORY)
        talk(
            hmf,
            clock,
            ("Armel", "When is Rhona leaving for the residency in Lisbon?"),
            ("Rhona", "With the whole crew, by the night train, on the third of March."),
        )
        pack = hmf.search("When is Rhona leaving for the residency in Lisbon?")
        assert any("night train" in hit.memory.text for hit in pack.hits)


def test_the_ledger_reads_many_places_in_one_namespace(hmf, clock):
    for n in range(2 * SPANS + 3):
        talk(hmf, clock, ("Rhona", f"line one of call {n}"), ("Armel", f"line two of call {n}"), session=f"call {n}")
    places = [(f"call {n}", 1, 9) for n in range(2 * SPANS + 3)]
    found = hmf.store.ledger.beside(places, "default")
    assert {m.text for m in found} == {f"line two of call {n}" for n in range(2 * SPANS + 3)}
    assert hmf.store.ledger.beside(places, "other") == []
    assert hmf.store.ledger.beside([], "default") == []


def test_places_are_found_by_their_index(hmf, lisbon):
    from sqlalchemy import text

    with hmf.store.ledger.engine.connect() as connection:
        plan = connection.execute(
            text("EXPLAIN QUERY PLAN SELECT id FROM memories WHERE session = 'call' AND position BETWEEN 1 AND 3")
        ).fetchall()
    assert "ix_memories_session" in " ".join(row[3] for row in plan)
