"""What stands around a memory: words spread over turns, sessions, replies, speakers; nothing for one alone."""

from __future__ import annotations

from dataclasses import astuple, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.policy import structure
from hmf.policy.structure import (
    CLOSE,
    NEAR,
    WIDE,
    Passage,
    Surroundings,
    Weights,
    asks,
    fitness,
    is_named,
    length,
    substance,
    surroundings,
)

WORDS = {"lisbon": 3.0, "leave": 1.0}


def turn(position, *shared, session="s", own=0.0, dense=0.0, words=20, asks=False, named=False):
    coverage = sum(WORDS[word] for word in shared) / sum(WORDS.values())
    return Passage(
        session, position, words, frozenset(shared), own, dense, coverage, structure.closeness(words), asks, named
    )


def around(*turns):
    return surroundings({str(n): one for n, one in enumerate(turns)}, WORDS)


def score(passage, what):
    return sum(fitness(passage, what, Weights()).values())


def test_words_spread_over_neighbours_are_put_together():
    found = around(turn(3, "lisbon"), turn(4), turn(5, "leave"))
    assert found["1"].near == 1.0
    assert found["0"].near == found["2"].near == 1.0


@pytest.mark.parametrize(("distance", "near", "wide"), [(NEAR, 1, 1), (NEAR + 1, 0, 1), (WIDE, 0, 1), (WIDE + 1, 0, 0)])
def test_surroundings_reach_so_far(distance, near, wide):
    found = around(turn(10), turn(10 + distance, "lisbon", "leave"))["0"]
    assert (found.near, found.wide) == (near, wide)


