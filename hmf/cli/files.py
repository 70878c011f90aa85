"""Files that the user names: read in a stream, written whole, for their owner alone, never over the store."""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from hmf.cli.output import Json
from hmf.cli.session import Session
from hmf.errors import InvalidInput, Refused
from hmf.paths import Places

_PART = 100


@dataclass(slots=True)
class Survey:
    """What a file holds: notes or an export, how many lines can be taken, and what is wrong with the others."""

    notes: bool
    good: int = 0
    bad: list[str] = field(default_factory=list)


def target(name: str, places: Places, *, force: bool) -> Path:
    """A path that may be written. Raises InvalidInput for an unusable one, Refused where something would be lost."""
    try:
        path = Path(name).expanduser()
        full = path.parent.resolve(strict=True) / path.name
        exists, folder = full.exists() or full.is_symlink(), full.is_dir()
        within = [d for d in (places.data_dir, places.state_dir) if full.resolve().is_relative_to(d)]
    except (OSError, ValueError, RuntimeError) as error:
        raise InvalidInput(
            f"{name[:200]!r} cannot be written to: {getattr(error, 'strerror', None) or error}.",
            fix="name a file in a folder that exists.",
        ) from None
    if folder or not path.name:
        raise InvalidInput(f"{name!r} is a folder.", fix="name a file in it.")
    if within:
        raise Refused(f"{full} lies in HMF's own folder {within[0]}.", fix="write somewhere else.")
    if exists and not force:
        raise Refused(f"{full} exists already.", fix="choose another name, or give --force.")
    return full


def write(path: Path, lines: Iterable[str], advance: Callable[[int], None] | None = None) -> int:
    """Write lines to a part file beside `path` (rights 0600), then put it in place. Returns how many lines.

    Raises InvalidInput when the folder or the disk refuses; the part file is removed and `path` is untouched.
    """
    part, count = None, 0
    try:
        handle, part = tempfile.mkstemp(dir=path.parent, prefix=".hmf-", suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            for count, line in enumerate(lines, 1):
                stream.write(line + "\n")
                if advance and count % _PART == 0:
                    advance(count)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(part, path)
    except OSError as error:
        raise InvalidInput(
            f"{path} cannot be written: {error.strerror or error}.", fix="choose another place."
        ) from error
    finally:
        if part is not None:
            Path(part).unlink(missing_ok=True)
    return count


@contextmanager
def lines_of(name: str) -> Iterator[IO[bytes]]:
    """A file (`-`: stdin, copied aside first) that can be read twice. Raises InvalidInput when it cannot be read."""
    try:
        stream = tempfile.TemporaryFile() if name == "-" else Path(name).expanduser().open("rb")  # noqa: SIM115
    except (OSError, ValueError, RuntimeError) as error:
        raise InvalidInput(
            f"{name[:200]!r} cannot be read: {getattr(error, 'strerror', None) or error}.",
            fix="check its path and rights.",
        ) from None
    with stream:
        if name == "-":
            if sys.stdin is None or sys.stdin.closed:
                raise InvalidInput("`-` reads from standard input, and it is closed.", fix="name a file.")
            for block in iter(lambda: sys.stdin.buffer.read(1 << 20), b""):
                stream.write(block)
        yield stream


def survey(stream: IO[bytes], namespace: str, *, notes: bool) -> Survey:
    """Read every line once and judge it; nothing is kept of it. An export says so in its first line."""
    from hmf.service.interchange import FORMAT, parse

    found = Survey(notes)
    for number, text, problem in _texts(stream):
        try:
            if problem:
                raise InvalidInput(problem)
            data = parse(text, number)
            if data is None:
                continue
            if "format" in data and not notes:
                if data["format"] != FORMAT:
                    raise _foreign(data["format"], FORMAT)
                continue
            if not found.good and not found.bad and "content_hash" not in data:
                found.notes = True
            _judge(data, namespace, number, notes=found.notes)
            found.good += 1
        except Refused:
            raise
        except InvalidInput as error:
            found.bad.append(error.what)
    return found


def take_in(
    session: Session, stream: IO[bytes], plan: Survey, advance: Callable[[int], None], *, again: bool = False
) -> Json:
    """Import what `survey` found good, in parts. Returns the counts by outcome, what was skipped, and what was stopped
    because it was forgotten here; `again` takes that too."""
    counts: Counter[str] = Counter()
    skipped: list[str] = []
    stopped: list[str] = []
    done = 0
    good = _good(stream, session.namespace, notes=plan.notes)
    while part := list(itertools.islice(good, _PART)):
        part = [(n, {**data, "again": again}) for n, data in part] if plan.notes and again else part
        _take(session, part, plan.notes, counts, skipped, stopped, again)
        done += len(part)
        advance(done)
    return {**counts, "skipped": skipped, "stopped": stopped}


def _take(
    session: Session,
    part: Sequence[Any],
    notes: bool,
    counts: Counter[str],
    skipped: list[str],
    stopped: list[str],
    again: bool,
) -> None:
    """Take a part in; where one item stops it, item by item, so that one bad note costs only itself."""
    try:
        if notes:
            added = session.call("add_many", notes=[data for _, data in part])["added"]
            counts.update(one["outcome"] for one in added)
            refused = ((n, one["warnings"]) for (n, _), one in zip(part, added, strict=True) if one["id"] is None)
            stopped += [f"Line {number}: {'; '.join(map(session.screen.told, why))}" for number, why in refused]
        else:
            found = session.call("restore", lines=[line for _, line in part], again=again)
            stopped += found.pop("stopped")
            counts.update(found)
    except InvalidInput as error:
        if len(part) == 1:
            skipped.append(f"Line {part[0][0]}: {error.what}")
            return
        for one in part:
            _take(session, [one], notes, counts, skipped, stopped, again)


def _good(stream: IO[bytes], namespace: str, *, notes: bool) -> Iterator[tuple[int, Any]]:
    """(line number, note as data or exported line) of each line that can be taken; an export's first line too."""
    from hmf.service.interchange import parse

    for number, text, problem in _texts(stream):
        try:
            data = None if problem else parse(text, number)
            if data is None:
                continue
            if "format" in data and not notes:
                yield number, text
            else:
                note = _judge(data, namespace, number, notes=notes)
                yield number, note if notes else text
        except InvalidInput:
            continue  # the survey has told it


def _judge(data: Json, namespace: str, number: int, *, notes: bool) -> Json:
    from hmf.ledger.codec import from_json
    from hmf.service.notes import check

    if notes:
        try:
            note = check({"source": "import", **data, "namespace": namespace})
        except InvalidInput as error:
            raise InvalidInput(f"Line {number}: {error.what}") from None
        return {"source": "import", **data, "namespace": note.namespace}
    try:
        from_json({**data, "revision": 0})
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise InvalidInput(f"Line {number} is not an exported memory: {error!r}.") from None
    return data


def _texts(stream: IO[bytes]) -> Iterator[tuple[int, str, str | None]]:
    """(number, text, what is wrong with it) of each line, from the beginning."""
    stream.seek(0)
    for number, line in enumerate(stream, 1):
        try:
            yield number, line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n"), None
        except UnicodeDecodeError as error:
            yield number, "", f"Line {number} is not UTF-8: {error.reason}."


def _foreign(found: object, known: str) -> Refused:
    return Refused(f"This export has the format {found!r}; this HMF reads {known!r}.", fix="upgrade hmf-memory.")
