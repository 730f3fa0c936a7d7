"""A tool server on stdin and stdout whose one tool asks the person a question first.

Run by the client as a program of its own, so it imports nothing of the project.

Source: the Model Context Protocol, `elicitation/create`.
"""

from __future__ import annotations

import json
import sys
from typing import Any

ASK_TOOL = {
    "name": "ask",
    "description": "Asks the person for a name",
    "inputSchema": {"type": "object", "properties": {"what": {"type": "string"}}},
}
QUESTION = {
    "message": "What is your name?",
    "requestedSchema": {
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
    },
}


def receive() -> dict[str, Any] | None:
    """Return the next message, or None once the client has gone."""
    line = sys.stdin.readline()
    return dict(json.loads(line)) if line else None


def send(**fields: object) -> None:
    """Write one message."""
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **fields}) + "\n")
    sys.stdout.flush()


def call() -> dict[str, object]:
    """Ask the person, wait for the answer, and return what the tool says."""
    send(id="question", method="elicitation/create", params=QUESTION)
    while (message := receive()) is not None and message.get("id") != "question":
        pass
    return {"content": [{"type": "text", "text": "thank you"}]}


def answer(message: dict[str, Any]) -> dict[str, object]:
    """Return the result one request gets."""
    match message.get("method"):
        case "initialize":
            return {
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "labmcp", "version": "1"},
            }
        case "tools/list":
            return {"tools": [ASK_TOOL]}
        case "tools/call":
            return call()
        case _:
            return {}


def main() -> None:
    """Serve until the client closes the pipe."""
    while (message := receive()) is not None:
        if "method" in message and "id" in message:
            send(id=message["id"], result=answer(message))


if __name__ == "__main__":
    main()
