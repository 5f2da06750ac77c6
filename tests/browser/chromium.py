"""Where the browser is, and what to say where it is not."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from typing import Any

FOLDER = "tests/browser/"
NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",  # the tests may run as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def found() -> str | None:
    """Return the path of a chromium."""
    named = os.environ.get("VARVES_CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def lacking() -> str:
    """Return what is missing to run the tests; empty if nothing is."""
    parts = [] if found() else ["a chromium (VARVES_CHROMIUM names it)"]
    if find_spec("playwright") is None or find_spec("axe_playwright_python") is None:
        parts.append("Playwright")
    return " and ".join(parts)


def missing(stats: dict[str, list[Any]]) -> str:
    """Return the line that says why the tests in a browser were skipped."""
    if any(report.nodeid.startswith(FOLDER) for report in stats.get("skipped", ())):
        return f"skipped, the tests in a browser (make test-browser): {lacking()} is not here"
    return ""
