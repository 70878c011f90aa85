"""The file of scenarios: what is noted and when, what is asked and when, and what must come back.

One JSON object a line. The format is told in `docs/eval.md`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from hmf.errors import InvalidInput
from hmf.memory import Kind

_MOST_TOLD = 20
"""Mistakes listed at most: a file of another kind has one on every line."""


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


Ids = Annotated[tuple[str, ...], BeforeValidator(_listed)]
KindWord = Literal[
    "fact", "preference", "decision", "constraint", "task", "event", "note", "hypothesis", "lesson",
    "suggestion", "temporary",
]  # fmt: skip
StatusWord = Literal[
    "active", "open", "done", "unconfirmed", "to-verify", "historical", "archived", "superseded", "refuted",
]  # fmt: skip


class _Block(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Item(_Block):
    """Something that the user or a source tells, at its moment."""

    id: str = Field(min_length=1)
    at: AwareDatetime
    """When HMF is told."""
    text: str = Field(min_length=1)
    category: str | None = None
    """Left out: HMF files it by itself."""
    kind: KindWord | None = None
    """Left out: HMF tells it from the text. `suggestion`: an idea nobody confirmed. `temporary`: a passing state."""
    source: str = Field("user", min_length=1)
    """`user`, or a type and a reference: `email:anna`, `web:prices`."""
    status: StatusWord = "active"
    """`superseded` and `refuted` are what it must have become once every item is in."""
    supersedes: Ids = ()
    """Ids of earlier items that this one replaces. Mode B leaves it out: HMF must find out."""
    project: str | None = None
    valid_from: str | None = None
    expires_at: str | None = None

    @property
    def retired(self) -> bool:
        """Whether it must not answer for the present at the end."""
        return self.status in ("superseded", "refuted")

    @property
    def known_kind(self) -> Kind | None:
        """The kind as HMF has it."""
        if self.kind is None:
            return None
        return {"suggestion": Kind.HYPOTHESIS, "temporary": Kind.NOTE}.get(self.kind) or Kind(self.kind)


class Query(_Block):
    """A question, at its moment, and what must come back."""

    at: AwareDatetime
    text: str
    expect: Ids = ()
    """Items that must all be among the first k."""
    forbid: Ids = ()
    """Items that must not be among the first k, unless shown as replaced on a question about the past."""
    abstain: bool = False
    """True: nothing was ever noted that answers, and saying so is the right answer."""
    top1: str | None = None
    """The item that must come first."""
    flag: Ids = ()
    """Items that must carry a warning where they are shown: old, unverified, hypothetical."""
    forbid_text: Ids = ()
    """Texts that must stand nowhere: in no answer and in no file."""
    note: str = ""
    level: str = ""


class Scenario(_Block):
    """A store of its own: items told in order, then queries."""

    id: str = Field(min_length=1)
    lang: str = Field(pattern=r"^[a-z]{2,3}$")
    title: str = ""
    zone: str | None = None
    """IANA name. Left out: Europe/Paris for fr, Europe/London for en, the user's own for another language."""
    items: tuple[Item, ...]
    queries: tuple[Query, ...]


def read(path: Path) -> list[Scenario]:
    """The scenarios of a file. Raises InvalidInput naming every mistake as `file:line: field: what is wrong`."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}.", fix="name a UTF-8 file of scenarios.") from error
    found: list[Scenario] = []
    problems: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        wrong = []
        try:
            scenario = Scenario.model_validate(json.loads(line))
            wrong = list(_inconsistent(scenario, {one.id for one in found}))
            found.append(scenario)
        except json.JSONDecodeError as error:
            wrong = [f"this is not JSON: {error}"]
        except ValidationError as error:
            wrong = [f"{'.'.join(map(str, e['loc'])) or 'scenario'}: {e['msg']}" for e in error.errors()]
        problems += [f"{path}:{number}: {what}" for what in wrong]
    if not found and not problems:
        problems = [f"{path}: it holds no scenario"]
    if problems:
        more = len(problems) - _MOST_TOLD
        told = problems[:_MOST_TOLD] + ([f"and {more} more"] if more > 0 else [])
        raise InvalidInput(
            "The scenarios cannot be played:\n" + "\n".join(told), fix="see docs/eval.md for the format."
        )
    return found


def _inconsistent(scenario: Scenario, taken: set[str]) -> Iterator[str]:
    """What the shape cannot tell: ids twice, and references to nothing."""
    if scenario.id in taken:
        yield f"id: {scenario.id!r} names an earlier scenario too"
    earlier: set[str] = set()
    for item in scenario.items:
        if item.id in earlier:
            yield f"items: the id {item.id!r} stands twice"
        for name in set(item.supersedes) - earlier:
            yield f"items: {item.id} supersedes {name!r}, which is no earlier item"
        earlier.add(item.id)
    for number, query in enumerate(scenario.queries):
        named = {*query.expect, *query.forbid, *query.flag, *([query.top1] if query.top1 else ())}
        for name in sorted(named - earlier):
            yield f"queries.{number}: {name!r} is no item of this scenario"
        if query.abstain and query.expect:
            yield f"queries.{number}: it cannot both abstain and expect {', '.join(query.expect)}"
