"""What the review sees by itself: the same told twice, filings that today's knowledge questions, drawers too large or
never used."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.durations import Duration
from hmf.memory import Kind, Patience, Route, RoutedBy, Status
from hmf.plan import Verb
from hmf.policy import doubles, merging
from hmf.policy.folding import fold
from hmf.reason import Reason
from jobs import review as reviewing
from jobs.review import job as review
from tests.unit.fake_view import NOW, FakeView, category, memory
from tests.unit.test_clusters import topics

DAY = timedelta(days=1)
OLD = NOW - 100 * DAY


def _merges(*rows, **options):
    return [a for a in review.plan(FakeView(rows, [category()], **options), NOW).actions if a.verb is Verb.MERGE]


AGAIN = [
    ("fr", "Penser à relire le plan de la préface avant jeudi.", "Note : relire le plan de la préface avant jeudi"),
    ("fr", "L'éditeur préfère toujours les chapitres courts.", "L'éditeur préfère les chapitres courts, toujours."),
    (
        "en",
        "The editor gladly prints short chapters of plain words.",
        "The editor prints short chapters of plain words",
    ),
]
APART = [
    ("fr", "Facture 2026-041 envoyée à la revue, 480 euros.", "Facture 2026-042 envoyée à la revue, 480 euros."),
    ("fr", "Le brouillon B est à rendre le 15 octobre.", "Le brouillon C est à rendre le 16 octobre."),
    ("en", "Chapter 3 of the book has 1,800 words.", "Chapter 13 of the book has 1,800 words."),
    (
        "fr",
        "La revue accepte le « je » dans les lettres.",
        "La revue n'accepte plus le « je » dans les lettres.",
    ),
    ("en", "The magazine accepts texts in the first person.", "The magazine never accepts texts in the first person."),
    ("en", "Anna proofreads the long chapters on Thursdays.", "Inès proofreads the long chapters on Thursdays."),
    ("fr", "On vouvoie les lecteurs dans la lettre du lundi.", "On vouvoie les lecteurs dans la lettre du mardi."),
]


@pytest.mark.parametrize(("language", "one", "other"), AGAIN)
def test_the_same_told_again_is_proposed_for_merging(language, one, other):
    rows = [memory(1, one, at=OLD, language=language), memory(2, other, at=NOW, language=language)]
    [action] = _merges(*rows)
    assert (action.reason.code, [t.id for t in action.targets]) == ("twin", ["m000001", "m000002"])


@pytest.mark.parametrize(("language", "one", "other"), APART)
def test_what_differs_by_a_number_a_name_a_date_or_a_negation_is_two_memories(language, one, other):
    assert _merges(memory(1, one, at=OLD, language=language), memory(2, other, language=language)) == []


@pytest.mark.parametrize("change", [{"project": "Autre"}, {"kind": Kind.TASK}, {"pinned": True}, {"category": "else"}])
def test_another_project_kind_or_drawer_and_the_pinned_are_left_alone(change):
    _, one, other = AGAIN[0]
    assert _merges(memory(1, one), memory(2, other, **change)) == []


def test_nearly_the_same_words_that_mean_something_else_are_two_memories():
    _, one, other = AGAIN[2]
    rows = [memory(1, one, language="en"), memory(2, other, language="en")]
    far = {"m000001": [1.0, 0.0], "m000002": [0.0, 1.0]}
    assert _merges(*rows, vectors=far) == []
    assert len(_merges(*rows, vectors={**far, "m000002": [0.9, 0.1]})) == 1


@given(st.lists(st.sampled_from([t for _, *pair in (*AGAIN, *APART) for t in pair]), max_size=12), st.randoms())
def test_every_merge_is_of_what_says_the_same_and_each_memory_is_in_one(texts, dice):
    rows = [memory(n, t, at=NOW - dice.randrange(50) * DAY) for n, t in enumerate(texts)]
    seen = [t.id for a in _merges(*rows) for t in a.targets]
    assert len(seen) == len(set(seen))
    by_text = {}
    for one in rows:
        by_text.setdefault(one.text, []).append(one.id)
    for group in by_text.values():
        assert len(group) == 1 or set(group) <= set(seen)


WORDS = ["lampe", "marée", "pierre", "canal", "verre", "plume", "encre", "sable", "four", "gare"]
words = st.lists(st.sampled_from(WORDS), min_size=6, max_size=12)


@given(words, st.data())
def test_a_text_meets_what_differs_by_one_word(told, data):
    place = data.draw(st.integers(0, len(told) - 1))
    others = [[*told[:place], *told[place + 1 :]], [*told[:place], "phare", *told[place + 1 :]], told[::-1]]
    for other in others:
        table = doubles.Doubles()
        for name, text in (("a", " ".join(told)), ("b", " ".join(other))):
            table.add(name, None, text, fold(text))
        assert table.pairs == {("a", "b")}


def test_groups_hold_together_what_pairs_do():
    assert doubles.groups({("c", "b"), ("a", "b"), ("x", "y")}) == [["a", "b", "c"], ["x", "y"]]
    assert doubles.groups(set()) == []


def test_a_merged_memory_loses_nothing_that_was_known_of_either():
    first = memory(1, at=OLD, tags=("a", "b"), learnt_at=OLD)
    again = memory(2, at=NOW - DAY, tags=("b", "c"), title="Un titre", verified_at=NOW)
    found = merging.merged(first, [again])
    assert (found.tags, found.title, found.supersedes) == (("a", "b", "c"), "Un titre", ("m000002",))
    assert (found.valid_from, found.learnt_at, found.verified_at) == (OLD, OLD, NOW)
    assert merging.merged(again, [first]).learnt_at == OLD


def test_merging_through_the_review_keeps_both_ways_and_can_be_undone(hmf, clock):
    kept = hmf.add("L'éditeur préfère toujours les chapitres courts.", category="personal-preferences", tags=["forme"])
    clock.forward(days=3)
    again = hmf.add(
        "L'éditeur préfère les chapitres courts, toujours.", category="personal-preferences", tags=["relecture"]
    )
    before = {i: hmf.get(i) for i in (kept.id, again.id)}
    assert all(m.status is Status.CONFIRMED for m in before.values())
    plan = hmf.plan("review")
    [action] = [a for a in plan.actions if a.verb is Verb.MERGE]
    done = hmf.apply(plan, [action.key])
    one, other = hmf.get(kept.id), hmf.get(again.id)
    assert (other.status, other.superseded_by) == (Status.SUPERSEDED, kept.id)
    assert set(one.tags) == {"forme", "relecture"}
    assert one.supersedes == (again.id,)
    assert one.verified_at == before[again.id].learnt_at
    hmf.undo(done.batch)
    assert {i: hmf.get(i) for i in before} == before


# Filings


TASKS = Route("tasks", 0.95, RoutedBy.LEARNT, Reason("near_filed", {"category": "tasks"}))


def _guessed(count):
    guessed = Route("notes", 0.7, RoutedBy.EMBEDDING, Reason(""))
    return [memory(n, f"Note {n} sur le sujet {n}.", at=OLD, route=guessed) for n in range(count)]


def _moved(view, night=NOW):
    return {t.id for a in review.plan(view, night).actions if a.verb is Verb.MOVE for t in a.targets}


def test_a_correction_of_today_reaches_old_filings_the_same_night():
    view = FakeView(_guessed(40), [category(), category("tasks")], routes={"m000007": TASKS})
    assert _moved(view) == {"m000007"}


def test_in_a_large_store_each_filing_has_its_turn_and_a_question_stays_until_it_is_answered(monkeypatch):
    monkeypatch.setattr(reviewing, "_A_NIGHT", 10)
    rows = _guessed(95)
    view = FakeView(rows, [category(), category("tasks")], routes={m.id: TASKS for m in rows[::9]})
    found, asked = set(), []
    for night in range(10):
        before = view.asked
        found_now = _moved(view, NOW + night * DAY)
        asked.append(view.asked - before)
        assert found <= found_now
        found = view.waiting = found_now
    assert found == {m.id for m in rows[::9]}
    assert max(asked) < 50
    assert _moved(view, NOW + 20 * DAY) == found


# Drawers


def _large(language="fr", names=("Brume", "Cèdre"), each=40):
    dice = Random(4)
    texts = {"fr": "Relire chez {name} la page {n}.", "en": "Proofread for {name} on page {n}."}
    rows = [
        memory(k * each + n, texts[language].format(name=name, n=dice.randrange(900)), at=OLD, language=language)
        for k, name in enumerate(names)
        for n in range(each)
    ]
    vectors = topics(len(names), each, seed=2)
    return FakeView(rows, [category()], vectors=dict(zip(sorted(m.id for m in rows), vectors.values(), strict=True)))


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_drawer_too_large_is_told_with_a_division_by_its_own_names(language):
    view = _large(language)
    view.patience = Patience(large=79)
    [note] = review.plan(view, NOW).notes
    assert (note.code, note.values["count"], note.values["parts"]) == ("too_large", 80, 2)
    assert {p.name for p in note.parts} == {"Brume", "Cèdre"}
    assert [p.count for p in note.parts] == [40, 40]
    for part in note.parts:
        assert len(part.examples) == 3
        assert all(part.name in view.rows[i].text for i in part.examples)
    assert review.plan(view, NOW) == review.plan(view, NOW)
    view.patience = Patience(large=80)
    assert review.plan(view, NOW).notes == ()


def test_parts_without_names_are_called_by_the_words_that_tell_them_apart():
    view = _large()
    for n, i in enumerate(sorted(view.rows)):
        view.change(i, text=f"on relit les épreuves {n}" if n < 40 else f"on facture les voyages {n}")
    view.patience = Patience(large=10)
    [note] = review.plan(view, NOW).notes
    names = {p.name for p in note.parts}
    assert names == {"relit, épreuves", "facture, voyages"} or names == {"épreuves, relit", "facture, voyages"}


def test_what_does_not_fall_apart_is_not_divided():
    one = np.random.default_rng(1).normal(size=8)
    view = FakeView(_guessed(60), [category()], vectors={f"m{n:06d}": one.tolist() for n in range(60)})
    view.patience = Patience(large=10)
    assert review.plan(view, NOW).notes == ()


def test_a_drawer_nothing_is_filed_in_is_told_and_a_young_store_is_left_in_peace():
    kinds = [category(), category("tasks"), category("ideas"), replace(category("shelf"), routable=False)]
    rows = [memory(1, at=NOW - 300 * DAY), memory(2, at=NOW), memory(3, at=NOW - 200 * DAY, category="ideas")]
    notes = review.plan(FakeView(rows, kinds), NOW).notes
    assert [(n.code, n.category, n.values.get("since")) for n in notes] == [
        ("unused", "ideas", "2026-05-14"),
        ("never_used", "tasks", None),
    ]
    patient = FakeView(rows, kinds)
    patient.patience = Patience(unused=Duration(years=2))
    assert review.plan(patient, NOW).notes == ()
    assert review.plan(FakeView([memory(1, at=NOW - 20 * DAY)], kinds), NOW).notes == ()
