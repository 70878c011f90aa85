"""What the policy of a category does, a sentence a rule."""

from __future__ import annotations

from collections.abc import Iterable

from hmf.memory import Category, Clock, Confirm, Keep, Policy
from hmf.policy.conditions import every_policy
from hmf.policy.retention import AGELESS
from hmf.policy.sentences.conditions import condition, named
from hmf.policy.sentences.typeset import fill, listed, percent, quoted, tongue_of

_CLOCKS = {
    "en": {
        Clock.VALID: "the date since when it is true",
        Clock.LEARNT: "the date it was learnt",
        Clock.VERIFIED: "the date it was last verified",
    },
    "fr": {
        Clock.VALID: "la date depuis laquelle c’est vrai",
        Clock.LEARNT: "la date d’apprentissage",
        Clock.VERIFIED: "la date de dernière vérification",
    },
}
_ARCHIVE = {
    "en": {
        Confirm.ASK: "ask me, then archive{summary}",
        Confirm.AUTO: "archive{summary}, without asking",
        Confirm.NEVER: "only report",
    },
    "fr": {
        Confirm.ASK: "me demander, puis archiver{summary}",
        Confirm.AUTO: "archiver{summary}, sans demander",
        Confirm.NEVER: "signaler seulement",
    },
}
_FORGET = {
    "en": {
        Confirm.ASK: "ask me, then forget",
        Confirm.AUTO: "forget, without asking",
        Confirm.NEVER: "only report",
    },
    "fr": {
        Confirm.ASK: "me demander, puis oublier",
        Confirm.AUTO: "oublier, sans demander",
        Confirm.NEVER: "signaler seulement",
    },
}
_POLICY = {
    "en": {
        "stale": "{label} not touched for {span}: {act}.",
        "expire": "{label} older than {span}: {act}.",
        "ageless": "{label}: nothing goes by age.",
        "target": "What is archived moves to {target}.",
        "summarise": "Related memories are gathered into summaries.",
        "keep": "Never by age: {kept}.",
        "tagged": "what is tagged {tags}",
        "last": "the last {n}",
        "pinned": "what is pinned",
        "touched": "What counts as touching: {clocks}; being recalled does not.",
        "finished": "{span} after a project is finished, all but {kept}: {act}.",
        "unfinished": "The end of a project changes nothing.",
        "summaries": "summaries",
        "rules": "Rules go first: the first that fits a memory decides in place of the rest.",
        "grace": "What is forgotten can be brought back for {span}.",
        "share": "More than {share} at once: stop and ask me.",
        "manual": "Nothing is filed here automatically.",
        "with": " with a summary",
    },
    "fr": {
        "stale": "{label} sans retouche depuis {span} : {act}.",
        "expire": "{label} de plus de {span} : {act}.",
        "ageless": "{label} : rien ne part avec l’âge.",
        "target": "Ce qui est archivé rejoint {target}.",
        "summarise": "Les souvenirs liés sont réunis en résumés.",
        "keep": "Jamais avec l’âge : {kept}.",
        "tagged": "ce qui porte l’étiquette {tags}",
        "last": "les {n} derniers",
        "pinned": "ce qui est épinglé",
        "touched": "Compte comme retouche : {clocks} ; un simple rappel ne compte pas.",
        "finished": "{span} après la fin d’un projet, tout sauf {kept} : {act}.",
        "unfinished": "La fin d’un projet ne change rien.",
        "summaries": "résumés",
        "rules": "Les règles passent avant : la première qui convient à un souvenir décide à la place du reste.",
        "grace": "Ce qui est oublié peut être repris pendant {span}.",
        "share": "Plus de {share} d’un coup : s’arrêter et me demander.",
        "manual": "Rien n’est classé ici automatiquement.",
        "with": " avec un résumé",
    },
}


