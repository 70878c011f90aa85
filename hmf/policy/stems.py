"""Words cut down to what carries their meaning, for rules that compare texts without a model."""

from __future__ import annotations

import re
import threading
from functools import lru_cache
from typing import Any

import Stemmer

from hmf.policy.folding import fold
from hmf.policy.language import FUNCTION_WORDS

_ALGORITHMS = {
    "fr": "french", "en": "english", "de": "german", "es": "spanish", "it": "italian", "pt": "portuguese",
    "nl": "dutch", "sv": "swedish", "da": "danish", "no": "norwegian", "fi": "finnish", "ru": "russian",
}  # fmt: skip
_WORDS = re.compile(r"\d+(?:[.,/-]\d+)*|[^\W\d_]+\d*")
_stemming = threading.Lock()  # a Snowball stemmer keeps its working memory in itself
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def stems(text: str, language: str, *, function_words: bool = False) -> list[str]:
    """Snowball stems of the content words in order; figures whole, function words left out unless asked for.

    Scripts written without spaces give character pairs. A language without a stemmer keeps its folded words.
    """
    folded = fold(text)
    words: list[str] = _WORDS.findall(folded)
    if _UNSPACED.search(folded):
        words = [part for word in words for part in _pairs(word)]
    if not function_words:
        dropped = _function_words(language)
        words = [word for word in words if word not in dropped]
    stemmer = _stemmer(language)
    if stemmer is None:
        return words
    with _stemming:
        return list(stemmer.stemWords(words))


@lru_cache(maxsize=1 << 15)
def stem(word: str, language: str) -> str:
    """The Snowball stem of one folded word; the word itself in a language without a stemmer."""
    stemmer = _stemmer(language)
    if stemmer is None:
        return word
    with _stemming:
        return str(stemmer.stemWord(word))


def _pairs(word: str) -> list[str]:
    if not _UNSPACED.search(word):
        return [word]
    return [word[i : i + 2] for i in range(max(1, len(word) - 1))]


@lru_cache(maxsize=16)
def _stemmer(language: str) -> Any:
    name = _ALGORITHMS.get(language)
    return Stemmer.Stemmer(name) if name else None


@lru_cache(maxsize=16)
def _function_words(language: str) -> frozenset[str]:
    return frozenset(fold(word) for word in FUNCTION_WORDS.get(language, ()))
