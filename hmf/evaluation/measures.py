"""Seven measures of what a memory answered, and two harms that must not happen. Pure: replies in, counts out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hmf.evaluation.model import Item
from hmf.evaluation.played import Mode, Played, Reply, Shown
from hmf.memory import RETIRED

MEASURES = ("memory", "first", "source", "flag", "conflict", "secret", "abstain")
"""In the order they are reported; `docs/eval.md` says what each counts."""

HARMS = ("forbidden", "wrongly-retired")
"""Counted as they come: a good run has none."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One row that failed. `query` is empty where it is about the state at the end."""

    measure: str
    scenario: str
    query: str
    expected: tuple[str, ...]
    came: tuple[str, ...]
    why: str
    level: str = ""


@dataclass(frozen=True, slots=True)
class Count:
    """How many were right, of how many."""

    found: int
    of: int

    @property
    def ratio(self) -> float:
        """From 0 to 1; 1 where nothing was asked."""
        return self.found / self.of if self.of else 1.0


@dataclass(frozen=True, slots=True)
class Report:
    """The measures of one mode, and every failing row."""

    mode: Mode
    counts: dict[str, Count]
    harms: dict[str, int]
    failures: tuple[Failure, ...]


_Row = tuple[str, Failure | None]
"""A measure, and what went wrong (None: nothing)."""


def measure(played: Sequence[Played], mode: Mode) -> Report:
    """Count what was right in the scenarios of one mode."""
    rows = [row for one in played if one.mode is mode for row in _rows(one)]
    harms = [failure for one in played if one.mode is mode for failure in _harms(one)]
    counts = {}
    for name in MEASURES:
        own = [failure for measured, failure in rows if measured == name]
        counts[name] = Count(sum(failure is None for failure in own), len(own))
    failures = [failure for _, failure in rows if failure is not None]
    return Report(mode, counts, {name: sum(f.measure == name for f in harms) for name in HARMS}, (*failures, *harms))


def _rows(played: Played) -> Iterator[_Row]:
    for reply in played.replies:
        yield from _memory(played, reply)
        yield from _sources(played, reply)
        yield from _flags(played, reply)
        yield from _secrets(played, reply)
        if reply.query.abstain:
            wrong = None if reply.abstained else _failed("abstain", played, reply, (), "it should have known nothing")
            yield "abstain", wrong
    yield from _conflicts(played)


def _memory(played: Played, reply: Reply) -> Iterator[_Row]:
    query, came = reply.query, _ids(reply)
    if query.expect:
        missing = [name for name in query.expect if name not in came]
        why = "it answered that it knows nothing" if reply.abstained else f"missing: {', '.join(missing)}"
        yield "memory", _failed("memory", played, reply, query.expect, why) if missing else None
    if query.top1:
        right = came[:1] == (query.top1,)
        yield "first", None if right else _failed("first", played, reply, (query.top1,), "another came first")


def _sources(played: Played, reply: Reply) -> Iterator[_Row]:
    """Every expected item that came back says where it is from, as it was told, and since when."""
    items = {item.id: item for item in played.scenario.items}
    for shown in reply.shown:
        if shown.item in reply.query.expect:
            told = _source(items[shown.item])
            wrong = None
            if shown.source != told or not shown.dated:
                why = f"its source is shown as {':'.join(filter(None, shown.source))}"
                wrong = _failed("source", played, reply, (shown.item,), why)
            yield "source", wrong


def _source(item: Item) -> tuple[str, str | None]:
    kind, _, ref = item.source.partition(":")
    return kind, ref or None


def _flags(played: Played, reply: Reply) -> Iterator[_Row]:
    """An item to be flagged carries a warning where it is shown; one that is also expected must be shown."""
    for name in reply.query.flag:
        shown = next((one for one in reply.shown if one.item == name), None)
        if shown is None and name not in reply.query.expect:
            yield "flag", None
        elif shown is None:
            yield "flag", _failed("flag", played, reply, (name,), "it did not come")
        else:
            warned = any(flag != "pinned" for flag in shown.flags)
            yield "flag", None if warned else _failed("flag", played, reply, (name,), "it came without a warning")


def _secrets(played: Played, reply: Reply) -> Iterator[_Row]:
    for text in reply.query.forbid_text:
        places = [where for leaked, where in reply.leaks if leaked == text]
        why = "found in " + ", ".join(places)
        yield "secret", _failed("secret", played, reply, (), why) if places else None


def _conflicts(played: Played) -> Iterator[_Row]:
    """An item that others replaced is retired at the end, and no answer gave it for the present."""
    for item in played.scenario.items:
        if item.retired:
            shown = [r.query.text for r in played.replies if item.id in r.query.forbid and item.id in _present(r)]
            why = "it still counts as current" if item.id not in played.retired else f"shown for {', '.join(shown)}"
            wrong = shown or item.id not in played.retired
            yield "conflict", _state("conflict", played, item, why) if wrong else None


def _harms(played: Played) -> Iterator[Failure]:
    for reply in played.replies:
        for name in sorted(set(reply.query.forbid) & _present(reply)):
            yield _failed("forbidden", played, reply, (), f"{name} was shown")
    for item in played.scenario.items:
        if item.id in played.retired and not item.retired:
            yield _state("wrongly-retired", played, item, "it still holds, and was retired")


def _present(reply: Reply) -> set[str]:
    """Items shown as holding now."""
    return {one.item for one in reply.shown if one.item and not _past(one)}


def _past(shown: Shown) -> bool:
    return shown.status in RETIRED and any(shown.status in flag for flag in shown.flags)


def _ids(reply: Reply) -> tuple[str, ...]:
    return tuple(one.item or "(made by HMF)" for one in reply.shown)


def _failed(name: str, played: Played, reply: Reply, expected: tuple[str, ...], why: str) -> Failure:
    return Failure(name, played.scenario.id, reply.query.text, expected, _ids(reply), why, reply.query.level)


def _state(name: str, played: Played, item: Item, why: str) -> Failure:
    return Failure(name, played.scenario.id, "", (item.id,), (), f"{item.text} {why}")
