"""Names of collections: slugs, so that no name can reach outside its folder."""

from __future__ import annotations

import re

from hmf.errors import InvalidInput

_SLUG = re.compile(r"[a-z0-9][a-z0-9.-]{0,79}")


def checked(name: str) -> str:
    """The name, when it is a safe slug. Raises InvalidInput."""
    if not _SLUG.fullmatch(name) or ".." in name:
        raise InvalidInput(f"{name!r} cannot name a collection.", fix="use a-z, 0-9, dot and hyphen, 80 at most.")
    return name
