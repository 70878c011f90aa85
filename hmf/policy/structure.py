"""What stands around a memory: a turn of a conversation, or a sentence of a document, is rarely understood alone.

A question's words are often spread over a few turns ("When do you leave for Lisbon?" – "In March!"), and the passage
that answers lies where the session speaks of the matter. Only what HMF knows of any memory is used: its session, its
position there, its author, its length, whether it asks. A memory without a session has no surroundings: each measure
then falls back on its own. See docs/recall.md for the measurements.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

NEAR, WIDE = 2, 4
"""How many places before and after a memory its near and its wide surroundings reach."""
CLOSE = 60
"""Words up to which a neighbour counts in full. A text of 200 words speaks for itself: as a neighbour it would have
nearly every word of any question, so it counts less in proportion."""
_FULL = 40
"""Words from which a turn is long enough to say something by itself."""
_QUESTION_MARKS = ("?", "？", "؟")


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each sign counts beside a memory's own score, which counts 1."""

    near: float = 0.4
    """The question's words, found in it or up to two places away."""
    wide: float = 0.6
    """The same, up to four places away."""
    session: float = 0.8
    """The best own score in its session."""
    reply: float = 0.3
    """The own score of the question that it replies to."""
    speaker: float = 0.6
    """Said by somebody whom the question names."""
    brevity: float = 0.65
    """Taken off the shortest turn; those of forty words and more lose nothing."""
    asking: float = 0.15
    """Taken off a turn that ends with a question."""

    @property
    def whole(self) -> float:
        """What a memory gets that fits wholly, whether or not it has surroundings."""
        return 1 + self.near + self.wide + self.session


@dataclass(frozen=True, slots=True)
class Passage:
    """A memory as its surroundings are judged: where it stands, and how well it fits by itself."""

    session: str | None
    position: int | None
    words: int
    shared: frozenset[str]
    """Those of the question's words that it has."""
    own: float
    dense: float
    """How near it is in meaning, 0 to 1 on the absolute scale."""
    coverage: float
    closeness: float
    """How much it counts as a neighbour, 0 to 1; see `closeness`."""
    asks: bool = False
    named: bool = False
    """Whether its author is somebody whom the question names."""

    @property
    def placed(self) -> bool:
        """Whether it has surroundings at all."""
        return self.session is not None and self.position is not None


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the passages around one say; all from 0 to 1, itself included in all but `reply`."""

    near: float
    wide: float
    session: float
    reply: float
    dense: float
    """The nearest in meaning among its near surroundings."""

    @classmethod
    def alone(cls, passage: Passage) -> Surroundings:
        """Those of a memory that stands by itself."""
        return cls(passage.coverage, passage.coverage, passage.own, 0.0, passage.dense)


def surroundings(passages: Mapping[str, Passage], words: Mapping[str, float]) -> dict[str, Surroundings]:
    """What stands around each passage, among the passages given. `words`: the question's, with their weights."""
    total = sum(words.values())
    by_session: dict[str, dict[int, list[Passage]]] = {}
    for one in passages.values():
        if one.session is not None and one.position is not None:
            by_session.setdefault(one.session, {}).setdefault(one.position, []).append(one)
    best = {
        session: max(other.own * other.closeness for others in places.values() for other in others)
        for session, places in by_session.items()
    }
    found = {}
    for key, one in passages.items():
        if one.session is None or one.position is None:
            found[key] = Surroundings.alone(one)
        else:
            found[key] = _around(one, one.position, by_session[one.session], best[one.session], words, total)
    return found


def _around(
    one: Passage,
    position: int,
    places: Mapping[int, list[Passage]],
    best: float,
    words: Mapping[str, float],
    total: float,
) -> Surroundings:
    dense, reply = one.dense, 0.0
    heard = dict.fromkeys(one.shared, 1.0)
    near = wide = one.coverage
    for reach in range(WIDE + 1):
        more = False
        for other in _at(places, position, reach):
            closeness = other.closeness
            more = more or bool(other.shared)
            for word in other.shared:
                heard[word] = max(closeness, heard.get(word, 0.0))
            if reach <= NEAR:
                dense = max(dense, other.dense * closeness)
            if reach == 1 and other.asks and other.position == position - 1:
                reply = max(reply, other.own * closeness)
        if more and total:
            wide = max(one.coverage, sum(words.get(word, 0.0) * share for word, share in heard.items()) / total)
        if reach == NEAR:
            near = wide
    return Surroundings(near, wide, max(one.own, best), reply, dense)


def _at(places: Mapping[int, list[Passage]], position: int, reach: int) -> Iterator[Passage]:
    yield from places.get(position - reach, ())
    if reach:
        yield from places.get(position + reach, ())


def fitness(passage: Passage, around: Surroundings, weights: Weights) -> dict[str, float]:
    """The parts of a score, by name. Their sum is how well the passage fits: 1 for a memory that fits wholly; a little
    more for what the named person said in reply to it; under 0 for a courtesy."""
    parts = {
        "own": passage.own,
        "near": weights.near * around.near,
        "wide": weights.wide * around.wide,
        "session": weights.session * around.session,
        "reply": weights.reply * around.reply,
    }
    if passage.placed:
        # Between notes that stand alone, length and form say nothing; in a conversation most short turns are courtesy.
        parts["speaker"] = weights.speaker if passage.named else 0.0
        parts["brevity"] = weights.brevity * (substance(passage.words) - 1)
        parts["asking"] = -weights.asking if passage.asks else 0.0
    return {name: part / weights.whole for name, part in parts.items()}


def substance(words: int) -> float:
    """How much a turn of so many words can say: 0 for one word, 1 from forty, by the logarithm between them."""
    return math.log(min(max(words, 1), _FULL)) / math.log(_FULL)


def closeness(words: int) -> float:
    """How much a text of so many words counts as a neighbour, 0 to 1: a long one speaks for itself."""
    return min(1.0, CLOSE / max(1, words))


def length(text: str) -> int:
    """About how many words a text has; where a script has no spaces, eight bytes of it count as one."""
    return max(text.count(" ") + 1, len(text.encode("utf-8", "surrogatepass")) // 8)


def asks(text: str) -> bool:
    """Whether a text ends by asking."""
    return text.rstrip(" \n\t\"'»”’)*_").endswith(_QUESTION_MARKS)


def is_named(author: str | None, names: Collection[str]) -> bool:
    """Whether one of the folded `names` is this (folded) author, in full or by a first or last name."""
    if not author:
        return False
    own = {part for part in author.split() if len(part) > 2}
    return any(name == author or not own.isdisjoint(name.split()) for name in names)
