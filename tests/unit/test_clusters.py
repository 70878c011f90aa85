"""Which memories belong together, and which contradict each other."""

from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.memory import Kind, Status
from hmf.policy import clusters
from hmf.policy.conflicts import claim, conflicting
from tests.unit.fake_view import NOW, memory


def topics(count: int, each: int, *, common: float = 0.0, seed: int = 1) -> dict[str, list[float]]:
    """Unit vectors of `count` topics, `each` memories a topic, all leaning towards one direction by `common`."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(count, 128))
    found = {}
    for n in range(count * each):
        row = centres[n // each] / np.linalg.norm(centres[n // each]) + 0.06 * rng.normal(size=128)
        row[0] += common
        found[f"m{n:06d}"] = list(row / np.linalg.norm(row))
    return found


def grouped(vectors) -> list[list[int]]:
    scale = clusters.scale(vectors)
    return clusters.related(clusters.centred(vectors, sorted(vectors), scale), scale)


@pytest.mark.parametrize("common", [0.0, 3.0])
def test_topics_are_found_whatever_all_texts_have_in_common(common):
    assert grouped(topics(6, 5, common=common)) == [list(range(n, n + 5)) for n in range(0, 30, 5)]


def test_unrelated_memories_stay_apart():
    assert all(len(group) < clusters.LEAST for group in grouped(topics(40, 1)))


def test_groups_that_are_left_are_the_same_when_others_are_taken_away():
    vectors = topics(6, 4, seed=3)
    scale = clusters.scale(vectors)
    left = {i: v for i, v in vectors.items() if i >= "m000012"}
    again = clusters.related(clusters.centred(left, sorted(left), scale), scale)
    assert [[n + 12 for n in group] for group in again] == grouped(vectors)[3:]


def test_equal_vectors_and_too_few_of_them_raise_nothing():
    assert clusters.scale({f"m{n}": [1.0, 0.0] for n in range(7)}) is None
    scale = clusters.scale({f"m{n}": [1.0, 0.0] for n in range(9)})
    rows = clusters.centred({"m0": [1.0, 0.0]}, ["m0", "m0"], scale)
    assert clusters.related(rows, scale) == [[0], [1]]
    assert clusters.related(rows[:1], scale) == [[0]]
    assert clusters.related(rows[:0], scale) == []


@given(st.integers(0, 3000), st.integers(1, 60))
def test_split_loses_nothing_and_keeps_parts_even(count, most):
    rows = [memory(n) for n in range(count % 301)]
    parts = clusters.split(rows, most)
    assert [m for part in parts for m in part] == rows
    sizes = [len(p) for p in parts]
    assert not sizes or (max(sizes) <= most and min(sizes) > 0 and max(sizes) - min(sizes) <= 1)


@given(st.integers(0, 100_000))
def test_a_sample_is_small_spread_and_the_same_again(count):
    ids = [str(n) for n in range(count)]
    found = clusters.sample(ids)
    assert found == clusters.sample(ids)
    assert min(count, clusters.SAMPLE // 2) <= len(found) <= clusters.SAMPLE


def test_by_project_is_in_order_of_name_and_time():
    rows = [
        memory(1, project="b"),
        memory(2),
        memory(3, project="a", at=NOW),
        memory(4, project="a", at=NOW - timedelta(days=1)),
    ]
    groups = clusters.by_project(rows)
    assert list(groups) == [None, "a", "b"]
    assert [m.id for m in groups["a"]] == ["m000004", "m000003"]


CONTRARY = [
    ("fr", "Le Cèdre paie à 30 jours.", "Le Cèdre paie à 45 jours"),
    ("en", "Le Cèdre pays at 30 days", "Le Cèdre pays at 45 days."),
    ("fr", "Brume accepte le je", "Brume n'accepte plus le je"),
    ("fr", "Brume accepte le je", "Brume n’accepte pas le je."),
    ("en", "Brume accepts first person texts", "Brume does not accept first person texts"),
    ("en", "Brume accepts first person texts", "Brume no longer accepts first person texts"),
    ("en", "Brume accepts first person texts", "Brume doesn't accept first person texts"),
    ("fr", "Le tarif est de 1 200 € par article", "Le tarif est de 1 300 € par article"),
    ("en", "Reports at Marlow are 1,200 words", "Reports at Marlow are 900 words"),
    ("fr", "La chronique fait 3 500 signes espaces comprises", "La chronique fait 4 000 signes espaces comprises"),
    ("en", "Tidewell takes a 15% discount", "Tidewell takes a 20 % discount"),
]

COMPATIBLE = [
    ("en", "Invoice 2026-041, 480 euros", "Invoice 2026-042, 480 euros"),
    ("fr", "Facture 2026-041, 480 euros", "Facture 2026-042, 520 euros"),
    ("en", "Draft B due 15 October", "Draft C due 16 October"),
    ("en", "Chapter 3: 1,800 words", "Chapter 13: 1,800 words"),
    ("en", "Chapter 3: 1,800 words", "Chapter 13: 2,000 words"),
    ("en", "Le Cèdre pays at 30 days", "Le Cèdre now wants 1,200 words"),
    ("en", "Le Cèdre: no footnotes", "Le Cèdre: contact is Inès Roux"),
    ("fr", "espèce non décrite en 1902", "espèce non revue en 1950"),
    ("fr", "Le tarif est de 1 200 € par article", "Le tarif est de 1200 € par article"),
    ("fr", "Chapitre 3 est relu par Anna", "Chapitre 4 est relu par Anna"),
    ("fr", "Brume accepte le je ?", "Brume n'accepte plus le je"),
    ("en", "Camille Verdier pays at 30 days", "Camille Osman pays at 45 days"),
    ("fr", "Non.", "Oui."),
    ("fr", "Le Cèdre paie 30 jours après 1 200 mots", "Le Cèdre paie 45 jours après 1 200 mots"),
    ("en", "Brume accepts 900 words", "Brume does not accept 1,200 words"),
]


@pytest.mark.parametrize(("language", "one", "other"), CONTRARY)
def test_these_cannot_both_be_true(language, one, other):
    a, b = (memory(n, t, kind=Kind.FACT, language=language) for n, t in ((1, one), (2, other)))
    assert conflicting(a, b)
    assert conflicting(b, a)


@pytest.mark.parametrize(("language", "one", "other"), COMPATIBLE)
def test_these_can(language, one, other):
    a, b = (memory(n, t, kind=Kind.FACT, language=language) for n, t in ((1, one), (2, other)))
    assert not conflicting(a, b)
    assert not conflicting(b, a)


@pytest.mark.parametrize(
    "change",
    [
        {"project": "Autre"},
        {"kind": Kind.EVENT},
        {"volatile": True},
        {"status": Status.SUPERSEDED},
        {"id": "m000001"},
    ],
)
def test_another_project_a_passing_kind_an_observation_and_the_retired_contradict_nothing(change):
    _, one, other = CONTRARY[0]
    a = memory(1, one, kind=Kind.FACT)
    assert conflicting(a, memory(2, other, kind=Kind.FACT))
    assert not conflicting(a, memory(2, other, **{"kind": Kind.FACT, **change}))


@given(st.text(max_size=300), st.sampled_from(["fr", "en", "ja", "xx"]))
def test_any_text_has_a_claim_or_none_and_never_against_itself(text, language):
    one = memory(1, text or "x", kind=Kind.FACT, language=language)
    assert not conflicting(one, memory(2, text or "x", kind=Kind.FACT, language=language))
    assert claim(one) == claim(one)


MEETINGS = {
    "fr": "Le {n} mars, vu Inès Roux pour la page {n}.",
    "en": "On {n} March, saw Inès Roux about page {n}.",
}


@pytest.mark.parametrize("language", ["fr", "en"])
def test_who_is_named_brings_together_what_is_half_as_near(language):
    dice = np.random.default_rng(7)
    base = dice.normal(size=64)
    base /= np.linalg.norm(base)
    vectors = {f"m{n:06d}": (base * 0.75 + dice.normal(size=64) / 8).tolist() for n in range(4)}
    vectors |= {f"m{n:06d}": dice.normal(size=64).tolist() for n in range(4, 60)}
    unit = {i: (np.array(v) / np.linalg.norm(v)).tolist() for i, v in vectors.items()}
    scale = clusters.Scale(np.zeros(64, np.float32), 0.5)
    ids = sorted(unit)
    rows = clusters.centred(unit, ids, scale)
    named = [memory(n, MEETINGS[language].format(n=n + 1), language=language) for n in range(4)]
    others = [memory(n, f"le sujet {n} avance", language=language) for n in range(4, 60)]
    alike = clusters.naming_alike([*named, *others])
    assert [0, 1, 2, 3] not in clusters.related(rows, scale)
    assert [0, 1, 2, 3] in clusters.related(rows, scale, alike)
    assert clusters.common_name(named) == "Inès Roux"
    assert clusters.common_name([*named, *others]) is None


def test_a_name_alone_brings_nothing_together():
    dice = np.random.default_rng(3)
    unit = {f"m{n:06d}": v.tolist() for n, v in enumerate(np.eye(40, 64) + dice.normal(size=(40, 64)) / 99)}
    scale = clusters.Scale(np.zeros(64, np.float32), 0.5)
    rows = clusters.centred(unit, sorted(unit), scale)
    alike = clusters.naming_alike([memory(n, f"On a parlé de Paris, encore {n} fois.") for n in range(40)])
    assert alike.all()
    assert all(len(group) == 1 for group in clusters.related(rows, scale, alike))
