"""Export and import as JSON lines: complete, in id order, read back to equal rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from hmf.errors import Conflict, InvalidInput
from hmf.ledger.codec import from_json, to_json
from hmf.ledger.ledger import Batch, Change
from hmf.ledger.reads import Wanted
from hmf.memory import Memory
from hmf.service.indexing import Indexer
from hmf.service.notes import Note, check
from hmf.service.store import Store

FORMAT = "hmf/1"
_BATCH = 500


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

    def restore(self, lines: Iterable[str], namespace: str) -> Iterator[tuple[str, str]]:
        """Take an export in: (id, outcome) of each memory, `created` or `unchanged`. Repeats are harmless.

        Raises InvalidInput naming the line that cannot be read; the parts before it are in.
        """
        part: list[Memory] = []
        for number, line in enumerate(lines, 1):
            data = parse(line, number)
            if data is None or "format" in data:
                self._header(data, namespace)
                continue
            part.append(self._memory(data, namespace, number))
            if len(part) == _BATCH:
                yield from self._write(part, namespace)
                part = []
        yield from self._write(part, namespace)

    def _header(self, data: dict[str, Any] | None, namespace: str) -> None:
        finished = (data or {}).get("finished_projects") or {}
        known = self._store.ledger.projects(namespace)
        for name, at in finished.items():
            if name not in known or known[name].finished_at is None:
                batch = Batch(self._store.new_id(), self._store.now(), namespace, "finish", reason=name)
                with self._store.guard, self._store.ledger.transaction() as connection:
                    self._store.ledger.record(connection, batch, [])
                    self._store.marks.set_project(connection, batch, name, self._store.marks.moment(at), None)

    def _memory(self, data: dict[str, Any], namespace: str, number: int) -> Memory:
        try:
            memory = from_json({**data, "revision": 0})
        except (KeyError, ValueError, TypeError) as error:
            raise InvalidInput(
                f"Line {number} is not an exported memory: {error!r}.", fix="hmf import --help"
            ) from error
        return replace(memory, namespace=namespace, chunks=self._indexer.chunk_count(memory.text, memory.language))

    def _write(self, part: list[Memory], namespace: str) -> Iterator[tuple[str, str]]:
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
            new = [m for m in part if m.id not in known]
            if new:
                vectors = self._indexer.embed([m.text for m in new], [m.language for m in new])
                batch = Batch(self._store.new_id(), self._store.now(), namespace, "import")
                with self._store.ledger.transaction() as connection:
                    for memory, own in zip(new, vectors, strict=True):
                        self._store.cache.put(connection, self._indexer.keep(memory.text, memory.language, own))
                    self._store.ledger.record(connection, batch, [Change(None, m, "import") for m in new])
                self._indexer.sync()
        for memory in part:
            yield memory.id, "unchanged" if memory.id in known else "created"


def parse(line: str, number: int) -> dict[str, Any] | None:
    """One JSON line, or None when blank. Raises InvalidInput naming the line."""
    if not line.strip():
        return None
    try:
        data = json.loads(line)
    except ValueError as error:
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
