"""The protocol's files: rendered from records and session events, and parsed after hand edits.

The index of a scope is computed only from records and dated with their newest change, so that two
clones at one commit have the same bytes. A long index is split: the first file keeps the published
keys, the count and both look-up tables of the whole index, and names the other files.
"""

from __future__ import annotations

from varves.protocols.hivemind import hand_edits
from varves.protocols.hivemind.documents import (
    SUPERSEDED_BY,
    SUPERSEDES,
    encoded,
    entry,
    is_long,
    kind_of,
)
from varves.protocols.hivemind.entries import SUBTYPES, body_of
from varves.protocols.hivemind.lifetimes import shown
from varves.protocols.hivemind.loaded import wish_at
from varves.protocols.hivemind.merge_forms import FORMS
from varves.protocols.hivemind.options import HivemindOptions
from varves.protocols.hivemind.sessions import KINDS, SNAPSHOT, fold
from varves.protocols.hivemind.tree import (
    ALSO_READ,
    ARCHIVE,
    CURRENT,
    FOLDERS,
    FULL,
    LIVE,
    RETIRED,
    ROOT,
    SESSION_ARCHIVE,
    SESSION_INDEX,
    folder_of,
    folders_of,
    is_entry,
    is_index,
    is_published,
    is_session,
    kept_here,
    name_of,
    place_of,
)
from varves.protocols.hivemind.wording import summary_of
from varves.protocols.jsonfile import read_object
from varves.protocols.port import Codec, FileRecord
from varves.protocols.sessions import current
from varves.protocols.unreadable import Unreadable
from varves.values.ids import is_memory_id
from varves.values.scope import level_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.protocols.hivemind.documents import Find
    from varves.protocols.hivemind.entries import Wish
    from varves.protocols.hivemind.sessions import HivemindSession
    from varves.protocols.port import Change, Core, Counts, Stock, Touched
    from varves.values.memory import Memory

    Files = dict[str, bytes | None]
    from collections.abc import Sequence


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


