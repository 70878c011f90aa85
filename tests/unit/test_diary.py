"""The diary and the register of decisions: what was done, in the order it was done, and what replaced what."""

from __future__ import annotations

from datetime import timedelta

import pytest

from hmf import Hmf
from hmf.errors import InvalidInput, NotFound
from hmf.memory import Level, Status, Tier
from hmf.service.operations import Operations
from tests.service import Clock
from tests.unit.test_curating import fill


def verbs(hmf: Hmf, **how: object) -> list[str]:
    return [row["verb"] for row in hmf.log(**how)]  # type: ignore[arg-type]


def test_the_order_is_the_journals_whatever_the_clock_says(hmf: Hmf, clock: Clock) -> None:
    one = hmf.add("A note on quartz.").id
    clock.forward(days=-3)
    hmf.pin(one)
    clock.forward(days=1)
    hmf.forget(one)
    assert verbs(hmf) == ["forget", "pin", "add"]
    assert [row["seq"] for row in hmf.log()] == [3, 2, 1]


def test_it_can_be_asked_for_a_time_in_words(hmf: Hmf, clock: Clock) -> None:
    one = hmf.add("A note on quartz.").id
    clock.forward(days=1)
    hmf.pin(one)
    clock.forward(days=1)
    hmf.forget(one)
    assert verbs(hmf, since="yesterday") == ["forget", "pin"]
    assert verbs(hmf, until="hier") == ["pin", "add"]
    assert verbs(hmf, since="yesterday", until="yesterday") == ["pin"]
    assert verbs(hmf, since=clock.moment - timedelta(hours=1)) == ["forget"]
    assert verbs(hmf, limit=1) == ["forget"]
    with pytest.raises(InvalidInput):
        hmf.log(since="soon")


def test_a_batch_says_what_it_did_by_category(hmf: Hmf, clock: Clock) -> None:
    fill(hmf, clock)
    applied = hmf.apply(hmf.plan("archive"))
    [night] = [row for row in hmf.log() if row["id"] == applied.id]
    archived = [one for one in night["did"] if one["verb"] == "archive"]
    assert archived == [
        {"verb": "archive", "reason": "stale", "category": "article-ideas", "project": None, "made": False, "n": 3}
    ]
    assert (night["actor"], night["verb"]) == ("user", "archive")  # who approved it
    hmf.apply(hmf.plan("summarise"))
    made = [one for one in hmf.log()[0]["did"] if one["made"]]
    assert [(one["verb"], one["category"]) for one in made] == [("summarise", "client-projects")]
    [finished] = [row for row in hmf.log() if row["verb"] == "finish"]
    assert [one["project"] for one in finished["did"]] == ["Lumen"]


def test_a_small_batch_says_what_its_memory_is_and_an_erased_one_does_not(hmf: Hmf) -> None:
    one = hmf.add("A note on quartz.").id
    assert hmf.log()[0]["memory"] == {"id": one, "text": "A note on quartz."}
    hmf.erase(one)
    assert all((row["memory"] or {}).get("text") is None for row in hmf.log())
    assert "quartz" not in str(Operations(hmf).log())


def test_undone_is_what_does_not_hold_any_more(hmf: Hmf) -> None:
    one = hmf.add("A note on quartz.").id
    forgot = hmf.forget(one).id

    def state() -> dict[str, bool]:
        return {row["verb"] + row["id"]: row["undone"] for row in hmf.log()}

    first = hmf.undo(forgot).id
    assert state()["forget" + forgot]
    hmf.undo(first)
    assert not state()["forget" + forgot]
    assert state()["undo" + first]


def test_another_namespace_has_its_own(hmf: Hmf) -> None:
    mine = hmf.add("A note on quartz.").id
    hmf.add("Another's note.", namespace="other")
    assert [row["changes"] for row in hmf.log(namespace="other")] == [1]
    with pytest.raises(NotFound):
        hmf.chain(mine, namespace="other")


def test_a_chain_is_the_same_from_each_of_its_links(hmf: Hmf, clock: Clock) -> None:
    ids = [hmf.add("The fee is 80 euros.", category="tasks").id]
    for fee in (90, 95, 99):
        clock.forward(days=10)
        ids.append(hmf.add(f"The fee is {fee} euros.", category="tasks", supersedes=ids[-1]).id)
    for one in ids:
        links = hmf.chain(one)
        assert [link.id for link in links] == ids
        assert [link.replaced_by for link in links] == [*ids[1:], None]
        assert [link.replaces for link in links] == [(), *((i,) for i in ids[:-1])]
        assert [line.entry.verb for line in links[0].lines] == ["add", "supersede"]
    statuses = [link.memory.status for link in hmf.chain(ids[1]) if link.memory]
    assert statuses == [Status.SUPERSEDED] * 3 + [Status.CONFIRMED]
    assert [link.id for link in hmf.chain(ids[0][-8:])] == ids


def test_it_goes_through_forgotten_erased_and_purged_links(hmf: Hmf, clock: Clock) -> None:
    ids = [hmf.add("The fee is 80 euros.", category="tasks").id]
    for fee in (90, 95):
        clock.forward(days=1)
        ids.append(hmf.add(f"The fee is {fee} euros.", category="tasks", supersedes=ids[-1]).id)
    hmf.forget(ids[0])
    hmf.erase(ids[1])
    links = hmf.chain(ids[2])
    assert [(link.id, link.memory is None) for link in links][-2:] == [(ids[1], True), (ids[2], False)]
    assert links[-2].replaced_by == ids[2]
    assert [line.entry.verb for line in links[-2].lines][-1] == "erase"
    assert "90 euros" not in str(Operations(hmf).chain(ids[2]))
    assert {link.id for link in hmf.chain(ids[1])} >= {ids[1]}
    with pytest.raises(NotFound):
        hmf.chain("0" * 36)


def test_it_goes_through_summaries_and_copies(hmf: Hmf, clock: Clock) -> None:
    fill(hmf, clock)
    hmf.apply(hmf.plan("summarise"))
    [old] = [m for m in hmf.memories(tier=Tier.SUMMARY, limit=None) if m.drawn and m.drawn.level is not Level.CATEGORY]
    hmf.revise(old.summary_of[0], "Lumen wants section 0 on marble, with a map.")
    hmf.apply(hmf.plan("summarise"))
    links = hmf.chain(old.id)
    assert len(links) == 2
    assert [link.memory.tier for link in links if link.memory] == [Tier.SUMMARY, Tier.SUMMARY]
    assert links[1].replaces == (old.id,)
    assert [(line.actor, line.plan is not None) for line in links[1].lines] == [("user", True)]
