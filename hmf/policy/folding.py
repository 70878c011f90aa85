"""One way to compare names and words without case, accents or typographic variants."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_LETTERS = str.maketrans(
    {
        "œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h", "ŧ": "t",
        "’": "'", "‘": "'", "ʼ": "'", "′": "'",
        "\u2010": "-", "\u2011": "-", "\u2013": "-", "\u2014": "-",
    }
)  # fmt: skip


_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_WORD = re.compile(r"[^\W_]+")


def fold(text: str) -> str:
    """NFKC, case-folded, without combining marks on Latin letters, ligatures opened, one kind of apostrophe and dash.

    Marks of other scripts (Arabic, Devanagari …) carry meaning there and stay.
    """
    lowered = unicodedata.normalize("NFKC", text).casefold()
    if lowered.isascii():
        return lowered
    try:
        return _BEYOND_ASCII.sub(_letter, lowered)
    except _MarkApart:
        return _folded(lowered)


def spaced(text: str) -> str:
    """Its words folded, with one space between: a phrase stands in a text when, with a space around, it does so."""
    return " ".join(_WORD.findall(fold(text)))


class _MarkApart(Exception):
    """A mark that NFKC could not join to its letter: what becomes of it depends on what stands before it."""


def _letter(match: re.Match[str]) -> str:
    return _one(match[0])


@lru_cache(maxsize=4096)
def _one(char: str) -> str:
    """Remembered: a language has few letters, and taking one apart costs more than all else here."""
    if unicodedata.combining(char):
        raise _MarkApart
    return _folded(char)


def _folded(lowered: str) -> str:
    out: list[str] = []
    base_is_latin = False
    for char in unicodedata.normalize("NFD", lowered):
        if unicodedata.combining(char):
            if not base_is_latin:
                out.append(char)
            continue
        base_is_latin = char < "\u0250" or "\u1e00" <= char <= "\u1eff"
        out.append(char)
    return unicodedata.normalize("NFC", "".join(out)).translate(_LETTERS)
