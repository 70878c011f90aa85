"""Text into the sparse vectors of the lexical side: words, stems, codes and character pairs.

Every word is indexed twice, as its folded surface and as a stem. French and English share one stem (the English
Snowball stemmer, then the French one), so that a text taken for the other language still meets its own words.
Measured on 2,189 French sentences (FQuAD) and 2,960 English turns (LoCoMo), recall at 10 with BM25 alone:

| | language right: French, English | question taken for the other language |
|---|---|---|
| stems of the language | 78.1, 50.0 | 68.2, 33.1 |
| stems of the language, and surfaces | 79.6, 51.0 | 74.8, 41.2 |
| shared stems, and surfaces | 79.8, 50.5 | 79.8, 50.5 |
| as here: also without the function words of the question, and with less penalty on length | 82.0, 59.1 | 81.8, 54.2 |
"""

from __future__ import annotations

import re
import threading
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import regex
import Stemmer

from hmf.index.port import Sparse
from hmf.policy.folding import fold
from hmf.policy.language import FUNCTION_WORDS

VERSION = "2"
"""Changes whenever an equal text would give another vector: the manifest then asks for a reindex."""

_K1 = 1.2
_B = 0.75
_AVERAGE = 60.0
"""A constant, because a mean that moves would make every stored vector out of date. About twice the words of the texts
measured: half the usual penalty on length, which was worth 2 points over their true mean on both corpora."""
_SURFACE = 0.25
"""Weight, in a question, of an exact surface beside its stem."""

_UNSPACED = r"ー\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_RUN = rf"[[\p{{L}}\p{{N}}]--[{_UNSPACED}]][[\p{{L}}\p{{M}}\p{{N}}]--[{_UNSPACED}]]*"
_TOKEN = regex.compile(
    rf"(?V1)(?<![\p{{L}}\p{{N}}])\p{{Nd}}{{1,3}}(?:[ .,']\p{{Nd}}{{3}})+(?![\p{{L}}\p{{N}}]|[.,-]\p{{N}})"
    rf"|[{_UNSPACED}]+"
    rf"|{_RUN}(?:[-'.,:/_@+&]{_RUN})*"
    rf"|[\p{{Extended_Pictographic}}--[\x00-\u02ff]]"
)
"""A number with its thousands apart (12 500, 12,500); a run of a script without spaces; a word, code or compound; a
pictogram, which can be the very thing that is asked about."""
_LATIN_RUN = r"[^\W_]+"
_LATIN_TOKEN = re.compile(
    rf"(?<![^\W_])\d{{1,3}}(?:[ .,']\d{{3}})+(?![^\W_]|[.,-][^\W_])|{_LATIN_RUN}(?:[-'.,:/_@+&]{_LATIN_RUN})*"
)
"""The same for a text of Latin letters without loose accents, which is most texts: five times as fast."""
_BEYOND_LATIN = re.compile("[^\x00-\u024f\u2010-\u2060\u20a0-\u20cf]")
_PAIRED = regex.compile(rf"[{_UNSPACED}]")
_JOINERS = re.compile(r"[-'.,:/_@+& ]")
_HYPHENED = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)+")
_CODE = re.compile(r"[\d.,:/_@+&-]")
_GROUPED = re.compile(r"\d{1,3}(?:[ .,']\d{3})+")
_ELIDED = re.compile(r"^(?:(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu)')+(?=.)")
_CLITIC = re.compile(r"'(?:s|t|re|ve|ll|d|m)$")
_LONGEST = 64
"""Longer words are data (a key, a picture in base 64), not language: kept whole, without a stem."""

_SNOWBALL = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "es": "spanish", "et": "estonian",
    "eu": "basque", "fi": "finnish", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil",
    "tr": "turkish",
}  # fmt: skip
_SHARED = ("english", "french")
# More closed-class words: interrogatives, pronouns, and what is left of contractions before their 't.
_MORE = {
    "fr": "comment pourquoi combien lequel laquelle lesquels lesquelles celui celle ceux celles ça cela ceci",
    "en": "whether whatever whichever whoever wherever "
    "don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn cannot",
}
_FUNCTION = {
    language: frozenset(fold(word) for word in [*words, *_MORE.get(language, "").split()])
    for language, words in FUNCTION_WORDS.items()
}
_ANY_FUNCTION = frozenset[str]().union(*_FUNCTION.values())
_MARKS = (("’", "'"), ("‘", "'"), ("ʼ", "'"), ("′", "'"), ("\u2010", "-"), ("\u2011", "-"), ("\u00ad", ""))
_stemming = threading.Lock()  # a Snowball stemmer keeps its working memory in itself


def tokens(text: str, language: str) -> list[str]:
    """The index terms of a text in order: each word's surface and, where it differs, its stem.

    `language` is an ISO 639-1 code. Case, accents, ligatures and typographic apostrophes make no difference; elided
    French articles fall away; a code or a hyphenated word gives itself, its parts and its closed-up form.
    """
    return [form for word in _words(text) for form in dict.fromkeys((word, _stem(word, _base(language))))]


