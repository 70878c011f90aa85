"""The configuration that comes with HMF: the defaults, written out, and the categories of a freelance writer."""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel

from hmf.config import Settings, load
from hmf.config.positions import read
from hmf.durations import Duration
from hmf.memory import Confirm, Kind
from hmf.paths import shipped_config
from hmf.policy.language import detect

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


def test_the_shipped_values_are_the_defaults_of_the_models() -> None:
    bare = Settings.model_validate({"categories": {"any": {}}})
    for name in Settings.model_fields:
        if name != "categories":
            assert getattr(SHIPPED, name) == getattr(bare, name), name


def test_what_is_shown_of_the_configuration_can_be_read_again() -> None:
    shown = SHIPPED.model_dump(mode="json")
    again = load(shown, environ={})
    assert again.model_dump(mode="json") == shown


def test_the_shipped_file_writes_every_default() -> None:
    data = read(shipped_config().read_bytes()).data
    missing = list(unwritten(Settings.model_validate({"categories": {"any": {}}}), data, ""))
    # Inherited from projects.on_finished: written here, it would hide that one.
    assert missing == ["defaults.on_project_finished"]


def unwritten(block: BaseModel, data: Any, path: str) -> Any:
    for name in type(block).model_fields:
        value = getattr(block, name)
        if name not in data:
            yield f"{path}{name}"
        elif isinstance(value, BaseModel):
            yield from unwritten(value, data[name], f"{path}{name}.")


def test_the_shipped_file_names_its_schema_first() -> None:
    first = shipped_config().read_text(encoding="utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=./hmf.schema.json"


def test_the_shipped_categories_are_those_of_the_story() -> None:
    assert tuple(SHIPPED.categories) == STORY
    for name, category in SHIPPED.categories_by_name().items():
        assert set(category.label) == set(category.description) == {"fr", "en"}
        assert category.label["fr"] != category.label["en"]
        if name != "inbox":
            assert len(category.examples) >= 14
            assert len(set(category.examples)) == len(category.examples)
    unroutable = {name for name, category in SHIPPED.categories_by_name().items() if not category.routable}
    assert unroutable == {"article-ideas-archived", "inbox"}


def test_the_shipped_examples_are_half_french_half_english() -> None:
    for name, category in SHIPPED.categories_by_name().items():
        half = len(category.examples) // 2
        french = [detect(example, default="en") for example in category.examples[:half]]
        english = [detect(example, default="fr") for example in category.examples[half:]]
        # The detector may miss a short sentence, not the half of them.
        assert french.count("fr") >= half - 1, (name, french)
        assert english.count("en") >= half - 1, (name, english)


def test_the_shipped_rules_claim_no_example_of_another_category() -> None:
    categories = SHIPPED.categories_by_name()
    patterns = [
        (name, rule.pattern) for name, category in categories.items() for rule in category.rules if rule.pattern
    ]
    assert patterns
    for owner, pattern in patterns:
        for name, category in categories.items():
            for example in category.examples:
                assert name == owner or not re.search(pattern, example, re.IGNORECASE), (owner, example)


def test_the_shipped_policies_are_those_of_the_story() -> None:
    policies = {name: category.policy for name, category in SHIPPED.categories_by_name().items()}
    ideas, notes, talk = policies["article-ideas"], policies["research-notes"], policies["general-conversation"]
    assert (ideas.stale_after, ideas.confirm, ideas.summarise) == (Duration(days=60), Confirm.ASK, True)
    assert ideas.archive_to == "article-ideas-archived"
    assert (talk.expire_after, talk.confirm) == (Duration(weeks=2), Confirm.AUTO)
    assert (notes.stale_after, notes.archive_to, notes.confirm) == (Duration(months=12), None, Confirm.AUTO)
    assert policies["tasks"].stale_after == Duration(months=6)
    finished = policies["client-projects"].on_project_finished
    assert finished is not None
    assert finished.after == Duration(days=30)
    assert finished.keep >= {Kind.DECISION, Kind.CONSTRAINT, Kind.LESSON}
    for name in ("personal-preferences", "inbox", "article-ideas-archived"):
        still = policies[name]
        assert (still.stale_after, still.expire_after, still.on_project_finished) == (None, None, None)
    for policy in policies.values():
        assert policy.keep.kinds >= {Kind.DECISION, Kind.CONSTRAINT}
