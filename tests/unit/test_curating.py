"""Plan, apply, undo: nothing is done before it is applied, and what was applied is taken back whole."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hmf.errors import Conflict, InvalidInput, NotFound, Refused
from hmf.memory import Confirm, Kind, State, Status, Tier
from hmf.plan import Action, Note, Part, Plan, Target, Verb
from hmf.reason import Reason
from hmf.service.operations import Operations
from hmf.service.routing import Router
from hmf.service.view import LedgerView
from tests.service import LIGHT, Clock, open_memory

JOBS = ("review", "archive", "summarise", "expire")


def everything(hmf):
    """All that an undo must bring back: rows, projects, tombstoned texts, and what the index holds."""
    live = hmf.memories(limit=None)
    gone = hmf.memories(limit=None, forgotten=True)
    index = {
        name: sorted(hmf.store.index.ids(hmf.indexer.physical(name))) for name in [*hmf.store.categories, "summaries"]
    }
    stones = set(hmf.store.tombstones.against([*live, *gone]))
    return {m.id: m for m in [*live, *gone]}, hmf.store.ledger.projects("default"), stones, index


def fill(hmf, clock, *, ideas=4):
    """A little of everything that the jobs act on, told at different times."""
    for n, subject in enumerate(["tides", "salt", "lamps", "ferries", "bells"][:ideas]):
        hmf.add(f"Idea: a piece on {subject} in winter.", category="article-ideas", kind="note", pinned=n == 0)
    for n in range(4):
        hmf.add(f"Small talk number {n} about the weather.", category="general-conversation", kind="note")
    for n, subject in enumerate(["granite", "quartz", "basalt", "schist", "chalk"]):
        hmf.add(f"Lumen wants section {n} on {subject}.", category="client-projects", project="Lumen", kind="note")
    hmf.add("Lumen: decided to print in two colours.", category="client-projects", project="Lumen", kind="decision")
    hmf.add("The rate is 91 euros.", category="research-notes", kind="fact", volatile=True, fresh_for="30d")
    clock.forward(days=10)
    hmf.project("Lumen").finish()
    clock.forward(days=100)
    hmf.add("A fresh idea on herons.", category="article-ideas", kind="note")


@pytest.mark.parametrize("job", JOBS)
def test_a_plan_changes_nothing_and_twice_is_equal(hmf, clock, job):
    fill(hmf, clock)
    before = everything(hmf)
    first, second = hmf.plan(job), hmf.plan(job)
    assert first == replace(second, made_at=first.made_at)
    assert first.id == second.id
    assert everything(hmf) == before
    assert first.actions, "the story gives every job something to do"


@pytest.mark.parametrize("job", JOBS)
def test_apply_then_undo_is_equality(hmf, clock, job):
    fill(hmf, clock)
    before = everything(hmf)
    applied = hmf.apply(hmf.plan(job))
    assert applied.applied
    assert everything(hmf) != before
    hmf.undo(applied.id)
    assert everything(hmf) == before


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
@given(st.lists(st.sampled_from(JOBS), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_any_row_of_partial_applies_is_undone_in_reverse(tmp_path_factory, jobs, rng):
    clock = Clock()
    with open_memory(tmp_path_factory.mktemp("h"), clock) as hmf:
        fill(hmf, clock, ideas=3)
        states, batches = [], []
        for job in jobs:
            plan = hmf.plan(job)
            chosen = [a.key for a in plan.actions if rng.random() < 0.6]
            states.append(everything(hmf))
            batches.append(hmf.apply(plan, approve=chosen).batch)
            clock.forward(days=1)
        for state, batch in zip(reversed(states), reversed(batches), strict=True):
            if batch is not None:
                assert hmf.undo(batch).skipped == ()
            assert everything(hmf) == state
        assert all(check.well for check in hmf.doctor())


@pytest.mark.parametrize("job", JOBS)
def test_pinned_is_out_of_reach_of_every_job(hmf, clock, job):
    fill(hmf, clock)
    for memory in hmf.memories(limit=None):
        hmf.pin(memory.id)
    before = everything(hmf)
    plan = hmf.plan(job)
    assert [a for a in plan.actions if a.verb is not Verb.SUMMARISE] == []
    hmf.apply(plan)
    after = everything(hmf)[0]
    assert {i: (m.text, m.tier, m.state, m.category) for i, m in after.items() if i in before[0]} == {
        i: (m.text, m.tier, m.state, m.category) for i, m in before[0].items()
    }


def test_a_plan_made_by_hand_cannot_reach_a_pinned_memory(hmf):
    one = hmf.get(hmf.add("Keep.").id)
    pinned = hmf.pin(one.id)
    action = Action(Verb.FORGET, (Target(pinned.id, pinned.revision),), Reason("expired_age"), pinned.category)
    applied = hmf.apply(Plan("expire", "default", hmf.store.now(), (action,)))
    assert applied.applied == ()
    assert applied.skipped[0][1].code == "target_pinned"
    assert hmf.get(one.id) == pinned


def test_what_changed_since_is_skipped_and_reported(hmf, clock):
    fill(hmf, clock)
    plan = hmf.plan("archive")
    target = plan.actions[0].targets[0].id
    hmf.revise(target, "Idea: rewritten meanwhile.")
    applied = hmf.apply(plan)
    assert (plan.actions[0].key, Reason("target_changed", {"id": target})) in applied.skipped
    assert len(applied.applied) == len(plan.actions) - 1
    assert hmf.get(target).tier is Tier.DETAIL


def asked_then_summarised(hmf, clock):
    """The keys of what waits by memory: old ideas of one project, asked about before a summary of them was written."""
    for what in ("the tide mills of the Rance", "salt roads inland", "who keeps the last lamp", "bells under water"):
        hmf.add(f"Idea: {what}.", category="article-ideas", kind="note", project="Coast")
    clock.forward(days=70)
    hmf.run("archive")
    proposed = {t.id: a.key for filed in hmf.plans() for a in filed.undecided for t in a.targets}
    hmf.run("summarise")
    return proposed


@pytest.mark.parametrize("answer", ["approve", "keep", "archive", "forget"])
def test_a_summary_written_since_does_not_stand_in_the_way_of_an_answer(hmf, clock, answer):
    proposed = asked_then_summarised(hmf, clock)
    linked = [hmf.get(one) for one in proposed if hmf.get(one).summarised_in]
    assert linked
    [done] = hmf.decide(proposed[linked[0].id], answer)
    assert (done.decided, done.skipped) == ((proposed[linked[0].id],), ())
    hmf.undo(done.batch)
    assert hmf.get(linked[0].id) == linked[0]


def test_a_change_beside_a_new_summary_is_still_a_change(hmf, clock):
    proposed = asked_then_summarised(hmf, clock)
    one = next(one for one in proposed if hmf.get(one).summarised_in)
    hmf.revise(one, "Idea: told in another way.")
    [done] = hmf.decide(proposed[one], "keep")
    assert done.decided == ()
    assert done.skipped[0][1].code == "target_changed"


def test_ideas_untouched_are_archived_on_approval_only(hmf, clock):
    fill(hmf, clock)
    plan = hmf.plan("archive")
    ideas = [a for a in plan.actions if a.category == "article-ideas"]
    assert {a.confirm for a in ideas} == {Confirm.ASK}
    assert hmf.apply(plan, approve="auto").applied == ()
    applied = hmf.apply(plan, approve=[ideas[0].key], refuse=[ideas[1].key])
    moved = hmf.get(ideas[0].targets[0].id)
    assert (moved.tier, moved.category) == (Tier.ARCHIVE, "article-ideas-archived")
    assert hmf.get(ideas[1].targets[0].id).category == "article-ideas"
    assert applied.refused == (ideas[1].key,)


def test_archived_leaves_ordinary_recall_and_answers_when_asked(hmf, clock):
    hmf.add("Idea: the lamplighters of Quimper.", category="article-ideas", kind="note")
    hmf.add("Idea: the canal at night.", category="article-ideas", kind="note")
    clock.forward(days=70)
    hmf.apply(hmf.plan("archive"))
    hmf.add("Idea: lamplighters of today, in cities.", category="article-ideas", kind="note")
    live = hmf.search("lamplighters")
    assert [h.memory.text for h in live.hits] == ["Idea: lamplighters of today, in cities."]
    deep = hmf.search("lamplighters", archive=True)
    assert "Idea: the lamplighters of Quimper." in [h.memory.text for h in deep.hits]
    assert Reason("archived") in next(h for h in deep.hits if "Quimper" in h.memory.text).flags
    alone = hmf.search("canal night")
    assert alone.widened[-1].code == "archive"


def test_decisions_and_preferences_never_age_out(hmf, clock):
    kept = [
        hmf.add("Decided: no footnotes.", category=c, kind=k).id
        for c, k in [("article-ideas", "decision"), ("general-conversation", "constraint")]
    ]
    kept.append(hmf.add("I like tea.", category="personal-preferences", kind="preference").id)
    clock.forward(days=4000)
    for job in JOBS:
        hmf.apply(hmf.plan(job))
    for memory_id in kept:
        memory = hmf.get(memory_id)
        assert (memory.state, memory.tier) == (State.LIVE, Tier.DETAIL)


def test_a_finished_project_keeps_its_summary_decisions_and_lessons(hmf, clock):
    for n, subject in enumerate(["granite", "quartz", "basalt", "schist"]):
        hmf.add(f"Lumen wants section {n} on {subject}.", category="client-projects", project="Lumen", kind="note")
    kept = [
        hmf.add("Lumen: print in two colours.", category="client-projects", project="Lumen", kind=kind).id
        for kind in ("decision",)
    ] + [hmf.add("Lumen: ask for proofs earlier.", category="client-projects", project="Lumen", kind="lesson").id]
    hmf.project("Lumen").finish()
    clock.forward(days=29)
    assert [a for a in hmf.plan("expire").actions if a.verb is Verb.FORGET] == []
    clock.forward(days=2)
    hmf.apply(hmf.plan("expire"))
    left = hmf.memories(project="Lumen", limit=None)
    assert {m.id for m in left if m.tier is Tier.DETAIL} == set(kept)
    [summary] = [m for m in left if m.tier is Tier.SUMMARY]
    assert "granite" in summary.text or "basalt" in summary.text
    assert hmf.search("Lumen sections").hits


def test_a_summary_is_no_surer_and_no_fresher_than_its_sources(hmf, clock):
    start = clock()
    for n, subject in enumerate(["granite", "quartz", "basalt", "schist"]):
        status = "hypothesis" if n == 2 else None
        hmf.add(f"Lumen wants part {n} on {subject}.", category="client-projects", project="Lumen", status=status)
        clock.forward(days=1)
    clock.forward(days=50)
    hmf.apply(hmf.plan("summarise"))
    [summary] = hmf.memories(tier="summary")
    assert summary.status is Status.HYPOTHESIS
    assert summary.learnt_at == start + timedelta(days=3)
    assert all(hmf.get(i).summarised_in == summary.id for i in summary.summary_of)
    for sentence in summary.text.split("\n"):
        assert any(part in hmf.get(i).text for i in summary.summary_of for part in [sentence.strip("-• ")]) or sentence


def test_thirty_quiet_nights_change_nothing_after_the_first(hmf, clock):
    fill(hmf, clock)
    for job in JOBS:
        hmf.run(job)
    settled, batches = everything(hmf), len(hmf.log(limit=1000))
    for _ in range(5):
        for job in JOBS:
            hmf.run(job)
    assert everything(hmf) == settled
    assert len(hmf.log(limit=1000)) == batches


def test_a_refused_action_does_not_come_back_in_the_same_plan(hmf, clock):
    fill(hmf, clock)
    plan = hmf.plan("archive")
    hmf.apply(plan, approve=(), refuse=[a.key for a in plan.actions])
    hmf.plan("archive")
    assert hmf.plans() == []


def test_a_grouped_plan_waits_for_the_action_it_depends_on(hmf):
    one = hmf.get(hmf.add("One.").id)
    action = Action(
        Verb.FORGET, (Target(one.id, one.revision),), Reason("expired_age"), one.category, after="absent-key"
    )
    applied = hmf.apply(Plan("expire", "default", hmf.store.now(), (action,)))
    assert applied.applied == ()
    assert hmf.get(one.id).state is State.LIVE


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda h: h.plan("tidy"), NotFound),
        (lambda h: h.run("tidy"), NotFound),
        (lambda h: h.apply("absent"), NotFound),
        (lambda h: h.apply(h.plan("archive"), approve=["absent"]), InvalidInput),
        (lambda h: h.apply(h.plan("archive"), namespace="other"), Refused),
    ],
)
def test_a_wrong_name_is_said(hmf, call, error):
    with pytest.raises(error):
        call(hmf)


def test_two_namespaces_are_curated_apart(hmf, clock):
    hmf.add("Idea: mine.", category="article-ideas", kind="note")
    hmf.add("Idea: theirs.", category="article-ideas", kind="note", namespace="theirs")
    clock.forward(days=70)
    plan = hmf.plan("archive")
    assert [hmf.get(t.id).text for a in plan.actions for t in a.targets] == ["Idea: mine."]


# C48: failures are recorded, one run at a time.


@dataclass
class Broken:
    name: str = "broken"

    def plan(self, view, now):
        raise RuntimeError("no such luck")


def test_a_failing_job_is_recorded_and_seen(hmf):
    hmf.add("Something to look at.")
    hmf.curator._jobs = {**hmf.curator.jobs, "broken": Broken()}
    for _ in range(3):
        with pytest.raises(RuntimeError):
            hmf.run("broken", slot="2026-11-30")
    runs = hmf.store.runs.of_slot("broken", "2026-11-30")
    assert [(r["attempt"], r["outcome"]) for r in runs] == [(1, "failed"), (2, "failed"), (3, "failed")]
    assert "no such luck" in runs[0]["error"]
    assert not next(c for c in hmf.doctor() if c.name == "jobs").well


def test_a_manual_run_during_the_nightly_is_refused(hmf, clock):
    hmf.store.runs.claim("curation", "the nightly", clock(), clock() + timedelta(hours=1))
    with pytest.raises(Conflict, match="the nightly"):
        hmf.run("review")


def test_expired_small_talk_goes_by_itself_and_is_purged_after_the_grace(hmf, clock):
    one = hmf.add("What rain today.", category="general-conversation", kind="note")
    hmf.add("Something else entirely.", category="tasks", kind=Kind.TASK)
    clock.forward(days=15)
    hmf.run("expire")
    assert hmf.get(one.id).state is State.FORGOTTEN
    clock.forward(days=29)
    hmf.run("expire")
    assert hmf.get(one.id).state is State.FORGOTTEN
    clock.forward(days=2)
    hmf.run("expire")
    with pytest.raises(NotFound):
        hmf.get(one.id)
    assert hmf.add("What rain today.", source="import").outcome == "refused"


def test_what_was_undone_is_proposed_and_can_be_applied_again(hmf, clock):
    fill(hmf, clock)
    first = hmf.apply(hmf.plan("archive"))
    hmf.undo(first.id)
    second = hmf.apply(hmf.plan("archive"))
    assert second.applied == first.applied


def test_a_refusal_holds_when_the_plan_grows(hmf, clock):
    fill(hmf, clock)
    plan = hmf.plan("archive")
    hmf.apply(plan, approve=(), refuse=[a.key for a in plan.actions])
    hmf.add("Another old idea on kelp.", category="article-ideas", kind="note", at=clock() - timedelta(days=90))
    hmf.plan("archive")
    [filed] = hmf.plans()
    assert [hmf.get(t.id).text for a in filed.undecided for t in a.targets] == ["Another old idea on kelp."]


def test_the_share_of_an_archive_category_counts_what_lies_in_it(hmf, clock):
    for n in range(12):
        hmf.add(f"Idea {n} of tides.", category="article-ideas", kind="note")
    clock.forward(days=70)
    hmf.apply(hmf.plan("archive"), force=True)
    view = LedgerView(hmf.store, Router(hmf.store), "default")
    assert view.count("article-ideas-archived") == 12


def test_what_a_person_took_back_is_not_done_again_by_itself(hmf, clock):
    one = hmf.add("What rain today.", category="general-conversation", kind="note")
    clock.forward(days=20)
    hmf.run("expire")
    hmf.undo(hmf.history(one.id)[-1].batch_id)
    clock.forward(days=1)
    ran = hmf.run("expire")
    assert (ran.applied, ran.waiting) == (0, 1)
    assert hmf.get(one.id).state is State.LIVE


def test_nothing_is_archived_into_a_category_that_is_not_configured_any_more(tmp_path, clock):
    with open_memory(tmp_path, clock) as hmf:
        one = hmf.add("Idea of old.", category="article-ideas", kind="note")
        clock.forward(days=70)
        plan = hmf.plan("archive")
        categories = dict(hmf.settings.model_dump(mode="json", exclude_unset=True)["categories"])
    del categories["article-ideas-archived"]
    categories["article-ideas"]["policy"]["archive_to"] = None
    with open_memory(tmp_path, clock, {**LIGHT, "categories": categories}) as hmf:
        applied = hmf.apply(plan.id)
        assert applied.skipped[0][1].code == "category_gone"
        assert hmf.get(one.id).category == "article-ideas"


def test_what_a_job_saw_stands_beside_what_waits_until_it_sees_something_else(hmf, clock):
    fill(hmf, clock)
    some = hmf.memories(limit=2)
    parts = tuple(Part(f"Part {n}", 10 + n, (one.id,)) for n, one in enumerate(some))
    seen = Note("too_large", {"category": "Notes", "count": 21, "parts": 2}, "research-notes", parts)
    plan = hmf.plan("review", file=False)
    hmf.store.plans.file(replace(plan, notes=(seen,)))
    told = Operations(hmf).review()["notes"]
    assert [(n["job"], n["key"], n["why"]) for n in told] == [
        ("review", seen.key, "“Notes” has grown to 21 memories; it could be divided into 2 parts.")
    ]
    assert [p["examples"] for p in told[0]["parts"]] == [[{"id": one.id, "text": one.text}] for one in some]
    assert hmf.store.plans.get(plan.id, "default", hmf.store.now()).plan.notes == (seen,)
    hmf.store.plans.file(replace(plan, notes=()))
    assert Operations(hmf).review()["notes"] == []
    hmf.store.plans.file(replace(plan, notes=(seen,)))
    hmf.store.plans.file(replace(plan, actions=plan.actions[1:], notes=()))
    assert Operations(hmf).review()["notes"] == []
