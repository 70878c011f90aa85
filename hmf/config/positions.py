"""YAML text → plain values, and where each of them stands in the file.

The file is composed into nodes by ruamel.yaml; the values are made of the nodes here, so that what
YAML versions read differently (yes, 017, 3:30) is kept as it was written or refused with its place.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError, YAMLStreamError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError

Path = tuple[str | int, ...]
"""Keys and list positions from the top of the file to a value."""

_TAG = "tag:yaml.org,2002:"
_PLAIN_TAGS = {_TAG + name for name in ("str", "int", "float", "bool", "null", "timestamp", "map", "seq")}
_INT = re.compile(r"[-+]?(0|[1-9]\d*)")
_FLOAT = re.compile(r"[-+]?(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][-+]?\d+)?")
_ODD_NUMBER = re.compile(r"[-+]?(0[0-7]+|0\d+|0[xob][0-9a-fA-F_]+|\d[\d_]*_[\d_]*|\.(inf|nan))", re.IGNORECASE)
_MOST_NODES = 100_000
"""More values than any configuration has: beyond it, aliases are multiplying each other."""

_DEEPEST = 40
"""More levels than any configuration has."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong: where (counted from 1, or None), at which key, and what."""

    path: Path
    what: str
    line: int | None = None
    column: int | None = None


@dataclass(slots=True)
class Document:
    """What a file says. `keys` and `values` give the line and column of each path's key and value."""

    data: Any = None
    keys: dict[Path, tuple[int, int]] = field(default_factory=dict)
    values: dict[Path, tuple[int, int]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def place(self, path: Path, *, key: bool = False) -> tuple[int | None, int | None]:
        """Line and column of a value (or of its key), else those of the nearest thing around it."""
        if key and path in self.keys:
            return self.keys[path]
        while path and path not in self.values:
            path = path[:-1]
        return self.values.get(path, (None, None))


def read(raw: bytes) -> Document:
    """Read a YAML file's bytes. Never raises for what the file holds: `problems` says it."""
    document = Document()
    raw = raw.removeprefix(codecs.BOM_UTF8)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = _place_of_byte(raw, error.start)
        what = f"the byte 0x{raw[error.start]:02X} is not UTF-8: save the file as UTF-8"
        document.problems.append(Problem((), what, line, column))
        return document
    try:
        root = YAML(typ="rt", pure=True).compose(text)
    except MarkedYAMLError as error:
        document.problems.append(_syntax(error, text))
    except ReaderError as error:
        line, column = _place_of_char(text, error.position)
        what = f"the character U+{ord(text[error.position]):04X} is not allowed in YAML: remove it"
        document.problems.append(Problem((), what, line, column))
    except (YAMLError, YAMLStreamError, RecursionError) as error:
        document.problems.append(Problem((), f"is not YAML: {error}", 1, 1))
    else:
        if root is None:
            what = "the file is empty: write at least `version: 1`, or remove the file to use the defaults"
            document.problems.append(Problem((), what, 1, 1))
        else:
            document.data = _Builder(document).build(root, (), ())
    return document


class _Builder:
    """Makes values of nodes, noting where each stands."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._left = _MOST_NODES

    def build(self, node: Node, path: Path, above: tuple[Node, ...]) -> Any:
        here = _place(node)
        self._document.values.setdefault(path, here)
        self._left -= 1
        if any(node is one for one in above) or self._left < 0:
            if self._left >= -1:
                place = self._document.keys.get(path, here)
                self._complain(path, place, "this alias leads back into itself, or multiplies without end: remove it")
            return None
        if len(above) > _DEEPEST:
            self._complain(path, here, f"is more than {_DEEPEST} levels deep: nothing here is")
            return None
        if str(node.tag) not in _PLAIN_TAGS:
            self._complain(path, here, f"the tag {node.tag} is not used here: remove it")
            return None
        if isinstance(node, MappingNode):
            return self._mapping(node, path, (*above, node))
        if isinstance(node, SequenceNode):
            return [self.build(item, (*path, i), (*above, node)) for i, item in enumerate(node.value)]
        return self._scalar(node, path, here) if isinstance(node, ScalarNode) else None

    def _mapping(self, node: MappingNode, path: Path, above: tuple[Node, ...]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key_node, value_node in sorted(node.value, key=lambda pair: not _is_merge(pair[0])):
            here = _place(key_node)
            if not isinstance(key_node, ScalarNode):
                self._complain(path, here, "a key is a word, not a list or a block")
            elif _is_merge(key_node):
                merged |= self._merge(value_node, path, above)
            elif key_node.value in out:
                first = self._document.keys[(*path, key_node.value)][0]
                what = f"this key is already on line {first}: keep one of the two"
                self._complain((*path, key_node.value), here, what)
            else:
                step = (*path, key_node.value)
                self._document.keys[step] = here
                # An empty value has no place of its own: it is shown at its key.
                self._document.values[step] = here if _empty(value_node) else _place(value_node)
                out[key_node.value] = self.build(value_node, step, above)
        return {**merged, **out}

    def _merge(self, node: Node, path: Path, above: tuple[Node, ...]) -> dict[str, Any]:
        """`<<: *anchor` or a list of them; the first named wins, and keys written beside it win over all."""
        merged: dict[str, Any] = {}
        for part in node.value if isinstance(node, SequenceNode) else [node]:
            if isinstance(part, MappingNode) and not any(part is one for one in above):
                merged = {**self._mapping(part, path, (*above, part)), **merged}
            else:
                self._complain(path, _place(part), "`<<` takes the anchor of another block: `<<: *name`")
        return merged

    def _scalar(self, node: ScalarNode, path: Path, here: tuple[int, int]) -> Any:
        text: str = node.value
        kind = str(node.tag).removeprefix(_TAG)
        if node.style is not None or kind in ("str", "timestamp"):
            return text
        if kind == "null":
            return None
        if kind == "bool":
            # YAML 1.1 files have yes, no, on and off here: the field that expects a boolean reads them.
            return text.lower() == "true" if text.lower() in ("true", "false") else text
        if _INT.fullmatch(text) and len(text) < 20:
            return int(text)
        if _FLOAT.fullmatch(text):
            return float(text)
        if _ODD_NUMBER.fullmatch(text):
            what = f"{text} is read differently by different programs: write a plain number, or put it between quotes"
            self._complain(path, here, what)
        return text

    def _complain(self, path: Path, here: tuple[int, int], what: str) -> None:
        self._document.problems.append(Problem(path, what, *here))


def _is_merge(node: Node) -> bool:
    return str(node.tag) == _TAG + "merge"


def _empty(node: Node) -> bool:
    return isinstance(node, ScalarNode) and node.style is None and node.value == ""


def _place(node: Node) -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1


def _place_of_byte(raw: bytes, at: int) -> tuple[int, int]:
    return _place_of_char(raw[:at].decode("utf-8"), None)


def _place_of_char(text: str, at: int | None) -> tuple[int, int]:
    before = text[:at]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def _syntax(error: MarkedYAMLError, text: str) -> Problem:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    lines = text.splitlines()
    shown = lines[line - 1] if line <= len(lines) else ""
    if "\t" in shown[: len(shown) - len(shown.lstrip())] or "\\t" in str(error.problem):
        what = "a tab: YAML is indented by spaces, replace it with spaces"
    else:
        what = f"is not YAML: {' '.join(part for part in (error.context, error.problem) if part)}"
    return Problem((), what, line, column)
