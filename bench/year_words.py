"""Wordings, names and figures of the simulated year, drawn from a seeded random source."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

_DATA = Path(__file__).parent / "data"
_MONTHS = {
    "fr": ("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
           "novembre", "décembre"),
    "en": ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December"),
}  # fmt: skip
_NUMBERS = {
    "fr": ("deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "douze", "quinze", "dix-huit"),
    "en": ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "fifteen", "eighteen"),
}
_JOINED = ((" de le ", " du "), (" de les ", " des "), (" à le ", " au "), (" à les ", " aux "))
_ARTICLES = ("le ", "la ", "les ", "l'", "un ", "une ", "the ", "a ", "an ")


@lru_cache(maxsize=2)
def wordings(language: str) -> dict[str, Any]:
    """The templates of one language."""
    found: dict[str, Any] = YAML(typ="safe", pure=True).load(
        (_DATA / f"year_{language}.yaml").read_text(encoding="utf-8")
    )
    return found


class Words:
    """Draws; what must be unique over the year never comes twice."""

    def __init__(self, seed: int) -> None:
        """Equal seeds give equal draws."""
        self.random = random.Random(seed)
        self._used: set[object] = set()

    def one(self, among: Sequence[Any]) -> Any:
        """One of these."""
        return self.random.choice(among)

    def chance(self, share: float) -> bool:
        """True in this share of cases."""
        return self.random.random() < share

    def code(self) -> str:
        """A shelf mark, such as K-4172."""
        return str(self._fresh(lambda: f"{self.one('BCDFGHKLMNPRSTVWZ')}-{self.random.randint(1000, 9999)}"))

    def figure(self, language: str) -> str:
        """A whole number of four or five figures, grouped as the language does."""
        return grouped(int(str(self._fresh(lambda: self.random.randint(1103, 98_789)))), language)

    def name(self, language: str) -> str:
        """First name and last name."""
        words = wordings(language)
        return f"{self.one(words['first_names'])} {self.one(words['last_names'])}"

    def client(self, language: str) -> str:
        """A client's name; clients come back."""
        heads, names = wordings(language)["clients"]["heads"], wordings(language)["clients"]["names"]
        return f"{self.one(heads)} {self.one(names)}" if language == "fr" else f"{self.one(names)} {self.one(heads)}"

    def topic(self, language: str) -> str:
        """A subject and a place, never the same one twice."""
        topics = wordings(language)["topics"]
        return str(self._fresh(lambda: f"{self.one(topics['nouns'])} {self.one(topics['places'])}"))

    def value(self, attribute: str, language: str, day: date) -> str:
        """A value of a project's attribute, told on `day`."""
        draw = self.random
        if attribute == "fee":
            amount = grouped(draw.randrange(300, 6200, 20), language)
            return f"{amount} €" if language == "fr" else f"£{amount}"
        if attribute == "deadline":
            due = date.fromordinal(day.toordinal() + draw.randint(12, 70))
            month = _MONTHS[language][due.month - 1]
            return f"{due.day} {month}"
        if attribute == "length":
            size = grouped(draw.randrange(600, 9000, 100), language)
            return f"{size} mots" if language == "fr" else f"{size} words"
        if attribute == "payment":
            return f"{self.one((15, 20, 30, 40, 45, 60, 75, 90))} " + ("jours" if language == "fr" else "days")
        if attribute == "images":
            return str(self.one(_NUMBERS[language]))
        if attribute in ("contact", "reader"):
            return self.name(language)
        return str(self.one(wordings(language)["attributes"][attribute]["values"]))

    def other(self, attribute: str, language: str, day: date, before: Sequence[str]) -> str:
        """A value that the attribute never had."""
        for _ in range(200):
            value = self.value(attribute, language, day)
            if value not in before:
                return value
        raise ValueError(f"{attribute} has no other value than {', '.join(before)}")

    def _fresh(self, draw: Any) -> object:
        for _ in range(10_000):
            value = draw()
            if value not in self._used:
                self._used.add(value)
                return value
        raise ValueError("the words of the year are used up: ask for fewer notes")


def grouped(number: int, language: str) -> str:
    """1 850 in French (narrow no-break space), 1,850 in English."""
    return f"{number:,}".replace(",", "\u202f") if language == "fr" else f"{number:,}"


def said(template: str, **values: str) -> str:
    """The template filled, beginning with a capital, with the contractions of French (de le → du)."""
    text = template.format(**values)
    for apart, joined in _JOINED:
        text = text.replace(apart, joined)
    return text[:1].upper() + text[1:]


def bare(detail: str) -> str:
    """A detail as it stays under any contraction: without its article, in small letters, its spaces plain."""
    small = detail.casefold().replace("\u202f", " ")
    return next((small[len(article) :] for article in _ARTICLES if small.startswith(article)), small)
