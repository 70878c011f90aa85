"""Expressions of time: what they stand for at one moment, what is left alone, and what must hold for any text."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hmf.policy import timegrammar
from hmf.policy.timetext import Folded
from hmf.policy.timewords import BEGINNING, ENDING, TimeReading, anchor, read

PARIS = ZoneInfo("Europe/Paris")
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=PARIS)  # a Monday
ASKED = "2026-11-30T09:00"


def reading(text: str, *, language: str = "fr", now: datetime = NOW, zone: ZoneInfo = PARIS) -> TimeReading:
    return read(text, now=now, zone=zone, language=language)


def local(moment: datetime, zone: ZoneInfo = PARIS) -> datetime:
    return moment.astimezone(zone).replace(tzinfo=None)


def wall(text: str, *, end: bool = False) -> datetime:
    """`2026-11-29` is its midnight, or the last microsecond of it; a time of day is that time."""
    moment = datetime.fromisoformat(text)
    return moment + timedelta(days=1, microseconds=-1) if end and "T" not in text else moment


def until(text: str) -> datetime:
    """An end written as an hour is just before it, save the hour of asking, which is included."""
    moment = wall(text, end=True)
    return moment - timedelta(microseconds=1) if "T" in text and text != ASKED else moment


# Expression, first and last local day (or hour) at Mon 30 Nov 2026 09:00 in Paris.
EXPECTED = """
hier | 2026-11-29 | 2026-11-29
d'hier | 2026-11-29 | 2026-11-29
Hier | 2026-11-29 | 2026-11-29
yesterday | 2026-11-29 | 2026-11-29
Yesterday | 2026-11-29 | 2026-11-29
avant-hier | 2026-11-28 | 2026-11-28
avant hier | 2026-11-28 | 2026-11-28
the day before yesterday | 2026-11-28 | 2026-11-28
aujourd'hui | 2026-11-30 | 2026-11-30
aujourd’hui | 2026-11-30 | 2026-11-30
today | 2026-11-30 | 2026-11-30
demain | 2026-12-01 | 2026-12-01
tomorrow | 2026-12-01 | 2026-12-01
après-demain | 2026-12-02 | 2026-12-02
the day after tomorrow | 2026-12-02 | 2026-12-02
ce matin | 2026-11-30 | 2026-11-30T12:00
this morning | 2026-11-30 | 2026-11-30T12:00
cet après-midi | 2026-11-30T12:00 | 2026-11-30T18:00
this afternoon | 2026-11-30T12:00 | 2026-11-30T18:00
ce soir | 2026-11-30T18:00 | 2026-11-30
tonight | 2026-11-30T18:00 | 2026-12-01T06:00
cette nuit | 2026-11-29T18:00 | 2026-11-30T06:00
last night | 2026-11-29T18:00 | 2026-11-30T06:00
hier soir | 2026-11-29T18:00 | 2026-11-29
yesterday morning | 2026-11-29 | 2026-11-29T12:00
cette semaine | 2026-11-30 | 2026-12-06
this week | 2026-11-30 | 2026-12-06
la semaine dernière | 2026-11-23 | 2026-11-29
la semaine passée | 2026-11-23 | 2026-11-29
last week | 2026-11-23 | 2026-11-29
la semaine prochaine | 2026-12-07 | 2026-12-13
next week | 2026-12-07 | 2026-12-13
the week before last | 2026-11-16 | 2026-11-22
l'avant-dernière semaine | 2026-11-16 | 2026-11-22
ce mois-ci | 2026-11-01 | 2026-11-30
this month | 2026-11-01 | 2026-11-30
le mois dernier | 2026-10-01 | 2026-10-31
au cours du mois dernier | 2026-10-01 | 2026-10-31
last month | 2026-10-01 | 2026-10-31
past month | 2026-10-30 | 2026-11-30T09:00
over the past month | 2026-10-30 | 2026-11-30T09:00
the past week | 2026-11-23 | 2026-11-30T09:00
cette année | 2026-01-01 | 2026-12-31
this year | 2026-01-01 | 2026-12-31
l'an dernier | 2025-01-01 | 2025-12-31
l'année dernière | 2025-01-01 | 2025-12-31
l’an passé | 2025-01-01 | 2025-12-31
last year | 2025-01-01 | 2025-12-31
le trimestre dernier | 2026-07-01 | 2026-09-30
last quarter | 2026-07-01 | 2026-09-30
ce week-end | 2026-11-28 | 2026-11-29
this weekend | 2026-11-28 | 2026-11-29
le week-end dernier | 2026-11-28 | 2026-11-29
last weekend | 2026-11-28 | 2026-11-29
le week-end prochain | 2026-12-05 | 2026-12-06
les 3 derniers jours | 2026-11-27 | 2026-11-30T09:00
les trois derniers jours | 2026-11-27 | 2026-11-30T09:00
ces 3 derniers jours | 2026-11-27 | 2026-11-30T09:00
les derniers 3 jours | 2026-11-27 | 2026-11-30T09:00
last 3 days | 2026-11-27 | 2026-11-30T09:00
the last three days | 2026-11-27 | 2026-11-30T09:00
in the past 3 days | 2026-11-27 | 2026-11-30T09:00
depuis 3 jours | 2026-11-27 | 2026-11-30T09:00
ces derniers jours | 2026-11-23 | 2026-11-30T09:00
the last few days | 2026-11-23 | 2026-11-30T09:00
les quinze derniers jours | 2026-11-15 | 2026-11-30T09:00
the last two weeks | 2026-11-16 | 2026-11-30T09:00
ces deux dernières semaines | 2026-11-16 | 2026-11-30T09:00
les six derniers mois | 2026-05-30 | 2026-11-30T09:00
the last dozen days | 2026-11-18 | 2026-11-30T09:00
les dernières 24 heures | 2026-11-29T09:00 | 2026-11-30T09:00
the last 24 hours | 2026-11-29T09:00 | 2026-11-30T09:00
récemment | 2026-10-30 | 2026-11-30T09:00
recently | 2026-10-30 | 2026-11-30T09:00
il y a deux jours | 2026-11-28 | 2026-11-28
two days ago | 2026-11-28 | 2026-11-28
il y a une semaine | 2026-11-23 | 2026-11-29
a week ago | 2026-11-23 | 2026-11-29
il y a deux semaines | 2026-11-16 | 2026-11-22
two weeks ago | 2026-11-16 | 2026-11-22
a couple of weeks ago | 2026-11-16 | 2026-11-22
a fortnight ago | 2026-11-16 | 2026-11-22
il y a quinze jours | 2026-11-15 | 2026-11-16
il y a une quinzaine de jours | 2026-11-15 | 2026-11-16
a dozen days ago | 2026-11-18 | 2026-11-18
il y a quelques jours | 2026-11-23 | 2026-11-28
a few days ago | 2026-11-23 | 2026-11-28
il y a deux mois | 2026-09-01 | 2026-09-30
il y a environ 2 mois | 2026-09-01 | 2026-09-30
two months ago | 2026-09-01 | 2026-09-30
il y a un an | 2025-01-01 | 2025-12-31
a year ago | 2025-01-01 | 2025-12-31
il y a vingt et un jours | 2026-11-09 | 2026-11-09
twenty-one days ago | 2026-11-09 | 2026-11-09
il y a moins de 3 jours | 2026-11-27 | 2026-11-30T09:00
less than 3 days ago | 2026-11-27 | 2026-11-30T09:00
depuis hier | 2026-11-29 | 2026-11-30T09:00
since yesterday | 2026-11-29 | 2026-11-30T09:00
depuis mardi | 2026-11-24 | 2026-11-30T09:00
since Tuesday | 2026-11-24 | 2026-11-30T09:00
since Monday | 2026-11-23 | 2026-11-30T09:00
depuis la semaine dernière | 2026-11-23 | 2026-11-30T09:00
depuis le début de l'année | 2026-01-01 | 2026-11-30T09:00
since the beginning of the year | 2026-01-01 | 2026-11-30T09:00
depuis juin | 2026-06-01 | 2026-11-30T09:00
since early June | 2026-06-01 | 2026-11-30T09:00
depuis le 5 novembre | 2026-11-05 | 2026-11-30T09:00
since 5 November | 2026-11-05 | 2026-11-30T09:00
depuis 2024 | 2024-01-01 | 2026-11-30T09:00
lundi dernier | 2026-11-23 | 2026-11-23
last Monday | 2026-11-23 | 2026-11-23
vendredi | 2026-11-27 | 2026-11-27
on Friday | 2026-11-27 | 2026-11-27
vendredi matin | 2026-11-27 | 2026-11-27T12:00
on Friday morning | 2026-11-27 | 2026-11-27T12:00
next Friday | 2026-12-04 | 2026-12-04
ce vendredi | 2026-12-04 | 2026-12-04
entre lundi et mercredi | 2026-11-23 | 2026-11-25
en juin | 2026-06-01 | 2026-06-30
in June | 2026-06-01 | 2026-06-30
au mois de juin | 2026-06-01 | 2026-06-30
en décembre | 2025-12-01 | 2025-12-31
in December | 2025-12-01 | 2025-12-31
en mars | 2026-03-01 | 2026-03-31
in March | 2026-03-01 | 2026-03-31
en mai | 2026-05-01 | 2026-05-31
in May | 2026-05-01 | 2026-05-31
en août | 2026-08-01 | 2026-08-31
en juin 2025 | 2025-06-01 | 2025-06-30
in June 2025 | 2025-06-01 | 2025-06-30
en juin de l'an dernier | 2025-06-01 | 2025-06-30
in June last year | 2025-06-01 | 2025-06-30
juin dernier | 2026-06-01 | 2026-06-30
last November | 2025-11-01 | 2025-11-30
au printemps | 2026-03-01 | 2026-05-31
in the spring | 2026-03-01 | 2026-05-31
cet été | 2026-06-01 | 2026-08-31
l'été dernier | 2026-06-01 | 2026-08-31
last summer | 2026-06-01 | 2026-08-31
pendant l'été 2025 | 2025-06-01 | 2025-08-31
en hiver | 2025-12-01 | 2026-02-28
fin octobre | 2026-10-21 | 2026-10-31
late October | 2026-10-21 | 2026-10-31
à la fin du mois dernier | 2026-10-21 | 2026-10-31
début mars | 2026-03-01 | 2026-03-10
early March | 2026-03-01 | 2026-03-10
mi-octobre | 2026-10-11 | 2026-10-20
mid-October | 2026-10-11 | 2026-10-20
fin 2025 | 2025-09-01 | 2025-12-31
early 2026 | 2026-01-01 | 2026-04-30
entre le 3 et le 10 mai | 2026-05-03 | 2026-05-10
between 3 and 10 May | 2026-05-03 | 2026-05-10
between May 3 and May 10 | 2026-05-03 | 2026-05-10
du 3 au 10 mai 2025 | 2025-05-03 | 2025-05-10
du 28 mai au 3 juin | 2026-05-28 | 2026-06-03
from 28 May to 3 June | 2026-05-28 | 2026-06-03
entre juin et août 2025 | 2025-06-01 | 2025-08-31
between June and August | 2026-06-01 | 2026-08-31
entre novembre et février | 2025-11-01 | 2026-02-28
après Noël | 2025-12-26 | 2026-11-30T09:00
after Christmas | 2025-12-26 | 2026-11-30T09:00
à Noël | 2025-12-25 | 2025-12-25
Noël dernier | 2025-12-25 | 2025-12-25
à Pâques | 2026-04-05 | 2026-04-05
at Easter | 2026-04-05 | 2026-04-05
depuis la Toussaint | 2026-11-01 | 2026-11-30T09:00
le 5 novembre | 2026-11-05 | 2026-11-05
5 novembre | 2026-11-05 | 2026-11-05
le jeudi 5 novembre | 2026-11-05 | 2026-11-05
le 1er mai | 2026-05-01 | 2026-05-01
le 4 décembre | 2025-12-04 | 2025-12-04
on the 5th of November | 2026-11-05 | 2026-11-05
November 5 | 2026-11-05 | 2026-11-05
March 12, 2025 | 2025-03-12 | 2025-03-12
12 mars 2025 | 2025-03-12 | 2025-03-12
5 nov. 2026 | 2026-11-05 | 2026-11-05
le 29 février | 2024-02-29 | 2024-02-29
05/11/2026 | 2026-11-05 | 2026-11-05
5.11.2026 | 2026-11-05 | 2026-11-05
05/11/26 | 2026-11-05 | 2026-11-05
le 5/11 | 2026-11-05 | 2026-11-05
2026-11-05 | 2026-11-05 | 2026-11-05
T3 2026 | 2026-07-01 | 2026-09-30
Q3 | 2026-07-01 | 2026-09-30
Q3 2025 | 2025-07-01 | 2025-09-30
au T4 | 2026-10-01 | 2026-12-31
le troisième trimestre | 2026-07-01 | 2026-09-30
the first quarter of 2025 | 2025-01-01 | 2025-03-31
H1 2026 | 2026-01-01 | 2026-06-30
December 1,2023 | 2023-12-01 | 2023-12-01
the week before 16 November 2026 | 2026-11-09 | 2026-11-15
la semaine avant le 16 novembre | 2026-11-09 | 2026-11-15
the day after Christmas | 2025-12-26 | 2025-12-26
le mois après Pâques | 2026-04-06 | 2026-05-05
en 2024 | 2024-01-01 | 2024-12-31
in 2024 | 2024-01-01 | 2024-12-31
"""
ROWS = [tuple(part.strip() for part in line.split("|")) for line in EXPECTED.strip().splitlines()]


@pytest.mark.parametrize(("expression", "since", "end"), ROWS, ids=[row[0] for row in ROWS])
def test_an_expression_is_one_closed_local_range(expression: str, since: str, end: str) -> None:
    found = reading(expression)
    assert [(local(r.since), local(r.until)) for r in found.ranges] == [(wall(since), until(end))]
    assert (found.rest, found.unknown, found.history) == ("", (), False)


@pytest.mark.parametrize(
    ("expression", "last"),
    [
        ("avant le 12 mars", "2026-03-11"),
        ("before 12 March", "2026-03-11"),
        ("avant 2025", "2024-12-31"),
        ("jusqu'au 3 mai", "2026-05-03"),
        ("until 3 May", "2026-05-03"),
        ("avant la fin de l'année", "2026-12-31"),
        ("il y a plus de deux mois", "2026-09-29"),
        ("more than two months ago", "2026-09-29"),
    ],
)
def test_what_has_only_an_end_begins_with_all_time(expression: str, last: str) -> None:
    (only,) = reading(expression).ranges
    assert (only.since, local(only.until)) == (BEGINNING, wall(last, end=True))


@pytest.mark.parametrize(
    "expression", ["à partir de mercredi prochain", "after tomorrow", "après le 1er décembre 2026"]
)
def test_what_begins_later_is_not_cut_at_now(expression: str) -> None:
    (only,) = reading(expression).ranges
    assert (local(only.since), only.until) == (wall("2026-12-02"), ENDING)


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("Où en étais-je hier et que dois-je faire en premier ?", "Où en étais-je et que dois-je faire en premier ?"),
        ("Qu'ai-je noté la semaine dernière sur Brume ?", "Qu'ai-je noté sur Brume ?"),
        ("What did Redwood say last week about fees?", "What did Redwood say about fees?"),
        ("Le 5 novembre 2025, qu'a dit Inès ?", "qu'a dit Inès ?"),
        ("Les notes d’hier", "Les notes"),
        ("Yesterday's notes on kelp", "notes on kelp"),
        ("Qu'ai-je écrit en juin et en août ?", "Qu'ai-je écrit ?"),
        ("Qu'ai-je écrit en juin et août ?", "Qu'ai-je écrit ?"),
        ("Idées notées entre le 3 et le 10 mai, sur le Gard", "Idées notées, sur le Gard"),
    ],
)
def test_the_rest_is_the_question_without_its_times(question: str, rest: str) -> None:
    found = reading(question)
    assert found.ranges
    assert found.rest == rest


@pytest.mark.parametrize(
    "text",
    [
        "May I publish the piece?",
        "When may the harbour story run?",
        "Chapter 3 may be cut",
        "kelp on the mars rover",
        "Le rover de Mars et la planète Mars",
        "march on the capital",
        "one second, the second draft",
        "le second feuillet",
        "Que cherche Mistral pour mars ?",
        "What is due by 4 December?",
        "À rendre pour le 12 mars 2027",
        "Le numéro spécial de janvier est-il confirmé ?",
        "Fais le point pour l'appel de lundi avec Maison Aubépine",
        "When does the library close on Saturdays?",
        "Je n'aime pas travailler le lundi matin",
        "point chaque lundi à 9 h",
        "Il a été publié",
        "Résume en 2000 mots",
        "Cut it to fit in 2000 words",
        "Quel chiffre de fréquentation 2025 retenir ?",
        "facture 2026-042",
        "ISBN 978-2-00-000000-2",
        "24/7 et 3/4 de page",
        "Il y a 3 jours pour relire",
        "Il y a un problème avec Brume",
        "Que dit « La semaine dernière » ?",
        'What is "Last Summer" about?',
        "Où en est “Depuis hier” ?",
        "my novel Last Summer in Naples",
        "mon roman Demain encore",
        "my story Before Christmas needs work",
        "in May Sarton's journal",
        "d'après Tanguy, quelle taille ?",
        "Avant-propos et après-ski",
        "Puis-je appeler avant 11 h ?",
        "le train depuis Marseille",
        "à la Sainte-Chapelle",
        "depuis quand ?",
        "since when do I work with Gannet?",
        "depuis toujours",
        "When is the last winter boat?",
        "Which notes speak of the next Friday meeting?",
        "How long ago was it?",
        "東京の静かな朝",
        "",
    ],
)
def test_words_that_mean_something_else_are_left_alone(text: str) -> None:
    assert reading(text) == TimeReading((), text, (), False)


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("depuis la saint-glinglin", "depuis la saint-glinglin"),
        ("Qu'ai-je noté depuis la saint-glinglin ?", "depuis la saint-glinglin"),
        ("à la saint-glinglin", "à la saint-glinglin"),
        ("What has changed since the flood?", "since the flood"),
        ("depuis que j'ai déménagé", "depuis que j'ai déménagé"),
        ("a while ago", "a while ago"),
        ("What did we start years ago?", "years ago"),
        ("donkey's years ago", "donkey's years ago"),
        ("il y a belle lurette", "il y a belle lurette"),
        ("il y a longtemps", "il y a longtemps"),
        ("il y a deux ans et demi", "il y a deux ans et demi"),
        ("the other day", "the other day"),
        ("l'autre jour", "l'autre jour"),
        ("le 31 février", "le 31 février"),
        ("31/02/2026", "31/02/2026"),
        ("2026-13-45", "2026-13-45"),
        ("the last week of May", "last week of May"),
        ("last 3 working days", "last 3 working days"),
        ("il y a 9999 ans", "il y a 9999 ans"),
        ("the week before 0003-01-01", "the week before 0003-01-01"),
        ("between 0003-01-02 and 0003-01-01", "between 0003-01-02 and 0003-01-01"),
        ("entre le 31 février et le 3 mars", "entre le 31 février et le 3 mars"),
    ],
)
def test_what_looks_like_a_time_and_is_not_understood_is_said(question: str, unknown: str) -> None:
    found = reading(question)
    assert (found.ranges, found.unknown) == ((), (unknown,))


@pytest.mark.parametrize(
    "expression",
    [
        "before the change",
        "avant le changement",
        "avant d'être décalée",
        "before it was moved",
        "à l'origine",
        "au départ",
        "auparavant",
        "autrefois",
        "previously",
        "originally",
        "used to",
        "What was the title before?",
        "What did Ines use? It used to be Courier",
    ],
)
def test_an_undated_past_is_history_and_no_range(expression: str) -> None:
    found = reading(expression)
    assert (found.ranges, found.unknown, found.history) == ((), (), True)


@pytest.mark.parametrize(
    "text", ["à l'original", "Il est au début du chapitre", "avant la réunion", "Which knife is used to cut reeds?"]
)
def test_history_is_not_seen_everywhere(text: str) -> None:
    assert not reading(text).history


def test_a_month_and_a_change_in_one_question() -> None:
    found = reading("Quel était le rythme de l'infolettre en août, avant le changement ?")
    assert [local(r.since).month for r in found.ranges] == [8]
    assert found.history
    assert found.rest == "Quel était le rythme de l'infolettre ?"


@pytest.mark.parametrize(
    ("question", "ranges"),
    [
        ("Combien coûte l'abonnement aujourd'hui ?", 0),
        ("What does it cost today?", 0),
        ("Qu'ai-je noté aujourd'hui ?", 1),
        ("What did I write today?", 1),
        ("les notes d'aujourd'hui", 1),
    ],
)
def test_today_may_only_mean_now(question: str, ranges: int) -> None:
    assert len(reading(question).ranges) == ranges


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("Que dois-je rendre le 4 décembre ?", date(2026, 12, 4)),
        ("What must I deliver on 4 December?", date(2026, 12, 4)),
        ("Que dois-je rendre vendredi ?", date(2026, 12, 4)),
        ("Qu'ai-je rendu vendredi ?", date(2026, 11, 27)),
        ("Que dois-je facturer en janvier ?", date(2027, 1, 1)),
    ],
)
def test_undated_days_follow_the_way_the_speaker_looks(question: str, day: date) -> None:
    (only,) = reading(question).ranges
    assert local(only.since).date() == day


@pytest.mark.parametrize(
    ("question", "firm"),
    [
        ("Qu'ai-je noté hier ?", True),
        ("since Monday", True),
        ("Où en étais-je hier et que dois-je faire ?", True),
        ("Combien d'entrées en 2024 ?", False),
        ("in June", False),
        ("recently", False),
        ("Que dois-je faire cette semaine ?", False),
        ("demain", False),
    ],
)
def test_a_date_may_belong_to_the_subject(question: str, firm: bool) -> None:
    (only,) = reading(question).ranges
    assert only.firm is firm


@pytest.mark.parametrize(
    ("language", "zone", "day"),
    [
        ("fr", "Europe/Paris", date(2026, 11, 5)),
        ("fr", "America/Montreal", date(2026, 11, 5)),
        ("en", "Europe/London", date(2026, 11, 5)),
        ("en-GB", "America/New_York", date(2026, 11, 5)),
        ("en_US", "Europe/Paris", date(2026, 5, 11)),
        ("en", "America/New_York", date(2026, 5, 11)),
        ("en", "Pacific/Auckland", date(2026, 11, 5)),
    ],
)
def test_the_order_of_day_and_month_follows_language_then_zone(language: str, zone: str, day: date) -> None:
    place = ZoneInfo(zone)
    (only,) = reading("05/11/2026", language=language, zone=place).ranges
    assert local(only.since, place).date() == day
    (clear,) = reading("25/11/2026", language=language, zone=place).ranges
    assert local(clear.since, place).date() == date(2026, 11, 25)


@pytest.mark.parametrize(
    ("zone", "hour", "yesterday"),
    [
        ("Pacific/Auckland", 12, date(2026, 11, 30)),
        ("Pacific/Auckland", 7, date(2026, 11, 29)),
        ("Europe/Paris", 12, date(2026, 11, 29)),
        ("America/Los_Angeles", 12, date(2026, 11, 29)),
        ("America/Los_Angeles", 7, date(2026, 11, 28)),
    ],
)
def test_yesterday_is_the_users_own(zone: str, hour: int, yesterday: date) -> None:
    place, now = ZoneInfo(zone), datetime(2026, 11, 30, hour, 30, tzinfo=UTC)
    (only,) = reading("hier", now=now, zone=place).ranges
    assert local(only.since, place) == datetime.combine(yesterday, datetime.min.time())
    assert only.until - only.since == timedelta(days=1, microseconds=-1)


@pytest.mark.parametrize(
    ("day", "zone", "hours"),
    [
        ("29/03/2026", "Europe/Paris", 23),
        ("25/10/2026", "Europe/Paris", 25),
        ("27/09/2026", "Pacific/Auckland", 23),
        ("05/04/2026", "Pacific/Auckland", 25),
        ("08/03/2026", "America/Los_Angeles", 23),
        ("01/11/2026", "America/Los_Angeles", 25),
    ],
)
def test_a_day_is_as_long_as_its_clocks_say(day: str, zone: str, hours: int) -> None:
    (only,) = reading(day, zone=ZoneInfo(zone)).ranges
    assert only.until - only.since == timedelta(hours=hours, microseconds=-1)


SAID = datetime(2026, 11, 19, 10, 0, tzinfo=PARIS)  # a Thursday


@pytest.mark.parametrize(
    ("note", "days"),
    [
        ("rendez-vous demain à 15 h", [("demain", date(2026, 11, 20))]),
        ("Meeting tomorrow at 3", [("tomorrow", date(2026, 11, 20))]),
        ("Texte livré hier, photo reçue", [("hier", date(2026, 11, 18))]),
        ("Relancer Gannet vendredi", [("vendredi", date(2026, 11, 20))]),
        ("Call Inès on Friday", [("Friday", date(2026, 11, 20))]),
        ("Interview moved to Thursday", [("Thursday", date(2026, 11, 26))]),
        ("Inès a demandé le texte pour lundi", [("lundi", date(2026, 11, 23))]),
        ("Inès a confirmé lundi", []),
        ("Inès confirmed on Monday", []),
        ("Inès a appelé lundi dernier", [("lundi dernier", date(2026, 11, 16))]),
        ("Lena reads the piece next week.", [("next week", date(2026, 11, 23))]),
        ("La réunion est dans quinze jours", [("dans quinze jours", date(2026, 12, 3))]),
        ("We ship in two weeks", [("in two weeks", date(2026, 12, 3))]),
        ("mardi en huit", [("mardi en huit", date(2026, 12, 1))]),
        ("J'ai écrit ce week-end", [("ce week-end", date(2026, 11, 14))]),
        ("Je pars ce week-end", [("ce week-end", date(2026, 11, 21))]),
        ("Demain, lu.\nHier : vu", [("Demain", date(2026, 11, 20)), ("Hier", date(2026, 11, 18))]),
        ("le mois prochain", []),
        ("Je n'aime pas travailler le lundi matin", []),
        ("Reachable on Tuesdays only", []),
        ("I take calls on Wednesday mornings", []),
        ("Send what is due on Monday mornings", []),
        ("Réunion le premier jeudi du mois", []),
        ("Last Sunday of August", []),
        ("It dries in a day and a half", []),
        ("Jeudi de pluie", []),
        ("« Demain » est le titre", []),
        ("rendu le 5 novembre 2026", []),
    ],
)  # fmt: skip
def test_a_note_is_dated_by_its_own_words(note: str, days: list[tuple[str, date]]) -> None:
    assert list(anchor(note, said_at=SAID, zone=PARIS, language="fr")) == days


_PIECES = (
    "hier depuis il y a deux mois jours la semaine dernière prochaine en juin mai May may le 5 31 février 2026 0 9999 "
    "avant après entre et le 10 last next 3 days ago since Monday lundi fin début T3 Q3 /11/2026 0003-01-01 "
    "9997-12-31 week 31/12/ 2026-02-30 à Noël l' d' « » \" ' . ? \n \x00 été 東京 \u0301 ² ٣ the of"
)
WORDS = st.sampled_from(_PIECES.split(" "))
MOMENTS = st.datetimes(datetime(1970, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
ZONES = st.sampled_from(("Pacific/Auckland", "Europe/Paris", "America/Los_Angeles", "Pacific/Apia", "UTC")).map(
    ZoneInfo
)


@settings(max_examples=300, deadline=None)
@given(text=st.lists(WORDS, max_size=14).map(" ".join) | st.text(max_size=200), now=MOMENTS, zone=ZONES)
def test_every_range_is_aware_utc_and_runs_forward(text: str, now: datetime, zone: ZoneInfo) -> None:
    found = reading(text, now=now, zone=zone)
    for one in found.ranges:
        assert one.since.tzinfo is UTC
        assert one.until.tzinfo is UTC
        assert one.since <= one.until
    assert all(found.unknown)
    anchor(text, said_at=now, zone=zone, language="en")


@settings(max_examples=100, deadline=None)
@given(now=MOMENTS, zone=ZONES)
def test_yesterday_ends_where_today_begins(now: datetime, zone: ZoneInfo) -> None:
    (today,) = reading("les notes d'aujourd'hui", now=now, zone=zone).ranges
    (yesterday,) = reading("hier", now=now, zone=zone).ranges
    assert today.since <= now <= today.until
    assert today.since - yesterday.until == timedelta(microseconds=1)
    (both,) = reading("entre hier et aujourd'hui", now=now, zone=zone).ranges
    assert (both.since, both.until) == (yesterday.since, today.until)


REPEATED = [
    "€",
    "é-",
    "a ",
    "hier ",
    "depuis la ",
    "since the ",
    "«",
    '"',
    "'x ",
    " ",
    "\n",
    ",,",
    "1/2 ",
    "le ",
    "\x00",
]


@pytest.mark.parametrize("unit", [*REPEATED, "東", "\u0301", "HIER ", "l'", "juin, ", "Last ", "deux ", "(", "\ud800"])
def test_sixty_thousand_characters_cost_in_proportion(unit: str) -> None:
    def cost(size: int) -> float:
        text = (unit * size)[:size]
        start = time.process_time()
        reading(text)
        return time.process_time() - start

    cost(1000)
    small, large = max(cost(6000), 0.005), cost(60000)
    assert large < 60 * small, "ten times the text must not cost a hundred times the time"


@settings(max_examples=300, deadline=None)
@given(text=st.lists(WORDS, max_size=14).map(" ".join) | st.lists(WORDS, max_size=6).map("".join))
def test_no_rule_finds_what_its_sign_does_not_show(text: str) -> None:
    """The signs only save time: wherever a rule matches, its sign is there too."""
    for one in (text, *(expression for expression, *_ in ROWS)):
        folded = Folded.of(one).text
        for rule in timegrammar.RULES:
            if rule.pattern.search(folded):
                assert timegrammar.SIGNS[rule.name].search(folded), rule
