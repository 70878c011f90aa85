"""`hmf review`: a person looks at what the jobs propose, group by group, and decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from hmf.cli import output, proposals
from hmf.cli.curate import applied
from hmf.cli.options import CURATING, AsJson
from hmf.cli.output import Json
from hmf.cli.session import Session, opened, whole_id
from hmf.errors import InvalidInput

app = typer.Typer()
_APPLY, _KEEP, _SKIP, _QUIT = "a", "k", "s", "q"


@app.command(rich_help_panel=CURATING)
def review(
    ctx: typer.Context,
    only: Annotated[
        str | None, typer.Option(metavar="WHAT", help="Only the proposals of this job, verb or category.")
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="Only list what waits; decide nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Approve all but what is only reported.")] = False,
    approve: Annotated[
        list[str] | None, typer.Option(metavar="KEY", help="Approve this action (or memory); may be repeated.")
    ] = None,
    refuse: Annotated[
        list[str] | None, typer.Option(metavar="KEY", help="Refuse this action (or memory); may be repeated.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Decide on what the jobs propose: keep, apply, or later. Undecided proposals are never applied.

    Decisions take effect at the end of each group, so you can stop and come back. Exits with 6 while something waits.
    """
    with opened(ctx) as session:
        waiting = _only(session.call("review")["plans"], only)
        if yes or approve or refuse:
            if yes and approve:
                raise InvalidInput("--yes approves everything: --approve adds nothing to it.", fix="give one of them.")
            applied(session, _named(session, waiting, yes, approve or [], refuse or []), as_json)
        elif as_json or listing or not waiting:
            data = {"plans": waiting, "waiting": sum(len(plan["actions"]) for plan in waiting)}
            output.emit(data, as_json, lambda: proposals.plans(session.screen, waiting))
        else:
            output.must_ask("--list to see what waits, then --approve KEY, --refuse KEY or --yes")
            _ask_all(session, waiting)
        left = _only(session.call("review")["plans"], only)
    if any(action["confirm"] != "never" for plan in left for action in plan["actions"]):
        raise typer.Exit(output.PENDING)


def _only(plans: Sequence[Json], what: str | None) -> list[Json]:
    """The plans cut down to a job, a verb or a category, with what those depend on; empty ones are out."""
    found = []
    for plan in plans:
        fit = [a for a in plan["actions"] if what is None or what in (plan["job"], a["verb"], a["category"])]
        keys = {a["key"] for a in fit} | {a["after"] for a in fit}
        actions = [a for a in plan["actions"] if a["key"] in keys]
        if actions:
            found.append({**plan, "actions": actions})
    return found


def _named(
    session: Session, plans: Sequence[Json], everything: bool, approve: Sequence[str], refuse: Sequence[str]
) -> list[Json]:
    """Apply the decisions given by name, plan by plan."""
    known = {name for plan in plans for action in plan["actions"] for name in _names(action)}
    wanted = {whole_id(name, sorted(known), "actions", "hmf review --list") for name in approve}
    unwanted = {whole_id(name, sorted(known), "actions", "hmf review --list") for name in refuse}
    unknown = (wanted | unwanted) - known
    if unknown or wanted & unwanted:
        why = f"Nothing waits under {', '.join(sorted(unknown))}." if unknown else "The same is approved and refused."
        raise InvalidInput(why, fix="hmf review --list")
    done = []
    for plan in plans:
        no = [a["key"] for a in plan["actions"] if _names(a) & unwanted]
        approved = [a["key"] for a in plan["actions"] if (everything and a["confirm"] != "never") or _names(a) & wanted]
        yes = [key for key in approved if key not in no]
        if yes or no:
            done.append(session.call("apply", plan=plan["id"], approve=yes, refuse=no))
    return done


def _names(action: Json) -> set[str]:
    return {action["key"], *(target[0] for target in action["targets"])}


def _ask_all(session: Session, plans: Sequence[Json]) -> None:
    """Ask group by group; what a group decides is applied at its end, also when it ends in `quit`."""
    for plan in plans:
        output.warn(proposals.stops(session.screen, plan))
        for batch in proposals.batches(plan):
            output.stderr().print(proposals.heading(session.screen, batch))
            answers = dict(_answers(session, batch.actions))
            yes = [key for key, answer in answers.items() if answer == _APPLY]
            no = [key for key, answer in answers.items() if answer == _KEEP]
            if yes or no:
                _settle(session, plan["id"], yes, no)
            if _QUIT in answers.values():
                return


def _settle(session: Session, plan_id: str, yes: list[str], no: list[str]) -> None:
    try:
        applied(session, [session.call("apply", plan=plan_id, approve=yes, refuse=no)], False)
    except typer.Exit:
        return  # some were skipped, and that was said: the rest of the review goes on


def _answers(session: Session, actions: Sequence[Json]) -> Iterator[tuple[str, str]]:
    """(key, answer) of each action in turn, up to and with a `quit`."""
    for number, action in enumerate(actions):
        output.stderr().print(proposals.proposal(session.screen, action))
        answer = _answer(session)
        if answer.isupper():
            yield from ((one["key"], answer.lower()) for one in actions[number:])
            return
        yield action["key"], answer
        if answer == _QUIT:
            return


def _answer(session: Session) -> str:
    while True:
        answer = output.ask(session.screen.say("prompt"))
        if answer in (_APPLY, _KEEP, _SKIP, _QUIT, "A", "K", "S"):
            return answer
        if answer == "Q":
            return _QUIT
        output.note(session.screen.say("keys"), "dim")
