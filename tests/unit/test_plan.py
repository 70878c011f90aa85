"""Plans: keys and ids that stay the same, and the share no plan may pass unasked."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from hmf.memory import Confirm, Policy
from hmf.plan import Action, Draft, Note, Part, Plan, Reason, Target, Verb, limited
from tests.unit.fake_view import NOW, FakeView, category, memory


def _action(*ids: str, verb: Verb = Verb.ARCHIVE, confirm: Confirm = Confirm.AUTO, place: str = "notes") -> Action:
    return Action(verb, tuple(Target(i, 1) for i in ids), Reason("stale", {"days": 70}), place, confirm)


def _plan(*actions: Action) -> Plan:
    return Plan("archive", "ws", NOW, actions)


def test_a_key_is_what_is_done_to_what_and_not_why_or_when():
    one = _action("a", "b")
    assert one.key == replace(one, reason=Reason("stale", {"days": 71}), confirm=Confirm.ASK).key
    assert one.key == _action("b", "a").key
    assert len(one.key) == 12


def test_a_key_changes_with_verb_target_revision_place_and_text():
    one = _action("a")
    draft = Draft("Une phrase.", "Titre", "notes", None, "fr", (("Une phrase.", "a"),))
    others = [
        _action("b"),
        _action("a", verb=Verb.FORGET),
        replace(one, targets=(Target("a", 2),)),
        replace(one, to_category="archives"),
        replace(one, draft=draft),
        replace(one, draft=replace(draft, text="Une autre.")),
    ]
    assert len({one.key, *(o.key for o in others)}) == 7


@given(st.permutations(["a", "b", "c", "d"]))
def test_a_plan_id_does_not_depend_on_order_or_hour(ids):
    plan = _plan(*(_action(i) for i in "abcd"))
    later = replace(_plan(*(_action(i) for i in ids)), made_at=NOW + timedelta(hours=3))
    assert later.id == plan.id
    assert len(plan.id) == 16


def test_a_plan_id_is_of_one_job_and_one_namespace():
    plan = _plan(_action("a"))
    assert len({plan.id, replace(plan, job="expire").id, replace(plan, namespace="other").id, _plan().id}) == 4


def _view(count: int, share: float = 0.3) -> FakeView:
    return FakeView([memory(n) for n in range(count)], [category(policy=Policy(max_share_per_run=share))])


@given(count=st.integers(1, 40), touched=st.integers(0, 40), share=st.floats(0, 1))
def test_a_share_passed_makes_all_automatic_actions_ask(count, touched, share):
    touched = min(touched, count)
    plan = limited(_plan(*(_action(f"m{n:06d}") for n in range(touched))), _view(count, share))
    over = count >= 10 and touched > share * count
    assert bool(plan.stops) is over
    assert all((a.confirm is Confirm.ASK) is over for a in plan.actions)
    if over:
        [stop] = plan.stops
        assert (stop.category, stop.touched, stop.total, stop.limit) == ("notes", touched, count, share)


def test_one_memory_touched_twice_counts_once():
    twice = [_action("m000001"), _action("m000001", verb=Verb.FLAG), _action("m000002"), _action("m000003")]
    assert limited(_plan(*twice), _view(10)).stops == ()


def test_a_stop_leaves_never_alone_other_categories_alone_and_the_id_alone():
    other = category("other")
    view = FakeView([memory(n) for n in range(10)], [category(), other])
    quiet = _action("m000009", confirm=Confirm.NEVER)
    plan = _plan(*(_action(f"m{n:06d}") for n in range(8)), quiet, _action("x", place="other"))
    held = limited(plan, view)
    assert [a.confirm for a in held.actions[-2:]] == [Confirm.NEVER, Confirm.AUTO]
    assert held.id == plan.id


def test_summaries_take_nothing_away_and_do_not_count():
    summary = _action(*(f"m{n:06d}" for n in range(10)), verb=Verb.SUMMARISE)
    assert limited(_plan(summary), _view(10)).stops == ()


def test_a_category_no_longer_configured_has_no_share_to_pass():
    rows = [memory(n, category="gone") for n in range(20)]
    plan = _plan(*(_action(m.id, place="gone") for m in rows))
    assert limited(plan, FakeView(rows, [])).stops == ()


def test_a_note_keeps_its_key_while_its_figures_grow_and_changes_it_with_its_parts():
    one = Note("too_large", {"count": 900}, "notes", (Part("Bells", 500, ("a",)), Part("Salt", 400, ("b",))))
    more = Note("too_large", {"count": 950}, "notes", (Part("Salt", 430, ("c",)), Part("Bells", 520, ("a",))))
    assert one.key == more.key
    others = [replace(one, category="ideas"), replace(one, code="unused"), replace(one, parts=one.parts[:1])]
    assert len({one.key, *(o.key for o in others)}) == 4
