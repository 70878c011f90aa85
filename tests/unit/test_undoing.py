"""Undoing by time and by memory: that moment is back, that change and no other is taken back, what stays is said."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hmf import Hmf
from hmf.errors import HmfError, InvalidInput, NotFound, Refused
from hmf.memory import Memory, State, Status, Tier
from hmf.policy.sentences import say
from hmf.reason import Reason
from hmf.service.operations import Operations
from hmf.service.times import beginning, ending
from tests.service import Clock, open_memory
from tests.unit.test_curating import everything, fill

PARIS = ZoneInfo("Europe/Paris")


def forget(hmf: Hmf, rng: Any, number: int) -> None:
    rows = hmf.memories(limit=None)
    hmf.forget([m.id for m in rng.sample(rows, min(2, len(rows)))])


def some(hmf: Hmf, rng: Any) -> Memory:
    return rng.choice(hmf.memories(limit=None))  # type: ignore[no-any-return]


def standing(hmf: Hmf) -> list[str]:
    return [row["id"] for row in hmf.log(limit=None) if row["undone_by"] is None]


DEEDS: dict[str, Callable[[Hmf, Any, int], object]] = {
    "add": lambda hmf, rng, n: hmf.add(f"Added as number {n}, on lanterns.", category="tasks", kind="note"),
    "forget": forget,
    "move": lambda hmf, rng, n: hmf.move(some(hmf, rng).id, rng.choice(["tasks", "research-notes"])),
    "pin": lambda hmf, rng, n: hmf.pin(some(hmf, rng).id, rng.random() < 0.5),
    "revise": lambda hmf, rng, n: hmf.revise(some(hmf, rng).id, f"Revised as number {n}, on lanterns."),
    "supersede": lambda hmf, rng, n: hmf.add(f"In its place, {n}.", kind="note", supersedes=some(hmf, rng).id),
    "night": lambda hmf, rng, n: hmf.apply(hmf.plan(rng.choice(["archive", "summarise", "expire", "review"]))),
    "reopen": lambda hmf, rng, n: hmf.project("Lumen").reopen(),
    "undo": lambda hmf, rng, n: hmf.undo(standing(hmf)[0]),
    "undo-any": lambda hmf, rng, n: hmf.undo(rng.choice(standing(hmf))),
    "undo-one": lambda hmf, rng, n: hmf.undo_memory(some(hmf, rng).id),
}


def act(hmf: Hmf, deed: str, rng: Any, number: int) -> None:
    """One change; one that cannot be made is not."""
    with suppress(HmfError):
        DEEDS[deed](hmf, rng, number)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from(sorted(DEEDS)), max_size=3),
    st.lists(st.sampled_from(sorted(DEEDS)), min_size=1, max_size=7),
    st.integers(0, 2**32),
)
def test_undoing_since_a_moment_brings_that_moment_back(
    tmp_path_factory: pytest.TempPathFactory, first: list[str], then: list[str], seed: int
) -> None:
    clock, rng = Clock(), random.Random(seed)  # of its own: ids are not the same twice, and so neither are choices
    with open_memory(tmp_path_factory.mktemp("h"), clock) as hmf:
        fill(hmf, clock, ideas=3)
        for number, deed in enumerate(first):
            clock.forward(minutes=1)
            act(hmf, deed, rng, number)
        before = everything(hmf)
        clock.forward(minutes=1)
        since = clock.moment
        for number, deed in enumerate(then, 100):
            act(hmf, deed, rng, number)
            clock.forward(minutes=1)
        if hmf.undoer.since(since, "default"):
            done = hmf.undo_since(since)
            assert done.left == ()
            assert [d.skipped for _, d in done.done if d.skipped] == []
        assert everything(hmf) == before
        assert hmf.undoer.since(since, "default") == []
        assert all(check.well for check in hmf.doctor())


def test_one_batch_that_cannot_be_taken_back_does_not_stop_the_others(hmf: Hmf, clock: Clock) -> None:
    one = hmf.add("The first note, on quartz.").id
    clock.forward(hours=1)
    since = clock.moment
    two = hmf.add("The second note, on basalt.").id
    gone = hmf.add("To be erased, on granite.").id
    hmf.erase(gone)
    hmf.pin(one)
    done = hmf.undo_since(since)
    assert done.partial
    assert "cannot come back" in say(done.left[0][1], "en")
    assert not hmf.get(one).pinned
    with pytest.raises(NotFound):
        hmf.get(two)


def test_only_what_was_shown_is_taken_back(hmf: Hmf, clock: Clock) -> None:
    one = hmf.add("A note on quartz.").id
    clock.forward(hours=1)
    since = clock.moment
    hmf.pin(one)
    shown = [row["id"] for row in hmf.undoer.since(since, "default")]
    hmf.move(one, "tasks")
    assert hmf.undo_since(since, only=shown).partial
    assert (hmf.get(one).category, hmf.get(one).pinned) == ("tasks", True)
    assert hmf.undo_since(since).done
    with pytest.raises(NotFound):
        hmf.undo_since(clock.moment.replace(year=2030))
    for wrong in ("soon", "", None):
        with pytest.raises(InvalidInput):
            hmf.undo_since(wrong)


def test_the_last_change_of_a_memory_goes_back_step_by_step(hmf: Hmf) -> None:
    one = hmf.add("A note on quartz.", category="tasks").id
    two = hmf.add("A note on slate.", category="tasks").id
    first = hmf.get(one)
    hmf.revise(one, "A note on basalt.")
    done = hmf.forget([one, two])
    assert hmf.undo_memory(one).changed == (one,)
    assert hmf.get(one).text == "A note on basalt."
    assert hmf.get(two).state is State.FORGOTTEN
    hmf.undo_memory(one)
    assert hmf.get(one) == first
    whole = hmf.undo(done.id)
    assert (whole.changed, [i for i, _ in whole.skipped]) == ((two,), [one])
    hmf.undo_memory(one)
    with pytest.raises(NotFound):
        hmf.undo_memory(one)


def test_what_it_replaced_comes_back_with_it_and_never_alone(hmf: Hmf) -> None:
    old = hmf.add("The fee is 80 euros.", category="tasks").id
    new = hmf.add("The fee is 90 euros.", category="tasks", supersedes=old).id
    alone = hmf.undo_memory(old)
    assert (alone.changed, alone.skipped) == ((), ((old, Reason("replacement_stays")),))
    assert hmf.get(old).status is Status.SUPERSEDED
    assert set(hmf.undo_memory(new).changed) == {old, new}
    assert hmf.get(old).status is Status.CONFIRMED


def test_one_of_a_night_comes_back_and_the_others_stay(hmf: Hmf, clock: Clock) -> None:
    ids = [hmf.add(f"Idea: a piece on {word}.", category="article-ideas").id for word in ("tides", "salt", "lamps")]
    clock.forward(days=70)
    hmf.apply(hmf.plan("archive"))
    assert hmf.undo_memory(ids[1]).changed == (ids[1],)
    assert [hmf.get(i).tier for i in ids] == [Tier.ARCHIVE, Tier.DETAIL, Tier.ARCHIVE]


def test_what_one_summary_holds_together_goes_back_together(hmf: Hmf, clock: Clock) -> None:
    fill(hmf, clock)
    before = everything(hmf)
    hmf.apply(hmf.plan("summarise"))
    [summary] = [m for m in hmf.memories(tier="summary", limit=None) if m.project == "Lumen"]
    source = summary.summary_of[0]
    assert set(hmf.undo_memory(source).changed) == {summary.id, *summary.summary_of}
    assert everything(hmf)[0][source] == before[0][source]
    hmf.apply(hmf.plan("summarise"))
    gone = hmf.forget(source)
    assert hmf.undo_memory(source).changed
    assert all(check.well for check in hmf.doctor())
    assert gone.notes


def test_the_newest_is_by_the_journal_and_not_by_the_clock(hmf: Hmf, clock: Clock) -> None:
    one = hmf.add("A note on quartz.").id
    clock.forward(days=-2)
    hmf.pin(one)
    done = Operations(hmf).undo()
    assert done["verb"] == "undo"
    assert not hmf.get(one).pinned
    hmf.erase(one)
    with pytest.raises(Refused):
        Operations(hmf).undo()


NOW = datetime(2026, 11, 30, 14, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("2026-11-29 18:00", "2026-11-29 18:00", "2026-11-29 18:00"),
        ("2026-11-29", "2026-11-29 00:00", "2026-11-29 23:59"),
        ("yesterday", "2026-11-29 00:00", "2026-11-29 23:59"),
        ("hier", "2026-11-29 00:00", "2026-11-29 23:59"),
        ("il y a 3 jours", "2026-11-27 00:00", "2026-11-27 23:59"),
        ("last week", "2026-11-23 00:00", "2026-11-29 23:59"),
        ("hier 18h", "2026-11-29 18:00", "2026-11-29 18:00"),
        ("hier à 18h30", "2026-11-29 18:30", "2026-11-29 18:30"),
        ("yesterday at 9:05", "2026-11-29 09:05", "2026-11-29 09:05"),
        ("09:30", "2026-11-30 09:30", "2026-11-30 09:30"),
    ],
)
def test_times_are_read_as_people_say_them(said: str, first: str, last: str) -> None:
    how: dict[str, Any] = {"now": NOW, "zone": PARIS, "language": "fr"}
    read = [beginning(said, "since", **how), ending(said, "until", **how)]
    assert [at.astimezone(PARIS).strftime("%Y-%m-%d %H:%M") for at in read if at] == [first, last]


@pytest.mark.parametrize("said", ["soon", "the quartz of yesterday", "25:00", "last week 18:00", "12", "x" * 500, " "])
def test_what_is_no_time_is_refused(said: str) -> None:
    for read in (beginning, ending):
        with pytest.raises(InvalidInput):
            read(said, "since", now=NOW, zone=PARIS, language="en")


def test_what_changed_since_lets_go_of_a_summary_that_is_undone(hmf: Hmf) -> None:
    subjects = ["granite", "quartz", "basalt", "chalk"]
    notes = [
        hmf.add(f"Lumen asks for part {n}, about {s}.", project="Lumen", category="client-projects").id
        for n, s in enumerate(subjects)
    ]
    done = hmf.apply(hmf.plan("summarise"))
    hmf.revise(notes[0], "Lumen asks for part 0, about slate now.")
    undone = hmf.undo(str(done.id))
    assert [one for one, _ in undone.skipped] == [notes[0]]
    assert hmf.get(notes[0]).text == "Lumen asks for part 0, about slate now."
    assert [hmf.get(one).summarised_in for one in notes] == [None] * 4


def test_what_changed_since_is_current_again_when_its_replacement_is_undone(hmf: Hmf) -> None:
    old = hmf.add("The cover is granite.").id
    new = hmf.add("The cover is slate.", supersedes=[old]).id
    hmf.pin(old)
    hmf.undo(hmf.history(new)[0].batch_id)
    assert hmf.get(old).current
    assert hmf.get(old).pinned
