"""What pydantic found wrong, in words a writer understands, with a suggestion wherever there is one."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, get_args

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from hmf.config.models import Settings
from hmf.config.positions import Path

_MANY = "*"
_SECRET = re.compile(r"(?:^|[_-])(?:api_?)?(?:key|token|password|passwd|secret)(?:_env)?$", re.IGNORECASE)
_RENAMED = {"keep_kinds": "keep: {kinds: […]}", "keep_tags": "keep: {tags: […]}"}
_TYPES = {
    "bool_type": "write true or false",
    "int_type": "write a whole number",
    "float_type": "write a number",
    "finite_number": "write a number",
    "tuple_type": "write a list, each item on a line of its own after a dash",
    "frozen_set_type": "write a list, each item on a line of its own after a dash",
    "string_unicode": "write whole characters",
}
_BOUNDS = {
    "greater_than": "more than {gt:g}",
    "greater_than_equal": "{ge:g} or more",
    "less_than": "less than {lt:g}",
    "less_than_equal": "{le:g} or less",
}


def wordings(errors: Iterable[ErrorDetails]) -> Iterator[tuple[Path, str, bool]]:
    """What is wrong, one by one. A list whose items are wrong is not also called empty."""
    found = list(errors)
    for error in found:
        inside = any(len(one["loc"]) > len(error["loc"]) == _common(one["loc"], error["loc"]) for one in found)
        if not (error["type"] == "too_short" and inside):
            yield wording(error)


def wording(error: ErrorDetails) -> tuple[Path, str, bool]:
    """The path, the complaint, and whether it is about the key rather than its value."""
    path: Path = tuple(error["loc"])
    if path and path[-1] == "[key]":
        return path[:-1], "a key is a word", True
    if error["type"] == "extra_forbidden":
        return path, unknown_key(path), True
    return path, _complaint(error, path), False


def unknown_key(path: Path) -> str:
    """What to say of a key that its block does not have: where it belongs, or what was meant."""
    *block, key = path
    name = str(key)
    if _SECRET.search(name):
        return "no key or password is written in this file: name the variable or the file that holds it, " + (
            "in `api_key_env` or `api_key_file`"
        )
    if name in _RENAMED:
        return f"is written `{_RENAMED[name]}` now, with the same list"
    here = list(_block_at(tuple(block)).model_fields)
    elsewhere = _blocks_with(name, tuple(block))
    if elsewhere:
        return f"unknown key here; {name!r} is a key of `{elsewhere[0]}`"
    near = suggestion(name, here)
    if near:
        return f"unknown key; did you mean {near!r}?"
    far = suggestion(name, {field for model in blocks().values() for field in model.model_fields})
    if far:
        return f"unknown key; did you mean {far!r}, in `{_blocks_with(far, tuple(block))[0]}`?"
    return f"unknown key; the keys here are {', '.join(here)}"


def suggestion(word: str, known: Iterable[str]) -> str | None:
    """The known word nearest to `word`, or None when none is near."""
    by_form = {_form(name): name for name in sorted(known)}
    near = difflib.get_close_matches(_form(word), list(by_form), 1, 0.6)
    return by_form[near[0]] if near else None


def dotted(path: Path) -> str:
    """`categories.tasks.examples[2]`."""
    parts = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in path]
    return "".join(parts).removeprefix(".")


def _complaint(error: ErrorDetails, path: Path) -> str:
    kind, given, ctx = error["type"], error["input"], error.get("ctx", {})
    if kind == "value_error":
        return str(ctx["error"])
    if given is None:
        return "is empty: give it a value, or remove the line"
    shown = _shown(given, path)
    if kind in ("enum", "literal_error"):
        options = re.findall(r"'([^']*)'", str(ctx["expected"]))
        near = suggestion(str(given), options)
        hint = f"; did you mean {near!r}?" if near else ""
        return f"{shown} is not one of {', '.join(options)}{hint}"
    if kind in ("model_type", "dict_type", "mapping_type", "model_attributes_type"):
        return _want_block(shown, path)
    if kind in _BOUNDS:
        return f"{shown} is out of reach: write {_BOUNDS[kind].format(**ctx)}"
    if kind in _TYPES:
        return f"{shown} cannot stand here: {_TYPES[kind]}"
    if kind == "string_type":
        mend = "write one text" if isinstance(given, list | dict) else "put it between quotes if it is meant as text"
        return f"{shown} is not a text: {mend}"
    if kind == "string_pattern_mismatch":
        return f"{shown} must be small letters, digits and dashes (48 at most), such as my-notes"
    if kind == "too_short":
        return "is empty: give at least one"
    return f"{shown}: {error['msg']}"


def _want_block(shown: str, path: Path) -> str:
    model = blocks().get(_pattern(path))
    keys = f": {', '.join(model.model_fields)}" if model else ", each with a name"
    return f"{shown} cannot stand here: a block of keys is wanted{keys}"


def _shown(given: Any, path: Path) -> str:
    if any(isinstance(step, str) and _SECRET.search(step) for step in path):
        return "what is written"
    if isinstance(given, Mapping):
        return "a block of keys"
    if isinstance(given, list | tuple):
        return "a list"
    text = repr(given)
    return text if len(text) <= 60 else text[:59] + "…"


def _form(word: str) -> str:
    return word.casefold().replace("-", "_").replace(" ", "_")


def _block_at(path: Path) -> type[BaseModel]:
    return blocks().get(_pattern(path), Settings)


def _pattern(path: Path) -> tuple[str, ...]:
    """The path with every name of a category and every position in a list replaced by `*`."""
    steps = [_MANY if isinstance(step, int) else step for step in path]
    if len(steps) > 1 and steps[0] == "categories":
        steps[1] = _MANY
    return tuple(steps)


def _blocks_with(key: str, near: Path) -> list[str]:
    """Blocks that have this key, those most like the place it was found in first."""
    here = _pattern(near)
    found = [pattern for pattern, model in blocks().items() if key in model.model_fields and pattern != here]
    found.sort(key=lambda pattern: (-_common(pattern, here), len(pattern)))
    return [_filled(pattern, near) for pattern in found]


def _common(one: Path, other: Path) -> int:
    """How many steps two paths begin with alike."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _filled(pattern: tuple[str, ...], near: Path) -> str:
    same = _common(pattern, _pattern(near))
    steps: list[str | int] = [near[i] if i < same else step for i, step in enumerate(pattern)]
    named = ["<name>" if step == _MANY and i == 1 else step for i, step in enumerate(steps)]
    return dotted(tuple(named)).replace(f".{_MANY}", "[]") or "the top of the file"


@cache
def blocks() -> Mapping[tuple[str, ...], type[BaseModel]]:
    """Every block of the settings by its path; names and list positions are `*`."""
    found: dict[tuple[str, ...], type[BaseModel]] = {}

    def walk(model: type[BaseModel], path: tuple[str, ...]) -> None:
        found[path] = model
        for name, info in model.model_fields.items():
            inner, many = _inner(info.annotation)
            if inner is not None:
                walk(inner, (*path, name, _MANY) if many else (*path, name))

    walk(Settings, ())
    return found


def _inner(annotation: Any, many: bool = False) -> tuple[type[BaseModel] | None, bool]:
    """The block inside a field's type, and whether it holds several."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation, many
    collection = getattr(annotation, "__origin__", None) in (tuple, Mapping)
    for part in get_args(annotation):
        model, inside = _inner(part, many or collection)
        if model is not None:
            return model, inside
    return None, many
