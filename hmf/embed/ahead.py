"""Embedding the next part of a stream in a process of its own, while this one stores the part before.

The packaged embedders make many small steps under the interpreter's lock, so a second thread only gets in the way
(a text of 3 ms takes 14 beside a busy thread). A second process takes 150 MB while the stream lasts.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Sequence

import numpy as np
import structlog

from hmf.embed.port import Vectors
from hmf.embed.worker import HEAD, READY

log = structlog.get_logger(__name__)


class Ahead:
    """One worker, asked one thing at a time once it is `ready`: `ask`, then `answer`.

    Whatever fails, `answer` gives None and the caller embeds by itself.
    """

    def __init__(self, name: str) -> None:
        """A worker with the embedder of this name; `start` makes it."""
        self._name = name
        self._process: subprocess.Popen[bytes] | None = None
        self._listener: threading.Thread | None = None
        self._loaded = threading.Event()
        self._failed = False
        self._asked = False

    def start(self) -> None:
        """Begin to load the model, without waiting for it."""
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                [sys.executable, "-m", "hmf.embed.worker", self._name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            self._fail(error)
            return
        self._listener = threading.Thread(target=self._listen, args=(self._process,), name="hmf-ahead", daemon=True)
        self._listener.start()

    @property
    def ready(self) -> bool:
        """Whether asking is worth it now."""
        return self._loaded.is_set() and not self._failed

    def wait(self, seconds: float) -> bool:
        """Wait so long for the model at most; whether it is there."""
        return self._loaded.wait(seconds) and not self._failed

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None  # noqa: S101 - a pipe was asked for
        if process.stdout.read(1) == READY:
            self._loaded.set()

    def ask(self, texts: Sequence[str]) -> None:
        """Let the worker begin on these texts. What was asked before must have been answered."""
        if not self.ready or self._process is None or not texts:
            return
        assert self._process.stdin is not None  # noqa: S101 - a pipe was asked for
        try:
            self._process.stdin.write(json.dumps(list(texts)).encode() + b"\n")
            self._process.stdin.flush()
            self._asked = True
        except OSError as error:
            self._fail(error)

    def answer(self) -> Vectors | None:
        """The vectors of what was asked, waiting for them; None when nothing was, or the worker is gone."""
        if not self._asked:
            return None
        self._asked = False
        assert self._process is not None  # noqa: S101
        assert self._process.stdout is not None  # noqa: S101
        head = self._process.stdout.read(HEAD.size)
        if len(head) < HEAD.size:
            self._fail("it ended")
            return None
        rows, dimension = HEAD.unpack(head)
        body = self._process.stdout.read(4 * rows * dimension)
        if len(body) < 4 * rows * dimension:
            self._fail("it ended")
            return None
        return np.frombuffer(body, np.float32).reshape(rows, dimension)

    def close(self) -> None:
        """End the worker. Twice is harmless."""
        process, self._process, self._asked = self._process, None, False
        if process is not None:
            process.kill()  # it holds nothing that matters
            if self._listener is not None:
                self._listener.join()
            process.communicate()

    def _fail(self, why: object) -> None:
        log.warning("embed.worker_failed", why=str(why))
        self._failed = True
        self.close()
