"""When an answer of before still holds: pure, with the time given."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.memory import Status
from hmf.policy.answers import Answer, Held, Past, held, state
from tests.unit.factory import memory

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ONE = {"m1": {"s1"}}


def past(answer, *, days=0, limit="60d", until=None, states=None):
    return Past(answer, states or {"m1": "s1"}, limit, NOW - timedelta(days=days), until)


def asked(*answers, states=None, code="stale", limit="60d"):
    return held(states or ONE, code, limit, answers, now=NOW, zone=UTC)


def test_nothing_was_said_so_it_is_asked():
    assert asked() is None


def test_a_refusal_holds_for_good():
    assert asked(past(Answer.REFUSE, days=5000)) == Held()


@pytest.mark.parametrize(("days", "comes_back"), [(0, False), (59, False), (61, True), (400, True)])
def test_kept_once_it_comes_back_after_the_limit(days, comes_back):
    assert (asked(past(Answer.KEEP, days=days)) is None) is comes_back


def test_kept_twice_it_does_not_come_back():
    assert asked(past(Answer.KEEP, days=4000), past(Answer.KEEP, days=2000)) == Held()


def test_a_reason_without_a_limit_is_settled_by_one_keep():
    assert asked(past(Answer.KEEP, days=9000, limit=None), code="conflict", limit=None) == Held()


@pytest.mark.parametrize("answers", [(Answer.REFUSE,), (Answer.KEEP, Answer.KEEP)])
def test_another_limit_or_another_text_is_another_case(answers):
    said = [past(answer, days=100) for answer in answers]
    assert asked(*said, limit="30d") is None
    assert asked(*said, states={"m1": {"s2"}}) is None
    assert asked(*said) == Held()


def test_postponed_until_a_day():
    later = NOW + timedelta(days=3)
    assert asked(past(Answer.POSTPONE, until=later)) == Held(later)
    assert asked(past(Answer.POSTPONE, until=NOW)) is None


def test_ages_are_judged_one_by_one_and_relations_as_a_whole():
    two = {"m1": {"s1"}, "m2": {"s2"}}
    apart = [past(Answer.REFUSE), past(Answer.REFUSE, states={"m2": "s2"})]
    assert asked(*apart, states=two) == Held()
    assert asked(*apart, states=two, code="twin") is None
    together = past(Answer.REFUSE, states={"m1": "s1", "m2": "s2", "m3": "s3"})
    assert asked(together, states=two, code="twin") == Held()
    assert asked(past(Answer.REFUSE), states=two) is None  # one of them was never spoken of


answers = st.lists(
    st.builds(
        past,
        st.sampled_from([Answer.KEEP, Answer.REFUSE, Answer.POSTPONE]),
        days=st.integers(0, 500),
        until=st.none() | st.integers(-50, 50).map(lambda n: NOW + timedelta(days=n)),
    ),
    max_size=6,
)


@given(answers, answers)
def test_saying_more_never_makes_it_be_asked_again(said, more):
    if asked(*said) is not None:
        assert asked(*said, *more) is not None


def test_a_state_is_what_a_person_may_change():
    one = memory("Note.")
    touched = replace(one, verified_at=NOW, revision=9, status=Status.TO_VERIFY, summarised_in="s")
    assert state(touched) == state(one)
    for change in ({"category": "inbox"}, {"project": "Acme"}, {"tags": ("x",)}, {"content_hash": "y"}):
        assert state(replace(one, **change)) != state(one)
