"""HMF: hierarchical memory filtering for writing assistants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hmf.service import Hmf

__all__ = ["Hmf"]


def __getattr__(name: str) -> Any:
    """Load the service only when it is asked for: `import hmf.memory` stays light."""
    if name == "Hmf":
        from hmf.service import Hmf

        return Hmf
    raise AttributeError(f"module 'hmf' has no attribute {name!r}")
