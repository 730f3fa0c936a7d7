"""`flightdeck status --watch` in a real terminal: what it shows, and how it leaves it."""

from __future__ import annotations

import re
import shlex
import shutil
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from flightdeck.cli import main
from flightdeck.commands.board.stood import STOOD_S
from flightdeck.store import queue
from tests.commands.board.terminal import BOARD, Terminal
from tests.commands.hooked import Agent, printed
from tests.commands.running import FLIGHTDECK
from tests.fold.world import DEADLINE_S, until
from tests.own_rule import OWN_RULE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.commands.running import Running
    from tests.fold.world import Machine

    Open = Callable[..., Terminal]
    Start = Callable[..., Running]


CRASH = """
from flightdeck.cli import main
from flightdeck.commands.board import loop

loop.draw = lambda *_, **__: 1 / 0
raise SystemExit(main(["status", "--watch"]))
"""


@pytest.fixture
def sit() -> Iterator[Open]:
    """Sit down at a terminal with the board on it."""
    terminals: list[Terminal] = []

    def one(*argv: str, columns: int = 110, **env: str) -> Terminal:
        terminals.append(Terminal(columns, 24, *argv, **env))
        return terminals[-1]

    yield one
    for terminal in terminals:
        terminal.close()


@pytest.fixture
def agent(machine: Machine, start: Start) -> Iterator[Agent]:
    """An agent whose requests a running panel holds."""
    machine.folder.risk.mkdir(parents=True)
    (machine.folder.risk / "mine.yaml").write_text(OWN_RULE, encoding="utf-8")
    panel = start().begun()
    until(panel.listens, "a panel that listens")
    agent = Agent(machine, panel, machine.agent())
    yield agent
    agent.leave()


def test_fleet_is_shown_and_every_change_of_it(machine: Machine, sit: Open) -> None:
    terminal = sit()
    terminal.shows("no panel is running: nothing can be answered here")
    machine.starts(machine.agent(), "s", cwd="/R/webshop", session_title="Refunds")
    terminal.shows("idle")
    terminal.shows("webshop Refunds")


def test_state_has_its_colour(machine: Machine, sit: Open) -> None:
    machine.says(machine.agent(), "UserPromptSubmit", session_id="s")
    terminal = sit()
    terminal.shows("working")
    assert "1256a3" in terminal.colours(1)


def test_no_color_is_obeyed(machine: Machine, sit: Open) -> None:
    machine.says(machine.agent(), "UserPromptSubmit", session_id="s")
    terminal = sit(NO_COLOR="1")
    terminal.shows("\u25b6 working")
    assert {colour for line in range(24) for colour in terminal.colours(line)} == {"default"}


def test_colours_are_those_the_terminal_has(machine: Machine, sit: Open) -> None:
    machine.says(machine.agent(), "UserPromptSubmit", session_id="s")
    terminal = sit(COLORTERM="")
    terminal.shows("working")
    assert b";48;5;" in terminal.raw
    assert b"48;2;" not in terminal.raw


def test_title_never_reaches_the_terminal_raw(machine: Machine, sit: Open) -> None:
    title = "a\x1b]0;owned\x07b\x9b31mc\rd"
    machine.starts(machine.agent(), "s", cwd="/R/webshop", session_title=title)
    terminal = sit()
    terminal.shows("webshop a\ufffd]0;owned\ufffdb")
    assert b"\x1b]" not in terminal.raw
    assert b"\x07" not in terminal.raw


def test_window_of_another_size_is_filled_anew(machine: Machine, sit: Open) -> None:
    machine.starts(machine.agent(), "s", cwd="/R/webshop", session_title="word " * 16 + "end")
    terminal = sit(columns=60)
    terminal.shows("webshop")
    assert "end" not in terminal.lines()[1]
    terminal.resize(160, 24)
    terminal.until(lambda: "word end" in terminal.lines()[1], "all of the title")


def test_end_of_a_line_that_is_cut_is_seen(machine: Machine, sit: Open) -> None:
    machine.starts(machine.agent(), "s", cwd="/R/webshop", session_title="word " * 30)
    terminal = sit(columns=60)
    terminal.shows("webshop")
    assert terminal.lines()[1].endswith("\u2026")


