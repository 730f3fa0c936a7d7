"""What makes the client skip a settings file is named by its JSON path."""

from __future__ import annotations

import pytest

from flightdeck.install.document import read
from flightdeck.install.faults import disabled, malformed
from tests.install.documents import FILE, a_file, a_group


def faults_of(group: object) -> list[str]:
    return malformed(read(a_file({"PreToolUse": [group]}), FILE))


@pytest.mark.parametrize(
    ("group", "fault"),
    [
        ({"matcher": {"any": True}, "hooks": []}, "[0].matcher is an object where a string is"),
        ("text", "[0] is a string where an object is"),
        ({}, "[0].hooks is missing where an array is"),
        ({"hooks": {}}, "[0].hooks is an object where an array is"),
        ({"hooks": [None]}, "[0].hooks[0] is null where an object is"),
        ({"hooks": [{"command": "x"}]}, "[0].hooks[0].type is missing where a string is"),
        ({"hooks": [{"type": "command"}]}, "[0].hooks[0].command is missing where a string is"),
        (
            {"hooks": [{"type": "http", "command": ["x"]}]},
            "[0].hooks[0].command is an array where a string is",
        ),
        (
            {"hooks": [{"type": "prompt", "timeout": "5"}]},
            "[0].hooks[0].timeout is a string where a number is",
        ),
    ],
)
def test_malformed_group_is_named(group: object, fault: str) -> None:
    assert faults_of(group) == [f"hooks.PreToolUse{fault} expected"]


@pytest.mark.parametrize(
    "group",
    [
        a_group("x"),
        a_group("x", matcher="Bash"),
        {"hooks": []},
        {"hooks": [{"type": "prompt", "prompt": "x", "timeout": 1.5}]},
    ],
)
def test_sound_group_has_no_fault(group: object) -> None:
    assert faults_of(group) == []


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ({"env": None}, "env is null where an object is"),
        ({"model": 5}, "model is a number where a string is"),
        ({"disableAllHooks": "true"}, "disableAllHooks is a string where true or false is"),
        ({"permissions": []}, "permissions is an array where an object is"),
        ({"permissions": {"ask": "x"}}, "permissions.ask is a string where an array is"),
    ],
)
def test_setting_of_a_wrong_kind_is_named(more: dict[str, object], fault: str) -> None:
    assert malformed(read(a_file(None, **more), FILE)) == [f"{fault} expected"]


def test_settings_nobody_knows_and_those_of_the_right_kind_have_no_fault() -> None:
    sound = {"env": {"A": 1}, "permissions": {"deny": [], "x": 1}, "theme": 5, "model": "x"}
    assert malformed(read(a_file(None, **sound), FILE)) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"disableAllHooks": true}', True),
        ('{"disableAllHooks": false}', False),
        ('{"disableAllHooks": "true"}', None),
        ("{}", None),
    ],
)
def test_switch_that_turns_all_hooks_off_is_seen(text: str, said: bool | None) -> None:
    assert disabled(read(text, FILE)) is said
