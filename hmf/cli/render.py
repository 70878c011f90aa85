"""Operations' answers as people read them: cards for a search, tables for lists, in the user's language."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from hmf.cli.output import Json, safe
from hmf.cli.words import Screen


def short_id(full: str) -> str:
    """The end of a UUID: enough to name it by hand, and unlike its beginning not shared by what came together."""
    return full[-8:]


_SHOWN = 800
_IDS = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")


def one_line(text: str, size: int = 120) -> str:
    """A text on one line, cut to `size` characters."""
    flat = safe(" ".join(text[: size * 8].split()))
    return flat if len(flat) <= size else flat[: size - 1] + "…"


def texts(screen: Screen, reasons: Sequence[Json]) -> list[str]:
    """The sentences of reasons, with the short form of the ids in them."""
    return [short_ids(screen.told(reason)) for reason in reasons]


def short_ids(text: str) -> str:
    """The text with the ids in it cut to their ends."""
    return _IDS.sub(lambda one: short_id(one[0]), text)


def search(screen: Screen, data: Json) -> RenderableType:
    """The cards of a search, best first, or the abstention."""
    parts: list[RenderableType] = []
    if data["abstained"]:
        parts.append(Text(screen.say("no-memory"), style="bold"))
    for number, hit in enumerate(data["hits"], 1):
        parts.append(_card(screen, number, hit))
    if data["widened"]:
        parts.append(Text(screen.say("widened", where=", ".join(texts(screen, data["widened"]))), style="dim"))
    if data.get("trace"):
        parts.append(Text(screen.say("trace"), style="bold"))
        parts += [Text(f"  {safe(step)}", style="dim") for step in texts(screen, data["trace"])]
    return Group(*parts)


def _card(screen: Screen, number: int, hit: Json) -> RenderableType:
    memory = hit["memory"]
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=3, justify="right", style="bold")
    grid.add_column()
    # A pasted book must not fill the screen: `show` has it whole, and so has --json.
    long = len(memory["text"]) > _SHOWN
    grid.add_row(
        f"{number}.", Text(safe(memory["text"][:_SHOWN]) + (f"… (hmf show {short_id(memory['id'])})" if long else ""))
    )
    where = [memory["category"], *([memory["project"]] if memory["project"] else [])]
    facts = [*where, screen.day(memory["valid_from"]), screen.named("tier", hit["tier"]), short_id(memory["id"])]
    line = Text(safe(" · ".join(facts)), style="cyan")
    for flag in texts(screen, hit["flags"]):
        line.append(f" · {safe(flag)}", style="yellow")
    grid.add_row("", line)
    if why := "; ".join(texts(screen, hit["why"])):
        grid.add_row("", Text(safe(why), style="dim"))
    if "parts" in hit:
        said = ", ".join(f"{screen.named('part', name)} {value:g}" for name, value in sorted(hit["parts"].items()))
        grid.add_row("", Text(f"{hit['score']:g}: {said}", style="dim"))
    return grid


def memories(screen: Screen, rows: Sequence[Json]) -> RenderableType:
    """A list of memories, a line each."""
    if not rows:
        return Text(screen.say("none-listed"))
    table = _plain(screen.say("id"), screen.say("learnt"), screen.say("category"), "", last=True)
    for row in rows:
        text = Text(one_line(f"{row['title']}: {row['text']}" if row["title"] else row["text"]))
        text.append(f"  {screen.named('kind', row['kind'])}", style="dim")
        if marks := _marks(screen, row):
            text.append(f"  {', '.join(marks)}", style="yellow")
        table.add_row(short_id(row["id"]), screen.near(row["learnt_at"]), safe(row["category"]), text)
    return table


def _marks(screen: Screen, row: Json) -> list[str]:
    marks = [screen.named("status", row["status"])] if row["status"] != "confirmed" else []
    if row["tier"] != "detail":
        marks.append(screen.named("tier", row["tier"]))
    if row["pinned"]:
        marks.append(screen.say("flag-pinned"))
    if row["state"] == "forgotten":
        marks.append(screen.say("forgotten-on"))
    return marks


def memory(screen: Screen, row: Json, history: Sequence[Json] = (), summary: Json | None = None) -> RenderableType:
    """One memory with all that is known about it, where the sentences of a summary stand, then its history."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold")
    grid.add_column()
    for key, value in _facts(screen, row):
        if value:
            grid.add_row(screen.say(key), Text(safe(value)))
    parts: list[RenderableType] = [Padding(Text(safe(row["text"])), (0, 0, 1, 0)), grid]
    if summary is not None:
        parts += _summary(screen, summary)
    if history:
        parts.append(Text(f"\n{screen.say('history')}", style="bold"))
        parts += [_entry(screen, entry) for entry in history]
    return Group(*parts)


