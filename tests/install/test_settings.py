"""Our hooks go into a settings file beside those of others, and come out of it again."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from flightdeck.errors import Refused
from flightdeck.install.document import read
from flightdeck.install.settings import group_of, merge, strip
from flightdeck.model.layout import LONGEST_DECIDE_S
from tests.install.documents import FILE, OLDER, OURS, WAITING, WANTED, a_file, a_group, hooks_of

# A shared machine must not fail a test by being slow.
UNHURRIED = profile(deadline=None)
BELL = a_group("/opt/other/bell.sh")
REMIND = a_group("/opt/other/remind.sh", matcher="compact")


def test_foreign_groups_stay_first_and_unchanged() -> None:
    text = merge(a_file({"SessionStart": [REMIND], "Stop": [BELL]}), WANTED, FILE)
    assert hooks_of(text) == {
        "SessionStart": [REMIND, group_of(WANTED["SessionStart"])],
        "Stop": [BELL, group_of(OURS)],
    }


def test_foreign_command_in_our_group_survives_removal() -> None:
    chime = {"type": "command", "command": "/opt/other/chime.sh", "timeout": 3}
    ours = {"type": "command", "command": OURS}
    text = strip(a_file({"Stop": [{"hooks": [ours, chime]}]}), FILE)
    assert hooks_of(text) == {"Stop": [{"hooks": [chime]}]}


def test_foreign_command_in_our_group_survives_installation() -> None:
    text = merge(a_file({"Stop": [a_group("/opt/other/x.sh", OURS)]}), {"Stop": OURS}, FILE)
    assert hooks_of(text)["Stop"] == [a_group("/opt/other/x.sh"), group_of(OURS)]


def test_other_settings_keep_value_and_order() -> None:
    more = {
        "env": {"A": "1"},
        "permissions": {"allow": ["Bash(ls:*)"], "deny": ["Read(./.env)"]},
        "x-unknown": {"deep": [1, {"k": None}]},
    }
    before = a_file({}, **more)
    after = json.loads(merge(before, WANTED, FILE))
    assert [(name, after[name]) for name in after if name != "hooks"] == list(more.items())


def test_duplicates_of_ours_become_one() -> None:
    stranger = a_group("/opt/other/x.sh")
    doubled = [a_group(OURS), stranger, a_group(OURS, OLDER), a_group(OURS, matcher="*")]
    text = merge(a_file({"Stop": doubled}), {"Stop": OURS}, FILE)
    assert hooks_of(text) == {"Stop": [stranger, group_of(OURS)]}


def test_right_entry_stays_where_it_stands_and_its_double_goes() -> None:
    groups = [group_of(OURS), BELL, group_of(OURS)]
    text = merge(a_file({"Stop": groups}), {"Stop": OURS}, FILE)
    assert hooks_of(text) == {"Stop": [group_of(OURS), BELL]}


def test_entry_of_an_older_version_is_replaced() -> None:
    text = merge(a_file({"Stop": [a_group(OLDER)]}), {"Stop": OURS}, FILE)
    assert hooks_of(text) == {"Stop": [group_of(OURS)]}


def test_event_no_longer_wanted_is_given_up() -> None:
    text = merge(a_file({"Old": [a_group(OLDER)], "Older": [a_group(OLDER), BELL]}), {}, FILE)
    assert hooks_of(text) == {"Older": [BELL]}


def test_command_without_the_mark_is_never_ours() -> None:
    copy = a_group("new # flightdeck:1:spool; echo mine", "flightdeck", "# flightdeck:x:spool")
    before = a_file({"Stop": [copy]})
    assert strip(before, FILE) == before


@pytest.mark.parametrize("text", ["", " \n", "{}", "{}\n", '{"hooks": null}', '{"hooks": {}}'])
def test_file_without_hooks_gains_exactly_what_is_wanted(text: str) -> None:
    assert hooks_of(merge(text, WANTED, FILE)) == {e: [group_of(c)] for e, c in WANTED.items()}


def test_text_in_other_scripts_keeps_its_letters_and_layout() -> None:
    before = '{\n  "env": {"NOTE": "권한 승인 é"}\n}\n'
    after = merge(before, WANTED, FILE)
    assert after.startswith('{\n  "env": {"NOTE": "권한 승인 é"},\n  "hooks": {\n    "Stop": [\n')
    assert after.endswith("  }\n}\n")


def test_spelling_of_numbers_and_escapes_is_left_alone() -> None:
    before = '{\n    "a": 1.50e+01,\n    "b": "\\u00e9\\/"\n}'
    assert merge(before, WANTED, FILE).startswith(before[:-2])


def test_line_endings_of_the_file_are_kept() -> None:
    after = merge('{\r\n\t"a": 1\r\n}\r\n', WANTED, FILE)
    assert "\n" not in after.replace("\r\n", "")
    assert '\r\n\t\t"Stop": [\r\n\t\t\t{\r\n' in after


def test_merge_of_its_own_result_changes_nothing() -> None:
    once = merge(a_file({"Stop": [BELL]}), WANTED, FILE)
    assert merge(once, WANTED, FILE) == once


def test_what_was_there_and_empty_stays_when_it_is_named() -> None:
    before = a_file({"Stop": []}, a=1)
    after = merge(before, WANTED, FILE)
    assert strip(after, FILE, {"hooks", "hooks.Stop"}) == before
    assert strip(after, FILE, {"hooks"}) == a_file({}, a=1)
    assert strip(after, FILE) == a_file(a=1)


def test_nothing_of_ours_means_not_a_byte_changes() -> None:
    before = '{"hooks" :{ "Stop":[ ] } }'
    assert strip(before, FILE) == before


@pytest.mark.parametrize("change", [lambda t: merge(t, WANTED, FILE), lambda t: strip(t, FILE)])
def test_file_that_is_not_json_is_refused(change: object) -> None:
    assert callable(change)
    with pytest.raises(Refused):
        change("{,}")


def test_hook_that_waits_has_longer_than_any_layout_may_hold_it() -> None:
    for command, timeout in ((WAITING, LONGEST_DECIDE_S + 60), (OURS, 5)):
        assert group_of(command) == {
            "hooks": [{"type": "command", "command": command, "timeout": timeout}]
        }


def test_hook_that_did_not_wait_yet_is_replaced_by_the_one_that_does() -> None:
    before = a_file({"PermissionRequest": [BELL, group_of(OURS)]})
    after = merge(before, {"PermissionRequest": WAITING}, FILE)
    assert hooks_of(after) == {"PermissionRequest": [BELL, group_of(WAITING)]}
    assert merge(after, {"PermissionRequest": WAITING}, FILE) == after


def test_hook_that_waits_with_too_little_time_is_replaced() -> None:
    hasty = {"hooks": [{"type": "command", "command": WAITING, "timeout": 5}]}
    after = merge(a_file({"PermissionRequest": [hasty]}), {"PermissionRequest": WAITING}, FILE)
    assert hooks_of(after) == {"PermissionRequest": [group_of(WAITING)]}


GROUPS = st.lists(
    st.sampled_from(
        [
            BELL,
            REMIND,
            a_group(OLDER),
            group_of(OURS),
            a_group(OURS, "x"),
            {"hooks": []},
            {"odd": 1},
            "text",
            a_group("x", OLDER, matcher="Bash"),
        ]
    ),
    max_size=4,
)
HOOKS = st.dictionaries(st.sampled_from(["Stop", "SessionStart", "Old", "é"]), GROUPS, max_size=4)
FILES = st.fixed_dictionaries({}, optional={"a": st.none(), "hooks": HOOKS, "z": st.just([1, "é"])})
LAYOUTS = st.sampled_from([None, 0, 2, 4, "\t"])


def foreign(text: str) -> dict[str, list[object]]:
    """Return what is under `hooks` less every command of ours and what that leaves empty."""
    kept: dict[str, list[object]] = {}
    for event, groups in hooks_of(text).items():
        for group in groups:
            if not isinstance(group, dict) or not isinstance(inner := group.get("hooks"), list):
                kept.setdefault(event, []).append(group)
                continue
            rest = [hook for hook in inner if "# flightdeck:" not in str(hook)]
            if rest or not inner:
                kept.setdefault(event, []).append({**group, "hooks": rest})
    return kept


@UNHURRIED
@given(settings=FILES, indent=LAYOUTS)
def test_foreign_content_is_the_same_before_and_after(settings: object, indent: int) -> None:
    text = json.dumps(settings, indent=indent, ensure_ascii=False)
    after = merge(text, WANTED, FILE)
    assert foreign(after) == foreign(text)
    assert foreign(strip(text, FILE)) == foreign(text)


@UNHURRIED
@given(settings=FILES, indent=LAYOUTS)
def test_each_wanted_event_has_exactly_one_entry_of_ours(settings: object, indent: int) -> None:
    after = merge(json.dumps(settings, indent=indent), WANTED, FILE)
    assert sorted((e.event, e.command) for e in read(after, FILE).ours()) == sorted(WANTED.items())


@UNHURRIED
@given(settings=FILES, indent=LAYOUTS, end=st.sampled_from(["", "\n"]))
def test_file_that_never_held_ours_comes_back_byte_for_byte(
    settings: dict[str, object], indent: int, end: str
) -> None:
    before = strip(json.dumps(settings, indent=indent, ensure_ascii=False), FILE) + end
    keep = read(before, FILE).containers()
    after = strip(merge(before, WANTED, FILE), FILE, keep)
    assert json.loads(after) == json.loads(before)
    if json.loads(before) and all(hooks_of(before).values()) and hooks_of(before):
        assert after == before


# HA-03: a matcher that names tools misses those of MCP servers and those that come later.
def test_brakes_stand_once_for_every_tool_and_fail_closed() -> None:
    brakes = {"PreToolUse": "x # flightdeck:1:brakes", "Stop": OURS}
    text = merge(merge(a_file(), brakes, FILE), brakes, FILE)
    (group,) = json.loads(text)["hooks"]["PreToolUse"]
    assert group.keys() == {"hooks"}
    (hook,) = group["hooks"]
    assert (hook["onFailure"], hook["timeout"]) == ("block", 5)
    assert "onFailure" not in json.loads(text)["hooks"]["Stop"][0]["hooks"][0]
