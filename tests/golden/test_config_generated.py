"""The generated files are those of the models, and the schema says what the loader does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hmf.config import schema
from hmf.config.positions import read
from hmf.paths import shipped_config

ROOT = Path(__file__).resolve().parents[2]
MEND = 'make them again: python -c "from pathlib import Path; from hmf.config import schema as s; {}"'


@pytest.mark.parametrize(
    ("file", "text"),
    [("config/hmf.schema.json", schema.render), ("docs/configuration.md", schema.reference)],
)
def test_the_generated_file_is_up_to_date(file: str, text: Any) -> None:
    command = f"Path('{file}').write_text(s.{text.__name__}(), encoding='utf-8')"
    assert (ROOT / file).read_text(encoding="utf-8") == text(), MEND.format(command)


def test_the_generated_text_is_the_same_each_time() -> None:
    assert schema.render() == schema.render()
    assert json.loads(schema.render()) == schema.json_schema()


def test_the_schema_knows_every_key_of_the_shipped_file() -> None:
    whole = schema.json_schema()
    assert list(unknown(read(shipped_config().read_bytes()).data, whole, whole, "")) == []


def test_every_key_has_a_meaning() -> None:
    whole = schema.json_schema()
    blocks = [whole, *(block for block in whole["$defs"].values() if "properties" in block)]
    for block in blocks:
        for name, field in block["properties"].items():
            described = [field, *(whole["$defs"][one["$ref"].rsplit("/", 1)[1]] for one in [field] if "$ref" in one)]
            assert any(one.get("description") for one in described), name
            assert f"`{name}`" in schema.reference()


def unknown(value: Any, field: dict[str, Any], whole: dict[str, Any], path: str) -> Any:
    """Paths of the keys that the schema would refuse."""
    blocks = [resolved(choice, whole) for choice in field.get("anyOf", [field])]
    if isinstance(value, dict):
        for name, inner in value.items():
            fits = [b["properties"].get(name) or b.get("additionalProperties") for b in blocks if "properties" in b]
            fits += [b["additionalProperties"] for b in blocks if "properties" not in b and "additionalProperties" in b]
            if any(fits):
                yield from unknown(inner, next(fit for fit in fits if fit), whole, f"{path}.{name}")
            else:
                yield f"{path}.{name}"
    elif isinstance(value, list):
        items = next((b["items"] for b in blocks if "items" in b), None)
        for inner in value:
            if items is None:
                yield path
            else:
                yield from unknown(inner, items, whole, f"{path}[]")


def resolved(field: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    block: dict[str, Any] = whole["$defs"][field["$ref"].rsplit("/", 1)[1]] if "$ref" in field else field
    return block
