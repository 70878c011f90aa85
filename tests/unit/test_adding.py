"""Adding: what is taken in, what is refused and why, and where it goes."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest

from hmf.errors import Conflict, InvalidInput, NotFound, Refused, UnknownCategory
from hmf.memory import Authority, Kind, RoutedBy, Status
from hmf.policy.sentences import say
from tests.service import LIGHT, open_memory


@pytest.mark.parametrize(
    "text",
    ["", "   \n\t", "a\0b", "lone \ud800 surrogate", "\x07bell"],
    ids=["empty", "blank", "nul", "surrogate", "control"],
)
def test_a_text_that_cannot_be_kept_is_refused_with_a_reason(hmf, text):
    with pytest.raises(InvalidInput) as refused:
        hmf.add(text)
    assert str(refused.value)
    assert hmf.memories() == []


def test_five_megabytes_are_refused_with_the_limit(hmf):
    with pytest.raises(InvalidInput, match=r"1[ ,.]?000[ ,.]?000"):
        hmf.add("mot " * 1_300_000)
    assert hmf.memories() == []


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"kind": "rumour"}, "kind"),
        ({"colour": "red"}, "colour"),
        ({"namespace": "../x"}, "namespace"),
        ({"at": datetime(2026, 1, 1)}, "time zone"),  # noqa: DTZ001 - naive on purpose
        ({"at": "yesterday"}, "not a date"),
        ({"at": datetime(2027, 8, 2, tzinfo=UTC)}, "future"),
        ({"expires_at": "2020-01-01"}, "not after"),
        ({"fresh_for": "30"}, "duration"),
        ({"fresh_for": "3m"}, "mo"),
    ],
)
def test_a_wrong_field_is_named(hmf, values, said):
    with pytest.raises(InvalidInput, match=said):
        hmf.add("A fine text.", **values)
    assert hmf.memories() == []


def test_a_date_without_a_zone_is_the_users(hmf):
    added = hmf.add("Rendu du dossier.", valid_from="2026-12-04")
    assert added.memory.valid_from == datetime(2026, 12, 3, 23, tzinfo=UTC)


def test_an_expiry_day_lasts_to_its_local_end(hmf):
    added = hmf.add("Offer ends.", expires_at="2026-12-01")
    assert added.memory.expires_at == datetime(2026, 12, 1, 23, tzinfo=UTC)


def test_the_same_text_again_is_a_duplicate_and_verifies(hmf, clock):
    first = hmf.add("Je relis sur papier.")
    clock.forward(days=3)
    again = hmf.add("je  relis sur papier.")
    assert (again.outcome, again.id) == ("duplicate", first.id)
    assert hmf.get(first.id).verified_at == clock()
    assert len(hmf.memories()) == 1


def test_the_same_text_of_another_project_or_namespace_is_another_memory(hmf):
    ids = {
        hmf.add("Chapter 3 is done.").id,
        hmf.add("Chapter 3 is done.", project="Acme").id,
        hmf.add("Chapter 3 is done.", namespace="other").id,
    }
    assert len(ids) == 3


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Invoice 2026-041, 480 euros", "Invoice 2026-042, 480 euros"),
        ("Brume accepte le je", "Brume n'accepte plus le je"),
        ("Draft B due 15 October", "Draft C due 16 October"),
        ("Chapter 3: 1,800 words", "Chapter 13: 1,800 words"),
        ("espèce non décrite en 1902", "espèce non revue en 1950"),
    ],
)
def test_near_twins_are_two_memories(hmf, one, two):
    assert [hmf.add(text).outcome for text in (one, two)] == ["created", "created"]


def test_what_replaces_retires_the_head_of_the_chain(hmf, clock):
    first = hmf.add("Le Cèdre paie à 30 jours.")
    clock.forward(days=1)
    second = hmf.add("Le Cèdre paie à 45 jours.", supersedes=first.id)
    clock.forward(days=1)
    third = hmf.add("Le Cèdre paie à 60 jours.", supersedes=first.id)
    assert third.superseded == (second.id,)
    assert [hmf.get(a.id).status for a in (first, second, third)] == [
        Status.SUPERSEDED,
        Status.SUPERSEDED,
        Status.CONFIRMED,
    ]
    assert hmf.get(second.id).superseded_by == third.id


def test_a_chain_may_come_in_one_stream(hmf):
    a, b = list(hmf.add_many([{"text": "v1"}, {"text": "v2"}]))
    c, d = list(hmf.add_many([{"text": "v3", "supersedes": a.id}, {"text": "v4", "supersedes": a.id}]))
    assert c.superseded == (a.id,)
    assert d.superseded == (c.id,)
    assert hmf.get(b.id).current
    assert sorted(m.text for m in hmf.memories(status="superseded")) == ["v1", "v3"]


def test_a_retired_text_may_become_true_again(hmf, clock):
    first = hmf.add("Tea.")
    clock.forward(days=1)
    second = hmf.add("Coffee.", supersedes=first.id)
    clock.forward(days=1)
    third = hmf.add("Tea.", supersedes=second.id)
    assert third.outcome == "created"
    assert hmf.get(third.id).current


def test_one_addition_retires_only_so_many(hmf):
    old = [hmf.add(f"Version {n}").id for n in range(5)]
    with pytest.raises(Refused, match="at most 3"):
        hmf.add("The one version", supersedes=old)
    assert all(hmf.get(i).current for i in old)
    assert len(hmf.memories()) == 5


def test_a_lower_authority_does_not_retire_a_higher(hmf):
    mine = hmf.add("Invoices go to the old account.")
    page = hmf.add("Invoices go to the new account.", source="web", supersedes=mine.id)
    assert (page.outcome, page.superseded) == ("created", ())
    assert page.warnings[-1].code == "higher_authority"
    assert hmf.get(mine.id).current


def test_a_relative_day_is_kept_with_its_date(hmf):
    added = hmf.add("Rendez-vous demain à 15 h avec Solenn.", at="2026-11-19T10:00:00+01:00")
    assert "2026-11-20" in added.memory.tags
    assert found_text(hmf, "rendez-vous 2026-11-20") == [added.memory.text]


def test_an_earlier_truth_does_not_retire_a_later(hmf):
    late = hmf.add("Deadline 10 May.", valid_from="2026-05-01")
    early = hmf.add("Deadline 1 May.", valid_from="2026-04-01", supersedes=late.id)
    assert early.superseded == ()
    assert hmf.get(late.id).current


def test_replacing_what_is_not_there_says_so_and_stores_nothing(hmf):
    mine = hmf.add("Mine.", namespace="a")
    with pytest.raises(NotFound):
        hmf.add("Yours.", namespace="b", supersedes=mine.id)
    forgotten = hmf.add("Gone.")
    hmf.forget(forgotten.id)
    with pytest.raises(Conflict, match="forgotten"):
        hmf.add("New.", supersedes=forgotten.id)
    assert [m.text for m in hmf.memories()] == []


@pytest.mark.parametrize("source", ["import", "session", "extraction", "replay"])
def test_a_machine_does_not_bring_back_what_was_forgotten_and_a_person_does(hmf, source):
    first = hmf.add("Embarrassing.")
    hmf.forget(first.id)
    refused = hmf.add("embarrassing.", source=source)
    assert (refused.outcome, refused.id) == ("refused", None)
    assert "forgotten on 30 November 2026" in say(refused.warnings[0], "en")
    again = hmf.add("Embarrassing.")
    assert again.outcome == "created"
    assert hmf.add("Embarrassing.", source=source).outcome == "duplicate"


# C42: unknown categories are an error or a visible fallback, and nothing is lost.


@pytest.mark.parametrize("name", ["recherches", "misc", "default", "client project", "../x", "con", "é" * 300])
def test_an_unknown_category_is_an_error_that_lists_the_known(hmf, name):
    with pytest.raises(UnknownCategory, match="article-ideas"):
        hmf.add("A text.", category=name)
    assert hmf.memories() == []


@pytest.mark.parametrize("name", ["tasks", "Tâches", "TACHES", "tâches ", "Tasks"])
def test_a_category_is_found_by_name_or_label_without_case_or_accents(hmf, name):
    added = hmf.add("Envoyer la facture.", category=name)
    assert (added.category, added.route.by) == ("tasks", RoutedBy.EXPLICIT)


@pytest.mark.parametrize("name", [None, "", "  "])
def test_no_category_is_routed_and_what_nobody_claims_waits_in_sight(hmf, name):
    added = hmf.add("xqzt 4417", category=name)
    assert added.outcome == "created"
    assert added.category == "inbox"
    assert added.warnings[0].values["category"] == "inbox"


def test_a_category_taken_out_of_the_configuration_keeps_its_memories(tmp_path, clock):
    with open_memory(tmp_path, clock) as hmf:
        ids = [hmf.add(f"Heron fact {n}", category="research-notes").id for n in range(5)]
        known = dict(hmf.settings.model_dump(mode="json", exclude_unset=True)["categories"])
    smaller = {name: c for name, c in known.items() if name != "research-notes"}
    with open_memory(tmp_path, clock, {**LIGHT, "categories": smaller}) as hmf:
        assert {h.memory.id for h in hmf.search("heron fact", k=10).hits} == set(ids)
        assert "research-notes" in hmf.stats()["unconfigured"]
        assert not all(check.well for check in hmf.doctor())
        hmf.move(ids[0], "tasks")
        assert hmf.get(ids[0]).category == "tasks"
        assert ids[0] in {h.memory.id for h in hmf.search("heron fact", k=10).hits}


def test_the_router_learns_from_a_correction(hmf):
    first = hmf.add("Bronze heron sculpture of the estuary museum")
    assert first.category != "research-notes"
    hmf.move(first.id, "research-notes")
    second = hmf.add("Bronze heron sculptures of the estuary museum")
    assert second.category == "research-notes"
    assert second.route.by in (RoutedBy.LEARNT, RoutedBy.EMBEDDING)


# C23 and its opposite: secrets never enter, in any field; their false friends are left alone.


def found_text(hmf, query):
    return [hit.memory.text for hit in hmf.search(query).hits]


def fake_token() -> str:
    return "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize("field", ["text", "title", "project", "tags", "source"])
def test_a_secret_never_enters(hmf, field):
    token = fake_token()
    values = {"text": "A note.", field: f"use {token}"}
    if field == "source":
        values["source"] = {"type": "web", "ref": f"https://x.example/?t={token}"}
    added = hmf.add(**values)
    assert added.outcome == "created"
    assert added.warnings[0].code == "secret_redacted"
    everything = "\n".join([*hmf.export(), str(hmf.log()), str(hmf.history(added.id))])
    assert token not in everything


def test_secrets_can_be_refused_or_let_in(tmp_path, clock):
    with open_memory(tmp_path / "a", clock, {**LIGHT, "screening": {"secrets": "refuse"}}) as hmf:
        assert hmf.add(f"Key {fake_token()}").outcome == "refused"
        assert hmf.memories() == []
    with open_memory(tmp_path / "b", clock, {**LIGHT, "screening": {"secrets": "allow"}}) as hmf:
        assert fake_token() in hmf.add(f"Key {fake_token()}").memory.text


@pytest.mark.parametrize(
    "text",
    [
        "L'éditeur refuse toute clé API en annexe",
        "ISBN 978-2-00-000000-2",
        "550e8400-e29b-41d4-a716-446655440000",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "doi:10.1000/182",
        "le mot de passe des sourciers est « eau vive »",
        "pages 0612345678",
    ],
)
def test_false_friends_are_stored_unchanged(hmf, text):
    added = hmf.add(text)
    assert added.memory.text == text


def test_kinds_and_authority_follow_what_is_said_and_by_whom(hmf):
    assert hmf.add("Je préfère relire sur papier.").memory.kind is Kind.PREFERENCE
    guess = hmf.add("Maybe the ferry ran until 1962.")
    assert guess.memory.status is Status.HYPOTHESIS
    assert guess.memory.authority is Authority.HYPOTHESIS
    assert hmf.add("The contract says 30 days.", source="contract").memory.authority is Authority.CANONICAL


# C49: writers at the same moment.


def at_once(count, action):
    results, start = [], threading.Barrier(count)

    def go(n):
        start.wait()
        results.append(action(n))

    threads = [threading.Thread(target=go, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_twenty_identical_adds_are_one(hmf):
    results = at_once(20, lambda n: hmf.add("The same thing."))
    assert sorted(r.outcome for r in results) == ["created"] + ["duplicate"] * 19
    assert len({r.id for r in results}) == 1


def test_twenty_different_adds_are_twenty_and_searchable_meanwhile(hmf):
    results = at_once(20, lambda n: (hmf.add(f"Distinct heron {n}"), hmf.search("heron"))[0])
    assert {r.outcome for r in results} == {"created"}
    assert len(hmf.memories()) == 20


def test_two_replacements_at_once_leave_one_current(hmf, clock):
    old = hmf.add("Version zero.")
    at_once(2, lambda n: hmf.add(f"Version {n + 1}.", supersedes=old.id))
    assert len([m for m in hmf.memories() if m.current]) == 1


def test_add_many_takes_a_stream_without_holding_it(hmf):
    def notes():
        for n in range(300):
            yield {"text": f"Streamed note {n}", "at": hmf.store.now() - timedelta(minutes=n)}

    results = hmf.add_many(notes())
    assert next(results).outcome == "created"
    assert sum(1 for r in results if r.outcome == "created") == 299


def test_a_wrong_note_in_a_stream_leaves_the_parts_before_it(hmf):
    notes = [{"text": f"Note {n}"} for n in range(130)] + [{"text": ""}]
    with pytest.raises(InvalidInput):
        list(hmf.add_many(notes))
    assert len(hmf.memories(limit=None)) == 128
