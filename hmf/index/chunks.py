"""Long texts cut for the embedder's window, and put back together by whoever reads them: the memory stays whole."""

from __future__ import annotations

import uuid

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
    """The point of a memory's chunk: the first is the memory's own id, the others follow from it."""
    return memory_id if number == 0 else str(uuid.uuid5(uuid.UUID(memory_id), str(number)))


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
    return [part[i : i + max_chars] for part in found for i in range(0, len(part), max_chars)]
