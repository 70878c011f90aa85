"""Which memories have had their time."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.durations import Duration
from hmf.memory import Clock, Confirm, FinishedRule, Keep, Kind, Policy, Project, Route, RoutedBy, State, Status, Tier
from hmf.policy.retention import AGELESS, Fate, touched, verdict
from hmf.reason import Reason
from tests.unit.fake_view import NOW, category, memory

PARIS = ZoneInfo("Europe/Paris")
OLD = NOW - timedelta(days=100)
SIXTY = Duration(days=60)
STALE = Policy(stale_after=SIXTY)
SHORT = Policy(expire_after=Duration(weeks=2), confirm=Confirm.AUTO)
DONE = Policy(on_project_finished=FinishedRule(Duration(days=30)), confirm=Confirm.AUTO)


def judge(one, policy, *, now=NOW, zone=UTC, projects=()):
    return verdict(one, category(policy=policy), {p.name: p for p in projects}, now, zone)


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "Europe/Paris", "America/Los_Angeles", "UTC"])
@pytest.mark.parametrize("day", [datetime(2026, 12, 1), datetime(2026, 3, 29), datetime(2026, 10, 25)])  # noqa: DTZ001
def test_a_date_is_valid_through_that_day_where_the_user_is(zone, day):
    here = ZoneInfo(zone)
    one = memory(1, at=OLD, expires_at=(day + timedelta(days=1)).replace(tzinfo=here).astimezone(UTC))

    def at(moment):
        return judge(one, Policy(), now=moment.replace(tzinfo=here).astimezone(UTC), zone=here)

    assert at(day - timedelta(minutes=1)) is None
    assert at(day + timedelta(hours=23, minutes=59)) is None
    found = at(day + timedelta(days=1, minutes=1))
    assert (found.fate, found.code, found.values) == (Fate.FORGET, "expired", {"date": day.date().isoformat()})


@pytest.mark.parametrize("kind", sorted(AGELESS))
def test_a_decision_or_constraint_is_never_touched_by_age_even_where_the_policy_forgot_it(kind):
    forgetful = Policy(stale_after=SIXTY, expire_after=SIXTY, keep=Keep(frozenset()))
    assert judge(memory(1, at=OLD, kind=kind), forgetful) is None
    assert judge(memory(1, at=OLD), forgetful) is not None


def test_stale_says_how_long_and_what_the_limit_is():
    found = judge(memory(1, at=NOW - timedelta(days=75)), STALE)
    assert (found.fate, found.code, found.confirm) == (Fate.ARCHIVE, "stale", Confirm.ASK)
    assert found.values == {"days": 75, "limit": "60d", "clock": "learnt", "since": "2026-09-16"}


@pytest.mark.parametrize(("days", "stale"), [(59, False), (60, True), (61, True)])
def test_the_limit_itself_is_reached_on_its_day(days, stale):
    assert (judge(memory(1, at=NOW - timedelta(days=days)), STALE) is not None) is stale


def test_a_day_across_the_change_of_clocks_is_a_calendar_day():
    before = datetime(2026, 10, 24, 9, 0, tzinfo=PARIS).astimezone(UTC)
    one, policy = memory(1, at=before), Policy(stale_after=Duration(days=1))
    nine = datetime(2026, 10, 25, 9, 0, tzinfo=PARIS).astimezone(UTC)
    assert nine - before == timedelta(hours=25)
    assert judge(one, policy, now=nine - timedelta(minutes=1), zone=PARIS) is None
    assert judge(one, policy, now=nine, zone=PARIS) is not None


@pytest.mark.parametrize("clock", ["valid_from", "learnt_at", "verified_at"])
def test_any_counted_clock_keeps_a_memory_young_and_the_future_is_no_age(clock):
    for moment in (NOW - timedelta(days=1), NOW + timedelta(days=400)):
        assert judge(memory(1, at=OLD, **{clock: moment}), STALE) is None


def test_only_the_clocks_the_policy_counts_are_read():
    one = memory(1, at=OLD, valid_from=NOW + timedelta(days=30), verified_at=NOW)
    assert touched(one, (Clock.LEARNT,)) == OLD
    assert judge(one, Policy(stale_after=SIXTY, touched_by=(Clock.LEARNT,))).values["days"] == 100
    assert touched(memory(1, at=OLD), (Clock.VERIFIED,)) == OLD  # never verified: since it was learnt


def test_the_age_limit_wins_over_staleness_and_the_date_over_both():
    both = Policy(stale_after=SIXTY, expire_after=Duration(days=90))
    assert judge(memory(1, at=OLD), both).code == "expired_age"
    assert judge(memory(1, at=OLD, expires_at=NOW), both).code == "expired"


def test_what_is_out_of_reach():
    for one in (
        memory(1, at=OLD, pinned=True, expires_at=NOW),
        memory(1, at=OLD, state=State.FORGOTTEN),
        memory(1, at=OLD, tier=Tier.SUMMARY, summary_of=("a",)),
        memory(1, at=OLD, tier=Tier.ARCHIVE, summary_of=("a",)),
        memory(1, at=OLD, tier=Tier.WORKING),
    ):
        assert judge(one, Policy(stale_after=SIXTY, expire_after=SIXTY)) is None


def test_the_archived_is_let_go_but_not_archived_again():
    one = memory(1, at=OLD, tier=Tier.ARCHIVE)
    assert judge(one, STALE) is None
    assert judge(one, SHORT).fate is Fate.FORGET


def test_kept_tags_are_read_without_case():
    policy = Policy(stale_after=SIXTY, expire_after=SIXTY, keep=Keep(tags=frozenset({"Été"})))
    assert judge(memory(1, at=OLD, tags=("été",)), policy) is None
    assert judge(memory(1, at=OLD, tags=("hiver",)), policy) is not None


def test_a_date_on_something_kept_is_heard_but_asked_about():
    auto = Policy(confirm=Confirm.AUTO, keep=Keep(tags=frozenset({"contrat"})))
    assert judge(memory(1, expires_at=NOW), auto).confirm is Confirm.AUTO
    assert judge(memory(1, expires_at=NOW, kind=Kind.DECISION), auto).confirm is Confirm.ASK
    assert judge(memory(1, expires_at=NOW, tags=("contrat",)), auto).confirm is Confirm.ASK


@pytest.mark.parametrize(
    ("by", "confidence", "confirm"),
    [
        (RoutedBy.EXPLICIT, 0.1, Confirm.AUTO),
        (RoutedBy.RULE, 0.5, Confirm.AUTO),
        (RoutedBy.EMBEDDING, 0.9, Confirm.AUTO),
        (RoutedBy.EMBEDDING, 0.89, Confirm.ASK),
        (RoutedBy.INBOX, 0.99, Confirm.ASK),
    ],
)
def test_what_lies_here_only_by_doubt_is_not_let_go_unasked(by, confidence, confirm):
    one = memory(1, at=OLD, route=Route("notes", confidence, by, Reason("")))
    assert judge(one, SHORT).confirm is confirm


@pytest.mark.parametrize("confirm", [Confirm.ASK, Confirm.NEVER])
def test_doubt_never_loosens_what_the_policy_asks(confirm):
    one = memory(1, at=OLD, route=Route("notes", 0.1, RoutedBy.INBOX, Reason("")))
    assert judge(one, Policy(expire_after=SIXTY, confirm=confirm)).confirm is confirm


ACME = Project("ws", "Acme", finished_at=NOW - timedelta(days=31))


def test_details_of_a_finished_project_go_and_what_the_rule_keeps_stays():
    found = judge(memory(1, at=OLD, project="Acme"), DONE, projects=[ACME])
    assert (found.fate, found.code) == (Fate.FORGET, "project_finished")
    assert found.values == {"project": "Acme", "date": "2026-10-30", "delay": "30d"}
    for kind in (Kind.DECISION, Kind.CONSTRAINT, Kind.LESSON, Kind.PREFERENCE):
        assert judge(memory(1, at=OLD, project="Acme", kind=kind), DONE, projects=[ACME]) is None


@pytest.mark.parametrize(
    "project",
    [
        Project("ws", "Acme"),
        Project("ws", "Acme", finished_at=NOW - timedelta(days=29)),
        Project("ws", "Acme", finished_at=NOW + timedelta(days=3)),
        Project("ws", "Acme 2", finished_at=NOW - timedelta(days=300)),
    ],
)
def test_an_open_just_finished_or_namesake_project_keeps_its_details(project):
    assert judge(memory(1, at=OLD, project="Acme"), DONE, projects=[project]) is None


def test_a_note_after_the_end_of_a_project_has_its_own_delay():
    late = memory(1, at=NOW - timedelta(days=10), project="Acme")
    assert judge(late, DONE, projects=[ACME]) is None
    assert judge(late, DONE, projects=[ACME], now=NOW + timedelta(days=21)) is not None


MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
ZONES = st.sampled_from(["Europe/Paris", "Pacific/Auckland", "America/Los_Angeles", "UTC"]).map(ZoneInfo)


@given(
    at=MOMENTS,
    now=MOMENTS,
    zone=ZONES,
    kind=st.sampled_from(Kind),
    status=st.sampled_from(Status),
    tier=st.sampled_from(Tier),
    pinned=st.booleans(),
    limit=st.integers(1, 400),
)
def test_age_never_reaches_the_young_the_pinned_or_the_kept(at, now, zone, kind, status, tier, pinned, limit):
    policy = Policy(stale_after=Duration(days=limit), expire_after=Duration(days=2 * limit))
    one = memory(1, at=at, kind=kind, status=status, tier=tier, pinned=pinned)
    found = judge(one, policy, now=now, zone=zone)
    if found is None:
        return
    assert not pinned
    assert kind not in AGELESS
    assert tier in (Tier.DETAIL, Tier.ARCHIVE)
    days = limit if found.fate is Fate.ARCHIVE else 2 * limit
    assert now - at >= timedelta(days=days, hours=-2)  # a local day can be an hour shorter


@given(at=MOMENTS, zone=ZONES, later=st.integers(2, 4000))
def test_what_is_stale_stays_stale(at, zone, later):
    now = STALE.stale_after.after(at, zone) + timedelta(hours=2)
    assert judge(memory(1, at=at), STALE, now=now, zone=zone) is not None
    assert judge(memory(1, at=at), STALE, now=now + timedelta(hours=later), zone=zone) is not None
