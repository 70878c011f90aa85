"""Overviews of whole categories: made of originals, beside the summaries of their groups, kept up to date."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hmf.memory import Level, Policy, Status, Tier
from hmf.plan import Verb
from hmf.policy import lineage
from jobs.summarise import job as summarise
from tests.unit.fake_view import NOW, FakeView, category, memory

DAY = timedelta(days=1)
TEXTS = {
    "fr": "{project} : la partie {n} parle du sujet {n}, à rendre le {n} mars.",
    "en": "{project}: part {n} is about subject {n}, due on {n} March.",
}


def _view(projects=("Acme", "Brume"), count=5, language="fr", loose=0):
    rows = [
        memory(
            100 * p + n,
            TEXTS[language].format(project=project, n=n + 1),
            at=NOW - (90 - 7 * p - n) * DAY,
            project=project,
            language=language,
        )
        for p, project in enumerate(projects)
        for n in range(count)
    ]
    rows += [memory(5000 + n, f"Idée {n} : {n} lampes.", at=NOW - n * DAY, language=language) for n in range(loose)]
    return FakeView(rows, [category(policy=Policy(summarise=True))])


def _overviews(view):
    found = view.memories(tiers=(Tier.SUMMARY,))
    return [m for m in found if m.drawn.level is Level.CATEGORY and m.status not in (Status.SUPERSEDED,)]


@pytest.mark.parametrize("language", ["fr", "en"])
def test_an_overview_speaks_of_each_project_in_the_words_of_its_notes(language):
    view = _view(language=language)
    view.apply(summarise.plan(view, NOW))
    [found] = _overviews(view)
    assert {view.rows[i].project for i in found.summary_of} == {"Acme", "Brume"}
    assert all(view.rows[i].tier is Tier.DETAIL for i in found.summary_of)
    for sentence, ids in lineage.quoted(found):
        assert all(sentence in view.rows[i].text for i in ids)
    assert (found.category, found.project, found.language) == ("notes", None, language)
    assert all(view.rows[i].summarised_in not in (None, found.id) for i in found.summary_of)


def test_one_project_alone_is_its_own_overview():
    view = _view(projects=("Acme",))
    view.apply(summarise.plan(view, NOW))
    assert _overviews(view) == []


def test_notes_of_no_group_have_an_overview_too():
    view = _view(projects=(), loose=7)
    view.apply(summarise.plan(view, NOW))
    [found] = _overviews(view)
    assert len(found.summary_of) == 7


def test_a_category_whose_policy_does_not_summarise_has_none():
    view = _view()
    view.categories = {"notes": category(policy=Policy())}
    assert summarise.plan(view, NOW).actions == ()


def test_it_is_written_anew_on_the_night_after_a_source_changed_and_not_otherwise():
    view = _view(loose=2)
    view.apply(summarise.plan(view, NOW))
    [first] = _overviews(view)
    for night in range(1, 7):
        assert summarise.plan(view, NOW + night * DAY).actions == ()
    before = view.rows[first.summary_of[0]].text
    view.change(first.summary_of[0], text="Acme : cette partie est abandonnée depuis le 2 avril.")
    plan = summarise.plan(view, NOW + 7 * DAY)
    assert [a.draft.replaces.id for a in plan.actions if a.draft.level is Level.CATEGORY] == [first.id]
    view.apply(plan)
    [second] = _overviews(view)
    assert before not in second.text
    assert lineage.changed(second, view.rows) == ()
    assert view.rows[first.id].superseded_by == second.id
    assert summarise.plan(view, NOW + 8 * DAY).actions == ()


def test_a_new_project_is_in_it_on_the_next_night():
    view = _view()
    view.apply(summarise.plan(view, NOW))
    for n in range(3):
        view.rows[f"m00090{n}"] = memory(900 + n, f"Cèdre : le chapitre {n} compte {n} pages.", project="Cèdre")
    view.apply(summarise.plan(view, NOW + DAY))
    [found] = _overviews(view)
    assert "Cèdre" in {view.rows[i].project for i in found.summary_of}
    assert summarise.plan(view, NOW + 2 * DAY).actions == ()


def test_what_a_person_forgets_is_in_no_overview_of_the_next_night():
    view = _view()
    view.apply(summarise.plan(view, NOW))
    [found] = _overviews(view)
    gone = found.summary_of[0]
    view.forget(gone)
    view.apply(summarise.plan(view, NOW + DAY))
    assert all(gone not in m.summary_of for m in _overviews(view))
    assert all(view.rows[gone].text not in m.text for m in _overviews(view))


def test_an_overview_with_too_little_left_goes_by_itself():
    view = _view(projects=(), loose=4)
    view.apply(summarise.plan(view, NOW))
    view.forget("m005000")
    view.forget("m005001")
    [action] = summarise.plan(view, NOW + DAY).actions
    assert (action.verb, action.targets[0].id) == (Verb.FORGET, _overviews(view)[0].id)


@settings(max_examples=40, deadline=None)
@given(
    count=st.integers(0, 9),
    projects=st.lists(st.sampled_from(["Acme", "Brume", "Cèdre", "Dune"]), max_size=4, unique=True),
    loose=st.integers(0, 9),
    weak=st.sets(st.integers(0, 40), max_size=6),
)
def test_whatever_there_is_overviews_hold_to_the_rules_and_settle(count, projects, loose, weak):
    view = _view(projects, count, loose=loose)
    ids = sorted(view.rows)
    for n in weak:
        if n < len(ids):
            view.change(ids[n], status=Status.HYPOTHESIS)
    view.apply(summarise.plan(view, NOW))
    for found in _overviews(view):
        sources = [view.rows[i] for i in found.summary_of]
        assert len(sources) >= 3
        assert {m.category for m in sources} == {found.category}
        assert not any(m.summary_of for m in sources)
        assert not any(lineage.surer(found.status, m.status) for m in sources)
        assert all(sentence in view.rows[i].text for sentence, told in lineage.quoted(found) for i in told)
    assert summarise.plan(view, NOW + DAY).actions == ()