def test_another_session_is_no_neighbour():
    found = around(turn(3), turn(4, "lisbon", session="other", own=1.0, dense=1.0))["0"]
    assert found == Surroundings(0.0, 0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(("session", "position"), [(None, 4), ("s", None), (None, None)])
def test_a_memory_without_a_place_has_only_itself(session, position):
    alone = replace(turn(0, "leave", own=0.4, dense=0.3), session=session, position=position)
    found = around(alone, turn(3, "lisbon", own=1.0), turn(4, "lisbon", own=1.0))["0"]
    assert found == Surroundings.alone(alone)
    assert found.near == alone.coverage
    assert found.session == alone.own


def test_a_long_neighbour_counts_in_proportion():
    short = around(turn(1), turn(2, "lisbon", own=0.8, dense=0.8, words=CLOSE))["0"]
    long = around(turn(1), turn(2, "lisbon", own=0.8, dense=0.8, words=4 * CLOSE))["0"]
    assert long.near == pytest.approx(short.near / 4)
    assert long.session == pytest.approx(short.session / 4)
    assert long.dense == pytest.approx(short.dense / 4)


def test_a_long_text_is_judged_by_itself_in_full():
    assert around(turn(1, "lisbon", own=0.7, words=500))["0"].session == 0.7
    assert around(turn(1, "lisbon", words=500))["0"].near == 0.75


def test_a_reply_has_the_score_of_the_question_before_it():
    question = turn(4, "lisbon", "leave", own=0.9, asks=True)
    found = around(turn(3), question, turn(5), turn(6))
    assert [found[key].reply for key in "0123"] == [0, 0, 0.9, 0]
    assert around(turn(3), replace(question, asks=False), turn(5))["2"].reply == 0


def test_several_memories_may_share_a_position():
    found = around(turn(4, "lisbon"), turn(4, "leave"), turn(5))
    assert found["0"].near == found["1"].near == found["2"].near == 1.0


def test_the_answer_beside_the_question_comes_before_a_stranger_with_as_much_of_its_own():
    answer, stranger = turn(5, own=0.2), turn(9, own=0.2, session="elsewhere")
    found = surroundings({"q": turn(4, "lisbon", "leave", own=0.9, asks=True), "a": answer, "x": stranger}, WORDS)
    assert score(answer, found["a"]) > score(stranger, found["x"])


def test_of_two_turns_the_named_persons_the_longer_and_the_telling_one_come_first():
    what = Surroundings(0.5, 0.5, 0.5, 0.0, 0.5)
    plain = turn(1, own=0.5)
    assert score(replace(plain, named=True), what) > score(plain, what)
    assert score(plain, what) > score(replace(plain, words=3), what)
    assert score(plain, what) > score(replace(plain, asks=True), what)


def test_form_says_nothing_of_a_note_that_stands_alone():
    note = replace(turn(1, own=0.5), session=None)
    what = Surroundings.alone(note)
    assert score(replace(note, words=2, asks=True, named=True), what) == score(note, what)


def test_a_note_that_fits_wholly_is_worth_one():
    note = replace(turn(1, "lisbon", "leave", own=1.0), session=None)
    assert score(note, Surroundings.alone(note)) == pytest.approx(1.0)


turns = st.builds(
    Passage,
    session=st.sampled_from([None, "a", "b"]),
    position=st.one_of(st.none(), st.integers(0, 12)),
    words=st.integers(1, 400),
    shared=st.frozensets(st.sampled_from(sorted(WORDS))),
    own=st.floats(0, 1),
    dense=st.floats(0, 1),
    coverage=st.just(0.0),
    closeness=st.just(0.0),
    asks=st.booleans(),
    named=st.booleans(),
).map(
    lambda one: replace(
        one,
        coverage=sum(WORDS[word] for word in one.shared) / sum(WORDS.values()),
        closeness=structure.closeness(one.words),
    )
)


@given(st.lists(turns, max_size=12))
def test_surroundings_are_shares_and_never_less_than_the_passage_itself(passages):
    given_ = {str(n): one for n, one in enumerate(passages)}
    for key, what in surroundings(given_, WORDS).items():
        one = given_[key]
        assert all(0 <= value <= 1 + 1e-9 for value in (what.near, what.wide, what.session, what.reply, what.dense))
        assert one.coverage <= what.near + 1e-9 <= what.wide + 2e-9
        assert what.session >= one.own
        assert what.dense >= one.dense


@given(st.lists(turns, max_size=10), st.randoms())
def test_the_order_of_the_passages_makes_no_difference(passages, random):
    named = {str(n): one for n, one in enumerate(passages)}
    shuffled = list(named.items())
    random.shuffle(shuffled)
    before, after = surroundings(named, WORDS), surroundings(dict(shuffled), WORDS)
    assert {key: astuple(what) for key, what in after.items()} == {
        key: pytest.approx(astuple(what)) for key, what in before.items()
    }


@given(st.lists(turns, max_size=10), turns)
def test_another_passage_takes_nothing_away(passages, more):
    few = {str(n): one for n, one in enumerate(passages)}
    before, after = surroundings(few, WORDS), surroundings({**few, "more": more}, WORDS)
    for key, what in before.items():
        assert after[key].near >= what.near - 1e-9
        assert after[key].session >= what.session - 1e-9


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("When do you leave?", True),
        ("Tu pars quand ? ", True),
        ("« Tu pars quand ? »", True),
        ("いつ行きますか？", True),
        ("In March!", False),
        ("Why? Because.", False),
        ("", False),
    ],
)
def test_a_text_that_ends_by_asking(text, expected):
    assert asks(text) is expected


@pytest.mark.parametrize(
    ("author", "names", "expected"),
    [
        ("rhona tait", {"rhona"}, True),
        ("rhona tait", {"rhona tait"}, True),
        ("rhona", {"rhona tait"}, True),
        ("jean de la tour", {"la rochelle"}, False),
        ("rhona", {"armel"}, False),
        ("", {"armel"}, False),
        (None, {"armel"}, False),
    ],
)
def test_a_speaker_is_named_in_full_or_in_part(author, names, expected):
    assert is_named(author, names) is expected


def test_length_and_substance_grow_together_and_stop():
    assert length("one two three") == 3
    assert length("これは長い文章です" * 10) > 20
    assert substance(1) == 0
    assert substance(0) == 0
    assert 0 < substance(5) < substance(20) < substance(40) == substance(4000) == 1
