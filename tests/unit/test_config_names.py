"""Names of categories: the possible ones, the ones too alike, and the one a person means."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.config import load, resolve_category
from hmf.config.names import alike, name_problem
from hmf.errors import ConfigError, UnknownCategory

SHIPPED = load(None, environ={})


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("tasks", "tasks"),
        ("Tâches", "tasks"),
        ("TACHES", "tasks"),
        (unicodedata.normalize("NFD", "tâches"), "tasks"),
        ("  Tasks ", "tasks"),
        ("NOTES DE RECHERCHE", "research-notes"),
        ("notes-de-recherche", "research-notes"),
        ("Idées d'articles", "article-ideas"),
        ("idees d’articles", "article-ideas"),
        ("Article Ideas", "article-ideas"),
        ("article_ideas", "article-ideas"),
        ("À classer", "inbox"),
    ],
)
def test_a_name_or_label_is_known_whatever_its_case_and_accents(said: str, meant: str) -> None:
    assert resolve_category(said, SHIPPED) == meant


@pytest.mark.parametrize(
    ("said", "near"),
    [("recherches", "research-notes"), ("tache", "tasks"), ("article-idea", "article-ideas"), ("preferences", None)],
)
def test_an_unknown_name_is_an_error_that_suggests(said: str, near: str | None) -> None:
    with pytest.raises(UnknownCategory) as caught:
        resolve_category(said, SHIPPED)
    assert all(name in caught.value.what for name in SHIPPED.categories)
    assert (f"Did you mean {near!r}?" in caught.value.what) == (near is not None)


@pytest.mark.parametrize("said", ["", " ", "misc", "default", "null", "../tasks", "tasks\0", "x" * 5000, "\ud800"])
def test_nothing_else_is_taken_for_a_category(said: str) -> None:
    with pytest.raises(UnknownCategory) as caught:
        resolve_category(said, SHIPPED)
    assert len(caught.value.what) < 400


@pytest.mark.parametrize("name", ["a", "tasks", "2026", "client-projects", "a" * 48, "con-notes", "a-"])
def test_possible_names(name: str) -> None:
    assert name_problem(name) is None


@pytest.mark.parametrize(
    "name",
    [
        "", "-a", "A", "Tâches", "a b", "a_b", "a/b", "a.b", "..", "../../x", "/etc/x", "C:\\x", "a\\b", "a\0b", "a\n",
        "a" * 49, "a" * 300, "con", "nul", "prn", "aux", "com1", "lpt9", "é", "日記", "a\u202e",
    ],
)  # fmt: skip
def test_impossible_names(name: str) -> None:
    assert name_problem(name)
    with pytest.raises(ConfigError) as caught:
        load({"categories": {name: {}, "other": {}}}, environ={})
    assert len(caught.value.problems) == 1


@given(st.text(max_size=60))
def test_a_possible_name_is_a_plain_file_name(name: str) -> None:
    if name_problem(name) is None:
        assert name.isascii()
        assert not set(name) & set("/\\.:\0 ")
        assert name == name.lower()


@given(st.text(max_size=30))
def test_the_form_compared_is_stable(name: str) -> None:
    assert alike(alike(name)) == alike(name)
    assert alike(f" {name} ") == alike(name)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"label": "Notes"}, {"label": "NOTES"}),
        ({"label": "Été"}, {"label": {"fr": "ete"}}),
        ({"label": {"fr": "Idées", "en": "Ideas"}}, {"label": {"fr": "Autres", "en": "idees"}}),
        ({"label": {"en": "b"}}, {}),
        ({}, {"label": {"fr": "A"}}),
        ({"label": "Mes notes"}, {"label": "mes-notes"}),
        ({"label": "Œuvres"}, {"label": "oeuvres"}),
    ],
)
def test_two_categories_may_not_sound_the_same(first: object, second: object) -> None:
    with pytest.raises(ConfigError) as caught:
        load({"categories": {"a": first, "b": second}}, environ={})
    assert [problem.split(": ")[1] for problem in caught.value.problems] == ["categories.b"]
    assert "already means the category 'a'" in caught.value.problems[0]


def test_one_category_may_bear_one_name_twice() -> None:
    assert load({"categories": {"notes": {"label": {"fr": "Notes", "en": "notes"}}}}, environ={})
