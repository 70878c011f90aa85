"""The router at work: twenty corrections change a route, undoing them brings it back, a restart knows them still."""

from __future__ import annotations

import numpy as np
import pytest

from hmf.memory import RoutedBy
from hmf.service.routing import Router
from tests.service import LIGHT, Clock, open_memory

TOPICS = ("moss on the weir", "heron at the sluice", "reeds along the towpath", "eels under the lock")


def note(number):
    return f"{TOPICS[number % 4].capitalize()}, seen on walk number {number} with a notebook."


QUESTION = "Moss on the weir and a heron at the sluice, seen on one more walk with a notebook."


@pytest.fixture
def hmf(tmp_path):
    with open_memory(tmp_path, Clock()) as memory:
        yield memory


def guess(hmf, text=QUESTION):
    """Where it would go, however unsure."""
    vector = hmf.store.embedder.documents([text])[0]
    return hmf._router.route(
        text, vector, namespace="default", category=None, kind=None, source="user", project=None, guess=True
    ).category


def belief(hmf, router=None):
    vector = hmf.store.embedder.documents([QUESTION])[0]
    return (router or hmf._router).shares(vector, "default")


def other(hmf):
    """A category that the note is not in by itself."""
    return "tasks" if guess(hmf) != "tasks" else "research-notes"


def test_twenty_corrections_change_a_route(hmf):
    target = other(hmf)
    for number in range(20):
        added = hmf.add(note(number))
        assert added.id is not None
        hmf.move(added.id, target)
    found = hmf.add(QUESTION)
    assert (found.category, found.route.by in (RoutedBy.EMBEDDING, RoutedBy.LEARNT)) == (target, True)


def test_a_correction_counts_at_once_and_its_undoing_too(hmf):
    before, target = belief(hmf), other(hmf)
    added = hmf.add(note(0))
    hmf.move(added.id, target)
    moved = belief(hmf)
    assert moved[target] > before[target]
    hmf.undo(hmf.history(added.id)[-1].batch_id)
    assert belief(hmf) == pytest.approx(before, abs=1e-6)


def test_learning_as_it_comes_and_reading_it_again_agree(hmf):
    hmf.search("weir")  # the belief is read, and taught from here on
    for number in range(90):
        hmf.add(note(number), category=("tasks", "research-notes", "article-ideas")[number % 3])
    gone = [hmf.add(note(number), category="tasks").id for number in range(90, 95)]
    hmf.forget(gone[:3])
    hmf.erase(gone[3])
    hmf.move(gone[4], "research-notes")
    assert belief(hmf) == pytest.approx(belief(hmf, Router(hmf.store)), abs=1e-5)


def test_a_restart_knows_what_was_learnt(tmp_path):
    with open_memory(tmp_path, Clock()) as first:
        for number in range(6):
            first.add(note(number), category="tasks")
        said = belief(first)
    with open_memory(tmp_path, Clock()) as second:
        assert belief(second) == pytest.approx(said, abs=1e-6)


def test_only_the_latest_filings_are_learnt_from(tmp_path):
    clock = Clock()
    with open_memory(tmp_path, clock, {**LIGHT, "routing": {"learn_from": 4}}) as hmf:
        hmf.search("weir")
        for number in range(10):
            clock.forward(hours=1)
            hmf.add(note(number), category="tasks")
        assert len(hmf._router.belief("default").filings) == 4
        assert belief(hmf) == pytest.approx(belief(hmf, Router(hmf.store)), abs=1e-5)


def test_nobody_learns_from_another_namespace(hmf):
    before = belief(hmf)
    for number in range(5):
        hmf.add(note(number), category="tasks", namespace="other")
    assert belief(hmf) == before


def test_what_the_router_filed_by_itself_teaches_it_nothing(hmf):
    before = belief(hmf)
    hmf.add("To do: " + note(1))
    assert belief(hmf) == before


def test_seeds_are_embedded_once_for_ever(tmp_path, monkeypatch):
    with open_memory(tmp_path, Clock()) as hmf:
        said = belief(hmf)
    with open_memory(tmp_path, Clock()) as hmf:
        vector = hmf.store.embedder.documents([QUESTION])[0]
        monkeypatch.setattr(hmf.store.embedder, "documents", lambda texts: np.zeros((len(texts), 0)))
        assert hmf._router.shares(vector, "default") == pytest.approx(said)
