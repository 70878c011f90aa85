"""Extractive summaries: whole sentences that stand in the sources, and nothing else.

Centrality is LexRank (Erkan and Radev, 2004): PageRank over sentences linked by the words they share. The choice is
maximal marginal relevance (Carbonell and Goldstein, 1998): each next sentence is central and says something new.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

import numpy as np
from numpy.typing import NDArray

from hmf.memory import RETIRED, Kind, Level, Memory
from hmf.policy import lineage
from hmf.policy.conflicts import NEGATIONS
from hmf.policy.folding import fold
from hmf.policy.stems import stems
from hmf.policy.text import content_hash, sentences

Floats = NDArray[np.float64]

_BONUS = {Kind.DECISION: 1.0, Kind.CONSTRAINT: 1.0, Kind.LESSON: 0.8, Kind.PREFERENCE: 0.5}
"""What must survive the cut, in units of the most central sentence's centrality."""

_EXACT, _DENIED, _NAMED = 0.3, 0.3, 0.1
"""The same for a sentence with a figure or a date, with a prohibition, with a name."""

_NOVELTY = 0.4
"""Share of novelty against relevance in the choice (1 - lambda of the MMR paper)."""

_OVERLAP = 0.8
"""Cosine of the words from which two sentences say the same, if their figures, names and negations agree too."""

_FEWEST = 3
"""Content words; a shorter sentence ("She insisted.") needs the one before it, unless it gives a figure."""

_MOST = 240
"""Sentences ranked at most; the similarity matrix grows with the square."""

_OF_EACH = 3
"""Sentences of each group that an overview chooses among."""

