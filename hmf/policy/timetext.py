"""A text folded for the time rules, with the way back to the words as they were written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from hmf.policy.folding import fold

Span = tuple[int, int]
_QUOTED = re.compile(
    "«[^»]{1,300}»|“[^”]{1,300}”|„[^“”]{1,300}[“”]|\"[^\"]{1,300}\"|(?<![\\w'])'(?=\\S)[^']{1,300}(?<=\\S)'(?!\\w)"
    r"|(?<![\w*])\*[^*]{1,300}\*|(?<!\w)_[^_]{1,300}_(?!\w)"
)
_OPENING = " \t\xa0\u202f\"'«“„‘’([*_-–—•"
_ENDING = ".!?…:;\n\r"
_AROUND = 300


@dataclass(frozen=True, slots=True)
class Folded:
    """`text`: folded, runs of white space as one space, quoted passages blanked out (titles are not dates).

    `source` is the text in NFC, and `at` where each folded character stands in it (one more for the end).
    """

    source: str
    text: str
    at: tuple[int, ...]
    shouted: bool
    """The source is all in capitals, so that they tell nothing."""

    @classmethod
    def of(cls, text: str) -> Folded:
        """Fold any text; no Unicode is refused."""
        source = unicodedata.normalize("NFC", text)
        chars: list[str] = []
        at: list[int] = []
        for index, char in enumerate(source):
            for low in _fold_one(char):
                if low != " " or (chars and chars[-1] != " "):
                    chars.append(low)
                    at.append(index)
        folded = _QUOTED.sub(lambda m: "\x01" * len(m[0]), "".join(chars))
        return cls(source, folded, (*at, len(source)), source.isupper())

    def original(self, start: int, end: int) -> str:
        """The words as they were written."""
        return self.source[self.at[start] : self.at[end]].strip()

    def capital(self, start: int) -> bool:
        """Whether the folded character stands for a capital letter."""
        return self.source[self.at[start]].isupper()

    def begins_sentence(self, start: int) -> bool:
        """Whether a capital there may be due to the place alone."""
        index = self.at[start]
        before = self.source[max(0, index - 20) : index].rstrip(_OPENING)
        return before[-1] in _ENDING if before else index <= 20

    def sentence(self, span: Span) -> str:
        """The sentence (300 characters each way at most) around a span, as written, in lower case."""
        before, after = self.text[max(0, span[0] - _AROUND) : span[0]], self.text[span[1] : span[1] + _AROUND]
        start = span[0] - len(re.split(r"[.!?;] ", before)[-1])
        end = span[1] + len(re.split(r"[.!?;](?: |$)", after)[0])
        return self.original(start, end).lower().replace("’", "'")

    def blanked(self, spans: Iterable[Span]) -> str:
        """The folded text with these passages out of reach of any pattern."""
        pieces: list[str] = []
        done = 0
        for start, end in sorted(spans):
            pieces += [self.text[done:start], "\0" * (end - start)]
            done = end
        return "".join([*pieces, self.text[done:]])

    def without(self, spans: Iterable[Span]) -> str:
        """The source without these passages, its white space and punctuation made good."""
        pieces: list[str] = []
        done = 0
        for start, end in sorted(spans):
            pieces.append(self.source[done : self.at[start]])
            done = max(done, self.at[end])
        if not pieces:
            return self.source.strip()
        rest = re.sub(r"\s+", " ", " ".join([*pieces, self.source[done:]]))
        rest = re.sub(r" (?=[,.…)\]])", "", rest)
        rest = re.sub(r"[,;:](?:[,;:]| (?=[,;:]))+", ",", rest)
        return re.sub(r"[,;:] ?(?=[?!.])", " ", rest).strip(" ,;:–—-").lstrip(".…)]")


@lru_cache(maxsize=4096)
def _fold_one(char: str) -> str:
    return " " if char.isspace() else fold(char)
