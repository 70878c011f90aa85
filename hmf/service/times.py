"""A moment as a person says it to a command: a date, a date and a time, or the words that a search understands."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta, tzinfo

from hmf.errors import InvalidInput
from hmf.policy import timewords
from hmf.policy.timewords import Range
from hmf.service.notes import end, moment

When = datetime | str | None
_HOUR = re.compile(r"(?:^|\s)(?:at |à )?(\d{1,2}) ?(?:[:h](\d{2})|h)$", re.IGNORECASE)
"""A time of day at the end: "18:00", "hier 18h", "yesterday at 9:30"."""


def beginning(value: When, field: str, *, now: datetime, zone: tzinfo, language: str) -> datetime | None:
    """The first moment of what was said. Raises InvalidInput for what is no time."""
    try:
        return moment(value, zone, field)
    except InvalidInput:
        return _read(value, field, now, zone, language).since


def ending(value: When, field: str, *, now: datetime, zone: tzinfo, language: str) -> datetime | None:
    """The last moment of what was said: a day includes all of it. Raises InvalidInput for what is no time."""
    try:
        return end(value, zone)
    except InvalidInput:
        return _read(value, field, now, zone, language).until


def _read(value: When, field: str, now: datetime, zone: tzinfo, language: str) -> Range:
    text = value.strip() if isinstance(value, str) else ""
    hour = _HOUR.search(text)
    day = text[: hour.start()].strip(" ,") if hour else text
    found = timewords.read(day or "today", now=now, zone=zone, language=language) if text else None
    if found is not None and len(found.ranges) == 1 and not found.unknown and not found.rest.strip(" .,;?!"):
        span = found.ranges[0]
        if hour is None:
            return span
        at = _at(span, hour, zone)
        if at is not None:
            return Range(at, at + timedelta(minutes=1) - timedelta(microseconds=1))
    raise InvalidInput(
        f"{field}: {str(value)[:80]!r} is not a time.",
        fix="write 2026-11-30, 2026-11-30 18:00, 18:00, or words that a search knows: yesterday, last week, hier 18h.",
    )


def _at(day: Range, hour: re.Match[str], zone: tzinfo) -> datetime | None:
    """That hour of the day; None where the words are of more than a day, or the clock has no such hour."""
    hours, minutes = int(hour[1]), int(hour[2] or 0)
    first, last = (moment.astimezone(zone).date() for moment in (day.since, day.until))
    if first != last or hours > 23 or minutes > 59:
        return None
    return datetime.combine(first, time(hours, minutes), tzinfo=zone)
