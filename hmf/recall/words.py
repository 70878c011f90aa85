"""Which of a question's words a memory has."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

from hmf.index.tokenizer import content_terms
from hmf.memory import Memory

_CACHED = 2000
"""Content words of texts up to this many characters are remembered."""


def shared(words: Collection[str], memory: Memory) -> frozenset[str]:
    """Those of the question's content words that the memory has, in its text, title, project or tags."""
    text = " ".join(filter(None, (memory.title, memory.project, " ".join(memory.tags), memory.text)))
    own = _terms(text, memory.language) if len(text) < _CACHED else content_terms(text, memory.language)
    return own.intersection(words)


def coverage(words: Mapping[str, float], found: Collection[str]) -> float:
    """Share of the question's words that was found, rare words counting more; 0 when there are none."""
    total = sum(words.values())
    return sum(words[word] for word in found) / total if total else 0.0


@lru_cache(maxsize=8192)
def _terms(text: str, language: str) -> frozenset[str]:
    """Remembered: the same candidates come back question after question."""
    return content_terms(text, language)
