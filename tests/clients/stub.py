"""The model of the rig: a server on loopback that speaks the four wire formats the clients speak.

It calls the tools a test wants called, each once and in order, as soon as a request offers the
next; every other question gets a fixed text. What it was asked is kept, since only that shows what
a model would have read.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MODEL = "played-1"
USAGE = (900, 12)  # tokens in, tokens out, as every answer reports them


@dataclass(frozen=True)
class Call:
    """A tool to call: a client's own by its whole name, ours by its name within the server."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)
    server: str = ""

    def fits(self, offered: Offered) -> bool:
        """Tell whether an offered tool is the one meant, however the client spells it."""
        whole = offered.space + offered.name
        if not self.server:
            return offered.name == self.tool
        return self.server in whole and whole.endswith(self.tool)


@dataclass(frozen=True)
class Offered:
    """A tool as a request offers it."""

    name: str
    space: str = ""


@dataclass(frozen=True)
class Asked:
    """A request that reached the model."""

    form: str
    path: str
    body: dict[str, Any]
    offered: tuple[Offered, ...]
    results: tuple[str, ...]
    """What tools answered, each as the model reads it."""

    @property
    def text(self) -> str:
        """Everything in it that is text, with the JSON of its wire taken off."""
        return "\n".join(strings(self.body))


def strings(value: Any) -> Iterator[str]:
    """Walk the texts within a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)


def _flat(value: Any) -> str:
    return "\n".join(strings(value))


class Messages:
    """Anthropic's Messages."""

    def offered(self, body: dict[str, Any]) -> list[Offered]:
        return [
            Offered(tool["name"]) for tool in body.get("tools", ()) if not tool.get("defer_loading")
        ]

    def results(self, body: dict[str, Any]) -> list[str]:
        parts = [
            part
            for message in body.get("messages", ())
            if isinstance(message["content"], list)
            for part in message["content"]
        ]
        return [_flat(part.get("content")) for part in parts if part.get("type") == "tool_result"]

    def answer(self, said: str | Call, name: Offered | None, serial: int) -> list[tuple[str, Any]]:
        block: dict[str, Any]
        if isinstance(said, Call):
            assert name is not None
            block = {"type": "tool_use", "id": f"toolu_{serial:08}", "name": name.name, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(said.arguments)}
        else:
            block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": said}
        stop = "tool_use" if isinstance(said, Call) else "end_turn"
        message = {
            "id": f"msg_{serial:08}",
            "type": "message",
            "role": "assistant",
            "model": MODEL,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": USAGE[0], "output_tokens": 1},
        }
        events = [
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {
                "type": "message_delta",
                "delta": {"stop_reason": stop, "stop_sequence": None},
                "usage": {"output_tokens": USAGE[1]},
            },
            {"type": "message_stop"},
        ]
        return [(event["type"], event) for event in events]

    def whole(self, events: list[tuple[str, Any]]) -> Any:
        """Return the same answer for a caller that did not ask for a stream."""
        start, block, delta = (event for _, event in events[:3])
        if block["content_block"]["type"] == "text":
            content = {"type": "text", "text": delta["delta"]["text"]}
        else:
            content = {
                **block["content_block"],
                "input": json.loads(delta["delta"]["partial_json"]),
            }
        return {
            **start["message"],
            "content": [content],
            "stop_reason": events[4][1]["delta"]["stop_reason"],
            "usage": {"input_tokens": USAGE[0], "output_tokens": USAGE[1]},
        }


