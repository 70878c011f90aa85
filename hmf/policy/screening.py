"""Secrets never enter: put a mark in the place of each key, token, password, IBAN and card of a text or its fields."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hmf.policy.secret_rules import Finding, candidates


@dataclass(frozen=True, slots=True)
class Screened:
    """The text with `[redacted:KIND]` in place of each finding."""

    text: str
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class ScreenedFields:
    """The fields with their secrets redacted, and the findings by path (`source.ref`, `tags.0`)."""

    fields: dict[str, object]
    findings: dict[str, tuple[Finding, ...]] = field(default_factory=dict)


_MARK = re.compile(r"\[redacted:[a-z-]+\]")


def screen(text: str, *, allow: Sequence[str] = ()) -> Screened:
    """Redact the secrets of `text`. Screening the result again finds nothing.

    `allow` lists what may pass: kinds (`iban`), the very texts that were taken for secrets, or regular expressions,
    each letting through what lies wholly inside one of its matches.
    """
    # Marks set before are blanked, at equal length: neither label nor value can be read into them.
    searched = _MARK.sub(lambda mark: "\n" * len(mark[0]), text)
    kept = [
        f
        for f in _merged(sorted(candidates(searched), key=lambda f: (f.start, -f.end)))
        if not _allowed(f, text, allow)
    ]
    out, position = [], 0
    for finding in kept:
        out += [text[position : finding.start], f"[redacted:{finding.kind}]"]
        position = finding.end
    return Screened("".join([*out, text[position:]]), tuple(kept))


def screen_fields(fields: Mapping[str, object], *, allow: Sequence[str] = ()) -> ScreenedFields:
    """Redact every string of the fields, however deep in lists and mappings.

    A field's name counts as the label of its value: `{"password": …}` is caught as "password: …" is.
    """
    found: dict[str, tuple[Finding, ...]] = {}
    clean = {name: _screen_value(name, name, value, allow, found) for name, value in fields.items()}
    return ScreenedFields(clean, found)


def _screen_value(
    path: str, name: str, value: object, allow: Sequence[str], found: dict[str, tuple[Finding, ...]]
) -> object:
    if isinstance(value, str):
        alone = screen(value, allow=allow)
        labelled = _labelled(name, value, allow) if not alone.findings else None
        result = labelled or alone
        if result.findings:
            found[path] = result.findings
        return result.text
    if isinstance(value, Mapping):
        return {k: _screen_value(f"{path}.{k}", str(k), v, allow, found) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        items = [_screen_value(f"{path}.{i}", name, v, allow, found) for i, v in enumerate(value)]
        return type(value)(items)
    return value


def _labelled(name: str, value: str, allow: Sequence[str]) -> Screened | None:
    """The value screened as if its field's name stood before it, when that finds a secret at its very start."""
    label = f"{name}: "
    result = screen(label + value, allow=allow)
    if not result.findings or result.findings[0].start != len(label):
        return None
    shifted = tuple(Finding(f.kind, f.start - len(label), f.end - len(label)) for f in result.findings)
    return Screened(result.text[len(label) :], shifted)


def _allowed(finding: Finding, text: str, allow: Sequence[str]) -> bool:
    if finding.kind in allow or text[finding.start : finding.end] in allow:
        return True
    matches = (match.span() for pattern in allow for match in re.finditer(pattern, text))
    return any(start <= finding.start and finding.end <= end for start, end in matches)


def _merged(findings: list[Finding]) -> list[Finding]:
    """Overlapping findings as one, under the kind of the first and longest."""
    merged: list[Finding] = []
    for found in findings:
        if merged and found.start < merged[-1].end:
            last = merged[-1]
            merged[-1] = Finding(last.kind, last.start, max(last.end, found.end))
        else:
            merged.append(found)
    return merged
