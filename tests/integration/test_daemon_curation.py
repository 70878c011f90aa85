"""Forecast, diary, register and undoing through the daemon: the same answers as in the process that holds the store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from hmf import Hmf
from hmf.daemon.app import create_app
from hmf.daemon.guard import LOOPBACK
from hmf.service.operations import Operations
from tests.service import Clock, open_memory

TOKEN = "a-token-for-the-tests"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Hmf]:
    clock = Clock()
    with open_memory(tmp_path, clock) as memory:
        old = memory.add("The fee is 80 euros.", category="tasks").id
        clock.forward(days=1)
        memory.add("The fee is 90 euros.", category="tasks", supersedes=old)
        memory.add("Idea: a piece on tides.", category="article-ideas")
        yield memory


@pytest.fixture
def http(memory: Hmf) -> Iterator[TestClient]:
    app = create_app(memory, token=TOKEN, allowed_hosts=LOOPBACK)
    with TestClient(app, "http://127.0.0.1:7391", headers={"Authorization": f"Bearer {TOKEN}"}) as client:
        yield client


def call(http: TestClient, name: str, code: int = 200, **arguments: Any) -> Any:
    answer = http.post(f"/v1/op/{name}", json=arguments)
    assert answer.status_code == code, answer.text
    return answer.json()


def test_reads_are_the_same_as_here(http: TestClient, memory: Hmf) -> None:
    here = Operations(memory)
    one = memory.memories(limit=1)[0].id
    assert call(http, "forecast", weeks=12) == here.forecast(weeks=12)
    assert call(http, "log", since="yesterday", limit=None) == here.log(since="yesterday")
    assert call(http, "chain", memory_id=one) == here.chain(one)
    for name, wrong in (("forecast", {"weeks": "many"}), ("forecast", {"weeks": 0}), ("log", {"since": "soon"})):
        call(http, name, code=422, **wrong)


def test_a_moment_is_brought_back(http: TestClient, memory: Hmf) -> None:
    shown = call(http, "undo_since", since="today", dry_run=True)["batches"]
    assert len(shown) == 2
    assert len(memory.memories()) == 3
    done = call(http, "undo_since", since="today", only=[row["id"] for row in shown])
    assert (len(done["undone"]), done["partial"]) == (2, False)
    assert [m.text for m in memory.memories()] == ["The fee is 80 euros."]
    call(http, "undo_since", code=404, since="today")
    one = memory.memories()[0].id
    memory.pin(one)
    assert call(http, "undo_memory", memory_id=one)["changed"] == [one]
    assert not memory.get(one).pinned


def test_a_review_is_answered_over_the_wire(http: TestClient, memory: Hmf) -> None:
    idea = next(m for m in memory.memories() if m.category == "article-ideas")
    memory.store.now.forward(days=70)  # type: ignore[attr-defined]
    memory.run("archive")
    [plan] = call(http, "review", neighbours=2)["plans"]
    [action] = [a for a in plan["actions"] if a["targets"][0][0] == idea.id]
    assert action["memories"][0]["neighbours"]
    assert call(http, "neighbours", ids=[idea.id], k=1)["neighbours"][idea.id]
    call(http, "decide", code=422, keys=[action["key"]], answer="perhaps")
    call(http, "decide", code=404, keys=["absent"], answer="keep")
    [done] = call(http, "decide", keys=[action["key"]], answer="keep")["decided"]
    assert done["decided"] == [action["key"]]
    row = memory.log(limit=1)[0]
    assert (row["id"], row["actor"], row["face"]) == (done["batch"], "user", "http")
    assert call(http, "digest")["digests"][0]["sentences"]
    call(http, "undo", batch_id=done["batch"])
    assert memory.get(idea.id) == idea