def sparse_document(text: str, language: str, *, average_length: float = _AVERAGE) -> Sparse:
    """The vector of a text to be stored: BM25 term weights, the inverse document frequency left to the engine.

    Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), equation 3.15:
    tf (k1 + 1) / (tf + k1 (1 - b + b length / average)), k1 = 1.2, b = 0.75; lengths are in words.
    """
    base = _base(language)
    words = _words(text)
    counts = Counter(number for word in words for number in _numbers(word, base))
    norm = _K1 * (1 - _B + _B * len(words) / average_length)
    return _sparse({number: tf * (_K1 + 1) / (tf + norm) for number, tf in counts.items()})


def sparse_query(text: str, language: str) -> Sparse:
    """The vector of a question: stems count 1, surfaces beside them a quarter, function words not at all.

    A question made of nothing but function words keeps them.
    """
    base = _base(language)
    words = dict.fromkeys(_words(text))
    weights: dict[int, float] = {}
    for word in _content(words, language) or words:
        *surface, stem = _numbers(word, base)
        for number, weight in [(stem, 1.0), *((number, _SURFACE) for number in surface)]:
            weights[number] = max(weight, weights.get(number, 0.0))
    return _sparse(weights)


def content_terms(text: str, language: str) -> frozenset[str]:
    """The stems of the content words, for comparing how much of a question a text covers.

    Empty for a text made of function words. Function words are those of `language`; of every language that has
    a list when this one has none.
    """
    terms = [
        _terms(raw, language) if len(raw) <= _LONGEST else _terms.__wrapped__(raw, language) for raw in _found(text)
    ]
    return frozenset[str]().union(*terms)


@lru_cache(maxsize=1 << 16)
def _terms(raw: str, language: str) -> tuple[str, ...]:
    base = _base(language)
    return tuple(_stem(word, base) for word in _content(_forms(raw), language))


def _content(words: Iterable[str], language: str) -> list[str]:
    dropped = _FUNCTION.get(language, _ANY_FUNCTION)
    return [word for word in words if word not in dropped]


def _words(text: str) -> list[str]:
    # Sentences of a script without spaces, and data, are not met again: they would only fill the cache.
    return [word for raw in _found(text) for word in (_forms(raw) if len(raw) <= _LONGEST else _forms.__wrapped__(raw))]


def _found(text: str) -> list[str]:
    """The raw tokens of a text, in order."""
    plain = _plain(text)
    pattern = _TOKEN if _BEYOND_LATIN.search(plain) else _LATIN_TOKEN
    return pattern.findall(plain)


def _plain(text: str) -> str:
    """One kind of apostrophe, hyphen and space, so that one expression finds the words."""
    plain = unicodedata.normalize("NFKC", text)
    for mark, instead in _MARKS:
        plain = plain.replace(mark, instead)
    return plain


@lru_cache(maxsize=1 << 16)
def _forms(raw: str) -> tuple[str, ...]:
    """What one run of the text is found by: itself folded, and the parts and the closed-up form of a compound."""
    if _PAIRED.match(raw):
        return tuple(raw[i : i + 2] for i in range(max(1, len(raw) - 1)))
    word = _CLITIC.sub("", _ELIDED.sub("", fold(raw)))
    if _GROUPED.fullmatch(word):
        return (_JOINERS.sub("", word),)
    parts = [part for part in _JOINERS.split(word) if part]
    if len(parts) < 2 or (_HYPHENED.fullmatch(word) and _ANY_FUNCTION.issuperset(parts)):
        return tuple(parts)
    forms = [part for part in parts if len(part) > 1]
    if not (_HYPHENED.fullmatch(word) and forms):
        forms.insert(0, word)
    if "-" in word or "'" in word:
        forms.append(word.replace("-", "").replace("'", ""))
    return tuple(dict.fromkeys(forms))


def _base(language: str) -> tuple[str, ...]:
    """The stemmers a language's words go through, in order; none for a language without Snowball."""
    if language in _FUNCTION:
        return _SHARED
    return (_SNOWBALL[language],) if language in _SNOWBALL else ()


@lru_cache(maxsize=1 << 17)
def _stem(word: str, base: tuple[str, ...]) -> str:
    if len(word) > _LONGEST or _CODE.search(word):
        return word
    with _stemming:
        for name in base:
            word = _stemmer(name).stemWord(word)
    return fold(word)


@lru_cache(maxsize=32)
def _stemmer(name: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(name)


@lru_cache(maxsize=1 << 17)
def _numbers(word: str, base: tuple[str, ...]) -> tuple[int, ...]:
    """The numbers of a word's forms, the stem's last: CRC-32, the same on every machine and in every process."""
    forms = dict.fromkeys((word, _stem(word, base)))
    return tuple(zlib.crc32(form.encode("utf-8", "surrogatepass")) for form in forms)


def _sparse(weights: dict[int, float]) -> Sparse:
    ordered = sorted(weights.items())
    return Sparse(tuple(number for number, _ in ordered), tuple(weight for _, weight in ordered))
