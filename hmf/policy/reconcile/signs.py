"""The signs by which one note speaks against another: each rule looks at one way of saying it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hmf.memory import Kind
from hmf.policy.reconcile.cues import DENIES, MOVED_TO, STOP
from hmf.policy.reconcile.sides import Pair, Sides, agree, by_sort, count, equal, held, same_but
from hmf.policy.reconcile.slots import Slot
from hmf.policy.reconcile.statement import SINGLE, Mentioned, Statement, Term

_ENOUGH = 0.6
"""Likeness from which two statements speak of one thing."""

_CLOSE = 0.65
"""Likeness from which words that each has for itself count little."""

_DOUBTFUL = 0.5
"""Likeness from which they may."""

_ALMOST = 0.8
"""Likeness from which figures that say nothing by themselves can be compared."""

_ALONE = 0.75
"""Likeness that it takes to end a part when nobody else is named for it."""


_REACH = 45
"""Characters that a denial reaches."""

_TRIM = re.compile(r"^(?:le|the|au|on|du|to) |[.,;]$", re.IGNORECASE)
_BESIDES = 2
"""Words of its own with which the contrary is still said of the same thing."""

_RUN = 5
"""Most words that one value is made of."""

_FIRM = frozenset((Kind.DECISION, Kind.CONSTRAINT))
_CHOSEN = _FIRM | {Kind.PREFERENCE}
_PLANS = frozenset((Kind.NOTE, Kind.FACT, Kind.TASK, Kind.EVENT, Kind.DECISION, Kind.HYPOTHESIS))
_DELICATE = frozenset(("link", "phone", "street"))


@dataclass(frozen=True, slots=True)
class Sign:
    """That one note speaks against another. `certain`: it takes its place; `told`: in so many words."""

    code: str
    certain: bool
    told: bool
    strength: float
    values: tuple[tuple[str, str], ...] = ()
    delicate: bool = False
    """Of an address or a number that money or drafts are sent to: nobody but the user changes it unasked."""


def compare(pair: Pair) -> Sign | None:
    """The strongest sign that the new note speaks against the old one."""
    if _other_thing(pair):
        return None
    found = [sign for u in pair.one.statements for v in pair.other.statements for sign in _signs(Sides(pair, u, v))]
    return max(found, key=lambda sign: (sign.certain, sign.told, sign.strength), default=None)


def _other_thing(pair: Pair) -> bool:
    """Whether numbers of things tell the two apart: invoice 41 and invoice 42, draft B and draft C."""
    new = dict(pair.one.ids)
    return any(new.get(label) != value for label, value in pair.other.ids)


def _signs(sides: Sides) -> Iterator[Sign]:
    if sides.u.barred or not sides.shared:
        return
    if sides.v.guessed or sides.pair.old.kind is Kind.HYPOTHESIS:
        if (sign := _resolved(sides)) is not None:
            yield sign
        return
    for rule in _RULES if sides.grounded else (_left,):
        sign = rule(sides)
        if sign is not None:
            yield sign


def _named(sides: Sides) -> Sign | None:
    """The new note names the old value: "instead of 900 words", "not Lise any more", "from 900 to 1,200"."""
    for before in sides.u.before:
        if not _mentions(before, sides) or sides.likeness < _DOUBTFUL:
            continue
        if before.stems and before.stems <= _IDEA:
            continue
        if sides.other_names and not any(t.name and t.stem in before.stems for t in sides.u.terms):
            continue  # "no more Word for Rook", of what Teal gets in Word
        if before.way == "denied" and not (before.slots or sides.u.changed or sides.u.corrected):
            continue
        if before.way in ("turned", "left") and not sides.v.gives(before.stems, names=before.way == "turned"):
            continue
        anchored = (sides.shared | sides.attributes) - before.stems or len(before.stems) > 1
        if not anchored and (sides.new_rest or not before.slots):
            continue
        near = sides.likeness >= _ENOUGH or (before.slots and len(sides.core) > 1)
        sure = bool(near) and not (sides.other_attribute or sides.u.depends or sides.other_there)
        return Sign("named", sure, True, 0.9 + sides.likeness / 10, (("old", before.text),))
    return None


def _mentions(before: Mentioned, sides: Sides) -> bool:
    if before.slots:
        return all(any(equal(s, o) for o in sides.v.slots) for s in before.slots)
    return bool(before.stems) and before.stems <= sides.v.stems


def _value(sides: Sides) -> Sign | None:
    """One value of the same sort differs, and the rest agrees."""
    u, v = sides.u, sides.v
    if u.adds or sides.other_attribute or (sides.other_names and not sides.one_thing) or not sides.same_attribute:
        return None
    new, old = by_sort(u.slots), by_sort(v.slots)
    if not new.keys() & old.keys() and sides.likeness >= _ALMOST:
        new, old = by_sort(u.slots, bare=True), by_sort(v.slots, bare=True)
    apart = [sort for sort in new if sort in old and not agree(new[sort], old[sort])]
    if len(apart) != 1:
        return None
    sort = apart[0]
    left = [s for s in new[sort] if not any(equal(s, o) for o in old[sort])]
    values = (("old", _said(v, old[sort])), ("new", _said(u, left)))
    if not left or (u.stopped and not u.before and len(left) == len(new[sort])):  # what it names is what ended
        return None
    known = sides.pair.other.ids
    if any(
        s.sort.startswith("id") and (s.sort, s.value) not in known and s.start < new[sort][0].start for s in u.slots
    ):
        return None  # of one numbered thing, where the old one is of all
    if sort == "title" and "name" not in sides.attributes and (len(left) != 1 or len(new[sort]) != len(old[sort])):
        return None
    told_alone = u.changed and not sides.new_rest and not sides.old_rest
    if sort == "title" and "name" not in sides.attributes and len(new[sort]) < 2 and not told_alone:
        return None
    if any(u.greets(s) for s in left) or any(u.once(s) for s in left) != any(v.once(s) for s in old[sort]):
        return None  # "I write it tonight", "I write in the mornings now"
    told = u.changed or u.corrected or u.stopped
    if told or (any(u.turned_to(s) for s in left) and (sides.matter or sides.attributes)):  # "pays at 30 days"
        one = sort == "when" or len(left) == 1 or bool(u.before) or len(new[sort]) == len(old[sort])
        more = any(count(old[sort], s.sort) > count(new[sort], s.sort) for s in left)
        clear = one and (not more or bool(u.before))  # "opens at 9", of what opens at 10 and closes at 4
        return _told_value(sides, sort, values, clear=clear, both=len(left) < len(new[sort]))
    return _plain_value(sides, sort, set(new) ^ set(old), values)


def _told_value(
    sides: Sides, sort: str, values: tuple[tuple[str, str], ...], *, clear: bool, both: bool
) -> Sign | None:
    """The new note says that a value changed; `clear`: to which, `both`: it gives the old one too."""
    if sort == "when" and "deadline" not in sides.attributes and not MOVED_TO.search(sides.u.text):
        core = (sides.u.stems & sides.v.stems) - sides.named
        if not core:
            return None
    if sides.other_there and not sides.one_thing:
        return None
    if sides.likeness < (_DOUBTFUL if both or sides.same_measure else _ENOUGH) or (
        sides.contrast and not sides.one_thing and not any(_mentions(before, sides) for before in sides.u.before)
    ):
        return None
    certain = clear and not sides.u.depends
    return Sign("value", certain, True, 0.8 + sides.likeness / 10, values, delicate=sort in _DELICATE)


def _plain_value(sides: Sides, sort: str, others: set[str], values: tuple[tuple[str, str], ...]) -> Sign | None:
    """Nothing says that it changed: only the same words with another value of a single attribute will do."""
    u, v = sides.u, sides.v
    firm = sides.pair.old.kind in _FIRM and not (sides.new_rest and sides.old_rest)
    if ((sides.new_rest or sides.old_rest) and not firm) or others - {"often"} or u.denied != v.denied:
        return None
    if (u.dated or v.dated) and sort != "when":
        return None  # one reading of a series
    if sides.pair.new.volatile or sides.pair.old.volatile:
        return _observed(sides, sort, values)
    single = bool(sides.attributes & SINGLE)
    happened = u.happened or v.happened or u.past or v.past
    if sort == "when" and (happened or "deadline" not in sides.attributes) and not firm:
        return None
    return Sign("value", single and not happened and sort != "year", False, 0.7, values)


def _observed(sides: Sides, sort: str, values: tuple[tuple[str, str], ...]) -> Sign | None:
    """The same thing counted or priced again: the later observation answers for the present. In other
    words, a new observation contradicts no earlier one."""
    u, v = sides.u, sides.v
    again = sides.pair.new.volatile and sides.pair.old.volatile and len(u.slots) == len(v.slots) and not sides.new_rest
    if not again or sides.old_rest or u.past or v.past or sort == "when":
        return None
    return Sign("value", True, False, 0.7, values)


def _reversed(sides: Sides) -> Sign | None:
    """What was so is not so any more, or the other way round."""
    u, v = sides.u, sides.v
    if u.adds or not sides.opposed or sides.other_names or not _same_matter(sides):
        return None
    if u.before and not any(_mentions(before, sides) for before in u.before):
        return None  # what ended is a value that the old note does not give
    if not held(u.slots, sides.pair.other.slots) and not u.before:
        return None
    if u.denied != v.denied and not _denies(u if u.denied else v, sides):
        return None
    if u.stopped or u.changed or u.corrected or u.resumed or (u.allows and v.denied):
        apart = len(sides.new_rest) + len(sides.old_rest)
        if sides.likeness < _ENOUGH or len(sides.new_rest) > 2:
            return None
        if sides.contrast and len(sides.core) < 3:
            return None
        if len(sides.core | sides.attributes) < 2 and apart:
            return None
        near = not (sides.new_rest and sides.old_rest) or (len(sides.core) > 2 and sides.likeness >= _CLOSE)
        near = near and sum(map(len, sides.new_rest)) <= _BESIDES and _denies_plainly(u if u.denied else v)
        partly = len(v.slots) > len(u.slots) > 0  # "no longer on Thursdays", of Mondays and Thursdays
        return Sign("reversed", near and not u.depends and not partly, True, 0.8 + sides.likeness / 10)
    if sides.new_rest or sides.old_rest or u.past or v.past or len(sides.core) < 2:
        return None
    return Sign("reversed", False, False, 0.6)


def _denies_plainly(statement: Statement) -> bool:
    """Whether what it denies is told by a content word, or it says nothing else: not "the bus did not come, the street
    is quiet"."""
    return "," not in statement.text.rstrip(" ,") or any(True for _ in statement.denied_words())