def _summary(screen: Screen, found: Json) -> list[RenderableType]:
    """Where each sentence stands, and which sources have changed since."""
    parts: list[RenderableType] = []
    if found["sentences"]:
        parts.append(Text(f"\n{screen.say('stands-in')}", style="bold"))
    for one in found["sentences"]:
        ids = ", ".join(map(short_id, one["sources"]))
        parts.append(Text(f"  {one_line(one['text'])} ").append(ids, style="cyan"))
    if found["changed"]:
        ids = ", ".join(map(short_id, found["changed"]))
        parts.append(Text(f"\n{screen.say('summary-changed', ids=ids)}", style="yellow"))
    return parts


def _facts(screen: Screen, row: Json) -> list[tuple[str, str]]:
    source = " ".join(filter(None, (row["source_type"], row["source_ref"], row["source_author"])))
    return [
        ("id", row["id"]),
        ("title", row["title"] or ""),
        ("category", row["category"]),
        ("filed", f"{screen.because(row['route_reason'])} ({screen.decimal(row['route_confidence'])})"),
        ("project", row["project"] or ""),
        ("tags", ", ".join(row["tags"])),
        ("kind", screen.named("kind", row["kind"])),
        ("tier", screen.named("tier", row["tier"])),
        (
            "status",
            ", ".join(
                [
                    screen.named("status", row["status"]),
                    *_marks(screen, {**row, "tier": "detail", "status": "confirmed"}),
                ]
            ),
        ),
        ("authority", screen.named("authority", row["authority"])),
        ("source", source),
        ("language", row["language"]),
        ("valid", screen.since(row["valid_from"])),
        ("learnt", screen.day(row["learnt_at"])),
        ("verified", screen.day(row["verified_at"])),
        ("fresh", row["fresh_for"] or ""),
        ("expires", screen.minute(row["expires_at"])),
        ("session", row["session"] or ""),
        ("supersedes", ", ".join(row["supersedes"])),
        ("superseded-by", row["superseded_by"] or ""),
        ("summary-of", ", ".join(row["summary_of"])),
        ("summarised-in", row["summarised_in"] or ""),
        ("archived-on", screen.day(row["archived_at"])),
        ("forgotten-on", screen.day(row["forgotten_at"])),
    ]


def _entry(screen: Screen, entry: Json) -> Text:
    line = Text(f"  {screen.minute(entry['at'])}  {screen.act(entry['verb'])}  {short_id(entry['batch'])}")
    if why := screen.because(entry["reason"]):
        line.append(f"  {safe(short_ids(why))}", style="dim")
    return line


def stats(screen: Screen, data: Json) -> RenderableType:
    """Counts by category, projects, and where everything lies."""
    table = _plain(screen.say("category"), last=True)
    tiers = ("detail", "summary", "archive", "retired", "forgotten")
    for name in tiers:
        table.add_column(screen.named("tier", name), justify="right")
    for name, counts in data["categories"].items():
        table.add_row(safe(name), *(str(counts[t]) if counts.get(t) else "·" for t in tiers))
    grid = Table.grid(padding=(0, 2))
    for key in ("namespace", "waiting", "outbox", "embedder", "index", "data_dir", "ledger_bytes", "config"):
        grid.add_row(Text(screen.named("stats", key), style="bold"), Text(safe(data[key])))
    for name, finished in data["projects"].items():
        grid.add_row(Text(screen.say("project"), style="bold"), Text(safe(f"{name} {screen.day(finished)}")))
    return Group(table, Text(""), grid)


def checks(data: Json) -> RenderableType:
    """The doctor's findings, remedies under what is not well."""
    grid = Table.grid(padding=(0, 2))
    for check in data["checks"]:
        mark = Text("ok", style="green") if check["well"] else Text("BAD", style="bold red")
        grid.add_row(mark, check["name"], Text(safe(check["found"])))
        if check["fix"]:
            grid.add_row("", "", Text(f"Fix: {safe(check['fix'])}", style="bold"))
    return grid


def jobs(screen: Screen, data: Json) -> RenderableType:
    """Installed jobs with their schedule, then the latest runs."""
    table = _plain("job", "cron")
    for job in data["jobs"]:
        table.add_row(job["name"], job["cron"] or "–")
    runs = _plain("job", "", "", "", last=True)
    for run in data["runs"]:
        error = Text(one_line(run.get("error") or ""), style="red")
        runs.add_row(run["job"], screen.minute(run["started_at"]), run["outcome"] or "…", error)
    return Group(table, Text(""), runs) if data["runs"] else table


def policies(data: Json) -> RenderableType:
    """Each category with its rules as sentences."""
    parts: list[RenderableType] = []
    for name, sentences in data["policies"].items():
        parts.append(Text(name, style="bold"))
        parts += [Text(f"  {safe(sentence)}") for sentence in sentences]
    return Group(*parts)


def _plain(*headers: str | Text, last: bool = False) -> Table:
    """A table without lines; every column but (with `last`) the last stays on one line."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    for number, header in enumerate(headers, 1):
        whole = not (last and number == len(headers))
        table.add_column(header, no_wrap=True, overflow="ellipsis", min_width=8 if number == 1 and whole else None)
    return table
