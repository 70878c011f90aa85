"""`hmf demo`: a writer's year, then eight questions, with a flat store's answers beside."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

from rich.console import Console
from rich.panel import Panel
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from hmf.cli import year
from hmf.paths import shipped_config
from hmf.policy.sentences import say
from hmf.reason import Reason
from hmf.service import Hmf

_WIDTH = 110


def demo(home: Path | None, console: Console, messages: Console) -> bool:
    """Play the example year in `home` (a throw-away folder by default). True when every question was answered right."""
    folder = home or Path(tempfile.mkdtemp(prefix="hmf-demo-"))
    try:
        return _play(folder, console, messages)
    finally:
        if home is None:
            shutil.rmtree(folder, ignore_errors=True)


def _play(folder: Path, console: Console, messages: Console) -> bool:
    lines, asked_at, questions = year.load(shipped_config().parent / "examples")
    clock = year.Clock(datetime.fromisoformat(lines[0]["at"]) - timedelta(hours=8))
    with Hmf.open(home=folder, config=shipped_config(), now=clock, role="hmf demo") as memory:
        count, first, last = sum("text" in line for line in lines), lines[0]["at"][:10], lines[-1]["at"][:10]
        told = f": {count} notes, {first} to {last}; jobs at night, review on Sundays"
        console.print(Text.assemble(("A writer's year", "bold"), told))
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
        )
        with Progress(*columns, console=messages, transient=True) as bar:
            nights = (asked_at - clock.moment).days
            task = bar.add_task("living the year", total=len(lines) + nights)
            story = year.live(memory, clock, lines, asked_at, lambda: bar.advance(task))
        year.tally(memory, story)
        answers = year.ask(memory, questions, story, year.Flat(memory, lines, story))
        console.print(_year_panel(memory, story))
        for number, answer in enumerate(answers, 1):
            console.print(_answer_panel(number, answer))
        console.print(_verdict(answers))
    return all(a.right and not a.forbidden for a in answers)


def _year_panel(memory: Hmf, story: year.Story) -> Panel:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold")
    table.add_column()
    added = ", ".join(f"{count} {outcome}" for outcome, count in sorted(story.outcomes.items()))
    table.add_row("taken in", f"{added}; {story.superseded} older ones replaced")
    total = sum(story.routed.values()) or 1
    routed = ", ".join(f"{count} {how}" for how, count in story.routed.most_common())
    table.add_row("filed by HMF", f"{routed} (of {total} that named no category)")
    answers = ", ".join(f"{count} {what}" for what, count in sorted(story.answers.items()))
    table.add_row("nights", f"{story.nights}; on Sundays: {answers}")
    for verb in sorted(story.actions):
        table.add_row(verb, str(story.actions[verb]))
        for text in story.examples.get(verb, []):
            table.add_row("", Text("· " + _short(text), style="dim"))
    for name, counts in memory.stats()["categories"].items():
        said = ", ".join(f"{count} {tier}" for tier, count in sorted(counts.items()))
        table.add_row(Text(name, style="cyan"), said or "empty")
    return Panel(table, title="What the year left", width=_WIDTH)


def _answer_panel(number: int, answer: year.Answer) -> Panel:
    table = Table(box=None, show_header=False, padding=(0, 1, 0, 0))
    table.add_column(width=3)
    table.add_column()
    wanted = set(answer.forbidden)
    if answer.pack.abstained:
        table.add_row("", Text("no memory answers this: HMF says so instead of guessing", style="bold green"))
    for n, hit in enumerate(answer.pack.hits, 1):
        style = "red" if hit.memory.id in wanted else ""
        table.add_row(f"{n}.", Text(_short(hit.memory.text, 170), style=style))
        when = hit.memory.valid_from.astimezone(answer.pack.zone).date()
        marks = f"  [{_said(hit.flags)}]" if hit.flags else ""
        table.add_row("", Text(f"{when}, {hit.memory.category}, {hit.tier}{marks}: {_said(hit.why)}", style="dim"))
    if answer.pack.widened:
        table.add_row("", Text("looked further: " + _said(answer.pack.widened), style="dim"))
    table.add_row("", "")
    table.add_row("", Text("A flat vector store answers:", style="bold"))
    stale = set(answer.flat_forbidden)
    for memory_id, text in answer.flat[:5]:
        bad = memory_id in stale or answer.question.abstain
        table.add_row("✗" if bad else "·", Text(_short(text, 140), style="red" if bad else "dim"))
    good = answer.right and not answer.forbidden
    title = f"{number}. {answer.question.text}"
    note = Text(answer.question.why, style="italic")
    table.add_row("", "")
    table.add_row("✓" if good else "✗", note)
    return Panel(table, title=title, title_align="left", width=_WIDTH, border_style="green" if good else "red")


def _verdict(answers: list[year.Answer]) -> Panel:
    right = sum(a.right for a in answers)
    shown = sum(len(a.forbidden) for a in answers)
    flat = sum(len(a.flat_forbidden) for a in answers)
    made_up = sum(a.question.abstain for a in answers)
    text = (
        f"HMF: {right} of {len(answers)} questions answered as expected, {shown} outdated or abandoned notes shown.\n"
        f"Flat store, same notes and embedder: {flat} outdated or abandoned notes in its first five,\n"
        f"and five memories offered for each of the {made_up} question(s) that nothing answers."
    )
    return Panel(text, width=_WIDTH)


def _said(reasons: Iterable[Reason]) -> str:
    return "; ".join(say(reason, "en") for reason in reasons)


def _short(text: str, size: int = 100) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= size else flat[: size - 1] + "…"