def _same_matter(sides: Sides) -> bool:
    """Whether more is common than a name. What no content word tells apart ends alike: "takes the I", "takes the you no
    more" are two matters."""
    if sides.new_rest or sides.old_rest or sides.matter or sides.u.slots:
        return sides.same_attribute
    return sides.same_end


def _denies(statement: Statement, sides: Sides) -> bool:
    """Whether what it denies is what both notes speak of, and none of its own words."""
    at = [match.start() for pattern in (STOP, DENIES) for match in pattern.finditer(statement.text)]
    places = [term.start - statement.start for term in statement.terms if term.stem in sides.shared]
    if any(term.stem not in sides.shared for term in statement.denied_words()):
        return False
    return any(
        abs(place - one) < _REACH and "," not in statement.text[min(place, one) : max(place, one)]
        for place in places
        for one in at
    )


def _cancelled(sides: Sides) -> Sign | None:
    """A plan, an idea or an appointment that will not be."""
    u, v = sides.u, sides.v
    if not u.cancelled or v.cancelled or v.denied or sides.pair.old.kind not in _PLANS:
        return None
    subject = sides.pair.one.topic - _IDEA or u.stems - _IDEA
    if not subject or not subject <= sides.pair.other.stems or (len(subject) < 2 and v.stems - _IDEA != subject):
        return None
    if v.attributes & SINGLE:
        return None
    return Sign("cancelled", True, True, 0.7 + len(subject) / 100)


