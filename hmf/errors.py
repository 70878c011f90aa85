"""One tree of errors. Each says what happened, why, and what mends it; each knows its exit code and HTTP status."""

from __future__ import annotations

from typing import ClassVar


class HmfError(Exception):
    """Base of all that HMF raises on purpose.

    `what` is the sentence a person reads; `fix` is the command or the step that mends it, if any.
    """

    exit_code: ClassVar[int] = 1
    http_status: ClassVar[int] = 500
    code: ClassVar[str] = "error"

    def __init__(self, what: str, *, fix: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix

    def __str__(self) -> str:
        return f"{self.what} Fix: {self.fix}" if self.fix else self.what


class InvalidInput(HmfError):
    """The caller gave something that cannot be used as it is."""

    exit_code = 2
    http_status = 422
    code = "invalid-input"


class UnknownCategory(InvalidInput):
    """A category that the configuration does not have."""

    code = "unknown-category"


class Refused(HmfError):
    """HMF can do it and will not: a secret, an empty filter, a plan over its share."""

    http_status = 409
    code = "refused"


class NotFound(HmfError):
    """No such memory, plan, batch or job in this namespace."""

    http_status = 404
    code = "not-found"


class Conflict(HmfError):
    """It changed since it was read, or was already done."""

    http_status = 409
    code = "conflict"


class ConfigError(HmfError):
    """The configuration cannot be used. `problems` holds every one, each with its place."""

    exit_code = 4
    http_status = 500
    code = "configuration"

    def __init__(self, what: str, *, fix: str | None = None, problems: tuple[str, ...] = ()) -> None:
        super().__init__(what, fix=fix)
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *self.problems])


class StoreUnavailable(HmfError):
    """The store or the daemon cannot be reached or opened."""

    exit_code = 5
    http_status = 503
    code = "unavailable"


class StoreLocked(StoreUnavailable):
    """Another process owns the store."""

    code = "locked"


class StoreDamaged(StoreUnavailable):
    """The ledger is damaged, or comes from a newer version. It is never overwritten."""

    code = "damaged"


class ManifestMismatch(StoreUnavailable):
    """The index was built with another embedder, dimension or tokenizer than the configuration's."""

    exit_code = 4
    code = "manifest-mismatch"


class DiskFull(StoreUnavailable):
    """Too little free space to write safely."""

    http_status = 507
    code = "disk-full"


class IndexFailure(StoreUnavailable):
    """The index engine failed. The ledger is intact; the work stays in the outbox."""

    code = "index"


class IndexDamaged(IndexFailure):
    """The engine could not use its own files: what they held can be rebuilt from the ledger."""


class EmbedderFailure(StoreUnavailable):
    """The embedder could not be loaded, reached, or answered with the wrong shape."""

    code = "embedder"
