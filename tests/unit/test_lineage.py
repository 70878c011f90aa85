"""Where the sentences of a summary stand, and when it is out of date; pure first, then through an open memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.ledger.codec import from_json, to_json
from hmf.memory import Level, State, Status, Tier
from hmf.policy import lineage
from hmf.policy.summaries import extract, rewritten
from hmf.reason import Reason
from hmf.service.operations import Operations
from tests.unit.fake_view import NOW, memory

NOTES = {
    "fr": ["Lumen veut le plan en trois parties.", "La préface ne doit jamais citer Brel.", "Rendu le 14 mars à 18 h."],
    "en": ["Lumen wants an outline in three parts.", "The preface must never quote Brel.", "Due on 14 March at 6 pm."],
}


def _summary(sources, **changes):
    text, told = extract(sources, language="fr")
    drawn = lineage.drawn(Level.TOPIC, told, sources)
    base = memory(99, text, tier=Tier.SUMMARY, summary_of=tuple(m.id for m in sources), drawn=drawn, revision=1000)
    return replace(base, **changes)


def _sources(texts):
    return [memory(n, one, at=NOW - timedelta(days=9 - n)) for n, one in enumerate(texts)]


words = st.text(st.sampled_from("abé 東\n.!?'"), min_size=1, max_size=60).filter(str.strip)


@given(st.lists(words, min_size=1, max_size=8, unique=True))
def test_every_sentence_stands_word_for_word_in_each_of_the_sources_named(texts):
    sources = _sources([one.strip() for one in texts])
    summary = _summary(sources)
    by_id = {m.id: m for m in sources}
    told = lineage.quoted(summary)
    assert "\n".join(sentence for sentence, _ in told) == summary.text
    for sentence, ids in told:
        assert set(ids) == {m.id for m in sources if sentence in m.text} != set()
        assert all(i in by_id for i in ids)
    assert summary.drawn.since == min(m.valid_from for m in sources)
    assert from_json(to_json(summary)) == summary


def test_a_sentence_that_stands_nowhere_is_a_bug_that_is_heard():
    with pytest.raises(ValueError, match="drawn from none"):
        lineage.drawn(Level.TOPIC, [("Nobody wrote this.", "nobody")], _sources(NOTES["en"]))


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize(
    ("change", "counts"),
    [
        ({"text": "Autre chose."}, True),
        ({"status": Status.SUPERSEDED}, True),
        ({"status": Status.REFUTED}, True),
        ({"status": Status.TO_VERIFY}, True),
        ({"category": "elsewhere"}, True),
        ({"valid_from": NOW}, True),
        ({"verified_at": NOW}, False),
        ({"tags": ("relu",)}, False),
        ({"pinned": True}, False),
        ({"tier": Tier.ARCHIVE}, False),
        ({"state": State.FORGOTTEN}, False),
    ],
)
def test_a_summary_is_out_of_date_when_a_source_says_something_else(language, change, counts):
    sources = _sources(NOTES[language])
    summary = _summary(sources)
    rows = {m.id: m for m in sources}
    assert lineage.changed(summary, rows) == ()
    rows["m000001"] = replace(rows["m000001"], revision=2000, **change)
    assert lineage.changed(summary, rows) == (("m000001",) if counts else ())


def test_one_written_by_an_earlier_version_goes_by_revisions_and_shows_no_sentences():
    sources = _sources(NOTES["fr"])
    summary = _summary(sources, drawn=None)
    assert lineage.quoted(summary) == ()
    assert lineage.changed(summary, {m.id: m for m in sources}) == ()
    assert lineage.changed(summary, {"m000001": replace(sources[1], revision=2000)}) == ("m000001",)


@given(st.lists(st.sampled_from(Status), min_size=1, max_size=9))
def test_no_summary_is_surer_than_its_weakest_source(statuses):
    sources = [memory(n, status=status) for n, status in enumerate(statuses)]
    assert not any(lineage.surer(lineage.weakest_status(sources), m.status) for m in sources)


def test_tags_are_those_of_the_sources_and_no_more_than_a_reader_bears():
    sources = [memory(n, tags=("all", f"own-{n:02d}")) for n in range(40)]
    found = lineage.tags(sources)
    assert "all" in found
    assert len(found) == 20
    assert lineage.tags(reversed(sources)) == found


def test_a_summary_written_anew_speaks_of_what_is_left():
    sources = _sources(NOTES["fr"])
    anew = rewritten(_summary(sources), sources[:2])
    assert NOTES["fr"][2] not in anew.text
    assert anew.summary_of == ("m000000", "m000001")
    assert [i for _, ids in lineage.quoted(anew) for i in ids] == ["m000000", "m000001"]
    assert rewritten(anew, [memory(1, "x" * 5000)]) is None


def test_show_tells_where_each_sentence_stands_and_what_changed_until_the_next_night(hmf):
    ids = [hmf.add(one, category="client-projects", project="Lumen").id for one in NOTES["fr"]]
    hmf.run("summarise")
    [found] = [m for m in hmf.memories(limit=None) if m.tier is Tier.SUMMARY and m.project == "Lumen"]
    operations = Operations(hmf)
    told = operations.show(found.id)["summary"]
    said = {one["text"]: one["sources"] for one in told["sentences"]}
    assert said == {text: [i] for text, i in zip(NOTES["fr"], ids, strict=True)}
    assert told["changed"] == []
    hmf.revise(ids[2], "Rendu le 21 mars à 18 h.")
    assert operations.show(found.id)["summary"]["changed"] == [ids[2]]
    hits = {h.memory.id: h for h in hmf.search("résumé du projet Lumen : plan, préface, rendu").hits}
    assert Reason("sources_changed") in hits[found.id].flags
    hmf.run("summarise")
    [anew] = [m for m in hmf.memories(limit=None) if m.tier is Tier.SUMMARY and m.status is Status.CONFIRMED]
    assert "21 mars" in anew.text
    assert "14 mars" not in anew.text
    assert operations.show(anew.id)["summary"]["changed"] == []


def test_a_summary_that_a_person_wrote_over_quotes_nobody(hmf):
    for one in NOTES["en"]:
        hmf.add(one, category="client-projects", project="Lumen")
    hmf.run("summarise")
    [found] = [m for m in hmf.memories(limit=None) if m.tier is Tier.SUMMARY and m.project == "Lumen"]
    after = hmf.revise(found.id, found.text.replace("Brel", "Bach"))
    assert lineage.quoted(after) == ()
