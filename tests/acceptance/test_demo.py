"""The demonstration holds: a year is lived and the eight questions are answered as they should be."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_the_example_year_is_answered_right(tmp_path: Path):
    hmf = Path(sys.executable).with_name("hmf")
    done = subprocess.run(
        [hmf, "demo"],
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
        env={"HOME": str(tmp_path), "LANG": "C.UTF-8"},
    )
    assert done.returncode == 0, done.stderr[-2000:] + done.stdout[-4000:]
    assert "8 of 8 questions answered as expected, 0 outdated or abandoned notes shown" in done.stdout
    assert "no memory answers this" in done.stdout
    assert "Traceback" not in done.stderr
