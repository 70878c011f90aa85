"""Why, or what to beware of: a code with its values, which `hmf.policy.sentences` puts into the reader's language.

Nothing that HMF says of a memory is kept as a sentence: a store outlives the language that its user speaks to it. Texts
that older stores hold, and a person's own words, are codes without a sentence: they are shown as they are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol, TypeAlias, Union

Value: TypeAlias = Union[str, int, float, "Reason", tuple["Value", ...]]


@dataclass(frozen=True, slots=True)
class Reason:
    """A code and what fills its sentence: days and counts as numbers, spans as `60d`, dates in ISO form, confidence
    from 0 to 1; a reason inside another is a clause of it."""

    code: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def __hash__(self) -> int:
        """Of the code and the names of the values, which dictionaries may hold."""
        return hash((self.code, *sorted(self.values)))


class Coded(Protocol):
    """What has a code and values: a Reason, and what a plan carries beside its actions."""

    @property
    def code(self) -> str:
        """Which sentence."""
        ...

    @property
    def values(self) -> Mapping[str, Value]:
        """What fills it."""
        ...


def as_json(reason: Coded) -> dict[str, Any]:
    """The reason as JSON holds it: `{"code": …, "values": {…}}`."""
    return {"code": reason.code, "values": {name: _plain(value) for name, value in reason.values.items()}}


def from_json(data: Mapping[str, Any]) -> Reason:
    """The inverse of `as_json`."""
    return Reason(str(data["code"]), {name: _value(value) for name, value in data.get("values", {}).items()})


def pack(reason: Reason) -> str:
    """One text for a column of the ledger: the code alone where that is all."""
    return json.dumps(as_json(reason), ensure_ascii=False) if reason.values else reason.code


@lru_cache(maxsize=4096)
def unpack(text: str) -> Reason:
    """The inverse of `pack`. A text that it did not write is a code without a sentence, shown as it is."""
    if text.startswith('{"code": '):
        try:
            return from_json(json.loads(text))
        except (ValueError, KeyError, TypeError, AttributeError):
            return Reason(text)
    return Reason(text)


def _plain(value: Value) -> Any:
    if isinstance(value, Reason):
        return as_json(value)
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _value(value: Any) -> Value:
    if isinstance(value, dict):
        return from_json(value)
    if isinstance(value, list):
        return tuple(_value(one) for one in value)
    return value if isinstance(value, str | int | float) else str(value)
