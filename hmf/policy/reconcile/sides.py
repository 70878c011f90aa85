"""Two statements side by side: the words they share, those each has for itself, and the values they state."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product

from hmf.memory import Memory
from hmf.policy.reconcile.reading import Reading
from hmf.policy.reconcile.slots import WHEN, Slot, same
from hmf.policy.reconcile.statement import SINGLE, Statement, Term
from hmf.policy.reconcile.words import COPULA

_BESIDE = 22
"""Characters from the beginning of one word to that of the next, for the two to be called neighbours."""

_WORD = re.compile(r"\w+")
_FULL = 3
"""Words in a row by which a thing is named in full."""

_JOINED = 3
"""Characters from the end of a word to the next, at most, where nothing stands between them."""

_NARROW = ("nth", "age", "style", "link", "phone", "street", "often")
"""Sorts of values of which a thing has one."""

_MEASURED = ("length", "span", "size")
_NO_VALUE = ("number", "since", "id", "per")
"""Sorts of figures that are no value of a thing."""


@dataclass(frozen=True)
class Pair:
    """A new note and an old one, with what was read in them."""

    new: Memory
    old: Memory
    one: Reading
    other: Reading


@dataclass(frozen=True)
class Sides:
    """One statement of each, and the words they share. A statement is about its words and those of its note's head."""

    pair: Pair
    u: Statement
    v: Statement

    @cached_property
    def near_new(self) -> frozenset[str]:
        """What the new statement is about."""
        return self.u.stems | self.pair.one.topic | self.pair.one.around

    @cached_property
    def near_old(self) -> frozenset[str]:
        """What the old statement is about."""
        return self.v.stems | self.pair.other.topic | self.pair.other.around

    @cached_property
    def shared(self) -> frozenset[str]:
        """Stems that both are about, and numbers of things that both name."""
        ids = self.pair.one.ids & self.pair.other.ids
        return (self.near_new & self.near_old) | {f"{label} {code}" for label, code in ids}

    @cached_property
    def core(self) -> frozenset[str]:
        """The same without what only the names of their projects share."""
        around = self.pair.one.around & self.pair.other.around
        return self.shared - (around - self.u.stems - self.v.stems)

    @cached_property
    def new_rest(self) -> tuple[tuple[Term, ...], ...]:
        """Runs of words that only the new statement has."""
        return _runs(self.u.terms, self.near_old)

    @cached_property
    def old_rest(self) -> tuple[tuple[Term, ...], ...]:
        """Runs of words that only the old statement has."""
        return _runs(self.v.terms, self.near_new)

    @cached_property
    def attributes(self) -> frozenset[str]:
        """Attributes that both state."""
        return self.u.attributes & self.v.attributes

    @cached_property
    def likeness(self) -> float:
        """How far the two speak of one thing, 0 to 1 (Dice's coefficient, a run of other words counting once)."""
        around = self.shared - self.core
        common = len(self.core) + bool(around) + len(self.attributes) + self.same_style
        return common / (common + (len(self.new_rest) + len(self.old_rest)) / 2) if common else 0.0

    @cached_property
    def same_style(self) -> bool:
        """Whether both state a value of a sort that a thing has one of: a point of style, an address, how often."""
        return bool({s.sort for s in self.u.slots if s.sort.startswith(_NARROW)} & {s.sort for s in self.v.slots})

    @cached_property
    def named(self) -> frozenset[str]:
        """Shared stems that are names, or stand in the name of the project."""
        names = self.pair.one.names | self.pair.other.names | self.pair.one.around | self.pair.other.around
        return self.shared & names

    @cached_property
    def contrast(self) -> bool:
        """Whether each sets another word beside one and the same: "travel insurance", "car insurance"."""
        return bool(self._contrasts)

    @property
    def other_there(self) -> bool:
        """Whether each sets another word before one and the same name: the quarries of Fife, the ferries of Fife."""
        return any(stem in self.named and side == "before" for stem, side in self._contrasts)

    @cached_property
    def _contrasts(self) -> set[tuple[str, str]]:
        return _beside(self.u.terms, self.near_old) & _beside(self.v.terms, self.near_new)

    @cached_property
    def one_thing(self) -> bool:
        """Whether both name one thing in full: three words in a row, a name among them, or the number of a thing."""
        if self.pair.one.ids & self.pair.other.ids:
            return True
        names = {t.stem for t in self.u.terms if t.name} & {t.stem for t in self.v.terms if t.name}
        return any(len(run) >= _FULL and names.intersection(run) for run in self._common_runs())

    def _common_runs(self) -> Iterator[tuple[str, ...]]:
        """Words that follow each other in both, as far as they do."""
        new, old = [t.stem for t in self.u.terms], [t.stem for t in self.v.terms]
        for i, j in product(range(len(new)), range(len(old))):
            length = 0
            while i + length < len(new) and j + length < len(old) and new[i + length] == old[j + length]:
                length += 1
            if length:
                yield tuple(new[i : i + length])

    def one_noun(self, new: Sequence[Term], old: Sequence[Term]) -> bool:
        """Whether a run of each stands just before one and the same word: "a solemn tone", "a warm tone"."""
        after = _around(self.u.terms, new)[1]
        if after is None or after != _around(self.v.terms, old)[1]:
            return False
        ends = ((self.u.terms, new[-1].end), (self.v.terms, old[-1].end))
        return all(any(t.stem == after and 0 < t.start - end < _JOINED for t in terms) for terms, end in ends)

    def same_place(self, new: Sequence[Term], old: Sequence[Term]) -> bool:
        """Whether a run of each stands beside one and the same word, or ends its statement after one preposition: "asks
        for the guide as Word" says nothing of "asks for a warm guide"."""
        after, before = zip(_around(self.u.terms, new), _around(self.v.terms, old), strict=True)
        if before[0] is before[1] is None and self.u.lead(new[0]) == self.v.lead(old[0]):
            return True
        return after[0] == after[1] or (before[0] == before[1] is not None)

    @property
    def matter(self) -> bool:
        """Whether a shared word is more than a name or the opening of a statement."""
        return any(t.stem in self.core and not (t.name or t.opens) for t in self.u.terms)

    @property
    def same_end(self) -> bool:
        """Whether both end with the same word, and neither has a content word of its own."""
        last = [_WORD.findall(one.text)[-1:] for one in (self.u, self.v)]
        return last[0] == last[1] != [] and not (self.new_rest or self.old_rest)

    @property
    def opposed(self) -> bool:
        """Whether one denies what the other says, by a negation or by a word and its opposite."""
        turned = any((pair, not side) in self.v.poles for pair, side in self.u.poles)
        return (self.u.denied != self.v.denied) != turned

    @property
    def same_measure(self) -> bool:
        """Whether both measure by one unit, and neither says of what the other does not."""
        units = [{s.value.split(" ")[-1] for s in one.slots if s.sort in _MEASURED} for one in (self.u, self.v)]
        return bool(units[0] & units[1]) and self.u.attributes & SINGLE == self.v.attributes & SINGLE

    @property
    def grounded(self) -> bool:
        """Whether one word in common is not all there is, unless both notes say one thing only."""
        whole = len(self.pair.one.statements) == len(self.pair.other.statements) == 1
        return len(self.core) + len(self.attributes) + self.same_style > 1 or whole

    @property
    def same_attribute(self) -> bool:
        """Whether more than the name of the subject is common: an attribute, or a word of both statements."""
        return bool(self.attributes or self.same_style or self.shared - self.named)

    @property
    def other_attribute(self) -> bool:
        """Whether the two state attributes that differ."""
        return bool(self.u.attributes and self.v.attributes and not self.attributes)

    @property
    def other_names(self) -> bool:
        """Whether each has a name that the other has not: two subjects, unless the name is the value."""
        return all(any(t.name or t.opens for run in rest for t in run) for rest in (self.new_rest, self.old_rest))


