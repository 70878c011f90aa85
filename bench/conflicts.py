"""How well HMF finds by itself that a note takes the place of another: precision and recall by kind and language.

    python -m bench.conflicts                        # the development set and the example year
    python -m bench.conflicts --show                 # with every row that came out otherwise than expected
    python -m bench.conflicts --data scenarios.jsonl # a scenario file (docs/eval.md), mode B, through the whole service

A wrong retirement is the worst failure: the last column counts them, and the exit code is 1 when there is one.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hmf.memory import Authority, Kind, Memory, Route, RoutedBy, Source, Status, Tier
from hmf.paths import shipped_config
from hmf.policy import kinds
from hmf.policy.language import detect
from hmf.policy.reconcile.rule import Verdict, may_replace, reconcile
from hmf.policy.reconcile.sentences import explain
from hmf.policy.text import content_hash
from hmf.policy.volatile import volatility
from hmf.reason import Reason

_DATA = Path(__file__).parent / "data" / "conflicts.jsonl"
_NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
_BOTH = "both"


@dataclass(frozen=True, slots=True)
class Row:
    """One new note against one old one: what was expected, what came, and why."""

    kind: str
    lang: str
    old: str
    new: str
    expected: str
    came: str
    why: str = ""

    @property
    def wrong(self) -> bool:
        """Retired though it still holds."""
        return self.came == Verdict.REPLACES and self.expected != Verdict.REPLACES


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, help="a scenario file, played in mode B")
    options.add_argument("--show", action="store_true", help="print the rows that came out otherwise than expected")
    given = options.parse_args()
    if given.data:
        sys.exit(_scenarios(given.data))
    rows = [*pairs(_DATA), *groups(_DATA), *year(shipped_config().parent / "examples" / "year.jsonl")]
    print("| kind | language | to replace | found | asked about | to keep both | asked about | wrongly retired |")
    print("|---|---|---|---|---|---|---|---|")
    for kind, lang in sorted({(row.kind, row.lang) for row in rows}):
        print(_line(kind, lang, [row for row in rows if (row.kind, row.lang) == (kind, lang)]))
    for lang in sorted({row.lang for row in rows}):
        print(_line("**all**", lang, [row for row in rows if row.lang == lang]))
    replaced = [row for row in rows if row.came == Verdict.REPLACES]
    wanted = [row for row in rows if row.expected == Verdict.REPLACES]
    right = sum(row.expected == Verdict.REPLACES for row in replaced)
    print(f"\nprecision {right}/{len(replaced)}, recall {right}/{len(wanted)}, of {len(rows)} pairs")
    for row in rows:
        if given.show and row.came != row.expected:
            print(f"\n{row.kind}, {row.lang}: expected {row.expected}, came {row.came} ({row.why})")
            print(f"  {row.old}\n  {row.new}")
    sys.exit(any(row.wrong for row in rows))


def _line(kind: str, lang: str, rows: Sequence[Row]) -> str:
    count = Counter((row.expected == Verdict.REPLACES, row.came) for row in rows)
    wanted = sum(n for (replaces, _), n in count.items() if replaces)
    cells = [
        wanted,
        count[True, Verdict.REPLACES],
        count[True, Verdict.CONFLICT],
        len(rows) - wanted,
        count[False, Verdict.CONFLICT],
        count[False, Verdict.REPLACES],
    ]
    return f"| {kind} | {lang} | " + " | ".join(map(str, cells)) + " |"


def pairs(file: Path) -> Iterator[Row]:
    """The rows of one old note and one new."""
    for given in _read(file):
        if "verdict" in given:
            old, new = note(given["old"], at=_NOW - timedelta(days=9)), note(given["new"])
            came, why = _verdicts(new, [old]).get(old.id, (_BOTH, ""))
            yield Row(given["kind"], given["lang"], old.text, new.text, given["verdict"], came, why)


def groups(file: Path) -> Iterator[Row]:
    """Several notes on one subject, and news that replace one of them or none: each new note against them all."""
    for given in _read(file):
        if "olds" in given:
            olds = [note(text, given["lang"], _NOW - timedelta(days=9)) for text in given["olds"]]
            for news in given["news"]:
                new = note(news["text"], given["lang"])
                yield from _rows(given["kind"], given["lang"], new, olds, {olds[n].id for n in news["replaces"]})


def year(file: Path) -> Iterator[Row]:
    """The example year: each note against every one before it that is still current."""
    told: dict[str, Memory] = {}
    for given in _read(file):
        if "key" not in given or "text" not in given:
            continue
        new = replace(
            note(given["text"], given["lang"], datetime.fromisoformat(given["at"])),
            id=given["key"],
            kind=Kind(given["kind"]),
            project=given.get("project"),
            title=given.get("title"),
            pinned=given.get("pinned", False),
            status=Status.HYPOTHESIS if given["kind"] == "hypothesis" else Status.CONFIRMED,
        )
        replaced = set(given.get("supersedes", ())) & told.keys()
        yield from _rows("example year", given["lang"], new, list(told.values()), replaced)
        for key in replaced:
            del told[key]
        told[new.id] = new


def _rows(kind: str, lang: str, new: Memory, olds: Sequence[Memory], replaced: set[str]) -> Iterator[Row]:
    came = _verdicts(new, olds)
    for old in olds:
        verdict, why = came.get(old.id, (_BOTH, ""))
        yield Row(kind, lang, old.text, new.text, Verdict.REPLACES if old.id in replaced else _BOTH, verdict, why)


def _verdicts(new: Memory, olds: Sequence[Memory]) -> dict[str, tuple[str, str]]:
    """As the service finds them: only for notes that may replace something, and within the cap."""
    # A pair that can only be asked about is left to the nightly review, which looks at every recent note.
    outcome = reconcile(new, olds, now=new.valid_from, cap=3) if may_replace(new) or len(olds) == 1 else None
    found = (*outcome.replaced, *outcome.conflicts) if outcome else ()
    return {one.old.id: (str(one.verdict), explain(one, "en")) for one in found}


def note(text: str, language: str | None = None, at: datetime = _NOW) -> Memory:
    """A note as the service would read it: its kind and whether it is volatile are found in the text."""
    kind, spoken = kinds.infer(text), language or detect(text, default="fr")
    digest = content_hash(text)
    return Memory(
        id=digest[:32],
        namespace="default",
        category="notes",
        tier=Tier.DETAIL,
        kind=kind,
        text=text,
        language=spoken,
        status=Status.HYPOTHESIS if kind is Kind.HYPOTHESIS else Status.CONFIRMED,
        authority=Authority.HYPOTHESIS if kind is Kind.HYPOTHESIS else Authority.USER,
        source=Source(),
        valid_from=at,
        learnt_at=at,
        verified_at=None,
        content_hash=digest,
        route=Route("notes", 1.0, RoutedBy.EXPLICIT, Reason("a bench")),
        volatile=volatility(text, spoken, kind) is not None,
    )


def _read(file: Path) -> Iterable[dict[str, Any]]:
    return (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip())


def _scenarios(file: Path) -> int:
    """What `hmf eval` says of the conflicts in mode B. Returns 1 when something was wrongly retired."""
    from hmf.config import load
    from hmf.evaluation.model import read
    from hmf.evaluation.played import Mode
    from hmf.evaluation.run import evaluate
    from hmf.paths import places

    with tempfile.TemporaryDirectory() as folder:
        result = evaluate(read(file), load(None, environ={}), places(folder, {}), modes=(Mode.B,), k=5)
    report = result["modes"]["B"]
    count, harm = report["measures"]["conflict"], report["harms"]["wrongly-retired"]
    print(f"found {count['found']} of {count['of']}, wrongly retired {harm}")
    for failure in report["failures"]:
        if failure["measure"] in ("conflict", "wrongly-retired"):
            print(f"{failure['measure']}, {failure['scenario']}: {', '.join(failure['expected'])}: {failure['why']}")
    return int(harm > 0)


if __name__ == "__main__":
    main()
