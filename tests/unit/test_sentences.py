"""Reasons and policies in words: every code and every policy field, in both languages."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hmf.config import load
from hmf.durations import Duration
from hmf.memory import Category, Clock, Confirm, FinishedRule, Keep, Kind, Policy, PolicyRule, Status, When
from hmf.plan import Reason
from hmf.policy.conditions import encoded
from hmf.policy.sentences import policy_sentences, say

N = "\u202f"
"""The narrow no-break space that French typography asks for."""

GUESSES = When(
    kinds=frozenset({Kind.HYPOTHESIS, Kind.TASK}),
    statuses=frozenset({Status.HYPOTHESIS, Status.TO_VERIFY}),
    projects=frozenset({"Le Cèdre"}),
    sources=frozenset({"web"}),
    languages=frozenset({"fr", "en"}),
)
SAID: list[tuple[Reason, str, str]] = [
    (
        Reason("stale", {"days": 75, "limit": "60d"}),
        "Not touched for 75 days (limit: 60 days).",
        f"Sans retouche depuis 75 jours (limite{N}: 60 jours).",
    ),
    (
        Reason("stale", {"days": 1, "limit": "1d"}),
        "Not touched for 1 day (limit: 1 day).",
        f"Sans retouche depuis 1 jour (limite{N}: 1 jour).",
    ),
    (Reason("expired", {"date": "2026-03-01"}), "Expired on 1 March 2026.", "Échéance passée le 1er mars 2026."),
    (
        Reason("expired", {"date": "2026-08-09T22:00:00+00:00"}),
        "Expired on 9 August 2026.",
        "Échéance passée le 9 août 2026.",
    ),
    (Reason("expired_age", {"limit": "2w"}), "Older than 2 weeks.", "Date de plus de 2 semaines."),
    (Reason("expired_age", {"limit": "1y6mo"}), "Older than 1 year 6 months.", "Date de plus de 1 an 6 mois."),
    (
        Reason("stale", {"days": 75, "limit": "60d", "clock": "verified", "since": "2026-09-16"}),
        "Not touched for 75 days: last verified on 16 September 2026 (limit: 60 days).",
        f"Sans retouche depuis 75 jours{N}: vérifié le 16 septembre 2026 (limite{N}: 60 jours).",
    ),
    (
        Reason(
            "stale",
            {"days": 9, "limit": "1w", "clock": "learnt", "since": "2026-11-01", "when": encoded(GUESSES)},
        ),
        "Not touched for 9 days: learnt on 1 November 2026 (limit: 1 week; rule for tasks and hypotheses, with the "
        "status not confirmed or to be verified, of the project “Le Cèdre”, from “web”, in English or French).",
        f"Sans retouche depuis 9 jours{N}: appris le 1er novembre 2026 (limite{N}: 1 semaine{N}; règle pour tâches et "
        f"hypothèses, au statut non confirmé ou à vérifier, du projet «{N}Le Cèdre{N}», venant de «{N}web{N}», en "
        "anglais ou français).",
    ),
    (
        Reason(
            "expired_age", {"limit": "2w", "clock": "valid", "since": "2026-11-01", "when": '{"languages": ["de"]}'}
        ),
        "Older than 2 weeks: true since 1 November 2026; rule for memories, in “de”.",
        f"Date de plus de 2 semaines{N}: vrai depuis le 1er novembre 2026{N}; règle pour souvenirs, en «{N}de{N}».",
    ),
    (
        Reason("expired_age", {"limit": "2w", "clock": "learnt", "since": "2026-11-01", "when": "no condition"}),
        "Older than 2 weeks: learnt on 1 November 2026.",
        f"Date de plus de 2 semaines{N}: appris le 1er novembre 2026.",
    ),
    (
        Reason("project_finished", {"project": "Acme", "date": "2026-12-31", "delay": "30d"}),
        "The project “Acme” was finished on 31 December 2026 (limit: 30 days).",
        f"Le projet «{N}Acme{N}» est terminé depuis le 31 décembre 2026 (limite{N}: 30 jours).",
    ),
    (Reason("expired_age", {"limit": 14}), "Older than 14 days.", "Date de plus de 14 jours."),
    (
        Reason("project_finished", {"project": "Acme", "date": "2026-12-31"}),
        "The project “Acme” was finished on 31 December 2026.",
        f"Le projet «{N}Acme{N}» est terminé depuis le 31 décembre 2026.",
    ),
    (
        Reason("cluster", {"count": 8, "subject": "l'étude : oui"}),
        "8 memories about “l'étude : oui”, to be gathered into one summary.",
        f"8 souvenirs sur «{N}l'étude : oui{N}», à réunir en un résumé.",
    ),
    (
        Reason("summary_stale", {"changed": 1}),
        "Since this summary was written: 1 source has changed.",
        f"Depuis l’écriture de ce résumé{N}: 1 source a changé.",
    ),
    (
        Reason("summary_stale", {"changed": 3}),
        "Since this summary was written: 3 sources have changed.",
        f"Depuis l’écriture de ce résumé{N}: 3 sources ont changé.",
    ),
    (
        Reason("volatile_stale", {"since": "2026-02-11", "limit": "3mo"}),
        "Observed on 11 February 2026 and good for 3 months: to be checked again.",
        f"Observé le 11 février 2026, valable 3 mois{N}: à revérifier.",
    ),
    (
        Reason("hypothesis_old", {"days": 61}),
        "A hypothesis not confirmed for 61 days.",
        "Hypothèse sans confirmation depuis 61 jours.",
    ),
    (
        Reason("too_large", {"category": "Notes", "count": 900, "parts": 3}),
        "“Notes” has grown to 900 memories; it could be divided into 3 parts.",
        f"«{N}Notes{N}» est arrivée à 900 souvenirs{N}; on pourrait la diviser en 3 parties.",
    ),
    (
        Reason("unused", {"category": "Notes", "since": "2026-03-01"}),
        "“Notes”: nothing was filed here since 1 March 2026.",
        f"«{N}Notes{N}»{N}: rien n’y a été classé depuis le 1er mars 2026.",
    ),
    (
        Reason("never_used", {"category": "Notes"}),
        "“Notes”: nothing was ever filed here.",
        f"«{N}Notes{N}»{N}: rien n’y a jamais été classé.",
    ),
    (
        Reason("conflict", {"count": 1}),
        "1 memory is contradicted: which one is right?",
        f"1 souvenir est contredit{N}: lequel est juste{N}?",
    ),
    (
        Reason("conflict", {"count": 2}),
        "2 memories contradict each other: which one is right?",
        f"2 souvenirs se contredisent{N}: lequel est juste{N}?",
    ),
    (
        Reason("twin", {"other": "abc"}),
        "Almost the same as “abc”: does the difference matter?",
        f"Presque identique à «{N}abc{N}»{N}: la différence compte-t-elle{N}?",
    ),
    (
        Reason("misfiled", {"category": "tasks", "confidence": 0.824}),
        "Would be filed in “tasks” today (82% sure).",
        f"Serait classé aujourd’hui dans «{N}tasks{N}» (sûr à 82{N}%).",
    ),
    (Reason("duplicate", {"other": "abc"}), "The same text as “abc”.", f"Même texte que «{N}abc{N}»."),
    (
        Reason("unrouted", {"days": 0}),
        "Waiting to be filed for 0 days.",
        "En attente de classement depuis 0 jour.",
    ),
]


@pytest.mark.parametrize(("reason", "english", "french"), SAID)
def test_every_reason_in_both_languages(reason: Reason, english: str, french: str) -> None:
    assert say(reason, "en") == english
    assert say(reason, "fr") == french


@pytest.mark.parametrize(
    ("reason", "raw"),
    [
        (Reason("new_code", {"a": 1, "b": "{x} : y"}), "new_code (a=1, b={x} : y)"),
        (Reason("new_code"), "new_code"),
        (Reason("stale", {"days": 3}), "stale (days=3)"),
        (Reason(""), ""),
    ],
)
def test_what_has_no_sentence_is_shown_as_it_is(reason: Reason, raw: str) -> None:
    assert say(reason, "en") == say(reason, "fr") == raw


def test_other_languages_are_answered_in_english() -> None:
    reason = Reason("duplicate", {"other": "x"})
    assert say(reason, "de") == say(reason, "") == say(reason, "en")
    assert say(reason, "fr-CA") == say(reason, "FR") == say(reason, "fr")


_codes = st.sampled_from([reason.code for reason, _, _ in SAID]) | st.text(max_size=8).map("?{}".format)
"""Known ones, and some that no sentence is written for."""
_names = st.sampled_from(["days", "limit", "date", "count", "subject", "confidence", "changed", "other", "since"])


@given(
    _codes, st.dictionaries(_names, st.text() | st.integers() | st.floats(), max_size=9), st.sampled_from(["fr", "en"])
)
def test_no_reason_crashes_or_loses_its_values(code: str, values: dict[str, str | int | float], language: str) -> None:
    said = say(Reason(code, values), language)
    if code not in {reason.code for reason, _, _ in SAID}:
        assert said.startswith(code)
        assert all(str(value) in said for value in values.values())
    elif not any("{" in str(value) for value in values.values()):
        assert "{" not in said


# Policies

IDEAS = Category(
    name="article-ideas",
    label={"fr": "Idées d’articles", "en": "Article ideas"},
    description={},
    policy=Policy(stale_after=Duration(days=60), archive_to="old", summarise=True),
)
FULL = Policy(
    stale_after=Duration(months=6),
    archive_to="old",
    summarise=True,
    expire_after=Duration(years=1),
    confirm=Confirm.AUTO,
    keep=Keep(frozenset({Kind.LESSON, Kind.DECISION, Kind.TASK}), frozenset({"or", "à garder"}), 7),
    touched_by=(Clock.LEARNT, Clock.VERIFIED),
    grace=Duration(days=1),
    max_share_per_run=0.25,
    on_project_finished=FinishedRule(Duration(weeks=2), frozenset({Kind.LESSON})),
)


def test_the_first_sentence_is_the_rule_of_age() -> None:
    assert policy_sentences(IDEAS, "en")[0] == (
        "Article ideas not touched for 60 days: ask me, then archive with a summary."
    )
    assert policy_sentences(IDEAS, "fr")[0] == (
        f"Idées d’articles sans retouche depuis 60 jours{N}: me demander, puis archiver avec un résumé."
    )


def test_every_field_of_a_policy_is_said() -> None:
    category = replace(IDEAS, policy=FULL, routable=False)
    assert policy_sentences(category, "en") == [
        "Article ideas not touched for 6 months: archive with a summary, without asking.",
        "Article ideas older than 1 year: forget, without asking.",
        "What is archived moves to “old”.",
        "Related memories are gathered into summaries.",
        "Never by age: decisions, constraints, tasks, lessons, what is tagged “or”, “à garder”, the last 7 and what is "
        "pinned.",
        "What counts as touching: the date it was learnt and the date it was last verified; being recalled does not.",
        "2 weeks after a project is finished, all but summaries, decisions, tasks, lessons, what is tagged “or”, "
        "“à garder” and what is pinned: forget, without asking.",
        "What is forgotten can be brought back for 1 day.",
        "More than 25% at once: stop and ask me.",
        "Nothing is filed here automatically.",
    ]
    assert policy_sentences(category, "fr") == [
        f"Idées d’articles sans retouche depuis 6 mois{N}: archiver avec un résumé, sans demander.",
        f"Idées d’articles de plus de 1 an{N}: oublier, sans demander.",
        f"Ce qui est archivé rejoint «{N}old{N}».",
        "Les souvenirs liés sont réunis en résumés.",
        f"Jamais avec l’âge{N}: décisions, contraintes, tâches, leçons, ce qui porte l’étiquette «{N}or{N}», «{N}à "
        f"garder{N}», les 7 derniers et ce qui est épinglé.",
        f"Compte comme retouche{N}: la date d’apprentissage et la date de dernière vérification{N}; un simple rappel "
        "ne compte pas.",
        f"2 semaines après la fin d’un projet, tout sauf résumés, décisions, tâches, leçons, ce qui porte l’étiquette "
        f"«{N}or{N}», «{N}à garder{N}» et ce qui est épinglé{N}: oublier, sans demander.",
        "Ce qui est oublié peut être repris pendant 1 jour.",
        f"Plus de 25{N}% d’un coup{N}: s’arrêter et me demander.",
        "Rien n’est classé ici automatiquement.",
    ]


def test_rules_are_numbered_after_the_policy_they_go_before() -> None:
    base = Policy(stale_after=Duration(days=60), archive_to="old", on_project_finished=FinishedRule(Duration(weeks=2)))
    rules = (
        PolicyRule(When(kinds=frozenset({Kind.HYPOTHESIS})), replace(base, stale_after=Duration(days=30))),
        PolicyRule(
            When(languages=frozenset({"fr"})),
            replace(base, stale_after=None, touched_by=(Clock.LEARNT,), on_project_finished=None),
        ),
        PolicyRule(
            When(sources=frozenset({"web"})),
            replace(base, archive_to="attic", keep=Keep(frozenset({Kind.LESSON})), confirm=Confirm.AUTO),
        ),
    )
    category = replace(IDEAS, policy=replace(base, rules=rules))
    english, french = policy_sentences(category, "en"), policy_sentences(category, "fr")
    assert english[6:-2] == [
        "1. Article ideas (hypotheses) not touched for 30 days: ask me, then archive.",
        "1. What is archived moves to “old”.",
        "2. Article ideas (memories, in French): nothing goes by age.",
        "2. The end of a project changes nothing.",
        "3. Article ideas (memories, from “web”) not touched for 60 days: archive, without asking.",
        "3. What is archived moves to “attic”.",
        "3. Never by age: decisions, constraints, lessons and what is pinned.",
        "3. 2 weeks after a project is finished, all but summaries, preferences, decisions, constraints, lessons "
        "and what is pinned: forget, without asking.",
    ]
    assert english[5] == "Rules go first: the first that fits a memory decides in place of the rest."
    assert french[5] == (
        f"Les règles passent avant{N}: la première qui convient à un souvenir décide à la place du reste."
    )
    assert french[6] == (
        f"1. Idées d’articles (hypothèses) sans retouche depuis 30 jours{N}: me demander, puis archiver."
    )
    assert french[8] == f"2. Idées d’articles (souvenirs, en français){N}: rien ne part avec l’âge."
    assert french[9] == "2. La fin d’un projet ne change rien."
    assert len(french) == len(english)


@pytest.mark.parametrize(
    ("policy", "english", "french"),
    [
        (Policy(), "Article ideas: nothing goes by age.", f"Idées d’articles{N}: rien ne part avec l’âge."),
        (
            Policy(stale_after=Duration(days=60), confirm=Confirm.NEVER),
            "Article ideas not touched for 60 days: only report.",
            f"Idées d’articles sans retouche depuis 60 jours{N}: signaler seulement.",
        ),
        (
            Policy(expire_after=Duration(weeks=2)),
            "Article ideas older than 2 weeks: ask me, then forget.",
            f"Idées d’articles de plus de 2 semaines{N}: me demander, puis oublier.",
        ),
    ],
)
def test_the_other_ways_of_a_policy(policy: Policy, english: str, french: str) -> None:
    category = replace(IDEAS, policy=policy)
    assert policy_sentences(category, "en")[0] == english
    assert policy_sentences(category, "fr")[0] == french


def test_a_category_without_a_label_is_called_by_its_name() -> None:
    assert policy_sentences(replace(IDEAS, label={}), "fr")[0].startswith("article-ideas sans retouche")


_durations = st.builds(Duration, months=st.integers(1, 30), days=st.integers(0, 40))
_policies = st.builds(
    Policy,
    stale_after=st.none() | _durations,
    archive_to=st.none() | st.just("old"),
    summarise=st.booleans(),
    expire_after=st.none() | _durations,
    confirm=st.sampled_from(Confirm),
    keep=st.builds(
        Keep,
        kinds=st.frozensets(st.sampled_from(Kind)),
        tags=st.frozensets(st.text(alphabet="abé{}: ?", min_size=1), max_size=2),
    ),
    touched_by=st.lists(st.sampled_from(Clock), min_size=1, max_size=3, unique=True).map(tuple),
    grace=_durations,
    on_project_finished=st.none() | st.builds(FinishedRule, after=_durations),
)


@given(_policies, st.sampled_from(["fr", "en"]))
def test_any_policy_makes_whole_sentences(policy: Policy, language: str) -> None:
    sentences = policy_sentences(replace(IDEAS, policy=policy), language)
    assert all(sentence[0].isupper() or sentence[0].isdigit() for sentence in sentences)
    assert all(sentence.endswith(".") for sentence in sentences)
    assert len(set(sentences)) == len(sentences)
    ages = sum(duration.say(language) in sentences[i] for i, duration in enumerate(said(policy)))
    assert ages == len(said(policy))


def said(policy: Policy) -> list[Duration]:
    return [duration for duration in (policy.stale_after, policy.expire_after) if duration]


def test_french_typography_of_every_sentence() -> None:
    categories = load(None, environ={}).categories_by_name().values()
    sentences = [line for category in categories for line in policy_sentences(category, "fr")]
    sentences += [say(reason, "fr") for reason, _, _ in SAID if reason.code != "cluster"]
    for sentence in sentences:
        assert not re.search(r"[^\u202f][:;?!%»]|«[^\u202f]", sentence), sentence
        assert "'" not in sentence
        assert not re.search(r"\b(de|que|le|la|se|ne|je) [aeiouyéèêàhœ]", sentence.replace("de la ", "")), sentence


def test_english_sentences_have_no_french_spaces() -> None:
    for reason, _, _ in SAID:
        assert N not in say(reason, "en")
