"""The same folders from anywhere, for their owner alone, and one clear error when they cannot be used."""

from __future__ import annotations

import os
import stat
import tempfile
from dataclasses import astuple
from pathlib import Path

import pytest

from hmf import paths
from hmf.errors import ConfigError, StoreUnavailable
from hmf.paths import Places, places, prepare, shipped_config


@pytest.mark.parametrize("name", ["hmf", "with a space", "Mémoire d’été", "日記", "a'b\"c", "%d{x}"])
def test_home_holds_everything(name: str, tmp_path: Path) -> None:
    home = tmp_path / name
    expected = Places(home, home / "data", home / "state", home / "cache", home / "hmf.yaml")
    assert places(None, {"HMF_HOME": str(home)}) == expected
    assert places(home, {}) == expected
    assert places(str(home), {"HMF_HOME": "/elsewhere"}) == expected
    prepare(expected)
    assert all(folder.is_dir() for folder in astuple(expected)[:4])


@pytest.mark.parametrize("environ", [{}, {"HMF_HOME": ""}, {"HMF_HOME": "~/mémoire"}, {"HMF_CONFIG": "~/x y.yaml"}])
def test_the_current_folder_changes_nothing(
    environ: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    seen = set()
    for folder in (tmp_path, Path("/"), tmp_path / "deep"):
        folder.mkdir(exist_ok=True)
        monkeypatch.chdir(folder)
        seen.add(places(None, environ))
    assert len(seen) == 1
    assert all(path.is_absolute() for path in astuple(seen.pop()))


def test_a_tilde_is_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert places("~/notes", {}).data_dir == tmp_path / "notes" / "data"


def test_the_system_s_folders_are_each_named_after_hmf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    where = places(None, {})
    assert all("hmf" in path.parts or "hmf.yaml" in path.parts for path in astuple(where))
    assert where.config_file == where.config_dir / "hmf.yaml"


@pytest.mark.parametrize("given", ["data", "./data", "../data", "$HOME/hmf", "~nobody-of-that-name/x", "a\0b"])
@pytest.mark.parametrize("variable", ["HMF_HOME", "HMF_CONFIG", None])
def test_a_path_that_depends_on_the_current_folder_is_refused(given: str, variable: str | None) -> None:
    with pytest.raises(ConfigError) as caught:
        places(given, {}) if variable is None else places(None, {variable: given})
    assert (variable or "The home folder") in caught.value.what
    assert caught.value.fix


def test_a_blank_home_argument_is_refused() -> None:
    with pytest.raises(ConfigError):
        places("", {})


def test_the_refusal_shows_the_full_path_to_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError) as caught:
        places(None, {"HMF_HOME": "mes données"})
    assert str(tmp_path / "mes données") in str(caught.value.fix)


@pytest.mark.skipif(os.name == "nt", reason="XDG variables are of Unix")
@pytest.mark.parametrize("relative", ["here", "./here", "../here", " "])
def test_a_relative_system_folder_never_leads_to_the_current_one(
    relative: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/someone")
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, relative)
    assert all(path.is_relative_to("/home/someone") for path in astuple(places(None, {})))


def test_links_are_followed_once_and_for_all(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert places(tmp_path / "link", {}) == places(tmp_path / "real", {})


@pytest.mark.skipif(os.name == "nt", reason="modes are of Unix")
def test_new_folders_are_their_owner_s_alone(tmp_path: Path) -> None:
    where = places(tmp_path / "new" / "home", {})
    prepare(where)
    prepare(where)
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in astuple(where)[:4]} == {0o700}
    assert list(where.data_dir.iterdir()) == []


def test_a_file_in_the_way_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("in the way")
    where = places(tmp_path / "home", {})
    with pytest.raises(StoreUnavailable) as caught:
        prepare(where)
    assert all(str(folder) in caught.value.what for folder in astuple(where)[:4])
    assert "HMF_HOME" in str(caught.value.fix)
    assert (tmp_path / "home").read_text() == "in the way"


def test_an_unwritable_folder_is_told_and_the_others_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = places(tmp_path, {})
    real = tempfile.TemporaryFile

    def refusing(dir: Path) -> object:
        if dir == where.data_dir:
            raise PermissionError(13, "Permission denied")
        return real(dir=dir)

    monkeypatch.setattr(tempfile, "TemporaryFile", refusing)
    with pytest.raises(StoreUnavailable) as caught:
        prepare(where)
    assert f"{where.data_dir} (Permission denied)" in caught.value.what
    assert str(where.state_dir) not in caught.value.what


def test_the_shipped_configuration_is_found_in_a_checkout() -> None:
    assert shipped_config() == Path(paths.__file__).resolve().parents[1] / "config" / "hmf.yaml"


def test_the_shipped_configuration_is_found_when_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site-packages" / "hmf"
    (package / "_config").mkdir(parents=True)
    monkeypatch.setattr(paths, "__file__", str(package / "paths.py"))
    with pytest.raises(ConfigError, match="install hmf-memory again"):
        shipped_config()
    (package / "_config" / "hmf.yaml").write_text("version: 1\n")
    assert shipped_config() == package / "_config" / "hmf.yaml"
