"""What a text is found by: French and English alike, exact codes, and any Unicode."""

from __future__ import annotations

import math
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.index import tokenizer
from hmf.index.port import Sparse
from hmf.index.tokenizer import content_terms, sparse_document, sparse_query, tokens

LANGUAGES = ("fr", "en", "de", "ja", "pl", "", "xx")
ANY_TEXT = st.text(alphabet=st.characters(), max_size=300)


def shared(question: str, note: str, *, asked: str = "fr", noted: str = "fr") -> float:
    """The score of a note for a question, before any IDF."""
    document = dict(zip(*parts(sparse_document(note, noted)), strict=True))
    return sum(weight * document.get(n, 0.0) for n, weight in zip(*parts(sparse_query(question, asked)), strict=True))


def parts(vector: Sparse) -> tuple[tuple[int, ...], tuple[float, ...]]:
    return vector.indices, vector.values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("L’entreprise d'Hélène", {"entreprise", "helene"}),
        ("jusqu'à lorsqu'il qu'elle", {"a", "il", "elle"}),
        ("Aujourd’hui", {"aujourdhui"}),
        ("Łódź, Ørsted, Straße, cœur, ex æquo", {"lodz", "orsted", "strasse", "coeur", "aequo"}),
        ("the client's budget, O'Brien's", {"client", "budget", "brien", "obrien"}),
        ("mon e-mail", {"mail", "email"}),
        ("devis 2026-042", {"2026-042", "2026042", "2026", "042"}),
        ("ISBN 978-2-00-000000-2.", {"978-2-00-000000-2", "9782000000002"}),
        ("v1.2 à 14h30", {"v1.2", "14h30"}),
        ("R&D", {"r&d"}),
        ("marie@acme.fr", {"marie@acme.fr", "marie", "acme", "fr"}),
        ("日本語", {"日本", "本語"}),
        ("コーヒー", {"コー", "ーヒ", "ヒー"}),
        ("한국어", {"한국", "국어"}),
        ("हिन्दी", {"हिन्दी"}),
        ("ﬁn de la partie Ⅳ", {"fin", "iv"}),
    ],
)
def test_a_text_is_found_by(text: str, expected: set[str]):
    for language in ("fr", "en"):
        assert expected <= set(tokens(text, language))


def test_an_elided_article_and_a_genitive_leave_nothing_behind():
    assert tokens("l'e-mail d'Acme", "fr") == ["mail", "email", "acme", "acm"]
    assert "s" not in tokens("the client's", "en")


@pytest.mark.parametrize("written", ["12 500 €", "12\u202f500 €", "12,500", "12.500", "12'500", "12500, puis"])
def test_thousands_are_one_number_however_they_are_set_apart(written: str):
    assert "12500" in tokens(f"facture de {written}", "fr")
    assert shared("12500", f"facture de {written}") > 0


@pytest.mark.parametrize("written", ["en 2026 500 notes", "1,5", "3.14", "12 50", "1 2345"])
def test_figures_that_only_stand_beside_each_other_stay_apart(written: str):
    assert not {"2026500", "15", "314", "1250", "12345"} & set(tokens(written, "fr"))


@pytest.mark.parametrize(
    ("question", "note", "language"),
    [
        ("les factures impayées", "une facture impayée", "fr"),
        ("relancer Dupont", "j'ai relancé Dupont", "fr"),
        ("mes chapitres", "le chapitre trois", "fr"),
        ("unpaid invoices", "an unpaid invoice", "en"),
        ("pricing", "the price of a page", "en"),
        ("writing a chapter", "she writes chapters", "en"),
    ],
)
def test_another_ending_is_found_whatever_the_languages_were_taken_for(question: str, note: str, language: str):
    other = "en" if language == "fr" else "fr"
    for asked in (language, other):
        for noted in (language, other):
            assert shared(question, note, asked=asked, noted=noted) > 0
            assert content_terms(question, asked) & content_terms(note, noted)


@pytest.mark.parametrize(("asked", "noted"), [("fr", "en"), ("en", "fr"), ("fr", "de"), ("pl", "fr"), ("xx", "en")])
def test_an_exact_word_is_never_lost_to_the_language(asked: str, noted: str):
    for word in ("newsletter", "facturation", "organisations", "Schreibwerkstatt", "2026-042", "éditeurs"):
        assert shared(word, f"à propos : {word}.", asked=asked, noted=noted) > 0


def test_the_exact_word_comes_before_another_ending():
    assert shared("factures", "les factures") > shared("factures", "la facture") > 0


