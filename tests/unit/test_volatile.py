"""What wears out and what lasts, in French and English."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.memory import Kind
from hmf.policy.volatile import DEFAULT, volatility

VOLATILE = [
    ("fr", "price", "Tarif chez Mistral Magazine : 62 € le feuillet."),
    ("fr", "price", "Abonnement à Scribea : 12 € par mois, relevé sur leur page de tarifs."),
    ("fr", "price", "Billet Paris–Lyon pour l'entretien : 47 € l'aller, vu ce jour."),
    ("fr", "price", "Le café d'en bas est passé à 2 €."),
    ("fr", "price", "La Gazette paye 0,12 €/mot."),
    ("fr", "price", "Loyer du bureau : 450 € par mois."),
    ("fr", "price", "Le kilo de papier coûte 3,20 €."),
    ("fr", "rate", "Taux de cotisation relevé sur le site des indépendants : 23,1 %."),
    ("fr", "rate", "L'inflation est de 2,1 %."),
    ("fr", "count", "La newsletter compte 4 210 abonnés."),
    ("fr", "count", "Brume a 12k followers."),
    ("fr", "count", "Il reste 14 exemplaires en stock."),
    ("fr", "count", "Le livre est en rupture."),
    ("fr", "count", "La vidéo a 3 000 vues."),
    ("fr", "availability", "Odile Ferrand est en congé."),
    ("fr", "availability", "Perrine Malo est absente jusqu'à lundi."),
    ("fr", "availability", "Le correcteur n'est pas disponible."),
    ("fr", "status", "Le projet Acme est en pause."),
    ("fr", "status", "Le manuscrit est en relecture chez l'éditeur."),
    ("fr", "status", "Le site est en panne."),
    ("fr", "status", "Chapitre 4 terminé à 80 %."),
    ("fr", "hours", "Le musée ferme le lundi."),
    ("fr", "hours", "La bibliothèque ouvre à 9 h."),
    ("fr", "now", "Actuellement, la revue cherche des portraits."),
    ("fr", "now", "Pour l'instant, Estran répond vite."),
    ("en", "price", "Gannet Review pays 90 pounds a page."),
    ("en", "price", "Rail fare London to Whitby: 48 pounds off-peak, seen on the operator's site."),
    ("en", "price", "The Pro plan costs $19 per month."),
    ("en", "price", "Entry ticket: £12."),
    ("en", "price", "The desk is £200 each month."),
    ("en", "price", "Coffee is now 3 euros."),
    ("en", "rate", "The exchange rate is 1.08 dollars to the euro."),
    ("en", "rate", "VAT on books: 0 %."),
    ("en", "count", "Our newsletter has 4,210 subscribers."),
    ("en", "count", "There are 14 copies left at the shop."),
    ("en", "count", "The hardback is out of stock."),
    ("en", "count", "The clip has 3,000 views."),
    ("en", "availability", "Sunita is on leave this week."),
    ("en", "availability", "Jordan Hale of Brightwater is away until 7 December."),
    ("en", "availability", "The proofreader is fully booked."),
    ("en", "status", "The Acme project is on hold."),
    ("en", "status", "Chapter 4 is 80 % done."),
    ("en", "status", "Studio wi-fi is down today."),
    ("en", "status", "The permit is still pending."),
    ("en", "hours", "The town library closes at 17:00 on Saturdays."),
    ("en", "hours", "The archive is open every Tuesday."),
    ("en", "hours", "The shop opens at 9 am."),
    ("en", "now", "Estran is currently looking for portraits."),
    ("en", "now", "At the moment Gannet answers fast."),
    ("en", "now", "These days the ferry runs late."),
]
LASTING = [
    ("fr", "Contrat Acme : 450 € par article."),
    ("fr", "Devis de l'imprimeur : 1 940 euros, valable jusqu'au 15 décembre."),
    ("fr", "J'ai payé 29 € le livre sur les sourciers."),
    ("fr", "Maquette facturée 1 200 € par le graphiste."),
    ("fr", "Facture 2026-041 : 480 euros, envoyée."),
    ("fr", "Brochure de 24 pages, à remettre le 18 décembre."),
    ("fr", "Préfecture : 23 500 entrées au festival d'Orbe en 2025."),
    ("fr", "Le phare coûtait 12 000 francs en 1890."),
    ("fr", "En 2019, la revue comptait 4 000 abonnés."),
    ("fr", "Le cadastre de 1836 montre 42 maisons."),
    ("fr", "Titre retenu : La Feuille lente."),
    ("fr", "Contact : Bastien Coll, point chaque lundi à 9 h."),
    ("fr", "Recherche : le chanvre régule l'humidité des murs."),
    ("fr", "Dans le roman, le café est ouvert toute la nuit."),
    ("fr", "Le client préfère « courriel »."),
    ("fr", "Idée : une série sur les prix littéraires."),
    ("fr", "Le héros est absent du dernier chapitre."),
    ("fr", "Brume : longueur maximale 500 mots."),
    ("fr", "Budget du dossier : 2 000 €."),
    ("fr", "Le festival d'Orbe se tient en juillet."),
    ("fr", "Anniversaire de Léa le 3 mai."),
    ("fr", "Le chapitre 2 se termine par une porte fermée."),
    ("fr", "Le prix Orbe récompense un premier roman."),
    ("fr", "Un blog parle de 60 000 personnes au festival."),
    ("fr", "Tarif convenu avec Brume : 62 € le feuillet."),
    ("fr", "Le personnage principal est malade dès la page 3."),
    ("en", "Fee agreed with Gannet: 90 pounds a page."),
    ("en", "Printer's quote: 1,940 euros, valid until 15 December."),
    ("en", "Invoice 2026-033 to Redwood, 1,150 dollars, drafted."),
    ("en", "I paid 29 pounds for the book on dowsers."),
    ("en", "Canal piece: 2,400 words, due 14 December."),
    ("en", "In 1890 the lighthouse cost 12,000 pounds."),
    ("en", "The journal had 4,000 subscribers at the time."),
    ("en", "Chapter 3 word target: 1,800."),
    ("en", "Low Water is the name of the pub in chapter 4."),
    ("en", "The last winter boat leaves at 21:40."),
    ("en", "Photo credit for portraits: A. Lund."),
    ("en", "Paperback ISBN ends in 417."),
    ("en", "Idea: an essay on the price of silence."),
    ("en", "The current of the river carries the boat."),
    ("en", "Rhona Tait's farm has 14 lines."),
    ("en", "County kelp yield, official bulletin: 310 tonnes in 2025."),
    ("en", "The whole budget is 3,000 dollars."),
    ("en", "The book sold for 12 pounds in 1950."),
    ("en", "The narrator is away from home."),
    ("en", "Brochure print run: 3,000 copies."),
    ("en", "Contract with Gannet: exclusivity for 24 months."),
    ("en", "The advance was 500 pounds."),
    ("en", "Caption limit for web: 60 characters."),
    ("en", "The editor's birthday is 3 May."),
    ("en", "The novel's hero is busy on every page."),
    ("en", "We agreed on 300 dollars per article."),
]


@pytest.mark.parametrize(("language", "reason", "text"), VOLATILE)
def test_what_changes_by_itself_gets_a_limit(language: str, reason: str, text: str) -> None:
    found = volatility(text, language, Kind.FACT)
    assert found is not None
    assert found.reason == reason
    assert str(found.fresh_for)


@pytest.mark.parametrize(("language", "text"), LASTING)
def test_what_is_settled_past_or_told_lasts(language: str, text: str) -> None:
    assert volatility(text, language, Kind.FACT) is None


def test_both_languages_are_tested_alike() -> None:
    for language in ("fr", "en"):
        assert sum(row[0] == language for row in VOLATILE) >= 25
        assert sum(row[0] == language for row in LASTING) >= 25


@pytest.mark.parametrize("kind", [Kind.DECISION, Kind.CONSTRAINT, Kind.PREFERENCE, Kind.EVENT, Kind.TASK, Kind.LESSON])
@pytest.mark.parametrize(("language", "_reason", "text"), VOLATILE[::7])
def test_a_kind_that_lasts_is_never_volatile(kind: Kind, language: str, _reason: str, text: str) -> None:
    assert volatility(text, language, kind) is None


@pytest.mark.parametrize(("language", "reason", "text"), VOLATILE[::5])
def test_case_and_typography_do_not_matter(language: str, reason: str, text: str) -> None:
    for variant in (text.upper(), text.replace("'", "’"), text.replace(" ", "\u00a0")):
        found = volatility(variant, language, Kind.NOTE)
        assert found is not None, variant
        assert found.reason == reason


def test_a_price_far_down_a_long_note_does_not_make_the_note_volatile() -> None:
    assert volatility("Une page de recherche sur le chanvre. " * 40 + VOLATILE[0][2], "fr", Kind.NOTE) is None


def test_a_third_language_is_left_alone_and_the_default_is_a_real_span() -> None:
    assert volatility("Tarif 62 € par mois", "de", Kind.FACT) is None
    assert str(DEFAULT) == "1mo"


@given(st.text(max_size=400), st.sampled_from(["fr", "en"]))
def test_any_unicode_is_judged_and_the_same_way_twice(text: str, language: str) -> None:
    assert volatility(text, language, Kind.NOTE) == volatility(text, language, Kind.NOTE)
