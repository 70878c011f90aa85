"""`python -m hmf.daemon`: the daemon without the command line around it, for containers and service managers."""

from __future__ import annotations

import argparse
import sys

from hmf.daemon.serve import serve
from hmf.errors import HmfError


def main() -> int:
    """Serve as the arguments say; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m hmf.daemon", description=__doc__)
    parser.add_argument("--home", help="folder that holds everything (default: HMF_HOME)")
    parser.add_argument("--config", help="configuration file (default: HMF_CONFIG, or hmf.yaml in its place)")
    parser.add_argument("--host", help="address to listen on (default: the configured one)")
    parser.add_argument("--port", type=int, help="port to listen on; 0 is any free one")
    parser.add_argument("--allow-remote", action="store_true", help="listen where other machines can connect")
    parser.add_argument("--allow-host", action="append", default=[], help="a further name the daemon answers to")
    given = parser.parse_args()
    try:
        serve(
            given.home,
            given.config,
            given.host,
            given.port,
            allow_remote=given.allow_remote,
            allowed_hosts=given.allow_host,
        )
    except HmfError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
