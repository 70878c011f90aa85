"""How to read an embedder: the cosines worth 0 and 1, and the logistic that tells an answer from a neighbour.

Everything comes from notebooks shipped with HMF (`calibration.jsonl`: notes, questions that one of them answers, and
questions that none does, in French and English), each read as a store of its own, all together as one, and within the
notes of a writer's year; and, where a store is given, from that store, which none of these questions is about.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from hmf.embed.port import Calibration, Embedder
from hmf.index.tokenizer import content_terms
from hmf.ledger.codec import content_key
from hmf.ledger.wanted import Wanted
from hmf.memory import State, Tier
from hmf.paths import shipped_config
from hmf.policy.belief import FARTHEST, NEAREST, Belief, crowding
from hmf.policy.language import detect
from hmf.recall.understand import subject_terms
from hmf.recall.words import EVERYWHERE, coverage
from hmf.service import Hmf

Floats = NDArray[np.float64]
OPERATING = 0.5
"""The evidence at which HMF is to answer: the fit is shifted so that its best threshold lies here."""
STEPS = (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7)
_HARDEST = 3
"""How many of the likeliest memories stand for a question that has no answer."""
_MOST = 20_000
"""Memories of a store that are read at most."""
_RIDGE = 0.5
_DIGITS = 3


class Notebook(BaseModel):
    """Notes, questions with the note that answers, and questions that no note answers."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    id: str
    lang: str
    notes: tuple[str, ...]
    ask: tuple[tuple[str, int], ...]
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shelf:
    """Texts to be asked: their vectors, content words and how much a word tells among them."""

    vectors: NDArray[np.float32]
    terms: Sequence[frozenset[str]]
    weight: Callable[[str], float]


@dataclass(frozen=True, slots=True)
class Trial:
    """One question asked of one shelf: cosine and coverage of every text, and which one answers (None: none)."""

    cosines: Floats
    covered: Floats
    gold: int | None
    where: str
    foreign: bool = False
    """Whether the question is about nothing that any notebook speaks of."""


@dataclass(frozen=True, slots=True)
class Rates:
    """At a threshold, the shares that go wrong: questions with an answer that get none; questions that get one, though
    their notebook only speaks of the subject; and those on foreign subjects that get one."""

    threshold: float
    silences: float
    neighbours: float
    foreigners: float

    @property
    def cost(self) -> float:
        """A wrong silence counts like a wrong answer."""
        return self.silences + (self.neighbours + self.foreigners) / 2


@dataclass(frozen=True, slots=True)
class Fitted:
    """What a calibration found."""

    calibration: Calibration
    trials: int
    area: float
    """Area under the curve: how often a question with an answer has more evidence than one without."""
    rates: Mapping[str, Sequence[Rates]]
    """By where they were asked: alone, together, crowd, store."""


def notebooks() -> list[Notebook]:
    """The notebooks that come with HMF."""
    text = resources.files("hmf.evaluation").joinpath("calibration.jsonl").read_text(encoding="utf-8")
    return [Notebook.model_validate(json.loads(line)) for line in text.splitlines() if line.strip()]


def trials(books: Sequence[Notebook], embedder: Embedder, store: Shelf | None = None) -> list[Trial]:
    """Every question asked of its own notebook, of all of them together, of these within a writer's year, and of
    `store`. Raises EmbedderFailure, ConfigError."""
    shelves = {book.id: shelf([(note, book.lang) for note in book.notes], embedder) for book in books if book.notes}
    texts = [(note, book.lang) for book in books for note in book.notes]
    together, crowd = shelf(texts, embedder), shelf([*texts, *_year()], embedder)
    starts = dict(zip((b.id for b in books), np.cumsum([0] + [len(b.notes) for b in books])[:-1], strict=True))
    found = []
    for asked in _asked(books):
        vector = embedder.queries([asked.text])[0]
        words = subject_terms(asked.text, detect(asked.text, default=asked.lang))
        foreign = asked.book not in shelves
        gold = None if asked.gold is None else int(starts[asked.book]) + asked.gold
        places = [(shelves[one], asked.gold, "alone") for one in (shelves if foreign else [asked.book])]
        places += [(together, gold, "together"), (crowd, gold, "crowd")]
        if store is not None and len(store.terms):
            places.append((store, None, "store"))
        found += [_trial(on, vector, words, right, where, foreign) for on, right, where in places]
    return found


