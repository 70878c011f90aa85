"""A French user meets no English in what searches, additions and changes say: not in any sentence the screens know."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from hmf.cli.words import CATALOG
from hmf.memory import Authority, Kind
from hmf.policy.sentences.saying import SENTENCES
from tests.unit.test_cli_commands import CONFIG, Run, _logging, data, home, run  # noqa: F401 - fixtures

_GAP = re.compile(r"\{\w+\}")


def _pieces(language: str) -> set[str]:
    """What the sentences of a language say between their values, where it is more than a word."""
    told = [one for each in CATALOG[language].values() for one in ([each] if isinstance(each, str) else each)]
    told += SENTENCES[language].values()
    pieces = (piece.strip(" .,;:?!()\u202f") for one in told for piece in _GAP.split(one))
    return {piece for piece in pieces if " " in piece and len(piece) > 7}


ENGLISH = _pieces("en") - _pieces("fr")


@pytest.fixture
def french(run: Run, home: Path) -> Run:  # noqa: F811
    (home / "hmf.yaml").write_text(CONFIG.format(language="fr"), encoding="utf-8")

    def checked(*given: str) -> str:
        result = run(*given)
        said = " ".join((result.stdout + result.stderr).split())
        assert result.exit_code in (0, 3), said
        assert [piece for piece in sorted(ENGLISH) if piece in said] == [], said
        return said

    return checked  # type: ignore[return-value]


def test_no_english_in_what_a_french_user_reads(french: Run, run: Run) -> None:  # noqa: F811
    assert "créé dans notes (vous l’avez nommée)" in french("add", "La relieuse prend 40 euros.", "-C", "notes")
    one = data(run("list", "--json"))["memories"][0]["id"]
    french("add", "La relieuse prend 45 euros.", "-C", "notes", "--supersedes", one)
    french("add", "Bribe sans tiroir : zinc, chicorée.")
    found = french("search", "Combien prend la relieuse ?", "--history", "--explain")
    assert "dit les mêmes mots" in found
    assert "remplacé le" in found
    assert "cherché d’abord" in found
    assert "vous l’avez nommée" in french("show", one)
    french("history", one)
    french("pin", one)
    french("unpin", one)
    french("move", one, "ideas")
    assert "déplacé" in french("show", one)
    french("forget", one, "-n")
    french("forget", one)
    assert "déjà oublié" in french("forget", one)
    french("log")
    french("undo")
    french("log", "--each")
    french("erase", one, "--yes")


def test_a_route_that_an_older_store_tells_in_english_is_shown_as_it_is(
    french: Run,
    run: Run,  # noqa: F811
    home: Path,  # noqa: F811
) -> None:

    french("add", "La relieuse prend 40 euros.", "-C", "notes")
    with sqlite3.connect(next(home.rglob("ledger.db"))) as ledger:
        ledger.execute("UPDATE memories SET route_reason = 'closest to what notes holds'")
    ledger.close()
    one = data(run("list", "--json"))["memories"][0]
    old = "closest to what notes holds"
    assert one["route_reason"] == {"code": old, "values": {}, "text": old}
    assert old in run("show", one["id"]).stdout


@pytest.mark.parametrize(("name", "words"), [("authority", Authority), ("kind", Kind)])
def test_every_word_of_a_memory_has_a_name(name: str, words: type[Authority] | type[Kind]) -> None:
    for language in ("en", "fr"):
        assert all(f"{name}-{one}" in CATALOG[language] for one in words)