class Responses:
    """OpenAI's Responses; Codex groups the tools of an MCP server in a namespace."""

    def offered(self, body: dict[str, Any]) -> list[Offered]:
        found = []
        for tool in body.get("tools", ()):
            if tool["type"] == "namespace":
                found += [Offered(one["name"], tool["name"]) for one in tool["tools"]]
            elif "name" in tool:
                found.append(Offered(tool["name"]))
        return found

    def results(self, body: dict[str, Any]) -> list[str]:
        asked = body.get("input", ())
        return [
            _flat(entry.get("output"))
            for entry in (asked if isinstance(asked, list) else ())
            if str(entry.get("type", "")).endswith("_call_output")
        ]

    def answer(self, said: str | Call, name: Offered | None, serial: int) -> list[tuple[str, Any]]:
        entry: dict[str, Any]
        if isinstance(said, Call):
            assert name is not None
            entry = {
                "type": "function_call",
                "id": f"fc_{serial:08}",
                "call_id": f"call_{serial:08}",
                "name": name.name,
                "arguments": json.dumps(said.arguments),
                "status": "completed",
            }
            if name.space:
                entry["namespace"] = name.space
        else:
            entry = {
                "type": "message",
                "id": f"msg_{serial:08}",
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": said, "annotations": []}],
            }
        usage = {
            "input_tokens": USAGE[0],
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": USAGE[1],
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": sum(USAGE),
        }
        response = {"id": f"resp_{serial:08}", "object": "response", "model": MODEL, "output": []}
        events = [
            {"type": "response.created", "response": {**response, "status": "in_progress"}},
            {"type": "response.output_item.added", "output_index": 0, "item": entry},
            {"type": "response.output_item.done", "output_index": 0, "item": entry},
            {
                "type": "response.completed",
                "response": {**response, "status": "completed", "output": [entry], "usage": usage},
            },
        ]
        return [
            (event["type"], {**event, "sequence_number": at}) for at, event in enumerate(events)
        ]

    def whole(self, events: list[tuple[str, Any]]) -> Any:
        """Return the same answer for a caller that did not ask for a stream."""
        return events[-1][1]["response"]


