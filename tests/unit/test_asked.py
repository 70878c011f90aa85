"""What a question asks for, beyond its words, shows in the answer: a name, a kind, the present, the past, a subject's
people, what was going on. All on a real store."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from hmf import Hmf
from hmf.plan import Action, Plan, Reason, Target, Verb
from tests.service import Clock, open_memory

PARIS = ZoneInfo("Europe/Paris")


@pytest.fixture
def clock() -> Clock:
    return Clock(datetime(2026, 11, 2, 9, tzinfo=PARIS))


@pytest.fixture
def hmf(tmp_path: Path, clock: Clock) -> Iterator[Hmf]:
    with open_memory(tmp_path, clock) as opened:
        yield opened


def add(hmf: Hmf, text: str, **values: Any) -> str:
    return hmf.add(text, **values).id or ""


def found(hmf: Hmf, question: str, **values: Any) -> list[str]:
    return [hit.memory.id for hit in hmf.search(question, **values).hits]


def test_the_client_that_is_named_answers_first(hmf: Hmf):
    other = add(hmf, "Studio Corail : photos de chantier acceptées.")
    right = add(hmf, "Charte Vallombreuse : jamais de photo de chantier où l'on reconnaît quelqu'un, même de loin.")
    answer = found(hmf, "Une photo de chantier pour Vallombreuse ?")
    assert answer.index(right) == 0
    assert other in answer


def test_a_rule_is_answered_by_a_constraint_before_an_event(hmf: Hmf):
    event = add(hmf, "Footnotes for the Lindqvist essay were sent.", kind="event")
    rule = add(hmf, "Footnotes for the Lindqvist essay: two lines.", kind="constraint")
    assert found(hmf, "Am I allowed footnotes in the Lindqvist essay?")[0] == rule
    assert found(hmf, "Am I allowed footnotes in the Lindqvist essay?")[1] == event


def test_asked_how_it_stands_the_newer_of_two_comes_first(hmf: Hmf, clock: Clock):
    old = add(hmf, "Marbler barge: hull scraped.", kind="fact")
    clock.forward(days=12)
    new = add(hmf, "Marbler barge: hull painted.", kind="fact")
    clock.forward(days=1)
    assert found(hmf, "Where are we with the Marbler barge hull?") == [new, old]


def test_asked_how_it_was_the_replaced_one_comes_first_and_says_so(hmf: Hmf, clock: Clock):
    old = add(hmf, "The Marbler column appears on Mondays.", kind="decision")
    clock.forward(days=30)
    new = add(hmf, "The Marbler column appears on Fridays.", kind="decision", supersedes=old)
    clock.forward(days=1)
    assert found(hmf, "When does the Marbler column appear?") == [new]
    past = hmf.search("When did the Marbler column appear before the change?").hits
    assert [hit.memory.id for hit in past] == [old, new]
    assert past[0].flags[0].code == "superseded_on"


def test_a_question_about_the_past_opens_the_archive(hmf: Hmf, clock: Clock):
    kept = add(hmf, "Glass eels are back in the estuary.")
    gone = add(hmf, "Idea dropped: a series on glass eels, nobody would take it.")
    memory = hmf.get(gone)
    action = Action(Verb.ARCHIVE, (Target(gone, memory.revision),), Reason("stale"), memory.category)
    hmf.apply(Plan("archive", "default", clock(), (action,)))
    assert found(hmf, "What about glass eels?") == [kept]
    assert gone in found(hmf, "Why did I give up the series on glass eels?")
    assert gone not in found(hmf, "Why did I give up the series on glass eels?", archive=False)


def test_an_overview_brings_in_the_people_of_the_subject(hmf: Hmf):
    add(hmf, "Maison Tourmaline : l'interlocutrice est Bérénice Valcourt.")
    theirs = add(hmf, "Bérénice Valcourt souhaite un encadré sur les vernis.")
    foreign = add(hmf, "Octave Lemoine souhaite un encadré sur les vernis.")
    overview = found(hmf, "Fais le point sur Maison Tourmaline")
    assert theirs in overview
    assert foreign not in overview


@pytest.mark.parametrize("question", ["Où en étais-je hier ?", "What did I do yesterday, and what should I do first?"])
def test_a_question_without_a_subject_gets_what_lay_in_its_time(hmf: Hmf, clock: Clock, question: str):
    add(hmf, "Long before: oil the press.", kind="task")
    clock.forward(days=20)
    note = add(hmf, "The river was high.")
    task = add(hmf, "Half of chapter 6 is set in type; the rest waits for paper.", kind="task")
    clock.forward(days=1)
    assert found(hmf, question) == [task, note]


def test_without_a_time_it_looks_back_two_weeks_and_may_know_nothing(hmf: Hmf, clock: Clock):
    add(hmf, "Long before: oil the press.", kind="task")
    clock.forward(days=60)
    assert hmf.search("Where was I?").abstained
    task = add(hmf, "Chapter 6 waits for paper.", kind="task")
    assert found(hmf, "Where was I?") == [task]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Ottoline is away until 14 November.", "Is Ottoline away?"),
        ("Ottoline est absente jusqu'au 14 novembre.", "Ottoline est-elle absente ?"),
        ("Ottoline : en congé jusqu'au 14 novembre.", "Ottoline est-elle en congé ?"),
    ],
)
def test_a_passing_state_is_over_when_its_text_says_so(hmf: Hmf, clock: Clock, text: str, question: str):
    stored = add(hmf, text)
    assert hmf.get(stored).expires_at == datetime(2026, 11, 15, tzinfo=PARIS)
    assert found(hmf, question) == [stored]
    clock.moment = datetime(2026, 11, 14, 23, 59, tzinfo=PARIS)
    assert found(hmf, question) == [stored]
    clock.moment = datetime(2026, 11, 15, 0, 1, tzinfo=PARIS)
    assert hmf.search(question).abstained
    assert found(hmf, question, history=True) == [stored]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("The Ottoline prize takes entries until 14 November.", {}),
        ("Ottoline is away until 14 November.", {"volatile": False}),
        ("Ottoline worked there until 14 November 1911.", {}),
        ("Ottoline is away for good.", {}),
    ],
)
def test_what_lasts_or_was_does_not_expire_by_its_text(hmf: Hmf, text: str, values: dict[str, Any]):
    assert hmf.get(add(hmf, text, **values)).expires_at is None


def test_a_given_expiry_is_kept(hmf: Hmf):
    stored = add(hmf, "Ottoline is away until 14 November.", expires_at="2026-11-20")
    assert hmf.get(stored).expires_at == datetime(2026, 11, 21, tzinfo=PARIS)


def test_what_goes_with_an_answer_may_be_less_sure_than_the_answer(hmf: Hmf):
    whole = add(hmf, "Quince marmalade as Delphine makes it")
    part = add(hmf, "Quince marmalade keeps for years")
    assert found(hmf, "Delphine's quince marmalade") == [whole, part]
    assert found(hmf, "Delphine's quince marmalade", k=1) == [whole]


def test_a_word_quoted_from_another_language_is_found_in_it(hmf: Hmf):
    stored = add(hmf, "Épigraphe retenue pour le livre : مرحبا بالعالم.")
    add(hmf, "Épigraphe écartée : une phrase trop longue.")
    assert found(hmf, "مرحبا")[0] == stored
