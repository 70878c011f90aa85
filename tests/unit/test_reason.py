"""Reasons: kept as codes with values, read back equal, said in both languages; what older stores hold stays so."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hmf
from hmf.policy.sentences import say, told
from hmf.policy.sentences.saying import SENTENCES
from hmf.policy.sentences.typeset import gaps
from hmf.reason import Reason, as_json, from_json, pack, unpack

_plain = st.text() | st.integers() | st.floats(allow_nan=False)
_reasons = st.recursive(
    st.builds(Reason, st.text(), st.dictionaries(st.text(), _plain, max_size=3)),
    lambda inner: st.builds(
        Reason, st.text(), st.dictionaries(st.text(), _plain | inner | st.lists(inner).map(tuple), max_size=3)
    ),
    max_leaves=5,
)


@given(_reasons)
def test_a_reason_survives_json_and_the_ledger(reason: Reason) -> None:
    assert from_json(json.loads(json.dumps(as_json(reason)))) == reason
    if reason.values:
        assert unpack(pack(reason)) == reason


@given(_reasons, st.sampled_from(["fr", "en"]))
def test_any_reason_can_be_said(reason: Reason, language: str) -> None:
    assert told(reason, language)["text"] == say(reason, language)


@pytest.mark.parametrize(
    "text",
    ["closest to what notes holds", "{", '{"code": ', '{"code": 1]', "trop {à} revoir"],
)
def test_what_older_stores_and_people_wrote_is_shown_as_it_is(text: str) -> None:
    assert say(unpack(text), "fr") == say(unpack(text), "en") == text


def test_both_languages_have_the_same_sentences_with_the_same_values() -> None:
    assert SENTENCES["en"].keys() == SENTENCES["fr"].keys()
    for code, sentence in SENTENCES["en"].items():
        assert gaps(sentence) == gaps(SENTENCES["fr"][code]), code


def test_every_code_in_the_source_has_a_sentence() -> None:
    root = Path(hmf.__file__).parent
    files = [*root.rglob("*.py"), *(root.parent / "jobs").rglob("*.py")]
    used = {code for file in files for code in re.findall(r'Reason\(\s*"([a-z_]+)"', file.read_text(encoding="utf-8"))}
    assert len(used) > 40
    assert used - SENTENCES["en"].keys() == {"unfiled"}  # of a memory that is not filed yet: nobody sees it


def test_french_sentences_are_typeset_as_french() -> None:
    for code, sentence in SENTENCES["fr"].items():
        assert "'" not in sentence, code
        assert not re.search(r"\S[:;?!]|[:;?!]\S|« | »", sentence), code
