"""The benches of recall: what they measure is measured right, and what they read is read whole."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from bench import french, locomo, long
from bench.flat import METHODS, Flat
from bench.measures import judge, percentile


def test_recall_counts_what_answers_and_gain_counts_where():
    found = judge(["x", "a", "y", "z", "w", "b", "v"], {"a", "b", "c"})
    assert found.recall == {5: pytest.approx(1 / 3), 10: pytest.approx(2 / 3), 20: pytest.approx(2 / 3)}
    assert found.reciprocal == 0.5
    best = 1 + 1 / math.log2(3) + 1 / 2
    assert found.gain == pytest.approx((1 / math.log2(3) + 1 / math.log2(7)) / best)


def test_a_perfect_and_an_empty_ranking():
    perfect, nothing = judge(["a", "b"], {"a", "b"}), judge([], {"a"})
    assert (perfect.recall[5], perfect.reciprocal, perfect.gain) == (1, 1, pytest.approx(1))
    assert (nothing.recall[20], nothing.reciprocal, nothing.gain) == (0, 0, 0)
    with pytest.raises(ValueError, match="without an answer"):
        judge(["a"], set())


def test_percentiles():
    assert percentile([5, 1, 3, 2, 4], 0.5) == 3
    assert percentile([1, 2], 0.95) == 2
    assert percentile([], 0.5) == 0


def test_the_flat_methods_rank_by_words_by_meaning_and_by_both():
    texts = {"words": "the lamp of the harbour", "meaning": "a light at sea", "neither": "bread and cheese"}
    unit = np.eye(3, dtype=np.float32)
    vectors = {"words": [unit[1]], "meaning": [unit[2], unit[0]], "neither": [unit[2]]}
    ranked = Flat(texts, vectors, "en", 0.6).rankings("harbour lamp", unit[0], 2)
    assert set(ranked) == set(METHODS)
    assert ranked["BM25"][0] == "words"
    assert ranked["dense"][0] == "meaning"
    assert set(ranked["flat weighted hybrid"]) == {"words", "meaning"}


def talk(tmp_path):
    turns = [{"speaker": "Ann", "dia_id": f"D1:{n}", "text": f"turn {n}"} for n in range(1, 11)]
    turns[4]["blip_caption"] = "a blue door"
    sample = {
        "sample_id": "conv-1",
        "conversation": {"speaker_a": "Ann", "session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"},
        "qa": [
            {"question": "One?", "category": 1, "evidence": ["D1:1; D1:9"]},
            {"question": "Two?", "category": 4, "evidence": ["D:1:05", "D1:2"]},
            {"question": "No answer?", "category": 5, "evidence": ["D1:3"]},
            {"question": "Elsewhere?", "category": 2, "evidence": ["D9:9"]},
            {"question": "Nothing?", "category": 2, "evidence": []},
        ],
    }
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([sample]))
    return path


def test_dialogue_ids_are_read_in_every_spelling(tmp_path):
    trial = locomo.read(talk(tmp_path), together=False)
    assert [sorted(one.gold) for one in trial.asked] == [["conv-1 D1:1", "conv-1 D1:9"], ["conv-1 D1:2", "conv-1 D1:5"]]
    assert [(one.kind, one.namespace) for one in trial.asked] == [("multi-hop", "conv-1"), ("single-hop", "conv-1")]
    note = trial.notes["conv-1 D1:5"]
    assert note["text"] == "Ann: turn 5 [photo: a blue door]"
    assert (note["session"], note["position"], note["source"]["author"]) == ("conv-1 session_1", 4, "Ann")
    assert {one.namespace for one in locomo.read(talk(tmp_path), together=True).asked} == {"default"}


def test_a_page_holds_its_turns_and_answers_for_them(tmp_path):
    trial = locomo.read(talk(tmp_path), together=False, pages=True)
    assert [note["text"].count("turn") for note in trial.notes.values()] == [8, 2]
    assert [note["position"] for note in trial.notes.values()] == [0, 1]
    assert [sorted(one.gold) for one in trial.asked] == [["conv-1 D1:1", "conv-1 D1:9"], ["conv-1 D1:1"]]


def test_a_french_question_is_answered_by_the_sentence_its_answer_begins_in(tmp_path):
    context = "Le moulin est fermé. Il a brûlé en 1902. On l'a rebâti."
    item = {"question": "Quand ?", "answers": [{"answer_start": context.index("1902"), "text": "1902"}]}
    path = tmp_path / "fquad.json"
    path.write_text(json.dumps({"data": [{"title": "moulin", "paragraphs": [{"context": context, "qas": [item]}]}]}))
    trial = french.read(path)
    (asked,) = trial.asked
    assert [trial.notes[key]["text"] for key in asked.gold] == ["Il a brûlé en 1902."]


def test_the_long_pages_are_long_in_both_languages_and_hold_their_fact_once():
    trial = long.read()
    assert len(trial.notes) >= 60
    assert len(trial.asked) >= 60
    assert {note["language"] for note in trial.notes.values()} == {"en", "fr"}
    assert min(len(note["text"].split()) for note in trial.notes.values()) >= 200
    themes = [json.loads(line) for line in long.DATA.read_text(encoding="utf-8").splitlines()]
    facts = [fact["text"] for theme in themes for fact in theme["evidence"]]
    assert all(sum(fact in note["text"] for note in trial.notes.values()) == 1 for fact in facts)
