"""The index of a scope: the list of its entries, with look-up tables by tag and type.

An index is computed only from records and dated with their newest change, so that two clones at one
commit have the same bytes. A long index is split: the first file keeps the published keys, the
count and both look-up tables of the whole index, and names the other files.
"""

from __future__ import annotations

from varves.protocols.hivemind.documents import encoded, kind_of
from varves.protocols.hivemind.entries import SUBTYPES, body_of
from varves.protocols.hivemind.times import shown
from varves.protocols.hivemind.wording import summary_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from varves.protocols.hivemind.sessions import HivemindSession
    from varves.values.memory import Memory

VERSION = "1.0.0"
NEVER = "1970-01-01T00:00:00Z"


def line_of(memory: Memory, name: str) -> dict[str, Any]:
    """Return the line of an index for one memory."""
    return {
        "id": memory.id,
        "type": kind_of(memory),
        "subtype": memory.extra.get("subtype") or SUBTYPES.get(kind_of(memory), "fact"),
        "tags": list(memory.tags),
        "summary": memory.summary or summary_of(body_of(memory)),
        "priority": memory.priority or "medium",
        "created_at": shown(memory.created_at),
        "file_path": name,
    }


def index_files(
    folder: str, lines: Sequence[dict[str, Any]], *, changed: str, split_at: int
) -> dict[str, bytes]:
    """Return the files of one folder's index."""
    most = max(1, split_at - 1)
    first, rest = lines[:most], lines[most:]
    parts = {
        f"_index-{number}.json": rest[start : start + most]
        for number, start in enumerate(range(0, len(rest), most), start=2)
    }
    document: dict[str, Any] = {
        "version": VERSION,
        "last_updated": shown(changed) if changed else NEVER,
        "entry_count": len(lines),
        "entries": list(first),
        "tag_index": _by(lines, lambda line: line["tags"]),
        "type_index": _by(lines, lambda line: (line["type"],)),
    }
    if parts:
        document["parts"] = list(parts)
    found = {f"{folder}/_index.json": encoded(document)}
    for name, part in parts.items():
        found[f"{folder}/{name}"] = encoded({"version": VERSION, "entries": part})
    return found


def part_names(folder: str, count: int, split_at: int) -> Iterable[str]:
    """Return the paths that an index with this many entries may have used."""
    most = max(1, split_at - 1)
    yield f"{folder}/_index.json"
    for number in range(2, count // most + 2):
        yield f"{folder}/_index-{number}.json"


def _by(lines: Sequence[dict[str, Any]], keys: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in lines:
        for key in keys(line):
            found.setdefault(key, []).append(line["id"])
    return found


def session_index(sessions: Sequence[HivemindSession]) -> bytes:
    """Return the list of sessions, oldest first, with their statistics."""
    ended = [one for one in sessions if not one.running]
    minutes = [one.minutes for one in ended]
    tasks = [one.tasks_completed for one in sessions]
    active = [one.name for one in sessions if one.running]
    document = {
        "version": VERSION,
        "last_updated": max((one.last_activity for one in sessions), default=NEVER),
        "active_session": active[-1] if active else None,
        "total_sessions": len(sessions),
        "sessions": [
            {
                "session_id": one.name,
                "started_at": one.started_at,
                "last_activity": one.last_activity,
                "status": "active" if one.running else one.state,
                "tasks_completed": one.tasks_completed,
                "file_path": "current.json" if one.running else f"archive/{one.name}.json",
            }
            for one in sessions
        ],
        "statistics": {
            "avg_duration_minutes": round(sum(minutes) / len(minutes), 1) if minutes else 0,
            "avg_tasks_per_session": round(sum(tasks) / len(tasks), 1) if tasks else 0,
            "total_tasks_completed": sum(tasks),
        },
    }
    return encoded(document)
