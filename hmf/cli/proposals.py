"""Plans as people read them: what is proposed, on what, why, and how old it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.text import Text

from hmf.cli.output import Json, safe
from hmf.cli.render import one_line, short_id
from hmf.cli.words import Screen


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


def plans(screen: Screen, data: Sequence[Json]) -> RenderableType:
    """Every proposal of several plans, in the groups in which a review shows them."""
    parts: list[RenderableType] = []
    for plan in data:
        parts += [Text(warning, style="yellow") for warning in stops(screen, plan)]
        for batch in batches(plan):
            parts.append(heading(screen, batch))
            parts += [proposal(screen, action) for action in batch.actions]
    count = sum(len(plan["actions"]) for plan in data)
    parts.append(Text(screen.say("waiting", n=count) if count else screen.say("none-waiting"), style="bold"))
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
    """The title of a group."""
    verb = screen.named("verb", batch.verb)
    title = Text(f"\n{screen.say('group', job=batch.plan['job'], verb=verb)}", style="bold")
    return title.append(f"  ({len(batch.actions)}, {batch.plan['id']})", style="dim")


def proposal(screen: Screen, action: Json) -> Text:
    """One action: its reason, then each memory with its date, then the summary it would write."""
    line = Text(f"  {action['key']} ", style="bold")
    line.append(f"{screen.named('verb', action['verb'])}: {safe(action['why'])}", style="not bold")
    extra = []
    if action["to_category"]:
        extra.append(screen.say("goes-to", category=action["to_category"]))
    if action["confirm"] == "never":
        extra.append(screen.say("report-only"))
    if action["after"]:
        extra.append(screen.say("depends", key=action["after"]))
    if extra:
        line.append(f" ({safe(', '.join(extra))})", style="not bold dim")
    known = {row["id"]: row for row in action["memories"]}
    for memory_id, _ in action["targets"]:
        row = known.get(memory_id)
        text = one_line(row["text"], 300) if row else screen.say("gone")
        when = screen.day(row["learnt_at"]) if row else ""
        line.append(f"\n    {short_id(memory_id)} ", style="not bold cyan")
        line.append(f"{text} ", style="not bold")
        line.append(when, style="not bold dim")
    if action["draft"]:
        line.append(f"\n    {screen.say('draft')}: ", style="not bold italic")
        line.append(safe(action["draft"]["text"]), style="not bold")
    return line
