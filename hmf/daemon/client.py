"""Going through a daemon that runs: the same operations, over HTTP on this machine."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

import httpx

from hmf.daemon import tokens
from hmf.errors import ConfigError, HmfError, StoreUnavailable
from hmf.paths import Places
from hmf.service.lock import StoreLock

_TIMEOUT = httpx.Timeout(600.0, connect=3.0)
"""Seconds. Generous, since a reindex is one call; a daemon on this machine is reached at once or not at all."""
_RESTART = "look at the daemon's log; stop it and start `hmf serve` again if it hangs."


class Client:
    """A connection to a daemon. Use as a context manager."""

    def __init__(self, url: str, token: str) -> None:
        """Speak to the daemon at `url`. Proxies and other settings of the environment are left aside."""
        self.url = url
        headers = {"Authorization": f"Bearer {token}"}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=_TIMEOUT, trust_env=False)

    def health(self) -> dict[str, Any]:
        """What /healthz says. Raises StoreUnavailable when it does not answer within five seconds."""
        return self._sent(self._http.build_request("GET", "/healthz", timeout=5.0))

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call an operation. Raises the HmfError that the daemon met, StoreUnavailable when it cannot be reached."""
        # ASCII JSON carries even half characters, which UTF-8 cannot.
        body = json.dumps(dict(arguments), ensure_ascii=True).encode()
        headers = {"Content-Type": "application/json"}
        return self._sent(self._http.build_request("POST", f"/v1/op/{name}", content=body, headers=headers))

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _sent(self, request: httpx.Request) -> dict[str, Any]:
        try:
            response = self._http.send(request)
            answer = response.json()
        except httpx.HTTPError as error:
            raise StoreUnavailable(
                f"The daemon at {self.url} does not answer ({type(error).__name__}).", fix=_RESTART
            ) from error
        except ValueError as error:
            raise StoreUnavailable(f"What answers at {self.url} is not HMF.", fix=_RESTART) from error
        if not isinstance(answer, dict):
            raise StoreUnavailable(f"What answers at {self.url} is not HMF.", fix=_RESTART)
        if response.is_error:
            raise error_of(answer, response.status_code)
        return answer


def connect(places: Places) -> Client | None:
    """A client of the daemon that holds the store of `places`; None when no daemon does.

    Raises StoreUnavailable when the store's owner serves and does not answer, or the token cannot be read.
    """
    owner = StoreLock(places.data_dir).owner()
    if owner is None or owner.url is None:
        return None
    client = Client(owner.url, tokens.read(places, os.environ))
    try:
        client.health()
    except HmfError:
        client.close()
        raise
    return client


def error_of(problem: Mapping[str, Any], status: int) -> HmfError:
    """The error that a problem document tells of, in its own class."""
    what = str(problem.get("what") or problem.get("detail") or f"The daemon answered {status}.")
    fix = problem.get("fix")
    said = None if fix is None else str(fix)
    kind = _classes(HmfError).get(str(problem.get("code")), HmfError)
    if issubclass(kind, ConfigError):
        return kind(what, fix=said, problems=tuple(map(str, problem.get("problems", ()))))
    return kind(what, fix=said)


def _classes(root: type[HmfError]) -> dict[str, type[HmfError]]:
    found = {root.code: root}
    for kind in root.__subclasses__():
        found |= _classes(kind)
    return found
