"""Summaries made of sentences that exist."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hmf.memory import Kind, Status
from hmf.policy import lineage
from hmf.policy.stems import stems
from hmf.policy.summaries import extract, majority_language, span, subject, title
from tests.unit.fake_view import NOW, memory

FILLER = {
    "fr": "La revue a parlé du sommaire et du rythme de la rubrique avec toute la petite équipe numéro {n}.",
    "en": "The review talked about the contents and the pace of the column with the whole small team number {n}.",
}
KEPT = {
    "fr": [
        ("Décision : le dossier reste au présent de narration.", Kind.DECISION),
        ("Jamais plus de 25 mots par phrase dans les récits.", Kind.CONSTRAINT),
        ("À remettre le 4 décembre 2026, 1 450 mots, ISBN 978-2-00-000000-2.", Kind.FACT),
    ],
    "en": [
        ("Decision: the feature stays in the present tense.", Kind.DECISION),
        ("Never more than 25 words a sentence in the stories.", Kind.CONSTRAINT),
        ("Due on 4 December 2026, 1,450 words, ISBN 978-2-00-000000-2.", Kind.FACT),
    ],
}


@pytest.mark.parametrize("language", ["fr", "en"])
def test_decisions_prohibitions_and_exact_values_survive_a_crowd(language):
    crowd = [memory(n, FILLER[language].format(n="abcdefgh"[n % 8] * 3), language=language) for n in range(30)]
    wanted = [memory(100 + n, t, kind=k, language=language) for n, (t, k) in enumerate(KEPT[language])]
    text, _ = extract([*crowd, *wanted], language=language, limit_chars=300)
    for sentence, _ in KEPT[language]:
        assert sentence in text


@pytest.mark.parametrize(
    ("language", "texts", "count"),
    [
        ("fr", ["Le Cèdre paie à 30 jours.", "le cèdre paie à 30 jours"], 1),
        ("en", ["Tobias likes short titles.", "Tobias likes short titles!"], 1),
        ("fr", ["Facture 2026-041, 480 euros.", "Facture 2026-042, 480 euros."], 2),
        ("fr", ["Brume accepte le je.", "Brume n'accepte plus le je."], 2),
        ("en", ["The editor allows footnotes.", "The editor never allows footnotes."], 2),
        ("en", ["The call with Camille Verdier went well.", "The call with Camille Osman went well."], 2),
    ],
)
def test_near_copies_are_said_once_and_what_only_looks_alike_twice(language, texts, count):
    _, pairs = extract([memory(n, t, language=language) for n, t in enumerate(texts)], language=language)
    assert len(pairs) == count


def test_what_is_retired_is_not_repeated():
    rows = [memory(1, "Le tarif est de 300 €.", status=Status.SUPERSEDED), memory(2, "Le tarif est de 380 €.")]
    assert extract(rows, language="fr") == ("Le tarif est de 380 €.", (("Le tarif est de 380 €.", "m000002"),))
    assert extract(rows[:1], language="fr") == ("", ())
    assert extract([], language="fr") == ("", ())


def test_sentences_come_in_order_of_time_and_name_their_memory():
    rows = [memory(n, f"Étape {n} faite. Reste la suite {n}.", at=NOW - timedelta(days=n)) for n in range(1, 4)]
    text, pairs = extract(rows, language="fr")
    assert [i for _, i in pairs] == ["m000003"] * 2 + ["m000002"] * 2 + ["m000001"] * 2
    assert text == "\n".join(s for s, _ in pairs)
    assert pairs[0][0] == "Étape 3 faite."


def test_an_abbreviation_does_not_cut_a_sentence():
    text, pairs = extract([memory(1, "Vu M. Dupont, cf. p. 12. Il refuse les notes de bas de page.")], language="fr")
    assert [s for s, _ in pairs] == ["Vu M. Dupont, cf. p. 12.", "Il refuse les notes de bas de page."]
    assert text.count("\n") == 1


@pytest.mark.parametrize(
    ("language", "text", "kept"),
    [
        ("fr", "Ouvrir sur la laiterie. Elle y tient. Puis 5 pages.", ["Ouvrir sur la laiterie.", "Puis 5 pages."]),
        ("en", "Open on the dairy farm. She insisted. Then 5 pages.", ["Open on the dairy farm.", "Then 5 pages."]),
        ("fr", "Abandonnée.", ["Abandonnée."]),
    ],
)
def test_a_short_sentence_that_leans_on_the_one_before_is_left_out(language, text, kept):
    _, pairs = extract([memory(1, text, language=language)], language=language)
    assert [s for s, _ in pairs] == kept


def test_a_sentence_too_long_for_the_summary_is_left_out_whole():
    assert extract([memory(1, "mot " * 400)], language="fr") == ("", ())


TEXTS = st.lists(st.text(min_size=1, max_size=400).filter(str.strip), min_size=1, max_size=12)


@settings(max_examples=60, deadline=None)
@given(texts=TEXTS, language=st.sampled_from(["fr", "en", "ja"]), limit=st.integers(40, 900))
def test_any_text_gives_whole_sentences_that_exist_within_the_limit(texts, language, limit):
    rows = [memory(n, t, language=language) for n, t in enumerate(texts)]
    text, pairs = extract(rows, language=language, limit_chars=limit)
    assert (text, pairs) == extract(list(reversed(rows)), language=language, limit_chars=limit)
    assert len(text) <= limit
    by_id = {m.id: m for m in rows}
    assert all(sentence in by_id[i].text for sentence, i in pairs)
    assert len({s for s, _ in pairs}) == len(pairs)


def test_a_book_is_read_in_reasonable_time_and_memory():
    book = " ".join(f"La phrase {n} parle du canal et de l'écluse {n % 50}." for n in range(6000))
    text, pairs = extract([memory(1, book)], language="fr")
    assert pairs
    assert len(text) <= 900


def test_the_language_is_the_majority_and_the_status_the_weakest():
    rows = [memory(1, language="fr"), memory(2, language="en"), memory(3, language="en", status=Status.HYPOTHESIS)]
    assert majority_language(rows, "fr") == "en"
    assert majority_language(rows[:2], "fr") == "en"
    assert majority_language([], "fr") == "fr"
    assert lineage.weakest_status(rows) is Status.HYPOTHESIS
    assert lineage.weakest_status(rows[:2]) is Status.CONFIRMED
    assert lineage.weakest_status([]) is Status.CONFIRMED


def test_a_title_has_the_days_of_the_sources_where_the_user_is():
    late = datetime(2026, 3, 2, 23, 30, tzinfo=UTC)
    rows = [memory(1, at=late), memory(2, at=late + timedelta(days=60))]
    assert title("Acme", rows, ZoneInfo("Europe/Paris")) == "Acme (2026-03-03 – 2026-05-02)"
    assert title("Acme", rows[:1], UTC) == "Acme (2026-03-02)"
    assert span(rows) == (late, late + timedelta(days=60))


def test_a_group_without_a_name_is_called_by_its_first_words():
    assert subject(memory(1, title="Les  ronds-points"), "Autre chose.") == "Les ronds-points"
    long = "Les ronds-points décorés des petites communes et les artistes qui en vivent bien."
    assert subject(memory(1), long) == "Les ronds-points décorés des petites communes et les…"
    assert subject(memory(1), "東" * 80) == "東" * 59 + "…"


def test_stems_leave_out_function_words_unless_asked_and_pair_characters_of_unspaced_scripts():
    assert stems("Les éditeurs n'acceptaient plus", "fr") == ["editeur", "accept"]
    assert stems("Les éditeurs n'acceptaient plus", "fr", function_words=True)[0] == "le"
    assert stems("The editors accepted 1,200 words", "en") == ["editor", "accept", "1,200", "word"]
    assert stems("東京の朝", "ja") == ["東京", "京の", "の朝"]
    assert stems("Příliš žluťoučký", "cs") == ["prilis", "zlutoucky"]
