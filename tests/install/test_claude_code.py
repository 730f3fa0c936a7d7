"""Install and remove on real files: what was there before comes back to the byte."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import FlightdeckError, Refused
from flightdeck.install import claude_code
from flightdeck.install.settings import group_of
from tests.install.documents import OLDER, OURS, WAITING, WANTED, a_file, a_group, hooks_of

if TYPE_CHECKING:
    from tests.install.home import Home

BELL = a_group("/opt/other/bell.sh")


def install(home: Home) -> None:
    claude_code.install(home.target, WANTED, home.records)


def remove(home: Home) -> None:
    claude_code.remove(home.target, home.records)


@pytest.mark.parametrize(
    "before",
    [
        "",
        "{}",
        " { } \n",
        '{"hooks": null, "a": 1}',
        '{"hooks": {}}',
        '{\n  "hooks": {\n    "Stop": [\n    ]\n  }\n}\n',
        a_file({"Stop": [BELL]}, env={"NOTE": "é"}),
        a_file({"Stop": [BELL]}).replace("\n", "\r\n"),
        '{"a":1.50,"hooks" : {"Stop":[ ]}}',
    ],
)
def test_remove_restores_the_file_byte_for_byte(home: Home, before: str) -> None:
    home.write(before)
    install(home)
    assert home.text() != before
    remove(home)
    assert home.text() == before


@pytest.mark.parametrize("before", ["", a_file({"PermissionRequest": [BELL]}, a=1)])
@pytest.mark.parametrize(
    ("event", "newer"), [("PermissionRequest", WAITING), ("Stop", "drain # flightdeck:1:drain")]
)
def test_file_is_restored_after_a_hook_was_replaced_by_one_that_may_print(
    home: Home, before: str, event: str, newer: str
) -> None:
    home.write(before)
    for command in (OURS, newer):
        wanted = {**WANTED, event: command}
        claude_code.install(home.target, wanted, home.records)
        assert hooks_of(home.text())[event][-1] == group_of(command)
    remove(home)
    assert home.text() == before


def test_remove_takes_away_what_install_made(home: Home) -> None:
    install(home)
    remove(home)
    assert not home.config.exists()
    assert not home.records.folder.exists()


def test_folder_somebody_uses_by_now_stays(home: Home) -> None:
    install(home)
    (home.config / "history").write_text("")
    remove(home)
    assert home.tree() == {".claude", ".claude/history", ".fleet"}


def test_folder_that_was_there_stays(home: Home) -> None:
    home.config.mkdir()
    install(home)
    remove(home)
    assert list(home.config.iterdir()) == []


def test_second_install_writes_nothing(home: Home) -> None:
    install(home)
    assert claude_code.install(home.target, WANTED, home.records).is_none
    assert claude_code.plan_install(home.target, WANTED).is_none


def test_later_install_still_remembers_the_first_state(home: Home) -> None:
    before = '{"hooks": null}'
    home.write(before)
    claude_code.install(home.target, {"Stop": "x # flightdeck:1:spool"}, home.records)
    install(home)
    remove(home)
    assert home.text() == before


def test_edit_made_since_survives_removal(home: Home) -> None:
    home.write('{\n  "hooks": {\n    "Stop": []\n  }\n}\n')
    install(home)
    home.write(home.text().replace("{\n", '{\n  "model": "opus",\n', 1))
    remove(home)
    assert home.text() == '{\n  "model": "opus",\n  "hooks": {\n    "Stop": []\n  }\n}\n'


def test_install_after_an_edit_remembers_the_edit(home: Home) -> None:
    home.write("{}")
    install(home)
    home.write(home.text().replace("{\n", '{\n  "model": "opus",\n', 1))
    claude_code.install(home.target, {"Stop": "x # flightdeck:1:spool"}, home.records)
    remove(home)
    assert json.loads(home.text()) == {"model": "opus"}


def test_file_the_client_laid_out_anew_goes_when_nothing_is_left(home: Home) -> None:
    install(home)
    home.write(json.dumps(json.loads(home.text())))
    remove(home)
    assert not home.file.exists()


def test_file_of_ours_that_others_use_by_now_stays(home: Home) -> None:
    install(home)
    home.write(json.dumps({**json.loads(home.text()), "model": "opus"}))
    remove(home)
    assert home.text() == '{"model": "opus"}'


def test_file_the_user_emptied_is_not_deleted(home: Home) -> None:
    install(home)
    home.write("{}")
    remove(home)
    assert home.text() == "{}"


def test_hooks_without_a_record_are_taken_out_all_the_same(home: Home) -> None:
    home.write(a_file({"Stop": [BELL, a_group(OLDER)], "Old": [a_group(OURS)]}))
    remove(home)
    assert hooks_of(home.text()) == {"Stop": [BELL]}


def test_lost_state_folder_costs_layout_at_most(home: Home) -> None:
    home.write(a_file({"Stop": [BELL]}))
    install(home)
    shutil.rmtree(home.state.root)
    remove(home)
    assert home.text() == a_file({"Stop": [BELL]})


def test_remove_where_nothing_is_changes_nothing(home: Home) -> None:
    assert claude_code.plan_remove(home.target, home.records).is_none
    remove(home)
    assert not home.config.exists()


def test_file_deleted_meanwhile_is_not_made_again(home: Home) -> None:
    install(home)
    home.file.unlink()
    remove(home)
    assert not home.config.exists()
    assert home.records.targets() == []


def backups(home: Home) -> list[str]:
    return [path.read_text() for path in sorted((home.records.folder / "backup").iterdir())]


def test_content_of_others_is_backed_up_before_each_write(home: Home) -> None:
    home.write("{}")
    install(home)
    edited = json.dumps({**json.loads(home.text()), "model": "opus"})
    home.write(edited)
    remove(home)
    assert backups(home) == ["{}", edited]


def test_backup_that_says_what_the_file_says_goes_with_the_hooks(home: Home) -> None:
    home.write("{}")
    install(home)
    assert backups(home) == ["{}"]
    remove(home)
    assert not home.records.folder.exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{\n  "a": "\xff"\n}', ":2:9: not UTF-8"),
        (b'\xef\xbb\xbf{"a": 1, }', ":1:8: not strict JSON: a comma after the last item"),
        (b'{\n  // keep me\n  "model": "x"\n}\n', ":2:3: not strict JSON: a comment"),
        (b"[{}]", ":1:1: the top level ($) is an array where an object is expected"),
        (b'{"hooks": []}', ":1:11: hooks is an array where an object is expected"),
        (b'{"hooks": {"Stop": {}}}', ":1:20: hooks.Stop is an object where an array is expected"),
        (b'"text"', ":1:1: the top level ($) is a string where an object is expected"),
    ],
)
def test_file_we_cannot_read_is_left_alone_and_nothing_beside_it(
    home: Home, content: bytes, message: str
) -> None:
    home.config.mkdir()
    home.file.write_bytes(content)
    with pytest.raises(Refused) as caught:
        install(home)
    assert caught.value.message == f"{home.file}{message}"
    assert home.file.read_bytes() == content
    assert home.tree() == {".claude", ".claude/settings.json"}


@pytest.mark.parametrize("before", ["{}", None])
def test_state_that_cannot_be_written_stops_the_install(home: Home, before: str | None) -> None:
    if before is not None:
        home.write(before)
    tree = home.tree()
    home.state.root.write_text("")
    with pytest.raises(FlightdeckError, match="cannot write into"):
        install(home)
    assert home.tree() == tree | {".fleet"}


def unwritable(home: Home) -> None:
    """Let the settings file be a link to where nothing can be made."""
    shutil.rmtree(home.config)
    home.config.mkdir()
    home.file.symlink_to("/proc/nothing/here.json")


def test_failed_first_install_leaves_no_record(home: Home) -> None:
    home.config.mkdir()
    unwritable(home)
    with pytest.raises(FlightdeckError, match="cannot write"):
        install(home)
    assert home.records.load(home.target) is None


def test_failed_later_install_leaves_the_record_of_the_first(home: Home) -> None:
    install(home)
    first = home.records.load(home.target)
    unwritable(home)
    with pytest.raises(FlightdeckError, match="cannot write"):
        claude_code.install(home.target, {"Stop": OURS}, home.records)
    assert home.records.load(home.target) == first


def test_group_of_a_stranger_that_is_malformed_stays_as_it_is(home: Home) -> None:
    odd = a_group("/opt/other/a.sh", matcher={"any": True})
    home.write(a_file({"Stop": [odd]}))
    install(home)
    assert hooks_of(home.text())["Stop"] == [odd, group_of(OURS)]


def test_what_is_known_stays_while_a_hook_of_ours_does(home: Home) -> None:
    install(home)
    claude_code.settle(home.target, home.records)
    assert home.records.load(home.target) is not None
    remove(home)
    assert not home.config.exists()
