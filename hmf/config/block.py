"""What every block of the configuration shares."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator


class Block(BaseModel):
    """A block of keys: frozen, and refusing keys it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, arbitrary_types_allowed=True)

    @model_validator(mode="before")
    @classmethod
    def _empty_is_default(cls, value: Any) -> Any:
        """A block whose every line is commented out reads as null: its defaults are meant."""
        return {} if value is None else value
