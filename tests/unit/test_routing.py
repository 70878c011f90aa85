"""The router: the first step that is sure decides, and doubt is visible."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.memory import Category, Kind, RoutedBy, RouteRule
from hmf.policy.background import Frame
from hmf.policy.judging import shares, sight
from hmf.policy.learning import Filing, begin, taught
from hmf.policy.routing import Subject, Thresholds, route
from hmf.policy.seeds import Seed, embedded
from hmf.policy.sentences.saying import SENTENCES

SURE = Thresholds(0.35, 0.1)
AXES = np.eye(4, dtype=np.float32)


def category(name, *rules, routable=True, examples=()):
    return Category(name, {"en": name}, {"en": f"about {name}"}, tuple(examples), tuple(rules), routable=routable)


CATEGORIES = {
    "ideas": category("ideas", RouteRule(words=("to do", "idée d'article"))),
    "tasks": category("tasks", RouteRule(kinds=frozenset({Kind.TASK}), sources=frozenset({"email"}))),
    "inbox": category("inbox", routable=False),
}
SEEDS = (Seed("ideas", "i", True), Seed("tasks", "t", True))
START = begin(embedded(CATEGORIES, SEEDS, AXES[:2], Frame.plain(4)))


def knowing(*filings, start=START):
    """A belief that was taught (category, vector, kind, project) in that order."""
    for number, (name, vector, *traits) in enumerate(filings):
        start = taught(start, Filing(str(number), name, *traits), vector)
    return start


def go(text="x", vector=AXES[0], belief=START, **subject):
    return route(Subject(text, vector, **subject), CATEGORIES, belief, inbox="inbox", sure=SURE)


def test_the_closest_examples_decide_when_they_lead():
    assert (go().category, go().by) == ("ideas", RoutedBy.EMBEDDING)
    assert go(vector=AXES[1]).category == "tasks"


def test_doubt_goes_to_the_inbox_and_says_between_what():
    torn = (AXES[0] + AXES[1]) / np.sqrt(2)
    found = go(vector=torn)
    assert (found.category, found.by) == ("inbox", RoutedBy.INBOX)
    assert found.reason.code == "unsure"
    assert set(found.reason.values.values()) == {"ideas", "tasks"}


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
    found = go(belief=knowing(("tasks", AXES[0])))
    assert (found.category, found.by) == ("tasks", RoutedBy.LEARNT)


def test_close_filings_that_disagree_decide_nothing():
    torn = knowing(("tasks", AXES[0]), ("ideas", AXES[0]))
    assert go(belief=torn).by is not RoutedBy.LEARNT


@pytest.mark.parametrize("name", ["gone", "inbox"])
def test_a_filing_in_a_category_that_cannot_be_routed_to_does_not_count(name):
    found = go(belief=knowing((name, AXES[0]), (name, AXES[0])))
    assert (found.category, found.confidence) == ("ideas", go().confidence)


def test_habits_of_kind_and_project_tip_a_doubt():
    torn = (AXES[0] + AXES[1]) / np.sqrt(2)
    habits = [("tasks", AXES[3], Kind.FACT, True), ("ideas", AXES[3], Kind.NOTE, False)] * 6
    belief = knowing(*habits)
    assert go(vector=torn, belief=belief).category == "inbox"
    assert go(vector=torn, belief=belief, kind=Kind.FACT, project="Acme").category == "tasks"
    assert go(vector=torn, belief=belief, kind=Kind.NOTE).category == "ideas"


def test_nothing_to_compare_with_is_the_inbox():
    empty = begin(embedded(CATEGORIES, (), np.zeros((0, 4), np.float32), Frame.plain(4)))
    found = go(belief=empty)
    assert (found.category, found.confidence) == ("inbox", 0.0)
    assert shares(empty, sight(empty, AXES[0])) == {}
    assert go(belief=knowing(("tasks", AXES[0]), start=empty), vector=AXES[1]).category == "tasks"


@given(st.lists(st.floats(-1, 1), min_size=4, max_size=4), st.text(max_size=80), st.sampled_from([None, *Kind]))
def test_any_text_goes_somewhere_known_with_a_confidence(numbers, text, kind):
    vector = np.array(numbers, np.float32)
    found = go(text, vector=vector, kind=kind)
    assert found.category in CATEGORIES
    assert 0 <= found.confidence <= 1
    assert found.reason.code in SENTENCES["en"]
    assert sum(shares(START, sight(START, vector)).values()) == pytest.approx(1)
