"""Near twins are two memories; the same told again is one, whatever it is written like."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.policy.twins import alike, near_twin, prints, wording

ANY = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=200)
EN = "The editor of Brume wants a short opening scene in every coastal story"
FR = "La rédaction de Brume veut une scène d'ouverture courte dans chaque récit côtier"


def same(a: str, b: str, language: str = "en", key: bytes = b"k") -> bool:
    found = alike(prints(a, language, key), prints(b, language, key))
    assert found == alike(prints(b, language, key), prints(a, language, key))
    return found


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Invoice 2026-041, 480 euros", "Invoice 2026-042, 480 euros"),
        ("Draft B due 15 October", "Draft C due 16 October"),
        ("Chapter 3: 1,800 words", "Chapter 13: 1,800 words"),
        ("Brume accepte le je", "Brume n'accepte plus le je"),
        ("espèce non décrite en 1902", "espèce non revue en 1950"),
        ("Camille Verdier vient lundi", "Camille Osman vient lundi"),
        ("Interview with Priya at 14:00", "Interview with Priyanka at 14:00"),
        ("Facture de mai envoyée", "Facture de juin envoyée"),
        ("X is allowed", "X isn't allowed"),
        ("Paper is fine.", "Paper is fine?"),
        ("Livrer avant le bal", "Livrer après le bal"),
        ("Brume paid Acme", "Acme paid Brume"),
        ("deux pages pour Estran", "trois pages pour Estran"),
        ("L'abonnement coûte 12 €", "L'abonnement coûte 12 $"),
        ("東京の朝", "大阪の朝"),
    ],
)
def test_near_twins_are_two_memories(a: str, b: str) -> None:
    assert near_twin(a, b)
    assert near_twin(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Studio Nacre exige le point médian", "Le Studio Nacre demande le point médian"),
        ("I like short sentences", "I like brief sentences"),
        ("Le 3 mai, Brume paie", "Brume paie le 3 mai"),
        ("L’éditeur paie tard", "l'editeur paie tard"),
        ("Brume pays late", "A whole different note about tanning hides"),
        ("", "Brume"),
    ],
)
def test_other_wordings_and_other_subjects_are_no_twins(a: str, b: str) -> None:
    assert not near_twin(a, b)
    assert not near_twin(b, a)


@given(ANY, ANY)
def test_near_twin_is_symmetric_and_never_true_of_a_text_and_itself(a: str, b: str) -> None:
    assert not near_twin(a, a)
    assert near_twin(a, b) == near_twin(b, a)


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", EN, EN.upper()),
        ("en", EN, f"- Note: {EN}."),
        ("en", EN, f"[ ] {EN} !"),
        ("en", EN, f"{EN} (note)"),
        ("en", EN, "The  editor of «Brume» wants a short opening scene\nin every coastal story…"),
        ("en", EN, "The editors of Brume want short opening scenes in every coastal story"),
        ("en", EN, "The editor of Brume wants a short opening scene in every single coastal story"),
        ("en", EN, "The editor of Brume wants an opening scene in every coastal story"),
        ("en", EN, "The editor of Brume asks a short opening scene in every coastal story"),
        ("en", EN, "In every coastal story, the editor of Brume wants a short opening scene"),
        ("fr", FR, FR.upper()),
        ("fr", FR, "rappel : la redaction de brume veut une scene d’ouverture courte dans chaque recit cotier"),
        ("fr", FR, "* La rédaction de Brume veut des scènes d'ouverture courtes dans chaque récit côtier."),
        ("fr", FR, "La rédaction de Brume veut une scène d'ouverture très courte dans chaque récit côtier"),
        ("fr", FR, "La rédaction de Brume veut une scène d'ouverture courte et nette dans chaque récit côtier"),
        ("fr", FR, "La rédaction de Brume demande une scène d'ouverture courte dans chaque récit côtier"),
        ("en", "Acme's invoice is due Friday", "The invoice for Acme is due on Friday"),
        ("fr", "Brume paie tard", "BRUME PAIE TARD !"),
        ("ja", "東京の朝は静か", "・東京の朝は静か。"),
    ],
)
def test_the_same_told_again(language: str, one: str, other: str) -> None:
    assert same(one, other, language)
    assert not near_twin(one, other)


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", EN, EN.replace("wants", "does not want")),
        ("en", EN, EN.replace("Brume", "Estran")),
        ("en", EN, EN.replace("Brume", "Brume and Estran")),
        ("en", EN, EN + " on Monday"),
        ("en", EN, EN.replace("a short", "two short")),
        ("en", EN, EN.replace("a short opening", "no")),
        ("en", EN, EN + "?"),
        ("en", "Draft B of the coast story is due on 15 October", "Draft C of the coast story is due on 15 October"),
        ("en", "Invoice 2026-041, 480 euros, sent by post to Léa", "Invoice 2026-042, 480 euros, sent by post to Léa"),
        ("en", "Anna pays Paul for the drawings of the book", "Paul pays Anna for the drawings of the book"),
        ("en", "The library is open all day", "The library is closed all day"),
        ("en", "Inès likes green", "Inès likes blue"),
        ("en", "Call the printer", "Call the printer tomorrow"),
        ("fr", FR, FR.replace("veut", "ne veut pas")),
        ("fr", FR, FR.replace("Brume", "Estran")),
        ("fr", FR, FR.replace("une scène", "trois scènes")),
        ("fr", "Inès aime le vert", "Inès aime le bleu"),
        ("fr", "Livrer avant le bal des pompiers de la ville", "Livrer après le bal des pompiers de la ville"),
        ("fr", "Les notes valent 12 % de la note finale du cours", "Les notes valent -12 % de la note finale du cours"),
        ("ja", "東京の朝は静か", "大阪の朝は静か"),
    ],
)  # fmt: skip
def test_two_memories_are_not_one(language: str, one: str, other: str) -> None:
    assert not same(one, other, language)


@given(ANY)
def test_any_text_is_alike_to_itself_and_to_its_folded_form(text: str) -> None:
    assert same(text, text)
    assert wording(text) == wording(" ".join(f"  {text}\n".split()))


def _made_of(*more: str) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from([*EN.split(), *FR.split(), *more]), max_size=12).map(" ".join)


@given(_made_of("3", "not", "Lundi", "été"), _made_of("4", "not", "Mardi", "hiver"))
def test_what_differs_in_a_figure_a_date_or_a_negation_is_never_alike(a: str, b: str) -> None:
    told = [
        sorted(w for w in text.split() if w in ("3", "4", "not", "Lundi", "Mardi", "été", "hiver")) for text in (a, b)
    ]
    if told[0] != told[1]:
        assert not same(a, b)


def test_prints_of_another_key_say_nothing() -> None:
    one, other = prints(EN, "en", b"one"), prints(EN, "en", b"other")
    assert not alike(one, other)
    assert not (one.whole | one.parts) & (other.whole | other.parts)
