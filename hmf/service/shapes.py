"""What operations answer, as values that JSON can hold."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from hmf.ledger.codec import to_json
from hmf.policy.packing import Hit
from hmf.service.diary import Link
from hmf.service.forecasting import Foreseen
from hmf.service.notes import Added

Json = dict[str, Any]


def added_json(added: Added) -> Json:
    """The result of an addition."""
    route = added.route
    return {
        "id": added.id,
        "outcome": added.outcome,
        "category": added.category,
        "route": {"by": str(route.by), "confidence": route.confidence, "reason": route.reason} if route else None,
        "superseded": list(added.superseded),
        "warnings": list(added.warnings),
    }


def hit_json(hit: Hit, explain: bool) -> Json:
    """One hit of a search."""
    out: Json = {
        "memory": to_json(hit.memory),
        "score": hit.score,
        "tier": str(hit.tier),
        "flags": list(hit.flags),
        "why": hit.why,
    }
    if explain:
        out["parts"] = dict(hit.parts)
    return out


def batch_json(row: Mapping[str, Any]) -> Json:
    """A batch of the log."""
    return {**row, "at": row["at"].isoformat()}


def link_json(link: Link) -> Json:
    """One link of a chain of decisions, with its journal."""
    return {
        "id": link.id,
        "memory": to_json(link.memory) if link.memory else None,
        "replaces": list(link.replaces),
        "replaced_by": link.replaced_by,
        "journal": [
            {
                "seq": line.entry.seq,
                "at": line.entry.at.isoformat(),
                "verb": line.entry.verb,
                "reason": line.entry.reason or line.batch_reason,
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


def done_json(done: Any) -> Json:
    """What a change did."""
    return {
        "batch": done.id,
        "verb": done.verb,
        "changed": list(done.changed),
        "skipped": [{"id": i, "why": why} for i, why in done.skipped],
        "notes": list(done.notes),
    }
