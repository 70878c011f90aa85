"""A synthetic writer's memory of any size: French and English notes and questions, the same for a given seed.

Sentences walk the word pairs of the example year that comes with HMF; every fourth long word gives way to one of
20,000 coined words drawn by Zipf's law, and a note on a project prefers the thirty words of its project. So texts have
the function words, lengths, names, dates and amounts of real ones, and a vocabulary that grows with their number.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from itertools import pairwise
from time import perf_counter
from typing import Any
from zlib import crc32

import numpy as np
import uuid_utils
from ruamel.yaml import YAML

from hmf.embed.port import Calibration, Vectors
from hmf.ledger.codec import to_json
from hmf.memory import Authority, Kind, Memory, Route, RoutedBy, Source, Status, Tier
from hmf.paths import shipped_config
from hmf.policy.text import content_hash
from hmf.reason import Reason

DIMENSION = 512
_TAIL = 20_000
_SPAN = timedelta(days=730)
_STARTS = ("bra", "cor", "del", "fan", "gri", "lam", "mor", "nar", "pel", "quin", "ros", "sal", "tren", "val", "ver")
_MIDDLES = ("ba", "che", "da", "li", "mo", "ni", "po", "ra", "ri", "so", "ta", "tu", "va", "vi")
_ENDS = {"fr": ("tion", "ment", "ière", "eux", "age", "ette", "oir"), "en": ("ing", "ness", "er", "ock", "ly", "ton")}
_FIRST = ("Anaïs", "Bruno", "Chloé", "Daniel", "Élise", "Farah", "Grace", "Hugo", "Imogen", "Jonas", "Karim", "Léa")
_KINDS = ("fact", "note", "event", "task", "decision", "preference", "constraint", "hypothesis", "lesson")
_KIND_WEIGHTS = (30, 25, 12, 10, 8, 6, 4, 3, 2)
_MORE = {
    "press-contacts": ("Journalistes, rédactions et attachés de presse.", "Journalists, newsrooms, press officers."),
    "style-guides": ("Chartes et règles de style par client.", "House style and rules of each client."),
    "invoices": ("Devis, factures, relances et paiements.", "Quotes, invoices, reminders and payments."),
    "reading": ("Livres et articles lus ou à lire.", "Books and articles, read or to read."),
    "interviews": ("Entretiens menés, citations, rendez-vous.", "Interviews held, quotations, appointments."),
    "travel": ("Déplacements, trains, hôtels, reportages.", "Trips, trains, hotels, reporting abroad."),
    "workshops": ("Ateliers d'écriture, élèves, séances.", "Writing workshops, students, sessions."),
    "house": ("Maison, santé, famille et quotidien.", "Home, health, family and daily life."),
}


def configuration() -> dict[str, Any]:
    """The default configuration with sixteen categories, for a bench embedder of 512 dimensions."""
    raw = YAML(typ="safe", pure=True).load(shipped_config().read_text(encoding="utf-8"))
    categories = dict(raw["categories"])
    for name, (french, english) in _MORE.items():
        policy = {"stale_after": "18mo", "summarise": name in ("reading", "interviews")}
        categories[name] = {"description": {"fr": french, "en": english}, "policy": policy}
    return {
        "timezone": "Europe/Paris",
        "embedder": {"name": "hash", "dimension": DIMENSION},
        "categories": categories,
    }


@dataclass(frozen=True, slots=True)
class Work:
    """A project: its name, its category, its language and the words it is about."""

    name: str
    category: str
    language: str
    words: tuple[str, ...]


class Corpus:
    """Notes and questions about the same projects; equal seeds give equal texts."""

    def __init__(self, seed: int = 7, projects: int = 400) -> None:
        """Read the example year and coin words, names and projects."""
        self._random = random.Random(seed)
        self._pairs = {language: self._read(language) for language in ("fr", "en")}
        self._openings = {language: list(pairs) for language, pairs in self._pairs.items()}
        self.categories = tuple(configuration()["categories"])
        self._projects = [self._work(number) for number in range(projects)]

    def notes(self, count: int, now: datetime, *, filed: bool = True) -> Iterator[dict[str, Any]]:
        """`count` notes of the two years before `now`, oldest first, as `Hmf.add` takes them.

        `filed`: with their category named. The first categories are larger: shares fall as 1 / (rank + 3).
        """
        for number in range(count):
            work = self._random.choice(self._projects) if self._random.random() < 0.6 else None
            category = work.category if work else self._category()
            language = work.language if work else self._language()
            note: dict[str, Any] = {
                "text": self.sentence(language, work) + " " + self.sentence(language, work),
                "at": now - _SPAN * ((count - number) / count) - timedelta(minutes=1),
                "kind": self._random.choices(_KINDS, _KIND_WEIGHTS)[0],
                "language": language,
                "project": work.name if work else None,
            }
            yield {**note, "category": category} if filed else note

    def lines(self, count: int, now: datetime) -> Iterator[str]:
        """The same notes as lines of an export, as `Hmf.restore` takes them: routed, one in twenty by hand, a quarter
        of them turns of sessions of twenty."""
        turns = 0
        for note in self.notes(count, now):
            session, position = None, None
            if self._random.random() < 0.25:
                session, position = f"session-{turns // 20}", turns % 20
                turns += 1
            by = RoutedBy.EXPLICIT if self._random.random() < 0.05 else RoutedBy.EMBEDDING
            kind, at = Kind(note["kind"]), note["at"]
            memory = Memory(
                id=str(uuid_utils.uuid7(nanoseconds=int(at.timestamp() * 1e9))),
                namespace="default",
                category=note["category"],
                tier=Tier.DETAIL,
                kind=kind,
                text=note["text"],
                language=note["language"],
                status=Status.HYPOTHESIS if kind is Kind.HYPOTHESIS else Status.CONFIRMED,
                authority=Authority.USER,
                source=Source(),
                valid_from=at,
                learnt_at=at,
                verified_at=None,
                content_hash=content_hash(note["text"]),
                route=Route(note["category"], 0.8, by, Reason("a bench")),
                project=note["project"],
                volatile=self._random.random() < 0.05,
                session=session,
                position=position,
            )
            yield json.dumps(to_json(memory))

    def questions(self, count: int) -> list[str]:
        """Questions of five kinds in turn: words of a project, its name, a month, a sentence, an unknown thing."""
        return [self._question(number % 5) for number in range(count)]

    def sentence(self, language: str, work: Work | None = None) -> str:
        """One sentence of eight to twenty words."""
        pairs, openings = self._pairs[language], self._openings[language]
        words = [self._random.choice(openings)]
        for _ in range(self._random.randint(7, 19)):
            words.append(self._random.choice(pairs.get(words[-1], openings)))
        return " ".join(self._coloured(word, language, work) for word in words).rstrip(" ,;:.") + "."

    def _coloured(self, word: str, language: str, work: Work | None) -> str:
        """A long word may give way to one of the project or of the long tail, a figure to another figure."""
        if word[:1].isdigit():
            return str(self._random.randint(2, 9000))
        if len(word) < 6 or self._random.random() > 0.25:
            return word
        if work and self._random.random() < 0.7:
            return self._random.choice(work.words)
        return _coined(int(self._tail.searchsorted(self._random.random())), language)

    @cached_property
    def _tail(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        shares = 1.0 / np.arange(1, _TAIL + 1)
        total: np.ndarray[Any, np.dtype[np.float64]] = np.cumsum(shares / shares.sum())
        return total

    def _read(self, language: str) -> Mapping[str, list[str]]:
        pairs: dict[str, list[str]] = defaultdict(list)
        year = shipped_config().parent / "examples" / "year.jsonl"
        for line in year.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row.get("lang") == language and "text" in row:
                words = row["text"].split()
                for first, second in pairwise(words):
                    pairs[first].append(second)
        return dict(pairs)

    def _work(self, number: int) -> Work:
        language = self._language()
        coined = [_coined(self._random.randrange(_TAIL), language) for _ in range(30)]
        return Work(f"{self._name()} {number}", self._category(), language, tuple(coined))

    def _question(self, kind: int) -> str:
        work = self._random.choice(self._projects)
        french = work.language == "fr"
        one, two = self._random.sample(work.words, 2)
        if kind == 0:
            return f"Qu'a-t-on dit de {one} et de {two} ?" if french else f"What did we say about {one} and {two}?"
        if kind == 1:
            return f"Où en est {work.name} ?" if french else f"Where does {work.name} stand?"
        if kind == 2:
            return f"Qu'est-ce qui concernait {one} le mois dernier ?" if french else f"What about {one} last month?"
        if kind == 3:
            return self.sentence(work.language)
        return f"{self._name()} et le {_strange(one)} ?" if french else f"{self._name()} and the {_strange(one)}?"

    def _name(self) -> str:
        return f"{self._random.choice(_FIRST)} {_coined(self._random.randrange(_TAIL), 'fr').capitalize()}"

    def _category(self) -> str:
        weights = [1 / (rank + 3) for rank in range(len(self.categories))]
        drawn: str = self._random.choices(self.categories, weights)[0]
        return drawn

    def _language(self) -> str:
        return self._random.choice(("fr", "en"))


class WordVectors:
    """The bench embedder: a text is the sum of one fixed random direction for each of its words, at unit length.

    Texts that share words are near, as with a real model, and the cost of a real model is kept out of the figures;
    what it does cost is added up in `seconds`, to be taken off.
    """

    key = f"bench-words/{DIMENSION}"
    dimension = DIMENSION
    max_chars = 4000
    worker: str | None = None
    calibration = Calibration(floor=0.15, ceiling=0.45, weight=0.3)

    def __init__(self) -> None:
        """Nothing is computed before the first text."""
        self.seconds = 0.0

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, shape (n, 512)."""
        began = perf_counter()
        rows = np.zeros((len(texts), DIMENSION), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row += _direction(word.strip(".,;:!?'\"«»()"))
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        self.seconds += perf_counter() - began
        return rows

    def queries(self, texts: Sequence[str]) -> Vectors:
        """The same as `documents`."""
        return self.documents(texts)

    def close(self) -> None:
        """Nothing to release."""


@lru_cache(maxsize=1 << 15)
def _direction(word: str) -> Vectors:
    """A fixed random direction, shorter for short words, which are mostly grammar."""
    generator = np.random.default_rng(crc32(word.encode("utf-8", "surrogatepass")))
    weight = min(1.0, len(word) / 8)
    drawn: Vectors = weight * generator.standard_normal(DIMENSION, dtype=np.float32)
    return drawn


@lru_cache(maxsize=2 * _TAIL)
def _coined(number: int, language: str) -> str:
    """The coined word of this rank: the same everywhere, pronounceable, unlike its neighbours."""
    draw = random.Random(f"{language}{number}")
    middle = "".join(draw.choice(_MIDDLES) for _ in range(draw.randint(1, 2)))
    return draw.choice(_STARTS) + middle + draw.choice(_ENDS[language])


def _strange(word: str) -> str:
    return "zz" + word[::-1]
