"""The digest of a night: one a night, in words of the user's language, and nothing of the texts in it."""

from __future__ import annotations

import json
import re
from datetime import date

import pytest

from hmf.errors import DiskFull
from hmf.memory import Confirm
from hmf.plan import Action, Note, Plan, Reason, Target, Verb
from hmf.policy.sentences.digests import _ASKED, _DONE, _SAID, _TROUBLES, digest_sentences
from tests.service import LIGHT, open_memory

QUIET = {"jobs": [], "done": [], "waiting": [], "notes": []}
ENGLISH = re.compile(
    r"\b(the|waits?|memory|memories|failed|nothing|since|with|archived|forgotten|error)\b", re.IGNORECASE
)


def fill(hmf, clock):
    hmf.add("What rain today.", category="general-conversation", kind="note")
    hmf.add("Idea: a piece on tides.", category="article-ideas", kind="note")
    clock.forward(days=70)


def night(hmf):
    for job in ("expire", "archive", "review", "summarise"):
        hmf.run(job)
    return hmf.digests()[0]


def test_a_night_tells_what_was_done_and_what_waits(hmf, clock):
    fill(hmf, clock)
    found = night(hmf)
    assert found.night == clock().date()
    assert found.sentences == (
        "Done by themselves: 1 memory forgotten (general-conversation).",
        "1 proposal waits for you, the oldest since 8 February 2027: 1 to archive. Answer with hmf review.",
    )
    assert "tides" not in json.dumps(found.facts)
    assert "rain" not in json.dumps(found.facts)


def test_it_speaks_french(tmp_path, clock):
    with open_memory(tmp_path, clock, {**LIGHT, "language": "fr"}) as hmf:
        fill(hmf, clock)
        assert night(hmf).sentences == (
            "Fait sans vous\u202f: 1 souvenir oublié (general-conversation).",
            "1 proposition vous attend, la plus ancienne depuis le 8 février 2027\u202f: 1 à archiver. "
            "Répondez avec hmf review.",
        )
        clock.forward(days=1)
        [quiet] = night(hmf).sentences
        assert quiet == (
            "Il ne s’est rien passé\u202f; 1 proposition vous attend, la plus ancienne depuis le 8 février 2027."
        )


def test_a_night_in_which_nothing_happened_is_one_line(hmf, clock):
    hmf.add("Only a task.", category="tasks", kind="task")
    assert night(hmf).sentences == ("Nothing happened; nothing waits.",)


def test_one_digest_a_night_however_often_jobs_run(hmf, clock):
    fill(hmf, clock)
    for _ in range(3):
        told = night(hmf)
    assert len(hmf.digests(limit=10)) == 1
    assert "1 memory forgotten" in told.sentences[0]
    clock.forward(days=1)
    night(hmf)
    assert [d.night for d in hmf.digests(limit=10)] == [clock().date(), told.night]
    assert hmf.digests(night=told.night.isoformat())[0] == told


class Broken:
    name = "broken"

    def __init__(self, *errors):
        self.errors = list(errors)

    def plan(self, view, now):
        if self.errors:
            raise self.errors.pop(0)
        return Plan("broken", view.namespace, now, ())


@pytest.mark.parametrize(
    ("error", "english", "french"),
    [
        (RuntimeError("Nora's number is 12"), "an error that was not expected (RuntimeError)", "erreur imprévue (Runt"),
        (DiskFull("Only 3 MB.", fix="free some"), "the disk is full; free some space", "le disque est plein"),
    ],
)
def test_what_failed_is_told_without_its_message(tmp_path, clock, error, english, french):
    with open_memory(tmp_path, clock, {**LIGHT, "language": "fr"}) as hmf:
        hmf.add("A note.")
        hmf.curator._jobs = {**hmf.curator.jobs, "broken": Broken(error, error)}
        for _ in range(2):
            with pytest.raises(type(error)):
                hmf.run("broken", slot="2026-11-30")
        [digest] = hmf.digests()
        assert french in digest.sentences[0]
        assert "2 fois" in digest.sentences[0]
        assert english in digest_sentences(digest.facts, "en")[0]
        assert "Nora" not in json.dumps(digest.facts)
        hmf.run("broken", slot="2026-11-30")
        [digest] = hmf.digests()
        assert "s’est bien passée" in digest.sentences[0]
        assert "then ran well" in digest_sentences(digest.facts, "en")[0]


