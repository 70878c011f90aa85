"""What a question is about, once the words that only put it are taken away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.index.tokenizer import content_terms
from hmf.policy.asking import focus, of_now, of_several, resumes


def about(question: str) -> set[str]:
    """The content words left, in both languages' eyes."""
    return set(content_terms(focus(question), "fr") & content_terms(focus(question), "en"))


@pytest.mark.parametrize(
    ("question", "left", "gone"),
    [
        ("Combien de temps repose la pâte ?", "pâte", "temps"),
        ("Quels jours voir la libraire ?", "libraire", "jours"),
        ("Comment s'appelle la péniche ?", "péniche", "appelle"),
        ("Quel est le nom de la péniche ?", "péniche", "nom"),
        ("Avais-je déjà pensé aux vitraux, et pourquoi ai-je laissé tomber ?", "vitraux", "tomber"),
        ("Fais le point sur la péniche", "péniche", "point"),
        ("Que me reste-t-il pour la péniche ?", "péniche", "reste"),
        ("Quels articles ai-je en cours ?", "articles", "cours"),
        ("Puis-je citer la lettre ?", "lettre", "puis"),
        ("How long does the dough rest?", "dough", "long"),
        ("What time is the fitting?", "fitting", "time"),
        ("What is the barge called?", "barge", "called"),
        ("What's the name of the barge?", "barge", "name"),
        ("Did I note anything on stained glass?", "glass", "note"),
        ("Why did we drop the prologue?", "prologue", "drop"),
        ("Catch me up on the barge", "barge", "catch"),
        ("Quelle leçon avons-nous tirée de la foire ?", "foire", "leçon"),
        ("Qu'est-ce que j'ai appris de la foire ?", "foire", "appris"),
        ("What did I learn from the fair?", "fair", "learn"),
        ("Which lessons have we learned from the fair?", "fair", "lessons"),
        ("What would I do differently at the fair?", "fair", "differently"),
        ("Où mettre la lettrine ?", "lettrine", "mettre"),
        ("Where do I put the drop cap?", "drop cap", "put"),
        ("Am I allowed footnotes?", "footnotes", "allowed"),
        ("Tell me about the barge", "barge", "tell"),
    ],
)
def test_what_only_puts_the_question_is_taken_away(question: str, left: str, gone: str):
    words = about(question)
    assert about(left) <= words
    assert not content_terms(gone, "fr") & words or not content_terms(gone, "en") & words


@pytest.mark.parametrize("question", ["Low Water", "point médian", "la date de la foire", "time machine", "2026-032"])
def test_a_subject_is_left_alone(question: str):
    assert about(question) == set(content_terms(question, "fr") & content_terms(question, "en"))


@pytest.mark.parametrize(
    "question",
    [
        "Où en étais-je ?",
        "Où en étais-je et que dois-je faire en premier ?",
        "Par quoi commencer aujourd'hui ?",
        "Qu'ai-je fait ?",
        "Where was I?",
        "Where did I leave off, and what should I do first?",
        "What's next?",
        "What did I do?",
    ],
)
def test_a_question_without_a_subject_asks_to_go_on(question: str):
    assert resumes(question)


@pytest.mark.parametrize(
    "question",
    [
        "Où en étais-je dans le chapitre 3 ?",
        "Que dois-je faire pour la péniche ?",
        "Where was I with the barge?",
        "What did I say about stained glass?",
        "Quelle pointure fait mon cordonnier ?",
        "",
    ],
)
def test_a_question_with_a_subject_does_not(question: str):
    assert not resumes(question)


@given(st.text(max_size=300))
def test_any_text_has_a_focus_that_adds_no_word(text: str):
    assert set(content_terms(focus(text), "en")) <= set(content_terms(text, "en"))


@pytest.mark.parametrize(
    ("question", "now"),
    [
        ("Quel est le titre maintenant ?", True),
        ("Combien coûte l'abonnement aujourd'hui ?", True),
        ("What is the serial called now?", True),
        ("Where do things stand currently?", True),
        ("What was the title then?", False),
        ("Who knows the archive?", False),
    ],
)
def test_a_question_of_the_present_says_so(question: str, now: bool):
    assert of_now(question) is now


@pytest.mark.parametrize(
    ("question", "several"),
    [
        ("Quelles idées ai-je en cours ?", True),
        ("Which invoices are not paid?", True),
        ("What open tasks do I have?", True),
        ("List the clients", True),
        ("Quelle idée ai-je en cours ?", False),
        ("Which invoice is not paid?", False),
        ("What does the press require?", False),
        ("What is the barge called?", False),
        ("Whose boots are these?", False),
    ],
)
def test_a_question_for_several_says_so(question: str, several: bool):
    assert of_several(question) is several
