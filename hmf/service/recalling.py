"""Recalling: a question in, a pack out. Reads take ids from the index and rows from the ledger."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from hmf.config import resolve_category
from hmf.errors import InvalidInput
from hmf.ledger.codec import content_key
from hmf.ledger.ledger import SUMMARIES
from hmf.ledger.wanted import Wanted
from hmf.memory import RETIRED, Kind, Memory, State, Tier
from hmf.policy import lineage
from hmf.policy.flags import flags
from hmf.policy.language import detect
from hmf.policy.packing import Hit, Pack, within
from hmf.policy.ranking import Ranked, Scale
from hmf.reason import Reason
from hmf.recall import leading
from hmf.recall.bounds import Limits, allowed
from hmf.recall.retriever import Retriever, Sources
from hmf.recall.understand import Question, understand
from hmf.service.indexing import Indexer
from hmf.service.routing import Router
from hmf.service.store import Store

MAX_QUERY = 60_000
_ANYTHING = "bonjour, hello"
_REMEMBERED = 200
"""Recall counts are written after this many searches: the clock of use is not worth a sync each time."""


class Recaller:
    """Answers questions."""

    def __init__(self, store: Store, indexer: Indexer, router: Router) -> None:
        """Work on an open store."""
        self._store = store
        self._indexer = indexer
        self._router = router
        self._counts: Counter[str] = Counter()
        self._searches = 0
        self._lock = threading.Lock()
        settings = store.settings.recall
        read = store.embedder.calibration
        weight = read.weight if settings.dense_weight == "auto" else float(settings.dense_weight)
        self._scale = Scale(read.floor, read.ceiling, weight, settings.min_score, read.belief)
        ledger = store.ledger
        self._terms = indexer.terms
        self._sizes: dict[str, tuple[int, int]] = {}
        """By namespace: how many texts the store held when its memories were counted, and how many these were."""
        sources = Sources(
            indexer.search, ledger.get, ledger.beside, self._vectors, self._terms.weight, among=self._among
        )
        self._retriever = Retriever(sources, self._scale, store.zone)

    def search(
        self,
        query: str,
        namespace: str,
        *,
        k: int | None,
        categories: Sequence[str],
        project: str | None,
        kinds: Sequence[Kind],
        since: datetime | None,
        until: datetime | None,
        archive: bool | None,
        history: bool,
    ) -> Pack:
        """The memories that answer `query`, or an explicit abstention. Raises InvalidInput, UnknownCategory."""
        settings = self._store.settings
        size = settings.recall.k if k is None else k
        if not 1 <= size <= 200:
            raise InvalidInput(f"k must be from 1 to 200, not {size}.")
        if since and until and since > until:
            raise InvalidInput(f"since ({since.isoformat()}) is after until ({until.isoformat()}).")
        text = query.replace("\0", " ").encode("utf-8", "replace").decode()[:MAX_QUERY].strip()
        if not text:
            return Pack(query, (), True, (), (Reason("empty_question"),), zone=self._store.zone)
        now = self._store.now()
        question = understand(
            text,
            embedder=self._store.embedder,
            now=now,
            zone=self._store.zone,
            language=self._store.language,
            projects=self._store.ledger.project_names(namespace),
            history=history,
        )
        limits = Limits(
            namespace,
            size,
            tuple(resolve_category(c, settings) for c in categories),
            project,
            tuple(kinds),
            since,
            until,
            False if archive is None and not self._holds(Tier.ARCHIVE, namespace) else archive,
            settings.recall.categories_first,
            settings.recall.candidates,
        )
        shares = self._router.shares(question.vector, namespace)
        ranked, state = self._retriever.search(
            question, limits, shares=shares, categories=self._homes(namespace), now=now
        )
        lead = self._lead(question, limits, now)
        ranked = leading.first(lead, ranked)[:size]
        moved_on = self._moved_on([one.memory for one in ranked])
        hits = within(
            [self._hit(r, question, now, state.parents, moved_on) for r in ranked], settings.recall.token_budget
        )
        self._count(hits, now)
        return Pack(
            query,
            hits,
            abstained=not hits,
            widened=tuple(state.widened),
            trace=tuple(state.trace),
            warnings=question.warnings,
            zone=self._store.zone,
            language=self._store.language,
        )

    def warm(self, namespace: str) -> None:
        """Load and open all that a first question of this namespace would wait for: language model, embedder,
        examples of the router, collections. Raises what a search raises."""
        detect(_ANYTHING, default=self._store.language)
        vector = self._store.embedder.queries([_ANYTHING])[0]
        self._router.shares(vector, namespace)
        for collection in self._homes(namespace):
            self._indexer.physical(collection)

    def close(self) -> None:
        """Write the recall counts that are still in memory."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
        self._store.marks.recalled(counts, self._store.now())

    def _homes(self, namespace: str) -> list[str]:
        """Collections to look in: those that memories lie in, configured or not. A read makes no empty ones."""
        homes = self._store.ledger.category_names(namespace)
        return [*homes, SUMMARIES] if self._holds(Tier.SUMMARY, namespace) else homes

    def _holds(self, tier: Tier, namespace: str) -> bool:
        return tier in self._store.ledger.tier_names(namespace)

    def _among(self, namespace: str) -> int:
        """About how many memories the namespace holds: counted again when the store has grown or shrunk by a tenth."""
        texts = self._terms.texts
        at, count = self._sizes.get(namespace, (-1, 0))
        if at < 0 or abs(texts - at) * 10 > at:
            count = sum(row["n"] for row in self._store.ledger.tally(namespace) if row["state"] == State.LIVE)
            self._sizes[namespace] = texts, count
        return count

    def _vectors(self, memories: Sequence[Memory]) -> Mapping[str, NDArray[np.float32]]:
        keys = {memory.id: content_key(memory.text) for memory in memories}
        known = self._store.cache.get(list(keys.values()))
        return {i: known[key] for i, key in keys.items() if key in known}

    def _lead(self, question: Question, limits: Limits, now: datetime) -> list[Memory]:
        """The summaries of the project, or of the whole category, that an overview is asked of."""
        about = leading.subject(question, self._store.categories)
        if about is None or not self._holds(Tier.SUMMARY, limits.namespace):
            return []
        where = (about.category,) if about.category is not None else ()
        wanted = Wanted(limits.namespace, categories=where, tiers=(Tier.SUMMARY,), project=about.project)
        found = [m for m in self._store.ledger.find(wanted) if allowed(m, question, limits, now)]
        return leading.chosen(found, about)

    def _moved_on(self, memories: Sequence[Memory]) -> frozenset[str]:
        """Ids of the summaries that do not speak for all of their sources any more: the next night writes them anew."""
        summaries = [m for m in memories if m.summary_of and m.status not in RETIRED]
        sources = self._store.ledger.get([i for m in summaries for i in m.summary_of]) if summaries else {}
        return frozenset(m.id for m in summaries if lineage.changed(m, sources))

    def _hit(
        self, ranked: Ranked, question: Question, now: datetime, parents: Mapping[str, float], moved_on: Set[str]
    ) -> Hit:
        memory = ranked.memory
        parts = ranked.parts
        reasons = [Reason("sums_up")] if "lead" in parts else []
        if parts.get("lexical", 0) > 0:
            reasons.append(Reason("same_words", {"score": parts["lexical"]}))
        if parts.get("dense", 0) > 0:
            reasons.append(Reason("close_meaning", {"score": parts["dense"]}))
        if parts.get("speaker", 0) > 0:
            reasons.append(Reason("said_by", {"author": memory.source.author or ""}))
        if parts.get("reply", 0) > 0:
            reasons.append(Reason("replies"))
        elif parts.get("wide", 0) > 0 and not reasons:
            reasons.append(Reason("stands_beside"))
        if memory.project and memory.project in question.projects:
            reasons.append(Reason("about_project", {"project": memory.project}))
        if memory.id in parents:
            reasons.append(Reason("summary_answers"))
        if memory.superseded_by:
            reasons.append(Reason("replaced_by", {"id": memory.superseded_by}))
        marks = flags(memory, now, self._store.zone)
        if memory.id in moved_on:
            marks = (*marks, Reason("sources_changed"))
        return Hit(memory, round(ranked.score, 4), memory.tier, marks, tuple(reasons), parts)

    def _count(self, hits: Sequence[Hit], now: datetime) -> None:
        with self._lock:
            self._counts.update(hit.memory.id for hit in hits)
            self._searches += 1
            due = self._searches % _REMEMBERED == 0
            counts = self._counts if due else Counter[str]()
            if due:
                self._counts = Counter()
        if counts:
            self._store.marks.recalled(counts, now)
