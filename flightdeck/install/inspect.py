"""What `doctor` says of the hooks: whether they are in place, current, and heard at all.

Reads, and changes nothing.

Source: templates/hooks/README.md.
"""

from __future__ import annotations

import contextlib
import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.errors import FlightdeckError
from flightdeck.install import client, desired, faults, settings
from flightdeck.install.claude_code import text_of
from flightdeck.install.desired import PERMISSION_EVENT, STOP_EVENT
from flightdeck.install.document import printable, read
from flightdeck.install.snippets import drains, waits
from flightdeck.install.target import Target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from flightdeck.install.document import Document

_APPLY = "flightdeck apply"
_COMMAND_CHARS = 120
# Hooks that may print, what tells them, and what to say of one that does not.
_SPEAKING: tuple[tuple[str, Callable[[str], bool], str], ...] = (
    (PERMISSION_EVENT, waits, "the permission hook in {} does not wait: no key can answer"),
    (STOP_EVENT, drains, "the Stop hook in {} delivers no verb: each waits for the agent's rest"),
)
_PROJECT_FILES = (".claude/settings.json", ".claude/settings.local.json")


class Level(enum.Enum):
    """How bad a finding is."""

    OK = "ok"
    WARNING = "warning"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `hint` is the command or edit that mends it."""

    level: Level
    what: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Running:
    """A live agent process; `started` in seconds since the epoch."""

    pid: int
    cwd: str
    started: float


def inspect(environ: Mapping[str, str], cwd: Path, root: Path) -> list[Finding]:
    """Return what there is to say of Claude Code's hooks, the state folder being `root`.

    `cwd` is the project whose own settings may name our hooks a second time.
    """
    target = Target(client.config_folder(environ))
    found = client.find_client(environ)
    if found is None and not target.folder.is_dir():
        return [Finding(Level.WARNING, "no claude is installed here", "install Claude Code")]
    version = found.version if found else None
    doubts = (*client.folder_doubts(environ), *desired.doubts(version))
    notes = [Finding(Level.WARNING, doubt) for doubt in doubts]
    try:
        wanted = desired.desired(version, client.find_site(root))
        document = read(text_of(target.read(), target.file), str(target.file))
    except FlightdeckError as error:
        return [*notes, Finding(Level.FAILURE, error.message, error.hint)]
    if not (root / "inbox").is_dir():
        what = f"{root / 'inbox'} is missing; hooks put nothing anywhere else"
        notes.append(Finding(Level.FAILURE, what, _APPLY))
    others = _of_project(document, cwd)
    return [
        *notes,
        *_of_file(document, wanted),
        *_twice(document, others),
        *_answering_too([document, *others]),
    ]


def unheard(silent: Iterable[Running], since: float | None) -> list[Finding]:
    """Return a finding for each agent no hook has spoken for: HALT does not reach it.

    `since` is when the hooks were written, None where they never were. A session reads
    new hooks within a second, but one that was started before them and has sent nothing
    may hold the old set; one that began later was told to run without them.
    """
    return [_unheard(agent, since) for agent in silent]


def _unheard(agent: Running, since: float | None) -> Finding:
    who = f"process {agent.pid} in {printable(agent.cwd)}"
    if since is None or agent.started < since:
        what = f"hooks not loaded by {who}; HALT does not cover it"
        hint = _APPLY if since is None else "send it a prompt, or restart the session"
        return Finding(Level.WARNING, what, hint)
    return Finding(
        Level.WARNING,
        f"{who} runs without our hooks; HALT does not cover it",
        "start it again without --bare, --safe-mode or disableAllHooks; if it asks whether "
        "to trust its folder, answer it",
    )


def _of_file(document: Document, wanted: Mapping[str, str]) -> Iterator[Finding]:
    for fault in faults.malformed(document):
        what = f"{document.file}: {fault}; Claude Code skips the whole file"
        yield Finding(Level.FAILURE, what, "mend that entry by hand")
    if faults.all_disabled(document):
        what = f"{document.file}: disableAllHooks is true; no hook runs"
        yield Finding(Level.FAILURE, what, "take disableAllHooks out of it")
    yield _presence(document, wanted)
    for event, does, what in _SPEAKING:
        present = [entry.command for entry in document.ours() if entry.event == event]
        if present and not any(does(command) for command in present):
            yield Finding(Level.WARNING, what.format(document.file), _APPLY)


def _presence(document: Document, wanted: Mapping[str, str]) -> Finding:
    here = {entry.event for entry in document.ours()}
    absent = [event for event in wanted if event not in here]
    if not here:
        return Finding(Level.FAILURE, f"no hooks are installed in {document.file}", _APPLY)
    if absent:
        what = f"hooks are missing from {document.file}: {', '.join(absent)}"
        return Finding(Level.FAILURE, what, _APPLY)
    if settings.merge(document.text, wanted, document.file) != document.text:
        what = f"hooks in {document.file} are out of date or doubled"
        return Finding(Level.WARNING, what, _APPLY)
    return Finding(Level.OK, f"{len(wanted)} hooks are current in {document.file}")


def _of_project(document: Document, cwd: Path) -> list[Document]:
    """Return the settings of the project: the client merges them with the user's."""
    others = []
    for name in _PROJECT_FILES:
        path = cwd / name
        if str(path) == document.file:
            continue
        # Not there, or not ours to judge: the client says so itself.
        with contextlib.suppress(OSError, FlightdeckError):
            others.append(read(text_of(path.read_bytes(), path), str(path)))
    return others


def _twice(document: Document, others: Iterable[Document]) -> Iterator[Finding]:
    """An event in both the user's and the project's settings runs our hook twice."""
    here = {entry.event for entry in document.ours()}
    for other in others:
        for event in sorted(here & {entry.event for entry in other.ours()}):
            what = f"{event} is hooked twice: in {document.file} and in {other.file}"
            yield Finding(Level.WARNING, what, f"take our entry out of {other.file}")


def _answering_too(documents: Iterable[Document]) -> Iterator[Finding]:
    """The first hook that decides wins: a stranger's may allow what nobody has pressed."""
    for document in documents:
        for command in document.foreign(PERMISSION_EVENT):
            shown = printable(command)
            if len(shown) > _COMMAND_CHARS:
                shown = shown[: _COMMAND_CHARS - 1] + "…"
            what = f"another tool also answers permission requests: '{shown}' in {document.file}"
            yield Finding(Level.WARNING, what, "take that hook out, or know that it may be first")