def _runs(terms: Sequence[Term], known: frozenset[str]) -> tuple[tuple[Term, ...], ...]:
    runs: list[list[Term]] = []
    open_run = False
    for term in terms:
        if term.stem in known:
            open_run = False
        elif open_run:
            runs[-1].append(term)
        else:
            runs.append([term])
            open_run = True
    return tuple(tuple(run) for run in runs)


def _around(terms: Sequence[Term], run: Sequence[Term]) -> tuple[str | None, str | None]:
    """The stems just before and just after a run."""
    at = terms.index(run[0])
    last = at + len(run)
    return terms[at - 1].stem if at else None, terms[last].stem if last < len(terms) else None


def _beside(terms: Sequence[Term], known: frozenset[str]) -> set[tuple[str, str]]:
    """The known words that stand just before or just after a run of unknown ones, and on which side."""
    found = set()
    for one, other in pairwise(terms):
        if other.start - one.start > _BESIDE:
            continue
        if one.stem in known and other.stem not in known:
            found.add((one.stem, "after"))
        if one.stem not in known and other.stem in known:
            found.add((other.stem, "before"))
    return found


def held(new: Sequence[Slot], old: Sequence[Slot]) -> bool:
    """Whether every value of one is a value of the other."""
    return all(any(equal(s, o) for o in old) for s in new if s.sort not in ("since", "per"))


def equal(one: Slot, other: Slot) -> bool:
    """Whether two values are one; a bare figure equals any value of that figure, a day is in its month."""
    if one.sort == other.sort:
        return same(one.value, other.value)
    if {one.sort, other.sort} == {"month", "day"}:
        return one.value.split("/")[-1][:2] == other.value.split("/")[-1][:2]
    return "number" in (one.sort, other.sort) and one.value.split(" ")[0] == other.value.split(" ")[0]


def agree(one: Sequence[Slot], other: Sequence[Slot]) -> bool:
    """Whether no value of one differs from those of the other."""
    pairs = [(a, b) for a in one for b in other if a.sort == b.sort]
    return all(same(a.value, b.value) for a, b in pairs)


_MEASURED = ("length", "span", "size")
_NO_VALUE = ("number", "since", "id", "per")


def by_sort(values: Sequence[Slot], *, bare: bool = False) -> dict[str, list[Slot]]:
    """Values by what they can be compared with, all that say when something is as "when"; `bare` figures if asked."""
    found: dict[str, list[Slot]] = {}
    for slot in values:
        if not slot.sort.startswith(_NO_VALUE) or (bare and slot.sort == "number"):
            found.setdefault("when" if slot.sort in WHEN else slot.sort, []).append(slot)
    return found


def same_but(one: str, other: str, *, copula: bool = False) -> bool:
    """Whether two statements differ in their last words only, with `copula` after a verb of being or calling."""
    a, b = (re.sub(r"^(?:\w+) ?: ", "", text).strip(" .!").split() for text in (one, other))
    equal = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    if equal < 3 or max(len(a), len(b)) - equal > 3:
        return False
    return not copula or bool(COPULA.intersection(a[equal - 1].split("'")))


def count(values: Sequence[Slot], sort: str) -> int:
    """How many values are of one sort."""
    return sum(slot.sort == sort for slot in values)
