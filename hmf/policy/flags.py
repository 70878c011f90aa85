"""What a reader must know of a memory before relying on it."""

from __future__ import annotations

from datetime import datetime, tzinfo

from hmf.memory import RETIRED, Authority, Memory, Status, Tier
from hmf.policy import injection
from hmf.policy.injection import addresses_assistant
from hmf.reason import Reason


def stale_since(memory: Memory, now: datetime, zone: tzinfo) -> datetime | None:
    """When a volatile memory went past its freshness, or None while it is fresh."""
    if not memory.volatile or memory.fresh_for is None:
        return None
    limit = memory.fresh_for.after(memory.verified_at or memory.learnt_at, zone)
    return limit if now > limit else None


def flags(memory: Memory, now: datetime, zone: tzinfo) -> tuple[Reason, ...]:
    """What a reader must know before relying on it; days are those of `zone`."""

    def day(moment: datetime) -> str:
        return moment.astimezone(zone).date().isoformat()

    found = []
    since = stale_since(memory, now, zone)
    if since is not None:
        found.append(Reason("stale_since", {"since": day(since)}))
    if memory.status is Status.HYPOTHESIS or memory.authority is Authority.HYPOTHESIS:
        found.append(Reason("hypothesis"))
    if memory.status is Status.TO_VERIFY:
        found.append(Reason("to_verify"))
    if memory.status in RETIRED:
        when = memory.superseded_at
        found.append(Reason(f"{memory.status}_on", {"date": day(when)}) if when else Reason(str(memory.status)))
    if memory.expires_at is not None and memory.expires_at <= now:
        found.append(Reason("expired_since", {"since": day(memory.expires_at)}))
    if memory.tier is Tier.ARCHIVE:
        found.append(Reason("archived"))
    if addresses_assistant(memory):
        found.append(Reason(injection.FLAG))
    if memory.pinned:
        found.append(Reason("pinned"))
    return tuple(found)
