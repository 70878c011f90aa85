"""The service: where effects meet rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hmf.service.api import Hmf

__all__ = ["Hmf"]


def __getattr__(name: str) -> Any:
    """Load the engines only when a memory is to be opened: a command that a daemon answers needs none of them."""
    if name == "Hmf":
        from hmf.service.api import Hmf

        return Hmf
    raise AttributeError(f"module 'hmf.service' has no attribute {name!r}")
