"""Overview questions lead to the summary of the right level; exact ones to the detail (C21)."""

from __future__ import annotations

import pytest

from hmf.memory import Level, Tier
from hmf.policy.ranking import Ranked
from hmf.recall import leading
from tests.unit.fake_view import memory

FIGURES = {
    "fr": "Lumen, section {n} : le tirage est de {f} exemplaires.",
    "en": "Lumen, section {n}: the print run is {f} copies.",
}
SINGLE = {"fr": "Lumen : le papier vient du moulin de Vézourre.", "en": "Lumen: the paper is from the Vézourre mill."}
ORVANE = {
    "fr": ["Orvane : le livre blanc a huit pages.", "Orvane : relecture par Anna.", "Orvane : rendu le 3 mai."],
    "en": ["Orvane: the white paper has eight pages.", "Orvane: Anna proofreads.", "Orvane: due on 3 May."],
}


@pytest.fixture(params=["fr", "en"])
def told(request, hmf):
    language = request.param
    for n in range(10):
        text = FIGURES[language].format(n=n + 1, f=1000 + 137 * n)
        hmf.add(text, category="client-projects", project="Lumen", kind="fact", volatile=False)
    for text in ORVANE[language]:
        hmf.add(text, category="client-projects", project="Orvane", kind="fact")
    hmf.run("summarise")
    hmf.add(SINGLE[language], category="client-projects", project="Lumen", kind="fact")
    return hmf, language


WHOLE = {
    "fr": ["Où en est le projet Lumen ?", "Fais le point sur Lumen", "Que sait-on de Lumen ?", "Qu'ai-je sur Lumen ?"],
    "en": ["Where do we stand on Lumen?", "Give me an overview of Lumen", "What do I know about Lumen?"],
}
DRAWER = {
    "fr": ["Fais le point sur mes projets clients", "Qu'ai-je dans mes projets clients ?"],
    "en": ["What have I got in client projects?", "Give me an overview of my client projects"],
}
EXACT = {"fr": "Quel est le tirage de la section 4 de Lumen ?", "en": "What is the print run of section 4 of Lumen?"}
PAPER = {"fr": "D'où vient le papier de Lumen ?", "en": "Where does the paper of Lumen come from?"}


def test_a_project_as_a_whole_leads_to_its_summary(told):
    hmf, language = told
    for question in WHOLE[language]:
        hits = hmf.search(question).hits
        assert (hits[0].tier, hits[0].memory.project, hits[0].memory.drawn.level) == (
            Tier.SUMMARY,
            "Lumen",
            Level.PROJECT,
        ), question
        assert len(hits) > 1
        assert hits[0].score > hits[1].score


def test_a_category_as_a_whole_leads_to_its_overview(told):
    hmf, language = told
    for question in DRAWER[language]:
        lead = hmf.search(question).hits[0]
        assert (lead.memory.category, lead.memory.drawn.level) == ("client-projects", Level.CATEGORY), question


def test_an_exact_question_has_the_detail_first_and_what_no_summary_holds_is_reachable(told):
    hmf, language = told
    hits = hmf.search(EXACT[language]).hits
    assert (hits[0].tier, hits[0].memory.text) == (Tier.DETAIL, FIGURES[language].format(n=4, f=1411))
    hits = hmf.search(PAPER[language]).hits
    assert (hits[0].tier, hits[0].memory.text) == (Tier.DETAIL, SINGLE[language])


def test_the_callers_bounds_hold_for_what_leads_too(told):
    hmf, language = told
    hits = hmf.search(WHOLE[language][0], categories=["article-ideas"]).hits
    assert all(hit.memory.category == "article-ideas" for hit in hits)
    assert len(hmf.search(WHOLE[language][0], k=1).hits) == 1


def test_the_order_of_the_others_stays():
    ranked = [Ranked(memory(n), 1.0 - n / 10, 0.9, {}) for n in range(4)]
    assert leading.first([], ranked) == ranked
    lead = leading.first([ranked[2].memory], ranked)
    assert [one.memory.id for one in lead] == ["m000002", "m000000", "m000001", "m000003"]
    assert lead[0].score > lead[1].score
