"""Where things are: time zones, databases, servers. Each is checked as far as it can be without going there."""

from __future__ import annotations

import difflib
import re
from typing import Annotated
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from pydantic import AfterValidator
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from hmf.config.fields import Text


def _zone(value: str) -> str:
    if value == "local":
        return value
    if value in available_timezones():
        return value
    close = {name.casefold(): name for name in available_timezones()}
    near = difflib.get_close_matches(value.casefold().replace(" ", "_"), list(close), 1, 0.7)
    hint = f"; did you mean {close[near[0]]!r}?" if near else ": write local, or an IANA name such as Europe/Paris"
    raise ValueError(f"{value!r} is not a time zone{hint}")


def _ledger(value: str) -> str:
    if value == "auto":
        return value
    try:
        url = make_url(value)
    except ArgumentError:
        raise ValueError("is neither auto nor a database URL, such as postgresql+psycopg://host/hmf") from None
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise ValueError(f"{url.get_backend_name()!r} is not kept by HMF: use sqlite or postgresql")
    place = url.database if url.get_backend_name() == "sqlite" else None
    if place and place != ":memory:" and not re.match(r"/|[A-Za-z]:[\\/]", place):
        raise ValueError(f"{place!r} depends on the folder HMF is started from: write sqlite:/// and a full path")
    return value


def _web(value: str) -> str:
    parts = urlsplit(value)
    if parts.username or parts.password:
        raise ValueError("holds a password: name it in `api_key_env` or `api_key_file`, and keep it out of here")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{value!r} is not a web address: write http://host:port or https://host")
    return value


def _host(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9.:-]+", value) or "://" in value:
        raise ValueError(f"{value!r} is not a host: write an address or a name alone, such as 127.0.0.1")
    return value


Zone = Annotated[Text, AfterValidator(_zone)]
DatabaseUrl = Annotated[Text, AfterValidator(_ledger)]
WebAddress = Annotated[Text, AfterValidator(_web)]
Host = Annotated[Text, AfterValidator(_host)]
