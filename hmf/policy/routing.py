"""Where a text belongs: explicit category, rules, a filing that says nearly the same, belief, inbox; in that order.

Belief, in `hmf.policy.learning` and `judging`, comes of descriptions, examples and what the user filed or corrected.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hmf.memory import Category, Kind, Route, RoutedBy, RouteRule
from hmf.policy.folding import spaced
from hmf.policy.judging import Sight, habitual, nearest, shares, sight
from hmf.policy.learning import Belief
from hmf.reason import Reason

_SAME = 0.8
"""Cosine, without what all texts share, from which a filed memory says nearly the same and decides alone."""

_DISPUTED = 0.03
"""Filings of other categories that are nearly as near as the nearest take its voice away."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What the router may look at."""

    text: str
    vector: NDArray[np.float32]
    kind: Kind | None = None
    source: str = "user"
    project: str | None = None


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When belief is sure enough: share of the best category, and its lead on the second."""

    share: float
    margin: float


def route(
    subject: Subject, categories: Mapping[str, Category], belief: Belief, *, inbox: str, sure: Thresholds
) -> Route:
    """The category of a text that named none. Never raises: the inbox takes what nobody claims."""
    ruled = _by_rule(subject, categories)
    if ruled is not None:
        return ruled
    seen = sight(belief, subject.vector)
    near = _by_neighbour(seen, belief)
    if near is not None:
        return near
    believed = shares(belief, seen)
    if not believed:
        return Route(inbox, 0.0, RoutedBy.INBOX, Reason("nothing_described"))
    if subject.kind is not None:
        believed = habitual(belief, believed, subject.kind, subject.project is not None)
    ranked = sorted(believed.items(), key=lambda item: (-item[1], item[0]))
    (best, share), second = ranked[0], ranked[1][1] if len(ranked) > 1 else 0.0
    if share >= sure.share and share - second >= sure.margin:
        return Route(best, round(share, 3), RoutedBy.EMBEDDING, Reason("closest", {"category": best}))
    why = (
        Reason("unsure", {"category": best, "rival": ranked[1][0]})
        if len(ranked) > 1
        else Reason("unsure_alone", {"category": best})
    )
    return Route(inbox, round(share, 3), RoutedBy.INBOX, why)


def _by_rule(subject: Subject, categories: Mapping[str, Category]) -> Route | None:
    words = f" {spaced(subject.text)} "
    for name, category in categories.items():
        for rule in category.rules:
            if held := _holds(rule, subject, words):
                return Route(name, 0.95, RoutedBy.RULE, Reason("rule", {"category": name, "held": held}))
    return None


def _holds(rule: RouteRule, subject: Subject, words: str) -> tuple[Reason, ...]:
    """What made the rule hold; nothing where it does not. A rule with no condition never holds."""
    said: list[Reason] = []
    if rule.words:
        hits = [phrase for phrase in rule.words if f" {spaced(phrase)} " in words]
        if not hits:
            return ()
        said.append(Reason("rule_word", {"word": hits[0]}))
    if rule.pattern:
        match = re.search(rule.pattern, subject.text, re.IGNORECASE)
        if match is None:
            return ()
        said.append(Reason("rule_wording"))
    asked: Sequence[tuple[str, object, frozenset[object]]] = (
        ("kind", subject.kind, frozenset(rule.kinds)),
        ("source", subject.source, frozenset(rule.sources)),
        ("project", subject.project, frozenset(rule.projects)),
    )
    for field, value, accepted in asked:
        if accepted:
            if value not in accepted:
                return ()
            said.append(Reason(f"rule_{field}", {field: str(value)}))
    return tuple(said)


def _by_neighbour(seen: Sight, belief: Belief) -> Route | None:
    near = nearest(belief, seen, 3)
    if not near or near[0][1] < _SAME:
        return None
    label, best = near[0]
    if any(other != label for other, cosine in near if cosine >= best - _DISPUTED):
        return None
    return Route(label, round(min(best, 1.0), 3), RoutedBy.LEARNT, Reason("near_filed", {"category": label}))