def policy_sentences(category: Category, language: str) -> list[str]:
    """What a category's policy does, a sentence a rule, the one about age first; in `fr`, else in English.

    The sentences of a conditional rule begin with its number.
    """
    tongue = tongue_of(language)
    policy = category.policy
    label = category.label.get(tongue) or category.name
    found = _said([*_by_age(policy), *_around(policy)], policy, label, tongue)
    if policy.rules:
        found += _said(["rules"], policy, label, tongue)
    for number, rule in enumerate(policy.rules, 1):
        about = f"{label} ({condition(rule.when, tongue)})"
        names = [*_by_age(rule.policy), *_differing(rule.policy, policy)]
        found += [f"{number}. {sentence}" for sentence in _said(names, rule.policy, about, tongue)]
    return found + _said(["grace", "share", *([] if category.routable else ["manual"])], policy, label, tongue)


def _said(names: Iterable[str], policy: Policy, label: str, tongue: str) -> list[str]:
    return [fill(_POLICY[tongue][name], tongue, _parts(name, policy, label, tongue)) for name in names]


def _by_age(policy: Policy) -> Iterable[str]:
    if policy.stale_after:
        yield "stale"
    if policy.expire_after:
        yield "expire"
    if not policy.stale_after and not policy.expire_after:
        yield "ageless"
    if policy.stale_after and policy.archive_to:
        yield "target"


def _around(policy: Policy) -> Iterable[str]:
    if policy.summarise:
        yield "summarise"
    if any(one.stale_after or one.expire_after for one in every_policy(policy)):
        yield from ("keep", "touched")
    if policy.on_project_finished:
        yield "finished"


def _differing(policy: Policy, base: Policy) -> Iterable[str]:
    """What a rule says otherwise than the policy it stands in."""
    ages = policy.stale_after or policy.expire_after
    if ages and policy.keep != base.keep:
        yield "keep"
    if ages and set(policy.touched_by) != set(base.touched_by):
        yield "touched"
    if policy.on_project_finished != base.on_project_finished or (
        policy.on_project_finished and policy.confirm is not base.confirm
    ):
        yield "finished" if policy.on_project_finished else "unfinished"


def _parts(name: str, policy: Policy, label: str, tongue: str) -> dict[str, str]:
    """What fills the sentence called `name`."""
    own = _POLICY[tongue]
    forget, rule = _FORGET[tongue][policy.confirm], policy.on_project_finished
    if name == "stale" and policy.stale_after:
        act = _ARCHIVE[tongue][policy.confirm].format(summary=own["with"] if policy.summarise else "")
        return {"label": label, "span": policy.stale_after.say(tongue), "act": act}
    if name == "expire" and policy.expire_after:
        return {"label": label, "span": policy.expire_after.say(tongue), "act": forget}
    if name == "finished" and rule:
        kinds = named(rule.keep | policy.keep.kinds, tongue)
        kept = listed([own["summaries"], *kinds, *_tagged(policy.keep, tongue), own["pinned"]], tongue)
        return {"span": rule.after.say(tongue), "kept": kept, "act": forget}
    if name == "keep":
        return {"kept": listed([*_kept(policy.keep, tongue), own["pinned"]], tongue)}
    return {
        "label": label,
        "target": quoted(policy.archive_to or "", tongue),
        "clocks": listed([_CLOCKS[tongue][clock] for clock in policy.touched_by], tongue),
        "span": policy.grace.say(tongue),
        "share": percent(policy.max_share_per_run, tongue),
    }


def _kept(keep: Keep, tongue: str) -> Iterable[str]:
    own = _POLICY[tongue]
    yield from named(keep.kinds | AGELESS, tongue)
    yield from _tagged(keep, tongue)
    if keep.last:
        yield own["last"].format(n=keep.last)


def _tagged(keep: Keep, tongue: str) -> Iterable[str]:
    if keep.tags:
        tags = ", ".join(quoted(tag, tongue) for tag in sorted(keep.tags))
        yield _POLICY[tongue]["tagged"].replace("{tags}", tags)
