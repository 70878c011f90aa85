"""Folding: the quick way letter by letter says what taking the whole text apart says."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.policy import folding
from hmf.policy.folding import fold

MARKED = st.text(st.sampled_from("eéœŁıß’–क\u0301\u0323\u093c\u05bc가カﾞİ 9"), max_size=12)


@given(st.text(max_size=40) | MARKED)
def test_letter_by_letter_is_as_good_as_the_whole(text: str) -> None:
    whole = folding._folded(unicodedata.normalize("NFKC", text).casefold())
    assert fold(text) == whole


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("L’Haÿ-les-Roses", "l'hay-les-roses"),
        ("CŒUR", "coeur"),
        ("re\u0301sume\u0301", "resume"),
        ("Łódź", "lodz"),
        ("q\u0323\u0301", "q"),
        ("السَّلام", "السَّلام"),
        ("ﬁn – ２", "fin - 2"),
    ],
)
def test_writings_of_one_word_meet(text: str, folded: str) -> None:
    assert fold(text) == unicodedata.normalize("NFC", folded)
