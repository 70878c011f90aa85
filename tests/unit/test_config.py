"""What a good configuration is read as."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from hmf.config import Settings, load
from hmf.config.models import NIGHTLY
from hmf.durations import Duration
from hmf.errors import ConfigError
from hmf.memory import Clock, Confirm, FinishedRule, Keep, Policy

SHIPPED = load(None, environ={})
STORY = (
    "client-projects",
    "article-ideas",
    "article-ideas-archived",
    "research-notes",
    "personal-preferences",
    "general-conversation",
    "tasks",
    "inbox",
)


def of(text: str, tmp_path: Path) -> Settings:
    file = tmp_path / "hmf.yaml"
    file.write_text(text, encoding="utf-8")
    return load(file, environ={})


# What is read right


@pytest.mark.parametrize(
    ("word", "meant"),
    [("yes", True), ("No", False), ("ON", True), ("off", False), ("true", True), ("False", False), ("'yes'", True)],
)
@pytest.mark.parametrize("directive", ["", "%YAML 1.1\n---\n"])
def test_booleans_as_people_write_them(word: str, meant: bool, directive: str, tmp_path: Path) -> None:
    assert of(f"{directive}schedule:\n  enabled: {word}\n", tmp_path).schedule.enabled is meant


def test_words_that_other_yaml_readers_change_stay_words(tmp_path: Path) -> None:
    text = "%YAML 1.1\n---\ncategories:\n  no:\n    examples: [on, 3:30, 2026-03-01, 'null', 'été', '😀', \"a\\tb\"]\n"
    examples = of(text, tmp_path).categories["no"].examples
    assert examples == ("on", "3:30", "2026-03-01", "null", "été", "😀", "a\tb")


def test_an_empty_block_is_its_default(tmp_path: Path) -> None:
    settings = of("recall:\n#  k: 3\nstore:\n  index:\ncategories:\n  tasks:\n", tmp_path)
    assert (settings.recall.k, settings.store.index.engine) == (8, "edge")
    assert settings.categories_by_name()["tasks"].policy.grace == Duration(days=30)


def test_anchors_and_merges(tmp_path: Path) -> None:
    text = (
        "categories:\n"
        "  a:\n    policy: &ask\n      stale_after: 60d\n      confirm: ask\n"
        "  b:\n    policy:\n      <<: *ask\n      confirm: auto\n"
        "  c:\n    policy: *ask\n"
    )
    categories = of(text, tmp_path).categories_by_name()
    assert [categories[name].policy.confirm for name in "abc"] == [Confirm.ASK, Confirm.AUTO, Confirm.ASK]
    assert {categories[name].policy.stale_after for name in "abc"} == {Duration(days=60)}


@pytest.mark.parametrize(
    ("text", "seconds"), [("500ms", 0.5), ("2s", 2.0), ("1.5 s", 1.5), ("2min", 120.0), ("1h", 3600.0)]
)
def test_short_times_are_seconds(text: str, seconds: float) -> None:
    assert load({"store": {"flush_every": text}}, environ={}).store.flush_every == seconds


@pytest.mark.parametrize("off", [None, "never"])
def test_a_rule_is_switched_off_where_it_is_inherited(off: str | None) -> None:
    settings = load(
        {
            "defaults": {"stale_after": "1y", "confirm": "auto", "keep": {"tags": ["gold"]}},
            "categories": {
                "kept": {"policy": {"stale_after": off, "on_project_finished": off}},
                "same": {},
                "own": {"policy": {"stale_after": "2mo", "on_project_finished": {"after": "1w"}}},
            },
        },
        environ={},
    )
    policies = {name: category.policy for name, category in settings.categories_by_name().items()}
    assert (policies["kept"].stale_after, policies["kept"].on_project_finished) == (None, None)
    assert policies["same"] == Policy(
        stale_after=Duration(years=1),
        confirm=Confirm.AUTO,
        keep=Keep(tags=frozenset({"gold"})),
        on_project_finished=FinishedRule(Duration(days=30)),
    )
    assert policies["own"].stale_after == Duration(months=2)
    assert policies["own"].on_project_finished == FinishedRule(Duration(weeks=1))
    assert policies["own"].touched_by == (Clock.VALID, Clock.LEARNT, Clock.VERIFIED)


def test_the_rule_of_finished_projects_can_be_switched_off_for_all() -> None:
    settings = load({"projects": {"on_finished": None}}, environ={})
    assert {category.policy.on_project_finished for category in settings.categories_by_name().values()} == {None}


def test_a_job_keeps_its_default_hour_or_is_switched_off() -> None:
    settings = load({"schedule": {"jobs": {"review": "0  5 * * mon", "archive": None, "expire": False}}}, environ={})
    assert settings.schedule.jobs == {**NIGHTLY, "review": "0 5 * * mon", "archive": None, "expire": None}


def test_a_job_installed_by_others_can_be_scheduled() -> None:
    source = {"schedule": {"jobs": {"poetry": "0 5 * * *"}}}
    assert load(source, environ={}, known_jobs=[*NIGHTLY, "poetry"]).schedule.jobs["poetry"] == "0 5 * * *"
    with pytest.raises(ConfigError, match="no job of this name"):
        load(source, environ={})


def test_without_categories_or_inbox_the_shipped_ones_serve() -> None:
    assert tuple(load({}, environ={}).categories) == STORY
    own = load({"categories": {"tasks": {"label": "À faire"}}}, environ={})
    assert tuple(own.categories) == ("tasks", "inbox")
    assert own.categories_by_name()["inbox"].routable is False
    with pytest.raises(ConfigError, match="there is no category 'inbox'"):
        load({"inbox": "inbox", "categories": {"tasks": {}}}, environ={})


def test_a_label_serves_for_both_languages_and_is_never_missing() -> None:
    settings = load({"categories": {"to-do": {}, "a": {"label": "Été"}, "b": {"label": {"fr": "Hiver"}}}}, environ={})
    labels = {name: dict(category.label) for name, category in settings.categories_by_name().items()}
    assert labels["to-do"] == {"fr": "To do", "en": "To do"}
    assert labels["a"] == {"fr": "Été", "en": "Été"}
    assert labels["b"] == {"fr": "Hiver", "en": "Hiver"}


@pytest.mark.parametrize(
    ("language", "environ", "spoken"),
    [
        ("fr", {"LANG": "en_GB.UTF-8"}, "fr"),
        ("en", {"LANG": "fr_FR.UTF-8"}, "en"),
        ("auto", {"LANG": "fr_CA.UTF-8"}, "fr"),
        ("auto", {"LC_ALL": "", "LC_MESSAGES": "FR", "LANG": "en"}, "fr"),
        ("auto", {"LANG": "C"}, "en"),
        ("auto", {}, "en"),
    ],
)
def test_the_language_of_screens(language: str, environ: Mapping[str, str], spoken: str) -> None:
    assert load({"language": language}, environ={}).spoken(environ) == spoken


def test_the_zone_is_the_one_written_or_the_machine_s() -> None:
    assert load({"timezone": "Pacific/Auckland"}, environ={}).zone == ZoneInfo("Pacific/Auckland")
    assert SHIPPED.zone is not None


def test_a_machine_without_a_zone_says_what_to_write(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ValueError("no zone")

    monkeypatch.setattr("tzlocal.get_localzone", broken)
    with pytest.raises(ConfigError, match="timezone: Europe/Paris"):
        _ = SHIPPED.zone


def test_settings_do_not_change() -> None:
    with pytest.raises(ValidationError):
        SHIPPED.recall.k = 3


def test_a_mapping_is_left_as_it_was() -> None:
    source: dict[str, Any] = {"categories": {"tasks": {"policy": {"stale_after": "60d"}}}}
    load(source, environ={})
    assert source == {"categories": {"tasks": {"policy": {"stale_after": "60d"}}}}


def test_archives_may_follow_each_other() -> None:
    def to(target: str) -> dict[str, Any]:
        return {"policy": {"stale_after": "1y", "archive_to": target}}

    chain = {"a": to("b"), "b": to("c"), "c": {}}
    assert load({"categories": chain}, environ={}).categories["a"].policy.archive_to == "b"
    with pytest.raises(ConfigError) as caught:
        load({"categories": {**chain, "c": to("b")}}, environ={})
    assert [problem.split(": ")[1] for problem in caught.value.problems] == [
        "categories.b.policy.archive_to",
        "categories.c.policy.archive_to",
    ]


# The environment


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("HMF_HOEM", "did you mean 'HMF_HOME'"),
        ("HMF_CONFG", "did you mean 'HMF_CONFIG'"),
        ("hmf_home", "did you mean 'HMF_HOME'"),
        ("HMF_DATA_PATH_ELSEWHERE", "the variables are HMF_HOME"),
        ("HMF__STORE__LEDGER", "write `store.ledger` in the configuration file"),
    ],
)
def test_an_unknown_variable_is_refused_and_its_value_not_told(name: str, says: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(says)) as caught:
        load(None, environ={name: "hunter2", "HOME": "/x"})
    assert "hunter2" not in str(caught.value)
    assert caught.value.problems[0].startswith(f"environment: {name}: ")


def test_known_variables_and_the_ones_the_file_names_are_allowed() -> None:
    environ = {"HMF_HOME": "/x", "HMF_CONFIG": "/y", "HMF_TOKEN": "z", "HMF_LOG": "debug", "HMF_TEST_QDRANT_URL": "u"}
    load(None, environ=environ)
    embedder = {"name": "openai", "model": "m", "dimension": 3, "api_key_env": "HMF_OPENAI_KEY"}
    assert load({"embedder": embedder}, environ={**environ, "HMF_OPENAI_KEY": "k"}).embedder.api_key_env


# Anything at all


def problems_of(source: Path | Mapping[str, Any]) -> tuple[str, ...]:
    try:
        load(source, environ={})
    except ConfigError as error:
        return error.problems or ("refused without a reason",)
    return ()


_yaml_like = st.text(alphabet="abk: -\n\t\"'[]{}&*!#|>~<1,.%@é\x00\ud800\ufeff", max_size=60)


@settings(deadline=None)
@given(st.binary(max_size=80) | _yaml_like.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_file_is_read_or_refused_with_a_place(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "any.yaml"
    file.write_bytes(raw)
    assert all(re.match(re.escape(str(file)) + r":\d+:\d+: ", problem) for problem in problems_of(file))


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from([*Settings.model_fields, "other"]), _values, max_size=4))
def test_any_mapping_is_read_or_refused_with_reasons(source: dict[str, Any]) -> None:
    assert all(problem.startswith("settings: ") for problem in problems_of(source))
