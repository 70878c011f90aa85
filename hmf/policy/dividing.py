"""How a category that has grown too large could be divided: by meaning, each part named in its own words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hmf.memory import Memory
from hmf.policy import naming
from hmf.policy.clusters import Rows
from hmf.policy.language import FUNCTION_WORDS
from hmf.policy.stems import stems

_PARTS = range(2, 7)
"""So many drawers a person would make of one."""

_SMALLEST = 0.08
"""Share of the category from which a part is worth a drawer."""

_TYPICAL = 1 / 3
"""Share of a part's memories that a project or a name is in for it to be the part's name."""

_WORD = re.compile(r"[^\W\d_]+")

_READ = 300
"""Characters of each memory that are read for names and words."""


def divided(rows: Rows) -> list[list[int]]:
    """Row numbers by part, the largest part first and the most typical of each first; empty where nothing parts them.

    Ward's method (scipy) over unit rows; of two to six parts the division whose parts are furthest apart for their
    width (Calinski and Harabasz, 1974). Parts too small for a drawer go to the nearest large one.
    """
    if len(rows) < 2 * len(_PARTS):
        return []
    from scipy.cluster.hierarchy import cut_tree, linkage

    wide: NDArray[np.float64] = np.round(rows, 6).astype(np.float64)
    cuts = cut_tree(linkage(wide, "ward"), n_clusters=list(_PARTS)).T
    best = max(cuts, key=lambda labels: (round(_apart(wide, labels), 6), -int(labels.max())))
    centres = [wide[best == label].mean(axis=0) for label in range(int(best.max()) + 1)]
    large = [c for label, c in enumerate(centres) if (best == label).mean() >= _SMALLEST]
    if len(large) < 2:
        return []
    cosines = wide @ np.array(large).T
    nearest = cosines.argmax(axis=1)
    parts = []
    for place in range(len(large)):
        own = np.flatnonzero(nearest == place)
        parts.append([int(n) for n in own[np.argsort(-cosines[own, place], kind="stable")]])
    return sorted((p for p in parts if p), key=lambda p: (-len(p), p))


def _apart(rows: NDArray[np.float64], labels: NDArray[np.intp]) -> float:
    count, parts = len(rows), int(labels.max()) + 1
    middle, between, within = rows.mean(axis=0), 0.0, 0.0
    for label in range(parts):
        own = rows[labels == label]
        centre = own.mean(axis=0)
        between += len(own) * float(((centre - middle) ** 2).sum())
        within += float(((own - centre) ** 2).sum())
    return (between / (parts - 1)) / max(within / (count - parts), 1e-12)


def named(parts: Sequence[Sequence[Memory]], language: str) -> list[str]:
    """A name for each part, all different: its project, else a name in its texts, else the words that tell it from the
    other parts, as its notes write them. `language`: of the notes that have none."""
    words = [_words(part, language) for part in parts]
    everywhere = Counter[str]()
    for own in words:
        everywhere.update({stem: forms.total() for stem, forms in own.items()})
    found: list[str] = []
    for part, own in zip(parts, words, strict=True):
        candidates = [*_typical(part), _telling(own, everywhere)]
        found.append(next((name for name in candidates if name and name not in found), str(len(found) + 1)))
    return found


def _typical(part: Sequence[Memory]) -> list[str]:
    """Projects, then names in the texts, that a third of the part has in common, the commonest first."""
    projects = Counter(m.project for m in part if m.project)
    names = Counter(name for m in part for name in dict.fromkeys(naming.names(m.text[:_READ])))
    least = _TYPICAL * len(part)
    return [name for counts in (projects, names) for name in _ordered(counts) if counts[name] >= least]


def _ordered(counts: Counter[str]) -> list[str]:
    return sorted(counts, key=lambda word: (-counts[word], word))


def _words(part: Sequence[Memory], language: str) -> dict[str, Counter[str]]:
    """By stem, in how many memories of the part each of its forms stands."""
    found: dict[str, Counter[str]] = {}
    for memory in part:
        own = memory.language or language
        small = FUNCTION_WORDS.get(own, frozenset())
        words = [word for word in _WORD.findall(memory.text[:_READ].lower()) if word not in small]
        roots = stems(" ".join(words), own, function_words=True)
        if len(roots) == len(words):  # a script without spaces is cut otherwise, and tells no words to name a part by
            for word, root in dict(zip(words, roots, strict=True)).items():
                if len(root) > 2:
                    found.setdefault(root, Counter())[word] += 1
    return found


def _telling(own: dict[str, Counter[str]], everywhere: Counter[str]) -> str:
    """The two words that are commonest here and rarest elsewhere, in the form in which they are written most."""
    worth = {stem: (n := forms.total()) * n / everywhere[stem] for stem, forms in own.items()}
    best = sorted(worth, key=lambda stem: (-worth[stem], stem))[:2]
    return ", ".join(_ordered(own[stem])[0] for stem in best)
