"""`hmf review`: what the jobs propose, and the answers that are given by name; `hmf.cli.asking` asks one by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

import typer
from rich.text import Text

from hmf.cli import asking, output, proposals
from hmf.cli.options import CURATING, AsJson
from hmf.cli.output import Json
from hmf.cli.render import short_id
from hmf.cli.session import Session, opened, whole_id
from hmf.errors import InvalidInput

app = typer.Typer()
NEAR = 3
"""So many neighbours of each memory are shown."""

Keys = list[str] | None


def _option(help_: str, metavar: str = "KEY") -> object:
    return typer.Option(metavar=metavar, help=f"{help_} May be repeated.")


@app.command(rich_help_panel=CURATING)
def review(
    ctx: typer.Context,
    only: Annotated[
        str | None, typer.Option(metavar="WHAT", help="Only the proposals of this job, verb, category or key.")
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="Only list what waits; decide nothing.")] = False,
    limit: Annotated[int | None, typer.Option("--limit", "-l", min=1, help="Show so many proposals.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Approve all the rest but what is only reported.")] = False,
    approve: Annotated[Keys, _option("Do what is proposed.")] = None,
    refuse: Annotated[Keys, _option("Leave it as it is, and do not ask again.")] = None,
    keep: Annotated[Keys, _option("It is right as it stands: its clock starts again.")] = None,
    archive: Annotated[Keys, _option("To the archive.")] = None,
    forget: Annotated[Keys, _option("Forget it.")] = None,
    undecided: Annotated[Keys, _option("Take back a delay: it waits again.")] = None,
    postpone: Annotated[Keys, _option("Ask again after a span or on a day.", "KEY=2w")] = None,
    merge: Annotated[Keys, _option("Merge it into this memory.", "KEY=ID")] = None,
    edit: Annotated[str | None, typer.Option(metavar="KEY", help="Give it the text of --text.")] = None,
    text: Annotated[str | None, typer.Option(help="The new text for --edit; `-` reads standard input.")] = None,
    dismiss: Annotated[Keys, _option("Do not show this remark of a job again until it changes.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Even where it leaves a category empty.")] = False,
    as_json: AsJson = False,
) -> None:
    """Answer what the jobs propose. What is undecided is never applied.

    A KEY is that of a proposal, or the id of a memory it is about. Each answer is done at once, and `hmf undo` takes it
    back: you can stop at any moment, and the next review goes on from there. Exits with 6 while something waits.
    """
    plain = {"approve": approve, "refuse": refuse, "keep": keep, "archive": archive, "forget": forget}
    with opened(ctx) as session:
        if dismiss:
            _dismiss(session, dismiss, as_json)
            return
        answers = [*_plain({**plain, "undecided": undecided}), *_valued("postpone", postpone, "until")]
        answers += [*_valued("merge", merge, "into"), *_edited(edit, text)]
        found = session.call("review", neighbours=0 if answers or yes or not as_json else NEAR)
        waiting = _only(found["plans"], only)
        if answers or yes:
            _answer(session, _whole(waiting, answers), waiting if yes else [], as_json, force=force)
        elif as_json or listing or not waiting:
            shown = _cut(waiting, limit)
            total = sum(len(plan["actions"]) for plan in waiting)
            data = {"plans": shown, "waiting": total, "notes": found["notes"]}
            output.emit(data, as_json, lambda: proposals.plans(session.screen, shown, found["notes"]))
        else:
            output.must_ask("--list to see what waits, then --approve KEY, --keep KEY, … or --yes")
            asking.Asking(session, waiting, found["notes"]).run()
        left = _only(session.call("review")["plans"], only)
    if any(action["confirm"] != "never" for plan in left for action in plan["actions"]):
        raise typer.Exit(output.PENDING)


def _only(plans: Sequence[Json], what: str | None) -> list[Json]:
    """The plans cut down to a job, a verb, a category or a key, with what those depend on; empty ones are out."""
    found = []
    for plan in plans:
        fit = [
            a for a in plan["actions"] if what is None or what in (plan["job"], a["verb"], a["category"], *_names(a))
        ]
        keys = {a["key"] for a in fit} | {a["after"] for a in fit}
        actions = [a for a in plan["actions"] if a["key"] in keys]
        if actions:
            found.append({**plan, "actions": actions})
    return found


def _cut(plans: Sequence[Json], limit: int | None) -> list[Json]:
    left, found = limit, []
    for plan in plans:
        actions = plan["actions"][:left]
        if actions:
            found.append({**plan, "actions": actions})
        left = None if left is None else left - len(actions)
    return found


def _plain(given: Mapping[str, Keys]) -> list[Json]:
    return [{"answer": answer, "keys": keys} for answer, keys in given.items() if keys]


def _valued(answer: str, given: Keys, name: str) -> list[Json]:
    """Answers of the form KEY=VALUE."""
    found = []
    for one in given or ():
        key, equals, value = one.partition("=")
        if not equals or not value.strip():
            raise InvalidInput(f"--{answer} {one}: what is missing after the key?", fix=f"--{answer} KEY=VALUE")
        found.append({"answer": answer, "keys": [key], name: value.strip()})
    return found


def _edited(key: str | None, text: str | None) -> list[Json]:
    if (key is None) is not (text is None):
        raise InvalidInput("--edit and --text belong together.", fix='hmf review --edit KEY --text "…"')
    if key is None or text is None:
        return []
    return [{"answer": "edit", "keys": [key], "text": output.read_stdin() if text == "-" else text}]


def _whole(plans: Sequence[Json], answers: Sequence[Json]) -> list[Json]:
    """The answers with whole keys. Raises InvalidInput for what waits nowhere, and for two answers to the same."""
    known = sorted({name for plan in plans for action in plan["actions"] for name in _names(action)})
    seen: set[str] = set()
    found = []
    for one in answers:
        keys = [whole_id(key, known, "proposals", "hmf review --list") for key in one["keys"]]
        unknown = [key for key in keys if key not in known and one["answer"] != "undecided"]
        if unknown:
            raise InvalidInput(f"Nothing waits under {', '.join(unknown)}.", fix="hmf review --list")
        if seen.intersection(keys):
            raise InvalidInput("The same is given two answers.", fix="give each proposal one.")
        seen.update(keys)
        found.append({**one, "keys": keys})
    return found


def _answer(
    session: Session, answers: Sequence[Json], everything: Sequence[Json], as_json: bool, *, force: bool
) -> None:
    """Give answers; then approve what is left of `everything`. Exit code 3 when one could not be carried out."""
    if everything and any(one["answer"] == "approve" for one in answers):
        raise InvalidInput("--yes approves everything: --approve adds nothing to it.", fix="give one of them.")
    done = [each for one in answers for each in session.call("decide", **one, force=force)["decided"]]
    named = {key for one in answers for key in one["keys"]}
    for plan in everything:
        rest = [a["key"] for a in plan["actions"] if a["confirm"] != "never" and not _names(a) & named]
        if rest:
            done += session.call("decide", keys=rest, answer="approve", plan=plan["id"], force=force)["decided"]
    screen = session.screen
    decided = sum(len(one["decided"]) for one in done)
    output.emit({"decided": done}, as_json, lambda: Text(screen.say("answered", n=decided)))
    skipped = [one for each in done for one in each["skipped"]]
    output.warn([screen.say("not-done", key=one["action"], why=session.screen.told(one["why"])) for one in skipped])
    for each in done:
        if each["batch"] and not as_json:
            output.note(screen.say("undo-hint", batch=short_id(each["batch"])), "dim")
    if skipped:
        raise typer.Exit(output.PARTIAL)


def _dismiss(session: Session, keys: Sequence[str], as_json: bool) -> None:
    known = [note["key"] for note in session.call("review")["notes"]]
    whole = [whole_id(key, known, "remarks", "hmf review --list") for key in keys]
    done = session.call("dismiss", keys=whole)
    output.emit(done, as_json, lambda: Text(session.screen.say("dismissed", n=len(done["dismissed"]))))


def _names(action: Json) -> set[str]:
    targets: Iterable[Sequence[str]] = action["targets"]
    return {action["key"], *(target[0] for target in targets)}
