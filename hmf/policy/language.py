"""Which language a text is in: by its script, then by a model, then by its function words where the model is unsure."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any


def word_set(words: str) -> frozenset[str]:
    """The words of a line, as a set."""
    return frozenset(words.split())


FUNCTION_WORDS: Mapping[str, frozenset[str]] = {
    "fr": word_set(
        "le la les l un une des du de d au aux à et ou où mais donc car ni que qu qui quoi dont ce c cet "
        "cette ces se s sa son ses mon ma mes ton ta tes notre nos votre vos leur leurs je j tu il elle on "
        "nous vous ils elles me m te t lui y en ne n pas plus jamais rien est es sont était étaient être sera "
        "été ont avait avoir ai avec sans sous sur dans par pour vers chez entre depuis avant après pendant "
        "si comme quand très trop peu aussi tout toute tous toutes chaque même autre autres alors puis ici là "
        "fait faire peut doit quel quelle quels quelles"
    ),
    "en": word_set(
        "the a an and or but so if of to in on at by for with from into onto over under about after before "
        "between during without within as than that this these those there here it its he she him her his "
        "they them their we us our you your i me my is am are was were be been being has have had do does did "
        "not no nor can could will would shall should may might must what which who whom whose when where why "
        "how all any each every both some such only own same too very just also then now up out off down more "
        "most other"
    ),
}
"""Closed-class words by language, in lower case and with their accents."""

_SURE = 0.9  # the model alone decides
_LIKELY = 0.6  # it decides where no function word does; below, the text is a name or a code
_WORDS = re.compile(r"[^\W\d_]+")
# Scripts by the first word of a letter's Unicode name -> the languages written in them (the first when unsure).
_SCRIPTS: Mapping[str, tuple[str, ...]] = {
    "HIRAGANA": ("ja",),
    "KATAKANA": ("ja",),
    "HANGUL": ("ko",),
    "CJK": ("zh",),
    "ARABIC": ("ar", "fa", "ur"),
    "HEBREW": ("he",),
    "CYRILLIC": ("ru", "uk", "bg", "sr", "mk", "be"),
    "GREEK": ("el",),
    "ARMENIAN": ("hy",),
    "GEORGIAN": ("ka",),
    "THAI": ("th",),
    "LAO": ("lo",),
    "KHMER": ("km",),
    "DEVANAGARI": ("hi", "mr", "ne"),
    "BENGALI": ("bn", "as"),
    "TAMIL": ("ta",),
    "TELUGU": ("te",),
    "KANNADA": ("kn",),
    "MALAYALAM": ("ml",),
    "GUJARATI": ("gu",),
    "GURMUKHI": ("pa",),
    "SINHALA": ("si",),
    "ETHIOPIC": ("am",),
}
_HEAD = 2000  # the first characters say enough, and a novel must not cost a second


def detect(text: str, *, among: Sequence[str] | None = ("fr", "en"), default: str) -> str:
    """The ISO 639-1 code of the language of `text`.

    A text mostly in a script that is not Latin gets the code of that script's language whatever `among` says.
    Otherwise one of `among` (any of the model's 97 languages when it is None); `default` when nothing tells.

    Measured on SIB-200 in French and English, `among` at its default: sentences 100.0 % of 1,600, fragments of
    three to five words 99.4 % of 4,800, a `default` of the other language counting as wrong (the model alone: 99.0 %).
    """
    head = text[:_HEAD]
    script = _script(head)
    if script is None:
        return default
    if script in _SCRIPTS:
        return _ranked(head, _SCRIPTS[script])[0][0]
    if among is not None and len(among) < 2:
        return among[0] if among else default
    (language, confidence), *_ = _ranked(head, tuple(among) if among is not None else None)
    if confidence >= _SURE:
        return language
    return _vote(head, among) or (language if confidence >= _LIKELY else default)


def _script(text: str) -> str | None:
    """The script of most letters (kana make a text Japanese at once), None without a letter."""
    counts = Counter(_script_of(char) for char in text if char.isalpha())
    if not counts:
        return None
    japanese = counts["HIRAGANA"] + counts["KATAKANA"]
    if japanese:
        counts["HIRAGANA"] = japanese + counts.pop("CJK", 0)
        counts.pop("KATAKANA", None)
    return counts.most_common(1)[0][0]


@lru_cache(maxsize=4096)
def _script_of(char: str) -> str:
    return unicodedata.name(char, "?").replace("-", " ").split(" ")[0]


def _ranked(text: str, among: tuple[str, ...] | None) -> list[tuple[str, float]]:
    """Languages with their probabilities, best first."""
    if among is not None and len(among) == 1:
        return [(among[0], 1.0)]
    with _loading:
        model = _model(among)
    scored: list[tuple[str, float]] = model.rank(text)
    return scored


_loading = threading.Lock()  # a cache alone would let twenty first callers load twenty models


@lru_cache(maxsize=16)
def _model(among: tuple[str, ...] | None) -> Any:
    # An identifier of our own: the module-level functions of the library share one that anyone may restrict.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    if among is not None:
        known = set(identifier.labels)
        identifier.set_languages([code for code in among if code in known] or None)
    return identifier


def _vote(text: str, among: Sequence[str] | None) -> str | None:
    """The language that has strictly more of its own function words in the text, None on a draw."""
    words = _WORDS.findall(text.lower())
    languages = [code for code in FUNCTION_WORDS if among is None or code in among]
    scores = sorted(((sum(w in FUNCTION_WORDS[code] for w in words), code) for code in languages), reverse=True)
    if len(scores) < 2 or scores[0][0] == scores[1][0]:
        return None
    return scores[0][1]