_DAMPING, _ROUNDS = 0.85, 30
_WORDS = re.compile(r"\d+(?:[.,/-]\d+)*|[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    memory: Memory
    place: int
    stems: frozenset[str]
    words: frozenset[str]
    marks: frozenset[str]
    """The words that make two alike sentences different: figures, negations, capitalised words but the first."""


def extract(
    memories: Sequence[Memory], *, language: str, limit_chars: int = 900
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """A summary of at most `limit_chars` characters, one sentence a line in order of time; and (sentence, memory id).

    Decisions, constraints and lessons come first into the choice, then exact values, prohibitions and names; retired
    memories are left out, and what is said twice is said once. Empty when no sentence fits. `language` is the one
    to cut words by where a memory has none of its own.
    """
    pool = _pool(memories, language)
    if not pool:
        return "", ()
    overlap = _overlap([s.stems for s in pool])
    return _told(_choose(pool, _scores(pool, overlap), overlap, limit_chars))


def overview(
    groups: Sequence[Sequence[tuple[str, Memory]]], *, language: str, limit_chars: int = 1200
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The same over several groups of (sentence, an original it stands in): the most central sentences of each group
    first, and of those what is new beside the others. Retired memories are left out."""
    pool: list[_Sentence] = []
    lead: set[str] = set()
    few = max(1, min(_OF_EACH, _MOST // max(1, len(groups))))
    for group in sorted(groups, key=lambda g: max((m.valid_from, m.id) for _, m in g))[-_MOST:]:
        own = _ranked(group, language)[:few]
        lead.update(s.text for s in own[:1])
        pool += [s for s in own if all(s.text != other.text for other in pool)]
    if not pool:
        return "", ()
    overlap = _overlap([s.stems for s in pool])
    scores = _scores(pool, overlap) + np.array([float(s.text in lead) for s in pool])
    return _told(_choose(pool, scores, overlap, limit_chars))


def _ranked(group: Sequence[tuple[str, Memory]], language: str) -> list[_Sentence]:
    """The sentences of one group, best first. Those of whole notes are cut into theirs."""
    current = [(text, m) for text, m in group if m.status not in RETIRED]
    cut = [(part, m) for text, m in current for part in _cut(text, m.language or language)]
    own = [_taken_apart(text, m, place, m.language or language) for place, (text, m) in enumerate(dict(cut).items())]
    if not own:
        return []
    scores = np.round(_scores(own, _overlap([s.stems for s in own])), 9)
    return [own[n] for n in sorted(range(len(own)), key=lambda n: (-scores[n], n))]


def _told(chosen: list[_Sentence]) -> tuple[str, tuple[tuple[str, str], ...]]:
    chosen.sort(key=lambda s: (s.memory.valid_from, s.memory.id, s.place))
    return "\n".join(s.text for s in chosen), tuple((s.text, s.memory.id) for s in chosen)


def rewritten(summary: Memory, sources: Sequence[Memory]) -> Memory | None:
    """The summary written anew from these originals, or None when no sentence of them fits in one. Its id, place and
    chunk count are as they were."""
    body, told = extract(sources, language=summary.language)
    if not told:
        return None
    level = summary.drawn.level if summary.drawn else Level.PROJECT if summary.project else Level.TOPIC
    return replace(
        summary,
        text=body,
        content_hash=content_hash(body),
        summary_of=tuple(m.id for m in sources),
        drawn=lineage.drawn(level, told, sources),
        status=lineage.weakest_status(sources),
        tags=lineage.tags(sources),
    )


def majority_language(memories: Sequence[Memory], default: str) -> str:
    """The language most of the memories are in; the first in the alphabet when tied."""
    counts = Counter(m.language for m in memories if m.language)
    return min(counts, key=lambda code: (-counts[code], code)) if counts else default


def span(memories: Sequence[Memory]) -> tuple[datetime, datetime]:
    """First and last `valid_from` of the sources: a summary is as old as they are. Raises ValueError on none."""
    moments = [m.valid_from for m in memories]
    return min(moments), max(moments)


def title(subject: str, memories: Sequence[Memory], zone: tzinfo) -> str:
    """The subject with the sources' first and last day in `zone`: "Acme (2026-03-03 – 2026-05-08)"."""
    first, last = (moment.astimezone(zone).date().isoformat() for moment in span(memories))
    return f"{subject} ({first})" if first == last else f"{subject} ({first} – {last})"


def subject(memory: Memory, sentence: str) -> str:
    """A name for a group of memories that has none: this one's title, or the beginning of `sentence`."""
    name = " ".join((memory.title or sentence).split())
    if len(name) <= 60:
        return name
    short = textwrap.shorten(name, 60, placeholder="…")
    return short if len(short) > 1 else name[:59] + "…"


def _pool(memories: Sequence[Memory], language: str) -> list[_Sentence]:
    found: dict[str, _Sentence] = {}
    for memory in sorted(memories, key=lambda m: (m.valid_from, m.id)):
        if memory.status in RETIRED:
            continue
        code = memory.language or language
        for place, text in enumerate(_cut(memory.text, code)):
            sentence = _taken_apart(text, memory, place, code)
            if place == 0 or len(sentence.stems) >= _FEWEST or any(m[:1].isdigit() for m in sentence.marks):
                found[text] = sentence
    return _thinned(list(found.values()))


def _cut(text: str, language: str) -> list[str]:
    if not re.search(r"[.!?…。！？؟:;]\s|\n|[。！？]", text):
        return [text.strip()]
    return [s for s in sentences(text, language) if s in text]


def _thinned(pool: list[_Sentence]) -> list[_Sentence]:
    """The first sentences of each memory, as many of each as keeps the pool within bounds."""
    depth = max((s.place for s in pool), default=0)
    while len(pool) > _MOST and depth > 0:
        depth = depth // 2
        pool = [s for s in pool if s.place <= depth]
    return pool[-_MOST:]


def _taken_apart(text: str, memory: Memory, place: int, language: str) -> _Sentence:
    folded = fold(text)  # the dearest step, so once
    words = frozenset(_WORDS.findall(folded))
    names = {fold(w) for w in _WORDS.findall(text)[1:] if w[:1].isupper()}
    marks = frozenset(names | {w for w in words if w[:1].isdigit() or w in NEGATIONS})
    return _Sentence(text, memory, place, frozenset(stems(folded, language)), words, marks)


def _same(a: _Sentence, b: _Sentence) -> bool:
    """Whether two sentences of high overlap say the same: no figure, name or negation stands in one of them only."""
    return (a.words ^ b.words).isdisjoint(a.marks | b.marks)


def _overlap(words: Sequence[frozenset[str]]) -> Floats:
    """Cosine of the binary word vectors, shape (n, n), zero on the diagonal."""
    # Sets, not a product of matrices: for fifty sentences of ten words they take a thirtieth of the time.
    overlap: Floats = np.zeros((len(words), len(words)))
    for row, own in enumerate(words):
        for other in range(row):
            shared = len(own & words[other])
            if shared:
                overlap[row, other] = overlap[other, row] = shared / math.sqrt(len(own) * len(words[other]))
    return overlap


def _scores(pool: Sequence[_Sentence], overlap: Floats) -> Floats:
    central = _lexrank(overlap)
    bonus = [
        _BONUS.get(s.memory.kind, 0.0)
        + _EXACT * any(m[:1].isdigit() for m in s.marks)
        + _DENIED * (not s.marks.isdisjoint(NEGATIONS))
        + _NAMED * any(m[:1].isalpha() and m not in NEGATIONS for m in s.marks)
        for s in pool
    ]
    scores: Floats = central / central.max() + np.array(bonus)
    return scores


def _lexrank(overlap: Floats) -> Floats:
    count = len(overlap)
    sums = overlap.sum(axis=1, keepdims=True)
    steps = np.where(sums > 0, overlap / np.where(sums > 0, sums, 1.0), 1.0 / count)
    rank = np.full(count, 1.0 / count)
    for _ in range(_ROUNDS):
        rank = (1 - _DAMPING) / count + _DAMPING * (rank @ steps)
    return rank


def _choose(pool: Sequence[_Sentence], scores: Floats, overlap: Floats, limit: int) -> list[_Sentence]:
    chosen: list[int] = []
    left = limit
    open_ = {n for n, s in enumerate(pool) if len(s.text) <= left}
    nearest = np.zeros(len(pool))
    value = [(1 - _NOVELTY) * float(score) for score in scores / scores.max()]
    while open_:
        # Rounded, so that two machines' last bits do not choose differently; ties go to the older sentence.
        best = max(open_, key=lambda n: (round(value[n] - _NOVELTY * float(nearest[n]), 9), -n))
        open_.remove(best)
        if any(overlap[best, n] >= _OVERLAP and _same(pool[best], pool[n]) for n in chosen):
            continue
        chosen.append(best)
        left -= len(pool[best].text) + 1
        nearest = np.maximum(nearest, overlap[best])
        open_ = {n for n in open_ if len(pool[n].text) <= left}
    return [pool[n] for n in chosen]
