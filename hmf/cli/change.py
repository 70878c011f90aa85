"""Changing what is there: revise, move, pin, unpin, forget, erase, undo, and projects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.console import Group
from rich.text import Text

from hmf.cli import diary, forgetting, output, render, undoing
from hmf.cli.options import CHANGING, EXIT_CODES, AsJson, Category, DryRun, MemoryId, Project, Yes
from hmf.cli.output import Json
from hmf.cli.session import Session, opened, whole_id
from hmf.errors import InvalidInput, NotFound, Refused

app = typer.Typer()
project = typer.Typer(no_args_is_help=True, epilog=EXIT_CODES)
_MATCHES = 20


@app.command(rich_help_panel=CHANGING)
def revise(
    ctx: typer.Context,
    memory_id: MemoryId,
    text: Annotated[str, typer.Argument(help="The new text; `-` reads standard input.")],
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Give a memory another text. The old one stays in its history."""
    body = output.read_stdin() if text == "-" else text
    with opened(ctx) as session:
        if dry_run:
            before = session.call("show", memory_id=memory_id)["memory"]
            data = {"dry_run": True, "memory": before, "text": body}
            output.emit(data, as_json, lambda: Text(output.safe(f"- {before['text']}\n+ {body}")))
        else:
            _changed(session, session.call("revise", memory_id=memory_id, text=body), "revised", as_json)


