"""A browser, and the window of a project that a process of its own serves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import varves
from tests.browser import chromium
from tests.browser.scene import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NOW = "2026-11-16T09:00:00Z"


@pytest.fixture(scope="session")
def engine() -> Iterator[Any]:
    """Start the browser once for all tests."""
    if missing := chromium.lacking():
        if os.environ.get("VARVES_BROWSER") == "required":
            pytest.fail(f"{missing} is not here")
        pytest.skip(f"{missing} is not here")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.found(), args=list(chromium.FLAGS)
        )
        yield browser
        browser.close()


class Served:
    """The window of a project, and the pages that a test opens on it."""

    def __init__(self, engine: Any, root: Path, *words: str) -> None:
        self._engine = engine
        command = [sys.executable, "-m", "varves", "--root", str(root), "--json", "ui", "--no-open"]
        self._process = subprocess.Popen(
            [*command, *words], stdout=subprocess.PIPE, encoding="utf-8"
        )
        assert self._process.stdout is not None
        self.address = json.loads(self._process.stdout.readline())["url"]
        self.home = self.address.partition("/open")[0]
        self.pid = self._process.pid
        self._cookies: list[Any] = []
        self._contexts: list[Any] = []
        self.faults: list[str] = []
        self.strays: list[str] = []

    def page(self, **options: Any) -> Any:
        """Open a page of the person's browser; `options` are those of a browser context."""
        context = self._engine.new_context(
            **{"viewport": {"width": 1280, "height": 900}, **options}
        )
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("dialog", lambda dialog: self.faults.append(f"dialog: {dialog.message}"))
        page.on("request", self._asked)
        if self._cookies:
            context.add_cookies(self._cookies)
        else:
            page.goto(self.address)
            self._cookies = context.cookies()
        return page

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"{message.type}: {message.text}")

    def _asked(self, request: Any) -> None:
        if not request.url.startswith(self.home):
            self.strays.append(request.url)

    def close(self) -> None:
        """Close all pages and stop the server."""
        for context in self._contexts:
            context.close()
        self._process.terminate()
        self._process.wait(timeout=30)
        if self._process.stdout is not None:
            self._process.stdout.close()


@pytest.fixture
def serve(
    engine: Any, project: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Served]]:
    """Serve the project, at a fixed moment."""
    monkeypatch.setenv("VARVES_NOW", NOW)
    opened: list[Served] = []

    def served(*words: str) -> Served:
        opened.append(Served(engine, project, *words))
        return opened[-1]

    yield served
    for one in opened:
        one.close()


@pytest.fixture
def week(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Record a week of a small shop."""
    record(project, monkeypatch)


@pytest.fixture
def kept(project: Path) -> Callable[[], Any]:
    """Open the ledger beside the server."""

    def opened() -> Any:
        return varves.open(project)

    return opened
