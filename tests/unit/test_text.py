"""Cleaning, hashing, questions and sentences."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.errors import InvalidInput
from hmf.policy.text import check_size, clean, content_hash, is_question, sentences

ANY = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=200)


def storable(text: str) -> bool:
    return any(unicodedata.category(c)[0] not in "ZC" for c in text)


@pytest.mark.parametrize(
    ("given_text", "kept"),
    [
        ("  texte \n", "texte"),
        ("re\u0301sume\u0301", "résumé"),
        ("un\r\ndeux\rtrois", "un\ndeux\ntrois"),
        ("\ufeffdébut", "début"),
        ("colonne\tdeux", "colonne\tdeux"),
        ("👩‍👩‍👧 東京 Łódź السلام", "👩‍👩‍👧 東京 Łódź السلام"),
    ],
)
def test_clean_normalises_without_touching_what_is_said(given_text: str, kept: str) -> None:
    assert clean(given_text) == kept


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u200b\u200d", "\ufeff", "\u00a0\u202f"])
def test_clean_refuses_what_shows_nothing(text: str) -> None:
    with pytest.raises(InvalidInput, match="empty"):
        clean(text)


@pytest.mark.parametrize(
    ("text", "code", "position"),
    [
        ("abc\0d", "U\\+0000", 3),
        ("\x1b[31mrouge", "U\\+001B", 0),
        ("a\ud83d", "U\\+D83D", 1),
        ("ab\x7f", "U\\+007F", 2),
    ],
)
def test_clean_names_the_character_its_place_and_the_mending(text: str, code: str, position: int) -> None:
    with pytest.raises(InvalidInput, match=f"{code}, at position {position}") as caught:
        clean(text)
    assert caught.value.fix


@given(ANY.filter(storable))
def test_clean_is_idempotent_and_keeps_the_hash(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    assert content_hash(once) == content_hash(clean(text + "  "))


def test_size_is_told_with_both_figures() -> None:
    check_size("abc", 3)
    with pytest.raises(InvalidInput, match=r"4 characters.*limit is 3"):
        check_size("abcd", 3)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("L’éditeur paie", "l'éditeur  PAIE"),
        ("« Bonjour »", '"Bonjour"'),
        ("“Hello”", '"hello"'),
        ("Vu ?", "vu?"),
        ("12\u202f000 mots", "12 000 mots"),
        ("ligne\nsuite", "ligne suite"),
        ("re\u0301sume\u0301", "résumé"),
        ("co\u00adopérative", "coopérative"),
        ("ﬁn", "fin"),
        ("ＡＢＣ", "abc"),
    ],
)
def test_typography_does_not_change_the_hash(a: str, b: str) -> None:
    assert content_hash(a) == content_hash(b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Facture 2026-041", "Facture 2026-042"),
        ("Brume accepte le je", "Brume n'accepte plus le je"),
        ("résumé", "resume"),
        ("Vu ?", "Vu."),
        ("pêche", "péché"),
        ("3,5 km", "35 km"),
        ("X is allowed", "X is not allowed"),
        ("Draft B", "Draft C"),
        ("a b", "ab"),
        ("-5 °C", "5 °C"),
        ("Paper!", "Paper"),
    ],
)
def test_what_changes_the_meaning_changes_the_hash(a: str, b: str) -> None:
    assert content_hash(a) != content_hash(b)


@given(ANY)
def test_the_hash_is_64_hex_digits_and_ignores_normal_forms(text: str) -> None:
    assert len(content_hash(text)) == 64
    assert content_hash(unicodedata.normalize("NFD", text)) == content_hash(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Que paie Tobias ?", "fr"),
        ("Où en étais-je hier", "fr"),
        ("est-ce que Brume paie", "fr"),
        ("combien me paie-t-il par page", "fr"),
        ("quel est le tarif de Brume", "fr"),
        ("peux-tu me rappeler la date", "fr"),
        ("À quelle heure est le train", "fr"),
        ("Pourquoi lent ? Pour qui ?", "fr"),
        ("Is the draft due Monday?", "en"),
        ("what does Gannet pay", "en"),
        ("Who is Sunita", "en"),
        ("how much is the fare", "en"),
        ("could you find the note", "en"),
        ("which pages are left", "en"),
        ("where's the contract", "en"),
        ("And then? When?", "en"),
        ("締め切りはいつですか？", "ja"),
    ],
)
def test_questions(text: str, language: str) -> None:
    assert is_question(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Idée : pourquoi les phares s'éteignent-ils ?", "fr"),
        ("Quand Brume paie, je livre.", "fr"),
        ("Rendez-vous demain", "fr"),
        ("Rappelez-moi lundi", "fr"),
        ("Qui vivra verra", "fr"),
        ("Brume paie à 30 jours. C'est bien ça ?", "fr"),
        ("« Où vas-tu ? » dit-elle.", "fr"),
        ("Je me demande si elle viendra.", "fr"),
        ("", "fr"),
        ("Essay idea: why do people reuse passwords?", "en"),
        ("When the client pays, I deliver", "en"),
        ("Do it now", "en"),
        ("Have lunch with Marsh", "en"),
        ("What he said was false.", "en"),
        ("She asked whether it was late.", "en"),
        ("What matters is rhythm.", "en"),
        ("Will Marsh called", "en"),
    ],
)
def test_statements_labels_and_orders_are_no_questions(text: str, language: str) -> None:
    assert not is_question(text, language)


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("M. Dupont écrit. Il dort.", "fr", ["M. Dupont écrit.", "Il dort."]),
        ("Mme Leroy vient. Le Pr. Blanc aussi.", "fr", ["Mme Leroy vient.", "Le Pr. Blanc aussi."]),
        ("Dr. Roy dit oui. Fin.", "fr", ["Dr. Roy dit oui.", "Fin."]),
        ("Voir p. 12 et art. 5. Puis rien.", "fr", ["Voir p. 12 et art. 5.", "Puis rien."]),
        ("Il a couru 3,5 km. Bien.", "fr", ["Il a couru 3,5 km.", "Bien."]),
        ("Né en janv. 2026. Mort.", "fr", ["Né en janv. 2026.", "Mort."]),
        ("C.-à-d. lui. Fin.", "fr", ["C.-à-d. lui.", "Fin."]),
        ("En 52 av. J.-C. les Grecs. Fin.", "fr", ["En 52 av. J.-C. les Grecs.", "Fin."]),
        ("Le livre a 500 p. Il est long.", "fr", ["Le livre a 500 p. Il est long."]),
        ("Le plan B. Ensuite rien.", "fr", ["Le plan B.", "Ensuite rien."]),
        ("Vraiment ? Oui ! Bon…", "fr", ["Vraiment ?", "Oui !", "Bon…"]),
        ("Mr. Smith met Dr. Jones. He left.", "en", ["Mr. Smith met Dr. Jones.", "He left."]),
        ("See vol. 3, ch. 2. Then p. 12.", "en", ["See vol. 3, ch. 2.", "Then p. 12."]),
        ("It cost $3.50. J. K. Rowling paid.", "en", ["It cost $3.50.", "J. K. Rowling paid."]),
        ("About approx. 300 words. Done.", "en", ["About approx. 300 words.", "Done."]),
        ("He said no. It rained.", "en", ["He said no.", "It rained."]),
        ("The U.S. Army came. He left.", "en", ["The U.S. Army came.", "He left."]),
        ("Titre\n\nCorps du texte.", "fr", ["Titre", "Corps du texte."]),
        ("Liste :\n- un\n- deux", "fr", ["Liste :", "- un", "- deux"]),
        ("Steps:\n1. first\n2. second", "en", ["Steps:", "1. first", "2. second"]),
        ("東京です。大阪です。", "ja", ["東京です。", "大阪です。"]),
        ("", "fr", []),
        ("\n \n", "en", []),
    ],
)
def test_sentences(text: str, language: str, expected: list[str]) -> None:
    assert sentences(text, language) == expected


@given(ANY | st.lists(st.sampled_from(["M.", "p.", "12", "a", "B.", "\n\n", "- x", "« o ! »"])).map(" ".join))
def test_sentences_are_pieces_of_the_text_in_order_and_lose_no_character(text: str) -> None:
    found = sentences(text, "fr")
    position = 0
    for sentence in found:
        position = text.index(sentence, position) + len(sentence)
    assert "".join("".join(found).split()) == "".join(text.split())


@pytest.mark.parametrize("piece", ["Un mot ici. ", "M. Dupont écrit. ", "mot ", "x", "« ", "東京です。"])
def test_a_very_long_paragraph_is_cut_whole(piece: str) -> None:
    text = piece * (60_000 // len(piece))
    found = sentences(text, "fr")
    assert "".join("".join(found).split()) == "".join(text.split())
    if piece.endswith(". "):
        assert set(found) == {piece.strip()}