def _year() -> list[tuple[str, str]]:
    """The notes of the example year, with their languages: much that is near to nothing asked."""
    lines = (shipped_config().parent / "examples" / "year.jsonl").read_text(encoding="utf-8").splitlines()
    notes = (json.loads(line) for line in lines if line.strip())
    return [(note["text"], note["lang"]) for note in notes if "text" in note]


def shelf(texts: Sequence[tuple[str, str]], embedder: Embedder) -> Shelf:
    """Put texts, each with its language, on a shelf. Raises EmbedderFailure."""
    terms = [content_terms(text, detect(text, default=lang)) for text, lang in texts]
    held = Counter(term for own in terms for term in own)

    def weight(term: str) -> float:
        return math.log(1 + (len(texts) - held[term] + 0.5) / (held[term] + 0.5))

    return Shelf(embedder.documents([text for text, _ in texts]), terms, weight)


@dataclass(frozen=True, slots=True)
class _Question:
    text: str
    lang: str
    book: str
    gold: int | None


def _asked(books: Sequence[Notebook]) -> Iterator[_Question]:
    for book in books:
        for text, gold in book.ask:
            yield _Question(text, book.lang, book.id, gold)
        for text in book.unknown:
            yield _Question(text, book.lang, book.id, None)


def _trial(
    on: Shelf, vector: NDArray[np.float32], words: frozenset[str], gold: int | None, where: str, foreign: bool
) -> Trial:
    weights = {word: on.weight(word) + EVERYWHERE for word in words}
    covered = [coverage(weights, own & words) for own in on.terms]
    return Trial((on.vectors @ vector).astype(np.float64), np.array(covered), gold, where, foreign)


def fit(found: Sequence[Trial], weight: float, scale: tuple[float, float] | None = None) -> Fitted:
    """Read the trials. `weight`: of meaning against words, which is not found here but kept; `scale`: floor and ceiling
    where they are known already (else they are found too)."""
    floor, ceiling = scale or _scale(found)
    near = [(t.cosines - floor) / (ceiling - floor) for t in found]
    belief = _balanced(_logistic(found, near), found, near)
    evidence = np.array([_best(belief, n, t) for n, t in zip(near, found, strict=True)])
    where = dict.fromkeys(t.where for t in found)
    rates = {place: [_rates(step, found, evidence, place) for step in STEPS] for place in where}
    return Fitted(Calibration(floor, ceiling, weight, belief), len(found), _area(found, evidence), rates)


def _scale(found: Sequence[Trial]) -> tuple[float, float]:
    """The cosine that 5 % of unrelated pairs pass, and the median one of a question and its answer."""
    unrelated = [t.cosines if t.gold is None else np.delete(t.cosines, t.gold) for t in found]
    matching = [t.cosines[t.gold] for t in found if t.gold is not None]
    floor = float(np.percentile(np.concatenate(unrelated), 95))
    ceiling = float(np.median(matching))
    return round(floor, _DIGITS), round(max(ceiling, floor + 0.01), _DIGITS)


def _logistic(found: Sequence[Trial], near: Sequence[Floats]) -> Belief:
    """An answer against the likeliest texts where there is none. An embedder whose nearness speaks against an answer
    tells nothing: then the words decide alone."""
    rows: list[tuple[float, float, float, float]] = []
    for trial, nearness in zip(found, near, strict=True):
        nearness = _clipped(nearness)
        if trial.gold is not None:
            rows.append((nearness[trial.gold], trial.covered[trial.gold], 1.0, 1.0))
            continue
        for one in np.argsort(-(nearness + trial.covered))[:_HARDEST]:
            rows.append((nearness[one], trial.covered[one], 0.0, 1.0 / _HARDEST))
    table = np.array(rows)
    inputs, answers, counts = np.c_[table[:, :2], np.ones(len(table))], table[:, 2], table[:, 3]
    dense, words, offset = _newton(inputs, answers, counts)
    if dense <= 0:
        dense, (words, offset) = 0.0, _newton(inputs[:, 1:], answers, counts)
    return Belief(float(dense), float(words), float(offset))


def _newton(inputs: Floats, answers: Floats, counts: Floats) -> Floats:
    """Weights of a ridge logistic; the last column is the constant, which the ridge leaves alone."""
    ridge = np.diag([_RIDGE] * (inputs.shape[1] - 1) + [0.0])
    weights = np.zeros(inputs.shape[1])
    for _ in range(50):
        belief = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (counts * (belief - answers)) + ridge @ weights
        curve = inputs.T @ (inputs * (counts * belief * (1 - belief))[:, None]) + ridge
        step = np.linalg.solve(curve, slope)
        weights = weights - step
        if float(np.abs(step).max()) < 1e-8:
            break
    return weights


