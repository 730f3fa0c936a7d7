"""What an organisation's managed settings of Claude Code forbid its hooks.

They win over everything a person sets. Only what keeps our hooks from running is looked
at, and nothing of it is ever written.

Source: Claude Code 2.1.332, observed: `managed-settings.json`, over it the `*.json` of
`managed-settings.d` in the order of their names, hidden ones left out; the folders and the
property list of macOS from its settings reference, not run.
"""

from __future__ import annotations

import json
import plistlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_FILE, _MORE = "managed-settings.json", "managed-settings.d"
_MAC = "Library/Application Support/ClaudeCode"
_MAC_PLIST = "Library/Managed Preferences/com.anthropic.claudecode.plist"
_LINUX = "etc/claude-code"
_DISABLE = "disableAllHooks"
_MANAGED_ONLY = "allowManagedHooksOnly"
_PLUGINS_ONLY = "strictPluginOnlyCustomization"


@dataclass(frozen=True, slots=True)
class Ban:
    """A setting that keeps our hooks from running, and the file it stands in."""

    file: Path
    setting: str


@dataclass(frozen=True, slots=True)
class Policy:
    """What stands in force; with one that is `broken` the client does not even start."""

    files: tuple[Path, ...] = ()
    bans: tuple[Ban, ...] = ()
    broken: tuple[Path, ...] = ()


def read_policy(platform: str, root: Path = Path("/")) -> Policy:
    """Return what managed settings say below `root`; `platform` as `sys.platform`."""
    files = [path for path in _places(platform, root) if path.is_file()]
    bans: dict[str, Ban] = {}
    broken: list[Path] = []
    for path in files:
        found = _content(path)
        if found is None:
            broken.append(path)
            continue
        for setting in _of_interest(found):
            bans.pop(setting, None)
            if _forbids(setting, found[setting]):
                bans[setting] = Ban(path, setting)
    return Policy(tuple(files), tuple(bans.values()), tuple(broken))


def _places(platform: str, root: Path) -> Iterator[Path]:
    """Yield where they may stand, the one that wins last."""
    folder = root / (_MAC if platform == "darwin" else _LINUX)
    yield folder / _FILE
    yield from sorted(p for p in folder.glob(f"{_MORE}/*.json") if not p.name.startswith("."))
    if platform == "darwin":
        yield root / _MAC_PLIST


def _content(path: Path) -> dict[str, Any] | None:
    try:
        data = path.read_bytes()
        found = plistlib.loads(data) if path.suffix == ".plist" else json.loads(data)
    except (OSError, ValueError, RecursionError, plistlib.InvalidFileException):
        return None
    return found if isinstance(found, dict) else None


def _of_interest(found: dict[str, Any]) -> list[str]:
    return [name for name in (_DISABLE, _MANAGED_ONLY, _PLUGINS_ONLY) if name in found]


def _forbids(setting: str, value: object) -> bool:
    if setting == _DISABLE:
        return value is True
    if setting == _MANAGED_ONLY:
        # A value that is no boolean counts as true: the client would rather be strict.
        return value is not None and value is not False
    return value is True or (isinstance(value, list) and "hooks" in value)
