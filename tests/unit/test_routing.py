"""The router: the first step that is sure decides, and doubt is visible."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.memory import Category, Kind, RoutedBy, RouteRule
from hmf.policy.routing import Examples, Subject, Thresholds, category_shares, route, seed_texts

SURE = Thresholds(0.35, 0.1)
AXES = np.eye(4, dtype=np.float32)


def category(name, *rules, routable=True, examples=()):
    return Category(name, {"en": name}, {"en": f"about {name}"}, tuple(examples), tuple(rules), routable=routable)


CATEGORIES = {
    "ideas": category("ideas", RouteRule(words=("to do", "idée d'article"))),
    "tasks": category("tasks", RouteRule(kinds=frozenset({Kind.TASK}), sources=frozenset({"email"}))),
    "inbox": category("inbox", routable=False),
}
SEEDS = Examples(("ideas", "tasks"), AXES[:2])
NONE = Examples.none(4)


def go(text="x", vector=AXES[0], learnt=NONE, **subject):
    return route(Subject(text, vector, **subject), CATEGORIES, SEEDS, learnt, inbox="inbox", sure=SURE)


def test_the_closest_examples_decide_when_they_lead():
    assert (go().category, go().by) == ("ideas", RoutedBy.EMBEDDING)
    assert go(vector=AXES[1]).category == "tasks"


def test_doubt_goes_to_the_inbox_and_says_between_what():
    torn = (AXES[0] + AXES[1]) / np.sqrt(2)
    found = go(vector=torn)
    assert (found.category, found.by) == ("inbox", RoutedBy.INBOX)
    assert "ideas" in found.reason
    assert "tasks" in found.reason


@pytest.mark.parametrize("text", ["Something to do today", "TO DO!", "Une Idée d’article sur le sel"])
def test_a_rule_matches_a_phrase_without_case_or_accents(text):
    found = go(text, vector=AXES[1])
    assert (found.category, found.by) == ("ideas", RoutedBy.RULE)


@pytest.mark.parametrize("text", ["do it, then go to bed", "today", "idée ; d'un article"])
def test_words_apart_are_no_phrase(text):
    assert go(text, vector=AXES[1]).by is not RoutedBy.RULE


def test_every_condition_of_a_rule_must_hold():
    assert go(vector=AXES[0], kind=Kind.TASK, source="email").category == "tasks"
    assert go(vector=AXES[0], kind=Kind.TASK, source="user").category == "ideas"
    assert go(vector=AXES[0], kind=Kind.NOTE, source="email").category == "ideas"


def test_a_very_close_filing_outweighs_the_examples():
    learnt = Examples(("tasks",), AXES[:1], (("note", False),))
    assert (go(learnt=learnt).category, go(learnt=learnt).by) == ("tasks", RoutedBy.LEARNT)


def test_close_filings_that_disagree_decide_nothing():
    learnt = Examples(("tasks", "ideas"), np.vstack([AXES[0], AXES[0]]), (("note", False),) * 2)
    assert go(learnt=learnt).by is not RoutedBy.LEARNT


def test_a_filing_in_a_category_that_is_gone_does_not_count():
    learnt = Examples(("gone",), AXES[:1], (("note", False),))
    assert go(learnt=learnt).category == "ideas"


def test_habits_of_kind_and_project_tip_a_doubt():
    torn = (AXES[0] + AXES[1]) / np.sqrt(2)
    far = np.vstack([AXES[3]] * 12)
    habits = (("fact", True),) * 6 + (("note", False),) * 6
    learnt = Examples(("tasks",) * 6 + ("ideas",) * 6, far, habits)
    assert go(vector=torn, learnt=learnt, kind=Kind.FACT, project="Acme").category == "tasks"
    assert go(vector=torn, learnt=learnt, kind=Kind.NOTE).category == "ideas"


def test_nothing_to_compare_with_is_the_inbox():
    found = route(Subject("x", AXES[0]), CATEGORIES, NONE, NONE, inbox="inbox", sure=SURE)
    assert (found.category, found.confidence) == ("inbox", 0.0)


def test_what_cannot_be_routed_to_is_no_seed():
    names = {name for name, _ in seed_texts(CATEGORIES)}
    assert names == {"ideas", "tasks"}


@given(st.lists(st.floats(-1, 1), min_size=4, max_size=4), st.text(max_size=80), st.sampled_from([None, *Kind]))
def test_any_text_goes_somewhere_known_with_a_confidence(numbers, text, kind):
    vector = np.array(numbers, np.float32)
    found = go(text, vector=vector, kind=kind)
    assert found.category in CATEGORIES
    assert 0 <= found.confidence <= 1
    assert found.reason
    assert sum(category_shares(vector, CATEGORIES, SEEDS, NONE).values()) == pytest.approx(1)
