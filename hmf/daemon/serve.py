"""The daemon: open the store, take the port, say where it is, run the schedule, and leave in good order."""

from __future__ import annotations

import errno
import ipaddress
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import psutil
import structlog
import uvicorn

from hmf.daemon import logging, tokens
from hmf.daemon.app import create_app
from hmf.daemon.guard import LOOPBACK
from hmf.errors import ConfigError, HmfError, StoreUnavailable
from hmf.schedule import Scheduler
from hmf.service.api import Hmf
from hmf.service.lock import Owner

log = structlog.get_logger(__name__)
ROLE = "hmf serve"
_PATIENCE = 60
"""Seconds that a request in hand may take once the daemon was asked to stop."""
_FORCED = 130


def serve(
    home: str | Path | None = None,
    config: str | Path | Mapping[str, Any] | None = None,
    host: str | None = None,
    port: int | None = None,
    *,
    allow_remote: bool = False,
    allowed_hosts: Sequence[str] = (),
) -> None:
    """Serve until SIGTERM or SIGINT, then finish what is in hand, close the store and return.

    `host` and `port` go before the configured ones; port 0 takes any that is free. `allow_remote`: a host that
    other machines can reach is meant. `allowed_hosts`: further names that requests may be addressed to.
    Raises ConfigError for a host off this machine without `allow_remote`, StoreLocked when another process owns
    the store, StoreUnavailable when the port is taken, and all that `Hmf.open` raises.
    """
    logging.configure(logging.level_of(os.environ))
    with Hmf.open(home, config, role=ROLE) as memory:
        where = host or memory.settings.server.host
        _check_reach(where, allow_remote)
        with closing(listen(where, memory.settings.server.port if port is None else port)) as listener:
            _serve(memory, listener, where, allowed_hosts)
    log.info("serve.stopped")


def _serve(memory: Hmf, listener: socket.socket, host: str, allowed_hosts: Sequence[str]) -> None:
    token = tokens.make(memory.store.places, os.environ)
    scheduler = Scheduler(memory)
    app = create_app(memory, token=token, allowed_hosts={*LOOPBACK, host, *allowed_hosts}, scheduler=scheduler)
    server = _Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            lifespan="off",
            server_header=False,
            timeout_graceful_shutdown=_PATIENCE,
        )
    )

    def stop() -> None:
        server.should_exit = True
        scheduler.ask_to_stop()

    with _on_signals(stop):
        url = address(listener, host)
        _announce(memory, url)
        scheduler.start()
        warming = threading.Thread(target=_warm, args=(memory,), name="hmf-warm", daemon=True)
        warming.start()
        log.info("serve.ready", url=url, process=os.getpid(), data=str(memory.store.places.data_dir))
        try:
            server.run(sockets=[listener])
        finally:
            log.info("serve.stopping")
            scheduler.stop()
            warming.join(_PATIENCE)
            # A writer that outlasted the server's patience ends its transaction before the store closes under it.
            with memory.store.guard:
                memory.close()


def _warm(memory: Hmf) -> None:
    """Open everything while nobody asks yet: at 100,000 memories a first question would wait two seconds for it."""
    try:
        memory.warm()
    except HmfError as error:
        log.warning("serve.not_warm", error=str(error))  # who asks will be told, or the repair will have mended it
    else:
        log.info("serve.warm")


class _Server(uvicorn.Server):
    """A server that leaves signals to the daemon: uvicorn's own handlers would end the process before the store
    is closed."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextmanager
def _on_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` on SIGTERM and SIGINT; a second SIGINT ends the process there and then (the ledger bears it)."""
    asked = threading.Event()

    def handle(number: int, _frame: FrameType | None) -> None:
        if number == signal.SIGINT and asked.is_set():
            os._exit(_FORCED)
        asked.set()
        stop()

    if threading.current_thread() is not threading.main_thread():
        yield  # Only the main thread may set handlers; whoever embeds the daemon has its own way to stop it.
        return
    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises StoreUnavailable, naming who holds the port where the system tells."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise StoreUnavailable(
                f"Port {port} of {host} is taken{_holder(port)}; the daemon was not started.",
                fix="stop that program, or choose another port: `server.port` in hmf.yaml, 0 for any free one.",
            ) from error
        raise StoreUnavailable(
            f"The daemon cannot listen on {host}, port {port}: {error.strerror or error}.",
            fix="correct `server.host` and `server.port` in hmf.yaml (ports below 1024 need rights).",
        ) from error


def address(listener: socket.socket, host: str) -> str:
    """The URL at which a client on this machine reaches the listener."""
    port = listener.getsockname()[1]
    reach = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - told apart, not bound
    return f"http://[{reach}]:{port}" if ":" in reach else f"http://{reach}:{port}"


def _check_reach(host: str, allow_remote: bool) -> None:
    try:
        local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = host.lower() == "localhost"
    if not local and not allow_remote:
        raise ConfigError(
            f"The host {host!r} can be reached from other machines, and what HMF knows is private.",
            fix="use 127.0.0.1, or say `--allow-remote` where a firewall or a tunnel stands before it.",
        )


def _announce(memory: Hmf, url: str) -> None:
    store = memory.store
    me = psutil.Process()
    store.lock.announce(Owner(me.pid, me.create_time(), store.now().isoformat(), ROLE, url))


def _holder(port: int) -> str:
    """` by NAME (process N)`, as far as this user may know."""
    try:
        for one in psutil.net_connections(kind="tcp"):
            if one.status == psutil.CONN_LISTEN and one.laddr and one.laddr.port == port and one.pid:
                return f" by {psutil.Process(one.pid).name()} (process {one.pid})"
    except psutil.Error:
        pass  # Some systems tell it to the administrator alone.
    return ""