def _left(sides: Sides) -> Sign | None:
    """Somebody is out of the part that the old note gives them."""
    u, v = sides.u, sides.v
    if not u.leaving or sides.u.adds:
        return None
    first, last = u.leaving.span("who")
    who = frozenset(t.stem for t in u.terms if first <= t.start - u.start < last)
    part = [t for t in v.terms if t.stem in who]
    if not who or not part or who - v.stems:
        return None
    given = v.gives(who)
    another = any(t.name and t.stem not in sides.near_old for one in sides.pair.one.statements for t in one.terms)
    alone = sides.shared > who and sides.likeness >= _ALONE
    if not given or sides.likeness < _DOUBTFUL or not (another or alone):
        return None
    return Sign("left", True, True, 0.75 + sides.likeness / 10, (("old", u.said(u.start + first, u.start + last)),))


def _settled(sides: Sides) -> Sign | None:
    """What was waited for has come."""
    u, v = sides.u, sides.v
    if not (v.pending and u.settled) or sides.likeness < _ENOUGH or (sides.new_rest and sides.old_rest):
        return None
    if not held([slot for slot in v.slots if slot.sort != "money"], u.slots):
        return None  # "expects it by 30 May": what has come is not that day; what was owed need not be told again
    last = max((t.start for t in v.terms if t.stem in sides.near_new), default=0)
    # "expects a warm tone for it": it waits for something else
    late = all(run[0].start > last for run in sides.old_rest)
    return Sign("settled", late, True, 0.8)


