"""The layout below `memory/`: a folder for each scope, a file for each memory.

    global/  projects/<id>/  teams/<id>/  agents/<id>/  sessions/<session id>/
        <memory id>.json         one memory; some have a published name, such as context.json
        <memory id>.full.json    the full text of a memory that is too long for its file
        _index.json              the index; _index-2.json and so on if it is long
        archive/                 the same files for superseded, merged and archived memories
    sessions/current.json, sessions/archive/<session id>.json, sessions/_index.json

A file in `team/<id>/`, as the publication also calls it, is adopted and moved to `teams/<id>/`.
Other protocols keep files in the same folders: `memory.json`, and `sessions/<id>.json`. This
protocol never touches them.
"""

from __future__ import annotations

from varves.values.ids import is_memory_id
from varves.values.scope import level_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from varves.values.memory import Memory
    from varves.values.outline import Outline

ROOT = "memory"
FOLDERS = {
    "global": "global",
    "project": "projects",
    "team": "teams",
    "agent": "agents",
    "session": "sessions",
}
CURRENT = f"{ROOT}/sessions/current.json"
SESSION_ARCHIVE = f"{ROOT}/sessions/archive"
SESSION_INDEX = f"{ROOT}/sessions/_index.json"
PUBLISHED = {
    "global": ("user-profile.json", "system-config.json", "terminology.json"),
    "project": ("context.json",),
}
ARCHIVE = "archive"
FULL = ".full.json"
LIVE = ("active", "flagged")
RETIRED = ("superseded", "archived", "expired")
ALSO_READ = {"team": "team"}
"""Other folders whose files are adopted; the publication names `team/<id>` once."""
_LEVELS = {folder: level for level, folder in FOLDERS.items()} | ALSO_READ
_OTHERS = ("memory.json", "current.json")


def folder_of(scope: str) -> str:
    """Return the folder of a scope's memories."""
    level, _, name = scope.partition(":")
    return f"{ROOT}/{FOLDERS[level]}/{name}" if name else f"{ROOT}/{FOLDERS[level]}"


def folders_of(scope: str) -> list[str]:
    """Return every folder in which a scope's memories may lie, the one that is written first."""
    level, _, name = scope.partition(":")
    others = [folder for folder, known in ALSO_READ.items() if known == level and name]
    return [folder_of(scope), *(f"{ROOT}/{folder}/{name}" for folder in others)]


def is_written_here(path: str) -> bool:
    """Return whether a path is in a folder that is written, not only read."""
    return path.split("/")[1] not in ALSO_READ


def place_of(path: str) -> tuple[str, bool, str] | None:
    """Return the scope of a path below `memory/`, whether it is archived, and the file's name."""
    parts = path.split("/")
    if parts[0] != ROOT or len(parts) < 3 or parts[1] not in _LEVELS:
        return None
    level = _LEVELS[parts[1]]
    depth = 2 if level == "global" else 3
    rest = parts[depth:]
    if level == "session" and parts[2] == ARCHIVE:
        return None
    archived = len(rest) == 2 and rest[0] == ARCHIVE
    if len(rest) != 1 and not archived:
        return None
    scope = level if level == "global" else f"{level}:{parts[2]}"
    return scope, archived, rest[-1]


def is_index(path: str) -> bool:
    """Return whether a path is an index or a part of one."""
    if path == SESSION_INDEX:
        return True
    place = place_of(path)
    return place is not None and _is_index_name(place[2])


def _is_index_name(name: str) -> bool:
    stem = name.removesuffix(".json")
    return stem == "_index" or (stem.startswith("_index-") and stem[7:].isdigit())


def is_entry(path: str) -> bool:
    """Return whether a path is the file of a memory."""
    place = place_of(path)
    return place is not None and may_be_named(place[2])


def may_be_named(name: str) -> bool:
    """Return whether a memory's file may have this name."""
    return (
        name.endswith(".json") and name[0] not in "._" and name not in _OTHERS and "/" not in name
    )


def is_published(path: str) -> bool:
    """Return whether a path is one that the protocol defines for a memory."""
    place = place_of(path)
    if place is None:
        return False
    scope, _, name = place
    stem = name.partition(".")[0]
    return is_memory_id(stem) or name in PUBLISHED.get(level_of(scope), ())


def is_session(path: str) -> bool:
    """Return whether a path is the document of a session."""
    folder, _, name = path.rpartition("/")
    return path == CURRENT or (
        folder == SESSION_ARCHIVE and name.endswith(".json") and name[0] not in "._"
    )


def name_of(memory: Memory) -> str:
    """Return the name of a memory's file: a published name, or else its id."""
    return name_for(memory.id, memory.extra.get("file"))


def name_for(name: str, file: Any) -> str:
    """Return the name of the file of a memory with this id and this value of `file`."""
    fits = isinstance(file, str) and may_be_named(file) and not file.endswith(FULL)
    if fits and not is_memory_id(str(file).removesuffix(".json")):
        return str(file)
    return f"{name}.json"


def path_of(memory: Memory) -> str:
    """Return the path of a current memory's file."""
    return f"{folder_of(memory.scope)}/{name_of(memory)}"


def is_spoilt(memory: Memory, unreadable: Collection[str]) -> bool:
    """Return whether a memory's file cannot be read; rules do not change such a memory."""
    return bool(unreadable) and path_of(memory) in unreadable


def kept_here(memory: Memory | Outline) -> bool:
    """Return whether a memory is stored in the log from which its folder is rendered.

    A tracked file shows only memories of the project's log or of its team's log.
    """
    level = level_of(memory.scope)
    if level == "session":
        return memory.kept == "private"
    if level == "global":
        return memory.kept == "global"
    return memory.kept == "project" or (level == "team" and memory.kept == memory.scope)
