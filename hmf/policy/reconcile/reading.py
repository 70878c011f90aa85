"""A note taken apart for comparison: its statements, what it is about, the numbers of things in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from hmf.memory import Memory
from hmf.policy.folding import fold
from hmf.policy.reconcile import cues, words
from hmf.policy.reconcile.patterns import NUMBER_WORDS
from hmf.policy.reconcile.slots import Slot, quoted, slots, stem
from hmf.policy.reconcile.statement import Statement, Term
from hmf.policy.text import is_question
from hmf.policy.timelexicon import MONTHS, SEASONS, WEEKDAYS
from hmf.policy.timetext import Folded, Span

_LONGEST = 600
"""Characters. A longer note states too many things to be replaced as one."""

_BREAK = re.compile(r"(?<=[.!?;…])(?<!\bno\.)(?<!\bdr\.)(?<!\bmr\.)(?<!\bm\.) +| [—–-] (?=[a-z])|\n+")
_TOPIC = re.compile(r"^([^:.;!?]{2,60}?) ?:(?= )")
_WORD = re.compile(r"[^\W\d_]+")
_NO_TERM = frozenset((*WEEKDAYS, *(f"{day}s" for day in WEEKDAYS), *MONTHS, *SEASONS, *NUMBER_WORDS))
_STEM = 7
"""Letters of a stem that count: what is left of a word and of the words made from it is then one."""


@dataclass(frozen=True)
class Reading:
    """All of a note."""

    statements: tuple[Statement, ...]
    topic: frozenset[str]
    """Stems of what stands before the first colon."""
    around: frozenset[str]
    """Stems of the title and the project."""
    stems: frozenset[str]
    names: frozenset[str]
    text: str
    language: str
    ids: frozenset[tuple[str, str]] = field(default_factory=frozenset)

    @cached_property
    def asks(self) -> bool:
        """Asks, and states nothing."""
        return is_question(self.text, self.language)

    @cached_property
    def orders(self) -> bool:
        """Gives orders to the machine."""
        return cues.ORDERS.search(fold(self.text)) is not None

    @cached_property
    def told(self) -> bool:
        """Whether any statement says that something changed."""
        return any(one.told for one in self.statements)

    @cached_property
    def speaks(self) -> bool:
        """Says something that could take the place of something: in words of change, or in one plain statement."""
        if len(self.statements) == 1 and self.statements[0].plain:
            return True
        return any(one.turns for one in self.statements)

    @cached_property
    def claims(self) -> int:
        """How many statements say something of their own."""
        return sum(len(one.terms) + len(one.slots) > 1 for one in self.statements)

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """Values of all statements."""
        return tuple(slot for one in self.statements for slot in one.slots)


def read(memory: Memory) -> Reading | None:
    """The note taken apart, None where it is too long."""
    if len(memory.text) > _LONGEST:
        return None
    return _read(memory.text, memory.language, memory.project or "", memory.title or "")


@lru_cache(maxsize=4096)
def _read(text: str, language: str, project: str, title: str) -> Reading:
    folded = Folded.of(text)
    values = [*slots(folded), *quoted(folded)]
    bare = folded.blanked((s.start, s.end) for s in _apart(values))
    statements = tuple(_statement(folded, bare, (start, end), values, language) for start, end in _spans(folded.text))
    around = _around(project, title, language)
    report = cues.REPORTS.match(folded.text)
    label = None if report else _TOPIC.match(folded.text)
    topic = frozenset(t.stem for t in _terms(folded, values, language, 0, label.end(1))) if label else frozenset()
    stems = frozenset(s for one in statements for s in one.stems)
    return Reading(
        statements,
        topic,
        around,
        stems | around,
        frozenset(t.stem for one in statements for t in one.terms if t.name),
        text,
        language,
        frozenset((s.sort, s.value) for s in values if s.sort.startswith("id")),
    )


@lru_cache(maxsize=1024)
def _around(project: str, title: str, language: str) -> frozenset[str]:
    heads = [Folded.of(head) for head in (project, title) if head]
    return frozenset(term.stem for head in heads for term in _terms(head, (), language))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _BREAK.finditer(text):
        if text[start : match.start()].strip():
            yield start, match.start()
        start = match.end()
    if text[start:].strip():
        yield start, len(text)


def _apart(values: Sequence[Slot]) -> Iterator[Slot]:
    """Values without those that begin inside another, and without the nouns that are counted."""
    done = -1
    for slot in sorted(values, key=lambda s: (s.start, -s.end)):
        if slot.start >= done and not slot.sort.startswith(("count ", "id ", "style ")):
            done = slot.end
            yield slot


def _statement(folded: Folded, bare: str, span: Span, values: Sequence[Slot], language: str) -> Statement:
    start, end = span
    bare = bare[start:end]
    here = tuple(slot for slot in values if start <= slot.start < end)
    report = cues.REPORTS.match(folded.text[start:end])
    reported = cues.REPORTED.search(folded.text[start:end])
    first, last = start + report.end() if report else start, start + reported.start() if reported else end
    terms = tuple(_terms(folded, values, language, first, last))
    found = {words.ATTRIBUTES[w[0]] for w in _WORD.finditer(bare) if w[0] in words.ATTRIBUTES}
    poles = frozenset(words.OPPOSITES[w[0]] for w in _WORD.finditer(bare) if w[0] in words.OPPOSITES)
    if any(slot.sort == "money" for slot in here):
        found.add("money")  # a sum says by itself what it is
    return Statement(bare, terms, here, frozenset(found), poles, start, folded)


def _terms(
    folded: Folded, values: Sequence[Slot], language: str, start: int = 0, end: int | None = None
) -> Iterator[Term]:
    """Content words outside values, without the words that only put the change or name the attribute."""
    text, empty = folded.text, words.EMPTY.get(language, words.ANY_EMPTY)
    taken = [(slot.start, slot.end) for slot in values if not slot.sort.startswith("count ")]
    last_char = len(text) if end is None else end
    taken += [m.span() for m in cues.CANCEL.finditer(text, start, last_char)]
    for match in _WORD.finditer(text, start, last_char):
        word, at = match[0], match.start()
        if len(word) < 2 or word in empty or word in words.ATTRIBUTES or word in _NO_TERM or word in words.OPPOSITES:
            continue
        if cues.CUE_WORD.fullmatch(word) or any(first <= at < last for first, last in taken):
            continue
        capital = folded.capital(at) and not folded.shouted
        opens = capital and folded.begins_sentence(at)
        yield Term(_short(word), capital and not opens, at, match.end(), opens)


@lru_cache(maxsize=1 << 16)
def _short(word: str) -> str:
    cut = stem(word)[:_STEM]
    return cut.rstrip("iye") or cut  # "publie" and "publierai", "tutoyer" and "tutoie"
