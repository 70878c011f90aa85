"""A long stream of additions: the next part is embedded by a second process while this one stores the part before."""

from __future__ import annotations

import os
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from hmf.embed.ahead import Ahead
from hmf.service.indexing import Indexer


class Foresight:
    """Vectors of texts that are about to be added. Nothing depends on it: what it does not know is embedded later."""

    def __init__(self, indexer: Indexer, embedder: str | None) -> None:
        """`embedder`: the name that a second process knows it by; None, or a machine of one core, and nothing is
        foreseen."""
        self._indexer = indexer
        self._ahead = Ahead(embedder) if embedder and (os.cpu_count() or 1) > 1 else None
        self._asked: list[str] = []

    def start(self) -> None:
        """Let the second process load its model, which takes it a second."""
        if self._ahead is not None:
            self._ahead.start()

    @property
    def ready(self) -> bool:
        """Whether there is somebody to work ahead."""
        return self._ahead is not None and self._ahead.ready

    def begin(self, texts: Sequence[str], languages: Sequence[str]) -> None:
        """Start on these texts."""
        if self._ahead is not None:
            self._asked = self._indexer.unknown(texts, languages)
            self._ahead.ask(self._asked)

    def finish(self) -> None:
        """Wait for what was begun, and let the indexer know it."""
        found = self._ahead.answer() if self._ahead is not None and self._asked else None
        if found is not None and len(found) == len(self._asked):
            self._indexer.learn(dict(zip(self._asked, found, strict=True)))
        self._asked = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._ahead is not None:
            self._ahead.close()
