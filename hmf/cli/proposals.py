"""Plans as people read them: what is proposed, on what, why, since when, and what is near."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from rich.console import Group, RenderableType
from rich.text import Text

from hmf.cli.output import Json, safe
from hmf.cli.render import one_line, short_id
from hmf.cli.words import Screen

_SHOWN = 6
"""So many memories of one proposal are shown; `hmf review --json` has all."""

_LONG = 400


@dataclass(frozen=True, slots=True)
class Batch:
    """Actions of one plan that a person decides on together: one verb for one reason, with what depends on them."""

    plan: Json
    actions: tuple[Json, ...]

    @property
    def verb(self) -> str:
        """What the first action does; the others do the same or follow from it."""
        verb: str = self.actions[0]["verb"]
        return verb

    @property
    def units(self) -> list[list[Json]]:
        """What is asked at once: an action with those that come after it, which cannot be answered without it."""
        keys = {action["key"] for action in self.actions}
        units: dict[str, list[Json]] = {}
        for action in self.actions:
            lead = action["after"] if action["after"] in keys else action["key"]
            units.setdefault(lead, []).append(action)
        return list(units.values())


def batches(plan: Json) -> Iterator[Batch]:
    """The undecided actions of a plan, by verb and reason. An action stays with the one it must come after,
    since the second is only applied in one go with the first."""
    by_key = {action["key"]: action for action in plan["actions"]}
    groups: dict[tuple[str, str], list[Json]] = {}
    for action in plan["actions"]:
        lead = by_key.get(action["after"] or "", action)
        groups.setdefault((lead["verb"], lead["reason"][0]), []).append(action)
    for actions in groups.values():
        yield Batch(plan, tuple(actions))


def plans(screen: Screen, data: Sequence[Json], notes: Sequence[Json] = ()) -> RenderableType:
    """Every proposal of several plans, in the groups in which a review shows them, then what the jobs have noticed."""
    parts: list[RenderableType] = []
    for plan in data:
        parts += [Text(warning, style="yellow") for warning in stops(screen, plan)]
        for batch in batches(plan):
            parts.append(heading(screen, batch))
            parts += [proposal(screen, action) for action in batch.actions]
    total = sum(len(plan["actions"]) for plan in data)
    parts.append(Text(screen.say("waiting", n=total) if total else screen.say("none-waiting"), style="bold"))
    if notes:
        parts.append(noticed(screen, notes))
    return Group(*parts)


def stops(screen: Screen, plan: Json) -> list[str]:
    """A sentence for each category of which the plan would touch too much."""
    return [
        safe(
            screen.say(
                "stop",
                touched=stop["touched"],
                total=stop["total"],
                category=stop["category"],
                limit=round(stop["limit"] * 100),
            )
        )
        for stop in plan["stops"]
    ]


def heading(screen: Screen, batch: Batch) -> Text:
    """The title of a group: the job, what it would do and why, and how many."""
    code = batch.actions[0]["reason"][0]
    verb, job = screen.named("verb", batch.verb), screen.named("job", batch.plan["job"])
    if screen.knows(f"because-{code}"):
        title = screen.say("group-why", job=job, verb=verb, why=screen.named("because", code))
    else:
        title = screen.say("group", job=job, verb=verb)
    return Text(f"\n{title}", style="bold").append(f"  ({len(batch.actions)}, {batch.plan['id']})", style="dim")


def unit(screen: Screen, actions: Sequence[Json], number: int, total: int) -> RenderableType:
    """What is asked at once, with how far the review is."""
    numbers = count(1)
    progress = Text(f"\n{screen.say('progress', n=number, total=total)}", style="dim")
    return Group(progress, *(proposal(screen, one, numbers) for one in actions))


def proposal(screen: Screen, action: Json, numbers: Iterator[int] | None = None) -> Text:
    """One action: its reason, then each memory with its clocks and neighbours, then the summary it would write."""
    line = Text(f"  {action['key']} ", style="bold")
    line.append(safe(screen.say("why", what=screen.named("verb", action["verb"]), why=action["why"])), style="not bold")
    extra = list(_extra(screen, action))
    if extra:
        line.append(f" ({safe(', '.join(extra))})", style="not bold dim")
    known = {row["id"]: row for row in action["memories"]}
    targets = action["targets"]
    shown = targets if len(targets) <= _SHOWN + 1 else targets[:_SHOWN]
    numbers = numbers or count(1)
    for memory_id, _ in shown:
        _add_memory(screen, line, memory_id, known.get(memory_id), numbers)
    if len(shown) < len(targets):
        line.append(f"\n    {screen.say('and-more', n=len(targets) - len(shown))}", style="not bold dim")
    if action["draft"]:
        line.append(f"\n    {screen.say('draft')}: ", style="not bold italic")
        line.append(safe(action["draft"]["text"]), style="not bold")
    return line


def neighbours(actions: Sequence[Json]) -> list[Json]:
    """The neighbours that a proposal shows, in the order of their numbers."""
    return [near["memory"] for action in actions for row in action["memories"] for near in row.get("neighbours", ())]


def noticed(screen: Screen, notes: Sequence[Json]) -> RenderableType:
    """What the jobs have seen and cannot mend by an action."""
    text = Text(f"\n{screen.say('seen')}", style="bold")
    for note in notes:
        text.append(f"\n  {safe(note['why'])}", style="not bold")
        for part in note["parts"]:
            told = ", ".join(one_line(one["text"], 60) for one in part["examples"])
            said = screen.say("part", name=part["name"], n=part["count"], examples=told)
            text.append(f"\n    {safe(said)}", style="not bold dim")
        text.append(f"\n    {screen.say('dismiss-hint', key=note['key'])}", style="not bold dim")
    return text


def _extra(screen: Screen, action: Json) -> Iterator[str]:
    if action["to_category"]:
        yield screen.say("goes-to", category=action["to_category"])
    if action["confirm"] == "never":
        yield screen.say("report-only")
    if action["after"]:
        yield screen.say("depends", key=action["after"])
    if action.get("since"):
        yield screen.say("waits", when=screen.since(action["since"]))


def _add_memory(screen: Screen, line: Text, memory_id: str, row: Json | None, numbers: Iterator[int]) -> None:
    line.append(f"\n    {short_id(memory_id)} ", style="not bold cyan")
    if row is None:
        line.append(screen.say("gone"), style="not bold")
        return
    line.append(one_line(row["text"], _LONG), style="not bold")
    place = [row["category"], *([row["project"]] if row["project"] else []), screen.named("kind", row["kind"])]
    facts = [*place, screen.age(row["valid_from"]), *_clocks(screen, row)]
    line.append(f"\n      {safe(' · '.join(facts))}", style="not bold dim")
    for near in row.get("neighbours", ()):
        other = near["memory"]
        line.append(f"\n      {screen.say('near')}[{next(numbers)}] {short_id(other['id'])} ", style="not bold cyan")
        line.append(f"{one_line(other['text'], 100)} ", style="not bold")
        line.append(f"{other['category']}, {screen.decimal(near['nearness'])}", style="not bold dim")


def _clocks(screen: Screen, row: Json) -> Iterator[str]:
    """The four clocks, the last of each."""
    recalled = (row.get("recalled") or {}).get("last_at")
    moments = {
        "valid": row["valid_from"],
        "learnt": row["learnt_at"],
        "verified": row["verified_at"],
        "recalled": recalled,
    }
    for name, moment in moments.items():
        told = screen.since(moment) if moment and name == "valid" else screen.day(moment)
        yield f"{screen.say(name)} {told or screen.say('never')}"
