"""Taking memories in, and out to a file: add, import, export."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer
from rich.text import Text

from hmf.cli import files, output, render
from hmf.cli.options import TAKING_IN, AsJson, Category, DryRun, Project, Yes
from hmf.cli.output import Json
from hmf.cli.session import opened
from hmf.cli.words import Screen
from hmf.memory import Authority, Kind, Status

app = typer.Typer()


def _of(words: type[StrEnum]) -> str:
    return ", ".join(words)


@app.command(rich_help_panel=TAKING_IN)
def add(
    ctx: typer.Context,
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="What to remember, between quotes; `-` reads standard input.")
    ],
    category: Category = None,
    kind: Annotated[
        Kind | None,
        typer.Option("--kind", "-K", metavar="KIND", help=f"What it is ({_of(Kind)}); left out, it is inferred."),
    ] = None,
    project: Project = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", "-t", help="A tag; may be repeated.")] = None,
    title: Annotated[str | None, typer.Option(help="A title.")] = None,
    status: Annotated[
        Status | None, typer.Option(metavar="STATUS", help=f"How far it can be relied upon ({_of(Status)}).")
    ] = None,
    authority: Annotated[
        Authority | None, typer.Option(metavar="WHO", help=f"Who stands behind it ({_of(Authority)}).")
    ] = None,
    source: Annotated[str | None, typer.Option(help="Where it comes from: user, email, web, call, document …")] = None,
    source_ref: Annotated[str | None, typer.Option(help="Which one: an address, a file, a subject.")] = None,
    author: Annotated[str | None, typer.Option(help="Who said or wrote it.")] = None,
    at: Annotated[
        str | None, typer.Option(metavar="DATE", help="When you learnt it, if not now (2026-11-30, or with a time).")
    ] = None,
    valid_from: Annotated[str | None, typer.Option(metavar="DATE", help="Since when it is true.")] = None,
    expires: Annotated[str | None, typer.Option(metavar="DATE", help="Last day on which it holds.")] = None,
    volatile: Annotated[bool | None, typer.Option(help="It changes often, like a price; left out, inferred.")] = None,
    fresh_for: Annotated[
        str | None, typer.Option(metavar="SPAN", help="How long it can be trusted: 12h, 7d, 2w, 3mo.")
    ] = None,
    supersedes: Annotated[list[str] | None, typer.Option(help="Id of a memory it replaces; may be repeated.")] = None,
    pin: Annotated[bool, typer.Option("--pin", help="Keep it out of the reach of every job.")] = False,
    language: Annotated[str | None, typer.Option(help="fr, en …; left out, it is detected.")] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Remember something.

    Prints where it was filed and why, and its id. What was said already is not stored twice.
    """
    origin = {"type": source or "user", "ref": source_ref, "author": author}
    values: dict[str, Any] = {
        "text": output.read_stdin() if text == "-" else text,
        "category": category,
        "kind": kind and str(kind),
        "project": project,
        "tags": tag,
        "title": title,
        "status": status and str(status),
        "authority": authority and str(authority),
        "source": {k: v for k, v in origin.items() if v} if source or source_ref or author else None,
        "at": at,
        "valid_from": valid_from,
        "expires_at": expires,
        "volatile": volatile,
        "fresh_for": fresh_for,
        "pinned": pin,
        "language": language,
    }
    given = {name: value for name, value in values.items() if value is not None}
    with opened(ctx) as session:
        if supersedes:
            given["supersedes"] = [session.call("show", memory_id=one)["memory"]["id"] for one in supersedes]
        added = session.call("add", dry_run=dry_run, **given)
    output.warn([] if as_json else render.texts(session.screen, added["warnings"]))
    output.emit(added, as_json, lambda: _told(session.screen, added, dry_run))
    if added["outcome"] == "refused":
        raise typer.Exit(1)


def _told(screen: Screen, added: Json, dry_run: bool) -> Text:
    what = screen.named("outcome", added["outcome"])
    line = Text(screen.say("would-outcome", what=what) if dry_run else what, style="bold")
    if added["category"]:
        line.append(screen.say("in-category", category=added["category"]), style="not bold")
    if added.get("route"):
        line.append(f" ({output.safe(screen.told(added['route']['reason']))})", style="not bold dim")
    if added.get("id"):
        line.append(f"\n{added['id']}", style="not bold")
    if added.get("superseded"):
        line.append(f"\n{screen.say('takes-place', ids=', '.join(added['superseded']))}", style="not bold")
    return line


@app.command(rich_help_panel=TAKING_IN)
def export(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(help="Where to write; left out or `-`: standard output.")] = "-",
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
) -> None:
    """Write everything the namespace holds as JSON lines, forgotten memories too.

    `hmf import` reads it back. The file is readable by you alone, and appears only once it is whole.
    """
    with opened(ctx) as session:
        target = None if file == "-" else files.target(file, session.places, force=force)
        lines = session.export()
        if target is None:
            for line in lines:
                output.raw(line)
            return
        with output.progress("exporting") as advance:
            count = files.write(target, lines, lambda done: advance(done, 0))
        session.call("exported", path=str(target))
    output.note(f"{count - 1} memories written to {target}")


@app.command("import", rich_help_panel=TAKING_IN)
def import_(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(help="An export, or notes as JSON lines; `-`: standard input.")],
    notes: Annotated[bool, typer.Option("--notes", help="Read plain notes: the fields of `hmf add`.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Also take what was forgotten here since.")] = False,
    dry_run: DryRun = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Take memories in from a file: an export, or plain notes, one JSON object a line.

    First says what the file holds, then asks. An export comes back as it was; repeats are harmless.
    Notes are added as if one by one, from the source `import`; lines that cannot be read are skipped (exit code 3).
    """
    with opened(ctx) as session, files.lines_of(file) as source:
        plan = files.survey(source, session.namespace, notes=notes)
        output.note(
            f"{plan.good} {'notes' if plan.notes else 'exported memories'} in {file}, {len(plan.bad)} unreadable"
        )
        output.warn(plan.bad[:5])
        counts: Json = {"found": plan.good, "notes": plan.notes, "unreadable": plan.bad, "dry_run": dry_run}
        if plan.good and not dry_run:
            if not output.confirm(f"Import them into the namespace {session.namespace!r}?", yes):
                output.note("Nothing was imported.")
                raise typer.Exit(1)
            with output.progress("importing") as advance:
                counts.update(files.take_in(session, source, plan, lambda done: advance(done, plan.good), again=again))
    shown = {name: value for name, value in counts.items() if isinstance(value, int) and not isinstance(value, bool)}
    output.emit(counts, as_json, lambda: Text(", ".join(f"{value} {name}" for name, value in shown.items())))
    output.warn([*counts.get("skipped", []), *counts.get("stopped", [])])
    if plan.bad or counts.get("skipped") or counts.get("refused"):
        raise typer.Exit(output.PARTIAL)
