"""Changes by order: each is journalled, each but an erasure is undone in one call, none reaches too far."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

import pytest

from hmf.errors import Conflict, HmfError, InvalidInput, NotFound, Refused, StoreDamaged, UnknownCategory
from hmf.memory import Memory, RoutedBy, State, Tier
from hmf.reason import Reason
from tests.service import EDGE, LIGHT, open_memory


def rows(hmf, namespace="default") -> dict[str, Memory]:
    return {m.id: m for forgotten in (False, True) for m in hmf.memories(limit=None, forgotten=forgotten)}


def found(hmf, query, **more):
    return [h.memory.id for h in hmf.search(query, **more).hits]


def test_a_revision_changes_what_is_found_and_keeps_what_was(hmf):
    one = hmf.add("The heron flies north.")
    revised = hmf.revise(one.id, "The stork flies south.")
    assert revised.text == "The stork flies south."
    assert found(hmf, "stork") == [one.id]
    assert found(hmf, "heron") == []
    assert [e.before.text if e.before else None for e in hmf.history(one.id)] == [None, "The heron flies north."]


def test_a_long_text_revised_short_leaves_no_old_chunk(tmp_path, clock):
    with open_memory(tmp_path, clock, EDGE) as hmf:
        long = " ".join(f"Paragraph {n} speaks of the estuary and its tides at length." for n in range(400))
        one = hmf.add(long + " Vézourre closes it.")
        assert one.memory.chunks > 3
        assert found(hmf, "Vézourre") == [one.id]
        hmf.revise(one.id, "Short now.")
        assert found(hmf, "Vézourre") == []
        assert hmf.indexer.verify() == []


@pytest.mark.parametrize("text", ["", "a\0b", "\udc00"])
def test_a_revision_is_checked_like_an_addition(hmf, text):
    one = hmf.add("Fine.")
    with pytest.raises(InvalidInput):
        hmf.revise(one.id, text)
    assert hmf.get(one.id).text == "Fine."


def test_a_revision_to_a_text_that_another_says_is_a_conflict(hmf):
    hmf.add("Taken.")
    two = hmf.add("Free.")
    with pytest.raises(Conflict):
        hmf.revise(two.id, "Taken.")
    assert hmf.get(two.id).text == "Free."


def test_a_move_is_a_correction(hmf):
    one = hmf.add("Something about lighthouses", category="tasks")
    moved = hmf.move(one.id, "Notes de recherche")
    assert (moved.category, moved.route.by) == ("research-notes", RoutedBy.CORRECTION)
    assert found(hmf, "lighthouses", categories=["research-notes"]) == [one.id]
    assert found(hmf, "lighthouses", categories=["tasks"]) == []
    with pytest.raises(UnknownCategory):
        hmf.move(one.id, "nowhere")


def test_forgotten_is_hidden_at_once_and_undo_brings_it_back_equal(hmf):
    one = hmf.add("A heron at dusk.")
    before = hmf.get(one.id)
    done = hmf.forget(one.id, reason="no more")
    assert hmf.get(one.id).state is State.FORGOTTEN
    assert found(hmf, "heron") == []
    undone = hmf.undo(done.id)
    assert undone.changed == (one.id,)
    assert hmf.get(one.id) == before
    assert found(hmf, "heron") == [one.id]
    assert hmf.add("A heron at dusk.", source="import").outcome == "duplicate"


def test_undo_of_undo_forgets_again(hmf):
    one = hmf.add("A heron.")
    undone = hmf.undo(hmf.forget(one.id).id)
    hmf.undo(undone.id)
    assert hmf.get(one.id).state is State.FORGOTTEN
    assert hmf.add("A heron.", source="import").outcome == "refused"


def test_undo_leaves_alone_what_changed_since_and_says_so(hmf):
    one, two = hmf.add("First heron."), hmf.add("Second heron.")
    done = hmf.forget([one.id, two.id])
    hmf.undo(done.id)
    moved = hmf.move(one.id, "tasks")
    with pytest.raises(Conflict, match="already undone"):
        hmf.undo(done.id)
    add_batch = hmf.history(one.id)[0].batch_id
    result = hmf.undo(add_batch)
    assert result.changed == ()
    assert result.skipped == ((one.id, Reason("changed_since")),)
    assert hmf.get(one.id) == moved


def test_undo_of_an_addition_takes_it_out_and_restores_what_it_replaced(hmf):
    one = hmf.add("Version one.")
    before = hmf.get(one.id)
    two = hmf.add("Version two.", supersedes=one.id)
    hmf.undo(hmf.history(two.id)[0].batch_id)
    assert rows(hmf) == {one.id: before}


def test_pinned_and_back(hmf):
    one = hmf.add("Keep me.")
    assert hmf.pin(one.id).pinned
    assert not hmf.pin(one.id, on=False).pinned


def test_a_project_is_finished_once_and_can_be_opened_again(hmf):
    hmf.add("Plan of the piece.", project="Acme")
    done = hmf.project("Acme").finish()
    with pytest.raises(Conflict, match="already finished"):
        hmf.project("Acme").finish()
    hmf.undo(done.id)
    hmf.project("Acme").finish()
    hmf.project("Acme").reopen()
    assert hmf.stats()["projects"] == {"Acme": None}


# C50: no dishonest, no too wide forgetting.


@pytest.mark.parametrize(
    "name", ["nothing", "", "../../x", "/etc/x", "C:\\x", "con", "nul\0", "x" * 300, "%", "______"]
)
def test_an_unknown_id_is_not_found_and_nothing_is_forgotten(hmf, name):
    hmf.add("Stay.")
    for act in (hmf.get, hmf.forget, hmf.erase, hmf.pin, hmf.history, hmf.undo):
        with pytest.raises((NotFound, InvalidInput)):
            act(name)
    assert len(hmf.memories()) == 1


def test_an_empty_choice_is_never_everything(hmf):
    hmf.add("Stay.")
    with pytest.raises(Refused, match="empty"):
        hmf.forget([])
    assert len(hmf.memories()) == 1


def test_one_wrong_id_among_several_forgets_none(hmf):
    one = hmf.add("Stay.")
    with pytest.raises(NotFound):
        hmf.forget([one.id, "missing"])
    assert hmf.get(one.id).state is State.LIVE


def test_another_namespace_is_out_of_reach(hmf):
    theirs = hmf.add("Theirs.", namespace="theirs")
    for act in (hmf.get, hmf.forget, hmf.erase, hmf.pin):
        with pytest.raises(NotFound):
            act(theirs.id)
    with pytest.raises(NotFound):
        hmf.undo(hmf.history(theirs.id, "theirs")[0].batch_id)
    assert found(hmf, "Theirs") == []
    assert found(hmf, "Theirs", namespace="theirs") == [theirs.id]


def test_forgetting_twice_says_it_was_done(hmf):
    one = hmf.add("Once.")
    hmf.forget(one.id)
    again = hmf.forget(one.id)
    assert again.changed == ()
    assert again.skipped == ((one.id, Reason("already_forgotten")),)


def test_a_short_id_works_when_it_is_unique(hmf):
    one = hmf.add("Short.")
    assert hmf.get(one.id[-8:]).id == one.id


def test_erased_is_nowhere(tmp_path, clock):
    home = tmp_path / "home"
    word = "quartzquartz"
    with open_memory(home, clock, EDGE) as hmf:
        one = hmf.add(f"The {word} vein.", project="Mine")
        hmf.revise(one.id, f"The {word} vein, revised.")
        hmf.move(one.id, "research-notes")
        hmf.undo(hmf.forget(one.id, reason=f"The {word} was sold.").id)
        others = [hmf.add(f"Mine note number {n} about galleries.", project="Mine") for n in range(4)]
        hmf.apply(hmf.plan("summarise"))
        done = hmf.erase(one.id)
        assert done.notes[-1].code == "outside"
        with pytest.raises(NotFound):
            hmf.get(one.id)
        with pytest.raises(Refused, match="cannot come back"):
            hmf.undo(done.id)
        assert hmf.add(f"The {word} vein, revised.", source="import").outcome == "refused"
        assert all(hmf.get(o.id) for o in others)
        assert word not in "\n".join(hmf.export())
        assert found(hmf, word) == []
    ledger = (home / "data" / "ledger.db").read_bytes()
    assert word.encode() not in ledger
    assert not [p for p in home.rglob("*-wal") if word.encode() in p.read_bytes()]


# C02: what is forgotten is not repeated by a summary.


@pytest.mark.parametrize("way", ["forget", "erase"])
def test_a_summary_does_not_go_on_saying_what_was_forgotten(hmf, way):
    notes = [
        hmf.add(
            f"The client Lumen wants section {n} to speak of {subject}.", project="Lumen", category="client-projects"
        )
        for n, subject in enumerate(["granite", "quartz", "basalt", "schist", "marble", "chalk"])
    ]
    hmf.apply(hmf.plan("summarise"))
    [summary] = hmf.memories(tier="summary")
    assert notes[1].id in summary.summary_of
    done = getattr(hmf, way)(notes[1].id)
    assert done.notes[0].code == "rewritten"
    after = hmf.get(summary.id)
    assert "quartz" not in after.text
    assert notes[1].id not in after.summary_of
    assert found(hmf, "quartz") == []
    assert "quartz" not in hmf.search("Lumen sections", k=20).as_prompt(5000)


def test_a_summary_of_too_little_goes(hmf):
    notes = [hmf.add(f"Lumen asks for part {n}, about {s}.", project="Lumen", category="client-projects")
             for n, s in enumerate(["granite", "quartz", "basalt"])]  # fmt: skip
    hmf.apply(hmf.plan("summarise"))
    [summary] = hmf.memories(tier="summary")
    done = hmf.forget(notes[0].id)
    assert hmf.get(summary.id).state is State.FORGOTTEN
    hmf.undo(done.id)
    assert hmf.get(summary.id) == summary


# C25 in its first form: out and in again.


def test_an_export_comes_back_whole_and_a_second_time_changes_nothing(tmp_path, clock):
    with open_memory(tmp_path / "a", clock) as hmf:
        for n in range(30):
            hmf.add(
                f"Note {n} 🦉 œuvre", project="P" if n % 2 else None, pinned=n == 3, tags=["x", "y"], volatile=n == 4
            )
        gone = hmf.add("Gone.")
        hmf.forget(gone.id)
        hmf.project("P").finish()
        exported = list(hmf.export())
    with open_memory(tmp_path / "b", clock) as hmf:
        assert {o for _, o in hmf.restore(exported)} == {"created"}
        assert {o for _, o in hmf.restore(exported)} == {"unchanged"}
        assert list(hmf.export()) == exported
        assert len(found(hmf, "Note œuvre", k=50)) >= 10
        assert hmf.get(gone.id).state is State.FORGOTTEN


@pytest.mark.parametrize("line", ["not json", "[]", '{"id": 1}', '{"text": "half'])
def test_a_line_that_is_no_memory_is_named(hmf, line):
    with pytest.raises(InvalidInput, match="Line 1"):
        list(hmf.restore([line]))


def test_closing_twice_is_harmless_and_the_store_opens_again(tmp_path: Path, clock):
    hmf = open_memory(tmp_path, clock, LIGHT)
    one = hmf.add("Here.")
    hmf.close()
    hmf.close()
    with open_memory(tmp_path, clock, LIGHT) as again:
        assert again.get(one.id).tier is Tier.DETAIL
        assert found(again, "Here") == [one.id]


@pytest.mark.parametrize("text", ["Être ou ne pas être, c'est là toute la question.", "To be or not to be", "The Who"])
def test_a_question_of_grammar_alone_finds_the_notes_that_say_it(hmf, text):
    one = hmf.add(text)
    hmf.add("Il est là, et nous ne le sommes pas encore, ou presque.")
    hmf.add("We are not here to be seen by them, or by you.")
    assert found(hmf, " ".join(text.split(",")[0].split()))[0] == one.id
    assert not hmf.search("et si, ou alors ?").hits


def test_earlier_wordings_of_a_summary_are_no_history(hmf, clock):
    larmor = {"project": "Larmor", "category": "client-projects"}
    first = hmf.add("Larmor pays 900 euros a page.", **larmor)
    for part in ("keel", "mast", "rudder"):
        hmf.add(f"Larmor: the {part} was measured.", **larmor)
    hmf.apply(hmf.plan("summarise"))
    clock.forward(days=1)
    hmf.add("Larmor now pays 1,100 euros a page.", supersedes=first.id, **larmor)
    hmf.apply(hmf.plan("summarise"))
    earlier = {m.id for m in hmf.memories(limit=None, status="superseded") if m.summary_of}
    assert earlier
    hits = {hit.memory.id for hit in hmf.search("What did Larmor pay before?", k=20, history=True).hits}
    assert first.id in hits
    assert not hits & earlier


# What a review found: none of these may come back.


def lines_of(hmf, **changes):
    import json

    header, *lines = hmf.export()
    return [header, *(json.dumps({**json.loads(line), **changes}, ensure_ascii=False) for line in lines)]


@pytest.mark.parametrize(
    "changes",
    [
        {"category": "Mes idées"},
        {"category": "../x"},
        {"id": "not-a-uuid"},
        {"text": ""},
        {"text": "a\0b"},
        {"kind": "rumour"},
        {"learnt_at": "2026-01-01T00:00:00"},
        {"tags": 3},
    ],
)
def test_a_bad_line_of_an_import_changes_nothing_and_the_store_goes_on(hmf, changes):
    one = hmf.add("A line to export.")
    lines = lines_of(hmf, **changes)
    hmf.erase(one.id)
    with pytest.raises(InvalidInput, match="Line 2"):
        list(hmf.restore(lines))
    assert hmf.add("Another.").outcome == "created"
    assert all(check.well for check in hmf.doctor())


def test_an_import_does_not_bring_back_what_was_erased_or_forgotten(hmf):
    erased, forgotten = hmf.add("Erased words."), hmf.add("Forgotten words.")
    lines = list(hmf.export())
    hmf.erase(erased.id)
    hmf.forget(forgotten.id)
    outcomes = dict(hmf.restore(lines))
    assert outcomes == {erased.id: "refused", forgotten.id: "unchanged"}
    assert hmf.memories() == []


def test_an_import_is_screened_like_an_addition(tmp_path, clock):
    token = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    with open_memory(tmp_path / "a", clock, {**LIGHT, "screening": {"secrets": "allow"}}) as hmf:
        hmf.add(f"The key {token}", tags=[token])
        lines = list(hmf.export())
    with open_memory(tmp_path / "b", clock) as hmf:
        list(hmf.restore(lines))
        assert token not in "\n".join(hmf.export())


def test_a_forgotten_memory_comes_in_with_its_tombstone(tmp_path, clock):
    with open_memory(tmp_path / "a", clock) as hmf:
        hmf.forget(hmf.add("Never again.").id)
        lines = list(hmf.export())
    with open_memory(tmp_path / "b", clock) as hmf:
        list(hmf.restore(lines))
        assert hmf.add("Never again.", source="import").outcome == "refused"


def lumen(hmf, count):
    subjects = ["granite", "quartz", "basalt", "schist", "marble", "chalk"][:count]
    return [
        hmf.add(f"Lumen wants section {n} on {s}.", project="Lumen", category="client-projects", kind="note")
        for n, s in enumerate(subjects)
    ]


@pytest.mark.parametrize("count", [3, 6])
def test_an_erased_text_is_in_no_summary_of_any_state(hmf, clock, count):
    notes = lumen(hmf, count)
    hmf.apply(hmf.plan("summarise"))
    clock.forward(days=1)
    hmf.add("Lumen wants section 0 on gneiss.", category="client-projects", project="Lumen", supersedes=notes[0].id)
    hmf.apply(hmf.plan("summarise"))
    hmf.erase(notes[1].id)
    everything = [*hmf.memories(limit=None), *hmf.memories(limit=None, forgotten=True)]
    assert [m.text for m in everything if "quartz" in m.text] == []
    assert found(hmf, "quartz", history=True, archive=True) == []


def test_an_undo_never_takes_a_scrubbed_past_for_nothing(hmf):
    notes = lumen(hmf, 6)
    hmf.apply(hmf.plan("summarise"))
    [summary] = hmf.memories(tier="summary")
    done = hmf.forget(summary.id)
    hmf.erase(notes[0].id)
    undone = hmf.undo(done.id)
    assert undone.changed == ()
    assert hmf.undo(hmf.history(notes[1].id)[0].batch_id).changed in ((), (notes[1].id,))


def test_an_addition_that_was_undone_can_still_be_erased(hmf):
    one = hmf.add("Too much said.")
    hmf.undo(hmf.history(one.id)[0].batch_id)
    hmf.erase(one.id)
    assert all(entry.before is None for entry in hmf.history(one.id))


def test_an_undo_that_could_do_nothing_may_be_tried_again(hmf):
    one = hmf.add("Here.", category="tasks")
    hmf.move(one.id, "research-notes")
    moved = hmf.history(one.id)[-1].batch_id
    hmf.pin(one.id)
    pinned = hmf.history(one.id)[-1].batch_id
    assert hmf.undo(moved).skipped
    hmf.undo(pinned)
    assert hmf.undo(moved).changed == (one.id,)
    assert hmf.get(one.id).category == "tasks"


def test_one_text_said_again_does_not_keep_the_rest_from_coming_back(hmf):
    one, two = hmf.add("First."), hmf.add("Second.")
    done = hmf.forget([one.id, two.id])
    again = hmf.add("First.")
    undone = hmf.undo(done.id)
    assert undone.changed == (two.id,)
    assert undone.skipped[0][0] == one.id
    assert {m.id for m in hmf.memories()} == {again.id, two.id}


def test_an_expired_memory_is_no_present_truth(hmf, clock):
    one = hmf.add("The spring offer: 20 % off.", category="client-projects", expires_at="2026-12-05")
    assert found(hmf, "spring offer") == [one.id]
    clock.forward(days=10)
    assert found(hmf, "spring offer") == []
    past = hmf.search("spring offer", history=True).hits
    assert Reason("expired_since", {"since": "2026-12-06"}) in past[0].flags


def test_a_summary_of_something_replaced_does_not_answer_until_it_is_rebuilt(hmf, clock):
    notes = lumen(hmf, 5)
    hmf.apply(hmf.plan("summarise"))
    [summary] = hmf.memories(tier="summary")
    clock.forward(days=1)
    hmf.add("Lumen wants section 0 on gneiss.", category="client-projects", project="Lumen", supersedes=notes[0].id)
    assert summary.id not in found(hmf, "overview of the Lumen sections", k=20)
    hmf.apply(hmf.plan("summarise"))
    assert "gneiss" in " ".join(m.text for m in hmf.memories(tier="summary", status="confirmed"))


def test_what_holds_only_from_tomorrow_does_not_retire_today(hmf):
    old = hmf.add("Lumen pays at 30 days.")
    new = hmf.add("Lumen pays at 90 days.", valid_from="2027-03-01", supersedes=old.id)
    assert new.superseded == ()
    assert new.warnings[-1].code == "holds_from"
    assert hmf.get(old.id).current


def test_a_span_that_ends_on_a_day_includes_it(hmf):
    one = hmf.add("On that day.", valid_from="2026-02-10T18:00:00")
    assert found(hmf, "that day", until="2026-02-10") == [one.id]
    assert found(hmf, "that day", until="2026-02-09") == []


def test_the_last_day_of_the_calendar_is_no_crash(hmf):
    assert hmf.add("Forever.", expires_at="9999-12-31").outcome == "created"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("valid_from", "9999-12-31T23:59:59-12:00"),
        ("valid_from", "0001-01-01T00:00:00+14:00"),
        ("at", "0001-01-01T00:00:00+14:00"),
        ("expires_at", "9999-12-31T23:59:59-12:00"),
    ],
)
def test_a_date_that_not_every_zone_can_show_is_refused_and_nothing_is_stored(hmf, field, value):
    with pytest.raises(InvalidInput, match="out of range"):
        hmf.add("Far away.", **{field: value})
    assert hmf.memories() == []


def test_erased_words_do_not_come_back_by_an_older_text_or_a_forgotten_twin(hmf):
    one = hmf.add("Old words.")
    hmf.revise(one.id, "New words.")
    hmf.erase(one.id)
    assert hmf.add("Old words.", source="import").outcome == "refused"
    assert hmf.add("New words.", source="import").outcome == "refused"
    first = hmf.add("Said twice.")
    forgotten = hmf.forget(first.id)
    second = hmf.add("Said twice.")
    hmf.erase(second.id)
    assert hmf.undo(forgotten.id).changed == ()
    assert hmf.memories(limit=None, forgotten=True) == []


def test_an_undo_in_the_middle_of_a_chain_leaves_one_current(hmf, clock):
    one = hmf.add("30 days.")
    clock.forward(days=1)
    two = hmf.add("45 days.", supersedes=one.id)
    clock.forward(days=1)
    three = hmf.add("60 days.", supersedes=two.id)
    undone = hmf.undo(hmf.history(two.id)[0].batch_id)
    assert undone.changed == ()
    assert [m.id for m in hmf.memories() if m.current] == [three.id]


def test_a_ledger_that_was_taken_away_is_said_and_not_replaced(tmp_path, clock):
    with open_memory(tmp_path, clock) as hmf:
        hmf.add("Here.")
        file = hmf.store.ledger.file
        kept = file.rename(file.with_suffix(".away"))
        with pytest.raises(StoreDamaged, match="removed or replaced"):
            hmf.add("Lost?")
        assert not file.exists()
        kept.rename(file)
        assert hmf.add("Found.").outcome == "created"


def test_an_index_folder_that_was_taken_away_is_said_and_the_store_opens_again(tmp_path, clock):
    hmf = open_memory(tmp_path, clock, EDGE)
    one = hmf.add("A heron.", category="tasks")
    shutil.rmtree(hmf.store.places.data_dir / "index")
    # Whether each of these can still be done is the engine's affair; a raw error would not be suppressed.
    with contextlib.suppress(HmfError):
        hmf.add("Another heron.", category="research-notes")
    with contextlib.suppress(HmfError):
        hmf.close()
    with open_memory(tmp_path, clock, EDGE) as again:
        assert one.id in found(again, "heron")


def gathered(hmf, clock, count):
    """Notes that one summary holds, and that summary."""
    texts = (
        "Lumen wants the harbour first.",
        "Lumen pays on the fifth.",
        "Lumen dislikes blue.",
        "Lumen prints in May.",
    )
    notes = [hmf.add(text, category="client-projects", project="Lumen", language="en") for text in texts[:count]]
    clock.forward(days=1)
    hmf.run("summarise")
    return [note.id for note in notes], hmf.get(notes[0].id).summarised_in


def test_a_forgotten_memory_leaves_its_summary_and_comes_back_into_it(hmf, clock):
    [one, *_], summary = gathered(hmf, clock, 4)
    done = hmf.forget(one)
    assert one not in hmf.get(summary).summary_of
    assert hmf.get(one).summarised_in is None
    hmf.undo(done.id)
    assert one in hmf.get(summary).summary_of
    assert hmf.get(one).summarised_in == summary


def test_nothing_belongs_to_a_summary_that_was_erased_not_even_what_was_forgotten_before(hmf, clock):
    [one, *rest], summary = gathered(hmf, clock, 3)
    done = hmf.forget(rest[0])
    assert hmf.get(summary).state is State.FORGOTTEN
    hmf.erase(one)
    assert [hmf.get(left).summarised_in for left in rest] == [None, None]
    hmf.undo(done.id)
    assert hmf.get(rest[0]).state is State.LIVE
    assert hmf.get(rest[0]).summarised_in is None, "else no later summary would ever speak of it"
