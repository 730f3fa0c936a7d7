"""What a job is given to live on: where programs are, whose folders; nothing of the shell's."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import FlightdeckError
from flightdeck.install.surroundings import service_site

if TYPE_CHECKING:
    from pathlib import Path

    from tests.install.home import Home

SYSTEM = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"


@pytest.fixture(autouse=True)
def command(home: Home, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = home.install_client(place="venv/flightdeck")
    monkeypatch.setattr(sys, "executable", str(path.parent / "python"))
    return path


def environment(home: Home, **environ: str) -> dict[str, str]:
    return dict(service_site({"PATH": SYSTEM, **environ}, home.state).environment)


def test_command_is_that_of_this_installation(home: Home, command: Path) -> None:
    site = service_site({}, home.state)
    assert (site.executable, site.root) == (command, home.state.root)


def test_shell_leaves_nothing_but_the_usual_path(home: Home) -> None:
    assert environment(home, EDITOR="vi", ANTHROPIC_API_KEY="sk-ant") == {"PATH": SYSTEM}


def test_folder_of_a_program_the_panel_starts_comes_first(home: Home) -> None:
    tmux = home.install_client(place="nix/tmux").parent
    assert environment(home, PATH=f"/opt/other:{tmux}") == {"PATH": f"{tmux}:{SYSTEM}"}


def test_folders_a_person_moved_are_carried_whole(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home.path)
    found = environment(home, FLEET_HOME="my fleet", CLAUDE_CONFIG_DIR="/cfg")
    assert found["FLEET_HOME"] == os.path.join(os.getcwd(), "my fleet")  # noqa: PTH109, PTH118
    assert found["CLAUDE_CONFIG_DIR"] == "/cfg"


def test_blank_folder_is_none(home: Home) -> None:
    assert environment(home, FLEET_HOME=" ", CLAUDE_CONFIG_DIR="") == {"PATH": SYSTEM}


def test_program_a_person_named_is_carried(home: Home) -> None:
    found = environment(home, FLIGHTDECK_TMUX="/odd/tmux", FLIGHTDECK_TESTS_WITHOUT="x")
    assert found == {"PATH": SYSTEM, "FLIGHTDECK_TMUX": "/odd/tmux"}


def test_machine_without_our_command_is_told_so(home: Home, command: Path) -> None:
    command.unlink()
    with pytest.raises(FlightdeckError, match="no 'flightdeck' executable"):
        service_site({}, home.state)
