"""The index follows the ledger: repaired, rebuilt and switched without the ledger ever waiting for it."""

from __future__ import annotations

import zlib

import pytest

from hmf import Hmf
from hmf.errors import DiskFull, IndexFailure, ManifestMismatch
from hmf.index.dictionary import DictionaryIndex
from hmf.index.terms import TermCounts
from tests.service import EDGE, LIGHT, open_memory


def bigger(config):
    return {**config, "embedder": {"name": "hash", "dimension": 96}}


def test_another_dimension_is_refused_with_both_and_the_command_and_reindex_mends_it(tmp_path, clock):
    with open_memory(tmp_path, clock, EDGE) as hmf:
        ids = [hmf.add(f"Heron number {n}").id for n in range(50)]
    with pytest.raises(ManifestMismatch) as refused:
        open_memory(tmp_path, clock, bigger(EDGE))
    assert "'64'" in str(refused.value)
    assert "'96'" in str(refused.value)
    assert "hmf reindex" in refused.value.fix
    with open_memory(tmp_path, clock, EDGE) as hmf:
        assert len(hmf.search("heron number", k=50).hits) == 50
    with Hmf.open(home=tmp_path, config=bigger(EDGE), now=clock, reindexing=True) as hmf:
        assert hmf.reindex() == 50
    with open_memory(tmp_path, clock, bigger(EDGE)) as hmf:
        assert {h.memory.id for h in hmf.search("heron number", k=50).hits} == set(ids)
        assert hmf.indexer.verify() == []


def test_an_index_that_fails_keeps_the_note_and_catches_up(tmp_path, clock, monkeypatch):
    with open_memory(tmp_path, clock, LIGHT) as hmf:
        hmf.add("Before.")

        def broken(*_args):
            raise IndexFailure("no disk under it")

        with monkeypatch.context() as patch:
            patch.setattr(DictionaryIndex, "upsert", broken)
            added = hmf.add("Heron during the failure.")
            assert added.outcome == "created"
            assert hmf.get(added.id).text
        hmf.tick()
        assert [h.memory.id for h in hmf.search("heron failure").hits] == [added.id]


def test_a_full_disk_is_said_before_anything_is_done(tmp_path, clock):
    config = {**LIGHT, "store": {"index": {"engine": "memory"}, "min_free_mb": 10_000_000}}
    with open_memory(tmp_path, clock) as hmf:
        one = hmf.add("Heron.")
    with open_memory(tmp_path, clock, config) as hmf:
        with pytest.raises(DiskFull, match="Nothing was written"):
            hmf.add("More.")
        assert len(hmf.memories()) == 1
        assert hmf.get(one.id).text == "Heron."


def test_an_interrupted_rebuild_leaves_the_old_index_in_service(tmp_path, clock, monkeypatch):
    with open_memory(tmp_path, clock, EDGE) as hmf:
        one = hmf.add("Heron.")
        with monkeypatch.context() as patch:
            patch.setattr(type(hmf.store.manifest), "write", lambda *_: (_ for _ in ()).throw(RuntimeError("cut")))
            with pytest.raises(RuntimeError):
                hmf.reindex()
    with open_memory(tmp_path, clock, EDGE) as hmf:
        assert [h.memory.id for h in hmf.search("heron").hits] == [one.id]
        assert {n.rsplit(".g", 1)[1] for n in hmf.store.index.collections()} == {"1"}


def test_reindex_is_harmless_and_reports_its_progress(tmp_path, clock):
    with open_memory(tmp_path, clock, EDGE) as hmf:
        for n in range(30):
            hmf.add(f"Heron {n}")
        seen = []
        assert hmf.reindex(lambda done, total: seen.append((done, total))) == 30
        assert seen[-1] == (30, 30)
        assert len(hmf.search("heron", k=30).hits) == 30
        added = hmf.add("Stork after the switch")
        assert [h.memory.id for h in hmf.search("stork").hits] == [added.id]
        assert hmf.indexer.verify() == []


def test_in_a_small_store_a_word_nobody_has_does_not_outweigh_those_that_are_there():
    counts = TermCounts(None)
    counts.add([[zlib.crc32(b"dubois")]])
    ratio = counts.weight("inconnu") / counts.weight("dubois")
    assert 1 < ratio < 1.5
    counts.add([[zlib.crc32(b"dubois")]] * 500 + [[1]] * 500)
    assert counts.weight("inconnu") / counts.weight("dubois") > 5  # it is a common word by now
