"""`apply` as a person types it: it shows, asks, writes, says what is now true."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from flightdeck import cli
from flightdeck.install import target
from tests.install.documents import a_file, a_group, hooks_of
from tests.install.home import Home

if TYPE_CHECKING:
    from pathlib import Path

BEFORE = a_file({"Stop": [a_group("/opt/other/bell.sh")]}, env={"A": "1"})


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """The home everything below runs in: a client installed, no settings yet."""
    home = Home(tmp_path / "home")
    home.install_client()
    for name in ("FLEET_HOME", "CLAUDE_CONFIG_DIR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in home.environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    beside = home.path / "venv"
    beside.mkdir()
    (beside / "flightdeck").write_text("")
    (beside / "flightdeck").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(beside / "python"))
    return home


class Terminal(io.StringIO):
    """Somebody at the keyboard, or a screen."""

    def isatty(self) -> bool:
        return True


def apply(*words: str) -> int:
    return cli.main(["apply", *words])


def out(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def test_last_line_says_what_is_now_true(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    assert apply("--yes") == 0
    assert out(capsys).splitlines()[-1] == f"hooks for 17 events are in {home.file}"


def test_every_event_gains_one_group_behind_those_of_others(home: Home) -> None:
    home.write(BEFORE)
    apply("--yes")
    hooks = hooks_of(home.text())
    assert {event: len(groups) for event, groups in hooks.items()} == {
        **dict.fromkeys(hooks, 1),
        "Stop": 2,
    }
    assert hooks["Stop"][0] == a_group("/opt/other/bell.sh")


def test_hooks_name_the_executable_of_this_installation(home: Home) -> None:
    apply("--yes")
    assert f"test -x {home.path}/venv/flightdeck " in home.text()


def test_state_folder_stands_afterwards(home: Home) -> None:
    apply("--yes")
    assert home.state.inbox.is_dir()
    assert home.state.blocked.is_dir()


def test_second_apply_says_that_nothing_changes(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    apply("--yes")
    capsys.readouterr()
    assert apply() == 0
    assert out(capsys) == f"hooks in {home.file} are current, nothing to change\n"


def test_state_folder_that_was_lost_is_made_again(home: Home) -> None:
    apply("--yes")
    shutil.rmtree(home.state.root)
    assert apply() == 0
    assert home.state.inbox.is_dir()


def test_plan_exits_one_and_names_the_file_when_something_would_change(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    home.write(BEFORE)
    tree = home.tree()
    assert apply("--plan") == 1
    shown = capsys.readouterr()
    assert shown.out.startswith(f"--- {home.file}\n+++ {home.file}\n")
    assert shown.err.splitlines()[-1] == f"`flightdeck apply` would change {home.file}"
    assert home.text() == BEFORE
    assert home.tree() == tree


def test_plan_exits_zero_when_nothing_would_change(home: Home) -> None:
    apply("--yes")
    assert apply("--plan") == 0


def test_remove_leaves_the_file_as_it_was(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    home.write(BEFORE)
    apply("--yes")
    assert apply("--remove", "--yes") == 0
    assert home.text() == BEFORE
    assert out(capsys).splitlines()[-1] == f"no hooks of flightdeck are left in {home.file}"


def test_remove_plan_shows_and_keeps_the_hooks(home: Home) -> None:
    apply("--yes")
    installed = home.text()
    assert apply("--remove", "--plan") == 1
    assert home.text() == installed


def test_remove_where_nothing_is_says_so_and_makes_nothing(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    assert apply("--remove") == 0
    assert out(capsys) == f"no hooks of flightdeck are in {home.file}, nothing to change\n"
    assert not home.state.root.exists()
    assert not home.config.exists()


def test_remove_also_cleans_folders_installed_into_earlier(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    alt = home.path / "alt dir"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(alt))
    apply("--yes")
    assert not home.config.exists()
    assert (alt / "settings.json").exists()
    monkeypatch.delenv("CLAUDE_CONFIG_DIR")
    assert apply("--remove", "--yes") == 0
    assert not alt.exists()


def test_remove_is_not_kept_from_one_file_by_a_fault_in_another(
    home: Home, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    apply("--yes")
    alt = home.path / "alt"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(alt))
    apply("--yes")
    (alt / "settings.json").write_text("{ // mine\n}")
    assert apply("--remove", "--yes") == 1
    assert f"warning: {alt}/settings.json:1:3: not strict JSON" in capsys.readouterr().err
    assert not home.file.exists()
    assert (alt / "settings.json").read_text() == "{ // mine\n}"


def test_blank_configuration_folder_means_the_usual_one(
    home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "  ")
    assert apply("--yes") == 0
    assert home.file.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


def test_without_a_terminal_nothing_is_written_unasked(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    assert apply() == 2
    assert "--yes" in capsys.readouterr().err
    assert not home.file.exists()


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("YES\n", 0), ("n\n", 1), ("", 1)])
def test_on_a_terminal_the_answer_decides(
    home: Home,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    code: int,
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    assert apply() == code
    assert f"write this to {home.file}? [y/N]" in out(capsys).splitlines()
    assert home.file.exists() is (code == 0)


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_diff_is_coloured_on_a_terminal_that_does_not_refuse_it(
    home: Home, monkeypatch: pytest.MonkeyPatch, no_color: str, coloured: bool
) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    apply("--plan")
    assert str(home.file) in screen.getvalue()
    assert ("\x1b[32m+" in screen.getvalue()) is coloured


def test_json_of_a_plan_is_one_object_with_pinned_keys(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    assert apply("--plan", "--json") == 1
    found = json.loads(out(capsys))
    assert set(found) == {"schema", "applied", "changes", "commands", "warnings"}
    assert (found["schema"], found["applied"]) == ("flightdeck.apply/1", False)
    (change,) = found["changes"]
    assert set(change) == {"agent", "file", "action", "diff"}
    assert (change["agent"], change["file"]) == ("claude-code", str(home.file))


def test_json_names_what_happens_to_the_file(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    actions = []
    for words in (["--yes"], ["--yes"], ["--remove", "--yes"]):
        assert apply("--json", *words) == 0
        actions.append([change["action"] for change in json.loads(out(capsys))["changes"]])
    home.write(BEFORE)
    apply("--json", "--yes")
    actions.append([change["action"] for change in json.loads(out(capsys))["changes"]])
    assert actions == [["create"], [], ["delete"], ["change"]]


def test_json_without_yes_asks_nobody(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("y\n"))
    assert apply("--json") == 2
    assert not home.file.exists()


def test_broken_file_is_named_with_its_line_and_left_alone(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = '{\n  // keep me\n  "model": "x",\n  "hooks": {}\n}\n'
    home.write(broken)
    tree = home.tree()
    assert apply("--yes") == 1
    assert f"{home.file}:2:3: not strict JSON" in capsys.readouterr().err
    assert home.text() == broken
    assert home.tree() == tree


def test_malformed_group_of_a_stranger_is_a_warning(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = a_group("/opt/other/a.sh", matcher={"any": True})
    home.write(a_file({"PreToolUse": [odd]}))
    assert apply("--yes") == 0
    assert "hooks.PreToolUse[0].matcher is an object" in capsys.readouterr().err
    assert hooks_of(home.text())["PreToolUse"][0] == odd


def test_client_too_old_for_an_event_is_not_asked_for_it_until_it_is_new(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    home.write('{"env": {"A": "1"}}')
    home.install_client("2.0.42 (Claude Code)")
    assert apply("--yes") == 0
    assert "row 3 need 2.0.45 or later" in capsys.readouterr().err
    assert "PermissionRequest" not in hooks_of(home.text())
    home.install_client("2.1.120 (Claude Code)")
    assert apply("--yes") == 0
    assert "PermissionRequest" in hooks_of(home.text())


def test_client_of_unknown_version_is_said_to_be_taken_for_the_newest(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    home.install_client("who knows")
    assert apply("--yes") == 0
    assert "the version of claude is unknown" in capsys.readouterr().err


def test_machine_without_an_agent_gets_no_folder(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    (home.path / "bin" / "claude").unlink()
    assert apply("--yes") == 1
    assert "no agent flightdeck knows" in capsys.readouterr().err
    assert not home.config.exists()


def test_agent_that_is_named_is_installed_for_before_it_is_there(home: Home) -> None:
    (home.path / "bin" / "claude").unlink()
    assert apply("--yes", "--agent", "claude-code") == 0
    assert home.file.exists()


@pytest.mark.usefixtures("home")
def test_agent_nobody_knows_is_wrong_usage() -> None:
    assert apply("--agent", "clippy") == 2


def test_empty_file_is_taken_for_empty_when_it_stays_so(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(target, "_SETTLES_IN_S", 0.1)
    home.write("")
    assert apply("--yes") == 0
    assert len(hooks_of(home.text())) == 17


def test_state_folder_named_relatively_is_absolute_in_the_hooks(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home.path)
    monkeypatch.setenv("FLEET_HOME", "my fleet")
    apply("--yes")
    assert os.path.join(os.getcwd(), "my fleet", "inbox") in home.text()  # noqa: PTH109, PTH118


def test_state_folder_that_cannot_be_written_is_told_and_nothing_is_installed(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    (home.state.compiled / "panel.json").mkdir(parents=True)
    assert apply("--yes") == 1
    assert f"cannot use the state folder '{home.state.root}'" in capsys.readouterr().err
    assert not home.config.exists()
