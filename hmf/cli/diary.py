"""The log as a diary, day by day and in words; and the register of what replaced what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from hmf.cli.output import Json, safe
from hmf.cli.render import one_line, short_id, short_ids
from hmf.cli.words import Screen

_MERGED = 3
"""So many additions in a row are told in one line."""

_QUOTED = 80


def log(screen: Screen, rows: Sequence[Json], *, each: bool = False) -> RenderableType:
    """Batches by day, the last made first. `each`: no additions are told together."""
    if not rows:
        return Text(screen.say("no-batch"))
    parts: list[RenderableType] = []
    for day, found in groupby(rows, key=lambda row: screen.date(row["at"])):
        batches = list(found)
        near = screen.near(batches[0]["at"])
        title = day if near[:4].isdigit() and "-" in near else f"{near}, {day}"
        parts.append(Text(title[:1].upper() + title[1:], style="bold"))
        grid = Table.grid(padding=(0, 2))
        for width in (13, 10, None):
            grid.add_column(width=width)
        for run in _runs(batches, each):
            grid.add_row(*_line(screen, run))
        parts.append(Padding(grid, (0, 0, 1, 2)))
    return Group(*parts)


def _runs(batches: Sequence[Json], each: bool) -> Iterator[list[Json]]:
    """Batches one by one, but additions that came one after the other together."""
    for plain, found in groupby(batches, key=_only_adds):
        together = list(found)
        if plain and not each and len(together) >= _MERGED:
            yield together
        else:
            yield from ([one] for one in together)


def _only_adds(row: Json) -> bool:
    own = row["actor"] == "user" and not row["undone"]
    return own and bool(row["did"]) and all(one["verb"] == "add" for one in row["did"])


def _line(screen: Screen, run: Sequence[Json]) -> tuple[str, Text, Text]:
    last, first = run[0], run[-1]
    what = Text(safe(told(screen, [one for row in run for one in row["did"]]) or last["verb"]))
    if len(run) > 1:
        hours = dict.fromkeys([screen.hour(first["at"]), screen.hour(last["at"])])
        return " – ".join(hours), Text(screen.say("batches", n=len(run)), style="dim"), what
    memory = last["memory"]
    if memory and memory["text"]:
        what.append(f"  {screen.say('quoted', text=one_line(memory['text'], _QUOTED))}", style="dim")
    why = screen.because(last["reason"])
    if why and not any(one["project"] for one in last["did"]):
        what.append(f"  {one_line(why)}", style="italic dim")
    if last["actor"] != "user" or last["plan_id"]:
        what.append(f"  [{safe(_by(screen, last['actor'], last['verb'], last['plan_id']))}]", style="cyan")
    if last["undone"]:
        what.append(f"  {screen.say('undone')}", style="yellow")
    return screen.hour(last["at"]), Text(short_id(last["id"]), style="dim"), what


def told(screen: Screen, deeds: Sequence[Json]) -> str:
    """What was done, counted: `3 memories archived (article-ideas): untouched too long`."""
    counted: dict[tuple[str, str | None, bool], list[Json]] = {}
    for one in _telling(deeds):
        summary = one["made"] and one["verb"] == "summarise"
        counted.setdefault((one["verb"], one["project"], summary), []).append(one)
    return ", ".join(_counted(screen, *key, found) for key, found in counted.items())


def _telling(deeds: Sequence[Json]) -> list[Json]:
    """Without the marks that a summary leaves on its sources, where there is more to tell."""
    marks = ("summarise", "unlink")
    found = [one for one in deeds if one["made"] or one["verb"] not in marks]
    return found or list(deeds)


def _counted(screen: Screen, verb: str, project: str | None, summary: bool, found: Sequence[Json]) -> str:
    n = sum(one["n"] for one in found)
    if project is not None:
        return _acted(screen, verb, n, project)
    what = screen.say("summaries-made", n=n) if summary else _acted(screen, verb, n)
    places = Counter[str]()
    for one in found:
        if one["category"]:
            places[one["category"]] += one["n"]
    where = ", ".join(f"{name} {count}" if len(places) > 1 else name for name, count in places.most_common())
    what = f"{what} ({where})" if where else what
    keys = {f"because-{one['reason']['code']}" if one["reason"] else "" for one in found}
    why = screen.say(key) if len(keys) == 1 and screen.knows(key := keys.pop()) else None
    return screen.say("why", what=what, why=why) if why else what


def _acted(screen: Screen, verb: str, n: int, project: str | None = None) -> str:
    """A verb of the journal on so many memories, or on a project; undoing is told by what it takes back."""
    if verb.startswith("undo "):
        return screen.say("taken-back", what=_acted(screen, verb.removeprefix("undo "), n, project))
    if project is not None:
        if verb in ("finish", "reopen"):
            return screen.say(f"project-{verb}", name=project)
        return screen.say("taken-back", what=screen.say("project-any", name=project))
    return f"{screen.say('some-memories', n=n)} {screen.act(verb, n)}"


def chain(screen: Screen, links: Sequence[Json], asked: str) -> RenderableType:
    """What replaced what, the oldest first: each memory with its time, its state, and its lines in the journal."""
    title = screen.say("chain-alone") if len(links) == 1 else screen.say("chain-long", n=len(links))
    parts: list[RenderableType] = [Text(title, style="bold")]
    for number, link in enumerate(links, 1):
        grid = Table.grid(padding=(0, 1))
        grid.add_column(width=3, justify="right", style="bold")
        grid.add_column()
        mark = f"   ← {screen.say('chain-asked')}" if link["id"] == asked and len(links) > 1 else ""
        grid.add_row(f"{number}.", Text(_said(screen, link)).append(mark, style="yellow"))
        if link["memory"]:
            grid.add_row("", Text(safe(" · ".join(_facts(screen, link))), style="cyan"))
        for line in link["journal"]:
            grid.add_row("", _journal(screen, line))
        parts += [Text(""), grid]
    return Group(*parts)


def _said(screen: Screen, link: Json) -> str:
    if link["memory"] is None:
        return screen.say("chain-gone", id=short_id(link["id"]))
    text = link["memory"]["text"]
    return one_line(text, 600)


def _facts(screen: Screen, link: Json) -> list[str]:
    row = link["memory"]
    last = row["superseded_at"]
    span = screen.say(
        "chain-held" if last else "chain-holds",
        first=screen.minute(row["valid_from"])[:10],
        last=screen.minute(last)[:10],
    )
    source = " ".join(filter(None, (row["source_type"], row["source_ref"], row["source_author"])))
    place = [row["category"], *([row["project"]] if row["project"] else [])]
    state = screen.named("tier", "forgotten" if row["state"] == "forgotten" else row["tier"])
    facts = [span, screen.named("status", row["status"]), state, *place, source, short_id(row["id"])]
    if link["replaces"]:
        facts.append(f"{screen.say('supersedes')} {', '.join(map(short_id, link['replaces']))}")
    if row["summarised_in"]:
        facts.append(f"{screen.say('summarised-in')} {short_id(row['summarised_in'])}")
    return facts


def _by(screen: Screen, actor: str, order: str, plan: str | None) -> str:
    """Who: a job by itself, a job's plan that a person approved, or a person."""
    if actor == "job":
        return screen.say("by-job", job=order)
    return screen.say("by-approval", job=order) if plan else screen.say("by-you")


def _journal(screen: Screen, line: Json) -> Text:
    by = _by(screen, line["by"], line["order"], line["plan"])
    said = Text(f"{screen.minute(line['at'])}  {safe(screen.act(line['verb']))} · {safe(by)} · ", style="dim")
    said.append(short_id(line["batch"]))
    if why := screen.because(line["reason"]):
        said.append(f" · {one_line(short_ids(why))}")
    if line["undone"]:
        said.append(f" · {screen.say('undone')}")
    return said
