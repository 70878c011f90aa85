"""How a configuration is refused: every problem at once, each with its place, and no false alarm beside it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hmf.config import load
from hmf.errors import ConfigError


@pytest.mark.parametrize(
    ("raw", "place", "says"),
    [
        ("langue: é\n".encode("latin-1"), "1:9", "0xE9 is not UTF-8"),
        (b"version: 1\nlanguage: \xff\n", "2:11", "0xFF is not UTF-8"),
        ("version: 1\n".encode("utf-16"), "1:1", "not UTF-8"),
        ("\ufeffversion: 1\nlangage: fr\n".encode(), "2:1", "did you mean 'language'"),
        (b"\xef\xbb\xbfversion: 1\nlanguage: \xe9\n", "2:11", "0xE9 is not UTF-8"),
        (b"version: 1\r\nlangage: fr\r\n", "2:1", "did you mean 'language'"),
        ("é: œ\nà: 1\n".encode(), "1:1", "unknown key"),
    ],
)
def test_bytes_are_placed_too(raw: bytes, place: str, says: str, tmp_path: Path) -> None:
    problems = refusal(tmp_path, raw)
    assert problems[0].startswith(f"{tmp_path / 'hmf.yaml'}:{place}: ")
    assert says in problems[0]


def test_every_problem_is_told_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = (
        "languge: fr\ntimezone: Mars/Base\ninbox: nowhere\nrecall:\n  k: many\n"
        "categories:\n  tasks:\n    policy: {stale_after: 60, confirm: aks}\n"
        "  con: {}\n  Tâches: {}\n  old:\n    policy: {stale_after: 60d, archive_to: nothing}\n"
    )
    problems = refusal(tmp_path, text.encode(), {"HMF_HOEM": "/x", "HMF_HOME": "/y"})
    told = [re.sub(r"^.*hmf\.yaml:", "", problem) for problem in problems]
    places = [line.split(": ")[0] for line in told[1:]]
    assert "HMF_HOEM: unknown variable; did you mean 'HMF_HOME'?" in told[0]
    assert places == ["1:1", "2:11", "3:8", "5:6", "8:27", "8:40", "9:3", "10:3", "12:44"]


def test_what_is_not_understood_raises_no_other_alarm(tmp_path: Path) -> None:
    text = (
        "categories:\n  tasks:\n    policy: {stale_after: 60, archive_to: ideas}\n"
        "  ideas: nothing\n  notes: {policy: {stale_after: 1y, archive_to: ideas}}\n"
    )
    problems = refusal(tmp_path, text.encode())
    assert [problem.split(": ")[1] for problem in problems] == [
        "categories.tasks.policy.stale_after",
        "categories.ideas",
    ]


def test_aliases_cannot_multiply_without_end(tmp_path: Path) -> None:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    problems = refusal(tmp_path, "\n".join(rows).encode())
    assert any("multiplies without end" in problem for problem in problems)


def test_depth_has_an_end(tmp_path: Path) -> None:
    problems = refusal(tmp_path, ("store: " + "[" * 60 + "]" * 60).encode())
    assert any("levels deep" in problem for problem in problems)


def test_a_missing_file_says_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=re.escape(str(tmp_path / "no.yaml"))):
        load(tmp_path / "no.yaml", environ={})
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path, environ={})


def test_a_mapping_is_refused_without_a_place() -> None:
    with pytest.raises(ConfigError) as caught:
        load({"languge": "fr", "categories": {"tasks": {"policy": {"stale_after": 60}}}}, environ={})
    assert caught.value.problems == (
        "settings: categories.tasks.policy.stale_after: 60 has no unit: write 60d for days, or 12h, 2w, 3mo, 1y",
        "settings: languge: unknown key; did you mean 'language'?",
    )
    assert caught.value.exit_code == 4


def refusal(folder: Path, raw: bytes, environ: dict[str, str] | None = None) -> tuple[str, ...]:
    file = folder / "hmf.yaml"
    file.write_bytes(raw)
    with pytest.raises(ConfigError) as caught:
        load(file, environ=environ or {})
    assert all(problem in str(caught.value) for problem in caught.value.problems)
    return caught.value.problems
