"""Embedding ahead of a stream: the same vectors, whatever becomes of the worker."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import numpy as np
import pytest

from hmf.embed.ahead import Ahead
from hmf.embed.hashing import HashEmbedder
from hmf.errors import InvalidInput
from hmf.service import adding
from tests.service import open_memory

TEXTS = ["Le phare d'Armel", "Invoice 2026-041, 480 euros", "東京の静かな朝 \ud83d\ude00", "x" * 200_000]


@pytest.fixture
def ahead():
    made = Ahead("hash")
    made.start()
    assert made.wait(60)
    yield made
    made.close()


def test_a_worker_gives_the_vectors_that_this_process_would(ahead: Ahead):
    for texts in (TEXTS, TEXTS[:1], TEXTS * 40):
        ahead.ask(texts)
        np.testing.assert_array_equal(ahead.answer(), HashEmbedder(64).documents(texts))
    assert ahead.answer() is None


def test_a_worker_that_dies_is_no_error(ahead: Ahead):
    ahead.ask(TEXTS)
    ahead.answer()
    os.kill(ahead._process.pid, signal.SIGKILL)
    ahead._process.wait()
    ahead.ask(TEXTS)
    assert ahead.answer() is None
    ahead.ask(TEXTS)
    assert ahead.answer() is None


def test_a_worker_that_cannot_start_is_no_error():
    ahead = Ahead("no such embedder")
    ahead.start()
    assert not ahead.wait(0.1)
    ahead.ask(TEXTS)
    assert ahead.answer() is None
    ahead.close()


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(adding, "_BATCH", 4)
    # The stream of a test is over before a process has started: wait for it.
    start = Ahead.start
    monkeypatch.setattr(Ahead, "start", lambda ahead: (start(ahead), ahead.wait(60 if ahead._name == "hash" else 0.1)))


@pytest.mark.parametrize("worker", ["hash", "no such embedder", None])
def test_a_stream_is_taken_in_order_with_or_without_a_worker(tmp_path: Path, small_parts, monkeypatch, worker):
    monkeypatch.setattr(HashEmbedder, "worker", worker)
    notes = [f"Note {n}: le carnet {n}{n} est chez Nadège." for n in range(19)]
    with open_memory(tmp_path) as memory:
        added = list(memory.add_many([*notes, notes[3]]))
        assert [one.memory.text for one in added[:-1]] == notes
        assert (added[-1].outcome, added[-1].id) == ("duplicate", added[3].id)
        for one in added[:-1]:
            (vector,) = memory.indexer.embed([one.memory.text], ["fr"])[0]
            expected = HashEmbedder(64).documents([one.memory.text])[0]
            np.testing.assert_array_equal(vector, expected)
            assert memory.search(one.memory.text).hits[0].memory.id == one.id


def test_what_came_before_a_note_that_cannot_be_taken_is_in(tmp_path: Path, small_parts, monkeypatch):
    monkeypatch.setattr(HashEmbedder, "worker", "hash")
    notes = [f"Note {n}: le carnet {n}{n}." for n in range(18)]
    taken = []
    with open_memory(tmp_path) as memory:
        with pytest.raises(InvalidInput):
            taken.extend(memory.add_many([*notes, " ", "never seen"]))  # the nineteenth, in the fifth part
        assert {m.text for m in memory.memories(limit=None)} == set(notes[:16])
