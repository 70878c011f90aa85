"""The review one by one: a proposal is shown, a letter answers it, and the answer is done before the next is shown."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from hmf.cli import output, proposals
from hmf.cli.output import Json
from hmf.cli.phrases_review import KEYS
from hmf.cli.render import short_id, short_ids
from hmf.cli.session import Session
from hmf.errors import HmfError

_SINGLE = frozenset({"edit", "merge"})
"""Answers that are about one memory, and never given to a whole group."""

_USUAL = "1w"
_NEAR = 3


class Asking:
    """One review at a terminal."""

    def __init__(self, session: Session, plans: Sequence[Json], notes: Sequence[Json]) -> None:
        """Ask about these plans; `notes` are shown at the beginning."""
        self._session = session
        self._screen = session.screen
        self._plans = plans
        self._notes = notes
        self._letters = KEYS[session.screen.tongue]

    def run(self) -> None:
        """Ask until all is answered, or `quit`."""
        groups = [batch for plan in self._plans for batch in proposals.batches(plan)]
        total = sum(len(batch.units) for batch in groups)
        if self._notes:
            output.stderr().print(proposals.noticed(self._screen, self._notes))
        number, warned = 0, set[str]()
        for batch in groups:
            if batch.plan["id"] not in warned:
                warned.add(batch.plan["id"])
                output.warn(proposals.stops(self._screen, batch.plan))
            output.stderr().print(proposals.heading(self._screen, batch))
            for done, going_on in self._group(batch, number, total):
                number += done
                if not going_on:
                    return

    def _group(self, batch: proposals.Batch, number: int, total: int) -> Iterator[tuple[int, bool]]:
        """(how many were dealt with, whether to go on) after each answer of a group."""
        units = batch.units
        while units:
            unit = self._with_neighbours(units[0])
            output.stderr().print(proposals.unit(self._screen, unit, number + 1, total))
            letter = self._letter()
            if letter.lower() == "q":
                yield 0, False
                return
            answer = self._letters[letter.lower()]
            going = units if letter.isupper() and answer not in _SINGLE else [unit]
            if not self._answered(batch, answer, going):
                continue  # it was not done, and that was said: the same is asked again
            units = units[len(going) :]
            number += len(going)
            yield len(going), True

    def _with_neighbours(self, unit: list[Json]) -> list[Json]:
        ids = [row["id"] for action in unit for row in action["memories"]][:8]
        found = self._session.call("neighbours", ids=ids, k=_NEAR)["neighbours"] if ids else {}
        own = set(ids)
        return [
            {
                **action,
                "memories": [
                    {**row, "neighbours": [n for n in found.get(row["id"], []) if n["memory"]["id"] not in own]}
                    for row in action["memories"]
                ],
            }
            for action in unit
        ]

    def _letter(self) -> str:
        while True:
            letter = output.ask(self._screen.say("prompt"))
            if letter.lower() == "q" or letter.lower() in self._letters:
                return letter
            output.note(self._screen.say("keys"), "dim")

    def _answered(self, batch: proposals.Batch, answer: str, units: Sequence[list[Json]]) -> bool:
        """Carry an answer out. False when it was given up or could not be done: the proposal goes on waiting."""
        if answer == "undecided":
            return True
        actions = [action for unit in units for action in unit]
        keys, more = [action["key"] for action in actions], {}
        try:
            if answer == "postpone":
                more = {"until": output.ask(f"{self._screen.say('ask-until')} [{_USUAL}]") or _USUAL}
            elif answer == "merge":
                more = {"into": self._into(actions)}
            elif answer == "edit":
                memory = self._which(actions)
                new = self._reworded(memory["text"]) if memory else None
                if memory is None or new is None or new.strip() == memory["text"].strip():
                    return False
                keys, more = [memory["id"]], {"text": new}
            elif answer == "forget" and [action["verb"] for action in actions] == ["merge"]:
                memory = self._which(actions)  # of two that say the same, one is to go: with both the matter is lost
                if memory is None:
                    return False
                keys = [memory["id"]]
            # Each was looked at: in this way a person may empty a category.
            told = {"keys": keys, "answer": answer, "plan": batch.plan["id"], "force": True, **more}
            done = self._session.call("decide", **told)["decided"]
        except HmfError as error:
            output.failed(error)
            return False
        self._tell(done, more)
        return True

    def _tell(self, done: Sequence[Json], more: Json) -> None:
        for one in done:
            if one["decided"]:
                what = self._screen.say(f"done-{one['answer']}", until=more.get("until", ""))
                if one["batch"]:
                    what = self._screen.say("undo-with", what=what, batch=short_id(one["batch"]))
                output.note(f"  → {what}", "dim")
            skipped = one["skipped"]
            output.warn(
                [
                    self._screen.say("not-done", key=each["action"], why=short_ids(self._screen.told(each["why"])))
                    for each in skipped
                ]
            )

    def _which(self, actions: Sequence[Json]) -> Json | None:
        """The memory that is meant; None when there is none, or none was named."""
        rows: list[Json] = [row for action in actions for row in action["memories"]]
        if len(rows) == 1:
            return rows[0]
        for n, row in enumerate(rows, 1):
            output.note(f"  [{n}] {short_id(row['id'])}", "dim")
        said = output.ask(self._screen.say("ask-which"))
        numbered = int(said) - 1 if said.isdigit() and len(said) < 4 else -1
        fit = [row for n, row in enumerate(rows) if n == numbered or (len(said) > 5 and row["id"].endswith(said))]
        return fit[0] if fit else None

    def _into(self, actions: Sequence[Json]) -> str:
        near = proposals.neighbours(actions)
        said = output.ask(self._screen.say("ask-into"))
        number = int(said) - 1 if said.isdigit() and len(said) < 4 else -1
        into: str = near[number]["id"] if 0 <= number < len(near) else said
        return into

    def _reworded(self, text: str) -> str | None:
        """The text as the user's editor leaves it; one line of answer where no editor is set. None: leave it."""
        editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
        if not editor:
            return output.ask(self._screen.say("ask-text")) or None
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "memory.txt"
            file.write_text(text, encoding="utf-8")
            try:
                ended = subprocess.run([*shlex.split(editor), str(file)], check=False).returncode  # noqa: S603
            except OSError:
                ended = 1
            if ended == 0:
                return file.read_text(encoding="utf-8").rstrip("\n") or None
        output.note(self._screen.say("no-editor", editor=editor), "yellow")
        return None
