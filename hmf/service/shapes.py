"""What operations answer, as values that JSON can hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from hmf.ledger.codec import to_json
from hmf.memory import Memory
from hmf.policy.packing import Hit
from hmf.policy.sentences import told
from hmf.reason import Reason, unpack
from hmf.service.diary import Link
from hmf.service.digesting import Digest
from hmf.service.forecasting import Foreseen
from hmf.service.notes import Added

Json = dict[str, Any]


def memory_json(memory: Memory, language: str) -> Json:
    """A memory as it is shown: the line of an export, with the reason of its route in words."""
    return {**to_json(memory), "route_reason": told(memory.route.reason, language)}


def told_all(reasons: Iterable[Reason], language: str) -> list[Json]:
    """Reasons with their codes, their values and their sentences."""
    return [told(reason, language) for reason in reasons]


def told_text(text: str | None, language: str) -> Json | None:
    """The same of a reason that the ledger holds: a code, or a person's own words."""
    return told(unpack(text), language) if text else None


def added_json(added: Added, language: str) -> Json:
    """The result of an addition."""
    route = added.route
    return {
        "id": added.id,
        "outcome": added.outcome,
        "category": added.category,
        "route": {"by": str(route.by), "confidence": route.confidence, "reason": told(route.reason, language)}
        if route
        else None,
        "superseded": list(added.superseded),
        "warnings": told_all(added.warnings, language),
    }


def hit_json(hit: Hit, explain: bool, language: str) -> Json:
    """One hit of a search."""
    out: Json = {
        "memory": memory_json(hit.memory, language),
        "score": hit.score,
        "tier": str(hit.tier),
        "flags": told_all(hit.flags, language),
        "why": told_all(hit.why, language),
    }
    if explain:
        out["parts"] = dict(hit.parts)
    return out


def batch_json(row: Mapping[str, Any], language: str) -> Json:
    """A batch of the log."""
    out = {**row, "at": row["at"].isoformat(), "reason": told_text(row["reason"], language)}
    if "did" in row:
        out["did"] = [{**one, "reason": told_text(one["reason"], language)} for one in row["did"]]
    return out


def link_json(link: Link, language: str) -> Json:
    """One link of a chain of decisions, with its journal."""
    return {
        "id": link.id,
        "memory": memory_json(link.memory, language) if link.memory else None,
        "replaces": list(link.replaces),
        "replaced_by": link.replaced_by,
        "journal": [
            {
                "seq": line.entry.seq,
                "at": line.entry.at.isoformat(),
                "verb": line.entry.verb,
                "reason": told_text(line.entry.reason or line.batch_reason, language),
                "by": line.actor,
                "order": line.order,
                "batch": line.entry.batch_id,
                "plan": line.plan,
                "undone": line.undone,
            }
            for line in link.lines
        ],
    }


def forecast_json(found: Foreseen) -> Json:
    """A forecast, week by week."""
    return {
        "namespace": found.namespace,
        "made_at": found.made_at.isoformat(),
        "answered": found.answered,
        "unscheduled": list(found.unscheduled),
        "weeks": [{"from": d.isoformat(), "to": (d + timedelta(days=6)).isoformat()} for d in found.weeks],
        "rows": [
            {
                "category": row.category,
                "policy": row.policy,
                "outcome": str(row.outcome),
                "waiting": row.waiting,
                "weeks": list(row.weeks),
                "total": row.total,
            }
            for row in found.rows
        ],
    }


def done_json(done: Any, language: str) -> Json:
    """What a change did."""
    return {
        "batch": done.id,
        "verb": done.verb,
        "changed": list(done.changed),
        "skipped": [{"id": i, "why": told(why, language)} for i, why in done.skipped],
        "notes": told_all(done.notes, language),
    }


def digest_json(digest: Digest) -> Json:
    """What is told of a night."""
    return {
        "night": digest.night.isoformat(),
        "made_at": digest.made_at.isoformat(),
        "sentences": list(digest.sentences),
        **digest.facts,
    }
