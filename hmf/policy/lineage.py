"""Where each sentence of a summary stands, and whether its originals are still as they were when it was written."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from hmf.memory import RETIRED, Drawn, Level, Memory, State, Status

_SUREST = (Status.CONFIRMED, Status.TO_VERIFY, Status.HYPOTHESIS, Status.SUPERSEDED, Status.REFUTED)
_MOST_TAGS = 20


def drawn(level: Level, told: Iterable[tuple[str, str]], sources: Sequence[Memory]) -> Drawn:
    """The lineage of a summary made of these (sentence, id of the source it was drawn from): all the sources it stands
    in word for word, or the one that is named where it says the same in other words. Raises ValueError where there is
    no source, or one is named that is none."""
    quotes, known = [], {m.id for m in sources}
    for sentence, named in told:
        ids = tuple(m.id for m in sources if sentence in m.text) or (named,)
        if not known.issuperset(ids):
            raise ValueError(f"a sentence of a summary is drawn from none of its sources: {sentence[:80]!r}")
        quotes.append((len(sentence), ids))
    basis = tuple((m.id, digest(m)) for m in sources)
    return Drawn(level, min(m.valid_from for m in sources), tuple(quotes), basis)


def digest(source: Memory) -> str:
    """Names what a summary took of an original (16 hex digits): its words, its kind, its date. Its revision is none of
    that: to verify a note does not make its summary old."""
    told = f"{source.kind}\0{source.valid_from.timestamp()}\0{source.text}"
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def quoted(summary: Memory) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Its sentences in order, each with the ids of the originals that it stands in; empty where that is not known: for
    one written by an earlier version, and one whose text a person has changed."""
    found, start = [], 0
    for size, ids in summary.drawn.quotes if summary.drawn else ():
        found.append((summary.text[start : start + size], ids))
        start += size + 1
    return tuple(found) if "\n".join(sentence for sentence, _ in found) == summary.text else ()


def changed(summary: Memory, sources: Mapping[str, Memory]) -> tuple[str, ...]:
    """Ids of those of these originals that the summary does not speak for any more, in its order: they say something
    else, are retired, moved or less sure. What a policy let go, and what is archived in place, it still speaks for."""
    known = dict(summary.drawn.basis) if summary.drawn else {}
    return tuple(
        i for i in summary.summary_of if i in sources and _moved_on(summary, sources[i], known.get(sources[i].id))
    )


def _moved_on(summary: Memory, source: Memory, basis: str | None) -> bool:
    if source.state is not State.LIVE:
        return False
    if source.status in RETIRED or source.category != summary.category or surer(summary.status, source.status):
        return True
    return source.revision > summary.revision if basis is None else digest(source) != basis


def only_linked(judged: Memory, present: Memory) -> bool:
    """Whether a memory is as it was judged, but for the summary that speaks for it and the revision that this took."""
    return replace(present, summarised_in=judged.summarised_in, revision=judged.revision) == judged


def surer(one: Status, other: Status) -> bool:
    """Whether the first status claims more than the second."""
    return _SUREST.index(one) < _SUREST.index(other)


def weakest_status(memories: Iterable[Memory]) -> Status:
    """The status of a summary of these: none is surer than its weakest source."""
    return max((m.status for m in memories), key=_SUREST.index, default=Status.CONFIRMED)


def tags(sources: Iterable[Memory]) -> tuple[str, ...]:
    """The tags of a summary of these: theirs, the commonest first where there are many."""
    counts = Counter(tag for m in sources for tag in dict.fromkeys(m.tags))
    return tuple(sorted(sorted(counts, key=lambda tag: (-counts[tag], tag))[:_MOST_TAGS]))
