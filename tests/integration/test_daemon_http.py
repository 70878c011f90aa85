"""The HTTP face: who may speak, in what form, and what an error looks like."""

from __future__ import annotations

import inspect
import json
import logging as stdlib_logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import structlog
from starlette.testclient import TestClient

from hmf import Hmf
from hmf.daemon import logging, tokens
from hmf.daemon.answers import problem_of
from hmf.daemon.app import create_app
from hmf.daemon.client import error_of
from hmf.daemon.guard import LOOPBACK, MAX_BODY
from hmf.errors import ConfigError, HmfError, NotFound, StoreLocked, UnknownCategory
from hmf.paths import places
from hmf.plan import Plan, View
from hmf.schedule import Scheduler
from hmf.service import curating
from hmf.service.operations import NAMES, Operations

TOKEN = "a-token-for-the-tests"
CONFIG = {"embedder": {"name": "hash"}, "store": {"index": {"engine": "memory"}}, "timezone": "Europe/Paris"}


class Job:
    """A job that finds nothing, or fails."""

    name = "review"
    error: Exception | None = None

    def plan(self, view: View, now: datetime) -> Plan:
        if self.error is not None:
            raise self.error
        return Plan(self.name, view.namespace, now, ())


@pytest.fixture
def job(monkeypatch: pytest.MonkeyPatch) -> Job:
    job = Job()
    monkeypatch.setattr(curating, "installed_jobs", lambda: {"review": job})
    return job


@pytest.fixture
def memory(tmp_path: Path, job: Job) -> Iterator[Hmf]:
    moments = (datetime(2026, 11, 30, 9, tzinfo=UTC) + timedelta(milliseconds=n) for n in count())
    with Hmf.open(tmp_path, CONFIG, moments.__next__) as memory:
        yield memory


@pytest.fixture
def http(memory: Hmf) -> Iterator[TestClient]:
    app = create_app(memory, token=TOKEN, allowed_hosts={*LOOPBACK, "memory.example"})
    with TestClient(
        app, "http://127.0.0.1:7391", raise_server_exceptions=False, headers={"Authorization": f"Bearer {TOKEN}"}
    ) as client:
        yield client


@pytest.fixture
def fresh_logging() -> Iterator[None]:
    root = stdlib_logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def problem(response: Any, status: int, code: str) -> dict[str, Any]:
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert body["code"] == code
    assert body["status"] == status
    assert body["what"]
    return body


