"""iTerm2 through osascript: what is asked, and what its errors come to mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Gone, Unavailable
from flightdeck.hosts.applescript import SCRIPT, AppleScript
from flightdeck.system.run import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Program = Callable[..., Path]

UUID = "6D5F8A6E-0000-4000-8000-00000000000A"
DENIED = "36:44: execution error: Not authorized to send Apple events to iTerm. (-1743)\n"


def steps() -> list[str]:
    """Return the script's lines without their indentation."""
    return [line.strip() for line in SCRIPT.splitlines()]


def test_script_comes_on_standard_input_and_the_id_as_an_argument(program: Program) -> None:
    log = program("osascript", says="found")
    AppleScript(run).by_id(UUID)
    assert log.read_text(encoding="utf-8") == f"[-][id][{UUID}]\n{SCRIPT}"


def test_session_is_asked_for_by_its_device(program: Program) -> None:
    log = program("osascript", says="found")
    AppleScript(run).by_tty("/dev/ttys003")
    assert log.read_text(encoding="utf-8").startswith("[-][tty][/dev/ttys003]\n")


def test_osascript_may_be_named_outright(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    log = program("another-osascript", says="found")
    monkeypatch.setenv("FLIGHTDECK_OSASCRIPT", str(log.parent / "bin" / "another-osascript"))
    AppleScript(run).by_id(UUID)
    assert log.exists()


def test_script_looks_through_every_window_tab_and_session() -> None:
    loops = [step for step in steps() if step.startswith("repeat with")]
    assert loops == [
        "repeat with aWindow in (get windows)",
        "repeat with aTab in (get tabs of aWindow)",
        "repeat with aSession in (get sessions of aTab)",
    ]


def test_script_unminimises_then_selects_session_tab_and_window_and_activates_last() -> None:
    shown = steps()[steps().index("if found then") + 1 :]
    shown = shown[: shown.index('return "found"')]
    assert shown == [
        "if miniaturized of aWindow then set miniaturized of aWindow to false",
        "select aSession",
        "select aTab",
        "select aWindow",
        "activate",
    ]


@pytest.mark.parametrize(
    ("deed", "done"),
    [
        ("write", ["tell aSession to write text typed newline NO", 'return "found"']),
        ("device", ['return "found" & linefeed & (tty of aSession)']),
        (
            "screen",
            ["tell aSession to set shown to contents", 'return "found" & linefeed & shown'],
        ),
    ],
)
def test_script_does_one_thing_to_the_session_alone_and_shows_nothing(
    deed: str, done: list[str]
) -> None:
    first = steps().index(f'if found and deed is "{deed}" then') + 1
    assert steps()[first : first + len(done) + 1] == [*done, "end if"]


def test_esc_is_an_argument_and_never_script(program: Program) -> None:
    log = program("osascript", says="found\n")
    AppleScript(run).interrupt(UUID)
    assert log.read_text(encoding="utf-8") == f"[-][write][{UUID}][\x1b]\n{SCRIPT}"


def test_session_tells_its_device(program: Program) -> None:
    program("osascript", says="found\n/dev/ttys003\n")
    assert AppleScript(run).device(UUID) == "/dev/ttys003"


def test_session_tells_what_it_shows(program: Program) -> None:
    program("osascript", says="found\n  one\n\ngone\n")
    assert AppleScript(run).screen(UUID) == "  one\n\ngone\n"


@pytest.mark.parametrize(
    "ask",
    [
        lambda script: script.interrupt(UUID),
        lambda script: script.device(UUID),
        lambda script: script.screen(UUID),
    ],
)
def test_session_that_is_gone_is_not_typed_into_nor_asked(
    program: Program, ask: Callable[[AppleScript], object]
) -> None:
    program("osascript", says="gone\n")
    with pytest.raises(Gone, match=r"^window is gone$"):
        ask(AppleScript(run))


def test_script_sets_no_window_frontmost() -> None:
    assert "frontmost" not in SCRIPT


def test_script_never_starts_iterm2() -> None:
    asked = steps().index('if application id "com.googlecode.iterm2" is not running then')
    told = steps().index('tell application id "com.googlecode.iterm2"')
    assert asked < told


def test_session_no_window_holds_is_gone(program: Program) -> None:
    program("osascript", says="gone\n")
    with pytest.raises(Unavailable, match=r"^window is gone$"):
        AppleScript(run).by_id(UUID)


def test_missing_permission_names_the_settings_pane(program: Program) -> None:
    program("osascript", complains=DENIED, code=1)
    with pytest.raises(Unavailable, match="automation permission for iTerm2 is missing") as no:
        AppleScript(run).by_id(UUID)
    assert no.value.hint.startswith("System Settings > Privacy & Security > Automation")


@pytest.mark.parametrize(
    ("complaint", "told"),
    [
        ("0:1: execution error: iTerm2 is not running (-600)", "^iTerm2 is not running$"),
        ("9:9: execution error: No such session. (-1728)", "^window is gone$"),
        ("9:9: execution error: AppleEvent timed out. (-1712)", "^iTerm2 gives no answer$"),
        ("9:9: syntax error: Odd. (-2741)", r"^osascript failed: 9:9: syntax error: Odd. \(-2741"),
        ("it broke", "^osascript failed: it broke$"),
        ("", "^osascript failed$"),
    ],
)
def test_each_error_has_a_message_of_its_own(program: Program, complaint: str, told: str) -> None:
    program("osascript", complains=complaint, code=1)
    with pytest.raises(Unavailable, match=told):
        AppleScript(run).by_tty("/dev/ttys003")


def test_probe_is_content_when_iterm2_answers(program: Program) -> None:
    log = program("osascript", says="gone")
    AppleScript(run).probe()
    assert log.exists()


def test_probe_tells_that_the_permission_is_missing(program: Program) -> None:
    program("osascript", complains=DENIED, code=1)
    with pytest.raises(Unavailable, match="permission"):
        AppleScript(run).probe()
