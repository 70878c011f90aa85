"""How the server engine meets a server that fails: an HTTP one on loopback stands in for it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from qdrant_client import QdrantClient

from hmf.errors import ConfigError, IndexFailure, StoreUnavailable
from hmf.index.factory import build
from hmf.index.qdrant import QdrantIndex, connect

GOOD = {"result": {"collections": [{"name": "hmf-notes.g1"}, {"name": "another"}]}, "status": "ok", "time": 0.0}


@contextmanager
def server(*statuses: int, **headers: str) -> Iterator[tuple[str, list[str]]]:
    """Answers each request with the next of `statuses` (the last for ever); gives its address and what was asked."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status = statuses[min(len(asked), len(statuses) - 1)]
            asked.append(self.headers.get("api-key") or "")
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(json.dumps(GOOD if status == 200 else {"status": {"error": "no"}}).encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{http.server_port}", asked
        finally:
            http.shutdown()
            thread.join()


def index(url: str, pauses: list[float]) -> QdrantIndex:
    client = QdrantClient(url=url, check_compatibility=False, trust_env=False)
    return QdrantIndex(client, 8, pause=pauses.append)


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_what_a_moment_may_mend_is_tried_again(status: int):
    pauses: list[float] = []
    with server(status, status, 200) as (url, asked):
        assert index(url, pauses).collections() == ["notes.g1"]
        assert len(asked) == 3
    assert len(pauses) == 2
    assert all(0 <= pause <= 3 for pause in pauses)


def test_a_server_that_asks_for_a_long_rest_is_not_obeyed_for_ever():
    pauses: list[float] = []
    with server(429, Retry_After="3600") as (url, asked), pytest.raises(IndexFailure):
        index(url, pauses).collections()
    assert len(asked) == 4
    assert sum(pauses) < 15


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_refusal_is_final(status: int):
    pauses: list[float] = []
    with server(status) as (url, asked), pytest.raises(IndexFailure, match=str(status)):
        index(url, pauses).collections()
    assert (len(asked), pauses) == (1, [])


def test_nobody_there_is_said_with_the_reason():
    with server(200) as (url, _):
        pass
    with pytest.raises(IndexFailure, match="refused"):
        index(url, []).collections()


def test_loopback_is_reached_past_a_proxy_and_with_the_key(monkeypatch: pytest.MonkeyPatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://192.0.2.1:9")
    with server(200) as (url, asked):
        opened = connect(url, "k", 8, timeout=5)
        assert opened.collections() == ["notes.g1"]
        assert set(asked) == {"k"}
        opened.close()


def test_opening_a_server_that_refuses_names_its_address():
    with server(401) as (url, _), pytest.raises(StoreUnavailable, match=url):
        connect(url, None, 8, timeout=5)


def test_an_unknown_engine_and_a_missing_address_are_said(tmp_path):
    with pytest.raises(ConfigError, match="edge, qdrant, memory"):
        build("faiss", tmp_path, 8)
    with pytest.raises(ConfigError, match="url"):
        build("qdrant", tmp_path, 8)
    assert build("memory", tmp_path, 8).name == "memory"
