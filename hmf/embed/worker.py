"""The other end of `hmf.embed.ahead`: a process that does nothing but embed, `python -m hmf.embed.worker NAME`.

It says one byte once its model is loaded. Then it reads texts as one JSON list a line, and answers each line with eight
bytes (rows, numbers a row; little-endian) and the rows as float32. It ends when its input does, and at the first
failure: the caller then embeds by itself.
"""

from __future__ import annotations

import json
import struct
import sys
from typing import BinaryIO

import numpy as np

from hmf.embed.factory import build

HEAD = struct.Struct("<II")
READY = b"!"


def main(name: str, asked: BinaryIO, answers: BinaryIO) -> None:
    """Answer until there is nothing left to read."""
    embedder = build(name)
    embedder.documents(["."])
    answers.write(READY)
    answers.flush()
    for line in asked:
        rows = np.ascontiguousarray(embedder.documents(json.loads(line)), np.float32)
        answers.write(HEAD.pack(*rows.shape) + rows.tobytes())
        answers.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.stdin.buffer, sys.stdout.buffer)
