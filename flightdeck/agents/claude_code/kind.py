"""Claude Code as one agent kind: what the fold asks of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.agents.claude_code import decisions, inputbox, payloads, prompts
from flightdeck.agents.claude_code.registry import Registry, config_dir
from flightdeck.agents.claude_code.transcript import Transcripts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from flightdeck.model.decision import Decision
    from flightdeck.model.event import Event
    from flightdeck.model.inputbox import Box
    from flightdeck.model.session import Record, Session
    from flightdeck.model.signal import Signal
    from flightdeck.ports import Judge


class ClaudeCode:
    """Reads payloads, registries and transcripts of every config directory it hears of."""

    name = "claude-code"
    title = "Claude Code"

    def __init__(
        self, environ: Mapping[str, str] | None = None, judge: Judge | None = None
    ) -> None:
        """Start with the config directory of `environ`; `judge` tells the tier of a call."""
        self._judge = judge
        default = config_dir(os.environ if environ is None else environ)
        self._registries = {default: Registry(default / "sessions")}
        self._transcripts = Transcripts()

    def signals(self, event: Event) -> list[Signal]:
        """Return what a hook event says."""
        return payloads.signals(event, self._judge)

    def learn(self, sessions: Iterable[Session]) -> None:
        """Notice the config directories these sessions write their transcripts under."""
        for session in sessions:
            folder = _config_of(session.transcript)
            if folder is not None and folder not in self._registries:
                self._registries[folder] = Registry(folder / "sessions")

    def records(self) -> list[Record]:
        """Return the registry records that stand now."""
        return [record for reg in self._registries.values() for record in reg.records()]

    def interrupted_at(self, session: Session) -> float | None:
        """Return when the transcript says the running turn was interrupted, if it does."""
        return self._transcripts.interrupted_at(session.transcript) if session.transcript else None

    def watched(self) -> list[Path]:
        """Return the folders whose changes are news."""
        return [registry.folder for registry in self._registries.values()]

    def carry_on(self, prompt: str) -> str:
        """Return the line its Stop hook prints so that the turn goes on with `prompt`."""
        return prompts.carry_on(prompt)

    def wake_line(self, label: str, prompt_file: Path) -> str:
        """Return the one line that, typed, has it do what is in that file, "" if none does."""
        return prompts.wake_line(label, prompt_file)

    def input_box(self, screen: str) -> Box | None:
        """Return its input box as a screen without colours shows it; None: there is none."""
        return inputbox.read(screen)

    def answer(self, decision: Decision) -> str:
        """Return the line its waiting permission hook prints.

        Raises:
            ValueError: its permissions are no list in JSON; nothing may be printed then.
        """
        return decisions.line(decision)


def _config_of(transcript: str) -> Path | None:
    """Return the config directory of `<config>/projects/<project>/<session>.jsonl`."""
    parents = Path(transcript).parents if transcript else ()
    if len(parents) > 2 and parents[1].name == "projects":
        return parents[2]
    return None
