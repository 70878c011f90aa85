"""The example year played on a simulated clock: notes as they came, nights as they fell, the writer's answers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from ruamel.yaml import YAML

from hmf.ledger.plans import FiledPlan
from hmf.memory import State
from hmf.plan import Action, Verb
from hmf.policy.packing import Pack
from hmf.service import Hmf

NIGHT = time(3, 30)
JOBS = ("review", "archive", "summarise", "expire")
_META = frozenset({"key", "drawer", "file", "lang", "event", "at"})


class Clock:
    """A clock that shows what it is told."""

    def __init__(self, start: datetime) -> None:
        """Starts at `start`."""
        self.moment = start

    def __call__(self) -> datetime:
        """The present."""
        return self.moment


@dataclass
class Story:
    """What happened over the year."""

    ids: dict[str, str] = field(default_factory=dict)
    """Note key to memory id."""
    outcomes: Counter[str] = field(default_factory=Counter)
    routed: Counter[str] = field(default_factory=Counter)
    """right, inbox, wrong: of the notes that named no category."""
    superseded: int = 0
    nights: int = 0
    actions: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)
    """The first texts of each verb, to show."""


@dataclass(frozen=True)
class Question:
    """One question of questions.yaml."""

    text: str
    lang: str
    why: str
    expect: Sequence[str] = ()
    forbid: Sequence[str] = ()
    history: bool = False
    abstain: bool = False


@dataclass(frozen=True)
class Answer:
    """A question with what HMF and a flat store said."""

    question: Question
    pack: Pack
    flat: Sequence[tuple[str, str]]
    """(memory id, text), nearest first."""
    right: bool
    forbidden: tuple[str, ...]
    """Ids that must not have come back from HMF and did."""
    flat_forbidden: tuple[str, ...]


def load(folder: Path) -> tuple[list[dict[str, Any]], datetime, list[Question]]:
    """The lines of the year in order, when the questions are asked, and the questions."""
    lines = [json.loads(line) for line in (folder / "year.jsonl").read_text(encoding="utf-8").splitlines() if line]
    data = YAML(typ="safe").load((folder / "questions.yaml").read_text(encoding="utf-8"))
    questions = [Question(**q) for q in data["questions"]]
    return (
        sorted(lines, key=lambda x: datetime.fromisoformat(x["at"])),
        datetime.fromisoformat(str(data["asked_at"])),
        questions,
    )


def live(
    memory: Hmf, clock: Clock, lines: Sequence[dict[str, Any]], until: datetime, tick: Callable[[], None]
) -> Story:
    """Play the year: each note at its hour, the jobs each night, the writer's review every Sunday morning."""
    story = Story()
    drawers: dict[str, str] = {}
    nights = _nights(clock.moment, until, memory)
    night = next(nights, None)
    for line in lines:
        at = datetime.fromisoformat(line["at"])
        while night is not None and night <= at:
            clock.moment = night
            _night(memory, story, drawers)
            tick()
            night = next(nights, None)
        clock.moment = at
        _event(memory, line, story) if "event" in line else _note(memory, line, story, drawers)
        tick()
    while night is not None:
        clock.moment = night
        _night(memory, story, drawers)
        tick()
        night = next(nights, None)
    clock.moment = until
    return story


def ask(memory: Hmf, questions: Sequence[Question], story: Story, flat: Flat) -> list[Answer]:
    """Ask every question of HMF and of a flat store of the same notes."""
    return [_ask(memory, question, story, flat(question.text)) for question in questions]


def _ask(memory: Hmf, question: Question, story: Story, flat: Sequence[tuple[str, str]]) -> Answer:
    pack = memory.search(question.text, k=5, history=question.history)
    got = [hit.memory.id for hit in pack.hits]
    sources = {s for hit in pack.hits for s in hit.memory.summary_of}
    wanted = [story.ids[key] for key in question.expect]
    never = {story.ids[key] for key in question.forbid}
    right = pack.abstained if question.abstain else all(i in got or i in sources for i in wanted)
    return Answer(
        question,
        pack,
        flat,
        right,
        tuple(i for i in got if i in never),
        tuple(i for i, _ in flat if i in never),
    )


def _nights(start: datetime, until: datetime, memory: Hmf) -> Iterator[datetime]:
    zone = memory.store.zone
    day = start.astimezone(zone).date()
    while True:
        day += timedelta(days=1)
        moment = datetime.combine(day, NIGHT, tzinfo=zone)
        if moment > until:
            return
        yield moment


