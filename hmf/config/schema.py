"""What is generated from the models: the JSON Schema that editors use, and the reference for people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from hmf.config.environment import KNOWN
from hmf.config.models import Settings
from hmf.config.wording import blocks

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_HEAD = """# Configuration

<!-- Generated from hmf/config/models.py; a test compares the two. -->

One YAML file says everything: `hmf.yaml` in HMF's configuration folder, or the file that `HMF_CONFIG` names.
A key left out has the default shown here. A key that is not known, a value that cannot be, or a category that does
not exist stops the start, with every problem at once as `file:line:column: path.to.key: what is wrong`.

- **Durations** are a number and a unit: `12h`, `60d`, `2w`, `3mo`, `1y`, or a row of them (`1y6mo`). Days, months
  and years are those of the calendar in your time zone. A bare number is refused, and so is `m`.
- **Short times** are `500ms`, `2s`, `1min`, `1h`.
- **Schedules** are five cron fields between quotes: minute, hour, day, month, weekday (`mon` to `sun`).
- **Yes or no** is `true` or `false`; `yes`, `no`, `on` and `off` are understood.
- `null` (or `never`) switches a rule off, also one that `defaults` would give.
- **Keys and passwords** are never written in this file: `api_key_env` names the environment variable that holds one,
  `api_key_file` the file.
"""


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of the configuration file, descriptions included."""
    schema = _plain(Settings.model_json_schema())
    for name, model in _models().items():
        _write_defaults(schema if model is Settings else schema["$defs"][name], model, schema)
    # Without categories, the shipped ones are used: nothing has to be written.
    schema.pop("required", None)
    title = "The configuration of HMF"
    return {"$schema": _DIALECT, "title": title, **{key: value for key, value in schema.items() if key != "title"}}


def render() -> str:
    """The text of `config/hmf.schema.json`."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


def reference() -> str:
    """The text of `docs/configuration.md`: every key with its type, default and meaning."""
    schema = json_schema()
    lines = [_HEAD, *_section("The top of the file", schema, schema)]
    described: dict[str, str] = {}
    for path, block in _blocks("", schema, schema):
        first = described.setdefault(block["description"], path)
        same = [f"## `{path}`", "", f"The same keys as `{first}`.", ""]
        lines += _section(f"`{path}`", block, schema) if first == path else same
    lines += ["## Environment variables", "", "| variable | meaning |", "|---|---|"]
    lines += [f"| `{name}` | {meaning} |" for name, meaning in KNOWN.items()]
    lines += ["", "Any other variable that begins with `HMF_` is refused as a misspelling.", ""]
    return "\n".join(lines)


def _models() -> dict[str, type[BaseModel]]:
    """The blocks of the settings by the name they have in the schema."""
    return {block.__name__: block for block in blocks().values()}


def _write_defaults(schema: dict[str, Any], model: type[BaseModel], root: Mapping[str, Any]) -> None:
    """Give each key its default as YAML writes it. A block has none of its own: its keys have theirs."""
    empty = model.model_validate({"categories": {"any": {}}} if model is Settings else {})
    written = empty.model_dump(mode="json")
    for name, field in schema["properties"].items():
        field.pop("default", None)
        is_block = "properties" in _target(field, root)
        if not is_block and not model.model_fields[name].is_required():
            field["default"] = written[name]


def _plain(node: Any) -> Any:
    """The schema without the titles that pydantic makes of the names."""
    if isinstance(node, list):
        return [_plain(item) for item in node]
    if not isinstance(node, dict):
        return node
    out = {}
    for key, value in node.items():
        if key == "title" and isinstance(value, str):
            continue
        out[key] = _plain(value)
    return out


def _section(title: str, block: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[str]:
    yield f"## {title}"
    yield ""
    if block.get("description") and block is not schema:
        yield block["description"]
        yield ""
    yield from ("| key | value | default | meaning |", "|---|---|---|---|")
    for name, field in block["properties"].items():
        meaning = field.get("description") or _target(field, schema).get("description", "")
        yield f"| `{name}` | {_cell(_type(field, schema))} | {_default(field)} | {_cell(meaning)} |"
    yield ""


def _blocks(path: str, block: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every block under this one, with its dotted path, in the order of the file."""
    for name, field in block["properties"].items():
        here = f"{path}.{name}".lstrip(".")
        inner, steps = field, ""
        if "additionalProperties" in field:
            inner, steps = field["additionalProperties"], ".<name>"
        elif "items" in field:
            inner, steps = field["items"], "[]"
        target = _target(inner, schema)
        if "properties" in target:
            yield here + steps, target
            yield from _blocks(here + steps, target, schema)


def _target(field: Any, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a field's `$ref` leads to (the first of its choices that has one), or the field."""
    if not isinstance(field, dict):
        return {}
    choices: Sequence[Any] = field.get("anyOf", [field])
    for choice in choices:
        if "$ref" in choice:
            target: Mapping[str, Any] = schema["$defs"][choice["$ref"].rsplit("/", 1)[1]]
            return target
    return field


def _type(field: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """A field's type in a few words."""
    if "anyOf" in field:
        return " or ".join(dict.fromkeys(_type(choice, schema) for choice in field["anyOf"]))
    target = _target(field, schema)
    if "enum" in target:
        return ", ".join(f"`{_yaml(value)}`" for value in target["enum"])
    if "const" in target:
        return f"`{_yaml(target['const'])}`"
    if "properties" in target:
        return "block"
    if "items" in target:
        return f"list of {_type(target['items'], schema)}"
    if "examples" in target:
        return "such as " + ", ".join(f"`{example}`" for example in target["examples"])
    if target.get("type") == "object":
        return "block of names"
    names = {"null": "`null`", "boolean": "`true`, `false`", "string": "text", "integer": "whole number"}
    return names.get(str(target.get("type")), str(target.get("type"))) + _bounds(target)


def _bounds(target: Mapping[str, Any]) -> str:
    low = target.get("minimum", target.get("exclusiveMinimum"))
    high = target.get("maximum")
    if low is None:
        return ""
    if high is None:
        return f", {low:g} or more"
    return f", {'more than ' if 'exclusiveMinimum' in target else ''}{low:g} to {high:g}"


def _default(field: Mapping[str, Any]) -> str:
    if "default" not in field:
        return ""
    return f"`{_yaml(field['default'])}`"


def _yaml(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
