"""A commission in the simulated year: its attributes told and changed, its bans, progress, remarks, decisions, end."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from bench.year_note import Order, Told
from bench.year_stories import Stories
from bench.year_words import said, wordings

_CLIENT = ("client-projects",)


@dataclass
class Commission:
    """One piece of work for one client, from its opening to its end."""

    stories: Stories
    opening: datetime
    language: str
    mine: list[Told] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Draw the client, the piece, how often the project is named with a note, and the end."""
        w = self.stories.words
        self.words = wordings(self.language)
        self.client = w.client(self.language)
        self.piece = f"{w.one(self.words['formats'])} {self.words['on']} {w.topic(self.language)}"
        self.fill = {"client": self.client, "piece": self.piece}
        self.name = f"{self.client}: {self.piece.split(' ', 1)[1]}"
        self.habit = 0.85 if w.chance(0.7) else 0.2
        self.close = self.stories.hour(self.opening, 28, 45)

    def write(self) -> None:
        """Tell all of it."""
        w = self.stories.words
        for attribute in w.random.sample(sorted(self.words["attributes"]), w.random.randint(6, 9)):
            self._attribute(attribute)
        for ban in w.random.sample(self.words["bans"]["values"], w.random.randint(1, 3)):
            self._ban(ban)
        self._progress()
        self._remarks()
        self._end()

    def _tell(
        self,
        at: datetime,
        template: str,
        attribute: str,
        value: str,
        details: tuple[str, ...] | None = None,
        kind: str | None = None,
        **fill: str,
    ) -> Told | None:
        """One note, with the project, the category and the kind named as often as she does."""
        w, fields = self.stories.words, dict[str, Any]()
        if w.chance(self.habit):
            fields["project"] = self.name
        if w.chance(0.25):
            fields["category"] = _CLIENT[0]
        if kind and w.chance(0.5):
            fields["kind"] = kind
        told = self.stories.tell(
            at,
            said(template, **{"v": value, **self.fill, **fill}),
            self.language,
            _CLIENT,
            (self.piece, attribute),
            value=value,
            details=(value, self.client) if details is None else details,
            fields=fields,
        )
        self.mine += [told] if told else []
        return told

    def _attribute(self, attribute: str) -> None:
        """One attribute: told, said again, changed once or twice in other words."""
        w, words = self.stories.words, self.words["attributes"][attribute]
        at, values, holding = self.stories.hour(self.opening, 0, 4), list[str](), list[Told]()
        changes = 2 if w.chance(0.12) else 1 if w.chance(0.45) else 0
        for turn in range(changes + 1):
            value = w.other(attribute, self.language, at.date(), values)
            template = w.one(words["change" if turn else "first"])
            told = self._tell(at, template, attribute, value, old=values[-1] if values else "")
            if told is None:
                break
            for earlier in holding:
                earlier.stale.append((told.at, None))
            if holding and w.chance(0.1):
                told.replaces = holding[0].key
            holding, values = [told], [*values, value]
            if w.chance(0.3):
                again = self._tell(self.stories.hour(at, 1, 5), w.one(words["again"]), attribute, value)
                holding += [again] if again else []
            left = (self.close - at).days / 2.5
            at = self.stories.hour(max(one.at for one in holding), 4, max(4.0, left))
        self.stories.asks[(self.piece, attribute)] = (words["ask"], words["past"], self.fill)

    def _ban(self, ban: str) -> None:
        w, words = self.stories.words, self.words["bans"]
        at, attribute, details = self.stories.hour(self.opening, 0, 9), f"ban {ban}", (ban, self.client)
        first = self._tell(at, w.one(words["first"]), attribute, ban, details, "constraint")
        self.stories.asks[(self.piece, attribute)] = (words["ask"], [], {**self.fill, "v": ban})
        if first and w.chance(0.25):
            lift = self._tell(
                self.stories.hour(at, 6, 15), w.one(words["lifted"]), attribute, f"{ban} allowed", details, v=ban
            )
            first.stale += [(lift.at, None)] if lift else []

    def _progress(self) -> None:
        w, at, last = self.stories.words, self.stories.hour(self.opening, 1, 4), None
        for number, step in enumerate(self.words["status"]["steps"]):
            told = self._tell(at, w.one(step), "status", f"step {number}", (self.piece,))
            if told and last:
                last.stale.append((told.at, None))
            last = told
            at = self.stories.hour(at, 2, max(2.0, (self.close - self.opening).days / 3.2))
        self.stories.asks[(self.piece, "status")] = (self.words["status"]["ask"], [], self.fill)

    def _remarks(self) -> None:
        w, words = self.stories.words, self.words
        length = (self.close - self.opening).days
        for template in w.random.sample(words["feedback"], w.random.randint(4, 8)):
            extra = self._extra()
            kept = tuple(value for name, value in extra.items() if "{" + name + "}" in template)
            at = self.stories.hour(self.opening, 2, length)
            self._tell(at, template, f"remark {extra['code']}", extra["code"], kept, **extra)
        for template in w.random.sample(words["decisions"], w.random.randint(1, 2)):
            extra = self._extra()
            kept = tuple(value for name, value in extra.items() if "{" + name + "}" in template)
            at = self.stories.hour(self.opening, 3, 15)
            self._tell(at, template, f"decision {extra['code']}", template[:20], kept, "decision", **extra)

    def _extra(self) -> dict[str, str]:
        w = self.stories.words
        return {"detail": w.one(self.words["details"]), "name": w.name(self.language), "code": w.code()}

    def _end(self) -> None:
        """The project ends once all is told; one in ten is opened again before its details go."""
        w, stories = self.stories.words, self.stories
        done = max([self.close, *(one.at for one in self.mine)]) + timedelta(hours=2)
        named = any("project" in one.fields for one in self.mine)
        if done >= stories.end or not w.chance(0.8) or not named:
            return
        stories.orders.append(Order(done, "finish", self.name))
        again = stories.hour(done, 8, 15) if w.chance(0.1) else None
        if again and again < stories.end:
            stories.orders.append(Order(again, "reopen", self.name))
        for one in self.mine:
            one.free = (done, again)
