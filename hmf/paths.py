"""Where HMF keeps things: the same full paths whatever folder it is started from."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from platformdirs import PlatformDirs

from hmf.errors import ConfigError, StoreUnavailable

_FILE = "hmf.yaml"


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of one HMF, and its configuration file (which need not exist). All are full, resolved paths."""

    config_dir: Path
    data_dir: Path
    state_dir: Path
    cache_dir: Path
    config_file: Path


def places(home: str | Path | None, environ: Mapping[str, str]) -> Places:
    """Where everything is: below `home`, else below HMF_HOME, else where the system keeps such things.

    HMF_CONFIG names another configuration file. `~` is expanded; a blank variable counts as unset.
    Raises ConfigError for a path that would depend on the current folder.
    """
    base, said_by = (home, "The home folder") if home is not None else (environ.get("HMF_HOME"), "HMF_HOME")
    if home is not None or str(base or "").strip():
        root = _full(str(base), said_by)
        config, data, state, cache = root, root / "data", root / "state", root / "cache"
    else:
        dirs = PlatformDirs("hmf", appauthor=False)
        config = _full(dirs.user_config_dir, "The system's configuration folder")
        data = _full(dirs.user_data_dir, "The system's data folder")
        state = _full(dirs.user_state_dir, "The system's state folder")
        cache = _full(dirs.user_cache_dir, "The system's cache folder")
    named = environ.get("HMF_CONFIG", "")
    file = _full(named, "HMF_CONFIG") if named.strip() else config / _FILE
    return Places(config, data, state, cache, file)


def prepare(where: Places) -> None:
    """Create the folders that are missing, for their owner alone, and check that HMF may write in them.

    Raises StoreUnavailable, naming every folder that cannot be used.
    """
    troubles = []
    for folder, writes in (
        (where.config_dir, False),
        (where.data_dir, True),
        (where.state_dir, True),
        (where.cache_dir, True),
    ):
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if writes:
                with tempfile.TemporaryFile(dir=folder):
                    pass
        except OSError as error:
            troubles.append(f"{folder} ({error.strerror or error})")
    if troubles:
        raise StoreUnavailable(
            f"HMF cannot use its folders: {'; '.join(troubles)}.",
            fix="give yourself the right to write there, or set HMF_HOME to a folder of your own.",
        )


def shipped_config() -> Path:
    """The configuration that comes with HMF: inside the installed package, or in `config/` of a checkout.

    Raises ConfigError when the installation lacks it.
    """
    package = Path(__file__).resolve().parent
    for folder in (package / "_config", package.parent / "config"):
        if (folder / _FILE).is_file():
            return folder / _FILE
    raise ConfigError(f"The default configuration is missing from {package}.", fix="install hmf-memory again.")


def _full(text: str, said_by: str) -> Path:
    try:
        path = Path(text).expanduser()
        if path.is_absolute():
            return path.resolve()
        full = path.resolve()
    except (RuntimeError, ValueError, OSError) as error:
        raise ConfigError(
            f"{said_by} is {text!r}, which is not a usable path: {error}.", fix="write a full path."
        ) from None
    raise ConfigError(
        f"{said_by} is {text!r}, which would be another folder each time HMF is started from elsewhere.",
        fix=f"write the full path, {str(full)!r} if it is the one seen from here.",
    )
