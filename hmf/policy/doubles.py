"""Candidates for having been told twice, found in one pass over many texts.

`hmf.policy.twins` judges a pair of texts; to compare each with each is out of the question. Here a text is a sum of
numbers, one a word: a text without one of its words has that sum less the word's number, so that texts which differ by
a word more, less or another one meet in a table. The numbers of a process are its own: what meets is only ever a
candidate, and is judged.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from hmf.policy.folding import fold
from hmf.policy.language import FUNCTION_WORDS

_WORDS = re.compile(r"\d+(?:[.,/:-]\d+)*|[^\W_]+")
_SMALL = frozenset(fold(word) for words in FUNCTION_WORDS.values() for word in words)
_ROOT = 5
"""Letters of a word that count: its other forms share them."""
_SHORT, _LONG = 5, 40
"""Texts of fewer words are taken apart by nobody; of more, each word would cost an entry in the table."""


@dataclass(slots=True)
class Doubles:
    """Texts met so far, by number; `pairs` are those that may say the same."""

    pairs: set[tuple[str, str]] = field(default_factory=set)
    _first: dict[int, str] = field(default_factory=dict)

    def add(self, name: str, among: Hashable, text: str, folded: str) -> None:
        """Take one more text, with its folded form. Only texts with an equal `among` are compared."""
        words = [word[:_ROOT] for word in _WORDS.findall(folded) if word not in _SMALL]
        whole = hash(among) + sum(map(hash, words))
        if (first := self._first.setdefault(whole, name)) is not name:
            self.pairs.add((first, name))
        if _SHORT <= len(words) <= _LONG:
            names = {word.casefold()[:_ROOT] for word in text.split()[1:] if word[0].isupper()}
            meet = self._first.setdefault
            for word in set(words) - names:  # two texts that differ by a name or a figure do not say the same
                if word.isalpha() and (first := meet(whole - hash(word), name)) is not name:
                    self.pairs.add((first, name))


def groups(pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The names that pairs hold together, each group sorted, in order of their first."""
    root: dict[str, str] = {}

    def find(name: str) -> str:
        while root.setdefault(name, name) != name:
            root[name] = root[root[name]]
            name = root[name]
        return name

    for one, other in pairs:
        a, b = sorted((find(one), find(other)))
        root[b] = a
    found: dict[str, list[str]] = {}
    for name in root:
        found.setdefault(find(name), []).append(name)
    return sorted(sorted(group) for group in found.values())
