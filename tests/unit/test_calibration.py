"""The belief in an answer, how it is fitted, and the notebooks it is fitted on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.config import load
from hmf.embed.hashing import HashEmbedder
from hmf.errors import ConfigError
from hmf.evaluation.calibration import OPERATING, Trial, fit, notebooks, own_shelf, report, trials
from hmf.paths import places
from hmf.policy.belief import Belief, crowding
from hmf.service.store import open_embedder
from tests.service import open_memory

SHARES = st.floats(0, 1)
NEAR = st.floats(-3, 3)


@given(NEAR, NEAR, SHARES, SHARES)
def test_more_of_either_never_makes_less_sure(a: float, b: float, c: float, d: float):
    belief = Belief()
    near, far, much, little = max(a, b), min(a, b), max(c, d), min(c, d)
    assert 0 <= belief.sure(far, little) <= belief.sure(near, much) <= 1


@given(NEAR)
def test_a_memory_with_every_word_answers_whatever_the_embedder_says(near: float):
    assert Belief(dense=5, words=0, offset=-50).sure(near, 1.0) == 1.0


@given(NEAR, SHARES, st.integers(0, 10**6), st.integers(0, 10**6))
def test_among_more_memories_the_same_nearness_says_less(near: float, share: float, a: int, b: int):
    few, many = crowding(min(a, b)), crowding(max(a, b))
    assert 0 <= few <= many < 3
    assert Belief().sure(near, share, many) <= Belief().sure(near, share, few)


def test_up_to_a_hundred_memories_are_no_crowd():
    assert crowding(0) == crowding(1) == crowding(100) == 0
    assert crowding(101) > 0


def made(rng: np.random.Generator, *, answerable: bool) -> Trial:
    cosines, covered = rng.normal(0.2, 0.05, 8), rng.uniform(0, 0.3, 8)
    if not answerable:
        return Trial(cosines, covered, None, "alone")
    cosines[3], covered[3] = rng.normal(0.45, 0.05), rng.uniform(0.4, 0.9)
    return Trial(cosines, covered, 3, "alone")


def test_a_fit_tells_answers_from_neighbours_where_they_differ():
    rng = np.random.default_rng(7)
    found = [made(rng, answerable=n % 2 == 0) for n in range(200)]
    fitted = fit(found, 0.3)
    read = fitted.calibration
    assert 0.15 < read.floor < 0.35 < read.ceiling < 0.55
    assert read.belief.dense > 0
    assert read.belief.words > 0
    assert fitted.area > 0.98
    best = next(rate for rate in fitted.rates["alone"] if rate.threshold == OPERATING)
    assert best.neighbours < 0.06
    assert best.silences < 0.06


def test_an_embedder_that_tells_nothing_leaves_it_to_the_words():
    rng = np.random.default_rng(7)
    found = [made(rng, answerable=n % 2 == 0) for n in range(200)]
    blind = [Trial(-trial.cosines, trial.covered, trial.gold, trial.where) for trial in found]
    fitted = fit(blind, 0.3, scale=(-0.3, -0.1))
    assert fitted.calibration.belief.dense == 0
    assert fitted.calibration.belief.words > 0


def test_a_higher_threshold_answers_less():
    rng = np.random.default_rng(3)
    rates = fit([made(rng, answerable=n % 3 == 0) for n in range(90)], 0.3).rates["alone"]
    assert [r.neighbours for r in rates] == sorted((r.neighbours for r in rates), reverse=True)
    assert [r.silences for r in rates] == sorted(r.silences for r in rates)


def test_the_notebooks_hold_enough_of_both_kinds_in_both_languages():
    books = notebooks()
    for lang in ("fr", "en"):
        own = [book for book in books if book.lang == lang and book.notes]
        assert sum(len(book.ask) for book in own) >= 50
        assert sum(len(book.unknown) for book in own) >= 35
    assert sum(len(book.ask) for book in books) >= 60
    assert sum(len(book.unknown) for book in books) >= 60
    for book in books:
        assert all(0 <= gold < len(book.notes) for _, gold in book.ask)
        assert len(set(book.notes)) == len(book.notes)


def test_the_users_own_memories_are_read_as_answers_to_nothing(tmp_path: Path):
    books, embedder = notebooks()[:2], HashEmbedder()
    with open_memory(tmp_path) as hmf:
        assert not any(t.where == "store" for t in trials(books, embedder, own_shelf(hmf, "default")))
        hmf.add("Herons nest in the alders by the weir.")
        hmf.add("The weir is repaired in spring.")
        shelf = own_shelf(hmf, "default")
        assert len(own_shelf(hmf, "another").terms) == 0
    assert shelf.vectors.shape == (2, embedder.dimension)
    found = [t for t in trials(books, embedder, shelf) if t.where == "store"]
    assert len(found) == sum(len(book.ask) + len(book.unknown) for book in books)
    assert all(t.gold is None for t in found)


def test_what_is_printed_can_be_pasted_and_is_in_force(tmp_path: Path):
    embedder = HashEmbedder()
    printed = report(embedder, fit(trials(notebooks()[:3], embedder), 0.1), "hash", None)
    file = tmp_path / "hmf.yaml"
    file.write_text("version: 1\n" + printed["yaml"] + "\n", encoding="utf-8")
    settings = load(file, environ={})
    read = open_embedder(settings, places(tmp_path, {})).calibration
    assert (read.floor, read.ceiling) == (printed["calibration"]["floor"], printed["calibration"]["ceiling"])
    assert read.belief == Belief(*(printed["calibration"][name] for name in ("dense", "words", "offset", "crowd")))
    assert read.weight == HashEmbedder.calibration.weight
    assert HashEmbedder.calibration is not read


def test_a_ceiling_under_the_floor_is_refused():
    own = {"floor": 0.5, "ceiling": 0.4, "dense": 1, "words": 1, "offset": 0}
    with pytest.raises(ConfigError, match=r"embedder\.calibration\.ceiling: is not above the floor"):
        load({"embedder": {"name": "hash", "calibration": own}}, environ={})
