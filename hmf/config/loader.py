"""From a file (or a mapping) to settings, with every problem reported at once."""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path as File
from typing import Any

from pydantic import ValidationError

from hmf.config import environment
from hmf.config.checks import check
from hmf.config.models import NIGHTLY, VERSION, Settings
from hmf.config.policy_checks import Finding
from hmf.config.positions import Document, Path, Problem, read
from hmf.config.wording import dotted, wordings
from hmf.errors import ConfigError
from hmf.paths import shipped_config


def load(
    source: File | Mapping[str, Any] | None,
    *,
    environ: Mapping[str, str],
    known_jobs: Collection[str] = frozenset(NIGHTLY),
) -> Settings:
    """Read the configuration: a YAML file, a mapping of the same shape, or None for the one that comes with HMF.

    What is left out has its default; without `categories`, those of the shipped file are used.
    `known_jobs` are the names of the jobs installed. Raises ConfigError, whose `problems` are all there
    are, each as `file:line:column: path.to.key: what is wrong and what mends it`.
    """
    origin = "settings" if isinstance(source, Mapping) else str(source or shipped_config())
    document = _document(source)
    problems = list(document.problems)
    settings: Settings | None = None
    if isinstance(document.data, dict):
        newer = _newer(document)
        if newer:
            raise _error(origin, [newer], fix="upgrade hmf-memory, or use the configuration of this version.")
        settings, found = _validate(_completed(document.data), known_jobs)
        problems += _placed(document, found)
    elif not problems:
        line, column = document.place(())
        problems.append(Problem((), "the file must hold keys, such as `version: 1`", line, column))
    problems += _environment(environ, settings)
    if problems or settings is None:
        raise _error(origin, problems, fix="correct what is listed here, then start again; nothing was started.")
    return settings


def _document(source: File | Mapping[str, Any] | None) -> Document:
    if isinstance(source, Mapping):
        return Document(data=copy.deepcopy(dict(source)))
    path = source or shipped_config()
    try:
        return read(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"The configuration {path} cannot be read: {error}.",
            fix="check the path in HMF_CONFIG or --config and the rights on the file.",
            problems=(f"{path}: cannot be read",),
        ) from error


def _newer(document: Document) -> Problem | None:
    """A file of a later version is not judged further: what it holds may well be right there."""
    version = document.data.get("version")
    if not isinstance(version, int) or version <= VERSION:
        return None
    what = f"{version} was written for a newer HMF; this one reads {VERSION}"
    return Problem(("version",), what, *document.place(("version",)))


def _completed(data: dict[str, Any]) -> dict[str, Any]:
    """The data with the shipped categories where it has none, and the shipped inbox where it names no inbox."""
    if data.get("categories") is None:
        return {**data, "categories": _shipped_categories()}
    own = data["categories"]
    if isinstance(own, dict) and own and "inbox" not in data and "inbox" not in own:
        return {**data, "categories": {**own, "inbox": _shipped_categories()["inbox"]}}
    return data


def _shipped_categories() -> dict[str, Any]:
    categories: dict[str, Any] = read(shipped_config().read_bytes()).data["categories"]
    return categories


def _validate(data: dict[str, Any], known_jobs: Collection[str]) -> tuple[Settings | None, list[Finding]]:
    """Settings and what is wrong with them. What is not understood is set aside to judge the rest."""
    found: list[Finding] = []
    pruned: list[Path] = []
    settings: Settings | None = None
    try:
        settings = Settings.model_validate(data)
    except ValidationError as error:
        found = list(wordings(error.errors(include_url=False)))
        pruned = [_existing(data, path) for path, _, _ in found]
        settings = _without(data, pruned)
    if settings is not None:
        names = list(data["categories"]) if isinstance(data["categories"], dict) else []
        more = check(settings, known_jobs=known_jobs, names=names)
        found += [finding for finding in more if not _blurred(finding[0], pruned)]
    return settings, found


def _existing(data: Any, path: Path) -> Path:
    """The part of a path that leads to something, cut before the first list: what to set aside."""
    out: list[str | int] = []
    for step in path:
        if not isinstance(data, dict) or step not in data:
            break
        out.append(step)
        data = data[step]
    return tuple(out)


def _without(data: dict[str, Any], paths: list[Path]) -> Settings | None:
    rest = copy.deepcopy(data)
    for path in paths:
        block: Any = rest
        for step in path[:-1]:
            block = block.get(step, {}) if isinstance(block, dict) else {}
        if path and isinstance(block, dict):
            block.pop(path[-1], None)
    try:
        return Settings.model_validate(rest)
    except ValidationError:
        return None


def _blurred(path: Path, pruned: list[Path]) -> bool:
    """Whether a finding may come from a value set aside beside it, or from a default that policies inherit."""
    inherits = path[:1] == ("categories",) and any(one[:1] == ("defaults",) for one in pruned)
    return inherits or any(path[:-1] == one[:-1] and len(path) > 2 for one in pruned)


def _placed(document: Document, found: list[Finding]) -> Iterator[Problem]:
    """The findings with their places, but for values that the reading of the file has already refused."""
    refused = {(one.path, one.line, one.column) for one in document.problems}
    for path, what, about_key in found:
        place = document.place(path, key=about_key)
        if (path, *place) not in refused or place == (None, None):
            yield Problem(path, what, *place)


def _environment(environ: Mapping[str, str], settings: Settings | None) -> Iterator[Problem]:
    named = [] if settings is None else [settings.store.index.api_key_env, settings.embedder.api_key_env]
    for name, what in environment.problems(environ, [one for one in named if one]):
        yield Problem(("environment", name), what)


def _error(origin: str, problems: list[Problem], *, fix: str) -> ConfigError:
    ordered = sorted(problems, key=lambda one: (one.line or 0, one.column or 0, dotted(one.path)))
    lines = dict.fromkeys(_line(origin, problem) for problem in ordered)
    count = f"{len(lines)} problem" + ("s" if len(lines) > 1 else "")
    return ConfigError(f"The configuration {origin} has {count}.", fix=fix, problems=tuple(lines))


def _line(origin: str, problem: Problem) -> str:
    if problem.path[:1] == ("environment",):
        return f"environment: {problem.path[1]}: {problem.what}"
    place = f"{origin}:{problem.line}:{problem.column}" if problem.line else origin
    return ": ".join(part for part in (place, dotted(problem.path), problem.what) if part)
