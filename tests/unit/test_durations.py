"""Calendar durations: read as written, counted on the calendar of the user, refused when unclear."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.durations import Duration

PARIS = ZoneInfo("Europe/Paris")


def at(text: str, zone: ZoneInfo | None = None) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=zone or UTC).astimezone(UTC)


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("12h", Duration(hours=12)),
        ("60d", Duration(days=60)),
        ("2w", Duration(weeks=2)),
        ("3mo", Duration(months=3)),
        ("1y", Duration(years=1)),
        ("1y6mo", Duration(years=1, months=6)),
        (" 1 Y 6 Mo ", Duration(years=1, months=6)),
        ("1d12h", Duration(days=1, hours=12)),
        ("0y3d", Duration(days=3)),
        ("007d", Duration(days=7)),
    ],
)
def test_read_as_written(text: str, duration: Duration) -> None:
    assert Duration.parse(text) == duration


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "60", "d", "0d", "-3d", "+3d", "1.5d", "1,5d", "3 days", "3 jours", "3m", "3M", "3min", "3s", "1d1d",
        "d3", "3d.", "3:30", "101y", "9999999999999999999999d", "1y-6mo", "trois jours", "3d\0", "³d",
    ],
)  # fmt: skip
def test_unclear_ones_are_refused_with_what_is_accepted(text: str) -> None:
    with pytest.raises(ValueError, match=r"12h, 60d, 2w, 3mo, 1y") as caught:
        Duration.parse(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("text", ["3m", "3 m", "1y3m"])
def test_m_is_said_to_be_ambiguous(text: str) -> None:
    with pytest.raises(ValueError, match="write `mo` for months"):
        Duration.parse(text)


@pytest.mark.parametrize(
    ("span", "now", "then"),
    [
        ("3mo", "2026-05-31 12:00", "2026-02-28 12:00"),
        ("1mo", "2026-03-31 12:00", "2026-02-28 12:00"),
        ("1y", "2024-02-29 12:00", "2023-02-28 12:00"),
        ("1w", "2026-03-31 12:00", "2026-03-24 12:00"),
        ("36h", "2026-03-31 12:00", "2026-03-30 00:00"),
    ],
)
def test_before_on_the_calendar(span: str, now: str, then: str) -> None:
    assert Duration.parse(span).before(at(now)) == at(then)


@pytest.mark.parametrize(
    ("zone", "now", "then"),
    [
        # Over the change of clocks of spring and of autumn, the local hour stays.
        ("Europe/Paris", "2026-03-29 12:00", "2026-03-28 12:00"),
        ("Europe/Paris", "2026-10-25 12:00", "2026-10-24 12:00"),
        ("Pacific/Auckland", "2026-04-05 12:00", "2026-04-04 12:00"),
        ("America/Los_Angeles", "2026-03-08 12:00", "2026-03-07 12:00"),
    ],
)
def test_a_day_keeps_the_local_hour(zone: str, now: str, then: str) -> None:
    there = ZoneInfo(zone)
    assert Duration(days=1).before(at(now, there), there) == at(then, there)
    assert Duration(days=1).after(at(then, there), there) == at(now, there)


def test_hours_are_elapsed_hours() -> None:
    noon = at("2026-03-29 12:00", PARIS)
    assert noon - Duration(hours=24).before(noon, PARIS) == timedelta(hours=24)
    assert noon - Duration(days=1).before(noon, PARIS) == timedelta(hours=23)


def test_the_ends_of_time_are_no_error() -> None:
    long = Duration(years=100)
    assert long.before(datetime(50, 1, 1, tzinfo=UTC)) < datetime(50, 1, 1, tzinfo=UTC)
    assert long.after(datetime(9950, 1, 1, tzinfo=UTC)) > datetime(9950, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "english", "french"),
    [
        ("1d", "1 day", "1 jour"),
        ("60d", "60 days", "60 jours"),
        ("1w", "1 week", "1 semaine"),
        ("2w", "2 weeks", "2 semaines"),
        ("1mo", "1 month", "1 mois"),
        ("3mo", "3 months", "3 mois"),
        ("1y", "1 year", "1 an"),
        ("2y", "2 years", "2 ans"),
        ("12h", "12 hours", "12 heures"),
        ("1y6mo", "1 year 6 months", "1 an 6 mois"),
    ],
)
def test_said_in_both_languages(text: str, english: str, french: str) -> None:
    duration = Duration.parse(text)
    assert duration.say("en") == duration.say("de") == english
    assert duration.say("fr") == french


durations = st.builds(
    Duration,
    st.integers(0, 100),
    st.integers(0, 1200),
    st.integers(0, 5200),
    st.integers(0, 36500),
    st.integers(0, 800),
).filter(lambda duration: str(duration) != "")
moments = st.datetimes(datetime(1970, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - bounds
zones = st.sampled_from(["UTC", "Europe/Paris", "Pacific/Auckland", "America/Los_Angeles", "Asia/Kolkata"]).map(
    ZoneInfo
)


@given(durations)
def test_written_and_read_again(duration: Duration) -> None:
    assert Duration.parse(str(duration)) == duration


@given(durations, moments, zones)
def test_before_is_never_after(duration: Duration, moment: datetime, zone: ZoneInfo) -> None:
    # Where clocks change, an hour of slack: a local time may fall into the hour that does not exist.
    slack = timedelta(hours=2)
    assert duration.before(moment, zone) <= moment + slack
    assert duration.after(moment, zone) >= moment - slack
    assert duration.before(moment, zone).tzinfo is UTC


@given(durations, moments, moments, zones)
def test_order_is_kept(duration: Duration, one: datetime, other: datetime, zone: ZoneInfo) -> None:
    first, second = sorted((one, other))
    assert duration.before(first, zone) <= duration.before(second, zone) + timedelta(hours=2)


@given(st.text(max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        duration = Duration.parse(text)
    except ValueError:
        return
    assert any(char.isdigit() for char in text)
    assert str(duration)
