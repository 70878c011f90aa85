"""What the router learns: each filing counts at once, is taken back whole, and their order does not matter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hmf.memory import Category, Kind
from hmf.policy.background import NEUTRAL, Frame
from hmf.policy.judging import habitual, nearest, shares, sight
from hmf.policy.learning import Filing, begin, learned, settled, taught, untaught
from hmf.policy.seeds import Seed, embedded, seed_texts

SIZE = 16
NAMES = ("ideas", "tasks", "notes")
CATEGORIES = {name: Category(name, {"en": name}, {"en": f"about {name}"}) for name in NAMES}


def unit(rows):
    return (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)


def cloud(seed, count):
    return unit(np.random.default_rng(seed).normal(size=(count, SIZE)))


def started(examples=False):
    """Three categories, each with one description; with two examples each when asked."""
    seeds = [Seed(name, "d", False) for name in NAMES]
    if examples:
        seeds += [Seed(name, "e", True) for name in NAMES] * 2
    return begin(embedded(CATEGORIES, tuple(seeds), cloud(1, len(seeds)), Frame.of([cloud(2, 24), cloud(3, 24)])))


def filed(count, seed=4):
    """Filings with their vectors, in the three categories in turn."""
    kinds = [Kind.NOTE, Kind.FACT]
    filings = [Filing(str(n), NAMES[n % 3], kinds[n % 2], n % 4 == 0) for n in range(count)]
    return filings, cloud(seed, count)


def asked(belief, seed=5):
    return [shares(belief, sight(belief, vector)) for vector in cloud(seed, 10)]


def alike(one, other):
    for a, b in zip(asked(one), asked(other), strict=True):
        assert a == pytest.approx(b, abs=1e-5)
    assert one.habits == pytest.approx(other.habits)


def one_by_one(belief, filings, vectors, order=None):
    for n in order if order is not None else range(len(filings)):
        belief = taught(belief, filings[n], vectors[n])
    return belief


def test_a_filing_moves_belief_towards_its_category_at_once():
    before, text = started(examples=True), cloud(9, 1)[0]
    for name in NAMES:
        after = taught(before, Filing("x", name), text)
        assert shares(after, sight(after, text))[name] > shares(before, sight(before, text))[name] + 0.1


@given(st.permutations(range(9)))
@settings(max_examples=20, deadline=None)
def test_the_order_of_filings_does_not_matter(order):
    filings, vectors = filed(9)
    alike(one_by_one(started(), filings, vectors), one_by_one(started(), filings, vectors, order))


@pytest.mark.parametrize("count", [1, 63, 64, 150])
def test_one_by_one_is_as_good_as_all_at_once(count):
    filings, vectors = filed(count)
    step, whole = one_by_one(started(True), filings, vectors), learned(started(True), filings, vectors)
    alike(step, whole)
    text = sight(step, vectors[-1])
    assert nearest(step, text, 3) == nearest(whole, sight(whole, vectors[-1]), 3)
    assert nearest(step, text, 1)[0] == (filings[-1].category, pytest.approx(1, abs=1e-5))


@given(st.sets(st.integers(0, 99), max_size=40))
@settings(max_examples=20, deadline=None)
def test_what_is_taken_back_was_never_there(gone):
    filings, vectors = filed(100)
    belief = one_by_one(started(), filings, vectors)
    for number in sorted(gone, reverse=True):
        belief = untaught(belief, number)
    kept = [n for n in range(100) if n not in gone]
    alike(belief, learned(started(), [filings[n] for n in kept], vectors[kept]))
    assert [f.id for f in belief.filings] == [str(n) for n in kept]
    more, rows = filed(70, seed=6)
    alike(one_by_one(belief, more, rows), learned(belief, more, rows))


def test_settled_rows_hold_nothing_of_what_was_taken_back():
    filings, vectors = filed(10)
    belief = untaught(one_by_one(started(), filings, vectors), 3)
    after, row = settled(belief), belief.frame.centred(vectors[3:4])[0]
    alike(belief, after)
    assert np.isclose(np.vstack([belief.settled, belief.recent]) @ row, 1).any()
    assert not np.isclose(np.vstack([after.settled, after.recent]) @ row, 1).any()


def test_learning_leaves_the_belief_before_as_it_was():
    before = started()
    said = asked(before)
    filings, vectors = filed(5)
    untaught(one_by_one(before, filings, vectors), 2)
    assert asked(before) == said


def test_a_category_nobody_knows_teaches_nothing():
    before = started()
    assert taught(before, Filing("x", "gone"), cloud(1, 1)[0]) is before
    assert learned(before, [Filing("x", "gone")], cloud(1, 1)) is before


def test_a_category_counts_from_its_first_filing():
    seeds = tuple(Seed(name, "d", False) for name in NAMES[:2])
    start = begin(embedded(CATEGORIES, seeds, cloud(1, 2), Frame.plain(SIZE)))
    assert set(asked(start)[0]) == {"ideas", "tasks"}
    assert set(asked(taught(start, Filing("x", "notes"), cloud(9, 1)[0]))[0]) == set(NAMES)


def test_being_filed_often_is_no_reason_to_be_filed_again():
    """Forty filings on one side, four on the other, equally good: what lies between them is claimed by neither."""
    axes, noise = np.eye(SIZE, dtype=np.float32), cloud(7, 44) * 0.2
    seeds = tuple(Seed(name, "e", True) for name in NAMES[:2])
    belief = begin(embedded(CATEGORIES, seeds, axes[:2], Frame.plain(SIZE)))
    for n in range(44):
        name = n % 11 == 0
        belief = taught(belief, Filing(str(n), NAMES[name]), unit(axes[int(name)] + noise[n]))
    torn = shares(belief, sight(belief, unit(axes[0] + axes[1])))
    assert torn["ideas"] < 0.6


@given(st.integers(0, 30), st.lists(st.floats(-1, 1), min_size=SIZE, max_size=SIZE), st.sampled_from(list(Kind)))
@settings(max_examples=40, deadline=None)
def test_shares_are_shares_whatever_is_asked(count, numbers, kind):
    filings, vectors = filed(30)
    belief = learned(started(), filings[:count], vectors[:count])
    found = shares(belief, sight(belief, np.array(numbers, np.float32)))
    weighed = habitual(belief, found, kind, project=True)
    for each in (found, weighed):
        assert sum(each.values()) == pytest.approx(1)
        assert all(0 <= share <= 1 for share in each.values())
    assert count or weighed == pytest.approx(found)


def test_the_frame_takes_out_what_texts_share_and_what_languages_do():
    shared, french, english = np.eye(SIZE, dtype=np.float32)[:3]
    frame = Frame.of([unit(shared * 3 + french + cloud(1, 40) * 0.3), unit(shared * 3 + english + cloud(1, 40) * 0.3)])
    meaning = cloud(8, 2)
    one, other = (unit(shared * 3 + tongue + meaning) for tongue in (french, english))
    before, after = one @ other.T, frame.centred(one) @ frame.centred(other).T
    assert after[0, 0] > 0.97
    assert before[0, 1] > 0.75 > 0.5 > after[0, 1]
    assert frame.centred(np.zeros((0, SIZE), np.float32)).shape == (0, SIZE)


def test_one_language_or_equal_ones_take_out_the_mean_alone():
    rows = cloud(1, 24)
    for languages in ([rows], [rows, rows]):
        frame = Frame.of(languages)
        assert len(frame.axes) == 0
        assert frame.mean == pytest.approx(rows.mean(axis=0), abs=1e-6)


def test_neutral_sentences_are_as_many_in_each_language_and_all_different():
    french, english = NEUTRAL["fr"], NEUTRAL["en"]
    assert len(french) == len(english) == len(set(french)) == len(set(english))


def test_a_description_is_cut_into_small_sentences_and_an_example_is_left_whole():
    described = Category(
        "cooking",
        {"fr": "Cuisine", "en": "Cooking"},
        {"fr": "Recettes, fours et couteaux. Sel !", "en": "Recipes; ovens and knives."},
        ("Salt the water, then boil it.",),
    )
    closed = Category("inbox", {"en": "Inbox"}, {"en": "What waits."}, ("Anything.",), routable=False)
    found = [(seed.text, seed.example) for seed in seed_texts({"cooking": described, "inbox": closed})]
    assert found == [
        ("Il est question de Cuisine.", False),
        ("Il est question de Recettes.", False),
        ("Il est question de fours.", False),
        ("Il est question de couteaux.", False),
        ("Il est question de Sel.", False),
        ("This is about Cooking.", False),
        ("This is about Recipes.", False),
        ("This is about ovens.", False),
        ("This is about knives.", False),
        ("Salt the water, then boil it.", True),
    ]


def test_a_category_without_description_or_example_has_no_seed():
    assert seed_texts({"mute": Category("mute", {"en": "Mute"}, {})}) == ()


def test_seeds_need_a_vector_each():
    with pytest.raises(ValueError, match="2 seeds have 1 vectors"):
        embedded(CATEGORIES, (Seed("ideas", "a", True),) * 2, cloud(1, 1), Frame.plain(SIZE))
