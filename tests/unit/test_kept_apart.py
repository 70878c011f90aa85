"""Cases C03, C05 and C06 as kinds: facts of one subject, texts one token apart, and denials, in two languages."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hmf.memory import Status
from hmf.policy import kinds
from hmf.policy.language import detect
from hmf.policy.reconcile.rule import Verdict, judge, reconcile
from tests.unit.factory import NOON, memory

_FACTS = {
    "fr": (
        "{s} paie à {n} jours.",
        "{s} : le contact est Inès Roux.",
        "{s} : pas de notes de bas de page.",
        "{s} paie {n}0 € le feuillet.",
        "{s} publie le mardi.",
        "{s} tutoie ses lecteurs.",
        "Les photos pour {s} sont prises par Bruno Vial.",
        "{s} a ses bureaux à Nantes.",
        "La facture de {s} part à la comptabilité de Lille.",
        "{s} relit deux fois avant d'imprimer.",
        "Chez {s}, la maquette est faite par Ludo.",
        "{s} garde les droits deux ans.",
    ),
    "en": (
        "{s} pays within {n} days.",
        "{s}: the contact is Ines Rook.",
        "{s}: no footnotes.",
        "{s} pays £{n}0 a page.",
        "{s} comes out on Tuesdays.",
        "{s} calls its readers by their first names.",
        "The photographs for {s} are taken by Bruno Vale.",
        "{s} has its offices in Leeds.",
        "The invoice for {s} goes to the accounts in Hull.",
        "{s} proofreads twice before printing.",
        "At {s} the layout is made by Ludo.",
        "{s} keeps the rights for two years.",
    ),
}
_NEWS = {
    "fr": (
        "{s} veut maintenant 1 200 mots.",
        "{s} demande désormais un encadré.",
        "Finalement {s} prend aussi des dessins.",
        "{s} n'accepte plus les anglicismes.",
        "À partir de maintenant {s} envoie ses épreuves par la poste.",
    ),
    "en": (
        "{s} now wants 1,200 words.",
        "{s} asks for a side box from now on.",
        "In the end {s} takes drawings too.",
        "{s} no longer accepts puns.",
        "Starting today {s} sends its proofs by post.",
    ),
}
_SUBJECTS = st.sampled_from(
    ("Le Cèdre", "Brume", "Harrow & Lisle", "Éditions Vauban", "Tern", "Œillet 9", "Rook Press")
)
_LANGUAGES = st.sampled_from(("fr", "en"))
_NUMBERS = st.integers(2, 98)


def told(text: str, days: int = 0, **more: object):
    at = NOON - timedelta(days=30 - days)
    return memory(
        text,
        **{
            "kind": kinds.infer(text),
            "language": detect(text, default="fr"),
            "valid_from": at,
            "learnt_at": at,
            **more,
        },
    )


@settings(deadline=None)
@given(_SUBJECTS, _LANGUAGES, _NUMBERS, st.data())
def test_ten_facts_outlive_a_new_attribute(subject, language, number, data):
    """C03: whatever is news of one attribute retires none of the others."""
    chosen = data.draw(st.permutations(_FACTS[language]))[:10]
    facts = [told(text.format(s=subject, n=number), day) for day, text in enumerate(chosen)]
    news = told(data.draw(st.sampled_from(_NEWS[language])).format(s=subject), 20)
    assert reconcile(news, facts, now=NOON, cap=3).replaced == ()


@settings(deadline=None)
@given(_SUBJECTS, _LANGUAGES, _NUMBERS, st.data())
def test_facts_of_one_subject_retire_none_of_each_other(subject, language, number, data):
    first, second = data.draw(st.permutations(_FACTS[language]))[:2]
    found = judge(told(second.format(s=subject, n=number), 9), told(first.format(s=subject, n=number)))
    assert found is None or found.verdict is not Verdict.REPLACES


_TWINS = {
    "fr": (
        "Facture 2026-{n:03}, 480 euros",
        "Ébauche {c} à rendre le 15 octobre",
        "Chapitre {n} : 1 800 mots",
        "Épisode {n}, durée 24 minutes",
        "Lot {c}{n} livré à la librairie",
    ),
    "en": (
        "Invoice 2026-{n:03}, 480 euros",
        "Draft {c} due 15 October",
        "Chapter {n}: 1,800 words",
        "Episode {n}, running time 24 minutes",
        "Box {c}{n} delivered to the bookshop",
    ),
}
_PLACES = st.tuples(_NUMBERS, st.sampled_from("BCDFGHKLMNPRSTVWXZ"))


@settings(deadline=None)
@given(_LANGUAGES, st.integers(0, 4), _PLACES, _PLACES)
def test_texts_that_differ_by_one_token_stay_both(language, which, one, other):
    """C05: numbers and letters of things are not values that change."""
    template = _TWINS[language][which]
    first, second = (template.format(n=n, c=c) for n, c in (one, other))
    if first != second:
        found = judge(told(second, 5), told(first))
        assert found is None or found.verdict is not Verdict.REPLACES


@pytest.mark.parametrize("language", ["fr", "en"])
def test_each_of_many_near_twins_is_created_and_a_repeat_is_not(hmf, clock, language):
    """C05 through the whole service: never `duplicate` for what differs, always for what does not."""
    texts = [t.format(n=n, c=c) for t in _TWINS[language] for n, c in ((3, "B"), (13, "C"), (41, "D"), (42, "F"))]
    ids = {}
    for text in dict.fromkeys(texts):
        clock.forward(minutes=1)
        added = hmf.add(text)
        assert (added.outcome, added.superseded) == ("created", ())
        ids[text] = added.id
    for text, memory_id in ids.items():
        again = hmf.add(text)
        assert (again.outcome, again.id) == ("duplicate", memory_id)
    assert {m.id for m in hmf.memories(limit=None) if m.current} == set(ids.values())


_DENIED = {
    "fr": (
        ("{s} accepte le {v}", "{s} n'accepte plus le {v}"),
        ("Le {v} est permis chez {s}", "Le {v} n'est plus permis chez {s}"),
    ),
    "en": (
        ("{s} accepts {v}", "{s} no longer accepts {v}"),
        ("{v} is allowed at {s}", "{v} is no longer allowed at {s}"),
    ),
}
_VALUES = {
    "fr": ("je", "présent", "tutoiement", "jargon", "futur"),
    "en": ("slang", "irony", "dialect", "jargon", "satire"),
}
_FOUND = {
    "fr": ("espèce {a} décrite en {n}02", "espèce non revue en {n}50"),
    "en": ("a species not described in {n}02", "a species not seen again in {n}50"),
}


@settings(deadline=None)
@given(_SUBJECTS, _LANGUAGES, st.integers(0, 1), st.integers(0, 4))
def test_what_is_denied_replaces_what_was_affirmed(subject, language, way, which):
    """C06: the negative one is current, the old one is retired; and never the other way round by its age."""
    before, after = (t.format(s=subject, v=_VALUES[language][which]) for t in _DENIED[language][way])
    found = judge(told(after, 9), told(before))
    assert found is not None
    assert found.verdict is Verdict.REPLACES
    assert judge(told(before), told(after, 9)) is None


@settings(deadline=None)
@given(_LANGUAGES, st.integers(17, 19), st.sampled_from(("non", "peu", "mal")))
def test_two_findings_with_a_denial_each_stay_both(language, century, adverb):
    first, second = (t.format(n=century, a=adverb) for t in _FOUND[language])
    assert judge(told(second, 9), told(first)) is None


@pytest.mark.parametrize(
    ("before", "after"),
    [("Brume accepte le je", "Brume n'accepte plus le je"), ("Tern accepts puns", "Tern no longer accepts puns")],
)
def test_a_denial_is_kept_beside_what_it_retires(hmf, clock, before, after):
    old = hmf.add(before)
    clock.forward(days=3)
    new = hmf.add(after)
    assert new.superseded == (old.id,)
    assert (hmf.get(old.id).status, hmf.get(old.id).superseded_by) == (Status.SUPERSEDED, new.id)
    assert hmf.get(new.id).status is Status.CONFIRMED
