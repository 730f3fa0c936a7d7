"""A panel that runs goes by its files as they are edited, as they are when they are whole."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck import shipped
from flightdeck.install.snippets import Kind
from flightdeck.store import plan as plans
from tests.commands.running import FLIGHTDECK, Running, log_of
from tests.fold.world import until
from tests.own_rule import OWN_RULE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.fold.world import Machine

    Start = Callable[..., Running]

MINE = """device: stream-deck-xl

rows:
  - fill: slot
  - keys:
      1: verb commit
  - keys:
      1: verdict approve
  - keys:
      1: run /bin/one
      7: control halt
      8: control gate
"""
FIRST = (4, 1)
LAST = (4, 8)
MARK = "a file has a problem"


def layout_of(machine: Machine, text: str = MINE) -> Path:
    """Write the user's own layout and return where it lies."""
    path = machine.folder.root / "layouts" / "xl.yaml"
    path.parent.mkdir(exist_ok=True)
    by_rename(path, text)
    return path


def by_rename(path: Path, text: str) -> None:
    """Write as most editors do."""
    beside = path.with_name(f".{path.name}.tmp")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def in_place(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def named(panel: Running, key: tuple[int, int], words: str) -> None:
    """Wait until a key says so."""
    until(lambda: words in panel.names().get(key, ""), f"'{words}' on {key}: {panel.names()[key]}")


def unmarked(panel: Running) -> None:
    until(lambda: MARK not in panel.names()[LAST], "no mark on the last key")


def written(panel: Running) -> int:
    log = panel.frames / "frames.jsonl"
    return log.read_bytes().count(b"\n")


def status(*words: str) -> str:
    done = subprocess.run(
        [*FLIGHTDECK, "status", *words], capture_output=True, text=True, check=True
    )
    return done.stdout


def problem_of(machine: Machine) -> Any:
    return machine.snapshot()["panel"]["problem"] if machine.folder.slots.exists() else None


@pytest.mark.parametrize("edit", [by_rename, in_place])
def test_edited_layout_is_on_its_keys_and_no_other_is_written(
    machine: Machine, start: Start, edit: Callable[[Path, str], None]
) -> None:
    path = layout_of(machine)
    panel = start().begun()
    before = written(panel)
    edit(path, MINE.replace("/bin/one", "/bin/two"))
    named(panel, FIRST, "run two")
    assert written(panel) == before + 1


def test_users_first_own_layout_takes_the_place_of_the_shipped_one(
    machine: Machine, start: Start
) -> None:
    panel = start().begun()
    layout_of(machine)
    named(panel, FIRST, "run one")


def test_layout_outside_the_state_folder_is_live_behind_a_link_too(
    machine: Machine, start: Start
) -> None:
    real, link = machine.home / "dotfiles" / "mine.yaml", machine.home / "link.yaml"
    real.parent.mkdir()
    real.write_text(MINE, encoding="utf-8")
    link.symlink_to(real)
    panel = start("--layout", str(link)).begun()
    by_rename(real, MINE.replace("/bin/one", "/bin/two"))
    named(panel, FIRST, "run two")


def test_edited_verb_is_what_its_key_sends(machine: Machine, start: Start) -> None:
    layout_of(machine)
    panel = start().begun()
    machine.folder.verbs.mkdir()
    text = (shipped.folder("verbs") / "commit.md").read_text(encoding="utf-8")
    by_rename(
        machine.folder.verbs / "commit.md",
        text.replace("label: COMMIT", "label: Ship"),
    )
    named(panel, (2, 1), "Ship")


def test_pin_of_this_machine_takes_its_slot_at_once_and_gives_it_back(
    machine: Machine, start: Start
) -> None:
    panel = start().begun()
    in_place(machine.folder.local, "pins:\n  7: app Obsidian\n")
    named(panel, (1, 8), "open Obsidian")
    until(lambda: plans.read(machine.folder).slots == tuple(range(7)), "the plan of it")
    machine.folder.local.unlink()
    named(panel, (1, 8), "empty")


def test_session_stays_on_its_slot_whatever_is_edited_beside_it(
    machine: Machine, start: Start
) -> None:
    path = layout_of(machine)
    panel, pid = start().begun(), machine.agent()
    body = json.dumps({"session_id": "s"}).encode() + b"\n"
    assert machine.hook(Kind.SPOOL, "UserPromptSubmit", "/bin/sh", body, pid) == 0
    panel.shows(1, "working")
    before = written(panel)
    in_place(
        path, MINE.replace("  - fill: slot", "  - fill: slot\n    keys:\n      8: pin app Mail")
    )
    named(panel, (1, 8), "open Mail")
    assert panel.names()[1, 1].startswith("working")
    assert written(panel) == before + 1


def test_bad_edit_keeps_what_was_there_marks_the_panel_and_is_told(
    machine: Machine, start: Start
) -> None:
    path = layout_of(machine)
    panel = start().begun()
    before = panel.names()
    in_place(path, MINE.replace("verb commit", "verb comit").replace("/bin/one", "/bin/two"))
    named(panel, LAST, MARK)
    assert {**panel.names(), LAST: before[LAST]} == before
    told = f"{path}:6:10: unknown verb 'comit'"
    until(lambda: problem_of(machine) == told, "the problem in the snapshot")
    assert json.loads(status("--json"))["panel"]["problem"] == told
    assert told in status()
    assert log_of(machine.folder.log).count(told) == 1
    in_place(path, MINE.replace("/bin/one", "/bin/two"))
    named(panel, FIRST, "run two")
    unmarked(panel)
    until(lambda: problem_of(machine) is None, "no problem in the snapshot")
    assert "problem" not in status()


@pytest.mark.parametrize("text", ["", "rows:\n", MINE.replace("-xl", "-mini"), "{{{", MINE[:60]])
def test_edit_that_is_no_layout_for_this_deck_is_bad(
    machine: Machine, start: Start, text: str
) -> None:
    path = layout_of(machine)
    panel = start().begun()
    before = panel.names()
    in_place(path, text)
    named(panel, LAST, MARK)
    assert {**panel.names(), LAST: before[LAST]} == before
    in_place(path, MINE)
    unmarked(panel)


def test_layout_that_is_gone_is_bad_until_it_is_there_again(machine: Machine, start: Start) -> None:
    path = layout_of(machine)
    panel = start().begun()
    path.unlink()
    named(panel, LAST, MARK)
    assert panel.names()[FIRST] == "run one"
    in_place(path, MINE)
    unmarked(panel)


def test_file_nobody_can_read_is_bad_until_somebody_can(machine: Machine, start: Start) -> None:
    path = layout_of(machine)
    panel = start().begun()
    path.unlink()
    path.mkdir()  # a mode keeps nobody out who is root
    named(panel, LAST, MARK)
    path.rmdir()
    in_place(path, MINE)
    unmarked(panel)


def test_last_of_fifty_edits_is_what_is_shown(machine: Machine, start: Start) -> None:
    path = layout_of(machine)
    panel = start().begun()
    for number in range(50):
        (in_place if number % 2 else by_rename)(path, MINE.replace("/bin/one", f"/bin/x{number}"))
    named(panel, FIRST, "run x49")
    assert MARK not in panel.names()[LAST]


def test_bad_verb_that_is_on_no_key_is_marked_and_keeps_no_edit_from_being_live(
    machine: Machine, start: Start
) -> None:
    path = layout_of(machine)
    machine.folder.verbs.mkdir()
    (machine.folder.verbs / "mine.md").write_text("no frontmatter\n", encoding="utf-8")
    panel = start().begun()
    named(panel, LAST, MARK)
    in_place(path, MINE.replace("/bin/one", "/bin/two"))
    named(panel, FIRST, "run two")
    (machine.folder.verbs / "mine.md").unlink()
    unmarked(panel)


def test_rule_the_user_writes_judges_the_next_call_and_a_bad_one_leaves_it(
    machine: Machine, start: Start
) -> None:
    panel, pid = start().begun(), machine.agent()
    machine.folder.risk.mkdir()
    mine = machine.folder.risk / "mine.yaml"
    plan = machine.folder.compiled / "panel.json"
    before = plan.stat().st_mtime_ns
    by_rename(mine, OWN_RULE)
    until(lambda: plan.stat().st_mtime_ns != before, "the edit in force")
    compiled = (machine.folder.compiled / "risk.json").read_bytes()
    in_place(mine, OWN_RULE.replace("tier: high", "tier: hihg"))
    named(panel, LAST, MARK)
    assert (machine.folder.compiled / "risk.json").read_bytes() == compiled
    body = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "frob -f"}}
    line = json.dumps(body).encode() + b"\n"
    assert machine.hook(Kind.SPOOL, "PermissionRequest", "/bin/sh", line, pid) == 0
    panel.shows(1, "blocked")
    assert machine.snapshot()["slots"][0]["pending"][0]["tier"] == "high"


def test_state_folder_that_is_made_anew_still_tells_the_problem(
    machine: Machine, start: Start
) -> None:
    path = layout_of(machine)
    panel = start().begun()
    in_place(path, "{{{")
    named(panel, LAST, MARK)
    shutil.rmtree(machine.folder.root)
    until(lambda: panel.listens() and bool(problem_of(machine)), "a problem told again")


def test_layout_another_one_stands_on_is_live_as_well(machine: Machine, start: Start) -> None:
    parent, path = machine.home / "dotfiles" / "base.yaml", machine.folder.root / "mine.yaml"
    parent.parent.mkdir()
    by_rename(parent, MINE)
    by_rename(path, f"extends: {parent}\n\ntimings:\n  armed: 5 s\n")
    text = MINE.replace("\n\nrows", "\n\nrest:\n  colour: '#101010'\n  ink: '#eeeeee'\n\nrows")
    panel = start("--layout", str(path)).begun()
    before = written(panel)
    in_place(parent, text)
    until(lambda: written(panel) > before, "keys in their new colours")
    parent.unlink()
    named(panel, LAST, MARK)
    in_place(parent, text)
    unmarked(panel)
