"""Memory ↔ row ↔ JSON. The JSON form is the before-image of the journal and the line of an export."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from hmf.durations import Duration
from hmf.memory import (
    RETIRED,
    Authority,
    Drawn,
    Kind,
    Level,
    Memory,
    Route,
    RoutedBy,
    Source,
    State,
    Status,
    Tier,
)
from hmf.reason import pack, unpack

MOMENTS = (
    "valid_from",
    "learnt_at",
    "verified_at",
    "expires_at",
    "superseded_at",
    "forgotten_at",
    "archived_at",
)
_LISTS = ("tags", "supersedes", "summary_of")
_PLAIN = tuple(f.name for f in fields(Memory) if f.name not in ("source", "route", "fresh_for", "drawn", *_LISTS))


def to_row(memory: Memory) -> dict[str, Any]:
    """The columns of the `memories` table."""
    row: dict[str, Any] = {name: getattr(memory, name) for name in _PLAIN}
    row.update({name: list(getattr(memory, name)) for name in _LISTS})
    row.update(
        source_type=memory.source.type,
        source_ref=memory.source.ref,
        source_author=memory.source.author,
        route_category=memory.route.category,
        route_confidence=memory.route.confidence,
        route_by=memory.route.by,
        route_reason=pack(memory.route.reason),
        fresh_for=str(memory.fresh_for) if memory.fresh_for else None,
        drawn=_drawn_json(memory.drawn) if memory.drawn else None,
        touched_at=max(m for m in (memory.valid_from, memory.learnt_at, memory.verified_at) if m),
        active_key=active_key(memory.namespace, memory.project, memory.content_hash) if _active(memory) else None,
    )
    return row


def from_row(row: Mapping[str, Any]) -> Memory:
    """A Memory from a row mapping or from the result of `to_json`, once its moments are datetimes."""
    return Memory(
        id=row["id"],
        namespace=row["namespace"],
        category=row["category"],
        tier=Tier(row["tier"]),
        kind=Kind(row["kind"]),
        text=row["text"],
        language=row["language"],
        status=Status(row["status"]),
        authority=Authority(row["authority"]),
        source=Source(row["source_type"], row["source_ref"], row["source_author"]),
        valid_from=row["valid_from"],
        learnt_at=row["learnt_at"],
        verified_at=row["verified_at"],
        content_hash=row["content_hash"],
        route=Route(
            row["route_category"], row["route_confidence"], RoutedBy(row["route_by"]), unpack(row["route_reason"])
        ),
        state=State(row["state"]),
        title=row["title"],
        project=row["project"],
        tags=tuple(row["tags"]),
        volatile=row["volatile"],
        fresh_for=Duration.parse(row["fresh_for"]) if row["fresh_for"] else None,
        expires_at=row["expires_at"],
        pinned=row["pinned"],
        supersedes=tuple(row["supersedes"]),
        superseded_by=row["superseded_by"],
        superseded_at=row["superseded_at"],
        summary_of=tuple(row["summary_of"]),
        summarised_in=row["summarised_in"],
        session=row["session"],
        position=row["position"],
        forgotten_at=row["forgotten_at"],
        archived_at=row["archived_at"],
        revision=row["revision"],
        chunks=row["chunks"],
        drawn=drawn_of(row["drawn"]) if row.get("drawn") else None,  # what was written before it existed has none
    )


def to_json(memory: Memory) -> dict[str, Any]:
    """A JSON-safe mapping that `from_json` reads back to an equal Memory."""
    row = to_row(memory)
    del row["touched_at"], row["active_key"]
    for name in MOMENTS:
        if row[name] is not None:
            row[name] = row[name].astimezone(UTC).isoformat()
    return {name: str(value) if isinstance(value, _ENUMS) else value for name, value in row.items()}


def from_json(data: Mapping[str, Any]) -> Memory:
    """The inverse of `to_json`."""
    row = dict(data)
    for name in MOMENTS:
        if row[name] is not None:
            row[name] = datetime.fromisoformat(row[name])
    return from_row(row)


def _drawn_json(drawn: Drawn) -> dict[str, Any]:
    return {
        "level": str(drawn.level),
        "since": drawn.since.astimezone(UTC).isoformat(),
        "quotes": [[size, list(ids)] for size, ids in drawn.quotes],
        "basis": dict(drawn.basis),
    }


def drawn_of(data: Mapping[str, Any]) -> Drawn:
    """How a summary was drawn, from its JSON form. Raises KeyError, ValueError, TypeError when it is none."""
    return Drawn(
        Level(data["level"]),
        datetime.fromisoformat(data["since"]),
        tuple((int(size), tuple(ids)) for size, ids in data["quotes"]),
        tuple(data["basis"].items()),
    )


def active_key(namespace: str, project: str | None, content_hash: str) -> str:
    """What two active details must never share: whose, on what project, saying what."""
    return hashlib.sha256(f"{namespace}\0{project or ''}\0{content_hash}".encode()).hexdigest()


def content_key(text: str) -> str:
    """Names a text in the embedding cache."""
    return hashlib.sha256(text.encode()).hexdigest()


def _active(memory: Memory) -> bool:
    return memory.state is State.LIVE and memory.tier is Tier.DETAIL and memory.status not in RETIRED


_ENUMS = (Tier, Kind, Status, State, Authority, RoutedBy)