def test_quitting_leaves_the_terminal_as_it_was(machine: Machine, sit: Open) -> None:
    terminal = sit()
    terminal.shows("no panel is running")
    terminal.types("q")
    assert (terminal.ends(), terminal.is_as_before()) == (0, True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_leaves_the_terminal_as_it_was(machine: Machine, sit: Open, number: int) -> None:
    terminal = sit()
    terminal.shows("no panel is running")
    terminal.process.send_signal(number)
    assert (terminal.ends(), terminal.is_as_before()) == (130, True)


def test_crash_leaves_the_terminal_as_it_was(machine: Machine, sit: Open) -> None:
    terminal = sit(sys.executable, "-c", CRASH)
    assert (terminal.ends(), terminal.is_as_before()) == (3, True)
    assert b"unexpected ZeroDivisionError" in terminal.raw


def test_trouble_with_the_state_folder_is_told_and_the_board_stays(
    machine: Machine, sit: Open
) -> None:
    terminal = sit()
    terminal.shows("no panel is running")
    machine.folder.lock.unlink()
    machine.folder.lock.mkdir()
    terminal.shows("cannot use the state folder")
    machine.folder.lock.rmdir()
    machine.starts(machine.agent(), "s", cwd="/R/webshop")
    terminal.shows("webshop")
    assert "cannot use" not in _told(terminal)


def test_lost_connection_ends_it_quietly(machine: Machine, sit: Open) -> None:
    terminal = sit()
    terminal.shows("no panel is running")
    terminal.hangs_up()
    assert terminal.process.wait(DEADLINE_S) in {0, 130}
    assert not (machine.folder.log / "crash.log").exists()


def test_panel_that_starts_and_is_killed_meanwhile_is_noticed(
    machine: Machine, sit: Open, start: Start
) -> None:
    terminal = sit()
    terminal.shows("no panel is running")
    panel = start()
    terminal.shows("panel on the recorder deck")
    machine.starts(machine.agent(), "s", cwd="/R/webshop")
    terminal.shows("webshop")
    panel.process.kill()
    terminal.shows("no panel is running")
    machine.starts(machine.agent(), "t", cwd="/R/api")
    terminal.shows("api")


def test_state_folder_that_is_removed_is_made_anew(machine: Machine, sit: Open) -> None:
    machine.starts(machine.agent(), "s", cwd="/R/webshop")
    terminal = sit()
    terminal.shows("webshop")
    shutil.rmtree(machine.folder.root)
    terminal.until(lambda: "webshop" not in _told(terminal), "an empty fleet")
    machine.folder.create()
    machine.starts(machine.agent(), "t", cwd="/R/api")
    terminal.shows("api")
    terminal.types("q")
    assert (terminal.ends(), terminal.is_as_before()) == (0, True)


def test_stopped_board_gives_the_terminal_back_and_takes_it_again(
    machine: Machine, sit: Open
) -> None:
    shell = f"{shlex.join(BOARD)}; echo it stopped; read line; fg"
    terminal = sit("/bin/bash", "-mc", shell)
    terminal.shows("no panel is running")
    terminal.types("\x1a")
    terminal.shows("it stopped")
    assert terminal.is_as_before()
    machine.starts(machine.agent(), "s", cwd="/R/webshop")
    terminal.types("\n")
    terminal.shows("webshop")
    terminal.types("q")
    assert (terminal.ends(), terminal.is_as_before()) == (0, True)


def test_without_a_panel_a_verdict_is_refused(machine: Machine, sit: Open) -> None:
    machine.says(machine.agent(), "PermissionRequest", tool_name="Bash", tool_input={})
    terminal = sit()
    terminal.shows("in terminal")
    _press(terminal, "a", "no panel is running, so nobody can answer")


def test_session_is_selected_without_a_panel_too(machine: Machine, sit: Open) -> None:
    machine.starts(machine.agent(), "a", cwd="/R/webshop")
    machine.starts(machine.agent(), "b", cwd="/R/api")
    terminal = sit()
    terminal.shows("api")
    terminal.types("j")
    _press(terminal, "s", "slot 1 is selected")
    terminal.until(lambda: terminal.lines()[2].endswith("selected"), "the mark")


def test_verb_is_chosen_by_name_and_sent_to_the_session_of_the_row(
    agent: Agent, machine: Machine, sit: Open
) -> None:
    other = machine.agent()
    machine.starts(other, "other", cwd="/R/api")
    machine.says(other, "UserPromptSubmit", session_id="other", prompt="x")
    machine.starts(agent.pid, f"s{agent.pid}", cwd="/R/webshop")
    machine.says(agent.pid, "UserPromptSubmit", session_id=f"s{agent.pid}", prompt="x")
    terminal = sit()
    terminal.until(lambda: _told(terminal).count("working") == 2, "both")
    at = next(line for line in terminal.lines() if "webshop" in line).split()
    terminal.types(at[1] if at[0] == ">" else at[0])
    _press(terminal, "v", "send which verb to slot")
    terminal.types("pus")
    terminal.shows("> push")
    _press(terminal, "\r", "y does it, any other key lets it go: push: armed")
    assert queue.standing(machine.folder) == ()
    _press(terminal, "y", "push: queued")
    [staged] = queue.standing(machine.folder)
    assert (staged.verb, staged.session_id) == ("push", f"s{agent.pid}")
    terminal.until(lambda: "selected, queued: push" in _told(terminal), "the marks")


def test_steer_denies_the_request_of_the_row(agent: Agent, sit: Open) -> None:
    hook = agent.asks_and_is_held()
    terminal = sit()
    terminal.shows("medium Bash")
    _press(terminal, "t", "deny with which steer")
    terminal.types("just")
    terminal.shows("> justify")
    _press(terminal, "\r", "steer justify: sent")
    decision = printed(hook)
    assert decision
    assert decision["behavior"] == "deny"


def test_menu_is_left_by_escape(machine: Machine, sit: Open) -> None:
    machine.starts(machine.agent(), "s", cwd="/R/webshop")
    terminal = sit()
    terminal.shows("webshop")
    _press(terminal, "v", "send which verb")
    _press(terminal, "\x1b", "no panel is running")
    assert "send which verb" not in _told(terminal)


def test_fleet_is_halted_and_only_another_command_lifts_it(machine: Machine, sit: Open) -> None:
    terminal = sit()
    terminal.shows("no panel is running")
    _press(terminal, "H", "HALTED: no new tool call runs; `flightdeck halt --off` lifts it")
    _press(terminal, "H", "HALTED already")
    assert machine.folder.halt.exists()
    assert main(["halt", "--off"]) == 0
    terminal.until(lambda: "`flightdeck halt --off`" not in _told(terminal), "the end of it")


def test_pasted_text_halts_nobody(machine: Machine, sit: Open) -> None:
    terminal = sit()
    terminal.shows("no panel is running")
    terminal.types("\x1b[200~H\x1b[201~")
    _press(terminal, "?", "H halt")
    assert not machine.folder.halt.exists()


def test_terminal_whose_locale_is_c_gets_ascii(machine: Machine, sit: Open) -> None:
    machine.says(
        machine.agent(), "UserPromptSubmit", session_id="s", cwd="/R/webshop", session_title="Über"
    )
    terminal = sit(LC_ALL="C")
    terminal.shows("> working")
    terminal.shows("webshop")
    assert terminal.raw.isascii()


def test_empty_slot_cannot_be_selected_or_brought_forward(machine: Machine, sit: Open) -> None:
    terminal = sit()
    terminal.shows("no panel is running")
    for key in ("s", "f"):
        _press(terminal, key, "slot 0 is empty")


def test_window_nobody_can_bring_forward_is_told(machine: Machine, sit: Open) -> None:
    machine.starts(machine.agent(), "a", cwd="/R/webshop")
    terminal = sit()
    terminal.shows("webshop")
    _press(terminal, "f", "where this session runs is unknown")


def test_request_is_approved_through_the_panel(agent: Agent, sit: Open) -> None:
    hook = agent.asks_and_is_held()
    terminal = sit()
    terminal.shows("medium Bash")
    terminal.shows("panel on the recorder deck")
    _press(terminal, "a", "approve: sent")
    assert printed(hook) == {"behavior": "allow"}
    terminal.shows("working")


def test_dangerous_call_is_armed_and_y_confirms_it(agent: Agent, sit: Open) -> None:
    hook = agent.asks_and_is_held(tool_input={"command": "frob -f"})
    terminal = sit()
    terminal.shows("high Bash")
    _press(terminal, "a", "y does it, any other key lets it go: approve: armed")
    _press(terminal, "y", "approve: sent")
    assert printed(hook) == {"behavior": "allow"}


def test_key_typed_at_a_request_that_has_gone_does_not_answer_the_next(
    agent: Agent, sit: Open, capsys: pytest.CaptureFixture[str]
) -> None:
    hook = agent.asks_and_is_held()
    terminal = sit()
    terminal.shows("medium Bash")
    terminal.process.send_signal(signal.SIGSTOP)
    assert main(["verdict", "approve"]) == 0
    printed(hook)
    until(lambda: not agent.pending(), "that nothing waits")
    other = agent.asks_and_is_held(tool_input={"command": "make all"})
    terminal.types("a")
    terminal.process.send_signal(signal.SIGCONT)
    terminal.until(lambda: re.search("no such request|too soon", _told(terminal)), "a refusal")
    assert other.poll() is None


def test_without_a_terminal_it_prints_the_fleet_at_every_change(machine: Machine) -> None:
    argv = [*FLIGHTDECK, "status", "--watch"]
    with subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as watching:
        assert watching.stdout
        assert watching.stdout.readline() == b"0  empty\n"
        watching.send_signal(signal.SIGINT)
        assert watching.wait(DEADLINE_S) == 130


def test_terminal_that_cannot_place_anything_gets_plain_lines(machine: Machine, sit: Open) -> None:
    terminal = sit(TERM="dumb")
    terminal.shows("no panel is running")
    assert b"\x1b" not in terminal.raw


def test_state_folder_that_cannot_be_used_is_told_on_the_first_screen(
    machine: Machine, sit: Open
) -> None:
    (machine.home / "file").touch()
    terminal = sit(FLEET_HOME=str(machine.home / "file" / "fleet"))
    terminal.shows("cannot use the state folder")
    assert terminal.ends() == 1
    assert b"\x1b" not in terminal.raw


def _press(terminal: Terminal, key: str, told: str) -> None:
    """Press a key once what is shown has been looked at for as long as a key needs."""
    terminal.read(2 * STOOD_S)
    terminal.types(key)
    terminal.until(lambda: told in _told(terminal), told)


def _told(terminal: Terminal) -> str:
    return " ".join(" ".join(terminal.lines()).split())
