"""Which of a question's words a memory has."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

from hmf.index.tokenizer import content_terms
from hmf.memory import Memory
from hmf.policy.folding import spaced

_CACHED = 2000
"""Content words of texts up to this many characters are remembered."""


EVERYWHERE = 0.2
"""What a word counts that every memory has: something, or else in a notebook on one subject the name of that subject
would tell nothing, and a word nobody ever wrote would decide alone."""
_STEMMED_ALIKE = frozenset({"fr", "en"})
"""Languages that share their stems."""


def shared(words: Collection[str], memory: Memory, language: str) -> frozenset[str]:
    """Those of the question's content words that the memory has, in its text, title, project or tags.

    `language`: the question's. A word that a text quotes from another language has there the stem of the text's.
    """
    text = " ".join(filter(None, (memory.title, memory.project, " ".join(memory.tags), memory.text)))
    own = _own(text, memory.language)
    if language != memory.language and not {language, memory.language} <= _STEMMED_ALIKE:
        own |= _own(text, language)
    return own.intersection(words)


def _own(text: str, language: str) -> frozenset[str]:
    return _terms(text, language) if len(text) < _CACHED else content_terms(text, language)


def coverage(words: Mapping[str, float], found: Collection[str]) -> float:
    """Share of the question's words that was found, rare words counting more; 0 when there are none."""
    total = sum(words.values())
    return sum(words[word] for word in found) / total if total else 0.0


def says(phrase: str, memory: Memory) -> bool:
    """Whether the memory has these spaced words, one after the other."""
    return f" {phrase} " in f" {spaced(memory.text)} "


@lru_cache(maxsize=8192)
def _terms(text: str, language: str) -> frozenset[str]:
    """Remembered: the same candidates come back question after question."""
    return content_terms(text, language)
