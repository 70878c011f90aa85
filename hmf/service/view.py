"""What a job may read: the ledger of one namespace, never the index, never a way to change anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import datetime, tzinfo

import numpy as np
from numpy.typing import NDArray

from hmf.ledger.codec import content_key
from hmf.ledger.wanted import Wanted
from hmf.memory import Category, Clock, Kind, Memory, Patience, Project, Route, State, Tier
from hmf.plan import Verb
from hmf.service.routing import Router
from hmf.service.store import Store


class LedgerView:
    """A `hmf.plan.View` over the open store."""

    def __init__(self, store: Store, router: Router, namespace: str) -> None:
        """The view of one namespace."""
        self._store = store
        self._router = router
        self.namespace = namespace
        self.zone: tzinfo = store.zone
        self.language = store.language
        self.categories: Mapping[str, Category] = store.categories
        self.projects: Mapping[str, Project] = store.ledger.projects(namespace)
        self.patience: Patience = store.settings.review.patience()

    def memories(
        self,
        *,
        category: str | None = None,
        tiers: Sequence[Tier] = (Tier.DETAIL,),
        touched_before: datetime | None = None,
        kinds: Sequence[Kind] = (),
        project: str | None = None,
        volatile: bool | None = None,
        expired_by: datetime | None = None,
        unsummarised: bool = False,
    ) -> Iterable[Memory]:
        """See `hmf.plan.View`."""
        return self._store.ledger.stream(
            Wanted(
                self.namespace,
                categories=(category,) if category else (),
                tiers=tiers,
                kinds=kinds,
                project=project,
                volatile=volatile,
                touched_before=touched_before,
                expired_by=expired_by,
                unsummarised=unsummarised,
            )
        )

    def get(self, ids: Sequence[str]) -> Mapping[str, Memory]:
        """See `hmf.plan.View`."""
        found = self._store.ledger.get(ids, self.namespace)
        return {i: m for i, m in found.items() if m.state is State.LIVE}

    def let_go(self, ids: Sequence[str]) -> Set[str]:
        """See `hmf.plan.View`."""
        return self._store.ledger.let_go(ids, self.namespace)

    def youngest(self, category: str, clocks: Sequence[Clock], count: int) -> Set[str]:
        """See `hmf.plan.View`."""
        return self._store.ledger.youngest(self.namespace, category, clocks, count)

    def count(self, category: str, *, pinned: bool | None = None) -> int:
        """See `hmf.plan.View`."""
        tiers = (Tier.DETAIL, Tier.ARCHIVE)
        return self._store.ledger.count(Wanted(self.namespace, categories=(category,), tiers=tiers, pinned=pinned))

    def vectors(self, ids: Sequence[str]) -> Mapping[str, Sequence[float]]:
        """See `hmf.plan.View`."""
        keys = {memory.id: content_key(memory.text) for memory in self.get(ids).values()}
        known = self._store.cache.get(list(keys.values()))
        return {i: known[key] for i, key in keys.items() if key in known}  # type: ignore[misc]

    def proposed(self) -> Set[str]:
        """See `hmf.plan.View`."""
        open_ = self._store.plans.open(self.namespace, self._store.now())
        waiting = (a for filed in open_ for a in (*filed.undecided, *filed.postponed))
        return {t.id for a in waiting if a.verb is Verb.MOVE for t in a.targets}

    def reroute(self, memories: Sequence[Memory]) -> Mapping[str, Route]:
        """See `hmf.plan.View`."""
        keys = {memory.id: content_key(memory.text) for memory in memories}
        vectors = self._store.cache.get(list(keys.values()))
        return {m.id: self._routed(m, vectors[keys[m.id]]) if keys[m.id] in vectors else m.route for m in memories}

    def _routed(self, memory: Memory, vector: NDArray[np.float32]) -> Route:
        return self._router.route(
            memory.text,
            vector,
            namespace=memory.namespace,
            category=None,
            kind=memory.kind,
            source=memory.source.type,
            project=memory.project,
            guess=True,
        )
