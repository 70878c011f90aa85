"""Scenarios: what is read from the file, and what the measures make of replies. No memory is opened here."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hmf.config import load
from hmf.errors import InvalidInput
from hmf.evaluation.measures import measure
from hmf.evaluation.model import Query, Scenario, read
from hmf.evaluation.play import _homes
from hmf.evaluation.played import Mode, Played, Reply, Shown
from hmf.evaluation.run import below, thresholds

AT = "2026-03-01T09:00:00+00:00"


def item(name: str, **values: Any) -> dict[str, Any]:
    return {"id": name, "at": AT, "text": f"the text of {name}", **values}


def scenario(*items: dict[str, Any], queries: list[dict[str, Any]] | None = None) -> Scenario:
    asked = [{"at": AT, "text": "asked", **query} for query in queries or []]
    return Scenario.model_validate({"id": "s", "lang": "en", "items": list(items), "queries": asked})


def shown(name: str | None, *flags: str, status: str = "confirmed", source: str = "user") -> Shown:
    return Shown(name, "text", status, "detail", flags, (source, None), True)


def played(story: Scenario, *answers: tuple[Shown, ...], retired: frozenset[str] = frozenset()) -> Played:
    replies = tuple(Reply(query, answer, not answer, ()) for query, answer in zip(story.queries, answers, strict=True))
    return Played(story, Mode.A, replies, retired, {})


def ratios(*stories: Played) -> dict[str, tuple[int, int]]:
    return {name: (count.found, count.of) for name, count in measure(stories, Mode.A).counts.items()}


def write(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_every_mistake_is_told_with_its_line(tmp_path: Path):
    good = scenario(item("a")).model_dump_json(exclude_none=True)
    wrong_field = json.dumps({**json.loads(good), "id": "t", "queries": [{"at": AT, "text": "q", "expct": ["a"]}]})
    naive = json.dumps({**json.loads(good), "id": "u", "items": [item("a", at="2026-03-01T09:00:00")]})
    unknown = json.dumps({**json.loads(good), "id": "v", "queries": [{"at": AT, "text": "q", "expect": ["zz"]}]})
    file = write(tmp_path / "s.jsonl", good, "", wrong_field, "{not json", naive, unknown, good)
    with pytest.raises(InvalidInput) as caught:
        read(file)
    said = caught.value.what
    assert f"{file}:3: queries.0.expct" in said
    assert f"{file}:4: this is not JSON" in said
    assert f"{file}:5: items.0.at" in said
    assert f"{file}:6: queries.0: 'zz' is no item" in said
    assert f"{file}:7: id: 's' names an earlier scenario" in said
    assert f"{file}:1:" not in said


@pytest.mark.parametrize(
    ("items", "queries", "said"),
    [
        ([item("a"), item("a")], [], "stands twice"),
        ([item("a", supersedes="b"), item("b")], [], "no earlier item"),
        ([item("a")], [{"at": AT, "text": "q", "expect": ["a"], "abstain": True}], "both abstain and expect"),
    ],
)
def test_contradictions_in_a_scenario_are_mistakes(
    tmp_path: Path, items: list[dict[str, Any]], queries: list[dict[str, Any]], said: str
):
    line = json.dumps({"id": "s", "lang": "fr", "items": items, "queries": queries})
    with pytest.raises(InvalidInput, match=said):
        read(write(tmp_path / "s.jsonl", line))


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_a_file_without_scenarios_is_a_mistake(tmp_path: Path, content: str):
    with pytest.raises(InvalidInput, match="no scenario"):
        read(write(tmp_path / "s.jsonl", content))


def test_a_file_that_is_not_there_is_wrong_input(tmp_path: Path):
    with pytest.raises(InvalidInput, match="cannot be read"):
        read(tmp_path / "missing.jsonl")


def test_an_expected_set_counts_when_it_is_complete():
    story = scenario(item("a"), item("b"), queries=[{"expect": ["a", "b"]}, {"expect": ["a", "b"], "top1": "a"}])
    both, one = (shown("b"), shown("a")), (shown("a"),)
    assert ratios(played(story, both, one))["memory"] == (1, 2)
    assert ratios(played(story, one, both))["first"] == (0, 1)
    assert ratios(played(story, both, one))["first"] == (1, 1)


def test_an_abstention_counts_only_where_it_was_wanted():
    story = scenario(item("a"), queries=[{"abstain": True}, {"abstain": True}, {"expect": ["a"]}])
    counts = ratios(played(story, (), (shown("a"),), ()))
    assert counts["abstain"] == (1, 2)
    assert counts["memory"] == (0, 1)


def test_a_flag_must_be_carried_where_the_item_is_shown():
    story = scenario(item("a"), queries=[{"expect": ["a"], "flag": ["a"]}, {"flag": ["a"]}])
    assert ratios(played(story, (shown("a", "hypothesis"),), ()))["flag"] == (2, 2)
    assert ratios(played(story, (shown("a", "pinned"),), ()))["flag"] == (1, 2)
    assert ratios(played(story, (), (shown("a"),)))["flag"] == (0, 2)


def test_a_source_must_be_the_one_that_was_told():
    story = scenario(item("a", source="email:anna"), queries=[{"expect": ["a"]}])
    right = Shown("a", "text", "confirmed", "detail", (), ("email", "anna"), True)
    assert ratios(played(story, (right,)))["source"] == (1, 1)
    assert ratios(played(story, (shown("a", source="email"),)))["source"] == (0, 1)
    assert ratios(played(story, ()))["source"] == (0, 0)


def test_a_conflict_is_resolved_when_the_old_item_is_retired_and_not_shown_as_current():
    old = item("a", status="superseded")
    story = scenario(old, item("b", supersedes="a"), queries=[{"expect": ["b"], "forbid": ["a"]}])
    gone = frozenset({"a"})
    assert ratios(played(story, (shown("b"),), retired=gone))["conflict"] == (1, 1)
    assert ratios(played(story, (shown("b"),)))["conflict"] == (0, 1)
    assert ratios(played(story, (shown("b"), shown("a")), retired=gone))["conflict"] == (0, 1)
    past = shown("a", "superseded on 2026-03-01", status="superseded")
    report = measure([played(story, (past, shown("b")), retired=gone)], Mode.A)
    assert report.counts["conflict"].found == 1
    assert report.harms == {"forbidden": 0, "wrongly-retired": 0}


def test_harms_are_counted_and_listed():
    story = scenario(item("a"), item("b"), queries=[{"expect": ["b"], "forbid": ["a"]}])
    report = measure([played(story, (shown("a"), shown("b")), retired=frozenset({"b"}))], Mode.A)
    assert report.harms == {"forbidden": 1, "wrongly-retired": 1}
    assert {failure.measure for failure in report.failures} == {"forbidden", "wrongly-retired"}


def test_a_leaked_secret_is_a_failure_with_its_place():
    story = scenario(item("a"), queries=[{"forbid_text": ["hush"]}])
    reply = Reply(story.queries[0], (), True, (), (("hush", "a file of the store, ledger.db"),))
    report = measure([Played(story, Mode.A, (reply,), frozenset(), {})], Mode.A)
    assert (report.counts["secret"].found, report.counts["secret"].of) == (0, 1)
    assert "ledger.db" in report.failures[0].why


def test_modes_are_measured_apart():
    story = scenario(item("a"), queries=[{"expect": ["a"]}])
    assert measure([played(story, (shown("a"),))], Mode.B).counts["memory"].of == 0


def test_thresholds_are_for_all_measures_or_for_one():
    least = thresholds(["0.9", "first=0.5"])
    assert least["first"] == 0.5
    assert least["abstain"] == 0.9
    for wrong in ("1.2", "x", "frst=0.5", "first="):
        with pytest.raises(InvalidInput, match="no threshold"):
            thresholds([wrong])


def test_what_lies_below_a_threshold_is_said_and_nothing_asked_is_never_below():
    counts = {"found": 1, "of": 2}, {"found": 0, "of": 0}
    result = {
        "modes": {"A": {"measures": dict(zip(("first", "flag"), counts, strict=True)), "harms": {"forbidden": 1}}}
    }
    assert below(result, {"first": 0.6, "flag": 1.0}, None) == ["mode A: first 1/2 is below 0.6"]
    assert below(result, {"first": 0.5}, 1) == []
    assert below(result, {}, 0) == ["mode A: 1 harms where 0 are allowed"]


def test_categories_are_the_users_own_whatever_their_spelling():
    story = scenario(*(item(f"i{n}", category=name) for n, name in enumerate(
        ("client_projects", "Research Note", "TASK", "active_ideas")
    )))  # fmt: skip
    homes, added = _homes(story, load(None, environ={}))
    assert homes == {
        "client_projects": "client-projects",
        "Research Note": "research-notes",
        "TASK": "tasks",
        "active_ideas": "active-ideas",
    }
    assert list(added) == ["active-ideas"]


def test_a_query_knows_its_zone():
    query = Query.model_validate({"at": AT, "text": "q", "expect": "a"})
    assert query.at == datetime(2026, 3, 1, 9, tzinfo=UTC)
    assert query.expect == ("a",)
