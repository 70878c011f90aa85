"""The token that a client shows to the daemon: made once, in a file that its owner alone can read."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from hmf.errors import ConfigError, StoreUnavailable
from hmf.paths import Places

_SHORTEST = 16


def token_file(places: Places) -> Path:
    """Where the token is kept."""
    return places.state_dir / "token"


def make(places: Places, environ: Mapping[str, str]) -> str:
    """The token of HMF_TOKEN, else of the file, which is written with mode 0600 when there is none.

    Raises ConfigError when it is too short to keep anyone out, StoreUnavailable when the file cannot be used.
    """
    given = environ.get("HMF_TOKEN", "").strip()
    path = token_file(places)
    if given:
        return _checked(given, "HMF_TOKEN")
    try:
        if not path.exists():
            _write(path)
        path.chmod(0o600)
        return _checked(path.read_text(encoding="utf-8").strip(), str(path))
    except (OSError, ValueError) as error:
        raise StoreUnavailable(
            f"The token file {path} cannot be used: {error}.", fix="check the rights on it, or delete it."
        ) from error


def read(places: Places, environ: Mapping[str, str]) -> str:
    """The token a client shows. Raises StoreUnavailable when there is none to be read."""
    given = environ.get("HMF_TOKEN", "").strip()
    if given:
        return given
    path = token_file(places)
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as error:
        raise StoreUnavailable(
            f"The daemon's token cannot be read from {path}: {error}.",
            fix="run as the user who started the daemon, or set HMF_TOKEN.",
        ) from error


def _write(path: Path) -> None:
    """Written aside, then put in place: no reader ever sees half a token."""
    part = path.with_name(f"token.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(32) + "\n")
    part.replace(path)


def _checked(token: str, said_by: str) -> str:
    if len(token) < _SHORTEST or not token.isascii() or any(char.isspace() for char in token):
        raise ConfigError(
            f"The token of {said_by} is not usable: it needs {_SHORTEST} characters, without spaces or accents.",
            fix="remove it and start again: HMF makes one.",
        )
    return token
