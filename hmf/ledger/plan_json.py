"""Actions and notes as JSON, and back: how plans are kept, and what operations hand out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hmf.memory import Confirm, Level
from hmf.plan import Action, Draft, Note, Part, Target, Verb
from hmf.reason import as_json, from_json


def note_json(note: Note) -> dict[str, Any]:
    """A note as JSON-safe data."""
    parts = [{"name": p.name, "count": p.count, "examples": list(p.examples)} for p in note.parts]
    return {"code": note.code, "values": dict(note.values), "category": note.category, "parts": parts}


def note_from_json(data: Mapping[str, Any]) -> Note:
    """The inverse of `note_json`."""
    parts = tuple(Part(p["name"], p["count"], tuple(p["examples"])) for p in data["parts"])
    return Note(data["code"], data["values"], data["category"], parts)


def action_json(action: Action) -> dict[str, Any]:
    """An action as JSON-safe data."""
    draft = action.draft
    return {
        "verb": str(action.verb),
        "targets": [[x.id, x.revision] for x in action.targets],
        "reason": [action.reason.code, as_json(action.reason)["values"]],
        "category": action.category,
        "confirm": str(action.confirm),
        "to_category": action.to_category,
        "after": action.after,
        "draft": None
        if draft is None
        else {
            "text": draft.text,
            "title": draft.title,
            "category": draft.category,
            "project": draft.project,
            "language": draft.language,
            "sentences": [list(pair) for pair in draft.sentences],
            "replaces": [draft.replaces.id, draft.replaces.revision] if draft.replaces else None,
            "level": str(draft.level),
        },
    }


def action_from_json(data: Mapping[str, Any]) -> Action:
    """The inverse of `action_json`."""
    draft = data["draft"]
    return Action(
        verb=Verb(data["verb"]),
        targets=tuple(Target(*pair) for pair in data["targets"]),
        reason=from_json({"code": data["reason"][0], "values": data["reason"][1]}),
        category=data["category"],
        confirm=Confirm(data["confirm"]),
        to_category=data["to_category"],
        after=data["after"],
        draft=None
        if draft is None
        else Draft(
            text=draft["text"],
            title=draft["title"],
            category=draft["category"],
            project=draft["project"],
            language=draft["language"],
            sentences=tuple((s, i) for s, i in draft["sentences"]),
            replaces=Target(*draft["replaces"]) if draft["replaces"] else None,
            level=Level(draft.get("level", Level.PROJECT if draft["project"] else Level.TOPIC)),
        ),
    )
