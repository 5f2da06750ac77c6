"""Checks names that may become part of a path, and the paths a memory may point to."""

from __future__ import annotations

from varves.errors import UnsafeName
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_RESERVED = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{port}{n}" for port in ("com", "lpt") for n in range(10)),
}
_FORBIDDEN = set('/\\:*?"<>|')
MAX_NAME = 128


def safe_name(name: str, what: str) -> str:
    """Return the name, if it is safe in a path on every file system; otherwise raise an error."""
    stem = name.split(".", 1)[0].strip().lower()
    bad = (
        not name
        or len(name) > MAX_NAME
        or name[0] == "."
        or name[-1] in ". "
        or stem in _RESERVED
        or any(c in _FORBIDDEN or not c.isprintable() for c in name)
    )
    if bad:
        raise UnsafeName(
            f"unsafe {what}: {quoted(name)}",
            "use letters, digits, spaces, '-', '_' and '.', not a path",
        )
    return name


def safe_path(path: str, what: str) -> str:
    """Return a relative path with forward slashes; refuse a path that leaves the project."""
    parts = path.replace("\\", "/").split("/")
    absolute = path[:1] in ("/", "\\", "~") or path[1:2] == ":"
    nowhere = all(part == "." for part in parts)
    if absolute or nowhere or any(part in ("", "..") or not part.isprintable() for part in parts):
        raise UnsafeName(f"unsafe {what}: {quoted(path)}", "give a path inside the project")
    for part in parts:
        if part.split(".", 1)[0].lower() in _RESERVED:
            raise UnsafeName(f"unsafe {what}: {quoted(path)}", "that name is reserved")
    return "/".join(part for part in parts if part != ".")


def pointer(place: dict[str, Any]) -> str:
    """Return an evidence pointer as one word, in the form that `--evidence` accepts."""
    if "commit" in place:
        return f"commit:{str(place['commit'])[:12]}"
    path = str(place.get("path", ""))
    if "symbol" in place:
        return f"{path}::{place['symbol']}"
    lines = [str(place[name]) for name in ("line", "end") if name in place]
    return ":".join([path, "-".join(lines)]) if lines else path
