"""The open store: configuration, lock, ledger, embedder and index, put together and taken apart in order."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any

import uuid_utils

from hmf.config import Settings
from hmf.embed import factory as embedders
from hmf.embed.port import Calibration, Embedder
from hmf.errors import ConfigError, DiskFull
from hmf.index import factory as indexes
from hmf.index.port import Index
from hmf.ledger.copies import Copies
from hmf.ledger.digests import Digests
from hmf.ledger.erasing import Erasing
from hmf.ledger.ledger import Ledger
from hmf.ledger.marks import Marks
from hmf.ledger.outbox import EmbeddingCache, Manifest, Outbox
from hmf.ledger.plans import Plans
from hmf.ledger.runs import Runs
from hmf.ledger.tombstones import Tombstones
from hmf.memory import Category
from hmf.paths import Places
from hmf.policy.belief import Belief
from hmf.service.lock import StoreLock

Now = Callable[[], datetime]
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass
class Store:
    """What the parts of the service share. `guard` serialises writers inside this process."""

    settings: Settings
    places: Places
    now: Now
    lock: StoreLock
    ledger: Ledger
    embedder: Embedder
    index: Index
    categories: Mapping[str, Category]
    guard: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        self.marks = Marks(self.ledger)
        self.outbox = Outbox(self.ledger)
        self.cache = EmbeddingCache(self.ledger, self.embedder.key)
        self.manifest = Manifest(self.ledger)
        self.plans = Plans(self.ledger)
        self.runs = Runs(self.ledger)
        self.digests = Digests(self.ledger)
        self.erasing = Erasing(self.ledger)
        self.tombstones = Tombstones(self.ledger)
        self.copies = Copies(self.ledger)

    @property
    def zone(self) -> tzinfo:
        """The user's time zone."""
        return self.settings.zone

    @property
    def language(self) -> str:
        """The language of screens and digests, `fr` or `en`."""
        return self.settings.spoken(os.environ)

    def new_id(self) -> str:
        """A UUIDv7 of the store's clock."""
        moment = self.now()
        since = max(moment, _EPOCH) - _EPOCH  # a clock before 1970 is wrong, and must not keep anybody from writing
        nanoseconds = (since.days * 86400 + since.seconds) * 10**9 + since.microseconds * 1000
        return str(uuid_utils.uuid7(nanoseconds=nanoseconds))

    def check_space(self) -> None:
        """Raise DiskFull while there is still room to say so: the index engine cannot survive a full disk."""
        free = shutil.disk_usage(self.places.data_dir).free
        wanted = self.settings.store.min_free_mb * 2**20
        if free < wanted:
            raise DiskFull(
                f"Only {free // 2**20} MB are free in {self.places.data_dir}; HMF stops writing below "
                f"{self.settings.store.min_free_mb} MB. Nothing was written.",
                fix="free some space, or lower store.min_free_mb.",
            )

    def close(self) -> None:
        """Close index, ledger and embedder, then give the lock back. Twice is harmless."""
        with ExitStack() as stack:  # whatever fails, the lock is given back
            for part in (self.lock.release, self.embedder.close, self.ledger.close, self.index.close):
                stack.callback(part)


def open_store(settings: Settings, places: Places, now: Now, role: str) -> Store:
    """Take the lock and open everything; whatever fails, what was opened before is closed again.

    Raises StoreLocked, StoreDamaged, StoreUnavailable, ConfigError, EmbedderFailure.
    """
    lock = StoreLock(places.data_dir)
    lock.take(role, now())
    opened: list[Any] = []
    try:
        url = settings.store.ledger
        ledger = Ledger(f"sqlite:///{places.data_dir / 'ledger.db'}" if url == "auto" else url)
        opened.append(ledger)
        settings = settled(settings, Manifest(ledger).read().get("embedder"))
        embedder = open_embedder(settings, places)
        opened.append(embedder)
        index = open_index(settings, places, embedder.dimension)
        opened.append(index)
    except BaseException:
        for part in reversed(opened):
            part.close()
        lock.release()
        raise
    return Store(settings, places, now, lock, ledger, embedder, index, settings.categories_by_name())


def settled(settings: Settings, key: str | None) -> Settings:
    """The settings, with the embedder that `auto` stands for: that of the store's vectors (`key`), or the best that
    runs on this machine."""
    if settings.embedder.name != "auto":
        return settings
    return settings.model_copy(
        update={"embedder": settings.embedder.model_copy(update={"name": embedders.settle(key)})}
    )


def open_embedder(settings: Settings, places: Places) -> Embedder:
    """The configured embedder; `auto` must be settled."""
    e = settings.embedder
    embedder = embedders.build(
        e.name,
        model=e.model,
        dimension=e.dimension,
        base_url=e.base_url,
        api_key=secret(e.api_key_env, e.api_key_file),
        timeout=e.timeout,
        cache_dir=str(places.cache_dir),
    )
    if (own := e.calibration) is not None:
        belief = Belief(own.dense, own.words, own.offset, own.crowd)
        embedder.calibration = Calibration(own.floor, own.ceiling, embedder.calibration.weight, belief)
    return embedder


def open_index(settings: Settings, places: Places, dimension: int) -> Index:
    """The configured index engine."""
    i = settings.store.index
    return indexes.build(
        i.engine,
        places.data_dir / "index",
        dimension,
        url=i.url,
        api_key=secret(i.api_key_env, i.api_key_file),
        timeout=i.timeout,
        prefix=i.prefix,
        min_free=settings.store.min_free_mb * 2**20,
    )


def secret(env: str | None, file: str | None) -> str | None:
    """A key from an environment variable or a file. Raises ConfigError when the one named is not there."""
    if env:
        value = os.environ.get(env)
        if not value:
            raise ConfigError(f"The environment variable {env} is named in the configuration and not set.")
        return value
    if file:
        try:
            return Path(file).expanduser().read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ConfigError(f"The key file {file} cannot be read: {error}.") from error
    return None


def utc_now() -> datetime:
    """The machine's clock: the only place that reads it."""
    return datetime.now(UTC)
