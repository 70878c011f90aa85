"""Who and what belongs to a subject: the names that stand beside it in what is known of it.

Asked to sum up a client, one wants what the client's editor said too, though the note names only the editor.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from hmf.memory import Memory
from hmf.policy import naming
from hmf.policy.folding import fold, spaced

_ARTICLES = frozenset({"le", "la", "les", "l", "the", "d", "de", "du", "des"})
_BESIDE = 3
"""How many of the best memories of a subject are read for names."""


def named(memory: Memory, names: Collection[str]) -> float:
    """Share of the folded `names` that the memory holds, in its text or in what is written beside it."""
    if not names:
        return 0.0
    about = (memory.title, memory.project, memory.source.author, " ".join(memory.tags), memory.text)
    text = _plain(" ".join(filter(None, about)))
    return sum(f" {_plain(name).strip()} " in text for name in names) / len(names)


def beside(best: Iterable[Memory], names: Collection[str]) -> frozenset[str]:
    """Folded names of two words and more that stand in the best memories of the subject called `names`."""
    found: set[str] = set()
    read = [memory for memory in best if named(memory, names) == 1.0][:_BESIDE] if names else []
    for memory in read:
        found.update(name for name in _names(memory.text) if " " in name)
    return frozenset(name for name in found if not any(name in asked or asked in name for asked in names))


@lru_cache(maxsize=2048)
def _names(text: str) -> tuple[str, ...]:
    return tuple(fold(name) for name in naming.names(text))


@lru_cache(maxsize=8192)
def _plain(text: str) -> str:
    """Folded, its words a blank apart and around; without the articles that a name may begin with."""
    return f" {' '.join(word for word in spaced(text).split() if word not in _ARTICLES)} "