def test_accents_and_case_make_no_difference():
    assert sparse_query("Été, ÉDITEUR", "fr") == sparse_query("ete, editeur", "fr")
    decomposed = unicodedata.normalize("NFD", "Été chez l’éditeur")
    assert sparse_document(decomposed, "fr") == sparse_document("Été chez l'éditeur", "fr")


def test_a_question_is_asked_without_its_function_words():
    assert sparse_query("Comment est-ce que je relance Dupont ?", "fr") == sparse_query("relance Dupont", "fr")
    assert sparse_query("What did the editor say?", "en") == sparse_query("editor say", "en")
    assert sparse_query("Don't they have a deadline?", "en") == sparse_query("deadline", "en")


def test_a_question_of_function_words_alone_keeps_them():
    assert shared("The Who", "a concert of the Who", asked="en", noted="en") > 0
    assert content_terms("what about it?", "en") == frozenset()


def test_content_terms_know_the_function_words_of_both_languages_when_unsure():
    assert content_terms("le devis and the invoice", "xx") == content_terms("devis invoice", "xx")


def test_the_weight_of_a_term_is_that_of_bm25():
    (once,) = sparse_document("devis", "xx", average_length=1).values
    assert once == pytest.approx(1.0)  # tf = 1 at the average length
    twice = max(sparse_document("acme acme mot mot", "xx", average_length=4).values)
    assert twice == pytest.approx(2 * 2.2 / (2 + 1.2))
    long = max(sparse_document("acme mot note page", "xx", average_length=2).values)
    assert long == pytest.approx(2.2 / (1 + 1.2 * (0.25 + 0.75 * 2)))


def test_numbers_are_the_same_in_another_process():
    code = "from hmf.index.tokenizer import sparse_document as d; print(d('Le devis 2026-042 d’Hélène', 'fr').indices)"
    seeded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert seeded.stdout.strip() == str(sparse_document("Le devis 2026-042 d’Hélène", "fr").indices)


@given(ANY_TEXT, st.sampled_from(LANGUAGES))
def test_any_text_gives_a_valid_vector(text: str, language: str):
    for vector in (sparse_document(text, language), sparse_query(text, language)):
        assert len(vector.indices) == len(vector.values) == len(set(vector.indices))
        assert list(vector.indices) == sorted(vector.indices)
        assert all(0 <= number < 2**32 for number in vector.indices)
        assert all(math.isfinite(weight) and weight > 0 for weight in vector.values)


@given(ANY_TEXT, st.sampled_from(LANGUAGES))
def test_every_term_of_a_question_stands_in_the_same_text_stored(text: str, language: str):
    assert set(sparse_query(text, language).indices) <= set(sparse_document(text, language).indices)
    assert content_terms(text, language) <= set(tokens(text, language))


@given(st.text(alphabet=st.characters(categories=("L", "N")), min_size=1, max_size=30))
def test_a_word_of_any_script_is_found(word: str):
    assert sparse_query(word, "fr").indices


@pytest.mark.parametrize("text", ["!!! … €", "", " \n\t", "\ud800", "\u0301", "'''---", "\x00"])
def test_what_holds_no_word_is_harmless(text: str):
    assert sparse_query(text, "fr") == sparse_document(text, "en") == Sparse((), ())


@pytest.mark.parametrize(
    ("text", "found"), [("Toujours 🪶 à la fin", ["🪶"]), ("fête 🎉👩\u200d🚀 !", ["🎉", "👩", "🚀"]), ("© 2026 ™", [])]
)
def test_a_pictogram_is_a_word_and_a_sign_of_the_trade_is_none(text: str, found: list[str]):
    assert [token for token in tokens(text, "fr") if not token.isalnum()] == found
    assert content_terms("où mettre 🪶 ?", "fr") == {"mettr", "🪶"}


def test_a_long_text_and_an_endless_word():
    text = "le devis 2026-042 de l'éditeur " * 2000
    assert sparse_document(text, "fr").indices == sparse_document("le devis 2026-042 de l'éditeur", "fr").indices
    assert len(sparse_document("x" * 60_000, "fr").indices) == 1
    assert len(tokens("日" * 60_000, "ja")) == 59_999


LATIN = st.characters(max_codepoint=0x24F) | st.sampled_from("’‘–—…€ 1234567890 .,'-:/_@+&°œŒ½²\u00ad\u2011")


@given(st.text(LATIN, max_size=60))
def test_the_fast_pattern_finds_what_the_full_one_finds(text: str) -> None:
    plain = tokenizer._plain(text)
    assert tokenizer._BEYOND_LATIN.search(plain) or tokenizer._TOKEN.findall(plain) == tokenizer._LATIN_TOKEN.findall(
        plain
    )
    assert tokenizer._found(text) == tokenizer._TOKEN.findall(plain)
