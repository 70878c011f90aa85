"""Plays a scenario in an empty, throw-away memory that has the user's configuration and the scenario's clock."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from hmf.config import Settings, load, resolve_category
from hmf.config.names import alike
from hmf.embed.port import Calibration, Embedder, Vectors
from hmf.errors import UnknownCategory
from hmf.evaluation.model import Item, Query, Scenario
from hmf.evaluation.played import Mode, Played, Reply, Shown
from hmf.memory import RETIRED, Authority, Status
from hmf.paths import places, prepare
from hmf.plan import Action, Plan, Reason, Target, Verb
from hmf.service import Hmf
from hmf.service.curating import job_names
from hmf.service.operations import Operations
from hmf.service.store import open_store

ZONES = {"fr": "Europe/Paris", "en": "Europe/London"}
_NAMESPACE = "default"
_STATUS = {"unconfirmed": Status.HYPOTHESIS, "to-verify": Status.TO_VERIFY}


class Kept:
    """An embedder that outlives the memories it serves, and embeds a text once."""

    def __init__(self, embedder: Embedder) -> None:
        """Keep `embedder` loaded until `release`."""
        self._inner = embedder
        self._known: dict[tuple[bool, str], Any] = {}
        self.key = embedder.key
        self.dimension = embedder.dimension
        self.max_chars = embedder.max_chars
        self.worker: str | None = None
        self.calibration: Calibration = embedder.calibration

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Embed texts to be stored, shape (n, dimension). Raises EmbedderFailure."""
        return self._rows(texts, False, self._inner.documents)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Embed questions, shape (n, dimension). Raises EmbedderFailure."""
        return self._rows(texts, True, self._inner.queries)

    def close(self) -> None:
        """The memory that closes is not the last one: nothing is released."""

    def release(self) -> None:
        """Release the model."""
        self._inner.close()

    def _rows(self, texts: Sequence[str], asked: bool, embed: Callable[[Sequence[str]], Vectors]) -> Vectors:
        missing = list(dict.fromkeys(text for text in texts if (asked, text) not in self._known))
        if missing:
            self._known.update(((asked, text), row) for text, row in zip(missing, embed(missing), strict=True))
        if not texts:
            return embed([])
        return np.stack([self._known[asked, text] for text in texts])


@dataclass
class _Clock:
    moment: datetime = field(default_factory=lambda: datetime(1970, 1, 1, tzinfo=UTC))

    def __call__(self) -> datetime:
        return self.moment


def play(scenario: Scenario, settings: Settings, embedder: Embedder, mode: Mode, k: int) -> Played:
    """Tell the items in order, then ask the queries. Raises what opening and adding raise, and UnknownCategory."""
    homes, added = _homes(scenario, settings)
    clock = _Clock()
    config = _throwaway(settings, scenario, added)
    with tempfile.TemporaryDirectory(prefix="hmf-eval-") as folder:
        with _memory(Path(folder), config, clock, embedder) as memory:
            told = _Told(memory, homes, mode)
            for item in scenario.items:
                clock.moment = item.at.astimezone(UTC)
                told.tell(item, clock.moment)
            replies = []
            for query in scenario.queries:
                clock.moment = query.at.astimezone(UTC)
                replies.append(_ask(memory, query, told, k, Path(folder)))
            retired = told.retired()
        replies = [_searched(reply, Path(folder), "a file of the closed memory") for reply in replies]
    return Played(scenario, mode, tuple(replies), retired, told.outcomes, tuple(added))


@contextmanager
def _memory(folder: Path, config: Mapping[str, Any], clock: _Clock, embedder: Embedder) -> Iterator[Hmf]:
    settings = load(config, environ=os.environ, known_jobs=job_names())
    where = places(folder, {})
    prepare(where)
    store = open_store(settings, where, clock, "hmf eval")
    # The embedder that the store made has loaded nothing yet; to load a model for each scenario would take longest.
    store.embedder.close()
    store.embedder = embedder
    with Hmf(store) as memory:
        yield memory


def _throwaway(settings: Settings, scenario: Scenario, more: Mapping[str, Any]) -> dict[str, Any]:
    """The user's configuration, with a store that touches nothing of theirs."""
    data = settings.model_dump(mode="json")
    data["store"] = {"index": {"engine": "memory"}, "min_free_mb": 16}
    data["timezone"] = scenario.zone or ZONES.get(scenario.lang, settings.timezone)
    data["language"] = scenario.lang if scenario.lang in ZONES else settings.language
    data["categories"] = {**data["categories"], **more}
    return data


