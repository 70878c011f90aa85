"""Who may speak to the daemon: the checks that come before any request is read."""

from __future__ import annotations

import secrets
from collections.abc import Collection

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hmf.daemon.answers import Problem

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
"""The names this machine has for itself."""
MAX_BODY = 8 * 2**20
"""Bytes in the body of a request, at most."""
OPEN_PATHS = frozenset({"/healthz"})
"""What answers without a token."""
_READS = frozenset({"GET", "HEAD", "OPTIONS"})


class Guard:
    """Refuses foreign hosts and origins (a page in a browser must not reach HMF), strangers, and bodies that are
    no JSON or too large. There is no CORS: no other site is ever let in."""

    def __init__(self, app: ASGIApp, *, token: str, hosts: Collection[str]) -> None:
        """Guard `app`. `hosts`: names, without port, that the Host header may have."""
        self._app = app
        self._token = token.encode()
        self._hosts = frozenset(host.lower().strip("[]") for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a problem, or hand the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope, Headers(scope=scope))
        await (refusal or self._app)(scope, receive if refusal else _limited(receive), send)

    def _refusal(self, scope: Scope, headers: Headers) -> Problem | None:
        host = headers.get("host", "")
        if _name(host) not in self._hosts:
            return Problem(
                403,
                "forbidden",
                f"The daemon does not answer to the host name {host!r}.",
                "use 127.0.0.1, or start it with `--allow-host NAME`.",
            )
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"{scope['scheme']}://{host.lower()}":
            return Problem(403, "forbidden", f"A page of {origin!r} may not speak to the daemon.", None)
        if scope["path"] not in OPEN_PATHS and not self._known(headers.get("authorization", "")):
            return Problem(
                401,
                "unauthorised",
                "The token is missing or wrong.",
                "send `Authorization: Bearer …` with the content of the file `token` in the state folder.",
            )
        return None if scope["method"] in _READS else _wrong_body(headers)

    def _known(self, authorization: str) -> bool:
        scheme, _, token = authorization.partition(" ")
        return scheme.lower() == "bearer" and secrets.compare_digest(token.strip().encode(), self._token)


def _name(host: str) -> str:
    """The host without its port: `[::1]:80` and `::1` are the same."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.rpartition(":")[0].lower() if host.count(":") == 1 else host.lower()


def _wrong_body(headers: Headers) -> Problem | None:
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        return Problem(
            415,
            "invalid-input",
            f"The body is {kind or 'of no type'}, not JSON.",
            "send `Content-Type: application/json`.",
        )
    length = headers.get("content-length", "0")
    return _too_large() if length.isdigit() and int(length) > MAX_BODY else None


def _too_large() -> Problem:
    what = f"The body is larger than {MAX_BODY // 2**20} MB."
    return Problem(413, "invalid-input", what, "send it in parts.")


def _limited(receive: Receive) -> Receive:
    """Count the body as it comes: a sender need not say its length."""
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > MAX_BODY:
            raise HTTPException(413, _too_large().what)
        return message

    return counted
