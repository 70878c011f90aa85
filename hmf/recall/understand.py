"""Step 1: what a question asks for: its words, its time, its names, its need, the categories likely to answer."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hmf.embed.port import Embedder
from hmf.index.port import Between, Sparse
from hmf.index.tokenizer import content_terms, sparse_query
from hmf.policy import asking, naming, need, timewords
from hmf.policy.folding import fold, spaced
from hmf.policy.language import detect
from hmf.reason import Reason

_LATELY = timedelta(days=14)
"""How far back "where was I?" looks when it names no time."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, understood. `rest` is its text without the time words; `terms` its content words."""

    text: str
    rest: str
    language: str
    vector: NDArray[np.float32]
    sparse: Sparse
    terms: frozenset[str]
    phrase: str
    """The words of a question that has none but grammar ("To be or not to be"), which only their order makes a
    subject; empty for the others."""
    during: tuple[Between, ...]
    """When the note itself was made or holds from: nothing outside these answers."""
    about: tuple[Between, ...]
    """Dates that may as well belong to the subject: what lies in them is a little likelier."""
    history: bool
    resumes: bool
    """It names no subject, and asks what was going on: whatever lies in its time answers."""
    several: bool
    """It asks for more than one."""
    latest: bool
    """It asks how things stand: of two memories the newer one answers better."""
    need: need.Need
    projects: frozenset[str]
    names: frozenset[str]
    warnings: tuple[Reason, ...]


def understand(
    text: str,
    *,
    embedder: Embedder,
    now: datetime,
    zone: tzinfo,
    language: str,
    projects: Collection[str],
    history: bool,
) -> Question:
    """Read a question. `language` is the user's, taken when the text does not tell. Raises EmbedderFailure."""
    spoken = detect(text, default=language)
    reading = timewords.read(text, now=now, zone=zone, language=spoken)
    rest = reading.rest.strip() or text
    firm = tuple(_open_ended(r) for r in reading.ranges if r.firm)
    soft = tuple(_open_ended(r) for r in reading.ranges if not r.firm)
    past = history or reading.history or need.history_question(text)
    if past:
        # "In August, before the change" is about what held then, not about when it was noted.
        firm, soft = (), firm + soft
    kind = need.classify(text, spoken)
    going_on = not past and asking.resumes(rest)
    if going_on and not firm and not soft:
        firm = (Between(now - _LATELY, None),)
    if soft:
        rest = text  # a date that may belong to the subject is a word to look for as well
    terms = subject_terms(rest, spoken)
    return Question(
        text=text,
        rest=rest,
        language=spoken,
        vector=embedder.queries([rest])[0],
        sparse=sparse_query(rest, spoken),
        terms=terms,
        phrase="" if terms else spaced(rest),
        during=firm,
        about=soft,
        history=past,
        resumes=going_on,
        several=kind is need.Need.OVERVIEW or asking.of_several(text),
        latest=going_on or asking.of_now(text) or kind is need.Need.STATUS,
        need=kind,
        projects=mentioned(text, projects),
        names=frozenset(fold(name) for name in naming.names(text)),
        warnings=tuple(Reason("time_unknown", {"expression": expression}) for expression in reading.unknown),
    )


def subject_terms(text: str, language: str) -> frozenset[str]:
    """The content words of what a question is about; all of its content words where it is about nothing else."""
    return content_terms(asking.focus(text), language) or content_terms(text, language)


def _open_ended(span: timewords.Range) -> Between:
    since = None if span.since == timewords.BEGINNING else span.since
    return Between(since, None if span.until == timewords.ENDING else span.until)


def mentioned(text: str, names: Collection[str]) -> frozenset[str]:
    """Those of `names` that stand in the text as whole words, the longest where one contains another."""
    low = f" {spaced(text)} "
    found = {name for name in names if name.strip() and f" {_name(name)} " in low}
    return frozenset(
        name for name in found if not any(name != other and spaced(name) in spaced(other) for other in found)
    )


@lru_cache(maxsize=4096)
def _name(name: str) -> str:
    """Remembered: the projects of a namespace are looked for in every question."""
    return spaced(name)
