"""Windows' shells called from a Unix one: what `pwsh -c …` or `cmd.exe /c …` would run.

Found in Git Bash and on machines that have PowerShell besides. It knows no rule.

Source: Microsoft Learn, "about_Pwsh", "cmd"; risk/README.md.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.model.shell import Feed, Script, Word
from flightdeck.risk import powershell

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flightdeck.risk.line import Command, Line

    RunText = Callable[[Word, Command, tuple[str, ...]], object]

SHELLS = frozenset({"powershell", "pwsh", "cmd", "PowerShell", "CMD"})


def run(command: Command, name: str, line: Line, run_text: RunText) -> None:
    """Keep what a Windows shell would run; `run_text` reads text for a Unix shell again."""

    def unix(words: str) -> Script:
        mark = len(line.found)
        run_text(
            Word(words, command.span), replace(command, words=(), redirects=(), wrappers=()), ()
        )
        found = tuple(line.found[mark:])
        del line.found[mark:]
        return Script(found)

    script = powershell.parse(_quoted(name, command.words[1:]), unix)
    line.opaque = line.opaque or script.opaque
    for item in script.invocations:
        line.found.append(
            replace(
                item,
                span=command.span,
                path=command.words[0],
                wrappers=command.wrappers + item.wrappers,
                redirects=command.redirects + item.redirects,
                upstream=item.upstream or command.stdin.upstream,
                feed=item.feed if item.feed is not Feed.NONE else command.stdin.feed,
            )
        )


def _quoted(name: str, words: Sequence[Word]) -> str:
    """Return the call as PowerShell would be given it, each word in quotes."""
    return " ".join(("&", name, *("'" + word.text.replace("'", "''") + "'" for word in words)))
