"""Policies that can never act, that nobody can have meant, or that would empty their category."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from hmf.config.models import Settings
from hmf.config.policies import PolicyBlock, PolicyRuleBlock
from hmf.config.positions import Path
from hmf.durations import Duration
from hmf.memory import Confirm, Kind, Policy, When
from hmf.policy.conditions import covers, every_policy

Finding = tuple[Path, str, bool]
"""Where, what, and whether it is about the key rather than its value."""

_SOME_DAY = datetime(2026, 1, 1, tzinfo=UTC)
"""Two durations are compared by where they lead from here: a month has no length of its own."""

_OWN = -1
"""Stands for the policy itself where a rule has its number."""


def policy_findings(settings: Settings) -> Iterator[Finding]:
    """All that is wrong with the policies as they hold; what several categories inherit is said once."""
    found: list[Finding] = []
    for name, category in settings.categories_by_name().items():
        for rule, policy in enumerate(every_policy(category.policy), _OWN):
            found += _limits(settings, name, policy, rule)
        found += _idle(settings, name, category.policy)
    yield from dict.fromkeys([*found, *_rules(settings)])


def written(settings: Settings, category: str, key: str, rule: int = _OWN) -> Path:
    """Where a category's policy (or its rule of this number) got the key from: itself, or the defaults."""
    own = settings.categories[category].policy
    if rule != _OWN:
        inherited = "rules" not in own.model_fields_set
        here = settings.defaults.rules[rule] if inherited else own.rules[rule]
        if key in here.model_fields_set:
            return (*(("defaults",) if inherited else ("categories", category, "policy")), "rules", rule, key)
    if key in own.model_fields_set or key not in settings.defaults.model_fields_set:
        return "categories", category, "policy", key
    return "defaults", key


def _limits(settings: Settings, name: str, policy: Policy, rule: int) -> Iterator[Finding]:
    stale, expire = policy.stale_after, policy.expire_after
    if stale and expire and expire.after(_SOME_DAY) <= stale.after(_SOME_DAY):
        what = f"{expire} comes no later than stale_after ({stale}): nothing would ever be archived"
        yield written(settings, name, "expire_after", rule), what, False
    if (stale or expire) and policy.keep.kinds == frozenset(Kind):
        what = "keeps every kind of memory: this policy can never act"
        yield (*written(settings, name, "keep", rule), "kinds"), what, False
    for key, limit in (("stale_after", stale), ("expire_after", expire)):
        if limit and _hasty(limit) and policy.confirm is not Confirm.NEVER and policy.max_share_per_run < 1:
            what = f"{limit} would empty the category every night: write a day at least, or, if that is meant, "
            yield written(settings, name, key, rule), what + "`max_share_per_run: 1` in its policy", False


def _hasty(limit: Duration) -> bool:
    return limit.after(_SOME_DAY) - _SOME_DAY < timedelta(days=1)


def _idle(settings: Settings, name: str, policy: Policy) -> Iterator[Finding]:
    """Keys that change nothing, since no rule of age ever asks them."""
    own = settings.categories[name].policy
    ever = list(every_policy(policy))
    what = "nothing is ever archived without `stale_after`: add it, or remove this line"
    if policy.archive_to and "archive_to" in own.model_fields_set and not any(one.stale_after for one in ever):
        yield written(settings, name, "archive_to"), what, True
    for rule, one in enumerate(policy.rules):
        path = written(settings, name, "archive_to", rule)
        if one.policy.archive_to and not one.policy.stale_after and "rules" in path:
            yield path, what, True
    if any(one.stale_after or one.expire_after for one in ever):
        return
    mend = "nothing goes by age here without `stale_after` or `expire_after`: add one, or remove this line"
    if own.touched_by != settings.defaults.touched_by and "touched_by" in own.model_fields_set:
        yield ("categories", name, "policy", "touched_by"), mend, True
    if own.keep.last:
        yield ("categories", name, "policy", "keep", "last"), mend, True


def _rules(settings: Settings) -> Iterator[Finding]:
    blocks: list[tuple[Path, PolicyBlock]] = [(("defaults",), settings.defaults)]
    blocks += [(("categories", name, "policy"), one.policy) for name, one in settings.categories.items()]
    for path, policy in blocks:
        before: list[When] = []
        for number, block in enumerate(policy.rules):
            when = block.when.when()
            complaint = _complaint(block, when, before)
            if complaint:
                yield (*path, "rules", number), complaint, False
            before.append(when)


def _complaint(block: PolicyRuleBlock, when: When, before: list[When]) -> str | None:
    if when == When():
        which = ", ".join(type(block.when).model_fields)
        return f"holds for every memory: say which in `when` ({which}), or move its keys up into the policy"
    if not block.changes:
        return "changes nothing: give it a key of the policy (stale_after, confirm, keep …), or remove it"
    earlier = next((number for number, one in enumerate(before, 1) if covers(one, when)), None)
    return f"is never reached: rule {earlier} fits all of these before it; put this one first" if earlier else None
