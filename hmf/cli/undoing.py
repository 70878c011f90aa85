"""`hmf undo --since`: shown, asked, taken back, and what stayed said."""

from __future__ import annotations

import typer
from rich.console import Group
from rich.text import Text

from hmf.cli import diary, output
from hmf.cli.output import Json
from hmf.cli.render import short_id
from hmf.cli.session import Session
from hmf.cli.words import Screen
from hmf.errors import NotFound, Refused


def since(session: Session, when: str, yes: bool, dry_run: bool, as_json: bool) -> None:
    """Take back all that was done since then, once a person has seen it (or said yes beforehand).

    Raises NotFound when there is nothing, Refused when the person says no, InvalidInput where nobody can be asked.
    """
    found = session.call("undo_since", since=when, dry_run=True)
    rows, screen = found["batches"], session.screen
    if dry_run:
        output.emit(found, as_json, lambda: Group(_title(screen, rows), diary.log(screen, rows, each=True)))
        return
    if not rows:
        raise NotFound(screen.say("undo-none"), fix="hmf log")
    if not yes:
        output.must_ask("--yes, or -n to see what would be taken back")
        output.stderr().print(Group(_title(screen, rows), diary.log(screen, rows, each=True)))
        if not output.confirm(screen.say("undo-ask", n=len(rows)), yes):
            raise Refused("Not confirmed: nothing was taken back.")
    # Only what was shown: a night's job may have come in between.
    done = session.call("undo_since", since=when, only=[row["id"] for row in rows])
    output.emit(done, as_json, lambda: Text(_summary(screen, done)))
    output.warn(
        [screen.say("undo-left", batch=short_id(one["batch"]), why=screen.told(one["why"])) for one in done["left"]]
    )
    skipped = [one for each in done["undone"] for one in each["skipped"]]
    output.warn([screen.say("undo-skipped", id=short_id(one["id"]), why=screen.told(one["why"])) for one in skipped])
    if done["partial"]:
        raise typer.Exit(output.PARTIAL)


def _title(screen: Screen, rows: list[Json]) -> Text:
    return Text(screen.say("undo-these", n=len(rows)) if rows else screen.say("undo-none"), style="bold")


def _summary(screen: Screen, done: Json) -> str:
    changes = sum(len(one["changed"]) for one in done["undone"])
    batches = screen.say("batches", n=len(done["undone"]))
    return screen.say("undo-done", batches=batches, changes=screen.say("changes", n=changes))
