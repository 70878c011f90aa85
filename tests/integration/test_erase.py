"""What is erased is nowhere: no file of the store holds its words or the bytes of its vector, also after a crash."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from hmf import Hmf
from hmf.errors import NotFound
from hmf.memory import Tier
from tests.service import EDGE, Clock, open_memory

WORDS = ("quartzmot", "schistmot", "gneissmot", "mica-été", "opalemot")
TEXT = f"La veine de {WORDS[0]} se vend mal chez Lumen, dit Léa."
CHILD = Path(__file__).with_name("erase_child.py")


@pytest.fixture
def home() -> Iterator[Path]:
    """In memory where there is such a place: what is looked at is bytes, not a disk's patience."""
    shared = Path("/dev/shm")
    with TemporaryDirectory(prefix="hmf-erase-", dir=shared if os.access(shared, os.W_OK) else None) as folder:
        yield Path(folder) / "home"


def needles(memory: Hmf, text: str = TEXT) -> list[bytes]:
    vector = np.asarray(memory.store.embedder.documents([text])[0], np.float32)
    unit = vector / np.linalg.norm(vector)
    words = [form for word in WORDS for form in (word.encode(), json.dumps(word)[1:-1].encode())]
    return [*words, vector.tobytes(), unit.tobytes(), unit.astype(np.float16).tobytes()]


def holding(folder: Path, wanted: list[bytes]) -> set[str]:
    files = {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    return {f"{path}: {one[:24]!r}" for path, body in files.items() for one in wanted if one in body}


def lived(memory: Hmf, clock: Clock) -> str:
    """A memory that has been everywhere: revised, moved, forgotten, summarised, proposed, replaced, set aside."""
    one = memory.add(f"Brouillon : {WORDS[4]} à Lumen.", category="client-projects", language="fr").id
    memory.undo(memory.forget(one, reason=f"{WORDS[0]} vendu").id)
    memory.move(one, "research-notes")
    memory.store.index.flush()
    memory.move(one, "client-projects")
    memory.revise(one, TEXT)
    rich = memory.add(
        f"Lumen veut que la partie {WORDS[0]} soit courte et sans images, en mai.",
        category="client-projects", project=f"Projet {WORDS[1]}", title=f"Titre {WORDS[2]}", tags=[WORDS[3]],
        session=f"session {WORDS[4]}", position=1, language="fr",
    ).id  # fmt: skip
    memory.project(f"Projet {WORDS[1]}").finish()
    for n, subject in enumerate(["granit", "basalte", "marbre", "craie", "ardoise"]):
        memory.add(
            f"Lumen veut que la partie {n} parle de {subject}.", category="client-projects",
            project=f"Projet {WORDS[1]}", language="fr",
        )  # fmt: skip
    clock.forward(days=1)
    memory.plan("summarise")
    memory.apply(memory.plan("summarise"))
    clock.forward(days=40)
    memory.plan("expire")
    memory.search(f"{WORDS[0]} Lumen")
    memory.tick()
    for other in memory.memories(limit=None):
        if other.project and other.id != rich and other.tier is Tier.DETAIL:
            memory.erase(other.id)  # nothing else bears the project's name any more
    memory.erase(rich)
    return one


def test_an_erased_memory_leaves_no_byte_behind(home: Path, tmp_path: Path) -> None:
    clock = Clock()
    with open_memory(home, clock, EDGE) as memory:
        kept = memory.add("Brume paie à trente jours.", category="client-projects", language="fr")
        one = lived(memory, clock)
        file = tmp_path / "export.jsonl"
        file.write_text("\n".join(memory.export()), encoding="utf-8")
        memory.exported(file)
        assert holding(home, needles(memory))
        done = memory.erase(one)
        assert holding(home, needles(memory)) == set()
        assert any(note.values.get("path") == str(file) for note in done.notes)
        assert "unfinished" not in [note.code for note in done.notes]
        assert [hit.memory.id for hit in memory.search("Brume paie").hits] == [kept.id]
        assert memory.indexer.verify() == []
        with pytest.raises(NotFound):
            memory.get(one)
        refused = memory.add(f"- Note : {TEXT.upper()}", source="import", language="fr")
        assert refused.outcome == "refused"
        assert holding(home, needles(memory)) == set()
        file.unlink()
        again = memory.add(TEXT, language="fr")
        assert again.outcome == "created"
        assert any(note.values.get("path") == str(file) for note in memory.erase(str(again.id)).notes)
    assert holding(home, needles(memory)) == set()


def test_what_took_the_place_of_another_is_not_quoted_by_it(home: Path) -> None:
    with open_memory(home, Clock(), EDGE) as memory:
        old = memory.add("Le titre de la rubrique de Lumen est Granit.", category="client-projects", language="fr")
        new = memory.add(
            f"Le titre de la rubrique de Lumen est maintenant {WORDS[0].capitalize()}.", category="client-projects",
            language="fr",
        )  # fmt: skip
        assert new.superseded == (old.id,)
        wanted = [word.encode() for word in (WORDS[0], WORDS[0].capitalize())]
        assert holding(home, wanted)
        memory.erase(str(new.id))
        assert holding(home, wanted) == set()


def test_what_was_set_aside_as_damaged_goes_too(home: Path) -> None:
    with open_memory(home, Clock(), EDGE) as memory:
        one = memory.add(TEXT, category="client-projects", language="fr", project=WORDS[1])
        memory.tick()
        memory.store.index.set_aside(memory.indexer.physical("client-projects"), "20261130T000000")
    with open_memory(home, Clock(), EDGE) as memory:
        assert memory.search("veine de quartzmot").hits
        memory.erase(str(one.id))
        assert holding(home, needles(memory)) == set()


POINTS = ("committed, nothing cleaned", "a collection half written", "a collection made anew", "before the vacuum",
          "vacuumed, the mark still there")  # fmt: skip


@pytest.mark.torture
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="SIGKILL is what this is about")
@pytest.mark.parametrize("point", POINTS)
def test_an_erasure_cut_short_is_finished_by_the_next_start(home: Path, point: str) -> None:
    root = CHILD.parent.parent.parent
    env = {**os.environ, "PYTHONPATH": str(root)}
    child = subprocess.run([sys.executable, str(CHILD), str(home), point], cwd=root, env=env, capture_output=True)
    assert child.returncode == -signal.SIGKILL, child.stderr.decode()[-2000:]
    with open_memory(home, Clock(), EDGE) as memory:
        assert holding(home, needles(memory)) == set()
        assert len(memory.memories(limit=None)) == 5
        assert memory.indexer.verify() == []
        assert memory.stats()["repairs"] == []
        assert memory.add(TEXT, source="import", language="fr").outcome == "refused"
