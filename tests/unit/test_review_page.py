"""The screens of docs/review.md are those that the review draws.

Renew them with `python -m tests.unit.test_review_page`.
"""

from __future__ import annotations

import re
from datetime import datetime
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

import pytest
from rich.console import Console

from hmf.cli import proposals
from hmf.cli.phrases_review import KEYS
from hmf.cli.words import Screen
from hmf.service.operations import Operations
from tests.service import LIGHT, Clock, open_memory

PAGE = Path(__file__).parents[2] / "docs" / "review.md"
TEXTS = {
    "en": ("Idea: the tide mills of the Rance, with a map.", "Idea: the tide mills that still turn.",
           "Idea: salt roads."),
    "fr": ("Idée : les moulins à marée de la Rance, avec une carte.", "Idée : les moulins à marée qui tournent encore.",
           "Idée : les chemins du sel."),
}  # fmt: skip


def screen_of(language: str, home: Path) -> str:
    """The first proposal of a review of three old ideas."""
    clock = Clock(datetime(2026, 9, 1, 9, tzinfo=ZoneInfo("Europe/Paris")))
    with open_memory(home, clock, {**LIGHT, "language": language}) as hmf:
        for text in TEXTS[language]:
            hmf.add(text, category="article-ideas", kind="note")
            clock.forward(minutes=1)  # ids of one moment have no order
        clock.forward(days=75)
        hmf.plan("archive")
        [plan] = Operations(hmf).review(neighbours=2)["plans"]
        screen = Screen(language, ZoneInfo("Europe/Paris"), clock())
        console = Console(file=StringIO(), width=140, color_system=None, markup=False, highlight=False)
        [batch, *_] = proposals.batches(plan)
        console.print(proposals.heading(screen, batch))
        units = batch.units
        console.print(proposals.unit(screen, units[0], 1, len(units)))
        console.print(screen.say("prompt"))
        drawn: str = console.file.getvalue()  # type: ignore[attr-defined]
    lines = [line.rstrip() for line in drawn.strip("\n").splitlines()]
    return _without_ids("\n".join(lines))


def _without_ids(text: str) -> str:
    """Ids, keys and the name of the plan are made of the moment: letters in their order stand for them."""
    found: dict[str, str] = {}

    def named(match: re.Match[str]) -> str:
        return found.setdefault(match[0], f"{len(found) + 1:x}" * len(match[0]))

    return re.sub(r"\b(?=[0-9a-f]*\d)[0-9a-f]{16}\b|\b[0-9a-f]{12}\b|(?<=\s)[0-9a-f]{8}(?= )", named, text)


def renewed(page: str, language: str, home: Path) -> str:
    head, tail = f"<!-- screen {language} -->\n```text\n", "```"
    begin = page.index(head) + len(head)
    return page[:begin] + screen_of(language, home) + "\n" + page[page.index(tail, begin) :]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_shows_what_the_review_draws(tmp_path: Path, language: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert renewed(page, language, tmp_path) == page


def test_the_page_has_the_letters_of_both_languages() -> None:
    rows = re.findall(r"^\| (\w) \| (\w) \| (\w+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert {answer: en for en, _, answer in rows} == {answer: letter for letter, answer in KEYS["en"].items()}
    assert {answer: fr for _, fr, answer in rows} == {answer: letter for letter, answer in KEYS["fr"].items()}


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    for tongue in ("en", "fr"):
        with TemporaryDirectory() as folder:
            text = renewed(text, tongue, Path(folder))
    PAGE.write_text(text, encoding="utf-8")
