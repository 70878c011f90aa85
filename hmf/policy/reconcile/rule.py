"""Whether a new memory takes the place of an old one. Pure: two notes in, a verdict with its reason out.

A note replaces another only when both speak of the same subject and the same attribute, and the new one gives another
value. Three things are asked of a pair:

- the subject: words in common, names and numbers of things that do not contradict each other;
- the attribute: values of one sort, or the same words around them;
- the change: the new note says so ("now", "instead of", "no longer"), or the attribute can have one value only.

With all three the old memory is replaced. Where one is doubtful the two contradict each other: a conflict for a person.
Otherwise they have nothing to do with each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from hmf.memory import Authority, Kind, Memory, State, Status, Tier
from hmf.policy.reconcile.reading import read
from hmf.policy.reconcile.sides import Pair
from hmf.policy.reconcile.signs import Sign, compare

_FIRM = frozenset({Kind.DECISION, Kind.CONSTRAINT})
"""Kinds that ask for words of change before they give way."""

_NEVER = frozenset({"import", "replay", "job"})
"""Sources that bring back what was said before, and decide nothing."""

_DOUBTED = frozenset({"web"})
"""Sources whose word is shown to a person first."""

_TURNS = frozenset({"session"})
"""Sources that are torn out of a conversation: a word in one is no news of another."""

_SKEW = timedelta(minutes=5)
"""How far ahead of ours another clock may be."""

_CLAIMS = 2
"""Statements of a note up to which one of them stands for all. A longer one would go with what still holds in it."""

_WHOLE = frozenset(("cancelled", "resolved"))
"""Signs that are about all of a note, however much it says."""

_TIE = 0.005
"""Strengths nearer than this tell nothing apart."""


class Verdict(StrEnum):
    """What a new memory is to an old one."""

    REPLACES = "replaces"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class Finding:
    """One verdict. `code` and `values` say why; `explain` puts them into words."""

    old: Memory
    verdict: Verdict
    code: str
    values: tuple[tuple[str, str], ...] = ()
    strength: float = 0.0
    clear: bool = False
    """The text leaves no doubt: if the old one stays, it is for what `doubt` says."""
    doubt: str = ""
    """What keeps a memory that seems replaced: `pinned`, `authority`, `source`, `firm`, `several`, `too_many`,
    `future`, `partly`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one addition does to what is there."""

    replaced: tuple[Finding, ...] = ()
    conflicts: tuple[Finding, ...] = ()


def may_replace(new: Memory) -> bool:
    """Whether it is worth looking for what this memory might replace: cheap, and false for most notes."""
    if new.source.type in _NEVER or new.kind is Kind.HYPOTHESIS or new.status is not Status.CONFIRMED:
        return False
    reading = read(new)
    return reading is not None and (reading.speaks or new.volatile) and not reading.asks


def nearest(new: Memory, others: Iterable[Memory], most: int) -> list[Memory]:
    """Those of the others that share most words with `new`, at most so many; none that shares nothing."""
    one = read(new)
    if one is None:
        return []
    scored = []
    for other in others:
        reading = read(other) if other.namespace == new.namespace else None
        common = len(one.stems & reading.stems) + 2 * len(one.names & reading.names) if reading else 0
        if common:
            scored.append((-common, other.id, other))
    return [other for _, _, other in sorted(scored, key=lambda row: row[:2])[:most]]


def reconcile(new: Memory, candidates: Iterable[Memory], *, now: datetime, cap: int) -> Outcome:
    """The memories that `new` replaces at `now`, at most `cap`, and those it may contradict.

    More than `cap` is a sign of a misreading: then nothing is replaced, and all are conflicts. So it is for what holds
    only from a later day on.
    """
    found = [finding for old in candidates if (finding := judge(new, old)) is not None]
    found = _settle(sorted(found, key=lambda one: (-one.strength, one.old.id)))
    replaced = tuple(one for one in found if one.verdict is Verdict.REPLACES)
    conflicts = tuple(one for one in found if one.verdict is Verdict.CONFLICT)
    why = "too_many" if len(replaced) > cap else "future" if new.valid_from > now + _SKEW else None
    if why:
        return Outcome((), (*(_doubted(one, why) for one in replaced), *conflicts))
    return Outcome(replaced, conflicts)


def judge(new: Memory, old: Memory) -> Finding | None:
    """What `new` is to `old`; None where they have nothing to do with each other."""
    if not _comparable(new, old):
        return None
    one, other = read(new), read(old)
    if one is None or other is None or (new.source.type != "user" and one.orders):
        return None
    sign = compare(Pair(new, old, one, other))
    if sign is None or one.asks or other.asks:
        return None
    if new.source.type in _TURNS and sign.code == "worded" and new.session != old.session:
        return None
    finding = Finding(old, Verdict.CONFLICT, sign.code, sign.values, sign.strength)
    if not sign.certain:
        return finding
    part = other.claims > _CLAIMS and sign.code not in _WHOLE
    why = "partly" if part else _obstacle(new, old, sign)
    clear = replace(finding, verdict=Verdict.REPLACES, clear=True)
    return _doubted(clear, why) if why else clear


def _comparable(new: Memory, old: Memory) -> bool:
    """Same namespace, projects that do not differ, both current, the old one known before and no fresh guess."""
    return (
        new.id != old.id
        and new.namespace == old.namespace
        and old.state is State.LIVE
        and old.tier is Tier.DETAIL
        and old.current
        and new.source.type not in _NEVER
        and not (new.project and old.project and new.project != old.project)
        and new.valid_from >= old.valid_from
        and new.content_hash != old.content_hash
    )


def _obstacle(new: Memory, old: Memory, sign: Sign) -> str | None:
    """Why a certain sign must still be shown to a person."""
    if old.pinned:
        return "pinned"
    if old.authority.rank < new.authority.rank:
        return "authority"
    if new.source.type in _DOUBTED or (new.authority is not Authority.USER and sign.delicate):
        return "source"
    if old.kind in _FIRM and not sign.told:
        return "firm"
    return None


def _doubted(finding: Finding, why: str) -> Finding:
    return replace(finding, verdict=Verdict.CONFLICT, doubt=why)


def _settle(found: Sequence[Finding]) -> list[Finding]:
    """One value takes the place of one: of several memories with different ones, the likest goes, the others stay."""
    kept: list[Finding] = []
    first: dict[str, Finding] = {}
    for one in found:
        best = first.setdefault(one.code, one)
        if one.verdict is not Verdict.REPLACES or best is one or one.values[:1] == best.values[:1] != ():
            kept.append(one)
        elif best.strength - one.strength < _TIE:
            kept.append(_doubted(one, "several"))
    return kept
