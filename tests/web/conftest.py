"""The window of a project, asked over HTTP without a network."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from varves.cli.ui import VerbAnswers
from varves.loopback.gate import Gate
from varves.values.ids import IdSource
from varves.web.app import application
from varves.web.serving import SAYS, clock_of
from varves.web.visitor import Visitor
from varves.web.window import Window

if TYPE_CHECKING:
    from collections.abc import Callable

PORT = 8765
HOME = f"http://127.0.0.1:{PORT}"


class Answer:
    """What came back for one request."""

    def __init__(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        self.status = status
        self.headers = {name.decode().lower(): value.decode() for name, value in headers}
        self.body = body

    @property
    def text(self) -> str:
        return self.body.decode()


class Browser:
    """A person's browser: it keeps the cookie and sends what a browser sends."""

    def __init__(self, window: Window, visitor: Visitor) -> None:
        self.window, self.visitor = window, visitor
        self.app = Gate(application(window, visitor), port=PORT, passes=visitor, says=SAYS)
        self.cookie = ""

    def open(self) -> Answer:
        """Open the printed address."""
        found = self.get(f"/open?t={self.visitor.token}", site="none")
        self.cookie = found.headers["set-cookie"].partition(";")[0]
        return found

    def get(self, path: str, *, site: str = "same-origin", **headers: str | None) -> Answer:
        return self.ask("GET", path, {"sec-fetch-site": site, **headers})

    def post(self, path: str, _key: bool = True, **fields: str) -> Answer:
        """Send a form of the window."""
        if _key:
            fields = {"key": self.window.form_key, **fields}
        own = {"origin": HOME, "sec-fetch-site": "same-origin"}
        return self.ask("POST", path, own, urlencode(fields).encode())

    def ask(
        self, method: str, path: str, headers: dict[str, str | None], body: bytes = b""
    ) -> Answer:
        """Send one request and return the answer."""
        given = {"host": f"127.0.0.1:{PORT}", "cookie": self.cookie, **headers}
        if body:
            given.setdefault("content-type", "application/x-www-form-urlencoded")
        path, _, query = path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [
                (name.replace("_", "-").encode(), value.encode("latin-1"))
                for name, value in given.items()
                if value
            ],
            "server": ("127.0.0.1", PORT),
            "client": ("127.0.0.1", 5555),
        }
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        asyncio.run(self.app(scope, receive, send))
        body = b"".join(part.get("body", b"") for part in sent[1:])
        return Answer(sent[0]["status"], sent[0]["headers"], body)


@pytest.fixture
def windowed(ledger: Any) -> Callable[..., Browser]:
    """Open the window of the project; `read_only` as on the command line."""

    def opened(*, known: bool = True, **options: Any) -> Browser:
        visitor = Visitor(IdSource(), PORT)
        window = Window(
            ledger, VerbAnswers(), clock_of(ledger), form_key=visitor.form_key, **options
        )
        browser = Browser(window, visitor)
        if known:
            browser.open()
        return browser

    return opened


@pytest.fixture
def browser(windowed: Callable[..., Browser]) -> Browser:
    """A browser that has opened the printed address."""
    return windowed()
