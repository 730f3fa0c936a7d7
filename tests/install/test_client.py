"""Where the client, its settings and our own executable are found."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import FlightdeckError
from flightdeck.install import client
from flightdeck.install.client import (
    Client,
    config_folder,
    find_client,
    find_site,
    folder_doubts,
    parse_version,
)

if TYPE_CHECKING:
    from tests.install.home import Home


@pytest.mark.parametrize("named", [None, "", "  "])
def test_settings_are_in_the_home_unless_a_folder_is_named(named: str | None) -> None:
    more = {} if named is None else {"CLAUDE_CONFIG_DIR": named}
    assert config_folder({"HOME": "/H", **more}) == Path("/H/.claude")


def test_named_configuration_folder_is_used_as_it_is_named() -> None:
    assert config_folder({"HOME": "/H", "CLAUDE_CONFIG_DIR": "/H/alt dir"}) == Path("/H/alt dir")


def test_relative_configuration_folder_becomes_absolute() -> None:
    assert config_folder({"CLAUDE_CONFIG_DIR": "alt"}) == Path.cwd() / "alt"


@pytest.mark.parametrize("named", ["alt", "~/.claude", "./x"])
def test_configuration_folder_that_depends_on_where_claude_starts_is_a_doubt(named: str) -> None:
    (doubt,) = folder_doubts({"CLAUDE_CONFIG_DIR": named})
    assert f"'{named}'" in doubt


@pytest.mark.parametrize("environ", [{}, {"CLAUDE_CONFIG_DIR": " "}, {"CLAUDE_CONFIG_DIR": "/a"}])
def test_any_other_configuration_folder_is_none(environ: dict[str, str]) -> None:
    assert folder_doubts(environ) == []


def test_home_is_the_users_where_the_environment_has_none() -> None:
    assert config_folder({}) == Path.home() / ".claude"


def test_home_that_cannot_be_looked_into_has_no_client() -> None:
    assert find_client({"HOME": f"/{'x' * 300}", "PATH": ""}) is None


@pytest.mark.parametrize("place", ["bin/claude", ".claude/local/claude", ".local/bin/claude"])
def test_client_is_found_on_path_and_where_its_installers_put_it(home: Home, place: str) -> None:
    path = home.install_client(place=place)
    assert find_client(home.environ) == Client(path, (2, 1, 332))


def test_home_without_a_client_has_none(home: Home) -> None:
    assert find_client(home.environ) is None


def test_file_nobody_may_run_is_no_client(home: Home) -> None:
    home.install_client(place=".local/bin/claude").chmod(0o644)
    assert find_client(home.environ) is None


@pytest.mark.parametrize("text", ["", "exit 3", "echo unknown", "echo 2.1.332; exit 1"])
def test_client_that_does_not_tell_its_version_has_none(home: Home, text: str) -> None:
    path = home.install_client()
    path.write_text(f"#!/bin/sh\n{text}\n")
    assert find_client(home.environ) == Client(path, None)


def test_client_that_cannot_be_started_has_no_version(home: Home) -> None:
    path = home.install_client()
    path.write_text("#!/nowhere/interpreter\n")
    assert find_client(home.environ) == Client(path, None)


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("2.1.332 (Claude Code)", (2, 1, 332)),
        ("claude v2 build 1.0.3\n", (1, 0, 3)),
        ("2.1", None),
        ("²·³·⁴", None),
    ],
)
def test_version_is_three_numbers_wherever_they_stand(text: str, version: object) -> None:
    assert parse_version(text) == version


def installation(folder: Path) -> Path:
    """Make an interpreter and a console script side by side; return the interpreter."""
    folder.mkdir()
    (folder / "flightdeck").write_text("")
    (folder / "flightdeck").chmod(0o755)
    return folder / "python"


def test_executable_is_the_one_beside_the_interpreter_links_and_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interpreter = installation(tmp_path / "real")
    (tmp_path / "venv").symlink_to("real")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "venv" / interpreter.name))
    site = find_site(tmp_path / "fleet")
    assert site.executable == tmp_path / "venv" / "flightdeck"
    assert site.root == tmp_path / "fleet"


def test_executable_that_was_started_is_the_second_choice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installation(tmp_path / "bin")
    installation(tmp_path / "other")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path / "other"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["bin/flightdeck", "apply"])
    assert find_site(tmp_path).executable == tmp_path / "bin" / "flightdeck"


def test_executable_on_path_is_the_last_choice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installation(tmp_path / "bin")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert find_site(tmp_path).executable == tmp_path / "bin" / "flightdeck"


def test_installation_without_an_executable_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FlightdeckError, match="no 'flightdeck' executable"):
        find_site(tmp_path)


def test_programs_of_a_hook_are_absolute_paths() -> None:
    site = find_site(Path("relative"))
    assert all(Path(program).is_absolute() for program in (site.head, site.rm, site.root))


def test_machine_without_the_programs_of_a_hook_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "_SYSTEM_BIN", (str(tmp_path),))
    monkeypatch.setattr(sys, "executable", str(installation(tmp_path / "bin")))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FlightdeckError, match="no 'head' on this machine"):
        find_site(tmp_path)


def test_program_outside_the_system_folders_is_taken_from_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "_SYSTEM_BIN", (str(tmp_path),))
    assert find_site(tmp_path).head == shutil.which("head")
