"""Export and import as JSON lines: complete, in id order, read back to equal rows."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, Required

from pydantic import Field, Strict, TypeAdapter
from typing_extensions import TypedDict

from hmf.errors import Conflict, InvalidInput
from hmf.index.names import checked
from hmf.ledger.codec import MOMENTS, from_json, to_json, to_row
from hmf.ledger.ledger import Batch, Change
from hmf.ledger.tombstones import Stone
from hmf.ledger.wanted import Wanted
from hmf.memory import Memory, State
from hmf.policy import screening
from hmf.policy import text as texts
from hmf.policy.sentences import say
from hmf.reason import Reason
from hmf.service.indexing import Indexer
from hmf.service.notes import Note, check, moment
from hmf.service.store import Store

FORMAT = "hmf/1"
_BATCH = 500
_Strict = Annotated[list[str], Strict()]


class _Line(TypedDict, total=False):
    """The types of an exported line whose wrong ones would only show later; the rest is checked as it is read."""

    id: Required[str]
    text: Required[str]
    category: Required[str]
    tags: _Strict
    supersedes: _Strict
    summary_of: _Strict
    title: str | None
    project: str | None
    session: str | None
    superseded_by: str | None
    summarised_in: str | None
    language: str
    pinned: Annotated[bool, Strict()]
    volatile: Annotated[bool, Strict()]
    position: Annotated[int, Strict(), Field(ge=0, le=2**31 - 1)] | None
    route_confidence: float


_LINE = TypeAdapter(_Line)


class Interchange:
    """Moves memories out of a store and into one."""

    def __init__(self, store: Store, indexer: Indexer) -> None:
        """Work on an open store."""
        self._store = store
        self._indexer = indexer

    def export(self, namespace: str) -> Iterator[str]:
        """A line for each memory of the namespace, forgotten ones too; the first line names the format."""
        projects = {n: p.finished_at for n, p in self._store.ledger.projects(namespace).items()}
        finished = {name: at.isoformat() for name, at in projects.items() if at}
        yield json.dumps({"format": FORMAT, "namespace": namespace, "finished_projects": finished}, ensure_ascii=False)
        for memory in self._store.ledger.stream(Wanted(namespace, states=())):
            data = to_json(memory)
            del data["revision"]  # a number of this store's journal: it means nothing elsewhere
            yield json.dumps(data, ensure_ascii=False, sort_keys=True)

    def restore(
        self, lines: Iterable[str], namespace: str, *, again: bool = False, report: list[str] | None = None
    ) -> Iterator[tuple[str, str]]:
        """Take an export in: (id, outcome) of each memory: created, unchanged, duplicate or refused (see `_judged`).
        Repeats are harmless. `again`: also what was forgotten here; `report`: takes a sentence for each that is not.

        Raises InvalidInput naming the line that cannot be read; the parts before it are in.
        """
        part: list[Memory] = []
        for number, line in enumerate(lines, 1):
            data = parse(line, number)
            if data is None:
                continue
            if "format" in data:
                self._header(data, namespace)
                continue
            part.append(self._memory(data, namespace, number))
            if len(part) == _BATCH:
                yield from self._write(part, namespace, again, report)
                part = []
        yield from self._write(part, namespace, again, report)

    def _header(self, data: dict[str, Any], namespace: str) -> None:
        if data["format"] != FORMAT:
            raise InvalidInput(
                f"The file's format is {data['format']!r}; this HMF reads {FORMAT!r}.",
                fix="pip install --upgrade hmf-memory",
            )
        finished = data.get("finished_projects") or {}
        if not isinstance(finished, dict) or not all(isinstance(at, str) for at in finished.values()):
            raise InvalidInput("Line 1: finished_projects is not a mapping of names to dates.")
        known = self._store.ledger.projects(namespace)
        for name, at in finished.items():
            if name not in known or known[name].finished_at is None:
                batch = Batch(self._store.new_id(), self._store.now(), namespace, "finish", reason=name)
                with self._store.guard, self._store.ledger.transaction() as connection:
                    self._store.ledger.record(connection, batch, [])
                    self._store.marks.set_project(connection, batch, name, self._store.marks.moment(at), None)

    def _memory(self, data: dict[str, Any], namespace: str, number: int) -> Memory:
        """A line as a memory that this store can hold: checked and screened like an addition."""
        try:
            _LINE.validate_python(data)
            memory = from_json({**data, "revision": 0, "namespace": namespace})
            uuid.UUID(memory.id)
            for name in MOMENTS:
                moment(getattr(memory, name), self._store.zone, name)
            checked(memory.category)
            body = texts.clean(memory.text)
            texts.check_size(body, self._store.settings.screening.max_chars)
        except (KeyError, ValueError, TypeError, AttributeError, OverflowError, InvalidInput) as error:
            raise InvalidInput(f"Line {number} is not an exported memory: {error}", fix="hmf import --help") from error
        memory = self._screened(memory, body)
        return replace(memory, chunks=self._indexer.chunk_count(memory.text, memory.language))

    def _screened(self, memory: Memory, body: str) -> Memory:
        """Without secrets, in any field: an export of another store, or one edited by hand, may hold some."""
        settings = self._store.settings.screening
        fields = {"text": body, "title": memory.title, "project": memory.project, "ref": memory.source.ref}
        given: dict[str, object] = {k: v for k, v in fields.items() if v}
        given |= {f"tags.{n}": tag for n, tag in enumerate(memory.tags)}
        if settings.secrets != "allow":
            given = dict(screening.screen_fields(given, allow=settings.allow).fields)
        clean = {k: str(v) for k, v in given.items()}
        return replace(
            memory,
            text=clean["text"],
            title=clean.get("title"),
            project=clean.get("project"),
            source=replace(memory.source, ref=clean.get("ref")),
            tags=tuple(v for k, v in clean.items() if k.startswith("tags.")),
            content_hash=texts.content_hash(clean["text"]),
        )

    def _write(
        self, part: list[Memory], namespace: str, again: bool, report: list[str] | None
    ) -> Iterator[tuple[str, str]]:
        if not part:
            return
        with self._store.guard:
            known = self._store.ledger.get([m.id for m in part])
            foreign = [m.id for m in known.values() if m.namespace != namespace]
            if foreign:
                raise Conflict(
                    f"{len(foreign)} of these memories are in another namespace of this store ({foreign[0]} …).",
                    fix="an export comes back into its own namespace, or into another store.",
                )
            replayed = [m for m in part if m.state is State.LIVE and m.id not in known and not again]
            stones = self._store.tombstones.against(replayed)
            outcomes = self._judged(part, known, stones)
            if report is not None:
                report += [f"{m.id}: {self._why(stones[m.id])}" for m in part if outcomes[m.id] == "refused"]
            new = [m for m in part if outcomes[m.id] == "created"]
            if new:
                self._store_new(new, namespace)
        yield from outcomes.items()

    def _why(self, stone: Stone) -> str:
        day = stone.at.astimezone(self._store.zone).date().isoformat()
        why = Reason("stopped" if stone.exact else "stopped_alike", {"date": day, "source": "import"})
        return say(why, self._store.language)

    def _judged(self, part: list[Memory], known: Mapping[str, Memory], stones: Mapping[str, Stone]) -> dict[str, str]:
        """What becomes of each: created; unchanged (it is here); duplicate (another says it); refused (a tombstone)."""
        outcomes: dict[str, str] = {}
        taken: set[str] = set()
        for memory in part:
            key = to_row(memory)["active_key"]
            if memory.id in known or memory.id in outcomes:
                outcomes.setdefault(memory.id, "unchanged")
            elif memory.id in stones:
                outcomes[memory.id] = "refused"
            elif key is not None and (key in taken or self._store.ledger.active(key) is not None):
                outcomes[memory.id] = "duplicate"
            else:
                outcomes[memory.id] = "created"
                taken.update({key} if key else ())
        return outcomes

    def _store_new(self, new: list[Memory], namespace: str) -> None:
        vectors = self._indexer.embed([m.text for m in new], [m.language for m in new])
        now = self._store.now()
        batch = Batch(self._store.new_id(), now, namespace, "import")
        with self._store.ledger.transaction() as connection:
            for memory, own in zip(new, vectors, strict=True):
                self._store.cache.put(connection, self._indexer.keep(memory.text, memory.language, own))
                if memory.state is State.FORGOTTEN:
                    self._store.tombstones.bury(connection, [(memory, None)], memory.forgotten_at or now, erased=False)
            self._store.ledger.record(connection, batch, [Change(None, m, "import") for m in new])
            live = [m.content_hash for m in new if m.state is State.LIVE]
            self._store.tombstones.lift(connection, namespace, live)
        self._indexer.sync()


def parse(line: str, number: int) -> dict[str, Any] | None:
    """One JSON line, or None when blank. Raises InvalidInput naming the line."""
    if not line.strip():
        return None
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"Line {number} is not JSON: {error}.", fix="one JSON object a line, UTF-8.") from error
    if not isinstance(data, dict):
        raise InvalidInput(f"Line {number} is not a JSON object.", fix="one JSON object a line.")
    return data


def notes(lines: Iterable[str], namespace: str) -> Iterator[Note]:
    """Plain notes (the fields of `add`, one JSON object a line), taken as imported."""
    for number, line in enumerate(lines, 1):
        data = parse(line, number)
        if data is not None:
            try:
                yield check({"source": "import", **data, "namespace": namespace})
            except InvalidInput as error:
                raise InvalidInput(f"Line {number}: {error.what}", fix=error.fix) from error
