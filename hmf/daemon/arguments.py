"""What may be said to an operation over a wire: each argument checked against the type its function declares."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Union, get_args, get_type_hints

from pydantic import TypeAdapter, ValidationError

from hmf.errors import InvalidInput
from hmf.service.api import Hmf
from hmf.service.operations import NAMES, Operations

_BEHIND = {"list": "memories"}
"""Operations that hand their further arguments to a method of another name."""


@dataclass(frozen=True, slots=True)
class _Expected:
    """The arguments an operation declares. `open`: it takes others too, and judges them itself."""

    adapters: Mapping[str, TypeAdapter[Any]]
    required: frozenset[str]
    open: bool


def checked(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments as the operation's types want them; null stands for the default, and is left out.

    An unknown operation is left to refuse itself. Raises InvalidInput naming every argument that is wrong.
    """
    if name not in NAMES:
        return dict(arguments)
    expected = _expected(name)
    taken: dict[str, Any] = {}
    wrong: list[str] = []
    for key, value in arguments.items():
        adapter = expected.adapters.get(key)
        if value is None and key not in expected.required:
            continue
        if adapter is None and not expected.open:
            wrong.append(f"{key}: there is no such argument")
            continue
        try:
            taken[key] = adapter.validate_python(value) if adapter else value
        except ValidationError as error:
            wrong += [f"{'.'.join([key, *map(str, one['loc'])])}: {one['msg']}" for one in error.errors()]
    if wrong:
        known = ", ".join(expected.adapters) or "none"
        raise InvalidInput(f"{name} cannot be called so: {'; '.join(wrong)}.", fix=f"its arguments: {known}.")
    return taken


@cache
def _expected(name: str) -> _Expected:
    operation = getattr(Operations, name)
    functions = [operation]
    if _passes_on(operation):
        functions.insert(0, getattr(Hmf, _BEHIND.get(name, name)))
    hints = {key: hint for one in functions for key, hint in get_type_hints(one).items()}
    parameters = {key: p for one in functions for key, p in inspect.signature(one).parameters.items()}
    named = {key: p for key, p in parameters.items() if key != "self" and p.kind is not p.VAR_KEYWORD}
    return _Expected(
        {key: TypeAdapter(_wanted(hints[key])) for key in named},
        frozenset(key for key, p in named.items() if p.default is p.empty),
        _passes_on(functions[0]),
    )


def _passes_on(function: Callable[..., Any]) -> bool:
    return any(p.kind is p.VAR_KEYWORD for p in inspect.signature(function).parameters.values())


def _wanted(hint: Any) -> Any:
    """A word or its enumeration, where a function takes both: over a wire only the words of the enumeration."""
    options = get_args(hint)
    if any(isinstance(one, type) and issubclass(one, StrEnum) for one in options):
        return Union[tuple(one for one in options if one is not str)]  # noqa: UP007 - made of a tuple
    return hint
