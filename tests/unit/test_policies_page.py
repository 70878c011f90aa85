"""The page on policies: its files load, and its sentences are those that HMF says of them, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

from hmf.config import load
from hmf.config.policies import KeepBlock, PolicyBlock
from hmf.config.positions import read
from hmf.policy.sentences import policy_sentences

PAGE = (Path(__file__).parents[2] / "docs" / "policies.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```\n\n```text\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)


def test_each_example_says_what_is_written_under_it() -> None:
    assert len(EXAMPLES) == PAGE.count("```yaml") == 3
    for written, english, french in EXAMPLES:
        data = read(written.encode()).data
        category = load(data, environ={}).categories_by_name()[next(iter(data["categories"]))]
        assert english.splitlines() == policy_sentences(category, "en")
        assert french.splitlines() == policy_sentences(category, "fr")


def test_every_key_of_a_policy_has_its_line() -> None:
    keys = [
        *(name for name in PolicyBlock.model_fields if name != "keep"),
        *(f"keep.{k}" for k in KeepBlock.model_fields),
    ]
    assert sorted(re.findall(r"^\| `([\w.]+)` \|", PAGE, re.MULTILINE)) == sorted(keys)