def test_namespaces_are_told_apart(hmf, clock):
    fill(hmf, clock)
    hmf.add("Theirs.", namespace="theirs", category="tasks")
    night(hmf)
    assert hmf.digests(namespace="theirs")[0].sentences == ("Nothing happened; nothing waits.",)


class Noting:
    name = "noting"

    def __init__(self, *notes):
        self.notes = notes

    def plan(self, view, now):
        return Plan("noting", view.namespace, now, (), notes=self.notes)


def test_what_a_job_noticed_is_told_once_and_can_be_dismissed(hmf, clock):
    hmf.add("A note.")
    seen = Note("never_used", {"category": "tasks"}, "tasks")
    hmf.curator._jobs = {"noting": Noting(seen)}
    hmf.run("noting")
    assert "nothing was ever filed here" in hmf.digests()[0].sentences[1]
    clock.forward(days=1)
    hmf.run("noting")
    assert len(hmf.digests()[0].sentences) == 1
    assert [note.key for _, note in hmf.notes()] == [seen.key]
    hmf.dismiss([seen.key])
    hmf.run("noting")
    assert hmf.notes() == []
    hmf.curator._jobs = {"noting": Noting(Note("unused", {"category": "tasks", "since": "2026-01-01"}, "tasks"))}
    hmf.run("noting")
    assert [note.code for _, note in hmf.notes()] == ["unused"]
    hmf.curator._jobs = {"noting": Noting(seen)}
    hmf.run("noting")
    hmf.dismiss([seen.key], on=False)
    assert [note.code for _, note in hmf.notes()] == ["never_used"]


def test_a_persons_own_doings_are_not_the_nights(hmf, clock):
    fill(hmf, clock)
    hmf.plan("archive")
    hmf.apply(hmf.plans()[0].plan.id, "all")
    assert not any("archived" in one for one in night(hmf).sentences)


def test_every_word_of_the_night_is_in_both_languages():
    for catalog in (_ASKED, _DONE, _SAID, _TROUBLES):
        assert catalog["en"].keys() == catalog["fr"].keys()
    jobs = [
        {"job": "archive", "attempts": 1, "failures": 1, "outcome": "failed", "code": code, "name": "KeyError"}
        for code in ("error", *_TROUBLES["fr"])
    ]
    done = [{"verb": verb, "category": None, "n": n, "made": False} for verb in _DONE["fr"] for n in (1, 3)]
    waiting = [{"verb": str(verb), "n": 2, "since": "2026-11-01"} for verb in Verb]
    told = " ".join(digest_sentences({"jobs": jobs, "done": done, "waiting": waiting, "notes": []}, "fr"))
    commands = told.replace("hmf review", "").replace("hmf jobs list", "").replace("hmf config check", "")
    assert ENGLISH.findall(commands) == []
    assert digest_sentences(QUIET, "fr") == ["Il ne s’est rien passé\u202f; rien n’attend."]


def test_what_never_asks_is_no_trouble(hmf, clock):
    one = hmf.get(hmf.add("A note.", category="tasks").id)
    action = Action(Verb.FLAG, (Target(one.id, one.revision),), Reason("expired_age", {}), "tasks", Confirm.NEVER)

    class Reporting:
        name = "reporting"

        def plan(self, view, now):
            return Plan("reporting", view.namespace, now, (action,))

    hmf.curator._jobs = {"reporting": Reporting()}
    hmf.run("reporting")
    [digest] = hmf.digests()
    assert (digest.night, digest.sentences) == (date(2026, 11, 30), ("Nothing happened; nothing waits.",))
