"""A model played on loopback: a real HTTP server that speaks OpenAI's and Anthropic's wire formats.

It answers by a script, one act for each call and the last one for ever, and keeps what it was sent.
"""

from __future__ import annotations

import json
import socket
import socketserver
import threading
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    Act = Callable[["Exchange", dict[str, Any]], None]

CHAT, MESSAGES = "/v1/chat/completions", "/v1/messages"
MODEL = "played-1"
WAIT = 60  # seconds that a held answer waits at most for its release


def chat(text: Any, *, cut: bool = False, tokens: tuple[int, int] = (11, 7)) -> dict[str, Any]:
    """Return an answer as OpenAI writes it."""
    message = {"role": "assistant", "content": text, "refusal": None}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_800_000_000,
        "model": MODEL,
        "choices": [
            {
                "index": 0,
                "message": message,
                "logprobs": None,
                "finish_reason": "length" if cut else "stop",
            }
        ],
        "usage": {
            "prompt_tokens": tokens[0],
            "completion_tokens": tokens[1],
            "total_tokens": sum(tokens),
        },
    }


def messages(text: Any, *, cut: bool = False, tokens: tuple[int, int] = (11, 7)) -> dict[str, Any]:
    """Return an answer as Anthropic writes it."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": [] if text is None else [{"type": "text", "text": text}],
        "stop_reason": "max_tokens" if cut else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": tokens[0], "output_tokens": tokens[1]},
    }


FORMS = {CHAT: chat, MESSAGES: messages}


class Exchange(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server: Played

    def do_POST(self) -> None:
        """Take a question and play the next act."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.next_act({"path": self.path, "headers": headers, "body": body})(self, body)

    def send(self, content: bytes, *, status: int = 200, **headers: str) -> None:
        """Answer whole."""
        self.head(len(content), status=status, **headers)
        self.wfile.write(content)

    def head(self, length: int, *, status: int = 200, **headers: str) -> None:
        """Begin an answer of some length."""
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def cut(self) -> None:
        """Break the connection off."""
        self.close_connection = True
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""


class Played(socketserver.ThreadingTCPServer):
    """The model behind an address of this machine."""

    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Exchange)
        self.script: list[Act] = [says("Fine.")]
        self.asked: list[dict[str, Any]] = []
        self.reached: list[Any] = []
        """The addresses this process connected to."""
        self.released = threading.Event()
        self.arrived = threading.Semaphore(0)
        self._turn = threading.Lock()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server_address[1])

    def address(self, provider: str) -> str:
        """Return the `base_url` under which a provider's package finds it."""
        return f"http://127.0.0.1:{self.port}" + ("/v1" if provider == "openai" else "")

    def plays(self, *acts: Act) -> None:
        """Set what it does with the next calls."""
        self.script = list(acts)

    def next_act(self, asked: dict[str, Any]) -> Act:
        """Note a question and return what to do with it."""
        with self._turn:
            self.asked.append(asked)
            self.arrived.release()
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def handle_error(self, *_: Any) -> None:
        """Say nothing of a caller that left."""

    def settings(self, provider: str = "openai", **more: Any) -> str:
        """Return the lines of settings.toml that name it."""
        table = {
            "provider": provider,
            "base_url": self.address(provider),
            "model": "small",
            "backoff": 0.001,
            **more,
        }
        return "[model]\n" + "".join(f"{name} = {_toml(part)}\n" for name, part in table.items())


def _toml(part: Any) -> str:
    if isinstance(part, dict):
        return "{" + ", ".join(f"{name} = {_toml(one)}" for name, one in part.items()) + "}"
    return json.dumps(part)


def says(text: Any, **options: Any) -> Act:
    """Answer with a text, in the format that was asked in."""

    def act(exchange: Exchange, body: dict[str, Any]) -> None:
        told = text(body) if callable(text) else text
        exchange.send(json.dumps(FORMS[exchange.path](told, **options)).encode())

    return act


def sends(content: bytes, *, status: int = 200, **headers: str) -> Act:
    """Answer with bytes as they are."""
    return lambda exchange, _: exchange.send(content, status=status, **headers)


def fails(status: int, **headers: str) -> Act:
    """Answer with an error, as both formats write it."""
    told = json.dumps({"type": "error", "error": {"type": "played", "message": "as played"}})
    return sends(told.encode(), status=status, **headers)


def holds(exchange: Exchange, body: dict[str, Any]) -> None:
    """Answer nothing until it is released."""
    exchange.server.released.wait(WAIT)
    says("Late.")(exchange, body)


def drips(exchange: Exchange, _: dict[str, Any]) -> None:
    """Answer a byte at a time, for longer than anybody waits."""
    exchange.head(100 * WAIT)
    try:
        for _ in range(100 * WAIT):
            if exchange.server.released.wait(0.01):
                break
            exchange.wfile.write(b" ")
            exchange.wfile.flush()
    except OSError:
        pass
    exchange.close_connection = True


def breaks_off(exchange: Exchange, _: dict[str, Any]) -> None:
    """Begin an answer, and break off within it."""
    content = json.dumps(FORMS[exchange.path]("Half of it")).encode()
    exchange.head(len(content))
    exchange.wfile.write(content[: len(content) // 2])
    exchange.cut()


def hangs_up(exchange: Exchange, _: dict[str, Any]) -> None:
    """Break off before any answer."""
    exchange.cut()


def floods(exchange: Exchange, _: dict[str, Any]) -> None:
    """Answer far more than anybody can want."""
    exchange.head(1 << 40)
    try:
        while not exchange.server.released.is_set():
            exchange.wfile.write(b"[" * 65536)
    except OSError:
        pass
    exchange.close_connection = True
