"""What is asked once a month: of HMF and of a flat store that holds the very same notes; and what is still there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np

from bench.flat import METHODS, Flat
from bench.measures import mean
from bench.year_note import Asked, Told
from bench.year_play import Player
from bench.year_words import bare
from hmf.memory import Memory, State
from hmf.policy.packing import Hit

DEPTH = 5
SILENT = frozenset({"unknown"})
NOT_COUNTED = frozenset({"history"})
"""A question on the past asks for what does not hold any more."""


@dataclass
class Score:
    """How one store answered: hits among the first five, the outdated ones, and questions answered right, by kind."""

    hits: int = 0
    stale: int = 0
    right: dict[str, list[float]] = field(default_factory=dict)

    def count(self, kind: str, hits: int, stale: int, right: bool) -> None:
        """Add one question."""
        if kind not in NOT_COUNTED:
            self.hits, self.stale = self.hits + hits, self.stale + stale
        self.right.setdefault(kind, []).append(float(right))

    @property
    def stale_share(self) -> float:
        """Share of all hits that were superseded, refuted, done or abandoned."""
        return self.stale / self.hits if self.hits else 0.0

    def answered(self, kinds: Iterable[str] | None = None) -> float:
        """Share of questions answered right; by default of those that have an answer."""
        chosen = set(self.right) - SILENT if kinds is None else set(kinds)
        return mean([one for kind in sorted(chosen) for one in self.right.get(kind, [])])


@dataclass
class Month:
    """One probe."""

    at: datetime
    tiers: dict[str, int]
    hmf: Score
    flat: Score
    lost: list[tuple[str, str]]
    seen: list[tuple[str, str, str]]
    """Outdated hits of HMF: question, text, flags."""
    missed: list[tuple[str, str, str]]
    """Questions that HMF did not answer: kind, question, what was looked for."""
    waiting: int


class Prober:
    """Asks at the end of each month."""

    def __init__(self, player: Player, questions: int = 150) -> None:
        """`questions`: about how many each time."""
        self._player, self._wanted = player, questions
        self._vectors: dict[str, Any] = {}
        self.months: list[Month] = []

    def __call__(self, moment: datetime) -> None:
        """Ask everything, and look for every detail."""
        player, memory, now = self._player, self._player.memory, self._player.clock.moment
        asked = player.world.questions(moment, self._wanted)
        hmf, flat, seen, missed = Score(), Score(), [], []
        store = self._flat(now)
        for one in asked:
            pack = memory.search(one.text, k=DEPTH)
            outdated = [hit for hit in pack.hits if self._outdated(hit.memory, now)]
            right = pack.abstained if not one.gold else any(self._answers(hit, one) for hit in pack.hits)
            hmf.count(one.kind, len(pack.hits), len(outdated), right)
            if one.kind not in NOT_COUNTED:
                seen += [(one.text, hit.memory.text, "; ".join(flag.code for flag in hit.flags)) for hit in outdated]
            if not right:
                missed.append((one.kind, one.text, self._wanted_text(one)))
            keys = self._ranked(store, one)
            past = sum(self._told(key).is_stale(now) for key in keys)
            flat.count(one.kind, len(keys), past, bool(one.gold.intersection(keys)) if one.gold else not keys)
        self.months.append(
            Month(
                now,
                _tiers(memory.memories(limit=None)),
                hmf,
                flat,
                self.lost(),
                seen,
                missed,
                sum(len(filed.undecided) for filed in memory.plans()),
            )
        )

    def lost(self) -> list[tuple[str, str]]:
        """Notes whose details stand together in no memory any more, in any tier, though nobody asked for that."""
        played, everything = self._player.played, self._player.memory.memories(limit=None)
        here = {one.id: one for one in everything}
        whole = [bare(f"{one.title or ''} {one.project or ''} {one.text}") for one in everything]
        lost = []
        for one in self._all_told():
            row = here.get(played.ids[one.key])
            if row is not None or not one.details or one.asked:
                continue
            wanted = [bare(word) for word in one.details]
            if not any(all(word in text for word in wanted) for text in whole):
                lost.append((one.text, ", ".join(one.details)))
        return lost

    def searched(self, sample: int) -> tuple[int, int, list[str]]:
        """Of a sample of notes with details, how many have them among the first ten answers when searched for in
        every tier, history included; how many were looked for; and the texts not found."""
        kept = [one for one in self._all_told() if one.details and not one.asked]
        step, missing, found = max(1, len(kept) // sample), [], 0
        for one in kept[::step]:
            query = " ".join(one.details)
            hits = self._player.memory.search(query, k=10, archive=True, history=True).hits
            wanted = [bare(word) for word in one.details]
            texts = [bare(f"{h.memory.title or ''} {h.memory.project or ''} {h.memory.text}") for h in hits]
            if any(all(word in text for word in wanted) for text in texts):
                found += 1
            else:
                missing.append(one.text)
        return found, found + len(missing), missing

    def _all_told(self) -> list[Told]:
        return [one for many in self._player.played.told.values() for one in many]

    def _outdated(self, memory: Memory, now: datetime) -> bool:
        """A note that does not hold now, or a summary that still says one. A repeat holds for all who told it."""
        told = self._player.played.told
        if memory.summary_of:
            sources = [one for i in memory.summary_of for one in told.get(i, ())]
            return any(one.is_stale(now) and one.text in memory.text for one in sources)
        mine = told.get(memory.id, [])
        return bool(mine) and all(one.is_stale(now) for one in mine)

    def _answers(self, hit: Hit, one: Asked) -> bool:
        played = self._player.played
        golds = {played.ids[key]: key for key in one.gold if key in played.ids}
        if hit.memory.id in golds:
            return True
        quoted = golds.keys() & set(hit.memory.summary_of)
        text = bare(hit.memory.text)
        return any(all(bare(word) in text for word in self._told(golds[i]).details) for i in quoted)

    def _told(self, key: str) -> Told:
        return self._by_key[key]

    def _wanted_text(self, one: Asked) -> str:
        return " / ".join(self._told(key).text for key in sorted(one.gold))

    def _flat(self, now: datetime) -> Flat:
        """All that was told up to now, whatever became of it, but what the writer ordered to be forgotten."""
        self._by_key = {one.key: one for one in self._player.world.notes}
        held = [one for one in self._all_told() if not (one.asked and one.may_go(now))]
        fresh = [one for one in held if one.key not in self._vectors]
        store = self._player.memory.store
        vectors = store.embedder.documents([one.text for one in fresh]) if fresh else []
        self._vectors.update({one.key: [row] for one, row in zip(fresh, vectors, strict=True)})
        once = {one.text: one for one in held}.values()  # a flat store too keeps a text once
        texts = {one.key: one.text for one in once}
        languages = {one.key: one.language for one in once}
        chosen = {key: self._vectors[key] for key in texts}
        return Flat(texts, chosen, languages, store.embedder.calibration.weight)

    def _ranked(self, store: Flat, one: Asked) -> list[str]:
        vector = np.asarray(self._player.memory.store.embedder.queries([one.text])[0], np.float32)
        return store.rankings(one.text, vector, DEPTH, one.language)[METHODS[-1]]


def unexplained(player: Player) -> list[str]:
    """Memories that are hidden or gone with no line in the journal that says why."""
    memory, played = player.memory, player.played
    there = memory.store.ledger.get(list(played.told))
    bad = []
    for memory_id in played.told:
        row = there.get(memory_id)
        if row is not None and row.state is State.LIVE:
            continue
        entries = memory.history(memory_id)
        ordered = any(one.asked for one in played.told[memory_id])
        said = any(entry.verb in ("forget", "erase") and (entry.reason or ordered) for entry in entries)
        if not said:
            bad.append(memory_id)
    return bad


def _tiers(everything: Sequence[Memory]) -> dict[str, int]:
    """Live memories by tier; retired ones apart."""
    return dict(
        Counter("retired" if not one.current and one.tier != "archive" else str(one.tier) for one in everything)
    )
