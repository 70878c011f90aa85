"""What the store holds and whether it is sound: stats, and a doctor whose every failure names its remedy."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hmf.errors import HmfError
from hmf.ledger.wanted import Wanted
from hmf.memory import RETIRED, State, Tier
from hmf.service.indexing import Indexer
from hmf.service.store import Store


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the doctor. `fix` is empty when it is well."""

    name: str
    well: bool
    found: str
    fix: str = ""


class Health:
    """Looks at an open store."""

    def __init__(self, store: Store, indexer: Indexer) -> None:
        """Look at `store`."""
        self._store = store
        self._indexer = indexer

    def stats(self, namespace: str) -> dict[str, Any]:
        """Counts and places, JSON-safe."""
        store = self._store
        categories: dict[str, Counter[str]] = {name: Counter() for name in store.categories}
        for row in store.ledger.tally(namespace):
            own = categories.setdefault(row["category"], Counter())
            if row["state"] == State.FORGOTTEN:
                own["forgotten"] += row["n"]
            elif row["status"] in RETIRED and row["tier"] != Tier.ARCHIVE:
                own["retired"] += row["n"]
            else:
                own[row["tier"]] += row["n"]
        file = store.ledger.file
        return {
            "namespace": namespace,
            "categories": {name: dict(counts) for name, counts in categories.items()},
            "unconfigured": sorted(set(categories) - set(store.categories)),
            "projects": {
                name: p.finished_at.isoformat() if p.finished_at else None
                for name, p in store.ledger.projects(namespace).items()
            },
            "waiting": store.plans.waiting(namespace, store.now()),
            "outbox": store.outbox.depth(),
            "embedder": store.embedder.key,
            "index": store.index.name,
            "data_dir": str(store.places.data_dir),
            "ledger_bytes": file.stat().st_size if file and file.exists() else None,
            "config": str(store.places.config_file),
            "repairs": list(self._indexer.repairs),
        }

    def doctor(self) -> list[Check]:
        """Every check, the well ones too."""
        return [
            self._integrity(),
            self._space(),
            self._rights(),
            self._index(),
            self._outbox(),
            self._tiers(),
            self._categories(),
            self._runs(),
        ]

    def _integrity(self) -> Check:
        problems = self._store.ledger.integrity()
        fix = "restore a backup of the ledger; nothing was changed" if problems else ""
        return Check("ledger", not problems, "; ".join(problems) or "sound", fix)

    def _space(self) -> Check:
        free = shutil.disk_usage(self._store.places.data_dir).free // 2**20
        least = self._store.settings.store.min_free_mb
        return Check("disk", free >= least, f"{free} MB free", "" if free >= least else "free some space")

    def _rights(self) -> Check:
        folder = self._store.places.data_dir
        mode = folder.stat().st_mode & 0o077 if os.name == "posix" else 0
        fix = "" if not mode else f"chmod go-rwx {folder}"
        return Check("privacy", not mode, "only you can read it" if not mode else "other users can read it", fix)

    def _index(self) -> Check:
        try:
            wrong = self._indexer.verify()
        except HmfError as error:
            return Check("index", False, error.what, "hmf reindex")
        repaired = "; ".join(self._indexer.repairs)
        return Check(
            "index", not wrong, "; ".join(wrong) or repaired or "as the ledger says", "hmf reindex" if wrong else ""
        )

    def _outbox(self) -> Check:
        self._indexer.sync()
        waiting = len(self._store.outbox.after(self._indexer.applied))
        return Check("outbox", not waiting, f"{waiting} waiting", "hmf reindex" if waiting else "")

    def _tiers(self) -> Check:
        """Every summary stands on something: a source that is there, or one that a policy let go."""
        wrong: list[str] = []
        ledger = self._store.ledger
        for namespace in ledger.namespaces():
            for memory in ledger.stream(Wanted(namespace, tiers=(Tier.SUMMARY,))):
                sources = memory.summary_of
                if sources and not ledger.get(sources, namespace) and not ledger.let_go(sources, namespace):
                    wrong.append(f"summary {memory.id} has no source left")
        return Check("links", not wrong, "; ".join(wrong[:5]) or "sound", "hmf forget those summaries" if wrong else "")

    def _categories(self) -> Check:
        known = set(self._store.categories)
        lost: Counter[str] = Counter()
        for row in self._store.ledger.tally():
            if row["category"] not in known and row["state"] == State.LIVE:
                lost[row["category"]] += row["n"]
        said = ", ".join(f"{name} ({n})" for name, n in sorted(lost.items()))
        fix = "put the category back in the configuration, or move them: hmf list --category NAME, hmf move ID CATEGORY"
        return Check(
            "categories",
            not lost,
            f"still found, not configured: {said}" if lost else "all configured",
            fix if lost else "",
        )

    def _runs(self) -> Check:
        latest: dict[str, Mapping[str, Any]] = {}
        for run in self._store.runs.recent(limit=200):
            latest.setdefault(run["job"], run)
        bad = [f"{job}: {run['outcome']} ({run['error']})" for job, run in latest.items() if run["outcome"] == "failed"]
        return Check(
            "jobs", not bad, "; ".join(bad) or "no failure", "hmf jobs list, then hmf jobs run JOB" if bad else ""
        )
