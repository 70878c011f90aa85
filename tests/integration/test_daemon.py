"""The daemon as a process of its own: one owner, kills, restarts, signals, twenty callers at once (C44, C46, C49)."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import httpx
import psutil
import pytest

from hmf import Hmf
from hmf.daemon import tokens
from hmf.daemon.client import Client, connect
from hmf.errors import HmfError, NotFound, StoreLocked, StoreUnavailable
from hmf.paths import Places, places
from hmf.service.lock import Owner, StoreLock
from hmf.service.operations import Operations

PATIENCE = 60.0
CONFIG = "embedder: {{name: hash}}\nstore: {{index: {{engine: {engine}}}}}\ntimezone: Europe/Paris\n"
T = TypeVar("T")


class House:
    """A home, and the daemons started on it."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.use("memory")
        self.where: Places = places(home, {})
        self.started: list[subprocess.Popen[bytes]] = []
        self.log = home / "daemon.log"

    def use(self, engine: str) -> None:
        """Choose the index engine: `memory` starts at once, `edge` is what people have."""
        (self.home / "hmf.yaml").write_text(CONFIG.format(engine=engine))

    def launch(self, *arguments: str, port: int = 0) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "hmf.daemon", "--home", str(self.home), "--port", str(port), *arguments]
        with self.log.open("ab") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.started.append(process)
        return process

    def serve(self) -> tuple[subprocess.Popen[bytes], Client]:
        process = self.launch()
        return process, self.until(lambda: connect(self.where), process)

    def until(self, look: Callable[[], T | None], process: subprocess.Popen[bytes]) -> T:
        """Look until there is something to see, for as long as the process lives and patience lasts."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            found = look()
            if found is not None:
                return found
            try:
                process.wait(0.05)
            except subprocess.TimeoutExpired:
                continue
            break
        raise AssertionError(f"It never came to that. The daemon said: {self.said()}")

    def said(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def texts(self) -> set[str]:
        """What the store holds, read in this process: no daemon runs any more."""
        with Hmf.open(self.home) as memory:
            return {one["text"] for one in Operations(memory).list(limit=None)["memories"]}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    for process in house.started:
        if process.poll() is None:
            process.kill()
        process.wait(PATIENCE)


def ends(process: subprocess.Popen[bytes], number: signal.Signals = signal.SIGTERM) -> int:
    process.send_signal(number)
    return process.wait(PATIENCE)


def together(count: int, work: Callable[[int], T]) -> list[T]:
    """Do `work(0..count-1)` on as many threads, all let go at the same moment."""
    gate = threading.Barrier(count)

    def run(n: int) -> T:
        gate.wait(PATIENCE)
        return work(n)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def test_commands_go_through_the_daemon_and_a_second_one_is_refused(house: House) -> None:
    process, client = house.serve()
    with client:
        added = client.call("add", {"text": "Le client Dubois préfère le vouvoiement.", "category": "client-projects"})
        found = client.call("search", {"query": "Dubois : vouvoiement ou tutoiement ?"})
        assert [hit["memory"]["id"] for hit in found["hits"]] == [added["id"]]
        with pytest.raises(NotFound):
            client.call("show", {"memory_id": "nothing"})

        second = house.launch()
        assert second.wait(PATIENCE) == StoreLocked.exit_code
        assert f"held by hmf serve (process {process.pid}" in house.said()
        assert client.url in house.said()
        with pytest.raises(StoreLocked, match=f"process {process.pid}"):
            Hmf.open(house.home)

        assert client.call("show", {"memory_id": added["id"]})["memory"]["category"] == "client-projects"
    assert ends(process) == 0
    assert connect(house.where) is None


def test_a_killed_daemon_leaves_nothing_to_clean_up(house: House) -> None:
    house.use("edge")
    process, client = house.serve()
    with client:
        texts = {f"Acme asked for change number {n}." for n in range(10)}
        for text in sorted(texts):
            client.call("add", {"text": text, "category": "client-projects"})
        ends(process, signal.SIGKILL)
        with pytest.raises(StoreUnavailable, match="does not answer"):
            client.call("stats", {})
    assert connect(house.where) is None
    process, client = house.serve()
    with client:
        listed = client.call("list", {"limit": 100})["memories"]
        assert {memory["text"] for memory in listed} == texts
        assert client.call("search", {"query": "Acme change number 7", "categories": ["client-projects"]})["hits"]
        assert client.call("doctor", {})["checks"][0] == {"name": "ledger", "well": True, "found": "sound", "fix": ""}
    assert ends(process) == 0


def test_twenty_callers_at_once(house: House) -> None:
    process, client = house.serve()
    with client:
        same = together(20, lambda _: client.call("add", {"text": "Acme pays at thirty days."}))
        assert sorted(one["outcome"] for one in same) == ["created"] + ["duplicate"] * 19
        assert len({one["id"] for one in same}) == 1

        def add_and_search(n: int) -> dict[str, Any]:
            client.call("search", {"query": "When does Acme pay?"})
            return client.call("add", {"text": f"Chapitre {n} : le héros part."})

        distinct = together(20, add_and_search)
        assert [one["outcome"] for one in distinct] == ["created"] * 20
        assert len({one["id"] for one in distinct}) == 20
        assert len(client.call("list", {"limit": 100})["memories"]) == 21
        assert client.health()["unexpected_errors"] == 0
    assert ends(process) == 0


def test_two_supersessions_at_once_leave_one_current_and_a_chain(house: House) -> None:
    process, client = house.serve()
    with client:
        for n in range(5):
            old = client.call("add", {"text": f"Invoice {n} is due in May."})["id"]
            new = together(
                2,
                lambda k, n=n, old=old: client.call(  # type: ignore[misc]
                    "add", {"text": f"Invoice {n} is due in {('June', 'July')[k]}.", "supersedes": [old]}
                ),
            )
            rows = [client.call("show", {"memory_id": i})["memory"] for i in (old, *(one["id"] for one in new))]
            current = [row for row in rows if row["status"] != "superseded"]
            assert len(current) == 1
            heirs = {row["id"]: row["superseded_by"] for row in rows}
            middle = heirs[old]
            assert heirs[middle] == current[0]["id"]
    assert ends(process) == 0


def test_a_daemon_asked_to_stop_finishes_the_writes_in_hand(house: House) -> None:
    house.use("edge")
    process, client = house.serve()
    acknowledged: set[str] = set()
    enough, refused = threading.Event(), []

    def write(hand: int) -> None:
        for n in range(10_000):
            text = f"Hand {hand} wrote line {n}."
            try:
                client.call("add", {"text": text, "category": "client-projects"})
            except StoreUnavailable as error:
                refused.append(error)
                return
            acknowledged.add(text)
            if len(acknowledged) >= 20:
                enough.set()

    writers = [threading.Thread(target=write, args=(hand,)) for hand in range(3)]
    for writer in writers:
        writer.start()
    assert enough.wait(PATIENCE), house.said()
    assert ends(process) == 0
    for writer in writers:
        writer.join(PATIENCE)
    client.close()
    assert len(refused) == 3, "each writer met the end as an error it can understand"
    assert StoreLock(house.where.data_dir).owner() is None
    assert acknowledged <= house.texts()
    assert "serve.stopped" in house.said()


def test_sigint_ends_it_in_order_too(house: House) -> None:
    process, client = house.serve()
    client.close()
    assert ends(process, signal.SIGINT) == 0


def test_a_second_sigint_forces_what_a_hung_caller_holds_up(house: House) -> None:
    process, client = house.serve()
    token = tokens.read(house.where, {})
    client.call("add", {"text": "Acme pays late."})
    host, port = client.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as hung:
        head = f"POST /v1/search HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n"
        hung.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{".encode())
        # The daemon has read the head once it answers a later caller.
        client.health()
        client.close()
        process.send_signal(signal.SIGINT)
        house.until(lambda: refuses(host, int(port)) or None, process)
        assert process.poll() is None
        assert ends(process, signal.SIGINT) == 130
    assert house.texts() == {"Acme pays late."}


def refuses(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return True
    return False


def test_a_taken_port_is_named_with_its_holder(house: House) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process = house.launch(port=port)
        assert process.wait(PATIENCE) == StoreUnavailable.exit_code
    assert f"Port {port} of 127.0.0.1 is taken" in house.said()
    assert f"(process {os.getpid()})" in house.said()
    assert house.texts() == set()


def test_a_host_that_others_can_reach_is_not_taken_by_mistake(house: House) -> None:
    process = house.launch("--host", "0.0.0.0")  # noqa: S104 - it is refused
    assert process.wait(PATIENCE) == 4
    assert "--allow-remote" in house.said()
    allowed = house.launch("--host", "0.0.0.0", "--allow-remote")  # noqa: S104 - it is the point
    with house.until(lambda: connect(house.where), allowed) as client:
        assert client.url.startswith("http://127.0.0.1:")
    assert ends(allowed) == 0


def test_what_was_missed_is_made_up_once_when_the_daemon_starts(house: House) -> None:
    ago = datetime.now(UTC) - timedelta(days=3)
    with Hmf.open(house.home, now=lambda: ago) as memory:
        memory.add("Acme wants short paragraphs.")
    process, client = house.serve()
    with client:
        runs = house.until(lambda: ended(client, 4), process)
        assert sorted(run["job"] for run in runs) == ["archive", "expire", "review", "summarise"]
        assert {run["outcome"] for run in runs} == {"ok"}
        assert client.health()["status"] == "ok"
    assert ends(process) == 0
    process, client = house.serve()
    with client:
        process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 0
    with Hmf.open(house.home) as memory:
        assert len(memory.store.runs.recent()) == 4


def ended(client: Client, count: int) -> list[dict[str, Any]] | None:
    runs: list[dict[str, Any]] = client.call("jobs", {})["runs"]
    return runs if len(runs) >= count and all(run["ended_at"] for run in runs) else None


def test_an_owner_that_serves_and_does_not_answer_is_an_error_not_a_second_store(house: House) -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    house.where.data_dir.mkdir(parents=True)
    lock = StoreLock(house.where.data_dir)
    lock.take("hmf serve", datetime.now(UTC))
    house.where.state_dir.mkdir()
    tokens.make(house.where, {})
    lock.announce(Owner(os.getpid(), psutil.Process().create_time(), "now", "hmf serve", f"http://127.0.0.1:{port}"))
    try:
        with pytest.raises(StoreUnavailable, match="does not answer"):
            connect(house.where)
    finally:
        lock.release()
    assert connect(house.where) is None


def test_an_owner_that_does_not_serve_is_no_daemon(house: House) -> None:
    with Hmf.open(house.home):
        assert connect(house.where) is None


def test_a_wrong_token_is_told_as_such(house: House) -> None:
    process, client = house.serve()
    with client, Client(client.url, "another-token-altogether") as stranger:
        with pytest.raises(HmfError, match="token"):
            stranger.call("stats", {})
        assert httpx.get(f"{client.url}/healthz", trust_env=False).json()["owner"]["pid"] == process.pid
    assert ends(process) == 0


def test_a_daemon_opens_and_mends_its_index_before_anybody_asks(house: House) -> None:
    """What a first question would wait for is done beside the start (the damage shows that every shard was opened)."""
    house.use("edge")
    with Hmf.open(house.home) as memory:
        memory.add("Le carnet bleu est chez Nadège.", category="tasks")
    index = house.where.data_dir / "index"
    (shard,) = index.glob("tasks.g*")
    for file in shard.rglob("segment.json"):
        file.write_bytes(b"")
    process = house.launch()
    house.until(lambda: "serve.warm" in house.said() or None, process)
    assert list(index.glob("tasks.g*.damaged-*"))
    assert "index.rebuilt" in house.said()
