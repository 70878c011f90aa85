"""Every bench in turn, as tables: `make bench`, or `python bench/run.py [--quick]` from the repository.

Half an hour on two cores (`--quick`, without the 100,000 memories: three minutes). The load of the machine is
printed before and after: figures of a busy machine say little.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def main(quick: bool) -> None:
    """Run each bench in a process of its own, so that none warms the next."""
    sizes = ["1000", "10000"] if quick else ["1000", "10000", "100000"]
    for bench in (["bench.adds"], ["bench.scale", *sizes]):
        print(
            f"\nload average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores: python -m {' '.join(bench)}\n",
            flush=True,
        )
        subprocess.run([sys.executable, "-m", *bench], cwd=ROOT, check=True)
    print(f"\nload average {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main("--quick" in sys.argv[1:])
