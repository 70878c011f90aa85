"""The digest of a night in words: what was done, what failed, what waits, what the jobs noticed; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hmf.policy.sentences.saying import say
from hmf.policy.sentences.typeset import day, fill, listed, quoted, singular, tongue_of

Facts = Mapping[str, Any]

_DONE = {
    "en": {
        "archive": ("{n} memory archived", "{n} memories archived"),
        "forget": ("{n} memory forgotten", "{n} memories forgotten"),
        "flag": ("{n} memory marked as to be verified", "{n} memories marked as to be verified"),
        "move": ("{n} memory moved", "{n} memories moved"),
        "merge": ("{n} memory merged into another", "{n} memories merged into others"),
        "supersede": ("{n} summary replaced", "{n} summaries replaced"),
        "purge": ("{n} memory gone for good", "{n} memories gone for good"),
        "written": ("{n} summary written", "{n} summaries written"),
        "rebuild": ("{n} summary rewritten", "{n} summaries rewritten"),
    },
    "fr": {
        "archive": ("{n} souvenir archivé", "{n} souvenirs archivés"),
        "forget": ("{n} souvenir oublié", "{n} souvenirs oubliés"),
        "flag": ("{n} souvenir marqué à vérifier", "{n} souvenirs marqués à vérifier"),
        "move": ("{n} souvenir déplacé", "{n} souvenirs déplacés"),
        "merge": ("{n} souvenir fusionné dans un autre", "{n} souvenirs fusionnés dans d’autres"),
        "supersede": ("{n} résumé remplacé", "{n} résumés remplacés"),
        "purge": ("{n} souvenir effacé pour de bon", "{n} souvenirs effacés pour de bon"),
        "written": ("{n} résumé écrit", "{n} résumés écrits"),
        "rebuild": ("{n} résumé réécrit", "{n} résumés réécrits"),
    },
}
_ASKED = {
    "en": {
        "archive": "to archive",
        "forget": "to forget",
        "flag": "to mark as to be verified",
        "move": "to move",
        "merge": "to merge",
        "summarise": "to summarise",
    },
    "fr": {
        "archive": "à archiver",
        "forget": "à oublier",
        "flag": "à marquer à vérifier",
        "move": "à déplacer",
        "merge": "à fusionner",
        "summarise": "à résumer",
    },
}
_SAID = {
    "en": {
        "quiet": "Nothing happened{waits}.",
        "quiet-none": "nothing waits",
        "quiet-some": "{n} {proposals}, the oldest since {since}",
        "done": "Done by themselves: {what}.",
        "done-at": "{what} ({where})",
        "waits": "{n} {proposals}, the oldest since {since}: {what}. Answer with hmf review.",
        "proposals": ("proposal waits for you", "proposals wait for you"),
        "failed": "The job {job} failed ({times}): {why}. See hmf jobs list.",
        "mended": "The job {job} failed first ({times}), then ran well.",
        "times": ("once", "{n} times"),
        "note": "Noticed: {what}",
        "unexpected": "an error that was not expected ({name})",
    },
    "fr": {
        "quiet": "Il ne s’est rien passé{waits}.",
        "quiet-none": "rien n’attend",
        "quiet-some": "{n} {proposals}, la plus ancienne depuis le {since}",
        "done": "Fait sans vous : {what}.",
        "done-at": "{what} ({where})",
        "waits": "{n} {proposals}, la plus ancienne depuis le {since} : {what}. Répondez avec hmf review.",
        "proposals": ("proposition vous attend", "propositions vous attendent"),
        "failed": "La tâche {job} a échoué ({times}) : {why}. Voir hmf jobs list.",
        "mended": "La tâche {job} a d’abord échoué ({times}), puis s’est bien passée.",
        "times": ("une fois", "{n} fois"),
        "note": "Remarqué : {what}",
        "unexpected": "une erreur imprévue ({name})",
    },
}
_TROUBLES = {
    "en": {
        "disk-full": "the disk is full; free some space",
        "locked": "another program held the memory",
        "damaged": "the ledger is damaged; hmf doctor says more",
        "unavailable": "the store was out of reach",
        "manifest-mismatch": "the index is of another embedder; run hmf reindex",
        "index": "the index could not be used; run hmf reindex",
        "embedder": "the embedder could not be used; hmf doctor says more",
        "configuration": "the configuration has an error; run hmf config check",
        "interrupted": "the program ended before it did",
    },
    "fr": {
        "disk-full": "le disque est plein ; libérez de la place",
        "locked": "un autre programme tenait la mémoire",
        "damaged": "le registre est abîmé ; hmf doctor en dit plus",
        "unavailable": "la mémoire était hors d’atteinte",
        "manifest-mismatch": "l’index vient d’un autre modèle ; lancez hmf reindex",
        "index": "l’index n’a pas pu servir ; lancez hmf reindex",
        "embedder": "le modèle n’a pas pu servir ; hmf doctor en dit plus",
        "configuration": "la configuration contient une erreur ; lancez hmf config check",
        "interrupted": "le programme s’est arrêté avant elle",
    },
}


@dataclass(frozen=True, slots=True)
class _Coded:
    code: str
    values: Mapping[str, str | int | float]


def digest_sentences(facts: Facts, language: str) -> list[str]:
    """The sentences of a night, the most pressing first; one alone where nothing happened.

    `facts`: `jobs` (job, attempts, failures, outcome, code, name), `done` (verb, category, n, made), `waiting` (job,
    verb, reason, n, since), `notes` (code, values, category, new), as `hmf.service.digesting` gathers them.
    """
    tongue = tongue_of(language)
    troubles = [*_troubles(facts["jobs"], tongue)]
    told = [note for note in facts["notes"] if note["new"]]
    noted = [_said("note", tongue, what=say(_Coded(one["code"], one["values"]), language)) for one in told]
    what = _done(facts["done"], tongue)
    if not troubles and not what:
        return [_quiet(facts["waiting"], tongue), *noted]
    done = [_said("done", tongue, what=what)] if what else []
    waits = [_waits(facts["waiting"], tongue)] if facts["waiting"] else []
    return [*troubles, *done, *waits, *noted]


def _troubles(jobs: Iterable[Facts], tongue: str) -> Iterable[str]:
    for one in jobs:
        times = _counted(_SAID[tongue]["times"], one["failures"], tongue)
        if one["outcome"] == "ok" and one["failures"]:
            yield _said("mended", tongue, job=quoted(one["job"], tongue), times=times)
        elif one["outcome"] not in ("ok", "running"):
            why = _TROUBLES[tongue].get(one["code"]) or _said("unexpected", tongue, name=one["name"])
            yield _said("failed", tongue, job=quoted(one["job"], tongue), times=times, why=why)


def _done(deeds: Sequence[Facts], tongue: str) -> str:
    """`3 memories archived (article-ideas), 1 summary written`; the marks that a summary leaves are no deeds."""
    counts: dict[str, Counter[str]] = {}
    for one in deeds:
        verb = "written" if one["made"] else one["verb"]
        if verb in _DONE[tongue]:
            counts.setdefault(verb, Counter())[one["category"] or ""] += one["n"]
    parts = []
    for verb, places in counts.items():
        what = _counted(_DONE[tongue][verb], places.total(), tongue)
        named = [f"{name} {n}" if len(places) > 1 else name for name, n in places.most_common() if name]
        parts.append(_said("done-at", tongue, what=what, where=", ".join(named)) if named else what)
    return listed(parts, tongue)


def _waits(waiting: Sequence[Facts], tongue: str) -> str:
    counts: Counter[str] = Counter()
    for one in waiting:
        verb: str = one["verb"]
        counts[_ASKED[tongue].get(verb, verb)] += one["n"]
    what = ", ".join(f"{n} {asked}" for asked, n in counts.most_common())
    return _said("waits", tongue, what=what, **_oldest(waiting, tongue))


def _quiet(waiting: Sequence[Facts], tongue: str) -> str:
    key = "quiet-some" if waiting else "quiet-none"
    rest = _said(key, tongue, **(_oldest(waiting, tongue) if waiting else {}))
    return _said("quiet", tongue, waits=f"{' ;' if tongue == 'fr' else ';'} {rest}").replace(" ;", "\u202f;")


def _oldest(waiting: Sequence[Facts], tongue: str) -> dict[str, str]:
    n = sum(one["n"] for one in waiting)
    since = day(min(one["since"] for one in waiting), tongue)
    return {"n": str(n), "proposals": _counted(_SAID[tongue]["proposals"], n, tongue), "since": since}


def _said(key: str, tongue: str, **words: str) -> str:
    template = _SAID[tongue][key]
    assert isinstance(template, str)  # noqa: S101 - pairs go through `_counted`
    return fill(template, tongue, words)


def _counted(pair: Any, n: int, tongue: str) -> str:
    return str(pair[not singular(n, tongue)].format(n=n))
