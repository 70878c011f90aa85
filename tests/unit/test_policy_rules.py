"""The evaluation of policies as a whole: rules in order, the last so many, and what may never happen."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hmf.durations import Duration
from hmf.memory import (
    Clock,
    Confirm,
    FinishedRule,
    Keep,
    Kind,
    Memory,
    Policy,
    PolicyRule,
    Project,
    Source,
    Status,
    Tier,
    When,
)
from hmf.policy.conditions import covers, decoded, encoded, every_policy, fits, governing
from hmf.policy.reach import Reach, expiry_reach, stale_reach
from hmf.policy.retention import AGELESS, BY_AGE, Fate, verdict
from hmf.policy.sentences import policy_sentences
from jobs.archive import job as archive
from jobs.expire import job as expire
from tests.unit.fake_view import NOW, FakeView, category, memory

NAMES = st.sampled_from(["Acme", "acme", "Le Cèdre"])
SOURCES = st.sampled_from(["user", "web", "Email"])
LANGUAGES = st.sampled_from(["fr", "en", "de"])
WHENS = st.builds(
    When,
    kinds=st.frozensets(st.sampled_from(Kind), max_size=3),
    statuses=st.frozensets(st.sampled_from(Status), max_size=2),
    projects=st.frozensets(NAMES, max_size=2),
    sources=st.frozensets(SOURCES, max_size=2),
    languages=st.frozensets(LANGUAGES, max_size=2),
)
LIMITS = st.none() | st.builds(Duration, days=st.integers(1, 90))
CLOCKS = st.lists(st.sampled_from(Clock), min_size=1, unique=True).map(tuple)
PLAIN = st.builds(
    Policy,
    stale_after=LIMITS,
    expire_after=LIMITS,
    archive_to=st.sampled_from([None, "shelf"]),
    confirm=st.sampled_from(Confirm),
    keep=st.builds(
        Keep,
        kinds=st.frozensets(st.sampled_from(Kind), max_size=4),
        tags=st.frozensets(st.just("gold")),
        last=st.just(0),
    ),
    touched_by=CLOCKS,
    on_project_finished=st.none() | st.builds(FinishedRule, after=st.builds(Duration, days=st.integers(1, 60))),
)
POLICIES = st.builds(
    lambda base, rules, last: replace(
        base, rules=tuple(PolicyRule(*one) for one in rules), keep=replace(base.keep, last=last)
    ),
    PLAIN,
    st.lists(st.tuples(WHENS, PLAIN), max_size=3),
    st.integers(0, 6),
)
AGES = st.integers(-20, 150).map(lambda days: NOW - timedelta(days=days))
MEMORIES = st.builds(
    lambda number, **fields: memory(number, **fields),
    st.integers(0, 999_999),
    at=AGES,
    valid_from=AGES,
    verified_at=st.none() | AGES,
    expires_at=st.none() | AGES,
    kind=st.sampled_from(Kind),
    status=st.sampled_from(Status),
    tier=st.sampled_from([Tier.DETAIL, Tier.DETAIL, Tier.ARCHIVE]),
    project=st.none() | NAMES,
    source=SOURCES.map(Source),
    language=st.sampled_from(["fr", "fr-CA", "en", "de"]),
    tags=st.sampled_from([(), ("Gold",)]),
    pinned=st.booleans(),
)
PROJECTS = {"Acme": Project("ws", "Acme", NOW - timedelta(days=40)), "acme": Project("ws", "acme")}
ZONES = st.sampled_from(["Europe/Paris", "Pacific/Auckland", "America/Los_Angeles"]).map(ZoneInfo)


def judge(one: Memory, policy: Policy, *, now: datetime = NOW, zone=UTC, last=()):
    return verdict(one, category(policy=policy), PROJECTS, now, zone, last=last)


ONE = memory(1, kind=Kind.TASK, status=Status.TO_VERIFY, project="Le Cèdre", source=Source("Email"), language="fr-CA")


@pytest.mark.parametrize(
    ("given", "fitting"),
    [
        (When(), True),
        (When(kinds=frozenset({Kind.TASK, Kind.NOTE})), True),
        (When(kinds=frozenset({Kind.NOTE})), False),
        (When(statuses=frozenset({Status.TO_VERIFY})), True),
        (When(statuses=frozenset({Status.CONFIRMED})), False),
        (When(projects=frozenset({"le cèdre"})), True),
        (When(projects=frozenset({"Cèdre"})), False),
        (When(sources=frozenset({"web", "email"})), True),
        (When(sources=frozenset({"web"})), False),
        (When(languages=frozenset({"fr"})), True),
        (When(languages=frozenset({"en"})), False),
        (When(kinds=frozenset({Kind.TASK}), languages=frozenset({"en"})), False),
    ],
)
def test_a_condition_holds_by_any_of_its_values_and_all_must_hold(given: When, fitting: bool) -> None:
    assert fits(given, ONE) is fitting


def test_what_has_no_project_is_of_none() -> None:
    assert not fits(When(projects=frozenset({"Acme"})), memory(1))


def test_the_first_rule_that_fits_decides_and_its_reason_names_it() -> None:
    french, tasks = When(languages=frozenset({"fr"})), When(kinds=frozenset({Kind.TASK}))
    base = Policy(stale_after=Duration(days=60))
    rules = (
        PolicyRule(french, replace(base, stale_after=Duration(days=5), archive_to="shelf", confirm=Confirm.AUTO)),
        PolicyRule(tasks, replace(base, stale_after=None, expire_after=Duration(days=8))),
    )
    old = {"at": NOW - timedelta(days=10)}
    ruled = replace(base, rules=rules)
    first = judge(memory(1, kind=Kind.TASK, language="fr", **old), ruled)
    assert (first.code, first.archive_to, first.confirm) == ("stale", "shelf", Confirm.AUTO)
    assert (first.values["limit"], decoded(first.values["when"])) == ("5d", french)
    second = judge(memory(1, kind=Kind.TASK, language="en", **old), ruled)
    assert (second.code, second.values["limit"], decoded(second.values["when"])) == ("expired_age", "8d", tasks)
    assert judge(memory(1, language="en", **old), ruled) is None
    turned = judge(memory(1, kind=Kind.TASK, language="fr", **old), replace(base, rules=rules[::-1]))
    assert turned.code == "expired_age"
    third = judge(memory(1, language="en", at=NOW - timedelta(days=61)), ruled)
    assert (third.code, "when" in third.values) == ("stale", False)


@given(WHENS)
def test_a_condition_survives_its_reason(when: When) -> None:
    assert decoded(encoded(when)) == when


@given(WHENS, WHENS, MEMORIES)
def test_a_wider_condition_fits_whatever_the_narrower_fits(wide: When, narrow: When, one: Memory) -> None:
    if covers(wide, narrow) and fits(narrow, one):
        assert fits(wide, one)
    assert covers(wide, wide)


@given(MEMORIES, POLICIES, ZONES, st.booleans())
def test_no_policy_reaches_the_pinned_nor_age_the_kept_and_the_last(one, policy, zone, is_last) -> None:
    found = judge(one, policy, zone=zone, last={one.id} if is_last else ())
    if found is None:
        return
    _, own = governing(policy, one)
    assert not one.pinned
    if found.code in BY_AGE:
        assert not is_last
        assert one.kind not in own.keep.kinds | AGELESS
        assert not (own.keep.tags and one.tags)
        limit = own.stale_after if found.fate is Fate.ARCHIVE else own.expire_after
        assert limit.after(max(filter(None, map(one.clock, own.touched_by)), default=one.learnt_at), zone) <= NOW


LADDER = {None: 0, "stale": 1, "expired_age": 2, "project_finished": 3, "expired": 4}


@given(MEMORIES, POLICIES, ZONES, st.integers(1, 400))
def test_a_verdict_is_never_taken_back_by_time(one, policy, zone, days) -> None:
    before, after = judge(one, policy, zone=zone), judge(one, policy, zone=zone, now=NOW + timedelta(days=days))
    assert LADDER[after and after.code] >= LADDER[before and before.code]


@given(MEMORIES, POLICIES, ZONES)
def test_what_a_view_leaves_out_beforehand_no_rule_would_have_taken(one, policy, zone) -> None:
    found = judge(one, policy, zone=zone)
    if found is None or found.code not in BY_AGE:
        return
    reach = (stale_reach if found.fate is Fate.ARCHIVE else expiry_reach)(policy, NOW, zone)
    assert reach is not None
    latest = max(filter(None, map(one.clock, Clock)))
    assert reach.touched_before is None or latest < reach.touched_before
    assert not reach.kinds or one.kind in reach.kinds


def test_a_policy_reaches_as_far_as_the_shortest_limit_of_its_rules() -> None:
    week, notes = Duration(weeks=1), When(kinds=frozenset({Kind.NOTE}))
    ruled = Policy(rules=(PolicyRule(notes, Policy(stale_after=week)),))
    assert stale_reach(ruled, NOW, UTC) == Reach(NOW - timedelta(days=7) + timedelta(microseconds=1), (Kind.NOTE,))
    assert stale_reach(replace(ruled, stale_after=Duration(days=60)), NOW, UTC).kinds == ()
    assert expiry_reach(ruled, NOW, UTC) is None
    by_one = PolicyRule(notes, Policy(stale_after=week, touched_by=(Clock.LEARNT,)))
    assert stale_reach(Policy(rules=(by_one,)), NOW, UTC).touched_before is None


@settings(max_examples=40)
@given(st.lists(MEMORIES, max_size=14, unique_by=lambda m: m.id), POLICIES)
def test_the_plans_do_to_each_memory_what_its_verdict_says(rows, policy) -> None:
    shelf = category("shelf")
    view = FakeView(rows, [category(policy=policy), shelf], projects=list(PROJECTS.values()))
    last = view.youngest("notes", policy.touched_by, policy.keep.last) if policy.keep.last else set()
    said = {m.id: found for m in rows if (found := judge(m, policy, last=last))}
    archived = {t.id: a for a in archive.plan(view, NOW).actions for t in a.targets}
    assert set(archived) == {i for i, found in said.items() if found.fate is Fate.ARCHIVE}
    assert all(action.to_category == said[i].archive_to for i, action in archived.items())
    gone = {t.id for a in expire.plan(view, NOW).actions if a.verb == "forget" for t in a.targets}
    assert gone == {i for i, found in said.items() if found.fate is Fate.FORGET}


@given(st.lists(st.integers(0, 40), min_size=1, max_size=30), st.integers(1, 30))
def test_the_last_so_many_stay_and_those_before_them_go(ages: list[int], last: int) -> None:
    rows = [memory(n, at=NOW - timedelta(days=20 + age)) for n, age in enumerate(ages)]
    policy = Policy(stale_after=Duration(days=10), keep=Keep(last=last), max_share_per_run=1)
    view = FakeView(rows, [category(policy=policy)])
    gone = {t.id for action in archive.plan(view, NOW).actions for t in action.targets}
    by_age = sorted(rows, key=lambda m: (m.learnt_at, m.id))
    assert gone == {m.id for m in by_age[: max(len(rows) - last, 0)]}


@given(POLICIES)
def test_a_policy_says_as_much_in_french_as_in_english(policy: Policy) -> None:
    french, english = (policy_sentences(category(policy=policy), language) for language in ("fr", "en"))
    assert [line.split()[0].rstrip(".").isdigit() for line in french] == [
        line.split()[0].rstrip(".").isdigit() for line in english
    ]
    for one in every_policy(policy):
        for limit in filter(None, (one.stale_after, one.expire_after)):
            assert any(limit.say("fr") in line for line in french)
            assert any(limit.say("en") in line for line in english)
