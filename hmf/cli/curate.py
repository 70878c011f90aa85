"""Curating: plan, apply, and jobs."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from hmf.cli import output, proposals, render
from hmf.cli.options import CURATING, EXIT_CODES, AsJson, DryRun
from hmf.cli.output import Json
from hmf.cli.session import Session, opened, whole_id
from hmf.cli.words import Screen
from hmf.errors import HmfError, InvalidInput, NotFound

app = typer.Typer()
jobs = typer.Typer(no_args_is_help=True, epilog=EXIT_CODES)


@app.command(rich_help_panel=CURATING)
def plan(
    ctx: typer.Context,
    job: Annotated[str, typer.Argument(help="review, archive, summarise, expire, or another installed one.")],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", "-n", help="Only show it; do not file it for a review either.")
    ] = False,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Exit with 6 when the plan holds something that asks you.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """What a job proposes now, and why. Nothing is done; the plan is filed for `hmf review` and `hmf apply`."""
    with opened(ctx) as session:
        found = session.call("plan", job=job, file=not dry_run)
        output.emit(found, as_json, lambda: proposals.plans(session.screen, [found]))
        if found["actions"] and not dry_run:
            output.note(f"To carry it out: hmf apply {found['id']} --all, or hmf review", "dim")
    if exit_code and any(action["confirm"] == "ask" for action in found["actions"]):
        raise typer.Exit(output.PENDING)


@app.command(rich_help_panel=CURATING)
def apply(
    ctx: typer.Context,
    plan_id: Annotated[str, typer.Argument(metavar="PLAN", help="Id of a filed plan.")],
    keys: Annotated[list[str] | None, typer.Argument(metavar="[KEY]...", help="Actions, or ids of memories.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every action that is not decided yet.")] = False,
    auto: Annotated[bool, typer.Option("--auto", help="What its policies let apply by itself.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Even where it leaves a category empty.")] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Carry out a filed plan, or some of its actions, as one batch that `hmf undo` takes back.

    What changed since it was planned is skipped and said (exit code 3).
    """
    if [bool(keys), everything, auto].count(True) != 1:
        raise InvalidInput("Say which actions.", fix="give KEYs of the plan, --all, or --auto.")
    choice: str | list[str] = "all" if everything else "auto" if auto else list(keys or [])
    with opened(ctx) as session:
        filed = session.call("review")["plans"]
        full = whole_id(plan_id, [one["id"] for one in filed], "plans", "hmf review --list")
        if dry_run:
            shown = _would_apply(filed, full, choice)
            output.emit(shown, as_json, lambda: proposals.plans(session.screen, [shown]))
            return
        done = session.call("apply", plan=full, approve=choice, force=force)
        applied(session, [done], as_json)


def _would_apply(filed: list[Json], plan_id: str, choice: str | list[str]) -> Json:
    """The plan cut down to the actions that `choice` names."""
    found = next((one for one in filed if one["id"] == plan_id), None)
    if found is None:
        raise NotFound(f"There is no plan {plan_id!r} that waits.", fix="hmf review --list")
    wanted = {"all": lambda a: a["confirm"] != "never", "auto": lambda a: a["confirm"] == "auto"}
    if isinstance(choice, str):
        actions = [a for a in found["actions"] if wanted[choice](a)]
    else:
        names = [{a["key"], *(target[0] for target in a["targets"])} for a in found["actions"]]
        unknown = set(choice) - set().union(*names)
        if unknown:
            raise InvalidInput(f"Plan {plan_id} has no action {', '.join(sorted(unknown))}.", fix="hmf review --list")
        actions = [a for a, own in zip(found["actions"], names, strict=True) if own & set(choice)]
    return {**found, "dry_run": True, "actions": actions}


def applied(session: Session, done: list[Json], as_json: bool) -> None:
    """What became of applied plans; exit code 3 when an action was skipped."""
    skipped = [one for each in done for one in each["skipped"]]
    total = {"applied": sum(len(d["applied"]) for d in done), "refused": sum(len(d["refused"]) for d in done)}
    data = done[0] if len(done) == 1 else {"plans": done}
    screen = session.screen
    output.emit(data, as_json, lambda: Text(screen.say("decided", **total, skipped=len(skipped))))
    output.warn([f"{one['action']}: {render.short_ids(screen.told(one['why']))}" for one in skipped])
    for each in done:
        if each["batch"] and not as_json:
            output.note(screen.say("undo-hint", batch=render.short_id(each["batch"])), "dim")
    if skipped:
        raise typer.Exit(output.PARTIAL)


@jobs.command("run")
def run_job(
    ctx: typer.Context,
    job: Annotated[str, typer.Argument(help="A job, or `all`.")],
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Run a job now, in every namespace: plan, apply what needs nobody, file the rest for review.

    A failed job does not keep the others of `all` from running (exit code 3).
    """
    with opened(ctx) as session:
        names = [one["name"] for one in session.call("jobs", limit=1)["jobs"]] if job == "all" else [job]
        if dry_run:
            found = [session.call("plan", job=name, file=False) for name in names]
            output.emit({"dry_run": True, "plans": found}, as_json, lambda: proposals.plans(session.screen, found))
            return
        ran: list[Json] = []
        troubles: list[HmfError] = []
        for name in names:
            try:
                ran.append(session.call("run_job", job=name))
            except HmfError as error:
                if len(names) == 1:
                    raise
                troubles.append(error)
        data = ran[0] if job != "all" and ran else {"runs": ran, "failed": [one.what for one in troubles]}
        output.emit(data, as_json, lambda: Text("\n".join(_ran(session.screen, one) for one in ran)))
        for trouble in troubles:
            output.failed(trouble)
    if troubles or any(one["skipped"] for one in ran):
        raise typer.Exit(output.PARTIAL)


def _ran(screen: Screen, one: Json) -> str:
    return screen.say("ran", **{name: one[name] for name in ("job", "applied", "waiting", "skipped")})


@jobs.command("list")
def list_jobs(
    ctx: typer.Context,
    limit: Annotated[int, typer.Option("--limit", "-l", min=1, help="So many of the latest runs.")] = 20,
    as_json: AsJson = False,
) -> None:
    """The installed jobs with their schedule, and the latest runs."""
    with opened(ctx) as session:
        found = session.call("jobs", limit=limit)
        output.emit(found, as_json, lambda: render.jobs(session.screen, found))
