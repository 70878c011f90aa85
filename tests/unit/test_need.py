"""What a question asks for, whether it asks of the past, and the names in it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hmf.policy.need import Need, classify, history_question, names

NEEDS = [
    ("fr", Need.RULE, "Puis-je publier l'article sans accord ?"),
    ("fr", Need.RULE, "Faut-il citer la source ?"),
    ("fr", Need.RULE, "Est-ce que je peux garder la photo ?"),
    ("fr", Need.RULE, "Quelle est la longueur maximale des titres ?"),
    ("en", Need.RULE, "May I reuse the photo?"),
    ("en", Need.RULE, "Do I have to quote the source?"),
    ("en", Need.RULE, "What is the caption limit on the web? Any rules?"),
    ("en", Need.RULE, "Am I allowed footnotes?"),
    ("fr", Need.PREFERENCE, "Est-ce que j'aime les points-virgules ?"),
    ("fr", Need.PREFERENCE, "Que préfère la cliente ?"),
    ("fr", Need.PREFERENCE, "Quelles sont mes habitudes de relecture ?"),
    ("en", Need.PREFERENCE, "Do I like semicolons?"),
    ("en", Need.PREFERENCE, "How do I want my dashes?"),
    ("en", Need.PREFERENCE, "What are my preferences for titles?"),
    ("fr", Need.DECISION, "Qu'avons-nous décidé pour la couverture ?"),
    ("fr", Need.DECISION, "Quel titre a-t-on retenu ?"),
    ("fr", Need.DECISION, "Pourquoi ai-je abandonné cette piste ?"),
    ("en", Need.DECISION, "What did we agree on the fee?"),
    ("en", Need.DECISION, "Why did we drop the prologue?"),
    ("en", Need.DECISION, "Which decisions stand?"),
    ("fr", Need.STATUS, "Où en est le chapitre 3 ?"),
    ("fr", Need.STATUS, "Que me reste-t-il à faire ?"),
    ("fr", Need.STATUS, "Le numéro de janvier est-il confirmé ?"),
    ("fr", Need.STATUS, "A-t-on reçu la maquette ?"),
    ("en", Need.STATUS, "Where are we with chapter 3?"),
    ("en", Need.STATUS, "Has the invoice been paid?"),
    ("en", Need.STATUS, "What is left to do?"),
    ("en", Need.STATUS, "Which invoices are not paid yet?"),
    ("fr", Need.OVERVIEW, "Fais le point sur le dossier"),
    ("fr", Need.OVERVIEW, "Résume-moi les échanges avec la revue"),
    ("fr", Need.OVERVIEW, "Que sait-on de la ville ?"),
    ("en", Need.OVERVIEW, "Summarise the project"),
    ("en", Need.OVERVIEW, "What do we know about the town?"),
    ("en", Need.OVERVIEW, "Catch me up on the book"),
    ("fr", Need.LESSON, "Quelle leçon ai-je tirée du chantier ?"),
    ("fr", Need.LESSON, "Qu'est-ce que j'ai appris avec la revue ?"),
    ("fr", Need.LESSON, "Que ferais-je autrement au prochain salon ?"),
    ("en", Need.LESSON, "What did I learn from the fair?"),
    ("en", Need.LESSON, "Which lessons did we draw from the launch?"),
    ("en", Need.LESSON, "What would I do differently next year?"),
    ("fr", Need.HYPOTHESIS, "Quelles sont mes hypothèses sur la panne ?"),
    ("en", Need.HYPOTHESIS, "What do I suspect about the leak?"),
    ("fr", Need.TASK, "Que dois-je envoyer à la mairie ?"),
    ("fr", Need.TASK, "Quelles tâches pour la maquette ?"),
    ("en", Need.TASK, "What do I have to send to the council?"),
    ("en", Need.TASK, "Which tasks for the layout?"),
    ("fr", Need.EVENT, "Que s'est-il passé à l'atelier ?"),
    ("fr", Need.EVENT, "Quels rendez-vous avec la relieuse ?"),
    ("en", Need.EVENT, "What happened at the workshop?"),
    ("en", Need.EVENT, "When did I last meet the binder?"),
    ("fr", Need.DETAIL, "Quand est ma leçon de piano ?"),
    ("fr", Need.DETAIL, "Combien de mots pour la chronique ?"),
    ("fr", Need.DETAIL, "À quelle heure est l'entretien ?"),
    ("fr", Need.DETAIL, "Qui relit les épreuves ?"),
    ("en", Need.DETAIL, "How many words for the column?"),
    ("en", Need.DETAIL, "When is the interview?"),
    ("en", Need.DETAIL, "Who reads the proofs?"),
    ("fr", Need.OTHER, "Lodz filatures"),
    ("fr", Need.OTHER, "resume de 900 signes"),
    ("fr", Need.OTHER, "Comment joindre l'imprimeur de préférence ?"),
    ("en", Need.OTHER, "kelp forum thread"),
    ("en", Need.OTHER, "Cover colour?"),
    ("en", Need.OTHER, "東京"),
    ("en", Need.OTHER, ""),
]


@pytest.mark.parametrize(("language", "need", "question"), NEEDS, ids=[row[2] for row in NEEDS])
def test_the_need_is_in_the_way_a_question_is_put(language: str, need: Need, question: str) -> None:
    assert classify(question, language) is need


@pytest.mark.parametrize(("language", "need", "question"), NEEDS, ids=[row[2] for row in NEEDS])
def test_a_question_in_the_other_language_is_understood_too(language: str, need: Need, question: str) -> None:
    assert classify(question, "en-GB" if language == "fr" else "fr-FR") is need


def test_case_accents_and_typography_do_not_count() -> None:
    asked = ("Qu’a-t-on décidé ?", "QU'A-T-ON DECIDE ?", "  — Qu'a-t-on de\u0301cide\u0301\u202f?")
    assert {classify(q, "fr") for q in asked} == {Need.DECISION}


@pytest.mark.parametrize(
    "question",
    [
        "Pourquoi avais-je pensé aux corbeaux, et pourquoi est-ce abandonné ?",
        "Avais-je déjà pensé à une série ?",
        "Quel était le rythme avant le changement ?",
        "Quelle était la date de remise avant d'être décalée ?",
        "Quel est l'ancien titre ?",
        "Comment le tarif a-t-il évolué ?",
        "Pourquoi ai-je laissé tomber le prologue ?",
        "Why did we drop the first title?",
        "What was the previous rate?",
        "Has the deadline changed?",
        "What was the serial originally called?",
        "Did I ever consider a podcast?",
        "What did the cover use to look like?",
        "Which ideas were rejected?",
    ],
)
def test_a_question_of_history(question: str) -> None:
    assert history_question(question)


@pytest.mark.parametrize(
    "question",
    [
        "Quel est le titre ?",
        "Quel taux avais-je noté ?",
        "Ai-je déjà payé la facture ?",
        "Que dit l'ancien gardien ?",
        "Combien ai-je payé le livre ?",
        "What is the title now?",
        "Who is the former keeper?",
        "What did Rhona say about yields?",
        "Which tool is used to cut reeds?",
        "What should I do before the meeting?",
        "",
    ],
)
def test_a_question_of_the_present(question: str) -> None:
    assert not history_question(question)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Le Cèdre paie-t-il à 30 jours ?", ("Le Cèdre",)),
        ("Que me reste-t-il pour Le Potager ?", ("Le Potager",)),
        ("Quel ton pour Maison Aubépine ?", ("Maison Aubépine",)),
        ("Rappeler Tanguy Le Roc'h avant 11 h", ("Rappeler Tanguy Le Roc'h", "Tanguy Le Roc'h")),
        ("Que dit Tanguy Le Roc’h ?", ("Tanguy Le Roc’h",)),
        ("Chez Renée de Corbeyrac et Inès Roux", ("Renée de Corbeyrac", "Inès Roux")),
        ("Où en est le dossier Phare d'Armel ?", ("Phare d'Armel",)),
        ("À quel rythme part l'infolettre d'Atelier Sorgue ?", ("Atelier Sorgue",)),
        ("O'Brien called?", ("O'Brien",)),
        ("What does O'Brien say to McKenna and SNCF?", ("O'Brien", "McKenna", "SNCF")),
        ("L'Haÿ-les-Roses", ("L'Haÿ-les-Roses",)),
        ("Has Brightwater paid invoice 2026-031?", ("Brightwater", "2026-031")),
        ("Rhona Tait said what?", ("Rhona Tait", "Tait")),
        ("What is Marlow's desk extension?", ("Marlow",)),
        ("Who read House of Leaves?", ("House of Leaves",)),
        ("Que dit « La Feuille lente » de “low water” ?", ("La Feuille lente", "low water")),
        ("ISBN 978-2-00-000000-2, 978 2 00 000000 2", ("ISBN", "978-2-00-000000-2", "978 2 00 000000 2")),
        ("zqxv-4417 and INV2041", ("zqxv-4417", "INV2041")),
        ("Avec Élodie Ñandú et Łódź", ("Élodie Ñandú", "Łódź")),
        ("Avec E\u0301lodie Roux", ("Élodie Roux",)),
        ("Gannet, Gannet? And Gannet", ("Gannet",)),
        ("Bonjour.\nQue dit Brume ?", ("Brume",)),
    ],
)
def test_names(question: str, found: tuple[str, ...]) -> None:
    assert names(question) == found


@pytest.mark.parametrize(
    "question",
    [
        "Quel est le titre ?",
        "Combien ? Quand ? Où ?",
        "Papier de la brochure ?",
        "I think I'm late and I've lost it",
        "What happens on Monday in March, or on Saturdays?",
        "le 05/11/2026, 2026-11-05, 2025-2026, 700-900 mots, an 8-page file",
        "QUEL EST LE TITRE ?",
        "When is draft C due?",
        "東京の静かな朝 السلام عليكم",
        "",
    ],
)
def test_ordinary_words_are_no_names(question: str) -> None:
    assert names(question) == ()


@settings(max_examples=200, deadline=None)
@given(
    st.text(max_size=300)
    | st.lists(
        st.sampled_from(["Le", "d'", "A1-2", "«", "»", "É", "é", "'", "’", ".", "?", "-", "I's", "Ab", "\n", "²", "٣"])
    ).map("".join)
)
def test_any_text_is_safe(question: str) -> None:
    assert classify(question, "fr") in Need
    history_question(question)
    found = names(question)
    assert len(set(found)) == len(found)
    assert all(name == name.strip() and name for name in found)


@pytest.mark.parametrize(
    "unit", ["€", "A ", "d'A ", "«", '"', "1-", "A1-", "is ", "De la ", "\u0301", "pourquoi ", "\ud800"]
)
def test_sixty_thousand_characters_are_safe(unit: str) -> None:
    text = (unit * 60000)[:60000]
    assert len(names(text)) <= 20_000
    assert classify(text, "en") in Need
