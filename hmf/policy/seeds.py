"""What a category says of itself, as texts to embed: its examples as they are, its description in small sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hmf.memory import Category
from hmf.policy.background import Frame, Rows

_CARRIERS: Mapping[str, str] = {"fr": "Il est question de {}.", "en": "This is about {}."}
_CUTS = re.compile(r"[.:;,!?…()\n]+|\b(?:et|ou|and|or)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Seed:
    """A text that stands for a category; `example`: one that its user gave, else a part of its description."""

    category: str
    text: str
    example: bool


@dataclass(frozen=True, slots=True, eq=False)
class Seeds:
    """Seeds with their vectors, one row each, and the frame that they are looked at in."""

    names: tuple[str, ...]
    """Every category that may be routed to, those without a seed too."""
    seeds: tuple[Seed, ...]
    rows: Rows
    frame: Frame


def routable(categories: Mapping[str, Category]) -> tuple[str, ...]:
    """The categories that the router may file in by itself, in the order of the configuration."""
    return tuple(name for name, category in categories.items() if category.routable)


def seed_texts(categories: Mapping[str, Category]) -> tuple[Seed, ...]:
    """Label, description and examples of every routable category.

    A description lists what belongs in it, and a list is not like the notes it is compared with: each part, set in a
    small sentence, is. It was worth 1 to 3 points over the text itself (two sets of descriptions of seven topics).
    """
    found: list[Seed] = []
    for name in routable(categories):
        category = categories[name]
        # A label with nothing after it is often the name of the category: it says something, but needs company.
        said = {language: text for language, text in category.description.items() if text.strip()}
        for language, text in said.items():
            parts = [category.label.get(language, ""), *_CUTS.split(text)]
            carrier = _CARRIERS.get(language, "{}.")
            found.extend(Seed(name, carrier.format(part), False) for part in _spoken(parts))
        found.extend(Seed(name, example, True) for example in category.examples)
    return tuple(found)


def embedded(categories: Mapping[str, Category], seeds: tuple[Seed, ...], rows: Rows, frame: Frame) -> Seeds:
    """The seeds with their vectors, one row each. Raises ValueError when the numbers differ."""
    if len(rows) != len(seeds):
        raise ValueError(f"{len(seeds)} seeds have {len(rows)} vectors")
    return Seeds(routable(categories), seeds, np.asarray(rows, np.float32), frame)


def _spoken(parts: list[str]) -> list[str]:
    return list(dict.fromkeys(part.strip() for part in parts if part.strip()))
