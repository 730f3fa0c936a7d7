"""`flightdeck completion`: what real shells complete with what it prints."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from flightdeck.cli import main
from flightdeck.commands import tree
from flightdeck.store import selection
from tests.commands.board.terminal import Terminal
from tests.commands.running import FLIGHTDECK
from tests.requirements import require

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.fold.world import Machine

    Complete = Callable[..., set[str]]

_BASH = """
source {script}
COMP_WORDS=({words} {last})
COMP_CWORD={at}
COMP_LINE={line}
COMP_POINT=${{#COMP_LINE}}
_shtab_flightdeck flightdeck {last} ''
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture
def there(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a `flightdeck` on PATH, as it is where somebody has installed it."""
    program = home / "bin" / "flightdeck"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.join(FLIGHTDECK)} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    return home


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.fixture
def bash(there: Path, capsys: pytest.CaptureFixture[str]) -> Complete:
    """Complete a line as bash does."""
    (there / "c.bash").write_text(script("bash", capsys), encoding="utf-8")

    def complete(*words: str) -> set[str]:
        *before, last = words
        text = _BASH.format(
            script=shlex.quote(str(there / "c.bash")),
            words=shlex.join(["flightdeck", *before]),
            last=shlex.quote(last),
            at=len(words),
            line=shlex.quote(" ".join(["flightdeck", *words])),
        )
        done = subprocess.run(
            ["bash", "--norc", "-c", text], capture_output=True, text=True, check=True, cwd=there
        )
        return set(done.stdout.split())

    return complete


def test_every_command_is_completed(bash: Complete) -> None:
    assert bash("") >= set(tree.COMMANDS)
    assert bash("tea") == {"teardown"}


@pytest.mark.parametrize(
    ("words", "offers"),
    [
        (("status", "--w"), {"--watch"}),
        (("validate", "--format", ""), {"text", "json", "github"}),
        (("verdict", "in"), {"interrupt"}),
        (("completion", ""), {"bash", "zsh", "fish"}),
        (("verbs", "s"), {"show"}),
    ],
)
def test_words_of_a_command_are_completed(
    bash: Complete, words: tuple[str, ...], offers: set[str]
) -> None:
    assert bash(*words) == offers


def test_names_are_those_there_are_when_tab_is_pressed(bash: Complete, machine: Machine) -> None:
    assert bash("send", "zz") == set()
    machine.folder.verbs.mkdir(exist_ok=True)
    (machine.folder.verbs / "zzz.md").write_text("---\nkind: prompt\n---\nSay.\n", encoding="utf-8")
    (machine.folder.root / "layouts").mkdir()
    (machine.folder.root / "layouts" / "mine.yaml").touch()
    machine.starts(machine.agent(), "s")
    assert main(["status"]) == 0
    assert bash("send", "zz") == {"zzz"}
    assert bash("verbs", "show", "zz") == {"zzz"}
    assert bash("run", "--layout", "m") == {"mine"}
    assert bash("focus", "") >= {"0"}
    assert selection.read(machine.folder) == ""


def test_fish_completes_commands_and_names(there: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fish = require("fish")
    (there / "c.fish").write_text(script("fish", capsys), encoding="utf-8")

    def complete(line: str) -> set[str]:
        text = f"source {there}/c.fish; complete -C {shlex.quote(line)}"
        done = subprocess.run(
            [fish, "--no-config", "-c", text], capture_output=True, text=True, check=True
        )
        return {row.partition("\t")[0] for row in done.stdout.splitlines()}

    assert complete("flightdeck tear") == {"teardown"}
    assert complete("flightdeck send comm") == {"commit"}


def test_zsh_completes_commands_and_names(there: Path, capsys: pytest.CaptureFixture[str]) -> None:
    zsh = require("zsh")
    (there / "_flightdeck").write_text(script("zsh", capsys), encoding="utf-8")
    (there / ".zshrc").write_text(
        f"fpath=({there} $fpath)\nautoload -U compinit\ncompinit -u -D\nPS1='ready> '\n",
        encoding="utf-8",
    )
    terminal = Terminal(80, 24, zsh, "-i", ZDOTDIR=str(there), TERM="xterm")
    try:
        terminal.shows("ready>")
        terminal.types("flightdeck tear\t")
        terminal.shows("flightdeck teardown")
        terminal.types("\x15flightdeck send comm\t")
        terminal.shows("flightdeck send commit")
    finally:
        terminal.close()


def test_shell_has_to_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion"]) == 1
    assert capsys.readouterr().err.startswith("flightdeck: which shell?\n  hint: ")


def test_shell_nobody_knows_is_wrong_usage() -> None:
    assert main(["completion", "csh"]) == 2


def test_names_are_found_without_loading_what_writes_the_script() -> None:
    code = (
        "import sys\nfrom flightdeck.cli import main\n"
        "main(['completion', '--names', 'slots'])\nprint(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"shtab", "strictyaml", "rich"} & set(done.stderr.split()) == set()


def test_names_are_told_one_a_line(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.starts(machine.agent(), "s")
    assert main(["status"]) == 0
    told = {}
    for kind in ("layouts", "slots", "templates", "verbs"):
        capsys.readouterr()
        assert main(["completion", "--names", kind]) == 0
        told[kind] = capsys.readouterr().out.split()
    assert {"row1", "xl"} <= set(told["layouts"])
    assert {"commit", "justify"} <= set(told["verbs"])
    assert {"faces/key.svg.j2", "hooks/spool.sh.j2"} <= set(told["templates"])
    assert told["slots"][0] == "0"
