"""The summarise job: related details of a category get one summary, made of originals only and rebuilt, never stacked.

Cost: reads every summary with its sources, and the details not yet in one; vectors only of details without a project
and of 400 memories that show what "near" means. Clustering costs 25 ms for each thousand details, a draft some 2 ms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

import numpy as np

from hmf.memory import Category, Memory, Tier
from hmf.plan import Action, Plan, Reason, Verb, View
from hmf.policy import clusters
from hmf.policy.clusters import LEAST, MOST, Scale
from jobs.common import draft, finish, sorted_categories, summarising, target, targets
from jobs.freshness import Known, known_summaries, let_go
from jobs.overview import overview

_SHARE = 3
"""New details join a summary once there is one for each `_SHARE` it has: fewer would rewrite it every night."""

_FIRST = 2000
"""Rows that the scale of "near" is sampled from: the oldest, since they are the same tomorrow."""


@dataclass(frozen=True, slots=True)
class Summarise:
    """Plans SUMMARISE actions, and FORGET or FLAG actions for summaries that cannot be rebuilt."""

    name: str = "summarise"

    def plan(self, view: View, now: datetime) -> Plan:
        """Propose the summaries that are missing, stale, or due for new material."""
        categories = sorted_categories(view)
        scale = _scale(view) if any(c.policy.summarise for c in categories) else None
        actions = [action for category in categories for action in _category(view, category, scale)]
        return finish(self.name, view, now, actions)


def _category(view: View, category: Category, scale: Scale | None) -> list[Action]:
    known = known_summaries(view, category)
    groups = [k for k in known if not k.overview]
    fresh: list[Memory] = []
    if category.policy.summarise:
        fresh += [m for m in view.memories(category=category.name, unsummarised=True) if m.current and not m.pinned]
    tonight = [*_grouped(view, category, groups, fresh, scale)]
    rows = {m.id: m for m in fresh}
    return [*tonight, *overview(view, category, groups, tonight, rows, [k for k in known if k.overview])]


def _grouped(
    view: View, category: Category, known: Sequence[Known], fresh: Sequence[Memory], scale: Scale | None
) -> Iterator[Action]:
    """The summaries of projects and topics: `fresh` details joined to those there are, or given new ones."""
    if fresh:
        for project, members in clusters.by_project(fresh).items():
            homes = [k for k in known if k.summary.project == project]
            if project is not None:
                yield from _placed(view, category, members, homes)
            elif scale is not None:
                for group, home in _topics(view, members, homes, scale):
                    yield from _placed(view, category, group, home)
    for one in known:
        if one.outlived and one.stale:
            yield from let_go(one, category)
        elif one.stale or (one.joining and len(one.joining) * _SHARE >= len(one.sources)):
            yield from _rebuilt(view, category, one)


def _placed(view: View, category: Category, group: Sequence[Memory], homes: Sequence[Known]) -> Iterator[Action]:
    """Let the group join the newest summary with room for it, else give it its own when it is large enough."""
    for home in sorted(homes, key=lambda k: k.summary.id, reverse=True):
        if len(home.sources) + len(home.joining) + len(group) <= MOST and not home.outlived:
            home.joining.extend(group)
            return
    if len(group) >= LEAST:
        for part in clusters.split(group):
            yield from _new(view, category, part)


def _topics(
    view: View, members: Sequence[Memory], known: Sequence[Known], scale: Scale
) -> Iterator[tuple[list[Memory], list[Known]]]:
    """Groups by meaning, each with the existing summary whose sources are as near as its own members are, if any."""
    centres = _centres(view, known, scale)
    for window in clusters.windows(members):
        vectors = view.vectors([m.id for m in window])
        seen = [m for m in window if m.id in vectors]
        rows = clusters.centred(vectors, [m.id for m in seen], scale)
        for positions in clusters.related(rows, scale, clusters.naming_alike(seen)):
            home = _nearest(rows[positions].mean(axis=0), known, centres, scale) if known else []
            if home or len(positions) >= LEAST:
                yield [seen[n] for n in positions], home


def _scale(view: View) -> Scale | None:
    rows = islice(view.memories(tiers=(Tier.DETAIL, Tier.ARCHIVE)), _FIRST)
    return clusters.scale(view.vectors(clusters.sample([m.id for m in rows if not m.summary_of])))


def _centres(view: View, known: Sequence[Known], scale: Scale) -> clusters.Rows:
    """Mean of each summary's centred source vectors, shape (n, d): its product with a row is the mean cosine."""
    centres = np.zeros((len(known), len(scale.mean)), np.float32)
    for n, one in enumerate(known):
        vectors = view.vectors([m.id for m in one.sources])
        if vectors:
            centres[n] = clusters.centred(vectors, sorted(vectors), scale).mean(axis=0)
    return centres


def _nearest(centre: clusters.Rows, known: Sequence[Known], centres: clusters.Rows, scale: Scale) -> list[Known]:
    cosines = np.round(centres @ centre, 6)
    best = int(cosines.argmax())
    return [known[best]] if cosines[best] >= scale.limit else []


def _new(view: View, category: Category, sources: Sequence[Memory]) -> Iterator[Action]:
    project = sources[0].project
    written = draft(sources, view, category.name, project)
    if written is not None:
        reason = Reason("cluster", {"count": len(sources), "subject": project or written.title})
        confirm = summarising(category)
        yield Action(Verb.SUMMARISE, targets(sources), reason, category.name, confirm, draft=written)


def _rebuilt(view: View, category: Category, known: Known) -> Iterator[Action]:
    """The summary written again from its present originals, or let go where too few are left."""
    sources, old = [*known.sources, *known.joining], known.summary
    if len(sources) < min(LEAST, len(old.summary_of)):
        yield from let_go(known, category)
        return
    written = draft(sources, view, category.name, old.project, replaces=target(old))
    if written is None:
        yield from let_go(known, category)
        return
    if known.stale:
        reason = Reason("summary_stale", {"changed": known.stale})
    else:
        reason = Reason("cluster", {"count": len(sources), "subject": old.project or written.title})
    confirm = summarising(category)
    yield Action(Verb.SUMMARISE, targets(sources), reason, category.name, confirm, draft=written)


job = Summarise()