@app.command(rich_help_panel=CHANGING)
def move(
    ctx: typer.Context,
    memory_id: MemoryId,
    category: Annotated[str, typer.Argument(help="Name or label of a category.")],
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """File a memory elsewhere. HMF learns from it."""
    with opened(ctx) as session:
        if dry_run:
            from hmf.config import resolve_category

            before = session.call("show", memory_id=memory_id)["memory"]
            to = resolve_category(category, session.settings)
            data = {"dry_run": True, "memory": before, "category": to}
            output.emit(data, as_json, lambda: Text(f"{before['id']}: {before['category']} → {to}"))
        else:
            _changed(session, session.call("move", memory_id=memory_id, category=category), "moved", as_json)


@app.command(rich_help_panel=CHANGING)
def pin(ctx: typer.Context, memory_id: MemoryId, dry_run: DryRun = False, as_json: AsJson = False) -> None:
    """Put a memory out of the reach of every job."""
    _pin(ctx, memory_id, True, dry_run, as_json)


@app.command(rich_help_panel=CHANGING)
def unpin(ctx: typer.Context, memory_id: MemoryId, dry_run: DryRun = False, as_json: AsJson = False) -> None:
    """Put a pinned memory back within the reach of the jobs."""
    _pin(ctx, memory_id, False, dry_run, as_json)


def _pin(ctx: typer.Context, memory_id: str, on: bool, dry_run: bool, as_json: bool) -> None:
    done = "pinned" if on else "unpinned"
    with opened(ctx) as session:
        if dry_run:
            _listed(session, [session.call("show", memory_id=memory_id)["memory"]], f"would-{done}", as_json)
        else:
            _changed(session, session.call("pin", memory_id=memory_id, on=on), done, as_json)


@app.command(rich_help_panel=CHANGING)
def forget(
    ctx: typer.Context,
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Ids, or their last 8 characters.")] = None,
    matching: Annotated[
        str | None, typer.Option("--matching", "--query", help="Choose among what a search for this finds.")
    ] = None,
    project: Project = None,
    category: Category = None,
    reason: Annotated[str | None, typer.Option(help="Why; kept in the history.")] = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Hide memories at once. `hmf undo` brings them back until the grace of their category has passed.

    With `--matching`, the candidates are shown and you say which; `--yes` takes them all. With `--project` or
    `--category` (or both: what is in each), all that would go is shown, and you are asked.
    """
    where = project is not None or category is not None
    if [bool(ids), bool(matching), where].count(True) != 1:
        raise InvalidInput(
            "Name memories, what to look for, or a project or category: an empty choice never means everything.",
            fix="hmf forget ID…, hmf forget --matching QUERY, or hmf forget --project NAME",
        )
    with opened(ctx) as session:
        if where and dry_run:
            found = forgetting.plan(session, project, category)
            output.emit(found, as_json, lambda: forgetting.show(session.screen, found))
            return
        if where:
            _finished(session, forgetting.carry_out(session, project, category, reason, yes=yes), as_json)
            return
        rows = _matching(session, matching) if matching else _rows(session, ids or [])
        if dry_run:
            _listed(session, rows, "would-forgotten", as_json)
            return
        chosen = _chosen(session, rows, yes) if matching else [row["id"] for row in rows]
        _finished(session, session.call("forget", ids=chosen, reason=reason), as_json)


def _rows(session: Session, ids: Sequence[str]) -> list[Json]:
    return [session.call("show", memory_id=one)["memory"] for one in ids]


def _matching(session: Session, query: str) -> list[Json]:
    found = session.call("search", query=query, k=_MATCHES, archive=True)
    if not found["hits"]:
        raise NotFound(f"No memory answers {query!r}: nothing to forget.", fix="hmf list")
    return [hit["memory"] for hit in found["hits"]]


def _chosen(session: Session, rows: Sequence[Json], yes: bool) -> list[str]:
    """The ids of those the person names among numbered candidates. Raises Refused for an empty choice."""
    if yes:
        return [row["id"] for row in rows]
    output.must_ask("--yes to take all that is found, or -n to see it")
    for number, row in enumerate(rows, 1):
        output.note(f"{number:>3}  {render.one_line(row['text'])}  {session.screen.day(row['learnt_at'])}")
    answer = output.ask(session.screen.say("ask-forget"))
    if answer.lower() in ("all", "tout", "tous"):
        return [row["id"] for row in rows]
    words = answer.replace(",", " ").split()
    if not words:
        raise Refused("Nothing was chosen: nothing was forgotten.")
    if not all(word.isdecimal() and 1 <= int(word) <= len(rows) for word in words):
        raise InvalidInput(f"{answer!r} is not a choice among 1 to {len(rows)}.", fix="write numbers: 1 3 4")
    return [rows[int(word) - 1]["id"] for word in words]


@app.command(rich_help_panel=CHANGING)
def erase(
    ctx: typer.Context, memory_id: MemoryId, yes: Yes = False, dry_run: DryRun = False, as_json: AsJson = False
) -> None:
    """Destroy a memory now, everywhere HMF keeps anything of it. There is no undo."""
    with opened(ctx) as session:
        row = session.call("show", memory_id=memory_id)["memory"]
        if dry_run:
            _listed(session, [row], "would-destroyed", as_json)
            return
        if not yes:
            output.must_ask("--yes")
            output.note(render.one_line(row["text"], 400))
            word = render.short_id(row["id"])
            if output.ask(session.screen.say("ask-destroy", word=word)) != word:
                raise Refused("Not confirmed: nothing was destroyed.")
        done = session.call("erase", memory_id=row["id"])
        output.warn([] if as_json else render.texts(session.screen, done["notes"]))
        output.emit(done, as_json, lambda: Text(session.screen.say("destroyed", id=row["id"])))


@app.command(rich_help_panel=CHANGING)
def undo(
    ctx: typer.Context,
    batch: Annotated[str | None, typer.Argument(help="A batch of `hmf log`; left out: the newest.")] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="TIME", help='All that was done since then: "2026-11-29 18:00", 18:00, "hier 18h".'),
    ] = None,
    memory: Annotated[
        str | None, typer.Option("--memory", "-m", metavar="ID", help="Only the last change of this memory.")
    ] = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Take a batch back: one command, one night's job, one review. What changed again since is left alone.

    With --since, all batches made since then, the last first; you are shown them and asked. One that cannot be taken
    back does not stop the others (exit code 3).
    """
    if [batch is not None, since is not None, memory is not None].count(True) > 1:
        raise InvalidInput("Say one of them.", fix="give a batch, --since or --memory.")
    with opened(ctx) as session:
        if since is not None:
            undoing.since(session, since, yes, dry_run, as_json)
        elif memory is not None:
            _undo_memory(session, memory, dry_run, as_json)
        else:
            _undo_batch(session, batch, dry_run, as_json)


def _undo_batch(session: Session, batch: str | None, dry_run: bool, as_json: bool) -> None:
    rows = session.call("log", limit=1000, told=dry_run)["batches"]
    full = whole_id(batch, [row["id"] for row in rows], "batches", "hmf log") if batch else None
    if not dry_run:
        _finished(session, session.call("undo", batch_id=full), as_json)
        return
    final = ("erase", "purge", "undo")
    fit = [r for r in rows if r["id"] == full or (not full and not r["undone_by"] and r["verb"] not in final)]
    if not fit:
        raise NotFound("There is no such batch to undo.", fix="hmf log")
    output.emit({"dry_run": True, "batch": fit[0]}, as_json, lambda: diary.log(session.screen, fit[:1]))


def _undo_memory(session: Session, memory: str, dry_run: bool, as_json: bool) -> None:
    found = session.call("undo_memory", memory_id=memory, dry_run=dry_run)
    if not dry_run:
        _finished(session, found, as_json)
        return
    screen, change = session.screen, found["change"]
    title = screen.say("undo-one", act=screen.act(change["verb"]), at=screen.minute(change["at"]))
    output.emit(found, as_json, lambda: Group(Text(title, style="bold"), render.memories(screen, found["memories"])))


@project.command()
def finish(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="Name of a project.")],
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Mark a project finished: later its details go, its summary, decisions and lessons stay."""
    _project(ctx, "finish", name, dry_run, as_json)


@project.command()
def reopen(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="Name of a project.")],
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Mark a finished project open again."""
    _project(ctx, "reopen", name, dry_run, as_json)


def _project(ctx: typer.Context, verb: str, name: str, dry_run: bool, as_json: bool) -> None:
    with opened(ctx) as session:
        if not dry_run:
            _finished(session, session.call(verb, project=name), as_json, project=name.strip())
            return
        known = session.call("stats")["projects"]
        if name not in known:
            raise NotFound(f"No memory speaks of a project {name!r}.", fix=f"known: {', '.join(known) or 'none'}.")
        data = {"dry_run": True, "project": name, "finished_at": known[name]}
        screen = session.screen
        now = screen.say("project-closed", day=screen.day(known[name])) if known[name] else screen.say("project-open")
        said = screen.say("project-would", name=name, now=now, verb=verb)
        output.emit(data, as_json, lambda: Text(output.safe(said)))


def _changed(session: Session, data: Json, done: str, as_json: bool) -> None:
    row = data["memory"]
    said = session.screen.say(f"did-{done}", id=row["id"], category=row["category"])
    output.emit(data, as_json, lambda: Text(output.safe(said)))


def _listed(session: Session, rows: Sequence[Json], what: str, as_json: bool) -> None:
    """A dry run over memories."""
    data = {"dry_run": True, "memories": list(rows)}
    output.emit(
        data,
        as_json,
        lambda: Group(render.memories(session.screen, rows), Text(session.screen.say(what), style="bold")),
    )


def _finished(session: Session, done: Json, as_json: bool, project: str | None = None) -> None:
    """The result of a batch, of memories or of a project; exit code 3 when something was left alone."""
    screen = session.screen
    verb = screen.named("order", done["verb"])
    if project is None:
        said = screen.say("batch-done", n=len(done["changed"]), verb=verb, batch=done["batch"])
    else:
        said = output.safe(screen.say("project-done", verb=verb, name=project, batch=done["batch"]))
    output.emit(done, as_json, lambda: Text(said))
    output.warn([f"{render.short_id(one['id'])}: {session.screen.told(one['why'])}" for one in done["skipped"]])
    output.warn(render.texts(session.screen, done["notes"]))
    if not as_json and done["verb"] != "undo":
        output.note(screen.say("undo-hint", batch=render.short_id(done["batch"])), "dim")
    if done["skipped"]:
        raise typer.Exit(output.PARTIAL)
