"""What a simulated year collects while its stories are written: notes, orders, and the questions one may ask."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from bench.year_note import Order, Told
from bench.year_words import Words, bare


@dataclass
class Stories:
    """All that is told and ordered between `start` and `end`, in no order yet."""

    words: Words
    start: datetime
    end: datetime
    told: list[Told] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    asks: dict[tuple[str, str], tuple[list[str], list[str], dict[str, str]]] = field(default_factory=dict)
    """By what it is about: questions on the present, questions on the past, and what fills them."""

    def tell(
        self, at: datetime, text: str, language: str, drawers: tuple[str, ...], about: tuple[str, str], **more: Any
    ) -> Told | None:
        """Add a note unless it lies after the end. Of its details, those that its text holds are kept."""
        if at >= self.end:
            return None
        said = bare(text)
        details = tuple(word for word in more.pop("details", ()) if bare(word) in said)
        told = Told(f"n{len(self.told):05}", at, text, language, drawers, about, details=details, **more)
        self.told.append(told)
        return told

    def hour(self, day: datetime, after: float = 0.0, spread: float = 0.0) -> datetime:
        """A working moment `after` to `after + spread` days later."""
        moment = day + timedelta(days=after + self.words.random.random() * spread)
        draw = self.words.random
        moment = moment.replace(hour=draw.randint(8, 20), minute=draw.randint(0, 59), second=draw.randint(0, 59))
        return max(moment, day + timedelta(minutes=draw.randint(1, 90)))
