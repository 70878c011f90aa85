"""`hmf log`, `hmf history` and `hmf undo` by time and by memory, as a person meets them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from hmf.cli import diary, output
from hmf.cli.words import CATALOG
from hmf.policy.sentences import told
from hmf.reason import Reason
from tests.unit import test_cli_render
from tests.unit.test_cli_commands import CONFIG, OLD, Run, _logging, add, data, home, run, someone, texts  # noqa: F401
from tests.unit.test_cli_render import LANGUAGES, NOW, screen

VERBS = {
    "add", "import", "revise", "verify", "move", "pin", "unpin", "forget", "archive", "summarise", "unlink",
    "rebuild", "merge", "flag", "supersede", "erase", "purge", "refuse", "postpone",
}  # fmt: skip


def deed(verb: str, n: int = 1, category: str | None = "ideas", **more: Any) -> dict[str, Any]:
    return {"verb": verb, "reason": None, "category": category, "project": None, "made": verb == "add", "n": n, **more}


def batch(*deeds: dict[str, Any], at: str = "2026-11-30T08:00:00+00:00", **more: Any) -> dict[str, Any]:
    return {"id": "c" * 12, "at": at, "verb": deeds[0]["verb"], "actor": "user", "plan_id": None,
            "reason": None, "undone": False,
            "memory": None, "did": list(deeds), **more}  # fmt: skip


def shown(language: str, *rows: dict[str, Any], **how: Any) -> str:
    return " ".join(test_cli_render.drawn(diary.log(screen(language), rows, **how)).split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_verb_of_the_journal_has_its_words(language: str) -> None:
    written = set()
    for file in (Path(__file__).parents[2] / "hmf" / "service").glob("*.py"):
        source = file.read_text(encoding="utf-8")
        written |= set(re.findall(r'(?:Change\(|change\(|create\()[^"\n]*"([a-z]+)"', source))
    assert written - {"erase", "purge"} <= VERBS
    assert {f"act-{verb}" for verb in VERBS} <= CATALOG[language].keys()


def test_a_night_is_told_in_words_and_counts() -> None:
    night = batch(deed("archive", 3, reason=told(Reason("stale"), "en")), actor="job", verb="archive")
    assert "3 memories archived (ideas): untouched too long [job archive]" in shown("en", night)
    assert "3 souvenirs archivés (ideas) : sans retouche depuis trop longtemps [tâche archive]" in shown("fr", night)
    made = batch(deed("summarise", 9), deed("summarise", 1, made=True), actor="job")
    assert "1 summary written (ideas)" in shown("en", made)
    assert "summarised" not in shown("en", made)


def test_what_was_taken_back_is_told_by_what_it_was() -> None:
    assert "taken back: 2 memories forgotten" in shown("en", batch(deed("undo forget", 2)))
    assert "annulé : 2 souvenirs oubliés" in shown("fr", batch(deed("undo forget", 2)))
    assert "undone" in shown("en", batch(deed("forget"), undone=True))
    assert "projet Lumen terminé" in shown("fr", batch(deed("finish", category=None, project="Lumen")))


def test_additions_in_a_row_are_one_line_unless_each_is_asked_for() -> None:
    rows = [batch(deed("add", category=name)) for name in ("ideas", "ideas", "notes")]
    assert "3 batches 3 memories added (ideas 2, notes 1)" in shown("en", *rows)
    assert shown("en", *rows, each=True).count("1 memory added") == 3
    assert shown("en", *rows[:2]).count("1 memory added") == 2
    apart = [*rows[:2], batch(deed("pin")), *rows[:2]]
    assert shown("en", *apart).count("1 memory added") == 4


def test_days_are_named_in_the_users_zone_and_language() -> None:
    late = "2026-10-31T23:30:00+00:00"
    assert "Yesterday, Sunday 29 November 2026" in shown("en", batch(deed("pin"), at="2026-11-29T10:00:00+00:00"))
    assert "Il y a 29 jours, dimanche 1er novembre 2026 00:30" in shown("fr", batch(deed("pin"), at=late))
    assert "Thursday 1 January 2026" in shown("en", batch(deed("pin"), at="2026-01-01T10:00:00+00:00"))
    assert NOW.tzinfo is not None


def test_a_memory_cannot_repaint_the_diary() -> None:
    evil = "a\x1b[2Jb"
    row = batch(deed("add", category=evil), memory={"id": "x", "text": evil}, reason=told(Reason(evil), "en"))
    assert "\x1b" not in shown("en", row)


def test_the_log_takes_times_in_words(run: Run) -> None:  # noqa: F811
    add(run, "A note on quartz.", "-C", "notes")
    assert "1 memory added (notes) “A note on quartz.”" in " ".join(run("log", "--since", "today").stdout.split())
    assert "Nothing was changed then." in run("log", "--until", "yesterday").stdout
    assert len(data(run("log", "--since", "aujourd'hui", "--json"))["batches"]) == 1
    assert run("log", "--since", "soon").exit_code == 2


def test_the_history_shows_both_directions_and_marks_the_one_asked_for(run: Run, home: Path) -> None:  # noqa: F811
    old = add(run, "The fee is 80 euros.", "-C", "notes")
    new = add(run, "The fee is 90 euros.", "-C", "notes", "--supersedes", old)
    for one in (old, new):
        found = data(run("history", one[-8:], "--json"))
        assert found["asked"] == one
        assert [link["id"] for link in found["chain"]] == [old, new]
    said = run("history", old).stdout
    assert "The fee is 80 euros. ← asked for" in " ".join(said.split())
    assert f"replaced by {new[-8:]}" in said
    (home / "hmf.yaml").write_text(CONFIG.format(language="fr"), encoding="utf-8")
    french = " ".join(run("history", new).stdout.split())
    assert f"remplacé par {new[-8:]}" in french
    assert "2 souvenirs, le plus ancien d’abord" in french
    assert run("history", "zzzzzzzz").exit_code == 1
    run("erase", old, "--yes")
    gone = run("history", new).stdout
    assert "80 euros" not in gone
    assert "seul le journal en parle" in gone


def test_undoing_by_time_is_shown_asked_and_done(run: Run, someone: None) -> None:  # noqa: F811
    one = add(run, "A note on quartz.", "-C", "notes")
    run("pin", one)
    assert "2 batches to take back" in run("undo", "--since", "today", "-n").stdout
    assert texts(run, "--pinned") == ["A note on quartz."]
    refused = run("undo", "--since", "today", stdin="n\n")
    assert (refused.exit_code, texts(run)) == (1, ["A note on quartz."])
    assert "A note on quartz." in refused.stderr
    done = run("undo", "--since", "today", stdin="y\n")
    assert (done.exit_code, texts(run)) == (0, [])
    assert "2 batches taken back, 2 changes." in done.stdout
    assert run("undo", "--since", "today", "--yes").exit_code == 1
    assert run("undo", "--since", "soon", "--yes").exit_code == 2


def test_undoing_by_time_in_part_exits_3_and_says_what_stays(run: Run) -> None:  # noqa: F811
    one = add(run, "A note on quartz.", "-C", "notes")
    run("erase", add(run, "A note on slate.", "-C", "notes"), "--yes")
    assert run("undo", "--since", "today").exit_code == 2, "nobody is there to be asked"
    result = run("undo", "--since", "today", "--yes")
    assert result.exit_code == output.PARTIAL
    assert "cannot come back" in result.stderr
    assert one not in [m["id"] for m in data(run("list", "--json"))["memories"]]


def test_undoing_one_memory_leaves_the_rest_of_the_batch(run: Run) -> None:  # noqa: F811
    ids = [add(run, f"A note on {word}.", "-C", "notes") for word in ("quartz", "slate")]
    run("forget", *ids)
    preview = run("undo", "--memory", ids[0][-8:], "-n")
    assert "forgotten on" in preview.stdout
    assert texts(run) == []
    assert run("undo", "--memory", ids[0]).exit_code == 0
    assert texts(run) == ["A note on quartz."]
    assert run("undo", "abcdefgh", "--memory", ids[0]).exit_code == 2
    assert run("undo", "--memory", "zzzzzzzz").exit_code == 1


def test_an_old_day_can_be_undone_by_its_date(run: Run) -> None:  # noqa: F811
    add(run, "A note on quartz.", "-C", "notes", "--at", OLD)
    assert data(run("undo", "--since", "2026-01-01 18:00", "-n", "--json"))["batches"]