@pytest.mark.parametrize("given", [None, "Bearer", "Bearer wrong", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x"])
def test_a_stranger_is_refused(http: TestClient, given: str | None) -> None:
    http.headers.pop("authorization")
    headers = {"Authorization": given} if given else {}
    refused = http.get("/v1/review", headers=headers)
    problem(refused, 401, "unauthorised")
    assert refused.headers["www-authenticate"] == "Bearer"


def test_every_path_but_health_needs_the_token(http: TestClient) -> None:
    paths = set(http.get("/openapi.json").json()["paths"])
    http.headers.pop("authorization")
    assert http.get("/healthz").status_code == 200
    for path in [*sorted(paths - {"/healthz"}), "/openapi.json", "/nothing"]:
        assert http.get(path).status_code == 401, path


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:7391", "[::1]:7391", "LOCALHOST", "memory.example:80"])
def test_the_names_of_this_machine_and_the_configured_one_are_answered(http: TestClient, host: str) -> None:
    assert http.get("/healthz", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:7391", "", "[::2]"])
def test_a_foreign_host_name_is_refused(http: TestClient, host: str) -> None:
    problem(http.get("/healthz", headers={"Host": host}), 403, "forbidden")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "https://127.0.0.1:7391"])
def test_a_page_of_another_site_is_refused(http: TestClient, origin: str) -> None:
    refused = http.post("/v1/op/stats", json={}, headers={"Origin": origin})
    problem(refused, 403, "forbidden")
    assert "access-control-allow-origin" not in refused.headers


def test_a_page_of_the_daemon_itself_is_answered(http: TestClient) -> None:
    assert http.post("/v1/op/stats", json={}, headers={"Origin": "http://127.0.0.1:7391"}).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_write_that_is_no_json_is_refused(http: TestClient, kind: str) -> None:
    sent = http.post("/v1/memories", content=b'{"text": "Acme"}', headers={"Content-Type": kind})
    problem(sent, 415, "invalid-input")


@pytest.mark.parametrize("said", [True, False])
def test_a_body_that_is_too_large_is_refused_whether_it_says_so_or_not(http: TestClient, said: bool) -> None:
    body = b'{"text": "' + b"a" * MAX_BODY + b'"}'
    content: Any = body if said else iter([body[: MAX_BODY // 2], body[MAX_BODY // 2 :]])
    sent = http.post("/v1/memories", content=content, headers={"Content-Type": "application/json"})
    problem(sent, 413, "invalid-input")


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/v1/memories", {"text": "x", "colour": "red"}, 422, "invalid-input"),
        ("/v1/memories", {}, 422, "invalid-input"),
        ("/v1/memories", {"text": "Acme pays late.", "category": "nowhere"}, 422, "unknown-category"),
        ("/v1/search", {"query": "x", "k": "many"}, 422, "invalid-input"),
        ("/v1/search", {"query": "x", "k": 0}, 422, "invalid-input"),
        ("/v1/op/show", {"memory_id": "nope"}, 404, "not-found"),
        ("/v1/op/explode", {}, 404, "not-found"),
        ("/v1/op/call", {"name": "stats", "arguments": {}}, 404, "not-found"),
        ("/v1/op/_done", {}, 404, "not-found"),
        ("/v1/op/add", {"note": "x"}, 422, "invalid-input"),
        ("/v1/op/add", [], 422, "invalid-input"),
        ("/v1/op/search", {"query": "x", "k": "five"}, 422, "invalid-input"),
        ("/v1/op/search", {"query": 5}, 422, "invalid-input"),
        ("/v1/op/search", {"query": "x", "categories": "inbox"}, 422, "invalid-input"),
        ("/v1/op/list", {"tier": "bogus"}, 422, "invalid-input"),
        ("/v1/op/list", {"colour": "red"}, 422, "invalid-input"),
        ("/v1/op/list", {"limit": "x"}, 422, "invalid-input"),
        ("/v1/op/list", {"namespace": ["a"]}, 422, "invalid-input"),
        ("/v1/op/forget", {"ids": "abc"}, 422, "invalid-input"),
        ("/v1/op/forget", {"ids": [1]}, 422, "invalid-input"),
        ("/v1/op/add_many", {"notes": [1]}, 422, "invalid-input"),
        ("/v1/op/move", {"memory_id": "x", "category": None}, 422, "invalid-input"),
        ("/v1/op/apply", {"plan": 5}, 422, "invalid-input"),
        ("/v1/plans/none/apply", {"approve": "all"}, 404, "not-found"),
        ("/v1/nothing", {}, 404, "not-found"),
    ],
)
def test_what_is_wrong_is_said_as_a_problem(http: TestClient, path: str, body: Any, status: int, code: str) -> None:
    problem(http.post(path, json=body), status, code)


def test_a_body_that_is_broken_json_is_said_as_a_problem(http: TestClient) -> None:
    sent = http.post("/v1/search", content=b'{"query": ', headers={"Content-Type": "application/json"})
    problem(sent, 422, "invalid-input")


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Acme wants short paragraphs in its blog posts.", "How long should Acme paragraphs be?"),
        ("Le client Dubois préfère le vouvoiement dans ses lettres. 🖋️", "Dubois : tutoiement ou vouvoiement ?"),
    ],
)
def test_a_memory_is_added_once_and_found(http: TestClient, text: str, query: str) -> None:
    first = http.post("/v1/memories", json={"text": text, "category": "client-projects"})
    assert (first.status_code, first.json()["outcome"]) == (201, "created")
    again = http.post("/v1/memories", json={"text": text})
    assert (again.status_code, again.json()["id"]) == (200, first.json()["id"])
    found = http.post("/v1/search", json={"query": query}).json()
    assert [hit["memory"]["text"] for hit in found["hits"]] == [text]


def test_half_a_character_is_no_error(http: TestClient) -> None:
    body = b'{"query": "une moiti\\u00e9 \\ud83d de signe"}'
    sent = http.post("/v1/search", content=body, headers={"Content-Type": "application/json"})
    assert sent.status_code == 200


def test_a_memory_that_screening_refuses_is_not_called_stored(tmp_path: Path) -> None:
    config = {**CONFIG, "screening": {"secrets": "refuse"}}
    with Hmf.open(tmp_path, config) as memory:
        client = TestClient(create_app(memory, token=TOKEN, allowed_hosts=LOOPBACK), "http://127.0.0.1")
        sent = client.post(
            "/v1/memories",
            json={"text": "password: hunter2-Xy9!kq"},
            headers={"Authorization": f"Bearer {TOKEN}"},
        )
        problem(sent, 409, "refused")
        assert Operations(memory).list() == {"memories": []}


def test_an_unforeseen_error_is_told_without_its_words_and_turns_the_light_red(
    http: TestClient, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], fresh_logging: None
) -> None:
    logging.configure("info", json=True)

    def broken(self: Operations) -> dict[str, Any]:
        raise KeyError("the manuscript of Madame Bovary")

    monkeypatch.setattr(Operations, "doctor", broken)
    sent = http.post("/v1/op/doctor", json={})
    problem(sent, 500, "error")
    logged = capsys.readouterr().err
    assert "request.failed" in logged
    assert "KeyError" in logged
    assert "test_daemon_http.py" in logged, "it says where"
    for said in (sent.text, logged):
        assert "Bovary" not in said
        assert "Traceback" not in said
    health = http.get("/healthz").json()
    assert (health["status"], health["unexpected_errors"]) == ("degraded", 1)


