"""One statement of a note: its words, names and values, and how it is put. Every flag is worked out when asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from hmf.policy.reconcile import cues
from hmf.policy.reconcile.slots import Slot
from hmf.policy.timetext import Folded

_TO = r"[^,.;:!?()]{1,60}?"
_END = r"(?= (?:pour|comme|as|for|chez|at|dans|in|from|des|qui|who)\b| ?$| ?[,.;:!?()])"
_OLD = (
    rf"(?:au lieu d(?:e |u |es |')|en remplacement d(?:e |u |es |')|a la place d(?:e |u |es |')|plutot que (?:de |d')?|"
    rf"instead of |rather than |in place of |replac(?:es|ing) |(?:taken|takes|took|taking) over from |in lieu of |"
    rf"remplace(?:nt|ra)? |succede a |prend la suite de |earlier than |later than )(?P<a>{_TO}){_END}",
    rf"(?:,|\bet|\band|\bmais) ?(?:non(?: pas)?|pas|not|no longer|no more|plus) (?P<b>(?!encore|yet){_TO}){_END}",
    r"\b(?:de|du|from|entre) (?P<d>\S*\d\S*(?: \S+){0,3}?) (?:a|au|to|vers|into) (?=\S*\d)",
    r"\b(?:moved?|moves|switch(?:ed|es)?|chang(?:ed|es)|goes|went|passe|passons|bascule) (?:\S+ ){0,4}?(?:from|de) "
    r"(?P<k>\S+(?: \S+){0,3}?) "
    r"(?:to|into|a|au) ",
    rf"\bplus (?P<e>(?!que\b|de \d){_TO}) ?,? ?(?:mais|c'est|maintenant|desormais)\b",
    r"\b(?:no longer|not) (?P<f>[^,.;:!?()]{1,60}?) but\b",
    r"(?P<g>\b[^\s,.;:]+(?: [^\s,.;:]+){0,2}) (?:devient|becomes|became|(?:est|a ete|sera) remplacee? par|(?:is|was|"
    r"has been|will be) replaced by|gives way "
    r"to|->|→) ",
    rf"\b(?:i|we)(?: have|'ve) left (?P<m>{_TO}){_END}",
    r"\b(?:because|since|as|car|parce que|puisque) (?P<o>[^,.;:!?()]{1,40}?) (?:was|is|were|had|est|etait|a ete|"
    r"existe|avait)\b",
    rf"\bj'ai quitte (?P<n>{_TO}){_END}",
    rf"\b(?:no more|j'ai abandonne|j'abandonne|dropped|stopped using|gave up|replaced) (?P<h>{_TO}){_END}",
    rf"\b(?:not|n't|pas) (?P<i>{_TO}) (?:any more|anymore|any longer)",
    rf"\bn'est plus (?P<j>{_TO}){_END}",
    r"(?P<l>\b\S+(?: \S+)?) (?:is|are) out(?= ?[.,;]| ?$)",
)
_STANDS = re.compile(
    r"\b(?:est|sont|etait|etaient|sera|reste|restent|is|are|was|were|stands?|stays?|remains?) (?:a|aux?|to) $"
)
"""A value that is given, and was not moved to: "le papier est à 900 €"."""
_TO_VALUE = re.compile(r"(?<!\x00)(?<!\x00 )\b(?:to|a|aux?) $")
_INDEFINITE = {
    "fr": re.compile(r"\b(?:une?|des|d'autres|plus de) (?:\w+ )?$"),
    "en": re.compile(r"\b(?:an?|some|another|more) (?:\w+ )?$"),
}
_GIVEN = re.compile(
    r"(?:\b(?:est|is|are|sont|appelle|called|named|par|by|avec|with|chez|sera|be|becomes|nommee?)|:|c'est) "
    r"(?:(?:mr|ms|mrs|m|mme|madame|monsieur|dr|me|notre|our|my|mon|ma)\.? )?$"
)
"""What stands before a name that is the value of a statement."""
_COPULA = re.compile(r"(?:est|sont|is|are|appelle|called|named) (?:\S+ ){0,3}\S+$")
SINGLE = frozenset(("deadline", "end", "money", "length", "contact", "name", "address"))
"""Attributes of which a thing has one at a time."""

_COMPLEMENT = re.compile(
    r"\b(?:sur|on|about|for|pour) (?:l[ae]s? |l'|the |an? |une? |mon |ma |mes |my |our |notre |nos )?$"
)
_ONCE = re.compile(r"\b(?:ce|cet|cette|this) $")
_GREETS = re.compile(r"\b(?:good|bonne?) $")
_READ = re.compile(r"\b(?:ce|cet|cette|this|tonight|aujourd'hui|today|hier|yesterday)\b")
_ONCE_ITSELF = re.compile(r"(?:ce|cet|cette|this|tonight|aujourd'hui|today|demain|tomorrow|hier|yesterday)\b")
_PLAIN = re.compile(r",? ?(?:et |and |mais |but )?(?:pas|not) ")
_OLD_VALUE = tuple(re.compile(pattern) for pattern in _OLD)


@dataclass(frozen=True, slots=True)
class Term:
    """A content word: its stem, and whether a capital says that it is a name."""

    stem: str
    name: bool
    start: int
    end: int
    opens: bool = False
    """A capital that may be due to its place at the beginning of a sentence."""


@dataclass(frozen=True, slots=True)
class Mentioned:
    """Words that a statement gives as what was so before."""

    stems: frozenset[str]
    slots: tuple[Slot, ...]
    text: str
    way: str = ""
    """`denied` ("not X", which may be news of its own), `turned` ("X becomes", where X may be the subject), `left`."""


@dataclass(frozen=True)
class Statement:
    """One sentence or clause."""

    text: str
    terms: tuple[Term, ...]
    slots: tuple[Slot, ...]
    attributes: frozenset[str]
    poles: frozenset[tuple[int, bool]]
    """Words with an opposite, as `words.OPPOSITES` numbers them."""
    start: int
    source: Folded

    @cached_property
    def before(self) -> tuple[Mentioned, ...]:
        """What it gives as what was so before."""
        return tuple(_before(self.source, self.start, self.start + len(self.text), self.slots, self.terms))

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of its content words."""
        return frozenset(term.stem for term in self.terms)

    @cached_property
    def changed(self) -> bool:
        """Says that something is so now."""
        if cues.CHANGE.search(self.text) is not None:
            return True
        return cues.EFFECTIVE.search(self.source.text, self.start, self.start + len(self.text)) is not None

    def changes(self, first: int, last: int) -> bool:
        """Whether its words of change are about what stands between these places of the note: beside it, or at the head
        of all. "The bus was late, the baker changed her hours" says nothing new of the bus."""
        if cues.EFFECTIVE.search(self.source.text, self.start, self.start + len(self.text)) is not None:
            return True
        start, end = first - self.start, last - self.start
        found = (m for pattern in (cues.CHANGE, cues.CORRECTION) for m in pattern.finditer(self.text))
        return any(self._reaches(match, start, end) for match in found)

    def _reaches(self, cue: re.Match[str], start: int, end: int) -> bool:
        if start <= cue.start() < end:
            return False
        between = self.text[end : cue.start()] if cue.start() >= end else self.text[cue.end() : start]
        return "," not in between or not self.text[: cue.start()].strip()

    def lead(self, term: Term) -> str:
        """The word just before a term, whatever it is."""
        return self.text[: max(0, term.start - self.start)].rstrip().rsplit(" ", 1)[-1]

    def completes(self, term: Term) -> bool:
        """Whether a word says what something is about ("an idea on tea"): which thing is meant, and no value of it."""
        return _COMPLEMENT.search(self.text[: max(0, term.start - self.start)]) is not None

    def denied_words(self) -> Iterator[Term]:
        """The words that its denials are about: the one that follows each of them."""
        for pattern in (cues.STOP, cues.DENIES):
            for match in pattern.finditer(self.text):
                after = (t for t in self.terms if t.start - self.start >= match.start())
                for term in islice(after, 1):
                    if "," not in self.text[match.end() : max(match.end(), term.start - self.start)]:
                        yield term

    def once(self, value: Slot) -> bool:
        """Whether a time is that of one day ("this evening"), which tells no habit."""
        text, at = self.source.text, value.start
        return _ONCE.search(text, max(0, at - 6), at) is not None or _ONCE_ITSELF.match(text, at) is not None

    @cached_property
    def dated(self) -> bool:
        """Says of which day it is: one reading of many."""
        return _READ.search(self.source.text, self.start, self.start + len(self.text)) is not None

    def greets(self, value: Slot) -> bool:
        """Whether a time of day is a greeting."""
        return _GREETS.search(self.source.text, max(0, value.start - 6), value.start) is not None

    def turned_to(self, value: Slot) -> bool:
        """Whether "to" stands before a value ("down to 900 words", "glisse au 19 janvier")."""
        if value.sort == "day" and self.source.text.startswith("au ", value.start):
            return True
        ahead = self.text[: max(0, value.start - self.start)]
        return value.sort != "percent" and _TO_VALUE.search(ahead) is not None and _STANDS.search(ahead) is None

    @cached_property
    def resumed(self) -> bool:
        """Says that what had ended is so again."""
        return cues.RESUMES.search(self.text) is not None

    @cached_property
    def resolves(self) -> bool:
        """Says how a guess turned out."""
        found = cues.CONFIRMS.search(self.text) is not None or cues.REFUTES.search(self.text) is not None
        return found and cues.HEDGES.search(self.text) is None

    @cached_property
    def leaving(self) -> re.Match[str] | None:
        """Says that somebody is out of a part they had."""
        return cues.LEAVES.search(self.text)

    @cached_property
    def allows(self) -> bool:
        """Says that something is permitted."""
        return cues.ALLOWS.search(self.text) is not None

    @cached_property
    def depends(self) -> bool:
        """Holds on a condition only."""
        return cues.DEPENDS.search(self.text) is not None

    @cached_property
    def stopped(self) -> re.Match[str] | None:
        """Says that something is not so any more."""
        return cues.STOP.search(self.text)

    @cached_property
    def corrected(self) -> bool:
        """Says that something never was so."""
        return cues.CORRECTION.search(self.text) is not None

    @cached_property
    def cancelled(self) -> bool:
        """Says that something will not be."""
        return cues.CANCEL.search(self.text) is not None

    def said(self, start: int, end: int) -> str:
        """What stands between two places of the note, as it was written."""
        return self.source.original(start, end)

    def gives(self, stems: frozenset[str], *, names: bool = False) -> bool:
        """Whether it gives these words as a value ("is called Crane") rather than as its subject."""
        said = [term for term in self.terms if term.stem in stems]
        if not said or (names and not all(term.name or term.opens for term in said)):
            return False
        return _GIVEN.search(self.text[: said[0].start - self.start]) is not None

    def brings_in(self, term: Term, language: str) -> bool:
        """Whether "a" or "some" stands before a word: a thing that is new, and takes the place of none."""
        pattern = _INDEFINITE.get(language)
        return pattern is not None and pattern.search(self.text[: term.start - self.start]) is not None

    @cached_property
    def turns(self) -> bool:
        """Says in any way that something is so now, or no more."""
        if self.barred:
            return False
        turns = self.told or self.settled or self.resumed or self.resolves or self.allows or self.leaving is not None
        return turns or any(self.turned_to(slot) for slot in self.slots)

    @cached_property
    def plain(self) -> bool:
        """Gives the value of an attribute of which a thing has one."""
        return not self.barred and (bool(self.slots and self.attributes & SINGLE) or self.names_last)

    @cached_property
    def names_last(self) -> bool:
        """Ends with a name: "the editor is Clara Petit"."""
        return bool(self.terms) and self.terms[-1].name and _COPULA.search(self.text) is not None

    @cached_property
    def denied(self) -> bool:
        """Says no, or no more."""
        return self.stopped is not None or cues.DENIES.search(cues.ONLY.sub("", self.text)) is not None

    @cached_property
    def told(self) -> bool:
        """Says in any way that what was known does not hold."""
        return self.changed or self.corrected or self.cancelled or self.stopped is not None or bool(self.before)

    @cached_property
    def barred(self) -> bool:
        """States nothing that could take the place of something: a supposition, an exception, others' words."""
        return self.loose or cues.EXCEPTS.search(self.text) is not None

    @cached_property
    def loose(self) -> bool:
        """A supposition, a question, or what somebody else says."""
        asks = self.text.rstrip(" \x00\"')").endswith("?")
        opens = cues.OPENS_IF.search(self.text) is not None
        return asks or opens or any(pattern.search(self.text) for pattern in (cues.SUPPOSES, cues.OTHERS))

    @cached_property
    def guessed(self) -> bool:
        """Never was more than a guess, a question, or somebody else's view."""
        asks = self.text.rstrip(" \x00\"')").endswith("?")
        return asks or any(pattern.search(self.text) for pattern in (cues.GUESSES, cues.OTHERS))

    @cached_property
    def adds(self) -> bool:
        """Adds to what is known."""
        return cues.ADDS.search(self.text) is not None

    @cached_property
    def past(self) -> bool:
        """Tells how things were."""
        return cues.PAST.search(self.text) is not None

    @cached_property
    def happened(self) -> bool:
        """Tells an event."""
        return cues.HAPPENED.search(self.text) is not None

    @cached_property
    def pending(self) -> bool:
        """Tells a state that waits for its end."""
        return cues.PENDING.search(self.text) is not None

    @cached_property
    def settled(self) -> bool:
        """Tells that end."""
        return not self.pending and cues.SETTLED.search(self.text) is not None

    @cached_property
    def own(self) -> bool:
        """Speaks of the writer."""
        return cues.SELF.search(self.text) is not None


def _before(folded: Folded, start: int, end: int, values: Sequence[Slot], terms: Sequence[Term]) -> Iterator[Mentioned]:
    for pattern in _OLD_VALUE:
        for match in pattern.finditer(folded.text, start, end):
            name = match.lastgroup
            if name is None:
                continue
            first, last = match.span(name)
            said = frozenset(t.stem for t in terms if first <= t.start < last)
            held = tuple(s for s in values if s.start < last and s.end > first)
            if said or held:
                yield Mentioned(said, held, folded.original(first, last), _way(name, match[0]))


def _way(name: str, said: str) -> str:
    if name == "o" or (name == "b" and _PLAIN.match(said)):
        return "denied"
    return {"g": "turned", "m": "left", "n": "left"}.get(name, "")
