"""The smaller stories of a simulated year; each knows when what it says ceases to hold."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from bench.year_note import Told
from bench.year_stories import Stories
from bench.year_words import said, wordings

_CLIENT, _IDEA, _RESEARCH = ("client-projects",), ("article-ideas",), ("research-notes",)
_TASK, _TALK, _PREFERENCE = ("tasks",), ("general-conversation",), ("personal-preferences",)


def idea(stories: Stories, at: datetime, language: str) -> None:
    """An idea: developed, then dropped aloud, left alone, kept alive, or dropped and taken up again."""
    w, words = stories.words, wordings(language)["ideas"]
    topic, subject = w.topic(language), wordings(language)
    about, fields = (topic, "idea"), {"category": _IDEA[0]} if w.chance(0.3) else {}
    angle = w.one(words["angles"])
    mine = [
        stories.tell(
            at,
            said(w.one(words["first"]), topic=topic, angle=angle),
            language,
            _IDEA,
            about,
            value="live",
            details=(topic, angle),
            fields=fields,
        )
    ]
    for _ in range(w.random.randint(0, 3)):
        extra = {"name": w.name(language), "code": w.code(), "detail": w.one(subject["details"])}
        template = w.one(words["develop"])
        at = stories.hour(at, 1, 15)
        kept = tuple(extra[k] for k in extra if "{" + k + "}" in template)
        mine.append(
            stories.tell(
                at, said(template, topic=topic, **extra), language, _IDEA, about, value="live", details=(topic, *kept)
            )
        )
    stories.asks[about] = (words["ask"], [], {"topic": topic})
    kept_alive = [one for one in mine if one]
    fate = w.random.random()
    if fate < 0.35:
        _dropped(stories, kept_alive, stories.hour(at, 8, 60), language, topic)
    elif fate < 0.7:
        gone = stories.hour(at, 60, 60)
        for one in kept_alive:
            one.stale.append((gone, None))


def _dropped(stories: Stories, mine: list[Told], at: datetime, language: str, topic: str) -> None:
    w, words = stories.words, wordings(language)["ideas"]
    about = (topic, "idea")
    drop = stories.tell(
        at, said(w.one(words["abandon"]), topic=topic), language, _IDEA, about, value="dropped", details=(topic,)
    )
    if drop is None:
        return
    drop.free = (at + timedelta(days=60), None)
    back = stories.hour(at, 15, 45) if w.chance(0.25) else None
    again = back and stories.tell(
        back, said(w.one(words["revive"]), topic=topic), language, _IDEA, about, value="live", details=(topic,)
    )
    for one in mine:
        one.stale.append((drop.at, again.at if again else None))
    if again:
        drop.stale.append((again.at, None))


def research(stories: Stories, at: datetime, language: str) -> None:
    """A figure and perhaps its twin of another year, a quotation, or a presence and an absence elsewhere."""
    w, words = stories.words, wordings(language)
    fields = {"category": _RESEARCH[0]} if w.chance(0.3) else {}
    source = {"source": {"type": w.one(("web", "document", "call"))}} if w.chance(0.4) else {}
    draw = w.random.random()
    extra = {
        "name": w.name(language),
        "code": w.code(),
        "unit": w.one(words["units"]),
        "topic": w.topic(language),
        "detail": w.one(words["details"]),
    }
    common: dict[str, Any] = {"fields": {**fields, **source}}
    if draw < 0.6:
        template, year = w.one(words["research"]["facts"]), w.random.randint(1780, 1990)
        for turn in range(2 if w.chance(0.35) else 1):
            given = {**extra, "year": str(year + 10 * turn), "n": w.figure(language)}
            about = (f"{given['topic']} {given['year']}", "figure")
            stories.tell(
                stories.hour(at, turn * 3, turn),
                said(template, **given),
                language,
                _RESEARCH,
                about,
                value=given["n"],
                details=(given["n"], given["year"]),
                **common,
            )
            stories.asks[about] = (words["research"]["ask_fact"], [], given)
    elif draw < 0.85:
        given = {**extra, "quote": w.one(words["quotes"])}
        about = (f"{given['topic']} {given['name']}", "quotation")
        stories.tell(
            at,
            said(w.one(words["research"]["quotes"]), **given),
            language,
            _RESEARCH,
            about,
            value=given["quote"],
            details=(given["quote"], given["name"], given["topic"]),
            **common,
        )
        stories.asks[about] = (words["research"]["ask_quote"], [], given)
    else:
        pair = w.one(words["research"]["negated"])
        for turn, town in enumerate(w.random.sample(words["towns"], 2)):
            given = {**extra, "town": town, "code": w.code()}
            stories.tell(
                stories.hour(at, turn * 2, turn),
                said(pair[turn], **given),
                language,
                _RESEARCH,
                (f"{given['code']}", "presence"),
                value=str(turn),
                details=(given["code"], town),
                **common,
            )


def preference(stories: Stories, at: datetime, language: str, number: int) -> None:
    """A habit that changes a few times a year."""
    w, words = stories.words, wordings(language)["preferences"][number]
    about, holding, value = (f"{language} preference {number}", "preference"), None, w.one(words["values"])
    stories.asks[about] = (words["ask"], [], {})
    while at < stories.end:
        template = w.one(words["change" if holding else "first"])
        old = holding.value if holding else ""
        told = stories.tell(
            at, said(template, v=value, old=old), language, _PREFERENCE, about, value=value, details=(value,)
        )
        if holding and told:
            holding.stale.append((told.at, None))
        holding, at = told, stories.hour(at, 45, 130)
        value = w.one([one for one in words["values"] if one != value])


def task(stories: Stories, at: datetime, language: str) -> None:
    """Something to do, and mostly its being done."""
    w, words = stories.words, wordings(language)
    number = w.random.randrange(len(words["tasks"]["todo"]))
    fill = {
        "code": w.code(),
        "client": w.client(language),
        "name": w.name(language),
        "detail": w.one(words["details"]),
        "town": w.one(words["towns"]),
    }
    about, drawers = (fill["code"], "task"), (*_TASK, *_CLIENT)
    fields = {"kind": "task"} if w.chance(0.3) else {}
    todo = stories.tell(
        at,
        said(words["tasks"]["todo"][number], **fill),
        language,
        drawers,
        about,
        value="to do",
        details=(fill["code"],),
        fields=fields,
    )
    if todo is None:
        return
    todo.free = (at + timedelta(days=90), None)
    stories.asks[about] = (words["tasks"]["ask"], [], fill)
    if w.chance(0.65):
        done = stories.tell(
            stories.hour(at, 1, 20),
            said(words["tasks"]["done"][number], **fill),
            language,
            drawers,
            about,
            value="done",
            details=(fill["code"],),
        )
        if done:
            todo.stale.append((done.at, None))
            done.free = (done.at + timedelta(days=60), None)


def volatile(stories: Stories, at: datetime, language: str, number: int, thing: str) -> None:
    """A count or a price that is looked up again and again."""
    w, words = stories.words, wordings(language)["volatile"][number]
    about, last = (thing, "count"), None
    stories.asks[about] = (words["ask"], [], {"thing": thing})
    while at < stories.end:
        n = w.figure(language)
        told = stories.tell(
            at,
            said(w.one(words["say"]), thing=thing, n=n),
            language,
            (*_RESEARCH, *_CLIENT),
            about,
            value=n,
            details=(n, thing),
        )
        if last and told:
            last.stale.append((told.at, None))
        last, at = told, stories.hour(at, 15, 45)


def hypothesis(stories: Stories, at: datetime, language: str) -> None:
    """A guess, and what became of it where it was found out."""
    w, words = stories.words, wordings(language)
    one = w.one(words["hypotheses"])
    fill = {"code": w.code(), "client": w.client(language), "name": w.name(language)}
    about, drawers = (fill["code"], "hypothesis"), (*_RESEARCH, *_CLIENT)
    guess = stories.tell(
        at, said(w.one(one["say"]), **fill), language, drawers, about, value="guess", details=(fill["code"],)
    )
    stories.asks[about] = (one["ask"], [], fill)
    if guess is None or not w.chance(0.7):
        return
    outcome = w.one(("confirmed", "refuted"))
    found = stories.tell(
        stories.hour(at, 15, 65),
        said(w.one(one[outcome]), **fill),
        language,
        drawers,
        about,
        value=outcome,
        details=(fill["code"],),
    )
    if found and outcome == "refuted":
        guess.stale.append((found.at, None))
    elif found:
        guess.free = (found.at, None)


def lesson(stories: Stories, at: datetime, language: str) -> None:
    """Something learnt the hard way."""
    w, words = stories.words, wordings(language)
    fill = {"code": w.code(), "client": w.client(language), "name": w.name(language), "detail": w.one(words["details"])}
    template = w.one(words["lessons"])
    kept = tuple(v for k, v in fill.items() if "{" + k + "}" in template)
    stories.tell(
        at,
        said(template, **fill),
        language,
        (*_CLIENT, *_PREFERENCE, *_RESEARCH),
        (fill["code"], "lesson"),
        details=kept,
    )


def talk(stories: Stories, at: datetime, language: str) -> None:
    """Small talk: nothing to keep."""
    w, words = stories.words, wordings(language)
    fill = {name: w.one(among) for name, among in words["words"].items()}
    told = stories.tell(at, said(w.one(words["talk"]), **fill), language, _TALK, (f"talk {at}", "talk"))
    if told:
        told.free = (at + timedelta(days=7), None)


def session(stories: Stories, at: datetime, language: str, number: int) -> None:
    """Three turns of a conversation, as its transcript is replayed into the memory."""
    w, words = stories.words, wordings(language)
    code, topic = w.code(), w.topic(language)
    piece = f"{w.one(words['formats'])} {words['on']} {topic}"
    fill = {"topic": topic, "detail": w.one(words["details"]), "name": w.name(language), "code": code, "piece": piece}
    turns = w.one(words["turns"])
    for turn, template in enumerate(turns):
        fields = {"session": f"conversation-{number}", "position": turn, "source": {"type": "session"}}
        last = turn == len(turns) - 1
        kept = tuple(v for k, v in fill.items() if "{" + k + "}" in template) if last else ()
        drawers = (*_CLIENT, *_IDEA, *_RESEARCH) if last else (*_TALK, *_CLIENT, *_IDEA, *_RESEARCH)
        told = stories.tell(
            at + timedelta(minutes=turn),
            said(template, **fill),
            language,
            drawers,
            (f"session {number}", f"turn {turn}"),
            details=kept,
            fields=fields,
        )
        if told and not last:  # a question or a nod: only what was concluded must stay
            told.free = (at + timedelta(days=7), None)