def test_the_light_is_red_while_the_last_run_of_a_job_failed(http: TestClient, memory: Hmf, job: Job) -> None:
    memory.add("Acme wants short paragraphs.")
    assert http.get("/healthz").json()["status"] == "ok"
    job.error = RuntimeError("no such file")
    Scheduler(memory).tick()
    red = http.get("/healthz")
    assert (red.status_code, red.json()["status"], red.json()["jobs"]["review"]["failures"]) == (200, "degraded", 1)
    assert "no such file" not in red.text, "health answers anyone, and an error may quote a memory"
    (told,) = http.get("/v1/jobs").json()["jobs"]
    assert (told["error"], told["retry"]) == ("RuntimeError: no such file", True)
    job.error = None
    memory.run("review")
    assert http.get("/healthz").json()["status"] == "ok"


def test_review_lists_what_waits(http: TestClient) -> None:
    assert http.get("/v1/review").json() == {"plans": [], "waiting": 0, "notes": []}


def test_null_is_what_was_left_out(http: TestClient) -> None:
    body = {"query": "x", "k": None, "namespace": None, "kinds": None, "archive": None}
    assert http.post("/v1/op/search", json=body).status_code == 200
    assert http.post("/v1/op/list", json={"tier": "detail", "limit": 5, "status": None}).json() == {"memories": []}


@pytest.mark.parametrize("name", NAMES)
def test_no_operation_answers_nonsense_with_an_error_of_its_own(http: TestClient, name: str) -> None:
    names = {key for key in inspect.signature(getattr(Operations, name)).parameters if key != "self"}
    for nonsense in (5, "\ud83d", [], {}, [[]], True, -1, "x" * 10_000):
        sent = http.post(
            f"/v1/op/{name}",
            content=json.dumps(dict.fromkeys(names, nonsense)),
            headers={"Content-Type": "application/json"},
        )
        assert sent.status_code in (200, 404, 409, 422), (nonsense, sent.text)


def test_every_operation_is_open_to_the_faces(http: TestClient) -> None:
    assert http.post("/v1/op/stats", json={}).json()["namespace"] == "default"
    assert "policies" in http.post("/v1/op/policies", json={}).json()


@pytest.mark.parametrize(
    "error",
    [
        NotFound("There is no memory 'x'.", fix="hmf search"),
        UnknownCategory("No category 'x'."),
        StoreLocked("The store is held.", fix="stop it"),
        ConfigError("Two problems.", fix="mend them", problems=("a.yaml:1:2: b", "a.yaml:3:4: c")),
        HmfError("Something."),
    ],
)
def test_an_error_crosses_http_whole(error: HmfError) -> None:
    sent = problem_of(error)
    back = error_of(json.loads(bytes(sent.body)), sent.status_code)
    assert type(back) is type(error)
    assert str(back) == str(error)
    assert back.exit_code == error.exit_code


def test_the_token_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    where = places(tmp_path, {})
    where.state_dir.mkdir()
    token = tokens.make(where, {})
    assert tokens.token_file(where).stat().st_mode & 0o777 == 0o600
    assert tokens.make(where, {}) == tokens.read(where, {}) == token
    assert len(token) >= 32
    tokens.token_file(where).chmod(0o644)
    tokens.make(where, {})
    assert tokens.token_file(where).stat().st_mode & 0o777 == 0o600


def test_a_token_that_keeps_nobody_out_is_refused(tmp_path: Path) -> None:
    where = places(tmp_path, {})
    where.state_dir.mkdir()
    tokens.token_file(where).write_text("\n")
    with pytest.raises(ConfigError):
        tokens.make(where, {})
    with pytest.raises(ConfigError):
        tokens.make(where, {"HMF_TOKEN": "court"})


@pytest.mark.parametrize("as_json", [True, False])
def test_no_log_line_above_debug_says_what_a_memory_says(
    as_json: bool, capsys: pytest.CaptureFixture[str], fresh_logging: None
) -> None:
    logging.configure("debug", json=as_json)
    log = structlog.get_logger("hmf.test")
    log.warning("memory.odd", text="Emma", query="Rodolphe", category="ideas")
    log.debug("memory.odd", text="Charles")
    said = capsys.readouterr().err
    assert "Emma" not in said
    assert "Rodolphe" not in said
    assert "ideas" in said
    assert "Charles" in said


def test_libraries_log_to_the_same_place(capsys: pytest.CaptureFixture[str], fresh_logging: None) -> None:
    logging.configure("info", json=True)
    stdlib_logging.getLogger("uvicorn.error").warning("a line of %s", "uvicorn")
    said = capsys.readouterr()
    assert '"event": "a line of uvicorn"' in said.err
    assert said.out == ""


def test_an_unknown_log_level_is_refused() -> None:
    assert logging.level_of({"HMF_LOG": "Debug"}) == "debug"
    with pytest.raises(ConfigError, match="HMF_LOG"):
        logging.level_of({"HMF_LOG": "loud"})
