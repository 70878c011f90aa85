"""Calendar durations as people write them: `60d`, `2w`, `3mo`, `1y`, `12h`.

A day is a calendar day in the user's zone and a month a calendar month, so `3mo` before 31 May is
the end of February, and `1d` across a change of clocks keeps the local hour.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from dateutil.relativedelta import relativedelta

_UNITS = {"h": "hours", "d": "days", "w": "weeks", "mo": "months", "y": "years"}
_TERM = re.compile(r"(\d+)\s*(mo|h|d|w|y)", re.IGNORECASE)
_WORDS = {
    "en": {"years": "year", "months": "month", "weeks": "week", "days": "day", "hours": "hour"},
    "fr": {"years": "an", "months": "mois", "weeks": "semaine", "days": "jour", "hours": "heure"},
}
_LIMIT = {"hours": 24 * 36500, "days": 36500, "weeks": 5200, "months": 1200, "years": 100}


@dataclass(frozen=True, slots=True)
class Duration:
    """A span in calendar units; months and years are not a fixed number of days."""

    years: int = 0
    months: int = 0
    weeks: int = 0
    days: int = 0
    hours: int = 0

    @classmethod
    def parse(cls, text: str) -> Duration:
        """Read `60d`, `2w`, `3mo`, `1y`, `12h` or a row of them (`1y6mo`).

        Raises ValueError saying what was read and what is accepted: bare numbers, `m` (minutes or
        months?), negative and zero spans are refused rather than guessed.
        """
        body = text.strip()
        values: dict[str, int] = {}
        position = 0
        for match in _TERM.finditer(body):
            if body[position : match.start()].strip():
                break
            unit = _UNITS[match[2].lower()]
            if unit in values or int(match[1]) > _LIMIT[unit]:
                break
            values[unit] = int(match[1])
            position = match.end()
        if not values or body[position:].strip() or not any(values.values()):
            raise ValueError(_complaint(text))
        return cls(**values)

    def before(self, moment: datetime, zone: tzinfo = UTC) -> datetime:
        """The UTC moment this long before `moment`, counted on the calendar of `zone`."""
        return self._shift(moment, zone, -1)

    def after(self, moment: datetime, zone: tzinfo = UTC) -> datetime:
        """The UTC moment this long after `moment`, counted on the calendar of `zone`."""
        return self._shift(moment, zone, 1)

    def _shift(self, moment: datetime, zone: tzinfo, sign: int) -> datetime:
        step = relativedelta(years=self.years, months=self.months, weeks=self.weeks, days=self.days)
        local = moment.astimezone(zone).replace(tzinfo=None)
        try:
            shifted: datetime = local - step if sign < 0 else local + step
        except (OverflowError, ValueError):
            shifted = datetime.min if sign < 0 else datetime.max  # noqa: DTZ901 - made aware below
        if shifted.year < 2 or shifted.year > 9998:
            return datetime(2 if sign < 0 else 9998, 1, 1, tzinfo=UTC)
        return shifted.replace(tzinfo=zone).astimezone(UTC) + sign * timedelta(hours=self.hours)

    def say(self, language: str = "en") -> str:
        """The span in words: `60 days`, `60 jours`."""
        words = _WORDS.get(language, _WORDS["en"])
        parts = []
        for unit, word in words.items():
            count = getattr(self, unit)
            if count:
                plural = "" if count == 1 or word.endswith("s") else "s"
                parts.append(f"{count} {word}{plural}")
        return " ".join(parts)

    def __str__(self) -> str:
        short = {"years": "y", "months": "mo", "weeks": "w", "days": "d", "hours": "h"}
        return "".join(f"{getattr(self, unit)}{mark}" for unit, mark in short.items() if getattr(self, unit))


def _complaint(text: str) -> str:
    hint = " `m` could be minutes or months: write `mo` for months." if re.search(r"\d\s*m$", text.strip()) else ""
    return f"{text!r} is not a duration.{hint} Write a number and a unit: 12h, 60d, 2w, 3mo, 1y."
