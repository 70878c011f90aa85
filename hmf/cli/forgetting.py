"""`hmf forget --project`, `--category`: shown, asked, then done in one batch that can be undone."""

from __future__ import annotations

from rich.console import Group
from rich.text import Text

from hmf.cli import output, render
from hmf.cli.output import Json
from hmf.cli.session import Session
from hmf.cli.words import Screen
from hmf.errors import NotFound, Refused

_SHOWN = 20


def plan(session: Session, project: str | None, category: str | None) -> Json:
    """What would be forgotten. Raises NotFound when nothing fits, and what the operation raises."""
    found = session.call("forget_fitting", project=project, category=category, dry_run=True)
    if not found["memories"]:
        raise NotFound(session.screen.say("forget-none"), fix="hmf list")
    return found


def show(screen: Screen, found: Json) -> Group:
    """The plan as a screen: how many, where, and the first of them."""
    rows = found["memories"]
    places = ", ".join(f"{name} ({count})" for name, count in sorted(found["categories"].items()))
    title = screen.say("forget-these", n=len(rows), places=output.safe(places))
    more = len(rows) - _SHOWN
    rest = [Text(screen.say("forget-more", n=more))] if more > 0 else []
    return Group(Text(title, style="bold"), render.memories(screen, rows[:_SHOWN]), *rest)


def carry_out(session: Session, project: str | None, category: str | None, reason: str | None, *, yes: bool) -> Json:
    """Show the plan, ask, and forget what was shown. Raises Refused when the person says no."""
    found, screen = plan(session, project, category), session.screen
    output.stderr().print(show(screen, found))
    if not output.confirm(screen.say("forget-ask", n=len(found["memories"])), yes):
        raise Refused("Not confirmed: nothing was forgotten.")
    shown = [row["id"] for row in found["memories"]]
    return session.call("forget_fitting", project=project, category=category, only=shown, reason=reason)