def _note(memory: Hmf, line: dict[str, Any], story: Story, drawers: dict[str, str]) -> None:
    values = {k: v for k, v in line.items() if k not in _META}
    if line.get("file"):
        values["category"] = line["drawer"]
    replaced = [story.ids[key] for key in values.get("supersedes", ())]
    alive = memory.store.ledger.get(replaced)
    # What was let go in the meantime has nothing left to be replaced.
    values["supersedes"] = [i for i in replaced if i in alive and alive[i].state is State.LIVE]
    added = memory.add(values.pop("text"), at=datetime.fromisoformat(line["at"]), **values)
    story.outcomes[added.outcome] += 1
    story.superseded += len(added.superseded)
    if added.id is None:
        return
    story.ids[line["key"]] = added.id
    if added.outcome == "created":
        drawers[added.id] = line["drawer"]
        if not line.get("file"):
            right = added.category == line["drawer"]
            inbox = added.category == memory.settings.inbox
            story.routed["right" if right else "inbox" if inbox else "wrong"] += 1


def _event(memory: Hmf, line: dict[str, Any], story: Story) -> None:
    if line["event"] == "finish-project":
        memory.project(line["project"]).finish()
    elif line["event"] == "pin":
        memory.pin(story.ids[line["key"]])
    else:
        memory.move(story.ids[line["key"]], line["to"])


def _night(memory: Hmf, story: Story, drawers: dict[str, str]) -> None:
    for job in JOBS:
        memory.run(job)
    for filed in memory.plans():
        _answer(memory, filed, story, drawers)
    story.nights += 1


def _answer(memory: Hmf, filed: FiledPlan, story: Story, drawers: dict[str, str]) -> None:
    """The writer's review, on Sundays: she lets ideas go, corrects filings, and refuses what is wrong."""
    now = memory.store.now().astimezone(memory.store.zone)
    if now.weekday() != 6:
        return
    yes = [a.key for a in filed.undecided if _agrees(a, drawers)]
    no = [a.key for a in filed.undecided if a.key not in yes]
    memory.apply(filed.plan.id, yes, no, filed.plan.namespace, force=True)
    story.answers["approved"] += len(yes)
    story.answers["refused"] += len(no)
    for action in filed.undecided:
        if action.key in no and action.reason.code == "unrouted":
            for target in action.targets:
                memory.move(target.id, drawers[target.id])
                story.answers["filed by hand"] += 1


def _agrees(action: Action, drawers: dict[str, str]) -> bool:
    if action.verb is Verb.MOVE:
        return all(drawers.get(t.id) == action.to_category for t in action.targets)
    return True


def tally(memory: Hmf, story: Story) -> None:
    """Count, from the journal, what the jobs did, and keep a few texts of each to show."""
    for batch in memory.log(limit=100_000):
        if batch["plan_id"] is None:
            continue
        for entry in memory.store.ledger.entries(namespace="default", batch_id=batch["id"]):
            if entry.verb == "summarise" and entry.before is not None:
                continue  # a source being linked to its summary, not the summary
            story.actions[entry.verb] += 1
            kept = story.examples.setdefault(entry.verb, [])
            row = memory.store.ledger.get([entry.memory_id or ""]).get(entry.memory_id or "")
            known = entry.before or row
            if known is not None and len(kept) < 3:
                kept.append(known.text)


class Flat:
    """What a flat vector store answers: the nearest of all the notes ever told, whatever became of them."""

    def __init__(self, memory: Hmf, lines: Sequence[dict[str, Any]], story: Story) -> None:
        """Embed every note once, with the same embedder."""
        notes = [line for line in lines if line.get("key") in story.ids and "text" in line]
        self._texts = [line["text"] for line in notes]
        self._ids = [story.ids[line["key"]] for line in notes]
        self._embedder = memory.store.embedder
        self._vectors = self._embedder.documents(self._texts)

    def __call__(self, question: str, k: int = 5) -> list[tuple[str, str]]:
        """(memory id, text) of the k nearest."""
        order = np.argsort(-(self._vectors @ self._embedder.queries([question])[0]))[:k]
        return [(self._ids[int(i)], self._texts[int(i)]) for i in order]
