"""What one block of the settings says of another: categories that exist, policies that can act, keys that serve."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, datetime

from hmf.config.categories import FinishedBlock
from hmf.config.models import Settings
from hmf.config.names import name_problem, overlaps
from hmf.config.positions import Path
from hmf.config.wording import suggestion
from hmf.memory import Kind, Policy

Finding = tuple[Path, str, bool]
"""Where, what, and whether it is about the key rather than its value."""

_SOME_DAY = datetime(2026, 1, 1, tzinfo=UTC)
"""Two durations are compared by where they lead from here: a month has no length of its own."""


def check(settings: Settings, *, known_jobs: Collection[str], names: Collection[str]) -> Iterator[Finding]:
    """Everything wrong between blocks. `names`: every category the file names, even those not understood."""
    yield from _names(settings)
    yield from _references(settings, names)
    for name, category in settings.categories_by_name().items():
        yield from _policy(settings, name, category.policy)
    yield from _finished(settings)
    yield from _jobs(settings, known_jobs)
    yield from _services(settings)


def _names(settings: Settings) -> Iterator[Finding]:
    for name in settings.categories:
        complaint = name_problem(name)
        if complaint:
            yield ("categories", name), complaint, True
    for name, complaint in overlaps(settings):
        yield ("categories", name), complaint, True


def _references(settings: Settings, names: Collection[str]) -> Iterator[Finding]:
    if settings.inbox not in names:
        yield ("inbox",), _no_category(settings.inbox, names), False
    targets: dict[str, str] = {}
    for name, category in settings.categories_by_name().items():
        target = category.policy.archive_to
        if target is None:
            continue
        targets[name] = target
        if target not in names:
            yield _written(settings, name, "archive_to"), _no_category(target, names), False
    for name in targets:
        circle = _circle(name, targets)
        if circle:
            path = " → ".join(circle)
            mend = "write `archive_to: null` where the archive ends"
            yield _written(settings, name, "archive_to"), f"archives in a circle ({path}): {mend}", False


def _circle(name: str, targets: dict[str, str]) -> list[str] | None:
    """The way from `name` back to itself, if its archives lead there."""
    way = [name]
    while way[-1] in targets:
        way.append(targets[way[-1]])
        if way[-1] == name:
            return way
        if way[-1] in way[:-1]:
            return None
    return None


def _policy(settings: Settings, name: str, policy: Policy) -> Iterator[Finding]:
    stale, expire = policy.stale_after, policy.expire_after
    if stale and expire and expire.after(_SOME_DAY) <= stale.after(_SOME_DAY):
        what = f"{expire} comes no later than stale_after ({stale}): nothing would ever be archived"
        yield _written(settings, name, "expire_after"), what, False
    own = settings.categories[name].policy.model_fields_set
    if policy.archive_to and not stale and "archive_to" in own:
        what = "nothing is ever archived without `stale_after`: add it, or remove this line"
        yield _written(settings, name, "archive_to"), what, True
    if (stale or expire) and policy.keep.kinds == frozenset(Kind):
        what = "keeps every kind of memory: this policy can never act"
        yield (*_written(settings, name, "keep"), "kinds"), what, False


def _finished(settings: Settings) -> Iterator[Finding]:
    rules: list[tuple[Path, FinishedBlock | None]] = [(("projects", "on_finished"), settings.projects.on_finished)]
    rules.append((("defaults", "on_project_finished"), settings.defaults.on_project_finished))
    for name, block in settings.categories.items():
        rules.append((("categories", name, "policy", "on_project_finished"), block.policy.on_project_finished))
    for path, rule in rules:
        if rule and rule.keep == frozenset(Kind):
            yield (*path, "keep"), "keeps every kind of memory: this rule can never act", False


def _jobs(settings: Settings, known_jobs: Collection[str]) -> Iterator[Finding]:
    for name, cron in settings.schedule.jobs.items():
        if name not in known_jobs and cron is not None:
            near = suggestion(name, known_jobs)
            hint = f"did you mean {near!r}?" if near else f"the jobs are {', '.join(sorted(known_jobs))}"
            yield ("schedule", "jobs", name), f"no job of this name is installed; {hint}", True


def _services(settings: Settings) -> Iterator[Finding]:
    index, embedder = settings.store.index, settings.embedder
    here: Path = ("store", "index")
    if index.engine == "qdrant" and index.url is None:
        yield (*here, "engine"), "qdrant needs the address of its server: add `url` beside it", False
    if index.engine != "qdrant":
        yield from _idle(here, f"engine: {index.engine}", url=index.url, env=index.api_key_env, file=index.api_key_file)
    own = embedder.calibration
    if own is not None and own.ceiling <= own.floor:
        yield ("embedder", "calibration", "ceiling"), f"is not above the floor ({own.floor:g})", False
    if embedder.name != "openai":
        values = {"base_url": embedder.base_url, "env": embedder.api_key_env, "file": embedder.api_key_file}
        yield from _idle(("embedder",), f"name: {embedder.name}", **values)
    elif embedder.model is None or embedder.dimension is None:
        what = "openai needs `model` and `dimension` beside it (text-embedding-3-small has 1536)"
        yield ("embedder", "name"), what, False
    for path, env, file in (
        (here, index.api_key_env, index.api_key_file),
        (("embedder",), embedder.api_key_env, embedder.api_key_file),
    ):
        if env and file:
            yield (*path, "api_key_file"), "there is an `api_key_env` too: keep one of the two", True
    if settings.recall.candidates < settings.recall.k:
        yield ("recall", "candidates"), f"is less than k ({settings.recall.k}): look at more than you return", False


def _idle(path: Path, chosen: str, **values: str | None) -> Iterator[Finding]:
    """Keys that the chosen engine ignores: a setting without effect hides a mistake."""
    for key, value in values.items():
        if value is not None:
            name = {"env": "api_key_env", "file": "api_key_file"}.get(key, key)
            yield (*path, name), f"has no effect with `{chosen}`: remove it, or choose another", True


def _no_category(name: str, names: Collection[str]) -> str:
    near = suggestion(name, names)
    hint = f"did you mean {near!r}?" if near else f"the categories are {', '.join(names)}"
    return f"there is no category {name!r}; {hint}"


def _written(settings: Settings, category: str, key: str) -> Path:
    """Where a category's policy got this key from: itself, or the defaults."""
    own = key in settings.categories[category].policy.model_fields_set
    if own or key not in settings.defaults.model_fields_set:
        return "categories", category, "policy", key
    return "defaults", key
