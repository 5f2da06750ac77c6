"""Determines the state of evidence that is recorded with a memory, for later comparison."""

from __future__ import annotations

from varves.errors import NotFound, Refused
from varves.evidence.sight import LARGEST, Sight

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.context.context import Context

    Place = dict[str, Any]

PYTHON = (".py", ".pyi")


def noted(context: Context, place: Place) -> Place:
    """Return a pointer with the current state of its target.

    If the target does not exist, only its name is returned.
    """
    if "commit" in place:
        return _commit(context, place["commit"])
    sight = Sight(context.settings.root)
    look = sight.look(place["path"])
    content = sight.content(look) if look.kind == "file" else None
    if content is not None:
        from hashlib import sha256

        digest = sha256(content).hexdigest()
        return place | {"digest": digest, "size": len(content)} | _part(place, content)
    if look.kind == "folder" or (look.kind == "file" and look.size > LARGEST):
        return place | {"there": True}
    return place


def _part(place: Place, content: bytes) -> Place:
    """Return the fields that identify the line or definition a pointer names; {} if none."""
    from varves.evidence import passages

    lines = passages.lines_of(content) if "line" in place or "symbol" in place else None
    if lines is None:
        return {}
    if "symbol" in place:
        spans = passages.block(lines, place["symbol"], python=place["path"].endswith(PYTHON))
        return {"line": spans[0][0], "part": passages.marked(lines, spans)} if spans else {}
    start: int = place["line"]
    end: int = place.get("end", start)
    if not 0 < start <= end <= len(lines):
        return {}
    part = passages.mark(lines[start - 1 : end])
    return {"part": part, "around": passages.around(lines, start, end - start + 1)}


def _commit(context: Context, word: str) -> Place:
    from varves.evidence.commits import commit

    git = context.places.git
    if git is None:
        raise Refused("there is no git repository here", "use a file of the project as evidence")
    found = commit(git, word)
    if found is not None:
        return {"commit": found[0], "part": found[1]}
    if git.trouble() and len(word) in (40, 64):
        return {"commit": word}
    raise NotFound(f"no commit {word} here", "git log lists the commits")
