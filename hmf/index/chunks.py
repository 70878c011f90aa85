"""Long texts cut for the embedder's window, and put back together by whoever reads them: the memory stays whole."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from hmf.errors import InvalidInput
from hmf.policy.text import sentences


def chunks(text: str, max_chars: int, language: str) -> list[str]:
    """Pieces of at most `max_chars`, along sentences, one sentence of overlap; every character stands in some piece."""
    if len(text) <= max_chars:
        return [text]
    pieces: list[str] = []
    current: list[str] = []
    size = 0
    for sentence in _fitting(text, max_chars, language):
        if current and size + len(sentence) > max_chars:
            pieces.append("".join(current))
            last = current[-1]
            current = [last] if len(last) + len(sentence) <= max_chars and len(last) < max_chars // 3 else []
            size = sum(map(len, current))
        current.append(sentence)
        size += len(sentence)
    pieces.append("".join(current))
    return pieces


def point_id(memory_id: str, number: int) -> str:
    """The point of a memory's chunk: the first is the memory's own id, the others follow from it (UUIDv5).

    Raises InvalidInput for an id that is no UUID.
    """
    if number == 0:
        return memory_id
    try:
        return str(uuid.uuid5(uuid.UUID(memory_id), str(number)))
    except ValueError:
        raise InvalidInput(f"{memory_id!r} is not the id of a memory.", fix="give a UUID.") from None


def owner(point: str) -> str | None:
    """The memory of a point, where the point's id tells it: memories have ids of version 7, and so have their first
    chunks. None for the others (version 5), whose payload names it."""
    return point if point[14] == "7" else None


def _fitting(text: str, max_chars: int, language: str) -> list[str]:
    """The text as sentences with what stands between them, none longer than `max_chars`."""
    found: list[str] = []
    position = 0
    for sentence in sentences(text, language):
        at = text.find(sentence, position)
        if at < 0:
            continue  # a splitter that rewrites a sentence must not make us lose it: it joins the next piece
        end = at + len(sentence)
        found.append(text[position:end])
        position = end
    if position < len(text):
        found.append(text[position:])
    return [piece for part in found for piece in _cut(part, max_chars)]


def _cut(part: str, max_chars: int) -> Iterator[str]:
    """A sentence too long is cut between two words of its second half, or hard where it has none."""
    start = 0
    while len(part) - start > max_chars:
        end = part.rfind(" ", start + max_chars // 2, start + max_chars) + 1 or start + max_chars
        yield part[start:end]
        start = end
    yield part[start:]
