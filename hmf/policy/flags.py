"""What a reader must know of a memory before relying on it."""

from __future__ import annotations

from datetime import datetime, tzinfo

from hmf.memory import RETIRED, Authority, Memory, Status, Tier
from hmf.policy import injection
from hmf.policy.injection import addresses_assistant


def stale_since(memory: Memory, now: datetime, zone: tzinfo) -> datetime | None:
    """When a volatile memory went past its freshness, or None while it is fresh."""
    if not memory.volatile or memory.fresh_for is None:
        return None
    limit = memory.fresh_for.after(memory.verified_at or memory.learnt_at, zone)
    return limit if now > limit else None


def flags(memory: Memory, now: datetime, zone: tzinfo) -> tuple[str, ...]:
    """What a reader must know before relying on it."""
    found = []
    since = stale_since(memory, now, zone)
    if since is not None:
        found.append(f"stale since {since.astimezone(zone).date().isoformat()}")
    if memory.status is Status.HYPOTHESIS or memory.authority is Authority.HYPOTHESIS:
        found.append("hypothesis")
    if memory.status is Status.TO_VERIFY:
        found.append("to verify")
    if memory.status in RETIRED:
        when = memory.superseded_at
        found.append(f"{memory.status} on {when.astimezone(zone).date()}" if when else str(memory.status))
    if memory.expires_at is not None and memory.expires_at <= now:
        found.append(f"expired since {memory.expires_at.astimezone(zone).date().isoformat()}")
    if memory.tier is Tier.ARCHIVE:
        found.append("archived")
    if addresses_assistant(memory):
        found.append(injection.FLAG)
    if memory.pinned:
        found.append("pinned")
    return tuple(found)
