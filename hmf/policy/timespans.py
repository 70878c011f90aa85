"""Closed ranges of time, counted on the user's own calendar and given in UTC.

A week runs from Monday to Sunday (ISO 8601). Seasons are the meteorological ones of the northern
hemisphere: whole months, spring from March. A day ends one microsecond before the next begins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from dateutil.relativedelta import relativedelta

TICK = timedelta(microseconds=1)
BEGINNING = datetime(2, 1, 1, tzinfo=UTC)
ENDING = datetime(9998, 1, 1, tzinfo=UTC)
"""Ends of the ranges that have only one end in words ("before 12 March"): years that any zone can show."""

Days = tuple[date, date]
_STEPS = {"month": 1, "quarter": 3, "year": 12}
_EXACT = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1)}
_MONTH_FIRST = ("America/", "US/", "Pacific/Honolulu")


@dataclass(frozen=True, slots=True)
class Range:
    """From `since` to `until`, both included, both aware and in UTC, `since <= until`.

    `firm`: the words place the note itself in time ("yesterday", "since Monday"). A date by the
    calendar ("in 2024") is not firm: it may as well belong to the subject of the question.
    """

    since: datetime
    until: datetime
    firm: bool = True


@dataclass(frozen=True, slots=True)
class Local:
    """A moment as the user sees it: `now` (aware), their zone and language; `ahead` when they look forward.

    Its methods raise ValueError or OverflowError for days that no calendar has.
    """

    now: datetime
    zone: tzinfo
    language: str = "en"
    ahead: bool = False

    @property
    def today(self) -> date:
        """The local day."""
        return self.day(self.now)

    @property
    def day_first(self) -> bool:
        """Whether 05/11 is 5 November. It is, save for `en-US` and for plain `en` in a zone called `America/…`."""
        tag = self.language.lower().replace("_", "-")
        american = str(getattr(self.zone, "key", "")).startswith(_MONTH_FIRST)
        return not (tag == "en-us" or (tag == "en" and american))

    def day(self, moment: datetime) -> date:
        """The local day of a moment."""
        return moment.astimezone(self.zone).date()

    def span(self, first: date, last: date, hours: tuple[int, int] = (0, 24), *, firm: bool = True) -> Range:
        """From an hour of the first day to just before an hour of the last (30 is six the next morning)."""
        since, until = self._at(first, hours[0]), self._at(last, hours[1]) - TICK
        return Range(since, max(since, until), firm)

    def unit(self, name: str, shift: int) -> Range:
        """The calendar day, week, weekend, month, quarter or year, `shift` units from the present one."""
        if name == "day":
            day = self.today + timedelta(days=shift)
            return self.span(day, day)
        if name in ("week", "weekend"):
            monday = self.today + timedelta(days=7 * shift - self.today.weekday())
            return self.span(monday + timedelta(days=5 if name == "weekend" else 0), monday + timedelta(days=6))
        months = _STEPS[name]
        first = (self.today.month - 1) // months * months + 1
        start = date(self.today.year, first, 1) + relativedelta(months=months * shift)
        return self.span(*whole_months(start.year, start.month, months))

    def rolling(self, name: str, count: int) -> Range:
        """The last `count` units: from the start of the day that long ago (the very instant for hours) until now."""
        since = self._now - count * _EXACT[name] if name in _EXACT else self._at(self.shifted(name, -count), 0)
        return Range(since, self._now)

    def coming(self, name: str, count: int) -> Range:
        """The next `count` units: from now to the end of the day that far ahead."""
        if name in _EXACT:
            return Range(self._now, self._now + count * _EXACT[name])
        return Range(self._now, self._at(self.shifted(name, count), 24) - TICK)

    def ago(self, name: str, count: int) -> Range:
        """`count` units ago, as precisely as the unit says: the whole calendar day, week, month or year;
        for hours and minutes, within one of them."""
        if name in _EXACT:
            middle = self._now - count * _EXACT[name]
            return Range(middle - _EXACT[name], min(self._now, middle + _EXACT[name]))
        return self.unit(name, -count)

    def shifted(self, name: str, count: int) -> date:
        """The same day of the month, week … `count` units away."""
        if name in _STEPS:
            moved: date = self.today + relativedelta(months=_STEPS[name] * count)
            return moved
        return self.today + timedelta(days=count * (7 if name == "week" else 1))

    def yearly(self, build: Callable[[int], Days], year: int | None = None, which: int = 0) -> Range:
        """Days that come round every year: those of `year`, else the latest that have begun.

        `which` is -1 for the latest that are over and 1 for the next to begin; a speaker who looks
        ahead means the first that are not over. Raises ValueError when `build` knows no such day.
        """
        if year is not None:
            return self.span(*build(year), firm=False)
        forward = which > 0 or (self.ahead and not which)
        here = self.today.year
        for candidate in range(here - 1, here + 9) if forward else range(here, here - 9, -1):
            try:
                first, last = build(candidate)
            except ValueError:  # 29 February, in most years
                continue
            if which > 0 or (not forward and not which):
                fits = (first > self.today) if which > 0 else (first <= self.today)
            else:
                fits = (last >= self.today) if forward else (last < self.today)
            if fits:
                return self.span(first, last, firm=False)
        raise ValueError("no such day in any near year")

    def third(self, whole: Range, which: int) -> Range:
        """The first, middle or last third (0, 1, 2) of the days of a range: in a month, from 1, from 11, from 21;
        in a year, four months each."""
        first, last = self.day(whole.since), self.day(whole.until)
        if (last - first).days > 360:
            return self.span(*whole_months(first.year, 4 * which + 1, 4), firm=whole.firm)
        size = max(1, ((last - first).days + 1) // 3)
        start = min(last, first + timedelta(days=which * size))
        end = last if which == 2 else min(last, start + timedelta(days=size - 1))
        return self.span(start, end, firm=whole.firm)

    def from_(self, since: datetime, *, firm: bool = True) -> Range:
        """From `since` until now, or without end when it still lies ahead."""
        return Range(since, self._now if since <= self._now else max(since, ENDING), firm)

    def to(self, until: datetime, *, firm: bool = True) -> Range:
        """Everything up to `until`."""
        return Range(min(BEGINNING, until), until, firm)

    @property
    def _now(self) -> datetime:
        return self.now.astimezone(UTC)

    def _at(self, day: date, hour: int) -> datetime:
        later, hour = divmod(hour, 24)
        day = day + timedelta(days=later)
        if not BEGINNING.year < day.year < ENDING.year:
            raise ValueError(f"{day.isoformat()} lies outside of what can be compared")
        return datetime.combine(day, time(hour), self.zone).astimezone(UTC)


def whole_months(year: int, month: int, count: int) -> Days:
    """First and last day of `count` months from that one. Raises ValueError for a month that does not exist."""
    first = date(year, month, 1)
    return first, first + relativedelta(months=count, days=-1)
