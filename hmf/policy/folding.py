"""One way to compare names and words without case, accents or typographic variants."""

from __future__ import annotations

import unicodedata

_LETTERS = str.maketrans(
    {
        "œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h", "ŧ": "t",
        "’": "'", "‘": "'", "ʼ": "'", "′": "'",
        "\u2010": "-", "\u2011": "-", "\u2013": "-", "\u2014": "-",
    }
)  # fmt: skip


def fold(text: str) -> str:
    """NFKC, case-folded, without combining marks on Latin letters, ligatures opened, one kind of apostrophe and dash.

    Marks of other scripts (Arabic, Devanagari …) carry meaning there and stay.
    """
    lowered = unicodedata.normalize("NFKC", text).casefold()
    if lowered.isascii():
        return lowered
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