class HivemindCodec(Codec):
    """The codec of the file tree below `memory/`."""

    name = "hivemind"
    forms = FORMS
    counted_until = "scope"
    endings = (
        (CURRENT, "varves hivemind session end begins a new session"),
        (f"{SESSION_ARCHIVE}/", "an archived session stays"),
    )
    folders = tuple(f"{ROOT}/{folder}" for folder in (*FOLDERS.values(), *ALSO_READ))
    kinds = KINDS

    def __init__(self, options: HivemindOptions | None = None) -> None:
        self.options = options or HivemindOptions()
        self.ignores: tuple[str, ...] = (f"{ROOT}/global", f"{ROOT}/sessions")

    def is_state(self, path: str) -> bool:
        """Return whether a path is the file of a memory or a session."""
        return is_entry(path) or is_session(path)

    def is_derived(self, path: str) -> bool:
        """Return whether a path is an index."""
        return is_index(path)

    def scope_of(self, path: str) -> str:
        """Return the scope of a file; a session's document belongs to the scope of that session."""
        place = place_of(path)
        if place is not None:
            return place[0]
        name = path.rpartition("/")[2].removesuffix(".json")
        return f"session:{name}"

    # Rendering

    def render(self, stock: Stock, touched: Touched | None) -> Files:
        """Return the files affected by the touched records, or all files if `touched` is None."""
        files: Files = {}
        by_scope: dict[str, list[Memory]] = {}
        for memory in stock.memories:
            if kept_here(memory):
                by_scope.setdefault(memory.scope, []).append(memory)
                if memory.kept.startswith("team:"):  # in another repository
                    self.ignores = tuple(dict.fromkeys((*self.ignores, folder_of(memory.scope))))
        scopes: Iterable[str] = by_scope
        if touched is not None:
            named = {one.scope for one in stock.memories if one.id in touched.memories}
            scopes = sorted(named | touched.scopes)
            files.update(_moved(stock.memories, touched))
        for scope in scopes:
            files.update(self._scope(scope, by_scope.get(scope, []), stock.counts, touched))
        if touched is None or touched.events or touched.memories:
            files.update(_sessions(stock, self.options))
        return files

    def _scope(
        self, scope: str, memories: list[Memory], counts: Counts, touched: Touched | None
    ) -> Files:
        """Return the files of one scope's folder and of its archive."""
        if level_of(scope) not in FOLDERS or (":" in scope) == (scope == "global"):
            return {}
        folder = folder_of(scope)
        concerned = {*_concerned(memories, touched), *counts}
        by_id = {one.id: one for one in memories}
        changed = max((one.updated_at for one in memories), default="")
        files: Files = {}
        used: set[str] = set()
        for place, statuses in ((folder, LIVE), (f"{folder}/{ARCHIVE}", RETIRED)):
            here = [one for one in memories if one.status in statuses]
            names = _names(here)
            used.update(f"{place}/{name}" for name in names.values())
            for memory in here:
                if memory.id in concerned:
                    path = f"{place}/{names[memory.id]}"
                    files.update(self._files(memory, path, counts, find=by_id.get))
            files.update(dict.fromkeys(part_names(place, len(memories), self.options.split_at)))
            if here or (memories and place == folder and level_of(scope) != "session"):
                lines = [line_of(one, names[one.id]) for one in here]
                split = self.options.split_at
                files.update(index_files(place, lines, changed=changed, split_at=split))
        gone = [
            path
            for memory in memories
            if memory.id in concerned
            for path in _places(memory)
            if path not in used
        ]
        return {**dict.fromkeys(gone), **files}

    def _files(self, memory: Memory, path: str, counts: Counts, *, find: Find) -> dict[str, bytes]:
        """Return a memory's file, and the file with its full text if the content is too long."""
        found = {path: encoded(entry(memory, counts, self.options, find=find))}
        if is_long(body_of(memory), self.options):
            full = f"{path.rpartition('/')[0]}/{memory.id}{FULL}"
            found[full] = encoded(entry(memory, counts, self.options, find=find, whole=True))
        return found

    # Reading back

    def parse(self, path: str, content: bytes) -> list[FileRecord]:
        """Parse the file of a memory or a session."""
        document = read_object(content)
        if is_session(path):
            name = document.get("session_id")
            if not isinstance(name, str) or not name:
                raise Unreadable("no session_id")
            return [FileRecord(key=name, content=document)]
        place = place_of(path)
        name = document.get("id")
        wish = wish_at(place[0], place[2]) if place is not None and not place[1] else None
        if not isinstance(document.get("content"), (dict, str)):
            if not isinstance(name, str) and not is_published(path):
                return []  # another tool's file, with another structure
            if wish is None or "content" in document:
                raise Unreadable("no content")
            document = _older(document, wish)
            name = wish.id
        key = name if isinstance(name, str) and name else (place[2] if place else path)
        return [FileRecord(key=key, content=document)]

    def adopt(self, core: Core, change: Change, act: Act) -> list[tuple[str, Draft]]:
        """Return the drafts that record a hand edit."""
        if is_session(change.path):
            return hand_edits.session(core, change, act)
        return hand_edits.memory(core, change, act)


def _older(document: dict[str, Any], wish: Wish) -> dict[str, Any]:
    """Return a document in an older format, which consists of its content alone, as an entry."""
    shown = {
        "type": wish.type,
        "subtype": wish.subtype,
        "tags": list(wish.tags),
        "priority": wish.priority,
        "ttl": wish.ttl,
        "confidence": wish.confidence,
        "created_by": "USER",
    }
    return {**shown, "content": document}


def _names(memories: list[Memory]) -> dict[str, str]:
    """Return file names for one folder; if two memories claim one name, the older gets it."""
    taken: dict[str, str] = {}
    names = {}
    for memory in memories:
        name = name_of(memory)
        if taken.setdefault(name.lower(), memory.id) != memory.id:
            name = f"{memory.id}.json"
        names[memory.id] = name
    return names


