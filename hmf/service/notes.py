"""What a caller may say of a memory to be added, checked field by field before anything happens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from hmf.durations import Duration
from hmf.errors import InvalidInput
from hmf.memory import Authority, Kind, Memory, Route, Status
from hmf.reason import Reason

_LAST_DAY = date(9998, 12, 31)
SKEW = timedelta(minutes=5)
"""How far ahead of our clock a sender's clock may be."""


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


class SourceIn(BaseModel):
    """Where a note comes from."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    type: str = Field("user", min_length=1, max_length=64)
    ref: str | None = Field(None, max_length=2000)
    author: str | None = Field(None, max_length=200)


def _source(value: Any) -> Any:
    return {"type": value} if isinstance(value, str) else value


class Note(BaseModel):
    """A memory to be added. Strings for dates may be ISO dates or datetimes; without a zone they are the user's."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)
    text: str
    category: str | None = None
    kind: Kind | None = None
    project: str | None = Field(None, max_length=200)
    title: str | None = Field(None, max_length=300)
    tags: Annotated[tuple[str, ...], BeforeValidator(_as_list)] = Field((), max_length=50)
    status: Status | None = None
    authority: Authority | None = None
    source: Annotated[SourceIn, BeforeValidator(_source)] = Field(default_factory=lambda: SourceIn.model_validate({}))
    at: datetime | str | None = None
    valid_from: datetime | str | None = None
    volatile: bool | None = None
    fresh_for: str | None = None
    expires_at: datetime | str | None = None
    supersedes: Annotated[tuple[str, ...], BeforeValidator(_as_list)] = ()
    pinned: bool = False
    namespace: str = Field("default", pattern=r"^[a-z0-9][a-z0-9_.-]{0,63}$")
    session: str | None = Field(None, max_length=200)
    position: int | None = Field(None, ge=0, le=2**31 - 1)
    language: str | None = Field(None, pattern=r"^[a-z]{2,3}$")
    again: bool = False
    """Taken on purpose although it was forgotten: a replay or an import is otherwise stopped."""


@dataclass(frozen=True, slots=True)
class Added:
    """What became of an addition.

    `outcome`: created, duplicate (`id` is the memory that already says it) or refused (`id` is None).
    """

    id: str | None
    outcome: str
    category: str | None = None
    route: Route | None = None
    superseded: tuple[str, ...] = ()
    warnings: tuple[Reason, ...] = ()
    memory: Memory | None = None


def check(values: Mapping[str, Any]) -> Note:
    """A Note from keyword values. Raises InvalidInput naming every wrong field."""
    try:
        return Note.model_validate({k: v for k, v in values.items() if v is not None})
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'note'}: {e['msg']}" for e in error.errors())
        raise InvalidInput(f"The note cannot be taken as it is: {wrong}.", fix="hmf add --help") from error


def moment(value: datetime | str | None, zone: tzinfo, field: str) -> datetime | None:
    """A moment from a datetime (which must be aware) or an ISO string (the user's zone where it names none)."""
    if value is None:
        return None
    if isinstance(value, str):
        try:
            parsed = datetime.fromisoformat(value.strip())
        except ValueError as error:
            raise InvalidInput(
                f"{field}: {value!r} is not a date.", fix="write 2026-11-30 or 2026-11-30T09:00:00+01:00."
            ) from error
        return bounded(parsed if parsed.tzinfo else parsed.replace(tzinfo=zone), field)
    if value.tzinfo is None:
        raise InvalidInput(
            f"{field}: {value.isoformat()} has no time zone.",
            fix="give an aware datetime, for example datetime.now(UTC), or an ISO string (read in your zone).",
        )
    return bounded(value, field)


def bounded(value: datetime, field: str) -> datetime:
    """The moment, when every zone can show it. Raises InvalidInput."""
    if not 2 <= value.year <= _LAST_DAY.year:
        raise InvalidInput(f"{field}: the year {value.year} is out of range.", fix="use a year from 2 to 9998.")
    return value


def expiry(value: datetime | str | None, zone: tzinfo) -> datetime | None:
    """The first moment at which a memory is expired. A date alone holds through that local day."""
    if isinstance(value, str):
        try:
            day = date.fromisoformat(value.strip())
        except ValueError:
            return moment(value, zone, "expires_at")
        return datetime.combine(min(day, _LAST_DAY) + timedelta(days=1), time(), tzinfo=zone)
    return moment(value, zone, "expires_at")


def end(value: datetime | str | None, zone: tzinfo) -> datetime | None:
    """The last moment of a span: a date alone includes that local day."""
    last = expiry(value, zone)
    whole_day = isinstance(value, str) and last != moment(value, zone, "until")
    return last - timedelta(microseconds=1) if last is not None and whole_day else last


def span(value: str | None) -> Duration | None:
    """A freshness limit. Raises InvalidInput with what is accepted."""
    if value is None:
        return None
    try:
        return Duration.parse(value)
    except ValueError as error:
        raise InvalidInput(f"fresh_for: {error}") from error
