"""Values for tests: a memory with sensible fields, a moment, an id."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from hmf.memory import Authority, Kind, Memory, Route, RoutedBy, Source, Status, Tier
from hmf.policy.text import content_hash
from hmf.reason import Reason

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def memory(text: str = "A note.", **changes: Any) -> Memory:
    """A live, confirmed detail of the user's in `tasks`, with the fields given changed."""
    made = Memory(
        id=str(uuid.uuid5(uuid.NAMESPACE_OID, text)),
        namespace="default",
        category="tasks",
        tier=Tier.DETAIL,
        kind=Kind.NOTE,
        text=text,
        language="en",
        status=Status.CONFIRMED,
        authority=Authority.USER,
        source=Source(),
        valid_from=NOON,
        learnt_at=NOON,
        verified_at=None,
        content_hash=content_hash(text),
        route=Route("tasks", 1.0, RoutedBy.EXPLICIT, Reason("you_named")),
    )
    return replace(made, **changes)
