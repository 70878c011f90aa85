"""Names of categories: which are possible, which are too alike, and which one a person means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from hmf.config.fields import NAME
from hmf.config.models import Settings
from hmf.config.wording import suggestion
from hmf.errors import UnknownCategory
from hmf.policy.folding import fold

_RESERVED = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]")
"""Names that Windows gives to devices, whatever the folder."""


def alike(name: str) -> str:
    """The form in which two names are the same: without case, accents, dashes or repeated spaces."""
    return re.sub(r"[-_\s]+", " ", fold(name)).strip()


def name_problem(name: str) -> str | None:
    """Why a category cannot have this name, or None when it can."""
    if not re.fullmatch(NAME, name):
        slug = re.sub(r"[^a-z0-9]+", "-", fold(name)).strip("-")[:48].strip("-")
        hint = f"; did you mean {slug!r}? Put {name[:60]!r} in its label" if slug else ""
        return f"a category's name is small letters, digits and dashes, 48 at most{hint}"
    if _RESERVED.fullmatch(name):
        return f"{name!r} is a reserved file name on Windows: choose another, and put this one in its label"
    return None


def overlaps(settings: Settings) -> Iterator[tuple[str, str]]:
    """(category, complaint) for each category whose name or label an earlier one already has."""
    owners: dict[str, str] = {}
    for name, block in settings.categories.items():
        for word in dict.fromkeys((name, *block.label.by_language().values())):
            owner = owners.setdefault(alike(word), name)
            if owner != name:
                yield name, f"{word!r} already means the category {owner!r}: no two may share a name or a label"
                break


def resolve_category(name: str, settings: Settings) -> str:
    """The category that `name` means: its name, or its name or label but for case and accents.

    Raises UnknownCategory, listing the categories and suggesting the nearest.
    """
    if name in settings.categories:
        return name
    known = _words(settings)
    meant = known.get(alike(name))
    if meant is not None:
        return meant
    near = suggestion(alike(name), known)
    hint = f" Did you mean {known[near]!r}?" if near else ""
    raise UnknownCategory(
        f"There is no category {name[:60]!r}.{hint} The categories are {', '.join(settings.categories)}.",
        fix="choose one of them, leave the category out, or add it to the configuration.",
    )


def _words(settings: Settings) -> Mapping[str, str]:
    words: dict[str, str] = {}
    for name, block in settings.categories.items():
        for word in (name, *block.label.by_language().values()):
            words.setdefault(alike(word), name)
    return words
