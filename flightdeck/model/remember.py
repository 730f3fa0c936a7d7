"""What REMEMBER would write down: the agent's own suggestion, word for word, or a refusal.

Nothing is ever made up or narrowed here: the whole suggestion is understood and fits on
the key, or none of it is granted. The key shows every rule in full, because whoever
presses it twice has seen nothing else of it.

Source: README.md, "Row 3: verdicts"; the suggestions of Claude Code as recorded in
tests/agents/payloads; anthropics/claude-code#78008 (what a worktree's rule widens).
"""

from __future__ import annotations

import json
import posixpath
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from flightdeck.model import breadth
from flightdeck.model.ask import Grant

if TYPE_CHECKING:
    from collections.abc import Callable

LINE_CHARS = 13
LINES = 3
SESSION = "this session"

_TOOL = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,80}")
_HOST = re.compile(r"domain:[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
_MODES = frozenset({"acceptEdits", "plan", "default"})
_IN_REPOSITORY = frozenset({"localSettings", "projectSettings"})
_IN_SESSION = frozenset({"session", "cliArg"})
_FIELDS = {
    "addRules": frozenset({"type", "rules", "behavior", "destination"}),
    "setMode": frozenset({"type", "mode", "destination"}),
    "addDirectories": frozenset({"type", "directories", "destination"}),
}
# Folders whose files decide what an agent may do: no rule may let it write there.
_OWN = frozenset({".claude", ".git", ".fleet"})


class _Refusal(Exception):
    """Why nothing is granted, in a word that fits on a key."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


@dataclass(frozen=True, slots=True)
class _Ground:
    """What counts as inside: the checkout and the repository's main one, as real paths."""

    roots: tuple[str, ...]
    home: str
    real: Callable[[str], str]

    def within(self, path: str) -> str | None:
        """Return the root a path lies in, None for one outside all of them."""
        real = self.real(path)
        return next((r for r in self.roots if real == r or real.startswith(f"{r}/")), None)


def grant(
    suggestions: str,
    repo: str,
    root: str,
    main: str = "",
    home: str = "",
    real: Callable[[str], str] = posixpath.normpath,
) -> Grant:
    """Return what granting `suggestions`, a JSON text, would write and where.

    `repo` is the repository's name; `root` the top of the session's checkout and `main`
    that of the repository's main one, absolute, empty for none. `home` is the person's.
    `real` resolves links in an absolute path. Whatever the text is, nothing raises.
    """
    try:
        entries = _entries(suggestions)
        ground = _ground(root, main, home, real)
        texts = [text for entry in entries for text in _texts(entry, ground)]
        where = {_where(entry["destination"], repo) for entry in entries}
        if len(where) > 1:
            _refuse("two places")
        return Grant(_lines(texts, ground), where.pop()[0], suggestions)
    except _Refusal as refusal:
        return Grant(refusal=refusal.word)


def _ground(root: str, main: str, home: str, real: Callable[[str], str]) -> _Ground:
    """Return what is inside; a root that holds the whole home would make everything so."""
    home = real(home) if home.startswith("/") else ""
    tops = (real(path) for path in (root, main) if path.startswith("/"))
    return _Ground(tuple(t for t in tops if not breadth.covers_home(t, home)), home, real)


def _refuse(word: str) -> NoReturn:
    raise _Refusal(word)


def _entries(suggestions: str) -> list[dict[str, object]]:
    """Return the entries; one with a field nobody knows is not understood."""
    try:
        data = json.loads(suggestions)
    except (ValueError, RecursionError):
        _refuse("no rule")
    if not isinstance(data, list) or not data:
        _refuse("no rule")
    for entry in data:
        kind = entry.get("type") if isinstance(entry, dict) else None
        if not isinstance(kind, str) or not entry.keys() <= _FIELDS.get(kind, frozenset()):
            _refuse("no rule")
        if not isinstance(entry.get("destination"), str):
            _refuse("every project")
    return data


def _where(destination: object, repo: str) -> tuple[str, object]:
    """Return what a key calls the place, and the file: a repository has two of them."""
    if destination in _IN_SESSION:
        return SESSION, None
    if destination in _IN_REPOSITORY and repo:
        return repo, destination
    _refuse("every project")


def _texts(entry: dict[str, object], ground: _Ground) -> list[str]:
    """Return what one entry would change; the project's own folder needs no words."""
    if entry["type"] == "setMode":
        return [_mode(entry.get("mode"))]
    if entry["type"] == "addDirectories":
        return [_folder(path, ground) for path in _list(entry.get("directories"))]
    if entry.get("behavior") != "allow":
        _refuse("no rule")
    return [_rule(rule, ground) for rule in _list(entry.get("rules"))]


def _list(value: object) -> list[object]:
    if not isinstance(value, list) or not value:
        _refuse("no rule")
    return value


def _mode(mode: object) -> str:
    if mode == "bypassPermissions":
        _refuse("bypass")
    if not isinstance(mode, str) or mode not in _MODES:
        _refuse("unsafe mode")
    return f"MODE {mode}"


def _folder(path: object, ground: _Ground) -> str:
    if not isinstance(path, str):
        _refuse("no rule")
    _check_characters(path)
    if path == "~" or path.startswith("~/"):
        path = ground.home + path[1:]
    root = ground.within(path) if path.startswith("/") else None
    if root is None:
        _refuse("outside repo")
    real = ground.real(path)
    if root != ground.roots[0]:
        return f"DIR {real}"  # whole: the session's own checkout may have one of that name
    return f"DIR {real[len(root) + 1 :]}" if real != root else ""


def _rule(rule: object, ground: _Ground) -> str:
    if not isinstance(rule, dict) or not rule.keys() <= {"toolName", "ruleContent"}:
        _refuse("no rule")
    tool, content = rule.get("toolName"), rule.get("ruleContent")
    if not isinstance(tool, str):
        _refuse("no rule")
    if content is None or (isinstance(content, str) and not content.strip()):
        _refuse("too wide")  # the whole tool
    if not isinstance(content, str) or not _TOOL.fullmatch(tool):
        _refuse("no rule")
    _check_characters(content)
    _check_breadth(tool, content, ground)
    return f"{tool}({content})"


def _check_characters(text: str) -> None:
    """Refuse what looks like nothing, or like something else, on a key."""
    odd = (c for c in text if c != " " and unicodedata.category(c)[0] not in "LNPS")
    # Beyond these no letter has a shape of its own on a key, and some are drawn as a blank.
    if any(odd) or any(ord(c) > 0x17F for c in text) or unicodedata.normalize("NFC", text) != text:
        _refuse("odd rule")


def _check_breadth(tool: str, content: str, ground: _Ground) -> None:
    if tool in breadth.SHELLS:
        wide = breadth.shell_rule_is_wide(content)
    elif tool in breadth.READERS | breadth.WRITERS:
        wide = _is_wide_path(content, ground, writes=tool in breadth.WRITERS)
    elif tool == "WebFetch":
        wide = "*" in content
        if not wide and not _HOST.fullmatch(content):
            _refuse("no rule")
    else:
        _refuse("no rule")
    if wide:
        _refuse("too wide")


def _is_wide_path(content: str, ground: _Ground, *, writes: bool) -> bool:
    path = breadth.folder_of(content, next(iter(ground.roots), ""), ground.home)
    if path is None:
        return True
    if ground.within(path) is None:
        if writes:
            _refuse("outside repo")
        return any(breadth.is_broad(p, ground.home) for p in (path, ground.real(path)))
    # Where a disk does not tell capitals apart, `.Claude` is the same folder.
    return writes and bool(_OWN & set(f"{path}/{ground.real(path)}".casefold().split("/")))


def _lines(texts: list[str], ground: _Ground) -> tuple[str, ...]:
    """Return the texts broken into lines for a key; what does not fit is refused, never cut."""
    said = list(dict.fromkeys(text for text in texts if text))
    if not said:
        said = [f"DIR {posixpath.basename(ground.roots[0])}"]
    lines = [line for text in said for line in _broken(text)]
    if len(lines) > LINES:
        _refuse("too long")
    return tuple(lines)


def _broken(text: str) -> list[str]:
    lines = []
    while len(text) > LINE_CHARS:
        at = max((i for i in range(1, LINE_CHARS + 1) if _may_break(text, i)), default=0)
        if not at:
            _refuse("too long")
        lines.append(text[:at])
        text = text[at:].removeprefix(" ")
    return [*lines, text]


def _may_break(text: str, at: int) -> bool:
    """Say whether a line may end before `text[at]` so that it still reads one way only.

    After a letter the end of a line stands for a blank, after a mark for nothing: else
    `rm -rf / tmp` and `rm -rf /tmp` would look the same.
    """
    before, after = text[at - 1], text[at]
    if after == " ":
        return before.isalnum() and text[at + 1 : at + 2] not in {" ", ""}
    return before != " " and not before.isalnum()
