"""Changes by order: each is journalled, each but an erasure is undone in one call, none reaches too far."""

from __future__ import annotations

from pathlib import Path

import pytest

from hmf.errors import Conflict, InvalidInput, NotFound, Refused, UnknownCategory
from hmf.memory import Memory, RoutedBy, State, Tier
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
    assert result.skipped == ((one.id, "changed since"),)
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
    assert again.skipped == ((one.id, "already forgotten"),)


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
        others = [hmf.add(f"Mine note number {n} about galleries.", project="Mine") for n in range(4)]
        hmf.apply(hmf.plan("summarise"))
        done = hmf.erase(one.id)
        assert "exports" in done.notes[-1]
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
    assert "rewritten" in done.notes[0]
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
