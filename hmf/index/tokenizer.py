"""Text to sparse vectors: the lexical half of the index, for French, English and the rest.

Tokens: folded words (NFKC, case, accents, ligatures), French elisions split, the Snowball stem beside
the word itself, character pairs for scripts written without spaces, figures and codes whole and in parts.
A word is kept both as it stands and as its stem, so that neither another ending nor a language taken for
another loses it.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import Stemmer

from hmf.index.port import Sparse
from hmf.policy.folding import fold
from hmf.policy.language import FUNCTION_WORDS

VERSION = "1"
"""Goes into the manifest: another version of these rules needs a reindex."""

K1, B = 1.2, 0.75
"""BM25 saturation and length normalisation (Robertson & Zaragoza, 2009, The Probabilistic Relevance Framework)."""

AVERAGE_LENGTH = 40.0
"""Tokens of an ordinary note; the length normalisation is relative to it."""

_CACHED = 2000
"""Token sets of texts up to this many characters are remembered: the same candidates come back question after question."""

_STEM_WEIGHT = 0.7
"""A stem alone says a little less than the word itself: when both match, the exact form comes first."""

_ALGORITHMS = {
    "fr": "french", "en": "english", "de": "german", "es": "spanish", "it": "italian", "pt": "portuguese",
    "nl": "dutch", "sv": "swedish", "da": "danish", "no": "norwegian", "fi": "finnish", "ru": "russian",
    "ar": "arabic", "tr": "turkish", "ro": "romanian", "hu": "hungarian", "el": "greek",
}  # fmt: skip
_CODE = re.compile(r"[^\W_]+(?:[-./:_][^\W_]+)+")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_ELISION = re.compile(r"^(?:[ldjmtnsc]|qu|jusqu|lorsqu|puisqu|quoiqu|quelqu|presqu)'(?=.)")
_WHOLE = frozenset({"aujourd'hui", "prud'homme", "prud'hommes", "entr'acte"})
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")


def tokens(text: str, language: str) -> list[str]:
    """Every token of the text, in order, repeats kept. Any string is safe."""
    return [token for token, _ in _weighted(text, language)]


def sparse_document(text: str, language: str) -> Sparse:
    """The vector of a stored text: BM25's term part; the engine multiplies the IDF in at the query side."""
    counts: Counter[str] = Counter()
    weight: dict[str, float] = {}
    for token, value in _weighted(text, language):
        counts[token] += 1
        weight[token] = value
    length = sum(counts.values())
    floor = K1 * (1 - B + B * length / AVERAGE_LENGTH)
    return _vector({t: weight[t] * n * (K1 + 1) / (n + floor) for t, n in counts.items()})


def sparse_query(text: str, language: str) -> Sparse:
    """The vector of a question: each token once, function words left out where anything else is left."""
    weighted = dict(_weighted(text, language))
    content = {t: w for t, w in weighted.items() if t.lstrip("~") not in _stops()}
    return _vector(content or weighted)


def content_terms(text: str, language: str) -> frozenset[str]:
    """The content words of a text, each as one term that matches any of its forms; see `covered`."""
    found = set()
    for word in _words(fold(text)):
        if word not in _stops() and (len(word) > 1 or word.isdigit() or _UNSPACED.match(word)):
            found.add(word)
    return frozenset(found)


def forms(terms: frozenset[str], language: str) -> tuple[frozenset[str], ...]:
    """For each term, the word and its stems in its own language, in French and in English: what may stand for it."""
    languages = dict.fromkeys((language, "fr", "en"))
    return tuple(frozenset({term, *(f"~{_stem(term, lang)}" for lang in languages)}) for term in sorted(terms))


def covered(wanted: tuple[frozenset[str], ...], text: str, language: str) -> float:
    """Share of the terms (as `forms` gives them) that the text has, 0 to 1; 0 when there are none."""
    if not wanted:
        return 0.0
    found = _token_set(text, language) if len(text) < _CACHED else frozenset(tokens(text, language))
    return sum(1 for any_of in wanted if not any_of.isdisjoint(found)) / len(wanted)


@lru_cache(maxsize=8192)
def _token_set(text: str, language: str) -> frozenset[str]:
    return frozenset(tokens(text, language))


def _weighted(text: str, language: str) -> Iterator[tuple[str, float]]:
    folded = fold(text)
    for match in _CODE.finditer(folded):
        if any(c.isdigit() for c in match[0]):
            yield match[0], 1.0
    for word in _words(folded):
        yield word, 1.0
        if not _UNSPACED.match(word) and not word.isdigit():
            yield f"~{_stem(word, language)}", _STEM_WEIGHT


def _words(folded: str) -> Iterator[str]:
    for match in _WORD.finditer(folded):
        yield from _pieces(match[0])


def _pieces(word: str) -> Iterator[str]:
    start = 0
    for run in _UNSPACED.finditer(word):
        if run.start() > start:
            yield word[start : run.start()]
        pair = run[0]
        yield from (pair[i : i + 2] for i in range(max(1, len(pair) - 1)))
        start = run.end()
    rest = word[start:]
    if not rest:
        return
    if rest in _WHOLE:
        yield rest
        return
    rest = _ELISION.sub("", rest)
    yield from (part for part in rest.split("'") if part)


@lru_cache(maxsize=200_000)
def _stem(word: str, language: str) -> str:
    stemmer = _stemmer(language)
    return str(stemmer.stemWord(word)) if stemmer else word


@lru_cache(maxsize=32)
def _stemmer(language: str) -> Any:
    name = _ALGORITHMS.get(language)
    return Stemmer.Stemmer(name) if name else None


@lru_cache(maxsize=1)
def _stops() -> frozenset[str]:
    """Function words of both languages: a question may quote the other one."""
    words = {piece for own in FUNCTION_WORDS.values() for word in own for piece in _words(fold(word))}
    return frozenset(words | {_stem(word, lang) for word in words for lang in ("fr", "en")} - {""})


def _vector(weights: dict[str, float]) -> Sparse:
    """Tokens to numbers by CRC-32, stable everywhere; two tokens on one number (about 1 in 10^5 texts) add up."""
    numbers: dict[int, float] = {}
    for token, weight in weights.items():
        number = zlib.crc32(token.encode())
        numbers[number] = numbers.get(number, 0.0) + weight
    ordered = sorted(numbers.items())
    return Sparse(tuple(n for n, _ in ordered), tuple(round(w, 5) for _, w in ordered))
