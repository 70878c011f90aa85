"""A person's answers to proposals: what each does, what it writes, and that it is taken back whole."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hmf.errors import InvalidInput, NotFound
from hmf.memory import Confirm, State, Status, Tier
from hmf.plan import Action, Plan, Target, Verb
from hmf.policy.answers import Answer
from hmf.reason import Reason
from tests.service import LIGHT, Clock, open_memory

LANGUAGES = ("fr", "en")


def ideas(hmf, clock, count=3):
    """Old ideas, and the keys of what the archive job proposes for them, in their order."""
    texts = [f"Idea: a piece on {what} in winter." for what in ("tides", "salt", "lamps", "bells", "ferries")[:count]]
    ids = [hmf.add(text, category="article-ideas", kind="note").id for text in texts]
    clock.forward(days=70)
    return ids, keys(hmf, ids)


def keys(hmf, ids):
    found = {t.id: a.key for a in hmf.plan("archive").actions for t in a.targets}
    return [found.get(one) for one in ids]


def waiting(hmf):
    return {t.id for filed in hmf.plans() for a in filed.undecided for t in a.targets}


def batch_row(hmf, batch):
    return next(row for row in hmf.log() if row["id"] == batch)


def test_keeping_verifies_is_journalled_and_undone(hmf, clock):
    ids, [key, *_] = ideas(hmf, clock)
    before = hmf.get(ids[0])
    [done] = hmf.decide(key, "keep", face="cli")
    assert done.decided == (key,)
    assert hmf.get(ids[0]).verified_at == clock()
    assert waiting(hmf) == set(ids[1:])
    row = batch_row(hmf, done.batch)
    assert (row["actor"], row["face"], row["verb"]) == ("user", "cli", "review")
    assert hmf.history(ids[0])[-1].verb == "verify"
    hmf.undo(done.batch)
    assert hmf.get(ids[0]) == before
    assert waiting(hmf) == set(ids)


def test_kept_it_comes_back_after_the_limit_and_kept_twice_not_until_it_changes(hmf, clock):
    [one], [key] = ideas(hmf, clock, 1)
    hmf.decide(key, Answer.KEEP)
    clock.forward(days=59)
    assert keys(hmf, [one]) == [None]
    clock.forward(days=3)
    [again] = keys(hmf, [one])
    assert waiting(hmf) == {one}
    hmf.decide(again, Answer.KEEP)
    for _ in range(4):
        clock.forward(days=100)
        hmf.run("archive")
        assert waiting(hmf) == set()
    assert hmf.get(one).tier is Tier.DETAIL
    hmf.revise(one, "Idea: a piece on tides, told anew.")
    clock.forward(days=70)
    hmf.run("archive")
    assert waiting(hmf) == {one}


@pytest.mark.parametrize("answer", ["refuse", "keep"])
def test_another_limit_of_the_policy_asks_again(tmp_path, clock, answer):
    with open_memory(tmp_path, clock) as hmf:
        [one], [key] = ideas(hmf, clock, 1)
        hmf.decide(key, answer)
        clock.forward(days=1)
        hmf.run("archive")
        assert waiting(hmf) == set()
        categories = dict(hmf.settings.model_dump(mode="json", exclude_unset=True)["categories"])
    categories["article-ideas"]["policy"]["stale_after"] = "20d"
    with open_memory(tmp_path, clock, {**LIGHT, "categories": categories}) as hmf:
        clock.forward(days=25)
        hmf.run("archive")
        assert waiting(hmf) == {one}


def test_a_refusal_holds_through_what_jobs_change(hmf, clock):
    [one], [key] = ideas(hmf, clock, 1)
    [done] = hmf.decide(key, "refuse")
    assert hmf.history(one)[-1].verb == "refuse"
    for _ in range(3):
        clock.forward(days=90)
        hmf.run("archive")
    assert waiting(hmf) == set()
    hmf.undo(done.batch)
    assert waiting(hmf) == {one}
    clock.forward(days=1)
    hmf.run("archive")
    assert waiting(hmf) == {one}


def test_undoing_by_memory_takes_words_back_one_by_one(hmf, clock):
    [one], [key] = ideas(hmf, clock, 1)
    before = hmf.get(one)
    hmf.decide(key, "postpone", until="1w")
    hmf.undo_memory(one)
    assert waiting(hmf) == {one}
    hmf.decide(key, "refuse")
    hmf.undo_memory(one)
    assert waiting(hmf) == {one}
    assert hmf.get(one) == before
    hmf.undo_memory(one)  # its addition
    with pytest.raises(NotFound):
        hmf.get(one)


def test_an_undoing_undone_decides_again(hmf, clock):
    [one], [key] = ideas(hmf, clock, 1)
    [done] = hmf.decide(key, "refuse")
    undone = hmf.undo(done.batch)
    assert waiting(hmf) == {one}
    hmf.undo(undone.id)
    assert waiting(hmf) == set()
    clock.forward(days=1)
    hmf.run("archive")
    assert waiting(hmf) == set()


def test_approving_says_who(hmf, clock):
    ids, [key, *_] = ideas(hmf, clock)
    [done] = hmf.decide(key, "approve", face="http")
    assert hmf.get(ids[0]).tier is Tier.ARCHIVE
    row = batch_row(hmf, done.batch)
    assert (row["actor"], row["face"], row["verb"]) == ("user", "http", "archive")
    hmf.undo(done.batch)
    assert waiting(hmf) == set(ids)


def test_what_runs_by_itself_is_the_jobs(hmf, clock):
    hmf.add("What rain today.", category="general-conversation", kind="note")
    clock.forward(days=20)
    hmf.run("expire")
    row = hmf.log()[0]
    assert (row["actor"], row["face"]) == ("job", None)


def test_forgetting_is_a_persons_order(hmf, clock):
    ids, [key, *_] = ideas(hmf, clock)
    [done] = hmf.decide(key, "forget")
    gone = hmf.get(ids[0])
    assert gone.state is State.FORGOTTEN
    assert hmf.add(gone.text, source="import").outcome == "refused"
    assert hmf.store.ledger.let_go([ids[0]], "default") == set()
    hmf.undo(done.batch)
    assert hmf.get(ids[0]).state is State.LIVE
    assert waiting(hmf) == set(ids)


def test_archiving_goes_where_the_policy_says_whatever_was_proposed(hmf, clock):
    one = hmf.add("Perhaps a piece on tides.", category="article-ideas", kind="hypothesis", status="hypothesis").id
    clock.forward(days=61)
    plan = hmf.plan("review")
    [action] = [a for a in plan.actions if a.targets[0].id == one]
    [done] = hmf.decide(action.key, "archive")
    assert (hmf.get(one).tier, hmf.get(one).category) == (Tier.ARCHIVE, "article-ideas-archived")
    hmf.undo(done.batch)
    assert hmf.get(one).tier is Tier.DETAIL


@pytest.mark.parametrize("text", ["Idée : les marées, en été.", "Idea: tides, in summer."])
def test_editing_revises_and_teaches_the_router(hmf, clock, text):
    [one], [key] = ideas(hmf, clock, 1)
    [done] = hmf.decide(key, "edit", text=text)
    assert hmf.get(one).text == text
    assert hmf.history(one)[-1].verb == "revise"
    assert waiting(hmf) == set()
    assert text in {f.text for f in hmf.store.ledger.filed_by_hand("default", ["explicit", "correction"], 10)}
    hmf.undo(done.batch)
    assert waiting(hmf) == {one}


def test_an_edit_makes_a_guess_an_example(hmf):
    text = "Lumen wants the brochure in two colours."
    one = hmf.get(hmf.add(text).id)
    after = hmf.revise(one.id, text.replace("two", "three"))
    expected = "inbox" if one.category == "inbox" else "correction"
    assert str(after.route.by) == expected
    assert after.category == one.category


def test_merging_into_a_neighbour_keeps_the_chain(hmf, clock):
    ids, [key, *_] = ideas(hmf, clock)
    [done] = hmf.decide(key, "merge", into=ids[1])
    merged = hmf.get(ids[0])
    assert (merged.status, merged.superseded_by) == (Status.SUPERSEDED, ids[1])
    assert [link.id for link in hmf.chain(ids[0])] == ids[:2]
    hmf.undo(done.batch)
    assert hmf.get(ids[0]).status is Status.CONFIRMED
    with pytest.raises(InvalidInput):
        hmf.decide(key, "merge", into=ids[0])


def test_postponed_it_is_neither_shown_nor_proposed_before_its_day(hmf, clock):
    ids, [key, *_] = ideas(hmf, clock)
    [done] = hmf.decide(key, "postpone", until="2w")
    for _ in range(13):
        assert waiting(hmf) == set(ids[1:])
        clock.forward(days=1)
        hmf.run("archive")
    assert hmf.apply(hmf.plan("archive"), approve="auto").applied == ()
    clock.forward(days=1, hours=1)
    assert waiting(hmf) == set(ids)
    hmf.run("archive")
    assert waiting(hmf) == set(ids)
    assert done.batch is not None


@pytest.mark.parametrize("said", ["next month", "le mois prochain", "tomorrow", "demain"])
def test_postponed_until_words_say(hmf, clock, said):
    ids, [key, *_] = ideas(hmf, clock)
    hmf.decide(key, "postpone", until=said)
    assert waiting(hmf) == set(ids[1:])
    clock.forward(days=32)
    assert waiting(hmf) == set(ids)


@pytest.mark.parametrize("said", ["3 semaines", "last week", "hier"])
def test_what_is_no_time_to_come_is_refused_with_the_ways_to_say_it(hmf, clock, said):
    ids, [key, *_] = ideas(hmf, clock)
    with pytest.raises(InvalidInput) as refused:
        hmf.decide(key, "postpone", until=said)
    assert "a span" in (refused.value.fix or "")
    assert waiting(hmf) == set(ids)


def test_postponed_is_not_applied_by_all_and_can_be_taken_up_early(hmf, clock):
    ids, [key, *_] = ideas(hmf, clock)
    hmf.decide(key, "postpone", until="2027-06-01")
    plan = hmf.plans()[0].plan
    hmf.apply(plan.id, "all")
    assert hmf.get(ids[0]).tier is Tier.DETAIL
    hmf.decide(key, "undecided")
    assert waiting(hmf) == {ids[0]}
    hmf.decide(key, "postpone", until="2w")
    hmf.decide(key, "approve")
    assert hmf.get(ids[0]).tier is Tier.ARCHIVE


def test_a_row_says_since_when_it_waits_through_new_plans(hmf, clock):
    ids, [key, *_] = ideas(hmf, clock)
    began = clock()
    clock.forward(days=5)
    hmf.add("Another old one.", category="article-ideas", at=clock.moment.replace(year=2025))
    hmf.run("archive")
    [filed] = hmf.plans()
    assert filed.since[key] == began
    assert len(filed.undecided) == 4
    assert waiting(hmf) >= set(ids)


@pytest.mark.parametrize(
    ("keys", "answer", "more", "error"),
    [
        ([], "keep", {}, InvalidInput),
        (["absent"], "keep", {}, NotFound),
        (["KEY"], "edit", {}, InvalidInput),
        (["KEY"], "merge", {}, InvalidInput),
        (["KEY"], "postpone", {}, InvalidInput),
        (["KEY"], "postpone", {"until": "soon"}, InvalidInput),
        (["KEY"], "postpone", {"until": "2020-01-01"}, InvalidInput),
        (["KEY"], "keep", {"text": "x"}, InvalidInput),
        (["KEY"], "perhaps", {}, InvalidInput),
        (["KEY"], "edit", {"text": " "}, InvalidInput),
        (["KEY"], "merge", {"into": "ffffffff"}, NotFound),
    ],
)
def test_what_cannot_be_decided_is_said_and_changes_nothing(hmf, clock, keys, answer, more, error):
    ids, [key, *_] = ideas(hmf, clock)
    before = hmf.memories(limit=None)
    with pytest.raises(error):
        hmf.decide([key if one == "KEY" else one for one in keys], answer, **more)
    assert hmf.memories(limit=None) == before
    assert waiting(hmf) == set(ids)


def test_what_changed_since_is_skipped_and_said(hmf, clock):
    ids, [key, *_] = ideas(hmf, clock)
    hmf.pin(ids[0])
    [done] = hmf.decide(key, "keep")
    assert done.decided == ()
    assert [one for one, _ in done.skipped] == [key]
    assert hmf.get(ids[0]).verified_at is None


def test_a_memory_id_names_its_row(hmf, clock):
    ids, _ = ideas(hmf, clock)
    hmf.decide(ids[:2], "keep")
    assert waiting(hmf) == {ids[2]}


@pytest.mark.parametrize("answer", ["keep", "refuse"])
def test_a_contradiction_settled_is_not_asked_again_by_any_job(hmf, clock, answer):
    old = hmf.add("Teal pays 40 euros a page.", category="tasks").id
    clock.forward(days=1)
    new = hmf.add("Teal now pays 45 euros a page.", category="tasks", source="call").id
    assert waiting(hmf) == {old, new}
    hmf.decide(old, answer)
    for _ in range(3):
        clock.forward(days=5)
        hmf.run("review")
        assert waiting(hmf) == set()
    assert {hmf.get(one).status for one in (old, new)} == {Status.CONFIRMED}


ANSWERS = st.sampled_from(["keep", "refuse", "forget", "archive", "postpone", "approve", "undecided", None])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=12)
@given(st.lists(st.tuples(st.integers(0, 4), ANSWERS), max_size=6))
def test_no_row_of_answers_touches_what_was_not_answered(tmp_path_factory, said):
    clock = Clock()
    with open_memory(tmp_path_factory.mktemp("h"), clock) as hmf:
        ids, found = ideas(hmf, clock, 5)
        before, done = {one: hmf.get(one) for one in ids}, []
        for number, answer in said:
            if answer is None or ids[number] not in waiting(hmf):
                continue
            more = {"until": "1w"} if answer == "postpone" else {}
            done += hmf.decide(found[number], answer, **more)
        answered = {ids[n] for n, answer in said if answer is not None}
        assert all(hmf.get(one) == before[one] for one in ids if one not in answered)
        assert set(ids) - answered <= waiting(hmf)
        for one in reversed([d.batch for d in done if d.batch]):
            assert hmf.undo(one).skipped == ()
        assert {one: hmf.get(one) for one in ids} == before
        assert waiting(hmf) == set(ids)


def test_neighbours_are_live_near_and_of_the_same_namespace(hmf, clock):
    one = hmf.add("The harbour bells ring at noon.", category="research-notes").id
    near = hmf.add("The harbour bells ring at dusk.", category="client-projects").id
    hmf.add("The harbour bells ring at noon, too.", category="research-notes", namespace="theirs")
    gone = hmf.add("The harbour bells ring at dawn.", category="research-notes").id
    hmf.forget(gone)
    found = hmf.neighbours([one], k=2)[one]
    assert found[0].memory.id == near
    assert gone not in {n.memory.id for n in found}
    assert all(n.memory.namespace == "default" for n in found)
    assert [n.nearness for n in found] == sorted((n.nearness for n in found), reverse=True)


def test_what_lapses_waits_from_then_on(hmf, clock):
    [one], [key] = ideas(hmf, clock, 1)
    hmf.decide(key, "keep")
    clock.forward(days=61)
    hmf.run("archive")
    [filed] = hmf.plans()
    assert [filed.since[a.key] for a in filed.undecided] == [clock()]
    assert waiting(hmf) == {one}


def test_the_forecast_knows_what_is_settled(hmf, clock):
    def asked():
        rows = hmf.forecast(20, ["article-ideas"]).rows
        return sum(row.total for row in rows if str(row.outcome) == "asked")

    [one], [key] = ideas(hmf, clock, 1)
    assert asked() == 1
    hmf.decide(key, "keep")
    assert asked() == 1  # when the limit has passed anew
    clock.forward(days=61)
    hmf.decide(keys(hmf, [one])[0], "keep")
    assert asked() == 0


@pytest.mark.parametrize(("answer", "more"), [("refuse", {}), ("keep", {}), ("postpone", {"until": "365d"})])
def test_an_answer_taken_back_stands_again_when_that_is_taken_back_after_a_night(hmf, clock, answer, more):
    ids, [key, *_] = ideas(hmf, clock)
    [done] = hmf.decide(key, answer, **more)
    back = hmf.undo(done.batch)
    hmf.run("archive")
    assert waiting(hmf) == set(ids)
    hmf.undo(back.id)
    assert waiting(hmf) == set(ids[1:])
    hmf.forget(ids[1])
    hmf.run("archive")  # another plan, in which only an answer that stands keeps the question away
    assert waiting(hmf) == {ids[2]}


def filed(hmf, clock, *actions):
    """A plan of these (verb, memories, place) on file, as a job may make it."""
    made = tuple(
        Action(
            verb,
            tuple(Target(one.id, hmf.get(one.id).revision) for one in about),
            Reason("duplicate" if verb is Verb.MERGE else "misfiled"),
            about[0].category,
            Confirm.ASK,
            to_category=place,
        )
        for verb, about, place in actions
    )
    hmf.store.plans.file(Plan("review", "default", clock(), made))
    return [action.key for action in made]


def notes_of(hmf):
    texts = ("The rehearsal begins at nine.", "Rehearsals start at nine o'clock.", "Oslo is cold in May.")
    return [hmf.get(hmf.add(text, category="article-ideas").id) for text in texts]


def test_a_memory_that_two_proposals_are_about_is_forgotten_once_and_alone(hmf, clock):
    one, other, third = notes_of(hmf)
    own = filed(
        hmf,
        clock,
        (Verb.MERGE, (other, one), None),
        (Verb.MOVE, (one,), "client-projects"),
        (Verb.MOVE, (third,), "client-projects"),
    )
    [done] = hmf.decide(one.id, "forget")
    assert set(done.decided) == set(own[:2])
    states = [hmf.get(memory.id).state for memory in (one, other, third)]
    assert states == [State.FORGOTTEN, State.LIVE, State.LIVE]
    hmf.undo(done.batch)
    assert hmf.get(one.id) == one
    assert waiting(hmf) == {one.id, other.id, third.id}


def test_what_was_skipped_does_not_count_as_done_when_an_undoing_is_undone(hmf, clock):
    one, other, _third = notes_of(hmf)
    first, second = filed(hmf, clock, (Verb.FORGET, (one,), None), (Verb.MERGE, (other, one), None))
    [done] = hmf.decide([first, second], "approve")
    assert [key for key, _ in done.skipped] == [second]
    back = hmf.undo(done.batch)
    hmf.undo(back.id)
    [plan] = hmf.store.plans.open("default", clock())
    assert plan.outcomes[first] == ("applied", None)
    assert plan.outcomes[second] == ("undecided", None)