def _best(belief: Belief, near: Floats, trial: Trial) -> float:
    """The evidence of the likeliest text."""
    crowd = crowding(len(near))
    return max(belief.sure(float(n), float(c), crowd) for n, c in zip(near, trial.covered, strict=True))


def _balanced(belief: Belief, found: Sequence[Trial], near: Sequence[Floats]) -> Belief:
    """The same, with the offset and the weight of crowding at which false answers and silences add up to the least.

    The likeliest text is the same whatever the two are, but for one that has every word: so each trial is reduced to
    what its likeliest text says first.
    """
    likeliest = [
        int(np.argmax(belief.dense * _clipped(n) + belief.words * t.covered)) for n, t in zip(near, found, strict=True)
    ]
    inputs = [
        (float(n[i]), float(t.covered[i]), crowding(len(n))) for i, n, t in zip(likeliest, near, found, strict=True)
    ]
    places = dict.fromkeys(t.where for t in found if t.gold is not None)
    best, least = belief, math.inf
    for crowd in np.arange(0.0, 2.01, 0.1):
        for shift in np.arange(-2.0, 2.01, 0.1):
            moved = Belief(belief.dense, belief.words, belief.offset + float(shift), float(crowd))
            evidence = np.array([moved.sure(*one) for one in inputs])
            # Over a few thresholds: the least of one alone would be the luck of a few questions.
            around = (OPERATING - 0.05, OPERATING, OPERATING + 0.05)
            cost = sum(_rates(step, found, evidence, place).cost for place in places for step in around)
            if cost < least - 1e-9:
                best, least = moved, cost
    return Belief(*(round(value, 2) for value in (best.dense, best.words, best.offset, best.crowd)))


def _clipped(nearness: Floats) -> Floats:
    return np.clip(nearness, FARTHEST, NEAREST)


def _rates(threshold: float, found: Sequence[Trial], evidence: Floats, where: str) -> Rates:
    answered = evidence >= threshold
    silent = [not a for a, t in zip(answered, found, strict=True) if t.gold is not None and t.where == where]
    wrong = [(t.foreign, bool(a)) for a, t in zip(answered, found, strict=True) if t.gold is None and t.where == where]
    return Rates(
        threshold,
        _share(silent),
        _share([a for foreign, a in wrong if not foreign]),
        _share([a for f, a in wrong if f]),
    )


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags) if flags else 0.0


def _area(found: Sequence[Trial], evidence: Floats) -> float:
    yes = np.array([e for e, t in zip(evidence, found, strict=True) if t.gold is not None])
    no = np.array([e for e, t in zip(evidence, found, strict=True) if t.gold is None and t.where != "store"])
    return float((yes[:, None] > no[None, :]).mean() + 0.5 * (yes[:, None] == no[None, :]).mean())


def own_shelf(memory: Hmf, namespace: str) -> Shelf:
    """The newest memories of a namespace, as they are stored: nothing is embedded anew."""
    store = memory.store
    wanted = Wanted(namespace, tiers=(Tier.DETAIL,), states=(State.LIVE,))
    rows = {content_key(m.text): m for m in store.ledger.find(wanted, limit=_MOST)}
    known = store.cache.get(list(rows))
    kept = [(rows[key], vector) for key, vector in known.items() if key in rows]
    empty = np.zeros((0, store.embedder.dimension), dtype=np.float32)
    return Shelf(
        np.stack([vector for _, vector in kept]) if kept else empty,
        [content_terms(m.text, m.language) for m, _ in kept],
        memory.indexer.terms.weight,
    )


def report(embedder: Embedder, found: Fitted, name: str, of_store: int | None) -> dict[str, Any]:
    """What a calibration found, as plain data, with the YAML that puts it in force."""
    read, belief = found.calibration, found.calibration.belief
    values = {
        "floor": read.floor,
        "ceiling": read.ceiling,
        "dense": belief.dense,
        "words": belief.words,
        "offset": belief.offset,
        "crowd": belief.crowd,
    }
    lines = [f"    {key}: {value:g}" for key, value in values.items()]
    head = [f"embedder:\n  name: {name}\n  calibration:"]
    return {
        "embedder": embedder.key,
        "calibration": values,
        "min_score": OPERATING,
        "trials": found.trials,
        "area": round(found.area, 4),
        "memories": of_store,
        "rates": {place: [asdict(rate) for rate in rates] for place, rates in found.rates.items()},
        "yaml": "\n".join([*head, *lines, "recall:", f"  min_score: {OPERATING:g}"]),
    }
