"""The overview of a category: a few sentences of each of its groups, taken from the originals themselves.

It stands beside the summaries of the groups and is not made from them: its sentences, like theirs, are those of
originals. It is written anew on the night after one of its sources or one of the groups has changed; on other nights
it costs the reading of its sources.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hmf.memory import Category, Level, Memory
from hmf.plan import Action, Draft, Reason, Target, Verb, View
from hmf.policy import lineage, summaries
from hmf.policy.clusters import LEAST, MOST, in_time
from jobs.common import summarising, target, targets
from jobs.freshness import Known

_SHARE = 3
"""Notes of no group bring an overview up to date once there is a new one for each `_SHARE` sources that it has."""

Told = list[tuple[str, Memory]]
"""Sentences of a group, each with an original that it stands in."""


def overview(
    view: View,
    category: Category,
    groups: Sequence[Known],
    tonight: Sequence[Action],
    rows: Mapping[str, Memory],
    existing: Sequence[Known],
) -> Iterator[Action]:
    """The overview that is missing or out of date, if any.

    `groups`: the summaries of the category; `tonight`: what is planned for them; `rows`: the originals that are in none
    yet; `existing`: its overviews, of which the last one counts.
    """
    old = existing[-1] if existing else None
    written = [a for a in tonight if a.draft is not None]
    stay = [k for k in groups if k.summary.id not in {i for a in tonight for i in _ended(a)}]
    taken = {t.id for a in written for t in a.targets} | {m.id for k in groups for m in k.joining}
    loose = in_time(m for m in rows.values() if m.id not in taken)[-MOST:]
    if old is not None and not (_outdated(old) or written or _newer(old, stay, loose)):
        return
    known = {**rows, **{m.id: m for k in groups for m in k.sources}}
    told = [*(_drafted(a, known) for a in written), *map(_standing, stay)]
    alone = [[(m.text, m)] for m in loose]
    told += [[pair for one in alone for pair in one]] if any(told) else alone
    draft = _draft(view, category, told, target(old.summary) if old else None)
    if draft is None:
        if old is not None and _outdated(old):
            reason = Reason("summary_stale", {"changed": max(1, old.stale)})
            yield Action(Verb.FORGET, (target(old.summary),), reason, category.name, summarising(category))
        return
    sources = [known[i] for i in dict.fromkeys(i for _, i in draft.sentences)]
    if old is None or _outdated(old) or draft.text != old.summary.text:
        name = category.label.get(view.language) or category.name
        reason = Reason("overview", {"category": name, "count": len(sources)})
        confirm = summarising(category)
        yield Action(Verb.SUMMARISE, targets(sources), reason, category.name, confirm, draft=draft)


def _ended(action: Action) -> Iterator[str]:
    """Ids of the summaries that this action replaces or lets go."""
    if action.verb is Verb.FORGET:
        yield from (t.id for t in action.targets)
    elif action.draft is not None and action.draft.replaces is not None:
        yield action.draft.replaces.id


def _outdated(old: Known) -> bool:
    return old.stale > 0 or old.outlived


def _newer(old: Known, groups: Sequence[Known], loose: Sequence[Memory]) -> bool:
    since = old.summary.revision
    new = sum(m.revision > since for m in loose)
    return any(k.summary.revision > since for k in groups) or new * _SHARE >= max(LEAST, len(old.sources))


def _drafted(action: Action, known: Mapping[str, Memory]) -> Told:
    """The sentences of a summary that is being written tonight."""
    assert action.draft is not None  # noqa: S101 - the caller chose those with a draft
    sources = [known[t.id] for t in action.targets]
    return [(text, next(m for m in sources if text in m.text)) for text, _ in action.draft.sentences]


def _standing(group: Known) -> Told:
    """The sentences of a summary that stands, as far as its originals still have them."""
    own = {m.id: m for m in group.sources}
    told = ((text, next((own[i] for i in ids if i in own), None)) for text, ids in lineage.quoted(group.summary))
    return [(text, m) for text, m in told if m is not None and text in m.text]


def _draft(view: View, category: Category, told: Sequence[Told], replaces: Target | None) -> Draft | None:
    """None where there is but one group to speak of: its own summary is its overview."""
    groups = [one for one in told if one]
    if not category.policy.summarise or len(groups) < 2:
        return None
    memories = [m for one in groups for _, m in one]
    language = summaries.majority_language(memories, view.language)
    text, sentences = summaries.overview(groups, language=language)
    quoted = {i for _, i in sentences}
    if len(quoted) < LEAST:
        return None
    name = category.label.get(language) or category.name
    title = summaries.title(name, [m for m in memories if m.id in quoted], view.zone)
    return Draft(text, title, category.name, None, language, sentences, replaces, Level.CATEGORY)
