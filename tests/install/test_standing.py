"""What a command of ours names is read out of it, and what is not there is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from flightdeck.install.snippets import Kind, Site, render_hook
from flightdeck.install.standing import Named, missing, named

SITE = Site(Path("/opt/it's here/flightdeck"), Path("/home/me & you/.fleet"))


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.BRAKES])
def test_hook_that_spools_names_its_command_and_its_inbox(kind: Kind) -> None:
    found = named(render_hook(kind, "Stop", SITE))
    assert found == Named(SITE.executable, SITE.root / "inbox")


@pytest.mark.parametrize(
    "command",
    [render_hook(Kind.BRAKES, "PreToolUse", SITE), "", "it's torn", "old # flightdeck:0:spool"],
)
def test_other_commands_name_nothing(command: str) -> None:
    assert named(command) is None


def test_command_that_is_not_there_is_what_is_missing(tmp_path: Path) -> None:
    command = tmp_path / "flightdeck"
    assert missing(command) == command
    command.write_text("#!/bin/sh\n")
    assert missing(command) == command
    command.chmod(0o755)
    assert missing(command) is None


def test_interpreter_that_is_gone_is_what_is_missing(tmp_path: Path) -> None:
    command = tmp_path / "flightdeck"
    command.write_text("#!/gone/bin/python -I\n")
    command.chmod(0o755)
    assert missing(command) == Path("/gone/bin/python")


@pytest.mark.parametrize("content", [b"\x7fELF\0", b"", b"#!\n"])
def test_program_without_an_interpreter_lacks_none(tmp_path: Path, content: bytes) -> None:
    command = tmp_path / "flightdeck"
    command.write_bytes(content)
    command.chmod(0o755)
    assert missing(command) is None
