"""One command's way to the memory: the daemon where one answers, else the store itself under its lock."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from hmf.cli.output import Json, warn
from hmf.cli.words import Screen
from hmf.errors import ConfigError, InvalidInput, UnknownCategory
from hmf.paths import Places, places

if TYPE_CHECKING:
    from hmf.config import Settings
    from hmf.daemon.client import Client
    from hmf.service import Hmf

_EVERY_NAMESPACE = frozenset({"add_many", "doctor", "jobs", "policies", "reindex", "run_job"})

_SAYING_WHERE = frozenset({"apply", "decide"})
"""Operations that write in the journal where a person gave the order."""


@dataclass(frozen=True, slots=True)
class Options:
    """The global options, as given."""

    home: str | None = None
    config: str | None = None
    namespace: str | None = None


class Session:
    """The memory as seen by one command. Nothing is opened before it is needed."""

    def __init__(self, options: Options, role: str, *, reindexing: bool = False) -> None:
        """`role` is what others read when they find the store held. Raises ConfigError for an unusable path."""
        self._options = options
        self._role = role
        self._reindexing = reindexing
        self._memory: Hmf | None = None
        for name, value in (("--home", options.home), ("--config", options.config)):
            if value is not None and not value.strip():
                raise ConfigError(f"{name} is empty.", fix="name a path, or leave the option out.")
        self.places: Places = places(_full(options.home), os.environ)

    @property
    def config_file(self) -> Path:
        """The configuration file in use, which need not exist."""
        named = _full(self._options.config)
        return Path(named) if named else self.places.config_file

    @property
    def source(self) -> Path | None:
        """What to read the configuration from: None when no file was named and there is none."""
        named = self._options.config or os.environ.get("HMF_CONFIG", "").strip()
        return self.config_file if named or self.config_file.exists() else None

    @cached_property
    def settings(self) -> Settings:
        """The configuration in force. Raises ConfigError."""
        from hmf.config import load

        return self._memory.settings if self._memory else load(self.source, environ=os.environ)

    @cached_property
    def namespace(self) -> str:
        """Whose memory: as asked, else as configured. Raises InvalidInput for a name that cannot be one."""
        from hmf.service.notes import check

        name = self.settings.namespace if self._options.namespace is None else self._options.namespace
        try:
            return check({"text": "-", "namespace": name}).namespace
        except InvalidInput:
            raise InvalidInput(
                f"{name[:80]!r} cannot be a namespace.",
                fix="begin with a small letter or a digit, then small letters, digits, `.`, `-`, `_`, 64 at most.",
            ) from None

    @cached_property
    def screen(self) -> Screen:
        """How to speak to this user, now."""
        from hmf.service.store import utc_now

        return Screen(self.settings.spoken(os.environ), self.settings.zone, utc_now())

    @cached_property
    def client(self) -> Client | None:
        """The daemon, where one answers for this store."""
        from hmf.daemon.client import connect

        found = connect(self.places)
        if found is not None and self._options.config:
            warn(["a daemon answers, with its own configuration: --config only sets how this command shows things"])
        return found

    @cached_property
    def memory(self) -> Hmf:
        """The store, opened in this process. Raises StoreLocked naming the owner, and what `Hmf.open` raises."""
        from hmf.service import Hmf

        self._memory = Hmf.open(self.home, self.source, role=self._role, reindexing=self._reindexing)
        return self._memory

    @property
    def home(self) -> str | None:
        """The home folder as a full path, or None for the usual places."""
        return _full(self._options.home)

    def call(self, name: str, **arguments: Any) -> Json:
        """An operation by name (see `hmf.service.operations`), in this session's namespace.

        Raises what the operation raises, and InvalidInput for text that is not Unicode.
        """
        _must_be_text(arguments)
        self._open()
        if name not in _EVERY_NAMESPACE:
            arguments["namespace"] = self.namespace
        if name in _SAYING_WHERE:
            arguments["face"] = "cli"
        if self.client is not None:
            return self.client.call(name, arguments)
        answer: Json = self._operations.call(name, arguments)
        return answer

    def _open(self) -> None:
        """Reach the memory before anything asks for the settings: an open store has read them already."""
        if self.client is None:
            _ = self.memory

    def export(self) -> Iterator[str]:
        """The lines of an export; streamed where the store is open here."""
        if self.client is not None:
            yield from self.call("export")["lines"]
        else:
            yield from self.memory.export(self.namespace)

    def category(self, name: str | None) -> str | None:
        """The category a name or label means; one that only memories still name is left as it is.

        Raises UnknownCategory.
        """
        from hmf.config import resolve_category

        if name is None:
            return None
        self._open()
        try:
            return resolve_category(name, self.settings)
        except UnknownCategory:
            if name in self.call("stats")["unconfigured"]:
                return name
            raise

    @cached_property
    def _operations(self) -> Any:
        from hmf.service.operations import Operations

        return Operations(self.memory)

    def close(self) -> None:
        """Close what was opened."""
        client = self.__dict__.get("client")
        if client is not None:
            client.close()
        if self._memory is not None:
            self._memory.close()


@contextmanager
def opened(ctx: typer.Context, *, reindexing: bool = False) -> Iterator[Session]:
    """The session of a command, closed at its end."""
    options = ctx.find_object(Options) or Options()
    session = Session(options, ctx.command_path, reindexing=reindexing)
    try:
        yield session
    finally:
        session.close()


def whole_id(part: str, ids: list[str], what: str, see: str) -> str:
    """The one of `ids` that `part` is, begins or ends. An id that none fits is given back, for the store to judge.

    Raises InvalidInput when several fit.
    """
    fit = [one for one in ids if one == part] or [
        one for one in ids if len(part) >= 6 and (one.startswith(part) or one.endswith(part))
    ]
    if len(fit) > 1:
        raise InvalidInput(f"{part!r} fits {len(fit)} {what}: {', '.join(fit[:3])} …", fix=f"write more; see {see}.")
    return fit[0] if fit else part


def _full(path: str | None) -> str | None:
    """A path of the command line means the one seen from here; `~` is left to those who expand it."""
    if path is None:
        return None
    expanded = os.path.expanduser(path)
    return expanded if os.path.isabs(expanded) or expanded.startswith("~") else os.path.abspath(expanded)


def _must_be_text(arguments: Json) -> None:
    def walk(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | tuple):
            for one in value:
                yield from walk(one)
        elif isinstance(value, dict):
            yield from walk(list(value.values()))

    for name, value in arguments.items():
        for text in walk(value):
            if "\0" in text or not _encodes(text):
                raise InvalidInput(
                    f"{name}: this is not text (a NUL, or bytes that are no UTF-8 character).",
                    fix="write it again in UTF-8.",
                )


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