def _homes(scenario: Scenario, settings: Settings) -> tuple[dict[str, str], dict[str, Any]]:
    """The user's category for each one that the scenario names, and those to be added because there is none."""
    known: dict[str, str] = {}
    for name, block in settings.categories.items():
        for word in (name, *block.label.by_language().values()):
            known.setdefault(_loose(word), name)
    homes: dict[str, str] = {}
    added: dict[str, Any] = {}
    for name in dict.fromkeys(item.category for item in scenario.items if item.category):
        try:
            homes[name] = resolve_category(name, settings)
        except UnknownCategory:
            slug = re.sub(r"[^a-z0-9]+", "-", alike(name)).strip("-")[:48]
            homes[name] = known.get(_loose(name), slug)
            if homes[name] == slug:
                added[slug] = {"routable": False}
    return homes, added


def _loose(name: str) -> str:
    """A name without dashes, case, accents and plurals."""
    return " ".join(word[:-1] if len(word) > 3 and word[-1] in "sx" else word for word in alike(name).split())


class _Told:
    """The items told to one memory."""

    def __init__(self, memory: Hmf, homes: Mapping[str, str], mode: Mode) -> None:
        self._memory = memory
        self._operations = Operations(memory)
        self._homes = homes
        self._mode = mode
        self.ids: dict[str, str] = {}
        """The memory's id by item."""
        self.outcomes: dict[str, str] = {}
        self.said: list[str] = []
        """Every answer to an addition, as text."""

    def tell(self, item: Item, now: datetime) -> None:
        """Add one item as a client would."""
        answer = self._operations.add(item.text, **self._values(item))
        self.outcomes[item.id] = str(answer["outcome"])
        self.said.append(json.dumps(answer, ensure_ascii=False))
        if answer["id"] is None:
            return
        self.ids[item.id] = answer["id"]
        if item.status == "archived":
            self._archive(answer["id"], now)

    def _values(self, item: Item) -> dict[str, Any]:
        kind, ref = (*item.source.split(":", 1), None)[:2]
        values: dict[str, Any] = {
            "at": item.at.isoformat(),
            "category": self._homes.get(item.category or ""),
            "kind": item.known_kind and str(item.known_kind),
            "source": {"type": kind, "ref": ref},
            "status": _STATUS.get(item.status),
            "volatile": True if item.kind == "temporary" else None,
            "project": item.project,
            "valid_from": item.valid_from,
            "expires_at": item.expires_at,
            "authority": Authority.HISTORY if item.status == "historical" else None,
        }
        if self._mode is Mode.A:
            values["supersedes"] = [self.ids[name] for name in item.supersedes if name in self.ids]
        return {name: value for name, value in values.items() if value is not None}

    def _archive(self, memory_id: str, now: datetime) -> None:
        """What is archived already when it is told goes where a review would have put it."""
        memory = self._memory.get(memory_id)
        target = Target(memory.id, memory.revision)
        action = Action(Verb.ARCHIVE, (target,), Reason("stale", {}), memory.category)
        self._memory.apply(Plan("archive", _NAMESPACE, now, (action,)), "all")

    def retired(self) -> frozenset[str]:
        """Items whose memory is retired now."""
        rows = self._memory.store.ledger.get(list(self.ids.values()), _NAMESPACE)
        return frozenset(i for i, name in self.ids.items() if name in rows and rows[name].status in RETIRED)


def _ask(memory: Hmf, query: Query, told: _Told, k: int, folder: Path) -> Reply:
    answer = Operations(memory).search(query.text, k=k, explain=True, prompt_tokens=4000)
    items = {memory_id: item for item, memory_id in told.ids.items()}
    reply = Reply(
        query,
        tuple(_shown(hit, items) for hit in answer["hits"]),
        answer["abstained"],
        tuple(one["text"] for one in answer["warnings"]),
        tuple(
            (text, where)
            for text in query.forbid_text
            for where, said in (
                ("the answer to this query", json.dumps({**answer, "query": ""}, ensure_ascii=False)),
                ("the answer to an addition", "\n".join(told.said)),
            )
            if text in said
        ),
    )
    return _searched(reply, folder, "a file of the open memory")


def _shown(hit: Mapping[str, Any], items: Mapping[str, str]) -> Shown:
    memory = hit["memory"]
    return Shown(
        items.get(memory["id"]),
        memory["text"],
        memory["status"],
        hit["tier"],
        tuple(flag["code"] for flag in hit["flags"]),
        (memory["source_type"], memory["source_ref"]),
        bool(memory["valid_from"]),
    )


def _searched(reply: Reply, folder: Path, where: str) -> Reply:
    """The reply, with the forbidden texts that stand in a file, as they are or as JSON escapes them."""
    if not reply.query.forbid_text:
        return reply
    found = list(reply.leaks)
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = file.read_bytes()
        for text in reply.query.forbid_text:
            if text.encode() in content or json.dumps(text)[1:-1].encode() in content:
                found.append((text, f"{where}, {file.name}"))
    return Reply(reply.query, reply.shown, reply.abstained, reply.warnings, tuple(dict.fromkeys(found)))
