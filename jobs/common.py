"""What the four jobs share: targets, drafts, and the order of a plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from datetime import datetime

from hmf.memory import RETIRED, Category, Confirm, Level, Memory
from hmf.plan import Action, Draft, Plan, Reason, Target, Verb, View, limited
from hmf.policy import clusters, summaries
from hmf.policy.retention import Verdict


def target(memory: Memory) -> Target:
    """The memory as it was when it was judged."""
    return Target(memory.id, memory.revision)


def targets(memories: Iterable[Memory]) -> tuple[Target, ...]:
    """The memories as they were when they were judged, in order of id."""
    return tuple(sorted((target(m) for m in memories), key=lambda t: t.id))


def reason(verdict: Verdict) -> Reason:
    """A policy's verdict as a plan's reason."""
    return Reason(verdict.code, verdict.values)


def draft(
    sources: Sequence[Memory], view: View, category: str, project: str | None, *, replaces: Target | None = None
) -> Draft | None:
    """An extractive summary of these, or None when none of their sentences fits in one.

    Retired sources are not quoted. The language is the one most of them are in.
    """
    current = [m for m in sources if m.status not in RETIRED]
    language = summaries.majority_language(current, view.language)
    text, sentences = summaries.extract(current, language=language)
    if not sentences:
        return None
    by_id = {m.id: m for m in current}
    first_sentence, first_id = sentences[0]
    subject = project or clusters.common_name(current) or summaries.subject(by_id[first_id], first_sentence)
    return Draft(
        text=text,
        title=summaries.title(subject, current, view.zone),
        category=category,
        project=project,
        language=language,
        sentences=sentences,
        replaces=replaces,
        level=Level.PROJECT if project else Level.TOPIC,
    )


def youngest(view: View, category: Category) -> Set[str]:
    """Those that the policy keeps as the last so many of the category."""
    policy = category.policy
    return view.youngest(category.name, policy.touched_by, policy.keep.last) if policy.keep.last else frozenset()


def summarising(category: Category) -> Confirm:
    """Who confirms a summary: nobody, since it takes nothing away; unless the policy may only report."""
    return Confirm.NEVER if category.policy.confirm is Confirm.NEVER else Confirm.AUTO


def sorted_categories(view: View) -> list[Category]:
    """The view's categories by name: the order of every plan."""
    return [view.categories[name] for name in sorted(view.categories)]


def finish(job: str, view: View, now: datetime, actions: Iterable[Action]) -> Plan:
    """The plan, in its one order (category, summaries first, the overview after those it is about, first target), held
    to each category's share."""

    def place(action: Action) -> tuple[str, bool, bool, str, str]:
        overview = action.draft is not None and action.draft.level is Level.CATEGORY
        return action.category, action.verb is not Verb.SUMMARISE, overview, action.targets[0].id, action.key

    ordered = sorted(actions, key=place)
    return limited(Plan(job, view.namespace, now, tuple(ordered)), view)
