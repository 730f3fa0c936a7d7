"""How git is asked about a worktree that may be removed: bounded, blind to nothing, inert.

Inert: no hook, file monitor, pager, prompt, network, lock or clean-up of git's own starts.
Blind to nothing: what a configuration may hide (untracked files, submodules, changed
modes, replaced objects) is overridden; everything else stays as the person set it, since
it decides what git would check out again.

Source: git(1), "Environment Variables"; git-config(1).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable
from flightdeck.system import clock
from flightdeck.system.run import capture

if TYPE_CHECKING:
    from collections.abc import Collection

# One question takes milliseconds; a repository for which it does not is not proven clean.
CALL_S = 10.0
# No answer may be longer, in bytes.
LIMIT = 64 * 1024 * 1024
_ERROR_LIMIT = 400

# These name files of the person's own; every other GIT_* could point git elsewhere.
_KEPT = frozenset({"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"})
_SET = {
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
}
_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.fileMode=true",
    "core.trustctime=true",
    "core.checkStat=default",
    "core.commitGraph=false",
    "status.showUntrackedFiles=all",
    "diff.ignoreSubmodules=none",
    "submodule.recurse=false",
    "log.showSignature=false",
    "gc.auto=0",
    "maintenance.auto=false",
)


class Unproven(Exception):
    """A question got no answer that proves anything; `words` says why."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


def environment() -> dict[str, str]:
    """Return this process's environment without what would bend git's answers."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_") or k in _KEPT}
    kept.pop("LANGUAGE", None)
    return kept | _SET


class Git:
    """Asks git in one folder, until a deadline in monotonic seconds."""

    def __init__(self, top: str, until: float) -> None:
        self.top = top
        self.until = until
        settings = (word for setting in _SETTINGS for word in ("-c", setting))
        self._start = ("git", "--no-pager", "--literal-pathspecs", *settings)
        self._environment = environment()

    def ask(
        self,
        *words: str,
        stdin: bytes = b"",
        codes: Collection[int] = (0,),
    ) -> bytes:
        """Return what git prints.

        Raises:
            Unproven: it is not there, late, said too much, or ended with a status not in
                `codes`; then the words are its own.
        """
        code, out, error = self.run(*words, stdin=stdin)
        if code not in codes:
            raise Unproven(error or f"git {words[0]} ended with status {code}")
        return out

    def run(
        self, *words: str, stdin: bytes = b"", timeout_s: float = 0.0
    ) -> tuple[int, bytes, str]:
        """Return status, output and the errors git wrote, shortened; `timeout_s` 0: as usual.

        Raises:
            Unproven: it is not there, was late, or said too much.
        """
        left = self.until - clock.monotonic()
        if left <= 0:
            raise Unproven("the inspection took too long")
        try:
            done = capture(
                [*self._start, *words],
                timeout_s=min(timeout_s or CALL_S, left),
                limit=LIMIT,
                stdin=stdin,
                cwd=self.top,
                env=self._environment,
            )
        except Unavailable as error:
            raise Unproven(f"{error.message} (git {words[0]})") from error
        return done.code, done.out, _said(done.err)

    def rows(self, *words: str, stdin: bytes = b"") -> list[bytes]:
        """Return what git prints, cut at NUL.

        Raises:
            Unproven: as `ask`, or the last row is torn.
        """
        return cut(self.ask(*words, stdin=stdin), b"\0", words[0])


def cut(out: bytes, end: bytes, name: str) -> list[bytes]:
    """Return the rows of an output, each closed by `end`.

    Raises:
        Unproven: the last one is not closed.
    """
    rows = out.split(end)
    if rows.pop():
        raise Unproven(f"git {name} gave an answer that is cut off")
    return rows


def _said(errors: str) -> str:
    """Return git's words on one line, without its prefix, no longer than a person reads."""
    lines = (line.strip().removeprefix("fatal: ") for line in errors.splitlines())
    told = "; ".join(line for line in lines if line and not line.startswith("hint:"))
    return told if len(told) <= _ERROR_LIMIT else told[:_ERROR_LIMIT] + "…"
