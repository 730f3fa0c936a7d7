"""Homes as people have them: what is in them before flightdeck is.

Each shape is a name and what makes it.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
from typing import TYPE_CHECKING

from tests.install.documents import a_file, a_group

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.install.person import Person

    Shape = Callable[[Person], None]

SHAPES: dict[str, Shape] = {}

BELL = a_group("/opt/other/bell.sh")
LINT = a_group('~/bin/lint --fix "$CLAUDE_PROJECT_DIR"', matcher="Edit|Write")
GUARD = {"matcher": "Bash", "hooks": [{"type": "command", "command": "guard", "timeout": 5}]}
PERMISSIONS = {"allow": ["Bash(git status:*)", "WebFetch(domain:docs.rs)"], "deny": ["Read(.env)"]}
EVENTS = (
    *("SessionStart", "UserPromptSubmit", "PermissionRequest", "Notification", "Stop"),
    *("StopFailure", "SubagentStop", "PreCompact", "PreToolUse", "PostToolUse", "SessionEnd"),
)
USUAL = a_file({"Stop": [BELL], "PostToolUse": [LINT]}, model="opus", permissions=PERMISSIONS)
LONG = [f"Bash(npm run test:unit -- --shard {n}/20000 --reporter=dot:*)" for n in range(18_000)]


def _text(name: str, text: str | bytes) -> None:
    """Make a shape of a settings file that holds `text` and is the only thing there."""
    content = text if isinstance(text, bytes) else text.encode()

    def make(person: Person) -> None:
        person.config.mkdir()
        person.file.write_bytes(content)
        person.file.chmod(0o644)

    SHAPES[name] = make


def _shape(make: Shape) -> Shape:
    SHAPES[make.__name__.replace("_", " ")] = make
    return make


def put(person: Person, text: str = USUAL) -> None:
    """Put a settings file there, as the client makes it."""
    person.config.mkdir()
    person.file.write_text(text)
    person.file.chmod(0o600)


_text("zero bytes", "")
_text("white space alone", " \n\t\n")
_text("braces without a newline", "{}")
_text("braces with room in them", "{ \n\n }\n")
_text("indented by two", USUAL)
_text("indented by four", json.dumps(json.loads(USUAL), indent=4))
_text("indented by tabs", json.dumps(json.loads(USUAL), indent="\t") + "\n\n")
_text("not indented at all", json.dumps(json.loads(USUAL), indent=0))
_text("line ends of windows", USUAL.replace("\n", "\r\n"))
_text("line ends mixed", USUAL.replace("{\n", "{\r\n"))
_text("a byte order mark", "\ufeff" + USUAL)
_text("a byte order mark alone", b"\xef\xbb\xbf")
_text("letters as they are", a_file({"Stop": [a_group("écho ✓ 日本")]}, Ünïcode="\u2028𝄞"))
_text("letters as escapes", json.dumps({"hooks": {"Stop": [a_group("écho 𝄞")]}, "ü": "\ud834"}))
_text("no newline at the end", USUAL.rstrip("\n"))
_text("one line without spaces", json.dumps(json.loads(USUAL), separators=(",", ":")))
_text("one line", json.dumps(json.loads(USUAL)))
_text("a megabyte of permissions", a_file({"Stop": [BELL]}, permissions={"allow": LONG}))
_text("others at each of our events", a_file({event: [BELL, GUARD] for event in EVENTS}))
_text("hooks null", '{"hooks": null, "model": "opus"}\n')
_text("hooks empty", '{\n  "hooks": {},\n  "model": "opus"\n}\n')
_text("events empty", '{\n  "hooks": {\n    "Stop": [],\n    "PreToolUse": [ ]\n  }\n}\n')
_text("hooks between other keys", '{"a": 1, "hooks": {"Stop": []}, "b": {"hooks": []}}')
_text("hooks spelled with escapes", '{\n  "h\\u006foks": {"St\\u006fp": []}\n}\n')
_text("an event nobody knows", a_file({"TeaTime": [BELL], "Stop": [BELL]}))
_text("groups odd but harmless", a_file({"Stop": [{}, {"hooks": []}, {"hooks": [{}]}, BELL]}))
_text("numbers as written", '{"a": [1e400, -0, -0.0, 1.0, 1E+2, 123456789012345678901234567890]}')
_text("nested deeply", '{"a": ' + "[" * 90 + "]" * 90 + "}")
_text("commas and colons apart", '{ "a" : 1 , "hooks" : { "Stop" : [ ] } , "b" : 2 }')
_text("a comment of sorts", a_file({"Stop": [BELL]}, **{"//": "do not touch", "$schema": "x"}))


@_shape
def no_folder(person: Person) -> None:
    """Nobody has started the client yet."""


@_shape
def empty_folder(person: Person) -> None:
    person.config.mkdir(mode=0o755)


@_shape
def folder_full_of_other_things(person: Person) -> None:
    put(person)
    for name in (".credentials.json", "settings.local.json", "settings.json.bak", "history.jsonl"):
        (person.config / name).write_text("{}")
    (person.config / ".settings.json.swp").write_bytes(b"b0VIM 9.0")
    (person.config / "projects" / "-home-me-src").mkdir(parents=True)
    (person.config / "projects" / "-home-me-src" / "a.jsonl").write_text("{}\n")
    (person.path / ".claude.json").write_text('{"numStartups": 7}')


@_shape
def link_into_dotfiles_relative(person: Person) -> None:
    person.config.mkdir()
    dotfiles = person.path / "dotfiles" / "claude"
    dotfiles.mkdir(parents=True)
    (dotfiles / "settings.json").write_text(USUAL)
    person.file.symlink_to("../dotfiles/claude/settings.json")


@_shape
def link_into_dotfiles_absolute(person: Person) -> None:
    person.config.mkdir()
    (person.path / "dotfiles").mkdir(mode=0o700)
    (person.path / "dotfiles" / "claude.json").write_text(USUAL)
    (person.path / "dotfiles" / "claude.json").chmod(0o640)
    person.file.symlink_to(person.path / "dotfiles" / "claude.json")


@_shape
def chain_of_links(person: Person) -> None:
    link_into_dotfiles_relative(person)
    person.file.unlink()
    (person.path / "current").symlink_to("dotfiles")
    (person.config / "mine.json").symlink_to("../current/claude/settings.json")
    person.file.symlink_to("mine.json")


@_shape
def link_to_a_file_that_is_not_there_yet(person: Person) -> None:
    person.config.mkdir()
    (person.path / "dotfiles").mkdir()
    person.file.symlink_to("../dotfiles/claude.json")


@_shape
def folder_is_a_link(person: Person) -> None:
    (person.path / "dotfiles" / "dot-claude").mkdir(parents=True, mode=0o750)
    (person.path / "dotfiles" / "dot-claude" / "settings.json").write_text(USUAL)
    person.config.symlink_to("dotfiles/dot-claude")


def _mode(mode: int) -> None:
    def make(person: Person) -> None:
        put(person)
        person.file.chmod(mode)

    SHAPES[f"file of mode {mode:04o}"] = make


for _one in (0o400, 0o444, 0o600, 0o640, 0o664, 0o755):
    _mode(_one)


def _folder_mode(mode: int) -> None:
    def make(person: Person) -> None:
        put(person)
        person.config.chmod(mode)

    SHAPES[f"folder of mode {mode:04o}"] = make


for _one in (0o700, 0o750, 0o755, 0o2775):
    _folder_mode(_one)


@_shape
def configuration_folder_with_spaces(person: Person) -> None:
    folder = person.path / 'my claude\'s "config" $HOME é'
    folder.mkdir()
    (folder / "settings.json").write_text(USUAL)
    person.export(CLAUDE_CONFIG_DIR=str(folder))


@_shape
def configuration_folder_deep_where_nothing_is(person: Person) -> None:
    person.export(CLAUDE_CONFIG_DIR=str(person.path / "a" / "b" / "c"))


@_shape
def state_folder_deep_where_nothing_is(person: Person) -> None:
    put(person)
    person.export(FLEET_HOME=str(person.path / "state of" / "mine" / "fleet"))


@_shape
def two_names_of_one_file(person: Person) -> None:
    put(person)
    (person.path / "dotfiles").mkdir()
    (person.path / "dotfiles" / "claude.json").hardlink_to(person.file)


@_shape
def owned_by_another(person: Person) -> None:
    put(person)
    if os.geteuid() == 0:
        os.chown(person.file, 65_534, 65_533)
        os.chown(person.config, 65_534, 65_533)


@_shape
def attributes_and_an_access_list(person: Person) -> None:
    put(person)
    access = struct.pack("<I", 2)
    for tag, bits, who in ((1, 6, -1), (2, 4, 12_345), (4, 0, -1), (16, 4, -1), (32, 0, -1)):
        access += struct.pack("<HHi", tag, bits, who)
    with contextlib.suppress(OSError, AttributeError):  # not every file system has them
        os.setxattr(person.file, "user.comment", b"mine")
        os.setxattr(person.file, "system.posix_acl_access", access)


@_shape
def written_long_ago(person: Person) -> None:
    put(person)
    os.utime(person.file, (1_000_000_000, 1_000_000_000))


@_shape
def units_of_others(person: Person) -> None:
    put(person)
    units = person.path / ".config" / "systemd" / "user"
    (units / "other.service.d").mkdir(parents=True)
    (units / "other.service.d" / "env.conf").write_text("[Service]\nEnvironment=A=1\n")
    (units / "other.service").write_text("[Service]\nExecStart=/bin/true\n")
    (units / "default.target.wants").mkdir(mode=0o750)
    (units / "default.target.wants" / "other.service").symlink_to("../other.service")
    (units / "masked.service").symlink_to("/dev/null")


@_shape
def configuration_home_is_a_link(person: Person) -> None:
    put(person)
    (person.path / "dotfiles" / "config").mkdir(parents=True)
    (person.path / ".config").symlink_to("dotfiles/config")


@_shape
def configuration_home_elsewhere(person: Person) -> None:
    put(person)
    (person.path / "etc").mkdir()
    person.export(XDG_CONFIG_HOME=str(person.path / "etc"))


@_shape
def agents_of_others(person: Person) -> None:
    put(person)
    (person.path / "Library" / "LaunchAgents").mkdir(parents=True)
    (person.path / "Library" / "LaunchAgents" / "com.other.plist").write_text("<plist/>\n")


# Where a service manager makes a difference.
_WITH_UNITS = (
    "units of others",
    "configuration home is a link",
    "configuration home elsewhere",
    "no folder",
    "state folder deep where nothing is",
)
CASES: list[tuple[str, str | None]] = [
    *((shape, None) for shape in SHAPES),
    *((shape, "systemd") for shape in _WITH_UNITS),
    *((shape, "launchd") for shape in ("agents of others", "no folder")),
]