def _concerned(memories: list[Memory], touched: Touched | None) -> Collection[str]:
    """Return the memories of a scope whose files must be rendered.

    Two memories may claim one published file name, and only one of them gets it. So if a touched
    memory claims a name, memories that were not touched may take over that name or lose theirs. The
    file of a memory may get a different link if a touched one supersedes it or is superseded by it.
    """
    if touched is None:
        return {one.id for one in memories}
    found = set(touched.memories)
    for one in memories:
        linked = (*one.links.get(SUPERSEDES, ()), *one.links.get(SUPERSEDED_BY, ()))
        if linked and one.id in touched.memories:
            found.update(linked)
        elif linked and not touched.memories.isdisjoint(linked):
            found.add(one.id)
    named = {one.id for one in memories if "file" in one.extra}
    return found if named.isdisjoint(touched.memories) else found | named


def _places(memory: Memory) -> list[str]:
    """Return every path in its scope's folders at which a memory may have been stored."""
    copied = [one for one in memory.extra.get("aliases") or () if is_memory_id(str(one))]
    names = {name_of(memory), f"{memory.id}.json", f"{memory.id}{FULL}"}
    names.update(f"{one}.json" for one in copied)  # a copy of another memory's file got an own id
    return [
        f"{place}/{name}"
        for folder in folders_of(memory.scope)
        for place in (folder, f"{folder}/{ARCHIVE}")
        for name in names
    ]


def _moved(memories: Iterable[Memory], touched: Touched) -> Files:
    """Remove the files of touched memories from touched scopes that no longer contain them."""
    files: Files = {}
    for memory in memories:
        if memory.id in touched.memories:
            for scope in touched.scopes:
                if (scope != memory.scope or not kept_here(memory)) and _has_folder(scope):
                    for place in (folder_of(scope), f"{folder_of(scope)}/{ARCHIVE}"):
                        for name in (f"{memory.id}.json", f"{memory.id}{FULL}"):
                            files[f"{place}/{name}"] = None
    return files


def _has_folder(scope: str) -> bool:
    return level_of(scope) in FOLDERS and (":" in scope) != (scope == "global")


def _sessions(stock: Stock, options: HivemindOptions) -> Files:
    """Return the documents of this checkout's sessions, and their index."""
    found = [one for one in fold(stock.events) if one.checkout == stock.checkout]
    if not found:
        return {}
    made: dict[str, list[str]] = {}
    for memory in stock.memories:
        if memory.session and memory.status != "proposed":
            made.setdefault(memory.session, []).append(memory.id)
    at_hand = current(found, stock.checkout)
    shown = _Shown(stock, options)
    files: Files = {CURRENT: None, SESSION_INDEX: session_index(found)}
    for one in found:
        document = encoded(_document(one, made.get(one.name, []), shown))
        if one is at_hand:
            files[CURRENT] = document
        elif not one.running:
            files[f"{SESSION_ARCHIVE}/{one.name}.json"] = document
    return files


class _Shown:
    """The entries that a session's document shows in full."""

    def __init__(self, stock: Stock, options: HivemindOptions) -> None:
        self._stock = stock
        self._options = options

    def entries(self, names: list[Any]) -> list[Any]:
        """Return the entries with these ids; a part that is not an id is returned unchanged."""
        by_id = {one.id: one for one in self._stock.memories if one.id in names}
        return [
            entry(by_id[one], self._stock.counts, self._options, find=lambda _: None)
            if isinstance(one, str)
            else one
            for one in names
            if one in by_id or not isinstance(one, str)
        ]


def _document(session: HivemindSession, made: list[str], shown: _Shown) -> dict[str, Any]:
    """Return a session's document, including memories that no session event names."""
    document = dict(session.document)
    package = document.get("handoff_memory")
    if isinstance(package, dict) and isinstance(package.get(SNAPSHOT), list):
        document["handoff_memory"] = {**package, SNAPSHOT: shown.entries(package[SNAPSHOT])}
    part = document.get("memory_operations")
    if isinstance(part, dict):
        named = session.created
        created = [*named, *(one for one in made if one not in named)]
        document["memory_operations"] = {**part, "memories_created": created}
    return document
