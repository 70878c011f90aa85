"""The container files, as far as they can be checked without an engine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from hmf.config import load

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def compose() -> Any:
    return YAML(typ="safe").load(ROOT / "docker-compose.yml")


def test_images_are_pinned_and_ports_stay_on_this_machine(compose: Any) -> None:
    services = compose["services"]
    assert re.fullmatch(r"qdrant/qdrant:v\d+\.\d+\.\d+", services["qdrant"]["image"])
    for service in services.values():
        assert service["ports"]
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])


def test_the_daemon_waits_for_a_healthy_server_and_keeps_its_memory(compose: Any) -> None:
    services = compose["services"]
    assert services["hmf"]["depends_on"]["qdrant"]["condition"] == "service_healthy"
    assert services["qdrant"]["healthcheck"]["test"][0] == "CMD"
    held = {mount.split(":")[0] for service in services.values() for mount in service["volumes"]}
    assert set(compose["volumes"]) <= held


def test_the_files_it_names_exist_and_the_configuration_is_right(compose: Any) -> None:
    daemon = compose["services"]["hmf"]
    dockerfile = (ROOT / daemon["build"]["context"] / daemon["build"]["dockerfile"]).read_text(encoding="utf-8")
    assert re.search(r"^USER (?!root|0)", dockerfile, re.MULTILINE)
    mounted = next(mount for mount in daemon["volumes"] if mount.endswith(":ro"))
    settings = load(ROOT / mounted.split(":")[0], environ={})
    assert f"HMF_CONFIG={mounted.split(':')[1]}" in dockerfile
    assert settings.store.index.url == "http://qdrant:6333"
    assert f"127.0.0.1:{settings.server.port}:{settings.server.port}" in daemon["ports"]
    assert f"http://127.0.0.1:{settings.server.port}/healthz" in dockerfile
    for name in re.findall(r"^!(\S+)$", (ROOT / "docker/Dockerfile.dockerignore").read_text(), re.MULTILINE):
        assert (ROOT / name).exists(), name
