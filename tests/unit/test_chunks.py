"""Long texts in pieces: nothing lost, nothing too long, sentences whole where they fit."""

from __future__ import annotations

import uuid
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.errors import InvalidInput
from hmf.index.chunks import chunks, point_id

SENTENCES = {
    "fr": [f"L’éditeur numéro {n} a répondu à M. Dupont, en fin de journée." for n in range(60)],
    "en": [f"The editor number {n} has answered Mr. Smith at the end of the day." for n in range(60)],
}
ANY_TEXT = st.text(alphabet=st.characters(), max_size=400)


def bare(text: str) -> str:
    return "".join(text.split())


@given(ANY_TEXT, st.integers(8, 120), st.sampled_from(["fr", "en", "ja", "xx", ""]))
def test_no_character_is_lost_and_no_piece_is_too_long(text: str, limit: int, language: str):
    pieces = chunks(text, limit, language)
    assert pieces
    assert all(len(piece) <= limit for piece in pieces)
    rest = bare(text)
    covered = 0
    for piece in map(bare, pieces):
        assert piece in rest
        # The pieces follow each other, each beginning at or before the end of what is covered so far.
        start = max(n for n in range(covered + 1) if rest.startswith(piece, n))
        covered = max(covered, start + len(piece))
    assert covered == len(rest)


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("separator", [" ", "\n\n"])
def test_sentences_stay_whole_and_the_last_one_is_said_again(language: str, separator: str):
    sentences = SENTENCES[language]
    pieces = chunks(separator.join(sentences), 400, language)
    assert len(pieces) > 5
    for piece in pieces:
        assert piece.strip().startswith(sentences[0][:8])
        assert piece.strip().endswith(sentences[0][-8:])
    for before, after in pairwise(pieces):
        assert any(sentence in before and sentence in after for sentence in sentences)


def test_a_short_text_is_one_piece_as_it_stands():
    assert chunks(" Un mot. \n", 100, "fr") == [" Un mot. \n"]
    assert chunks("", 100, "fr") == [""]


def test_an_endless_line_is_cut_and_one_of_words_is_cut_between_them():
    assert chunks("x" * 1000, 300, "fr") == ["x" * 300] * 3 + ["x" * 100]
    words = [f"mot{n}" for n in range(500)]
    pieces = chunks(" ".join(words), 100, "fr")
    assert {word for piece in pieces for word in piece.split()} == set(words)


def test_a_novel_takes_no_time_to_speak_of():
    text = " ".join(SENTENCES["fr"] * 50)
    assert len(text) > 150_000
    pieces = chunks(text, 1000, "fr")
    assert 150 < len(pieces) < 250


def test_the_first_point_is_the_memory_and_the_others_follow_from_it():
    memory = str(uuid.UUID(int=7))
    assert point_id(memory, 0) == memory
    others = [point_id(memory, n) for n in range(1, 50)]
    assert len({memory, *others}) == 50
    assert others == [point_id(memory, n) for n in range(1, 50)]
    assert all(str(uuid.UUID(other)) == other for other in others)
    assert point_id(str(uuid.UUID(int=8)), 1) not in others
    with pytest.raises(InvalidInput, match="no-uuid"):
        point_id("no-uuid", 1)
