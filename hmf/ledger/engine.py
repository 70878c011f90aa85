"""Opening the database: pragmas, transactions, migrations, and database errors put into words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError, OperationalError

from hmf.errors import ConfigError, DiskFull, StoreDamaged, StoreLocked, StoreUnavailable

HEAD = "0006"
"""The migration this version of HMF works with; a test holds it to the newest script."""

WRITE = {"hmf_write": True}

_CACHE = "cache_size=-32768"
"""32 MB of pages a connection: with SQLite's 2 MB, a search among 100,000 memories read most of its rows anew."""


def open_engine(url: str) -> Engine:
    """An engine on `url` with durable settings, migrated to HEAD.

    Raises StoreDamaged when the file is not a database or comes from a newer HMF, ConfigError on a
    URL that cannot be used, StoreUnavailable when the server or the file cannot be reached.
    """
    try:
        parsed = make_url(url)
        engine = create_engine(url, pool_pre_ping=not url.startswith("sqlite"))
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        raise ConfigError(
            f"store.ledger cannot be used: {error}.",
            fix="use `auto`, a sqlite:/// or a postgresql+psycopg:// URL (pip install 'hmf-memory[postgres]').",
        ) from error
    if parsed.get_backend_name() == "sqlite":
        _tune_sqlite(engine)
    with guarded(parsed.render_as_string(hide_password=True)):
        _migrate(engine)
    return engine


def _tune_sqlite(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: Any) -> None:
        # The driver must not open transactions by itself: `begin` below does, with the right lock.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000", _CACHE):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.execute("PRAGMA secure_delete=ON")  # erased text must not linger in free pages
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        write = connection.get_execution_options().get("hmf_write")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def _migrate(engine: Engine) -> None:
    with engine.connect() as connection:
        tables = set(inspect(connection).get_table_names())
        version = None
        if "alembic_version" in tables:
            version = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        elif tables:
            raise StoreDamaged(
                f"The database {engine.url} holds other tables and is not an HMF ledger.",
                fix="point store.ledger, or HMF_HOME, to another place.",
            )
    if version == HEAD:
        return
    if version is not None and version > HEAD:
        raise StoreDamaged(
            f"The ledger was written by a newer HMF (schema {version}, this one knows {HEAD}); it was left untouched.",
            fix="pip install --upgrade hmf-memory",
        )
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    with engine.connect().execution_options(**WRITE) as connection, connection.begin():
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


@contextmanager
def guarded(what: str = "the ledger") -> Iterator[None]:
    """Turn database errors into HMF's, with the command that mends them."""
    try:
        yield
    except DatabaseError as error:
        raise _translate(error, what) from error


def _translate(error: DatabaseError, what: str) -> StoreUnavailable:
    message = str(error.orig or error)
    low = message.lower()
    if "full" in low or "no space" in low:
        return DiskFull(
            "The disk is full: nothing was written, and what was acknowledged before is safe.",
            fix="free some space, then try again.",
        )
    if "malformed" in low or "not a database" in low or "corrupt" in low:
        return StoreDamaged(
            f"The ledger is damaged ({message}). It was left untouched.",
            fix="copy the file away, then restore a backup, or run `sqlite3 hmf.db .recover`.",
        )
    if isinstance(error, OperationalError) and ("locked" in low or "busy" in low):
        return StoreLocked("The ledger is held by another writer.", fix="stop it, or try again; `hmf doctor` names it.")
    return StoreUnavailable(f"The ledger could not be used ({what}): {message}.", fix="hmf doctor")
