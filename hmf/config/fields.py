"""The scalar types of the configuration: each reads what a person writes, or says why it cannot."""

from __future__ import annotations

import re
import warnings
from datetime import UTC, datetime
from typing import Annotated, Any

from apscheduler.triggers.cron import CronTrigger
from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, PlainValidator, Strict, WithJsonSchema

from hmf.durations import Duration

NAME = r"[a-z0-9][a-z0-9-]{0,47}"
"""What a category or a namespace may be called: it becomes part of file and collection names."""

_WORDS = {"yes": True, "on": True, "no": False, "off": False}
_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat", "sun")
_SECONDS = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|min|h)")
_SCALE = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0}
_ANY_DAY = datetime(2026, 1, 1, tzinfo=UTC)
"""Where the search for a cron line's first run begins; a line that never runs does so from any day."""


def _flag(value: Any) -> Any:
    """YAML 1.1 read yes, no, on and off as booleans, YAML 1.2 as words: both are meant as booleans here."""
    return _WORDS.get(value.lower(), value) if isinstance(value, str) else value


def _text(value: str) -> str:
    if not value.strip():
        raise ValueError("is blank: write some text, or remove it")
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise ValueError("holds half a character (a lone surrogate): write the whole character")
    if "\0" in value:
        raise ValueError("holds a NUL character: remove it")
    return value


def _span(value: Any) -> Duration:
    if isinstance(value, Duration):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("is not a duration: write a number and a unit, 12h, 60d, 2w, 3mo or 1y")
    if isinstance(value, int | float):
        raise ValueError(f"{value} has no unit: write {value}d for days, or 12h, 2w, 3mo, 1y")
    return Duration.parse(value)


def _span_or_never(value: Any) -> Duration | None:
    return None if value is None or value == "never" else _span(value)


def _seconds(value: Any) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        raise ValueError(f"{value} has no unit: write {value}s for seconds, or 500ms, 2min, 1h")
    match = _SECONDS.fullmatch(value.strip().lower()) if isinstance(value, str) else None
    if match is None:
        hint = " (`m` could be minutes or months: write `min`)" if re.search(r"\dm$", str(value)) else ""
        raise ValueError(f"{value!r} is not a short time{hint}: write 500ms, 2s, 1min or 1h")
    seconds = float(match[1]) * _SCALE[match[2]]
    if not 0 < seconds <= 86400:
        raise ValueError(f"{value!r} is out of reach: more than nothing, a day at most")
    return seconds


def _cron(value: Any) -> str | None:
    if value is None or value is False or value in ("never", "off", "no"):
        return None
    if not isinstance(value, str):
        raise ValueError(f'{value!r} is not a schedule: write five cron fields between quotes, "30 3 * * *"')
    line = " ".join(value.split())
    clock = re.fullmatch(r"(\d{1,2}):(\d{2})(?::\d{2})?", line)
    if clock:
        raise ValueError(
            f'{value!r} is a time of day: every day at that time is "{int(clock[2])} {int(clock[1])} * * *"'
        )
    if len(line.split()) != 5:
        raise ValueError(f'{value!r} is not five cron fields (minute hour day month weekday): write "30 3 * * *"')
    _check_days(line)
    _check_fires(line)
    return line


def _check_days(line: str) -> None:
    """Refuse what cron and APScheduler read differently: numbered weekdays, and a day together with a weekday."""
    _, _, day, _, weekday = line.split()
    if re.search(r"\d", weekday.split("/")[0]):
        named = re.sub(r"[0-7]", lambda m: _WEEKDAYS[int(m[0])], weekday)
        raise ValueError(f"{line!r} numbers its weekdays, and programs disagree on which is 0: write {named!r}")
    if day != "*" and weekday != "*":
        raise ValueError(f"{line!r} sets a day of the month and a weekday, and programs disagree: set one of the two")


def _check_fires(line: str) -> None:
    try:
        trigger = CronTrigger.from_crontab(line, timezone=UTC)
    except ValueError as error:
        raise ValueError(f"{line!r} is not a possible schedule: {error}") from None
    if trigger.get_next_fire_time(None, _ANY_DAY) is None:
        raise ValueError(f"{line!r} never comes: there is no such date in any year")


def _regex(value: str) -> str:
    try:
        with warnings.catch_warnings():
            # What Python will read otherwise one day is a mistake today.
            warnings.simplefilter("error")
            pattern = re.compile(value)
    except (re.error, OverflowError, RecursionError, FutureWarning) as error:
        raise ValueError(f"{value!r} is not a regular expression: {error}") from None
    if pattern.search(""):
        raise ValueError(f"{value!r} matches everything, even an empty text: write something narrower")
    return value


def _variable(value: str) -> str:
    if not re.fullmatch(r"[A-Z_][A-Z0-9_]*", value):
        # The value is not repeated: it may be the key itself.
        raise ValueError(
            "is not the name of an environment variable, such as OPENAI_API_KEY; the key stays out of here"
        )
    return value


def _file(value: str) -> str:
    if not re.match(r"/|~|[A-Za-z]:[\\/]|\\\\", value):
        raise ValueError(f"{value!r} depends on the folder HMF is started from: write it from / or from ~/")
    return value


_SPAN_SCHEMA: dict[str, Any] = {
    "type": "string",
    "pattern": r"^\s*(\d+\s*([hH]|[dD]|[wW]|[mM][oO]|[yY])\s*)+$",
    "examples": ["12h", "60d", "2w", "3mo", "1y"],
}
_OFF: dict[str, Any] = {"enum": [None, "never"]}

Flag = Annotated[bool, BeforeValidator(_flag), Strict()]
Text = Annotated[str, AfterValidator(_text)]
Slug = Annotated[Text, Field(pattern=f"^{NAME}$")]
Whole = Annotated[int, Strict()]
Number = Annotated[float, Strict(), Field(allow_inf_nan=False)]
Share = Annotated[Number, Field(ge=0, le=1)]
Span = Annotated[Duration, PlainValidator(_span), PlainSerializer(str, return_type=str), WithJsonSchema(_SPAN_SCHEMA)]
SpanOrNever = Annotated[
    Duration | None,
    PlainValidator(_span_or_never),
    PlainSerializer(lambda span: span and str(span), return_type=str | None),
    WithJsonSchema({"anyOf": [_SPAN_SCHEMA, _OFF]}),
]
Seconds = Annotated[
    float,
    PlainValidator(_seconds),
    PlainSerializer(lambda seconds: f"{seconds:g}s", return_type=str),
    WithJsonSchema({"type": "string", "pattern": r"^\s*\d+(\.\d+)?\s*(ms|s|min|h)\s*$", "examples": ["500ms", "2s"]}),
]
Cron = Annotated[
    str | None,
    PlainValidator(_cron),
    WithJsonSchema(
        {"anyOf": [{"type": "string", "examples": ["30 3 * * *", "0 4 * * mon"]}, {"enum": [None, False, "never"]}]}
    ),
]
Regex = Annotated[Text, AfterValidator(_regex), WithJsonSchema({"type": "string", "format": "regex"})]
Variable = Annotated[
    str, AfterValidator(_variable), WithJsonSchema({"type": "string", "pattern": "^[A-Z_][A-Z0-9_]*$"})
]
KeyFile = Annotated[Text, AfterValidator(_file)]
