"""The digest of the jobs that were just run, by the installed command, in both languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.acceptance.test_cli_story import OLD, command


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "2 proposals wait for you, the oldest since"),
        ("fr", "2 propositions vous attendent, la plus ancienne depuis le"),
    ],
)
def test_a_night_is_told(tmp_path: Path, language: str, said: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "hmf.yaml").write_text(
        f"version: 1\nlanguage: {language}\nembedder: {{name: hash}}\n"
        "store: {min_free_mb: 0, index: {engine: memory}}\n",
        encoding="utf-8",
    )
    hmf = command(home)
    assert hmf("digest", "--json").data == {"digests": []}
    texts = ("Idea: tides.", "Idea: salt.")
    notes = [{"text": text, "category": "article-ideas", "at": OLD} for text in texts]
    hmf("import", "-", "--yes", stdin="\n".join(map(json.dumps, notes)))
    hmf("jobs", "run", "archive")
    assert said in hmf("digest").out
    assert len(hmf("digest", "--list", "--json").data["digests"]) == 1
    hmf("digest", "soon", code=2)
