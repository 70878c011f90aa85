"""The environment variables HMF knows. An unknown one is a mistake, and never ignored."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType

from hmf.config.wording import suggestion

KNOWN = MappingProxyType(
    {
        "HMF_HOME": "folder that holds everything: configuration, data, state and cache (a full path)",
        "HMF_CONFIG": "configuration file to use (a full path)",
        "HMF_TOKEN": "token that a client shows to the daemon",
        "HMF_LOG": "how much is logged: debug, info, warning or error",
    }
)


def problems(environ: Mapping[str, str], allowed: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """(variable, complaint) for each unknown `HMF_*`; `allowed` are the names that the configuration gives to keys.

    Values are never repeated: they may be secrets.
    """
    for name in sorted(environ):
        if not name.upper().startswith("HMF_") or name.startswith("HMF_TEST_"):
            continue
        if name in KNOWN or name in allowed:
            continue
        if name.upper().startswith("HMF__"):
            key = ".".join(re.split("__+", name)[1:]).lower()
            yield name, f"settings are not read from the environment: write `{key}` in the configuration file"
            continue
        near = suggestion(name, KNOWN)
        hint = f"did you mean {near!r}?" if near else f"the variables are {', '.join(KNOWN)}"
        yield name, f"unknown variable; {hint}"
