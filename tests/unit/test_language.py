"""Language: short and long texts, other scripts, and what nothing tells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.policy.language import FUNCTION_WORDS, detect

FRENCH = [
    "La revue Estran paie à trente jours.",
    "L’éditeur veut un résumé de neuf cents signes.",
    "Je préfère relire sur papier.",
    "le gardien du phare",
    "sans note de bas de page",
    "POINT MÉDIAN INTERDIT DANS LA CHARTE",
    "Titre japonais cité dans l'article : 東京の静かな朝.",
    "Ne rien publier avant l'accord écrit de Perrine.",
]
ENGLISH = [
    "Gannet Review pays at forty-five days.",
    "The editor's note says the tone was too stiff.",
    "I write badly on trains.",
    "the keeper of the lighthouse",
    "with no footnotes at all",
    "NEVER SCHEDULE INTERVIEWS BEFORE TEN",
    "The word courriel must stay in the French version.",
    "Do not publish before the written agreement of Perrine.",
]


@pytest.mark.parametrize("text", FRENCH)
def test_french_is_french_whatever_the_default(text: str) -> None:
    assert detect(text, default="en") == "fr"


@pytest.mark.parametrize("text", ENGLISH)
def test_english_is_english_whatever_the_default(text: str) -> None:
    assert detect(text, default="fr") == "en"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("東京の静かな朝", "ja"),
        ("我们明天去图书馆", "zh"),
        ("안녕하세요 선생님", "ko"),
        ("السلام عليكم", "ar"),
        ("این یک جمله فارسی است", "fa"),
        ("Привет, как дела?", "ru"),
        ("Як справи, друже мій?", "uk"),
        ("Καλημέρα σας", "el"),
        ("שלום לכולם", "he"),
        ("สวัสดีครับ", "th"),
    ],
)
def test_a_clearly_other_script_gives_its_code_even_among_french_and_english(text: str, code: str) -> None:
    assert detect(text, default="fr") == code
    assert detect(text, among=None, default="fr") == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Das Wetter ist heute schön und wir gehen spazieren.", "de"),
        ("El gato duerme en la cocina todos los días.", "es"),
        ("Il gatto dorme sul divano ogni giorno dopo pranzo.", "it"),
    ],
)
def test_any_language_is_recognised_when_none_is_excluded(text: str, code: str) -> None:
    assert detect(text, among=None, default="fr") == code
    assert detect(text, among=("fr", "en", code), default="fr") == code
    assert detect(text, default="fr") in ("fr", "en")


@pytest.mark.parametrize("text", ["", "   ", "12 345,67 €", "2026-11-30", "🪶🪶", "…", "zqxv-4417"])
@pytest.mark.parametrize("default", ["fr", "en"])
def test_what_says_nothing_gets_the_default(text: str, default: str) -> None:
    assert detect(text, default=default) == default


def test_a_single_candidate_is_the_answer_and_none_is_the_default() -> None:
    assert detect("Le chat dort.", among=("en",), default="fr") == "en"
    assert detect("Le chat dort.", among=(), default="xx") == "xx"
    assert detect("Le chat dort.", among=("fr", "en", "not-a-language"), default="en") == "fr"


def test_function_words_belong_mostly_to_one_language() -> None:
    common = FUNCTION_WORDS["fr"] & FUNCTION_WORDS["en"]
    assert len(common) < 0.1 * min(map(len, FUNCTION_WORDS.values()))


@given(st.text(max_size=300))
def test_any_unicode_gives_a_two_letter_code_and_the_same_one_twice(text: str) -> None:
    code = detect(text, default="fr")
    assert len(code) == 2
    assert code == detect(text, default="fr")


@given(st.integers(1, 400), st.sampled_from(FRENCH[:2]))
def test_length_does_not_change_the_answer(times: int, text: str) -> None:
    assert detect(" ".join([text] * times), default="en") == "fr"