class Chat:
    """OpenAI's Chat."""

    def offered(self, body: dict[str, Any]) -> list[Offered]:
        return [
            Offered(tool["function"]["name"])
            for tool in body.get("tools") or ()
            if "function" in tool
        ]

    def results(self, body: dict[str, Any]) -> list[str]:
        return [
            _flat(message.get("content"))
            for message in body.get("messages", ())
            if message.get("role") == "tool"
        ]

    def answer(self, said: str | Call, name: Offered | None, serial: int) -> list[tuple[str, Any]]:
        delta: dict[str, Any]
        if isinstance(said, Call):
            assert name is not None
            function = {"name": name.name, "arguments": json.dumps(said.arguments)}
            call = {"index": 0, "id": f"call_{serial:08}", "type": "function", "function": function}
            delta, stop = {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
        else:
            delta, stop = {"role": "assistant", "content": said}, "stop"
        chunk = {
            "id": f"chatcmpl-{serial:08}",
            "object": "chat.completion.chunk",
            "created": 1_800_000_000,
            "model": MODEL,
        }
        usage = {
            "prompt_tokens": USAGE[0],
            "completion_tokens": USAGE[1],
            "total_tokens": sum(USAGE),
        }
        return [
            ("", {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}),
            ("", {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": stop}]}),
            ("", {**chunk, "choices": [], "usage": usage}),
            ("", "[DONE]"),
        ]

    def whole(self, events: list[tuple[str, Any]]) -> Any:
        """Return the same answer for a caller that did not ask for a stream."""
        first, second, third = (event for _, event in events[:3])
        choice = {
            "index": 0,
            "message": first["choices"][0]["delta"],
            "finish_reason": second["choices"][0]["finish_reason"],
        }
        return {**third, "object": "chat.completion", "choices": [choice]}


class Gemini:
    """Google's generateContent."""

    def offered(self, body: dict[str, Any]) -> list[Offered]:
        return [
            Offered(one["name"])
            for tool in body.get("tools", ())
            for one in tool.get("functionDeclarations", ())
        ]

    def results(self, body: dict[str, Any]) -> list[str]:
        return [
            _flat(part["functionResponse"].get("response"))
            for content in body.get("contents", ())
            for part in content.get("parts", ())
            if "functionResponse" in part
        ]

    def answer(self, said: str | Call, name: Offered | None, serial: int) -> list[tuple[str, Any]]:
        part: dict[str, Any]
        if isinstance(said, Call):
            assert name is not None
            called = {"id": f"call_{serial:08}", "name": name.name, "args": said.arguments}
            part = {"functionCall": called}
        else:
            part = {"text": said}
        usage = {
            "promptTokenCount": USAGE[0],
            "candidatesTokenCount": USAGE[1],
            "totalTokenCount": sum(USAGE),
        }
        candidate = {
            "index": 0,
            "content": {"role": "model", "parts": [part]},
            "finishReason": "STOP",
        }
        answer = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": MODEL}
        return [("", {**answer, "responseId": f"resp-{serial}"})]

    def whole(self, events: list[tuple[str, Any]]) -> Any:
        """Return the same answer for a caller that did not ask for a stream."""
        return events[0][1]


FORMS: dict[str, Any] = {
    "/v1/messages": Messages(),
    "/v1/responses": Responses(),
    "/v1/chat/completions": Chat(),
    "generateContent": Gemini(),
    "streamGenerateContent": Gemini(),
}
COUNTS = {"/v1/messages/count_tokens": "input_tokens", "countTokens": "totalTokens"}


class Exchange(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server: Stub

    def do_GET(self) -> None:
        """List the models."""
        listed = {"id": MODEL, "object": "model", "created": 1, "owned_by": "rig", "type": "model"}
        self._whole({"object": "list", "data": [listed], "models": [], "has_more": False})

    def do_HEAD(self) -> None:
        """Be there."""
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_CONNECT(self) -> None:
        """Refuse a way out of this machine."""
        self.server.strays.append(self.path)
        self.close_connection = True
        self.send_error(403)

    def do_POST(self) -> None:
        """Answer as the model."""
        read = self._body()
        try:
            body = json.loads(read)
        except ValueError:
            body = {"unread": read.decode("utf-8", errors="replace")}
        path, _, query = self.path.partition("?")
        verb = path.rpartition(":")[2] if ":" in path else path
        verb = verb if verb.startswith("/v1") or ":" in path else "/v1" + verb
        if verb in COUNTS:
            self._whole({COUNTS[verb]: USAGE[0]})
        elif verb in FORMS:
            events = self.server.answer(verb, self.path, body)
            if body.get("stream") or "alt=sse" in query:
                self._stream(events)
            else:
                self._whole(FORMS[verb].whole(events))
        else:
            self.server.strays.append(self.path)
            self._whole({"error": {"message": f"the rig has no {self.path}"}}, status=404)

    def _body(self) -> bytes:
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        read = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            read += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return read

    def _whole(self, content: Any, *, status: int = 200) -> None:
        sent = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def _stream(self, events: list[tuple[str, Any]]) -> None:
        sent = b""
        for name, content in events:
            text = content if isinstance(content, str) else json.dumps(content)
            sent += (f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""


class Stub(ThreadingHTTPServer):
    """The model behind an address of this machine."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Exchange)
        self.asked: list[Asked] = []
        self.strays: list[str] = []
        self.called: list[str] = []
        self.says: str | Callable[[Asked], str] = "Fine."
        self._wanted: list[Call] = []
        self._turn = threading.Lock()
        self._running = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Self:
        self._running.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def plays(self, *calls: Call, says: str | Callable[[Asked], str] = "Fine.") -> None:
        """Begin a session: forget what was asked, and set what is to be called and said."""
        with self._turn:
            self.asked, self.strays, self.called = [], [], []
            self._wanted, self.says = list(calls), says

    def answer(self, verb: str, path: str, body: dict[str, Any]) -> list[tuple[str, Any]]:
        """Note a request and return the events that answer it."""
        form = FORMS[verb]
        asked = Asked(
            type(form).__name__, path, body, tuple(form.offered(body)), tuple(form.results(body))
        )
        with self._turn:
            self.asked.append(asked)
            serial = len(self.asked)
            for call in self._wanted[:1]:
                for offered in asked.offered:
                    if call.fits(offered):
                        self._wanted.remove(call)
                        self.called.append(offered.space + offered.name)
                        return list(form.answer(call, offered, serial))
        said = self.says(asked) if callable(self.says) else self.says
        return list(form.answer(said, None, serial))

    def handle_error(self, *_: Any) -> None:
        """Say nothing of a caller that left."""
