"""A writer's year: thousands of notes in French and English with what is true of each, and questions about them.

Seeded: equal seeds, days and sizes give equal years. Written as a person would write; nothing here knows HMF's rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count

from bench import year_threads as threads
from bench.year_note import Asked, Order, Told
from bench.year_projects import Commission
from bench.year_stories import Stories
from bench.year_words import Words, said, wordings

_LANGUAGES = ("fr", "en")
_TYPICAL = 5800
"""Notes that the numbers of stories below make over 365 days."""

_STORIES = {
    "project": 80,
    "idea": 200,
    "research": 520,
    "task": 260,
    "hypothesis": 80,
    "lesson": 80,
    "talk": 600,
    "session": 140,
}
_SHARES = {
    "current": 0.4,
    "status": 0.13,
    "idea": 0.1,
    "dropped idea": 0.07,
    "detail": 0.15,
    "history": 0.07,
    "unknown": 0.08,
}
_SMALL = {
    "idea": threads.idea,
    "research": threads.research,
    "task": threads.task,
    "hypothesis": threads.hypothesis,
    "lesson": threads.lesson,
    "talk": threads.talk,
}
_ATTRIBUTES_ASKED = frozenset({"preference", "count", "hypothesis", "task"})


class World:
    """All that is told, ordered and asked between `start` and `end`."""

    def __init__(self, start: datetime, days: int = 365, notes: int = _TYPICAL, seed: int = 7) -> None:
        """Write the year. `notes`: about how many."""
        self.start, self.end = start, start + timedelta(days=days)
        self._seed = seed
        self._words = Words(seed)
        self._stories = Stories(self._words, start, self.end)
        self._write(days, notes / _TYPICAL)
        self._repeat(max(1, round(80 * notes / _TYPICAL)))
        self._let_go(max(1, round(25 * notes / _TYPICAL)), max(1, round(15 * notes / _TYPICAL)))
        self.notes: Sequence[Told] = sorted(self._stories.told, key=lambda one: (one.at, one.key))
        self.orders: Sequence[Order] = sorted(self._stories.orders, key=lambda one: one.at)
        self._by_about: dict[tuple[str, str], list[Told]] = defaultdict(list)
        for one in self.notes:
            self._by_about[one.about].append(one)

    def questions(self, now: datetime, wanted: int = 150) -> list[Asked]:
        """What the writer asks at `now`: about `wanted` questions, the same for an equal moment."""
        words = Words(self._seed + now.toordinal())
        found: list[Asked] = []
        for kind, share in _SHARES.items():
            size = round(share * wanted)
            if kind == "unknown":
                found += [self._unknown(words, number) for number in range(size)]
                continue
            open_ = [(about, self._gold(about, kind, now)) for about in sorted(self._by_about) if _fits(about, kind)]
            asked = [(about, gold) for about, gold in open_ if gold]
            for about, gold in words.random.sample(asked, min(size, len(asked))):
                found.append(self._asked(words, kind, about, gold))
        return found

    def equal(self, one: Told, other: Told) -> bool:
        """Whether the two say the same of the same thing."""
        return one.about == other.about and one.value == other.value

    def _write(self, days: int, scale: float) -> None:
        number = count()
        for kind, size in _STORIES.items():
            for _ in range(max(1, round(size * scale))):
                language = self._words.one(_LANGUAGES)
                # A story that begins a month before the end is cut short by it, as the first ones by nothing.
                at = self._stories.hour(self.start, self._words.random.random() * max(1, days - 1))
                at = min(at, self.end - timedelta(hours=1))
                if kind == "session":
                    threads.session(self._stories, at, language, next(number))
                elif kind == "project":
                    Commission(self._stories, at, language).write()
                else:
                    _SMALL[kind](self._stories, at, language)
        for language in _LANGUAGES:
            for n, _ in enumerate(wordings(language)["preferences"]):
                threads.preference(self._stories, self._stories.hour(self.start, 0, 30), language, n)
            for n, group in enumerate(wordings(language)["volatile"]):
                for thing in group["things"]:
                    threads.volatile(self._stories, self._stories.hour(self.start, 0, 60), language, n, thing)

    def _repeat(self, size: int) -> None:
        """Some notes are said again word for word some days later, while they still hold."""
        lasting = [one for one in self._stories.told if one.details and not one.fields.get("session")]
        for one in self._words.random.sample(lasting, min(size, len(lasting))):
            at = self._stories.hour(one.at, 1, 20)
            if at < self.end and not one.may_go(at) and all(start > at for start, _ in one.stale):
                again = replace(one, key=f"{one.key}r", at=at, replaces=None)  # shares what is true of the first
                self._stories.told.append(again)

    def _let_go(self, forgets: int, erases: int) -> None:
        told = [one for one in self._stories.told if one.about[1] in ("figure", "quotation", "lesson")]
        repeated = {one.key[:-1] for one in told if one.key.endswith("r")}
        once = [one for one in told if one.key not in repeated and not one.key.endswith("r")]
        for number, one in enumerate(self._words.random.sample(once, min(forgets + erases, len(once)))):
            at = self._stories.hour(one.at, 3, 60)
            if at < self.end:
                self._stories.orders.append(Order(at, "forget" if number < forgets else "erase", one.key))
                one.asked, one.free = True, (at, None)
                one.stale.append((at, None))

    def _gold(self, about: tuple[str, str], kind: str, now: datetime) -> frozenset[str]:
        told = [one for one in self._by_about[about] if one.at <= now and not (one.asked and one.may_go(now))]
        if kind == "history":
            changed = {one.value for one in told if one.is_stale(now)}
            first = [one for one in told if told and one.value == told[0].value]
            return frozenset(one.key for one in first) if changed and told[0].is_stale(now) else frozenset()
        holding = [one for one in told if not one.is_stale(now)]
        if kind in ("current", "status") and any(one.free and one.free[0] <= now for one in holding):
            return frozenset()  # nobody asks for the fee of a finished piece; its details may be gone
        dropped = any(one.value == "dropped" for one in holding)
        if kind in ("idea", "dropped idea") and dropped is not (kind == "dropped idea"):
            return frozenset()
        return frozenset(one.key for one in holding)

    def _asked(self, words: Words, kind: str, about: tuple[str, str], gold: frozenset[str]) -> Asked:
        present, past, fill = self._stories.asks[about]
        text = said(words.one(past if kind == "history" else present), **fill)
        return Asked(text, self._by_about[about][0].language, kind, gold)

    def _unknown(self, words: Words, number: int) -> Asked:
        language = _LANGUAGES[number % 2]
        given = wordings(language)
        # People nobody ever told of: first names and last names of the other language's lists are all in use, so theirs
        # are turned around.
        name = (
            f"{words.one(given['last_names'])[::-1].capitalize()} {words.one(given['last_names'])[::-1].capitalize()}"
        )
        return Asked(words.one(given["unknown"]).format(name=name, odd=words.one(given["odd"])), language, "unknown")


def _fits(about: tuple[str, str], kind: str) -> bool:
    attribute = about[1]
    lasting = wordings("fr")["attributes"].keys()
    if kind == "current":
        return attribute in lasting or attribute in _ATTRIBUTES_ASKED or attribute.startswith("ban ")
    if kind == "status":
        return attribute == "status"
    if kind == "history":
        return attribute in lasting
    return attribute == "idea" if "idea" in kind else attribute in ("figure", "quotation")
