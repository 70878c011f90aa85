"""What one block of the settings says of another: categories that exist, policies that can act, keys that serve."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from hmf.config.models import Settings
from hmf.config.names import name_problem, overlaps
from hmf.config.policies import FinishedBlock
from hmf.config.policy_checks import Finding, policy_findings, written
from hmf.config.positions import Path
from hmf.config.wording import suggestion
from hmf.memory import Kind
from hmf.policy.conditions import every_policy


def check(settings: Settings, *, known_jobs: Collection[str], names: Collection[str]) -> Iterator[Finding]:
    """Everything wrong between blocks. `names`: every category the file names, even those not understood."""
    yield from _names(settings)
    yield from _references(settings, names)
    yield from policy_findings(settings)
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
    targets: dict[str, list[str]] = {}
    places: dict[tuple[str, str], Path] = {}
    for name, category in settings.categories_by_name().items():
        for rule, policy in enumerate(every_policy(category.policy), -1):
            target = policy.archive_to
            if target is None or (name, target) in places:
                continue
            path = places[name, target] = written(settings, name, "archive_to", rule)
            targets.setdefault(name, []).append(target)
            if target not in names:
                yield path, _no_category(target, names), False
    for (name, target), path in places.items():
        way = _way_back(name, target, targets)
        if way:
            circle, mend = " → ".join(way), "write `archive_to: null` where the archive ends"
            yield path, f"archives in a circle ({circle}): {mend}", False


def _way_back(name: str, target: str, targets: Mapping[str, Sequence[str]]) -> list[str] | None:
    """The way from `name` by `target` back to itself, if its archives lead there."""
    ways, seen = [[name, target]], {target}
    while ways:
        way = ways.pop()
        if way[-1] == name:
            return way
        onward = [one for one in targets.get(way[-1], ()) if one not in seen or one == name]
        seen.update(onward)
        ways += [[*way, one] for one in onward]
    return None


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
