"""Which summary an overview question asks for: that of the project it names, or of the category it names.

A question leads there when it asks how something stands, or what is known of it, and names nothing more precise than
the project or the category. What it names beside them ("… the preface of Lumen") is looked for among the details.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hmf.index.tokenizer import content_terms
from hmf.memory import RETIRED, Category, Level, Memory
from hmf.policy.need import Need
from hmf.policy.ranking import Ranked
from hmf.recall.understand import Question

_MOST = 2
"""Summaries of one project before all else: a long project has one for each part of it."""

_FRAME = "projet projets project projects dossier catégorie category rubrique tiroir drawer note notes"
"""Words that say of a name what it is the name of."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A project or a category as a whole."""

    project: str | None = None
    category: str | None = None


def subject(question: Question, categories: Mapping[str, Category]) -> Subject | None:
    """What the question asks an overview of, or None where it does not, or of something else."""
    whole = question.need is Need.OVERVIEW or question.need is Need.STATUS
    if not whole or question.history:
        return None
    left = question.terms - content_terms(_FRAME, "fr") - content_terms(_FRAME, "en")
    if question.projects:
        [*names] = sorted(question.projects)
        own = frozenset[str]().union(*(_terms(name, question.language) for name in names))
        return Subject(project=names[0]) if len(names) == 1 and left <= own else None
    fit = [c for c in categories.values() if any(_named(left, text, question.language) for text in _labels(c))]
    return Subject(category=fit[0].name) if len(fit) == 1 and question.need is Need.OVERVIEW else None


def _labels(category: Category) -> list[str]:
    return [*category.label.values(), category.name.replace("-", " ")]


def _named(left: frozenset[str], label: str, language: str) -> bool:
    """Whether the question names this label and nothing else."""
    words = _terms(label, language)
    return bool(words) and words == left


def _terms(text: str, language: str) -> frozenset[str]:
    return content_terms(text, language)


def chosen(summaries: Sequence[Memory], about: Subject) -> list[Memory]:
    """Those of these summaries that speak of the subject as a whole, the newest first."""
    level = Level.PROJECT if about.project is not None else Level.CATEGORY
    fit = [m for m in summaries if m.status not in RETIRED and _level(m) is level]
    fit.sort(key=lambda m: (m.valid_from, m.id), reverse=True)
    return fit[: _MOST if level is Level.PROJECT else 1]


def _level(summary: Memory) -> Level:
    if summary.drawn is not None:
        return summary.drawn.level
    return Level.PROJECT if summary.project else Level.TOPIC


def first(lead: Sequence[Memory], ranked: Sequence[Ranked]) -> list[Ranked]:
    """The ranking with these summaries before all else, just above the best score."""
    if not lead:
        return list(ranked)
    known = {one.memory.id: one for one in ranked}
    top = max((one.score for one in ranked), default=1.0)
    ahead = []
    for place, memory in enumerate(lead):
        one = known.get(memory.id)
        parts = {**(one.parts if one else {}), "lead": 1.0}
        score = top * (1 + 0.01 * (len(lead) - place))
        ahead.append(Ranked(memory, score, max(one.evidence if one else 0.0, 1.0), parts))
    ids = {memory.id for memory in lead}
    return [*ahead, *(one for one in ranked if one.memory.id not in ids)]
