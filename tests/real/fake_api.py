"""A loopback stand-in for the Messages API that plays scripts instead of thinking.

A prompt that holds `scenario:NAME` selects the script NAME. Which step of it is due follows
from the conversation itself (how many replies stand after that prompt), so the server keeps
no state and many sessions may talk to it at once. It must not know the product.

Source: what Claude Code 2.1.332 sends and accepts, watched on the wire.
"""

from __future__ import annotations

import itertools
import json
import re
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MARK = re.compile(r"scenario:([A-Za-z0-9_-]+)")
SUMMARY = "summary"  # the script for a request to sum the conversation up
_SESSION = re.compile(r"session_(?:id)?\W*([0-9a-f-]{36})")
_ids = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool call in a reply."""

    name: str
    given: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Step:
    """One reply: text or tool calls, `delay_s` before it, `word_s` between its words; or an error.

    `error` is (HTTP status, type, message).
    """

    says: Sequence[str | Tool] = ()
    delay_s: float = 0.0
    word_s: float = 0.0
    error: tuple[int, str, str] | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that came in: which script and step it got, and when (seconds since the epoch).

    `results` are the texts of the tool results it brought, those of the last reply's calls;
    `told` are all other texts since that reply, as prompts and what hooks fed back; `session`
    is the id of the session it came from. One that is `aside` is not part of a conversation.
    """

    script: str
    step: int
    at: float
    results: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    session: str = ""
    aside: bool = False


@dataclass(slots=True)
class FakeApi:
    """The server: start it once, then read `asked`."""

    scripts: Mapping[str, Sequence[Step]]
    asked: list[Asked] = field(default_factory=list)
    url: str = ""

    def start(self) -> None:
        """Listen on a free loopback port; `url` says which."""

        class Bound(_Handler):
            api = self

        server = ThreadingHTTPServer(("127.0.0.1", 0), Bound)
        self.url = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def when(self, script: str, step: int) -> float | None:
        """Return when that step was first asked for, or None so far."""
        asked = self.request(script, step)
        return asked.at if asked else None

    def request(self, script: str, step: int) -> Asked | None:
        """Return the first request for that step, or None so far."""
        return next((a for a in self.asked if (a.script, a.step) == (script, step)), None)

    def due(self, body: Mapping[str, Any]) -> Step:
        """Return the reply this request gets, and take note of it."""
        script, step = _place(body)
        aside = script != SUMMARY and not body.get("tools")
        came, told = tuple(_results(body)), tuple(_told(body))
        self.asked.append(Asked(script, step, time.time(), came, told, _session(body), aside))
        if aside:
            return Step([json.dumps({"title": "Lab session", "branch": "lab"})])
        steps = self.scripts.get(script, ())
        return steps[step] if step < len(steps) else Step(["That was all."])


def _place(body: Mapping[str, Any]) -> tuple[str, int]:
    messages = body.get("messages") or [{}]
    if any("<summary>" in t and "Do NOT call any tools" in t for t in _texts(messages[-1])):
        return SUMMARY, 0
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].get("role") != "user":
            continue
        marks = [m for text in _texts(messages[index]) for m in MARK.findall(text)]
        if marks:
            after = messages[index + 1 :]
            return marks[-1], sum(m.get("role") == "assistant" for m in after)
    return "", 0


def _texts(message: Mapping[str, Any]) -> Iterator[str]:
    content = message.get("content")
    if isinstance(content, str):
        yield content
        return
    yield from (b.get("text", "") for b in content or () if b.get("type") == "text")


def _results(body: Mapping[str, Any]) -> Iterator[str]:
    """Return what the tools gave since the last reply, in the order of the calls."""
    for message in _unanswered(body):
        content = message.get("content")
        for block in content if isinstance(content, list) else ():
            if block.get("type") == "tool_result":
                yield "".join(_texts(block))


def _told(body: Mapping[str, Any]) -> Iterator[str]:
    """Return what has been said since the last reply, the latest message first."""
    for message in _unanswered(body):
        yield from _texts(message)


def _unanswered(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for message in reversed(body.get("messages") or ()):
        if message.get("role") == "assistant":
            return
        yield message


def _session(body: Mapping[str, Any]) -> str:
    """Return the id the client gives with whom it asks for."""
    found = _SESSION.search(str((body.get("metadata") or {}).get("user_id") or ""))
    return found[1] if found else ""


class _Handler(BaseHTTPRequestHandler):
    """Speaks just enough of the protocol: messages, streamed or whole; tokens; errors."""

    protocol_version = "HTTP/1.1"
    api: FakeApi

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Say nothing: the lab's output is its result."""

    def do_HEAD(self) -> None:
        """Answer the client's look whether anybody is there."""
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        """Refuse everything: nothing the client may fetch is needed."""
        self._whole(404, _error("not_found_error", "not here"))

    def do_POST(self) -> None:
        """Play the step that is due."""
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if "count_tokens" in self.path:
            self._whole(200, {"input_tokens": 123})
        elif not self.path.startswith("/v1/messages"):
            self._whole(200, {})
        else:
            self._reply(json.loads(raw))

    def _reply(self, body: Mapping[str, Any]) -> None:
        step = self.api.due(body)
        time.sleep(step.delay_s)
        if step.error:
            status, kind, message = step.error
            self._whole(status, _error(kind, message))
            return
        blocks = [_block(part) for part in step.says]
        reply = _message(str(body.get("model")), blocks)
        if not body.get("stream"):
            self._whole(200, {**reply, "content": blocks})
            return
        try:
            self._stream(reply, blocks, step.word_s)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the person pressed Esc, or the client is gone

    def _whole(self, status: int, body: Mapping[str, object]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, message: dict[str, Any], blocks: list[dict[str, Any]], word_s: float) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        self._event("message_start", message={**message, "stop_reason": None})
        for index, block in enumerate(blocks):
            self._event("content_block_start", index=index, content_block=_opening(block))
            for delta in _deltas(block):
                self._event("content_block_delta", index=index, delta=delta)
                time.sleep(word_s)
            self._event("content_block_stop", index=index)
        ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
        self._event("message_delta", delta=ending, usage={"output_tokens": 150})
        self._event("message_stop")
        self.wfile.write(b"0\r\n\r\n")

    def _event(self, kind: str, **fields: object) -> None:
        text = f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(text), text))
        self.wfile.flush()


def _error(kind: str, message: str) -> dict[str, object]:
    return {"type": "error", "error": {"type": kind, "message": message}}


def _block(part: str | Tool) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    return {
        "type": "tool_use",
        "id": f"toolu_{next(_ids):08d}",
        "name": part.name,
        "input": dict(part.given),
    }


def _opening(block: dict[str, Any]) -> dict[str, Any]:
    return {**block, "text": ""} if block["type"] == "text" else {**block, "input": {}}


def _deltas(block: dict[str, Any]) -> Iterator[dict[str, str]]:
    if block["type"] == "text":
        for word in re.findall(r"\S+\s*", block["text"]):
            yield {"type": "text_delta", "text": word}
    else:
        yield {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}


def _message(model: str, blocks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    asks = any(b["type"] == "tool_use" for b in blocks)
    return {
        "id": f"msg_{next(_ids):08d}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": "tool_use" if asks else "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": 1000,
            "cache_creation_input_tokens": 200,
            "cache_read_input_tokens": 3000,
            "output_tokens": 150,
        },
    }