def _resolved(sides: Sides) -> Sign | None:
    """A guess that has turned out right or wrong: what is known takes its place."""
    known = sides.u.resolves or (sides.u.denied and sides.one_thing and not sides.new_rest)
    if not known or sides.u.guessed or len(sides.core) < 2 or sides.likeness < _DOUBTFUL:
        return None
    if not sides.same_attribute:
        return None
    if sides.u.slots and sides.v.slots and not by_sort(sides.u.slots).keys() & by_sort(sides.v.slots).keys():
        return None  # a day was guessed, and a price is known
    sure = sides.likeness >= _ENOUGH or sides.pair.old.kind is Kind.HYPOTHESIS
    return Sign("resolved", sure, True, 0.7 + sides.likeness / 10)


def _worded(sides: Sides) -> Sign | None:
    """One word or name is another, in a statement that is else the same."""
    u, v = sides.u, sides.v
    if u.adds or u.attributes & SINGLE != v.attributes & SINGLE or u.denied != v.denied:
        return None
    if len(sides.new_rest) != 1 or len(sides.old_rest) != 1:
        return None
    new, old = sides.new_rest[0], sides.old_rest[0]
    values = (("old", v.said(old[0].start, old[-1].end)), ("new", u.said(new[0].start, new[-1].end)))
    if max(len(said.split()) for _, said in values) > _RUN or not held(u.slots, v.slots) or not held(v.slots, u.slots):
        return None
    if new[0] == u.terms[0] and old[0] == v.terms[0]:  # another subject: "Teal pays", "Rook pays"
        return None
    if (u.changed or u.corrected) and sides.likeness >= _ENOUGH:
        return _told_word(sides, new, old, values)
    if u.denied or u.past or v.past or u.happened or v.happened:
        return None
    if all(t.name for t in (*new, *old)) and same_but(u.text, v.text, copula=True) and len(sides.shared) >= 2:
        return Sign("worded", True, False, 0.6, values)
    if sides.pair.old.kind in _CHOSEN and same_but(u.text, v.text):
        return Sign("worded", False, False, 0.5, values)
    return None


def _told_word(
    sides: Sides, new: Sequence[Term], old: Sequence[Term], values: tuple[tuple[str, str], ...]
) -> Sign | None:
    """The new note says that it changed, and one run of words differs."""
    u, v = sides.u, sides.v
    if not sides.same_attribute or u.depends:
        return None
    if u.brings_in(new[0], sides.pair.new.language) and not sides.one_noun(new, old):
        return None
    if not sides.same_place(new, old) or u.denied or u.cancelled or u.resumed or u.allows != v.allows:
        return None
    if not u.changes(new[0].start, new[-1].end):
        return None
    if sides.other_there and not any(t.name for t in (*new, *old)):
        return None  # the quarries of Fife, the ferries of Fife
    alike = any(t.name or t.opens for t in new) == any(t.name or t.opens for t in old)
    alike = alike or (sides.one_thing and u.lead(new[0]) == v.lead(old[0]))  # "as InDesign", "as printed paper"
    about = u.completes(new[0]) and v.completes(old[0])
    if about and min(len(new), len(old)) > 1:
        return None
    return Sign("worded", alike and not about, True, 0.7 + sides.likeness / 10, values)


def _said(statement: Statement, values: Sequence[Slot]) -> str:
    return ", ".join(dict.fromkeys(_TRIM.sub("", statement.said(slot.start, slot.end)) for slot in values))


_IDEA = frozenset(("idee", "ide", "idea", "projet", "project", "pitch", "articl"))
"""Stems that say that something is planned, and not what."""

_RULES: tuple[Callable[[Sides], Sign | None], ...] = (_named, _value, _reversed, _left, _cancelled, _settled, _worded)
