"""Everything that was seen of a tale: what panels noted, what agents got, hooks, keys and times."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.panel.verb_client import Client, Delivery
    from tests.panel.verb_hooks import Ran
    from tests.panel.verb_window import Call

Span = tuple[float, float]


@dataclass
class Verb:
    """One press that staged a verb, and what is known of it."""

    mark: str
    whose: tuple[str, int]
    at: float
    token: str = ""
    until: float = 0.0
    staged: bool = False
    refused: bool = False
    cancelled: bool = False
    cancelling: bool = False
    panel: int = 0
    said: list[tuple[float, str]] = field(default_factory=list)
    woke: list[tuple[float, str, str]] = field(default_factory=list)
    deliveries: list[Delivery] = field(default_factory=list)


@dataclass
class Seen:
    """Everything that was seen of a tale."""

    notes: list[tuple[int, dict[str, Any]]]
    clients: list[Client]
    hooks: list[Ran]
    calls: list[Call]
    latched: list[Span]
    killed: dict[int, float]
    full: list[Span]
    fault: str
    ended_at: float
    left: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)


def story(seen: Seen) -> list[str]:
    """Return all of it in order, a line each."""
    lines = [(note["at"], f"panel {panel}: {_said(note)}") for panel, note in seen.notes]
    lines += [
        (call.ended, f"panel {call.panel}: window {call.window} {call.what} {call.text}")
        for call in seen.calls
    ]
    for ran in seen.hooks:
        fate = ", killed" * ran.killed + ", disk full" * ran.full
        what = f"hook {ran.event} of {ran.whose} until {ran.ended:.4f}{fate}: {len(ran.out)} bytes"
        lines.append((ran.began, what))
    for client in seen.clients:
        who = f"agent {client.number}"
        for m in client.history:
            lines.append((m.at, f"{who}: free {m.free}, id {m.session_id[-3:]}, pid {m.pid}"))
        lines += [(d.at, f"{who}: got {d.mark} ({d.way})") for d in client.deliveries]
    for name, spans in (("latch", seen.latched), ("disk full", seen.full)):
        lines += [(began, f"{name} until {ended:.4f}") for began, ended in spans]
    lines += [(at, f"panel {panel} killed") for panel, at in seen.killed.items()]
    return [f"  {at:.4f} {what}" for at, what in sorted(lines)]


def verbs_of(seen: Seen) -> dict[str, Verb]:
    verbs: dict[str, Verb] = {}
    by_token: dict[str, Verb] = {}
    for panel, note in seen.notes:
        match note["what"]:
            case "staging":
                mark = note["mark"]
                verbs[mark] = Verb(mark, tuple(note["whose"]), note["at"], panel=panel)
            case "refused":
                verbs[note["mark"]].refused = True
            case "staged":
                verb = verbs[note["mark"]]
                verb.token, verb.until, verb.staged = note["token"], note["until"], True
                by_token[verb.token] = verb
            case _:
                if (known := by_token.get(note.get("token", ""))) is not None:
                    _happened(known, note)
    return verbs


def _happened(verb: Verb, note: dict[str, Any]) -> None:
    match note["what"]:
        case "cancelled":
            verb.cancelled = True
        case "said":
            verb.said.append((note["at"], note["word"]))
        case "woke":
            verb.woke.append((note["at"], note["problem"], note["why"]))
        case _:
            pass


def _said(note: dict[str, Any]) -> str:
    return " ".join(f"{k}={v}" if k != "what" else str(v) for k, v in note.items() if k != "at")
