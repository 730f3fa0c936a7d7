"""`apply` with hook templates of the user's own: tried first, named in the plan."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import pytest

from flightdeck import cli, shipped
from tests.install.home import Home

if TYPE_CHECKING:
    from pathlib import Path

SPOOL = "spool.sh.j2"


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
    (home.path / "flightdeck").write_text("")
    (home.path / "flightdeck").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(home.path / "python"))
    return home


def own(home: Home, name: str, old: str, new: str) -> Path:
    """Put a template of the user's own in place: the shipped one, edited."""
    text = (shipped.folder("templates") / "hooks" / name).read_text(encoding="utf-8")
    assert old in text
    path = home.path / ".fleet" / "templates" / "hooks" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


def apply(*words: str) -> int:
    return cli.main(["apply", "--no-services", *words])


def test_hook_that_breaks_a_promise_is_told_and_nothing_is_written(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    path = own(home, SPOOL, "umask 077;", "umask 022;")
    assert apply("--yes") == 1
    told = capsys.readouterr().err
    assert f"{path}: the SessionStart hook spools a file others may read (under " in told
    assert "hint: templates/hooks/README.md" in told
    assert not home.file.exists()


def test_template_with_a_problem_is_told_at_its_line(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    path = own(home, "guard.sh.j2", "{{ blocked }}", "{{ bloked }}")
    assert apply("--plan") == 1
    told = capsys.readouterr().err
    assert f"{path}:4:15: 'bloked' is undefined" in told
    assert "did you mean 'blocked'?" in told


def test_hooks_that_are_already_there_can_be_taken_out_all_the_same(home: Home) -> None:
    assert apply("--yes") == 0
    own(home, SPOOL, "umask 077;", "umask 022;")
    assert apply("--remove", "--yes") == 0
    assert not home.file.exists()


def test_plan_says_which_hooks_come_from_ones_own_templates(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    path = own(home, "guard.sh.j2", "if test -e", "if test -f")
    assert apply("--plan") == 1
    out, err = capsys.readouterr()
    note = f"note: from your own templates in {path.parent}: PostToolUse, PostToolUseFailure"
    assert err.splitlines().count(note) == 1
    assert "if test -f" in out


def test_hooks_of_ones_own_stay_current(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    own(home, "guard.sh.j2", "if test -e", "if test -f")
    assert apply("--yes") == 0
    assert apply("--plan") == 0
    (home.path / ".fleet" / "templates" / "hooks" / "guard.sh.j2").unlink()
    capsys.readouterr()
    assert apply("--plan") == 1
    assert "from your own" not in capsys.readouterr().err


def test_template_that_is_the_shipped_one_is_not_spoken_of(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    own(home, SPOOL, "umask 077;", "umask 077;")
    apply("--plan")
    assert "from your own" not in capsys.readouterr().err
