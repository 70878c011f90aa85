"""A small year, played whole: what must hold whatever the writer says, and how its truth is kept."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from bench.year import START, Outcome, live, table
from bench.year_note import Told
from bench.year_words import bare
from bench.year_world import World


@pytest.fixture(scope="module")
def world() -> World:
    return World(START, days=60, notes=430)


@pytest.fixture(scope="module")
def lived(world: World, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return live(tmp_path_factory.mktemp("year"), world, "hash", 40, lambda: None, idle=2, sample=60)


def test_nothing_that_still_holds_is_retired(lived: Outcome):
    assert lived.played.wrong == []
    assert lived.played.found > 0  # and yet it does find what is replaced


def test_no_detail_is_lost(lived: Outcome):
    assert [month.lost for month in lived.months] == [[], []]
    found, of, missing = lived.searched
    assert of > 50
    assert found >= 0.98 * of, missing


def test_every_deletion_says_why(lived: Outcome):
    assert lived.unexplained == []
    forgotten = sum(n for what, n in lived.played.verbs.items() if ": forget (" in what)
    assert forgotten > 10


def test_nights_with_nothing_new_change_nothing_after_the_first(lived: Outcome):
    assert lived.frozen[1:] == [0]


def test_the_table_has_a_row_for_each_month(lived: Outcome):
    lines = table(lived.months, lived.played.nights, lived.played.wrong).splitlines()
    assert len(lines) == 2 + 2
    assert len({line.count("|") for line in lines}) == 1


def test_an_equal_seed_writes_an_equal_year(world: World):
    again = World(START, days=60, notes=430)
    assert [one.text for one in again.notes] == [one.text for one in world.notes]
    at = START + timedelta(days=40)
    assert again.questions(at) == world.questions(at)
    assert [one.text for one in World(START, 60, 430, seed=8).notes] != [one.text for one in world.notes]


def test_what_is_true_has_one_value_at_a_time(world: World):
    """Of one attribute of one thing, all that holds at a moment says the same."""
    alone = ("fee", "deadline", "length", "contact", "tone", "images", "file", "payment", "reader", "status", "count")
    for at in (START + timedelta(days=days) for days in range(5, 60, 9)):
        holding: dict[tuple[str, str], set[str]] = {}
        for one in world.notes:
            if one.at <= at and not one.is_stale(at) and one.about[1] in alone:
                holding.setdefault(one.about, set()).add(one.value)
        assert all(len(values) == 1 for values in holding.values())
        assert holding


def test_what_answers_holds_when_it_is_asked(world: World):
    at = START + timedelta(days=40)
    notes = {one.key: one for one in world.notes}
    asked = world.questions(at)
    for one in asked:
        assert bool(one.gold) is (one.kind != "unknown")
        for key in one.gold:
            assert notes[key].at <= at
            assert notes[key].is_stale(at) is (one.kind == "history")
    assert {"current", "idea", "detail", "unknown"} <= {one.kind for one in asked}


def test_a_detail_stands_in_its_note(world: World):
    told = [one for one in world.notes if one.details]
    assert len(told) > 0.7 * len(world.notes)
    for one in told:
        assert all(bare(word) in bare(one.text) for word in one.details)


def test_a_span_of_staleness_may_end():
    day = timedelta(days=1)
    one = Told("k", START, "t", "en", ("tasks",), ("a", "b"), stale=[(START + day, START + 3 * day)])
    held = [one.is_stale(moment(n)) for n in range(5)]
    assert held == [False, True, True, False, False]
    assert [one.may_go(moment(n)) for n in range(5)] == held


def moment(days: int) -> datetime:
    return START + timedelta(days=days)
