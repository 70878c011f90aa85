"""One process owns a store. The lock is the operating system's, so a killed owner leaves nothing to clean up."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from hmf.errors import StoreLocked, StoreUnavailable


@dataclass(frozen=True, slots=True)
class Owner:
    """Who holds a store: process, since when (ISO), what it does, and its address if it serves."""

    pid: int
    started: float
    since: str
    role: str
    url: str | None = None


class StoreLock:
    """The lock of a data folder, with a note beside it that names the owner."""

    def __init__(self, folder: Path) -> None:
        """For the store in `folder`, which exists."""
        self._lock = FileLock(folder / "store.lock", timeout=0)
        self._note = folder / "store.owner.json"

    def take(self, role: str, now: datetime, url: str | None = None) -> None:
        """Take the lock. Raises StoreLocked naming the owner, StoreUnavailable when the folder is unusable."""
        try:
            self._lock.acquire()
        except Timeout as error:
            raise self._held() from error
        except OSError as error:
            raise StoreUnavailable(
                f"The lock {self._lock.lock_file} cannot be taken: {error}.", fix="check the folder's owner and rights."
            ) from error
        me = psutil.Process()
        self.announce(Owner(os.getpid(), me.create_time(), now.isoformat(), role, url))

    def announce(self, owner: Owner) -> None:
        """Write who holds the store; replaced as a whole, so a reader never sees half."""
        part = self._note.with_suffix(".part")
        try:
            part.write_text(json.dumps(asdict(owner)), encoding="utf-8")
            part.replace(self._note)
        except OSError:
            # On a full disk the lock still holds and reading still works; only the owner's name is not told.
            self._note.unlink(missing_ok=True)

    def release(self) -> None:
        """Give the lock back. Twice is harmless."""
        if self._lock.is_locked:
            self._note.unlink(missing_ok=True)
            self._lock.release()

    def owner(self) -> Owner | None:
        """The living owner that the note names; None when it is gone (a recycled pid is not it)."""
        try:
            owner = Owner(**json.loads(self._note.read_text(encoding="utf-8")))
            alive = abs(psutil.Process(owner.pid).create_time() - owner.started) < 2
        except (OSError, ValueError, TypeError, psutil.Error):
            return None
        return owner if alive else None

    def _held(self) -> StoreLocked:
        owner = self.owner()
        if owner is None:
            return StoreLocked("Another process holds the store.", fix="wait for it to end, or `hmf doctor`.")
        at = f", at {owner.url}" if owner.url else ""
        return StoreLocked(
            f"The store is held by {owner.role} (process {owner.pid}, since {owner.since}{at}).",
            fix="stop it, or go through it: commands use the daemon by themselves when it serves.",
        )
