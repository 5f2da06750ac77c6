"""The files of the window itself: its style, its scripts and its icon."""

from __future__ import annotations

import os

_FOLDER = f"{os.path.dirname(__file__)}/static"
TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


def names() -> list[str]:
    """Return the names of all files."""
    return [name for name in os.listdir(_FOLDER) if name.rpartition(".")[2] in TYPES]


def static(name: str) -> bytes:
    """Return the content of a file."""
    with open(f"{_FOLDER}/{name}", "rb") as file:
        return file.read()
