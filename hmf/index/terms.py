"""How many memories hold each word: kept beside the index, so that a rare word can count for more than a common one.

The engine keeps such counts for itself and does not tell them. These are an approximation (words share buckets, what is
deleted still counts), which is enough to weigh the words of a question; a reindex counts afresh.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable
from pathlib import Path

import numpy as np

_BUCKETS = 1 << 18
_ELSEWHERE, _KNOWN = 10, 1
"""Texts that are counted beside the store's own, and how many of them hold any one word. Among one or two notes, a word
of the question that none of them has would otherwise outweigh all those that they have."""


class TermCounts:
    """Document frequencies in a fixed table of buckets (1 MB)."""

    def __init__(self, file: Path | None) -> None:
        """Read `file` when it exists and is whole; None keeps the counts in memory only."""
        self._file = file
        self._counts = np.zeros(_BUCKETS + 1, np.int32)
        self._dirty = False
        if file is not None and file.exists():
            try:
                counts = np.load(file, allow_pickle=False)
            except (OSError, ValueError, EOFError):
                return  # counted again at the next reindex; until then every word weighs the same
            if counts.shape == self._counts.shape and counts.dtype == np.int32:
                self._counts = counts

    def add(self, documents: Iterable[Iterable[int]]) -> None:
        """Count texts, each given as the numbers of its tokens."""
        for numbers in documents:
            buckets = np.fromiter({n % _BUCKETS for n in numbers}, np.int64)
            self._counts[buckets] += 1
            self._counts[_BUCKETS] += 1
            self._dirty = True

    def weight(self, term: str) -> float:
        """The inverse document frequency of a stem, BM25's: ln(1 + (N - n + 0.5) / (n + 0.5)), with the texts that are
        taken to be elsewhere."""
        total = int(self._counts[_BUCKETS])
        found = min(total, int(self._counts[zlib.crc32(term.encode("utf-8", "surrogatepass")) % _BUCKETS]))
        total, found = total + _ELSEWHERE, found + _KNOWN
        return math.log(1 + (total - found + 0.5) / (found + 0.5))

    @property
    def texts(self) -> int:
        """How many texts were counted."""
        return int(self._counts[_BUCKETS])

    def clear(self) -> None:
        """Start counting from nothing."""
        self._counts[:] = 0
        self._dirty = True

    def save(self) -> None:
        """Write the counts, whole or not at all. A disk that cannot take them is no trouble: the next time will do."""
        if self._file is None or not self._dirty:
            return
        part = self._file.with_suffix(".part")
        try:
            part.parent.mkdir(parents=True, exist_ok=True)  # with a server, nothing else makes it
            with part.open("wb") as out:
                np.save(out, self._counts)
            part.replace(self._file)
        except OSError:
            return
        self._dirty = False
