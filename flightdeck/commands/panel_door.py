"""How `press`, `verdict`, `send` and `select` ask the running panel, and tell what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flightdeck.commands.plain import plain
from flightdeck.commands.result import Exit, Result
from flightdeck.errors import Refused, Unavailable
from flightdeck.panel.control import ask
from flightdeck.store.instance import running_panel
from flightdeck.system import clock

if TYPE_CHECKING:
    from flightdeck.store.paths import StateFolder

_ANSWER_S = 15.0
_START_S, _RETRY_S = 10.0, 0.02


def ask_panel(folder: StateFolder, request: dict[str, Any], hold_s: float = 0.0) -> dict[str, Any]:
    """Return what the panel answers; it may take `hold_s` seconds longer than usual.

    Raises:
        Refused: the panel says no; its reason and hint.
        Unavailable: no panel runs, or it does not answer.
    """
    answer = ask(_control(folder), request, _ANSWER_S + hold_s)
    if problem := str(answer.get("problem", "the panel did not say what came of it")):
        raise Refused(problem, str(answer.get("hint", "")))
    return answer


def _control(folder: StateFolder) -> str:
    """Return where the panel listens; one that is only starting is waited for."""
    patience = clock.monotonic() + _START_S
    while (panel := running_panel(folder)) is not None:
        if panel.control:
            return panel.control
        if clock.monotonic() > patience:
            raise Unavailable("the panel does not listen", "`flightdeck doctor` looks at it")
        clock.pause(_RETRY_S)
    raise Unavailable("no panel is running", "start one with `flightdeck run`")


def told(who: str, answer: dict[str, Any]) -> Result:
    """Return a panel's answer as a result: done, or armed and waiting for a second time."""
    code = Exit.ARMED if answer.get("armed") else Exit.DONE
    done = plain(f"{who}: {answer.get('done', 'done')}")
    hint = plain(str(answer.get("hint", "")))
    return Result((done, f"  hint: {hint}") if hint else (done,), code=code)
