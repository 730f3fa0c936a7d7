"""Managed settings that keep our hooks from running, as the real client reads them."""

from __future__ import annotations

import json
import plistlib
from typing import TYPE_CHECKING

import pytest

from flightdeck.install.policy import Ban, Policy, read_policy

if TYPE_CHECKING:
    from pathlib import Path

LINUX, MAC = "etc/claude-code", "Library/Application Support/ClaudeCode"


def managed(root: Path, name: str, content: object, folder: str = LINUX) -> Path:
    """Write one managed file and return it."""
    file = root / folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return file


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("disableAllHooks", True),
        ("allowManagedHooksOnly", True),
        ("allowManagedHooksOnly", "true"),
        ("strictPluginOnlyCustomization", True),
        ("strictPluginOnlyCustomization", ["skills", "hooks"]),
    ],
)
@pytest.mark.parametrize(("platform", "folder"), [("linux", LINUX), ("darwin", MAC)])
def test_setting_that_bans_hooks_is_found(
    tmp_path: Path, platform: str, folder: str, setting: str, value: object
) -> None:
    file = managed(tmp_path, "managed-settings.json", {setting: value}, folder)
    assert read_policy(platform, tmp_path) == Policy((file,), (Ban(file, setting),))


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"env": {"A": "1"}},
        {"disableAllHooks": False, "allowManagedHooksOnly": False},
        {"disableAllHooks": "true", "allowManagedHooksOnly": None},
        {"strictPluginOnlyCustomization": ["skills"]},
    ],
)
def test_other_settings_ban_nothing(tmp_path: Path, content: object) -> None:
    managed(tmp_path, "managed-settings.json", content)
    assert read_policy("linux", tmp_path).bans == ()


def test_file_that_comes_later_wins(tmp_path: Path) -> None:
    managed(tmp_path, "managed-settings.json", {"disableAllHooks": True})
    managed(tmp_path, "managed-settings.d/20.json", {"disableAllHooks": False})
    managed(tmp_path, "managed-settings.d/30.json", {"disableAllHooks": True})
    last = managed(tmp_path, "managed-settings.d/40.json", {"disableAllHooks": True})
    assert read_policy("linux", tmp_path).bans == (Ban(last, "disableAllHooks"),)
    managed(tmp_path, "managed-settings.d/50.json", {"disableAllHooks": False})
    assert read_policy("linux", tmp_path).bans == ()


def test_hidden_file_and_one_of_another_kind_do_not_count(tmp_path: Path) -> None:
    managed(tmp_path, "managed-settings.d/.10.json", {"disableAllHooks": True})
    managed(tmp_path, "managed-settings.d/10.txt", {"disableAllHooks": True})
    assert read_policy("linux", tmp_path) == Policy()


@pytest.mark.parametrize("text", ["{,", "[]", "\udc80"])
def test_file_that_is_no_object_is_broken(tmp_path: Path, text: str) -> None:
    file = managed(tmp_path, "managed-settings.json", "")
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert read_policy("linux", tmp_path) == Policy((file,), (), (file,))


def test_property_list_of_a_mac_counts_too(tmp_path: Path) -> None:
    file = tmp_path / "Library/Managed Preferences/com.anthropic.claudecode.plist"
    file.parent.mkdir(parents=True)
    file.write_bytes(plistlib.dumps({"allowManagedHooksOnly": True}))
    assert read_policy("darwin", tmp_path).bans == (Ban(file, "allowManagedHooksOnly"),)
    assert read_policy("linux", tmp_path) == Policy()
    file.write_bytes(b"bplist00")
    assert read_policy("darwin", tmp_path).broken == (file,)
