"""What the screens say: both languages whole, dates in the user's zone, and nothing that can act on a terminal."""

from __future__ import annotations

import io
import re
import string
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console, RenderableType

from hmf.cli import output, phrases, proposals, render, words
from hmf.cli.words import CATALOG, Screen
from hmf.memory import Kind, Route, RoutedBy, Status, Tier
from hmf.plan import Verb
from hmf.policy.sentences import told
from hmf.reason import Reason
from hmf.service.shapes import memory_json
from tests.unit.factory import memory

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
PARIS = ZoneInfo("Europe/Paris")
LANGUAGES = ("en", "fr")


def screen(language: str = "en") -> Screen:
    return Screen(language, PARIS, NOW)


def drawn(what: RenderableType) -> str:
    out = io.StringIO()
    Console(file=out, width=100, markup=False, highlight=False).print(what)
    return out.getvalue()


def row(**changes: Any) -> dict[str, Any]:
    return memory_json(memory(**changes), "en")


def hit(spoken: str = "en", **changes: Any) -> dict[str, Any]:
    return {
        "memory": row(**changes),
        "score": 0.8,
        "tier": "archive",
        "flags": said("archived", spoken),
        "why": said("about_project", spoken, project="Acme"),
    }


def said(code: str, language: str = "en", **values: str) -> list[dict[str, Any]]:
    return [told(Reason(code, values), language)]


def found(*hits: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"query": "q", "abstained": not hits, "widened": [], "warnings": [], "hits": list(hits), **changes}


def plan(*actions: dict[str, Any]) -> dict[str, Any]:
    return {"id": "p1", "job": "archive", "namespace": "default", "stops": [], "actions": list(actions)}


def action(key: str, **changes: Any) -> dict[str, Any]:
    one = row(text=f"text of {key}")
    base = {
        "key": key, "verb": "archive", "targets": [[one["id"], 1]], "reason": ["stale", {}], "category": "notes",
        "confirm": "ask", "to_category": None, "after": None, "draft": None, "why": "Not touched.", "memories": [one],
    }  # fmt: skip
    return {**base, **changes}


def gaps(sentence: str | tuple[str, str]) -> set[str]:
    both = (sentence,) if isinstance(sentence, str) else sentence
    return {name for one in both for _, name, _, _ in string.Formatter().parse(one) if name}


def test_both_languages_say_the_same_things() -> None:
    assert CATALOG["en"].keys() == CATALOG["fr"].keys()
    for key, sentence in CATALOG["en"].items():
        assert gaps(sentence) == gaps(CATALOG["fr"][key]), key
        assert isinstance(sentence, tuple) == isinstance(CATALOG["fr"][key], tuple), key
        assert all(sentence), key


def test_no_screen_takes_the_sentence_of_another() -> None:
    parts = [words._WORDS, *(getattr(phrases, name) for name in ("FORECAST", "DIARY", "UNDOING", "REVIEW", "CHANGE"))]
    keys = [key for part in parts for key in part["en"]]
    assert sorted(keys) == sorted(CATALOG["en"])


@pytest.mark.parametrize("words", [("tier", Tier), ("kind", Kind), ("status", Status), ("verb", Verb)])
def test_every_word_of_the_domain_has_a_name(words: tuple[str, Any]) -> None:
    name, enum = words
    for language in LANGUAGES:
        assert all(f"{name}-{value}" in CATALOG[language] for value in enum)


def test_french_is_typeset_and_counts_as_french_does() -> None:
    said = screen("fr_FR.UTF-8")
    assert said.say("widened", where="archive") == "cherché plus loin\u202f: archive"
    assert said.say("waiting", n=0).startswith("0 proposition attend")
    assert screen("en").say("waiting", n=0).startswith("0 proposals wait")
    assert said.say("waiting", n=2).startswith("2 propositions")


@pytest.mark.parametrize(
    ("language", "days", "said"),
    [
        ("en", 0, "today, 2026-11-30"),
        ("en", 1, "yesterday, 2026-11-29"),
        ("en", 3, "3 days ago, 2026-11-27"),
        ("en", -1, "tomorrow, 2026-12-01"),
        ("en", -4, "in 4 days, 2026-12-04"),
        ("en", 100, "2026-08-22"),
        ("fr", 0, "aujourd’hui, 2026-11-30"),
        ("fr", 1, "hier, 2026-11-29"),
        ("fr", 3, "il y a 3 jours, 2026-11-27"),
        ("fr", -4, "dans 4 jours, 2026-12-04"),
    ],
)
def test_days_are_near_in_words_and_always_dated(language: str, days: int, said: str) -> None:
    assert screen(language).day((NOW - timedelta(days=days)).isoformat()) == said


@pytest.mark.parametrize(
    ("language", "days", "said"),
    [("en", 0, "today"), ("fr", 1, "hier"), ("en", 3, "2026-11-27"), ("fr", 3, "2026-11-27"), ("fr", 90, "2026-09-01")],
)
def test_after_since_stands_a_day_and_no_distance(language: str, days: int, said: str) -> None:
    assert screen(language).since((NOW - timedelta(days=days)).isoformat()) == said


