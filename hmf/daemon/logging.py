"""Logs: one line an event on stderr, as JSON or for the eye. What memories say stays out of them above debug."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any

import structlog
from structlog.typing import Processor

from hmf.errors import ConfigError

PRIVATE = frozenset({"text", "query", "title", "draft", "memory", "note", "before", "after", "arguments", "body"})
"""Keys under which an event could carry what a person wrote."""
_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


def level_of(environ: Mapping[str, str]) -> str:
    """The level that HMF_LOG asks for, `info` by default. Raises ConfigError for an unknown one."""
    level = environ.get("HMF_LOG", "").strip().lower() or "info"
    if level not in _LEVELS:
        raise ConfigError(f"HMF_LOG is {level!r}, which is no level.", fix=f"one of: {', '.join(_LEVELS)}.")
    return level


def configure(level: str = "info", *, json: bool | None = None) -> None:
    """Send every log line of HMF and of its libraries to stderr.

    `json`: one object a line, or False for the eye; None is JSON unless stderr is a terminal. Must come first:
    libraries that find no handler install their own.
    """
    as_json = not sys.stderr.isatty() if json is None else json
    shared: list[Processor] = [
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        without_private,
    ]
    last: list[Processor] = (
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=True)]
        if as_json
        # A traceback with the values of its variables would print what memories say.
        else [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last]
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(_LEVELS[level])
    for noisy in ("uvicorn", "httpx", "httpcore", "alembic", "apscheduler", "sqlalchemy"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.stdlib.PositionalArgumentsFormatter(),
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def without_private(_logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Take out of an event whatever a person may have written, unless it is a debug one."""
    if method != "debug":
        for key in PRIVATE & event.keys():
            event[key] = "(not logged)"
    return event
