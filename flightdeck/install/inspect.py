"""What `doctor` says of the hooks: whether they are in place, current, and heard at all.

Reads, and changes nothing.

Source: templates/hooks/README.md; Claude Code 2.1.332, observed: which settings win, and
that a project's own are those of the folder it is started in, its local ones those of the
main checkout.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import FlightdeckError
from flightdeck.install import faults, settings, standing
from flightdeck.install.claude_code import text_of
from flightdeck.install.desired import PERMISSION_EVENT, STOP_EVENT
from flightdeck.install.document import printable, read
from flightdeck.install.snippets import drains, waits
from flightdeck.model.finding import Finding, Known, failure, ok, warning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from flightdeck.install.document import Document
    from flightdeck.install.policy import Policy
    from flightdeck.install.target import Target

_APPLY = "flightdeck apply"
_COMMAND_CHARS = 120
# Hooks that may print, what tells them, and what to say of one that does not.
_SPEAKING: tuple[tuple[str, Callable[[str], bool], str], ...] = (
    (
        PERMISSION_EVENT,
        waits,
        "the permission hook in {file} does not wait: no key can answer",
    ),
    (
        STOP_EVENT,
        drains,
        "the Stop hook in {file} delivers no verb: each waits for the agent's rest",
    ),
)
_PROJECT, _LOCAL = Path(".claude/settings.json"), Path(".claude/settings.local.json")
_TAKE_OUT = "take {setting} out of {file}"
_DISABLE = Known("disableAllHooks")


@dataclass(frozen=True, slots=True)
class Running:
    """A live agent process; `started` in seconds since the epoch."""

    pid: int
    cwd: str
    started: float


@dataclass(frozen=True, slots=True)
class Subject:
    """Whose hooks: the settings they belong into, and all that may overrule them.

    `cwd` is the project whose own settings count, `inbox` where our events should go;
    `elsewhere` are settings files flightdeck was once applied to, of other folders.
    """

    target: Target
    wanted: Mapping[str, str]
    cwd: Path
    inbox: Path
    policy: Policy
    elsewhere: tuple[Path, ...] = ()


def inspect(subject: Subject) -> list[Finding]:
    """Return what there is to say of Claude Code's hooks."""
    target = subject.target
    notes = list(_managed(subject.policy))
    try:
        document = read(text_of(target.read(), target.file), str(target.file))
    except FlightdeckError as error:
        said = {"message": error.message, "hint": error.hint}
        return [*notes, failure("{message}", "{hint}", **said)]
    if subject.inbox.parent.is_dir() and not subject.inbox.is_dir():
        what = "{folder} is missing; hooks put nothing anywhere else"
        notes.append(failure(what, _APPLY, folder=subject.inbox))
    others = _of_project(document, subject.cwd)
    return [
        *notes,
        *_of_file(document, subject),
        *_switched_off(document, others),
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
    who: dict[str, object] = {"pid": agent.pid, "folder": printable(agent.cwd)}
    if since is None or agent.started < since:
        what = "hooks not loaded by process {pid} in {folder}; HALT does not cover it"
        hint = _APPLY if since is None else "send it a prompt, or restart the session"
        return warning(what, hint, **who)
    return warning(
        "process {pid} in {folder} runs without our hooks; HALT does not cover it",
        "start it again without --bare, --safe-mode or disableAllHooks; if it asks whether "
        "to trust its folder, answer it",
        **who,
    )


def _managed(policy: Policy) -> Iterator[Finding]:
    ask = "ask whoever manages this machine: nothing of yours overrides {file}"
    for path in policy.broken:
        yield failure(
            "managed settings {file} are no JSON: Claude Code does not start", ask, file=path
        )
    for ban in policy.bans:
        what = "managed settings {file} let no hooks of yours run ({setting})"
        yield failure(what, ask, file=ban.file, setting=Known(ban.setting))


def _of_file(document: Document, subject: Subject) -> Iterator[Finding]:
    for fault in faults.malformed(document):
        what = "{file}: {fault}; Claude Code skips the whole file"
        yield failure(what, "mend that entry by hand", file=document.file, fault=fault)
    yield _presence(document, subject)
    for event, does, what in _SPEAKING:
        present = [entry.command for entry in document.ours() if entry.event == event]
        if present and not any(does(command) for command in present):
            yield warning(what, _APPLY, file=document.file)


def _presence(document: Document, subject: Subject) -> Finding:
    wanted, file = subject.wanted, document.file
    here = {entry.event for entry in document.ours()}
    absent = Known(", ".join(event for event in wanted if event not in here))
    if not here:
        return _nowhere(file, subject.elsewhere)
    if absent:
        return failure("hooks are missing from {file}: {events}", _APPLY, file=file, events=absent)
    if settings.merge(document.text, wanted, file) != document.text:
        stale = _stale(document, subject)
        what = "hooks in {file} are out of date or doubled"
        return stale or warning(what, _APPLY, file=file)
    return ok("{count} hooks are current in {file}", count=len(wanted), file=file)


def _nowhere(file: str, elsewhere: tuple[Path, ...]) -> Finding:
    if not elsewhere:
        return failure("no hooks are installed in {file}", _APPLY, file=file)
    what = "no hooks are installed in {file}; those in {other} are read by another claude"
    return failure(what, _APPLY, file=file, other=elsewhere[0])


def _stale(document: Document, subject: Subject) -> Finding | None:
    """Return what is wrong with hooks written for another command or folder, if they are."""
    for entry in document.ours():
        named = standing.named(entry.command)
        if named is None:
            continue
        said = {"file": document.file, "command": named.executable, "inbox": named.inbox}
        if standing.missing(named.executable):
            what = "hooks in {file} are silent: {command}, which they name, does not start"
            return failure(what, _APPLY, **said)
        if named.inbox != subject.inbox:
            what = "hooks in {file} put their events into {inbox}, and {folder} is looked into"
            return failure(what, _APPLY, **said, folder=subject.inbox)
    return None


def _of_project(document: Document, cwd: Path) -> list[Document]:
    """Return the settings of the project, the one that wins last: they go before the user's."""
    others = []
    for path in dict.fromkeys((cwd / _PROJECT, cwd / _LOCAL, _main_checkout(cwd) / _LOCAL)):
        if str(path) == document.file:
            continue
        # Not there, or not ours to judge: the client says so itself.
        with contextlib.suppress(OSError, FlightdeckError):
            others.append(read(text_of(path.read_bytes(), path), str(path)))
    return others


def _main_checkout(cwd: Path) -> Path:
    """Return the main checkout `cwd` belongs to, itself where it belongs to none."""
    for folder in (cwd, *cwd.parents):
        mark = folder / ".git"
        if mark.is_dir():
            return folder
        if mark.is_file():
            with contextlib.suppress(OSError, UnicodeDecodeError):
                told = Path(mark.read_text(encoding="utf-8").removeprefix("gitdir:").strip())
                return told.parents[2] if told.parent.name == "worktrees" else folder
    return cwd


def _switched_off(document: Document, others: Iterable[Document]) -> Iterator[Finding]:
    """The last file that says anything of `disableAllHooks` decides, for its own project."""
    if faults.disabled(document):
        what = "{file}: {setting} is true; no hook runs"
        yield failure(what, _TAKE_OUT, file=document.file, setting=_DISABLE)
    told = [other for other in others if faults.disabled(other) is not None]
    if told and faults.disabled(told[-1]):
        what = "{file}: {setting} is true; no hook runs in this project"
        yield failure(what, _TAKE_OUT, file=told[-1].file, setting=_DISABLE)


def _twice(document: Document, others: Iterable[Document]) -> Iterator[Finding]:
    """An event in both the user's and the project's settings runs our hook twice."""
    here = {entry.event for entry in document.ours()}
    for other in others:
        for event in sorted(here & {entry.event for entry in other.ours()}):
            said = {"event": Known(event), "file": document.file, "other": other.file}
            what = "{event} is hooked twice: in {file} and in {other}"
            yield warning(what, "take our entry out of {other}", **said)


def _answering_too(documents: Iterable[Document]) -> Iterator[Finding]:
    """The first hook that decides wins: a stranger's may allow what nobody has pressed."""
    for document in documents:
        for command in document.foreign(PERMISSION_EVENT):
            shown = printable(command)
            if len(shown) > _COMMAND_CHARS:
                shown = shown[: _COMMAND_CHARS - 1] + "…"
            what = "another tool also answers permission requests: '{command}' in {file}"
            hint = "take that hook out, or know that it may be first"
            yield warning(what, hint, command=shown, file=document.file)