def test_days_are_those_of_the_users_zone() -> None:
    late = datetime(2026, 11, 29, 23, 30, tzinfo=UTC).isoformat()  # 00:30 in Paris
    assert screen().day(late) == "today, 2026-11-30"
    assert Screen("en", UTC, NOW).day(late) == "yesterday, 2026-11-29"
    assert screen().minute(late) == "2026-11-30 00:30"


@pytest.mark.parametrize(
    ("language", "wanted"),
    [("en", ("archive", "archived", "about “Acme”")), ("fr", ("archive", "archivé", "sur « Acme »"))],
)
def test_a_card_has_the_whole_text_its_place_and_why(language: str, wanted: tuple[str, ...]) -> None:
    text = "The blog post is due on Friday. " * 20
    shown = " ".join(
        drawn(render.search(screen(language), found(hit(language, text=text, project="Acme blog")))).split()
    )
    assert text.strip() in shown
    assert "Acme blog" in shown
    assert all(one in shown for one in wanted)


def test_an_abstention_says_so_in_both_languages() -> None:
    assert "No memory answers this." in drawn(render.search(screen("en"), found()))
    assert "Aucun souvenir ne répond à cela." in drawn(render.search(screen("fr"), found()))


def test_explain_shows_parts_and_trace() -> None:
    data = found({**hit(), "parts": {"dense": 0.5}}, trace=said("searched_first", names="notes"))
    shown = drawn(render.search(screen(), data))
    assert "dense 0.5" in shown
    assert "searched first: notes" in shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_draws_in_both_languages(language: str) -> None:
    say = screen(language)
    one = row(title="A title", pinned=True, tags=("x",), status=Status.TO_VERIFY)
    entry = {
        "at": NOW.isoformat(),
        "verb": "add",
        "reason": told(Reason("why"), "en"),
        "batch": "b" * 12,
        "before": None,
    }
    shown = drawn(render.memory(say, one, [entry]))
    assert one["id"] in shown
    assert say.named("status", "to-verify") in shown
    assert "bbbbbbbb" in shown
    assert say.say("none-listed") in drawn(render.memories(say, []))
    assert render.short_id(one["id"]) in drawn(render.memories(say, [one]))


@pytest.mark.parametrize(("language", "filed"), [("en", "an overview (1.00)"), ("fr", "vue d’ensemble (1,00)")])
def test_a_summary_shows_each_sentence_on_a_line_and_why_it_was_written(language: str, filed: str) -> None:
    route = Route("notes", 1.0, RoutedBy.JOB, Reason("overview"))
    sentences = [{"text": f"Sentence {n}.", "sources": [f"{n}" * 12]} for n in (1, 2)]
    shown = drawn(
        render.memory(screen(language), row(route=route), summary={"sentences": sentences, "changed": []})
    ).splitlines()
    for n in (1, 2):
        assert f"  Sentence {n}. {str(n) * 8}" in [line.rstrip() for line in shown]
    assert any(filed in line for line in shown)


@pytest.mark.parametrize("language", LANGUAGES)
def test_proposals_show_text_age_reason_and_what_they_would_do(language: str) -> None:
    say = screen(language)
    draft = {"text": "The summary."}
    data = plan(action("k1", to_category="old-ideas", draft=draft), action("k2", confirm="never", memories=[]))
    shown = drawn(proposals.plans(say, [data]))
    for wanted in ("k1", "text of k1", "Not touched.", "The summary.", say.say("goes-to", category="old-ideas")):
        assert wanted in shown
    assert say.say("gone") in shown
    assert say.say("report-only") in shown
    assert say.say("waiting", n=2) in shown
    assert say.say("none-waiting") in drawn(proposals.plans(say, []))


def test_what_must_go_together_is_decided_together() -> None:
    summary = action("s", verb="summarise", reason=["cluster", {}])
    data = plan(summary, action("other"), action("f", verb="forget", reason=["project_finished", {}], after="s"))
    groups = [[one["key"] for one in batch.actions] for batch in proposals.batches(data)]
    assert groups == [["s", "f"], ["other"]]


def test_a_plan_over_its_share_says_so() -> None:
    stop = {"category": "ideas", "touched": 8, "total": 10, "limit": 0.3}
    data = {**plan(action("k")), "stops": [stop]}
    assert "8 of 10 in ideas would be touched, over the limit of 30%" in drawn(proposals.plans(screen(), [data]))
    assert "8 sur 10 dans ideas" in drawn(proposals.plans(screen("fr"), [data]))


CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@given(st.text())
def test_no_text_keeps_a_control_character(text: str) -> None:
    shown = output.safe(text)
    assert not CONTROL.search(shown)
    assert len(shown) == len(text)


@pytest.mark.parametrize("place", ["text", "title", "project", "category"])
def test_a_memory_cannot_repaint_the_screen(place: str) -> None:
    evil = row(**{place: "a\x1b[2Jb"})
    shown = drawn(render.memories(screen(), [evil])) + drawn(render.memory(screen(), evil))
    shown += drawn(render.search(screen(), found({**hit(), "memory": evil})))
    assert "\x1b" not in shown
    assert "␛[2Jb" in shown


def test_markup_in_a_memory_is_text() -> None:
    assert "[red]hot[/red]" in drawn(render.search(screen(), found(hit(text="[red]hot[/red]"))))
