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
    name_for,
    name_of,
    place_of,
)
from varves.protocols.hivemind.wording import summary_of
from varves.protocols.jsonfile import read_object
from varves.protocols.port import Codec, FileRecord
from varves.protocols.sessions import current
from varves.protocols.unreadable import Unreadable
from varves.values.ids import is_memory_id
from varves.values.memory import SPLIT
from varves.values.scope import level_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.protocols.hivemind.documents import Find
    from varves.protocols.hivemind.entries import Wish
    from varves.protocols.hivemind.sessions import HivemindSession
    from varves.protocols.port import Change, Core, Counts, Stock, Touched
    from varves.values.memory import Memory
    from varves.values.outline import Outline

    Files = dict[str, bytes | None]
    from collections.abc import Sequence


VERSION = "1.0.0"
NEVER = "1970-01-01T00:00:00Z"


def line_of(one: Outline, name: str) -> dict[str, Any]:
    """Return the line of an index for one memory."""
    kind = kind_of(one)
    return {
        "id": one.id,
        "type": kind,
        "subtype": one.subtype or SUBTYPES.get(kind, "fact"),
        "tags": _tags(one),
        "summary": one.summary,
        "priority": one.priority or "medium",
        "created_at": shown(one.created_at),
        "file_path": name,
    }


def index_files(
    folder: str,
    entries: Sequence[Outline],
    names: Mapping[str, str],
    *,
    changed: str,
    split_at: int,
    since: int = 0,
) -> dict[str, bytes]:
    """Return the files of one folder's index.

    Args:
        folder: the folder.
        entries: its memories.
        names: the names of their files, by id.
        changed: when the newest of them changed.
        split_at: a file of the index has fewer entries than this.
        since: the number of entries that are unchanged; a file with such entries only is left out,
            unless it is the first.
    """
    most = max(1, split_at - 1)
    paths = index_names(folder, len(entries), split_at)
    parts = [
        [line_of(one, names[one.id]) for one in entries[number * most : (number + 1) * most]]
        if number == 0 or (number + 1) * most > since
        else None
        for number in range(len(paths))
    ]
    tags, types = _tables(entries)
    document: dict[str, Any] = {
        "version": VERSION,
        "last_updated": shown(changed) if changed else NEVER,
        "entry_count": len(entries),
        "entries": parts[0],
        "tag_index": tags,
        "type_index": types,
    }
    if len(paths) > 1:
        document["parts"] = [path.rpartition("/")[2] for path in paths[1:]]
    found = {paths[0]: encoded(document)}
    for path, lines in zip(paths[1:], parts[1:], strict=True):
        if lines is not None:
            found[path] = encoded({"version": VERSION, "entries": lines})
    return found


def index_names(folder: str, count: int, split_at: int) -> list[str]:
    """Return the paths of an index with this many entries."""
    most = max(1, split_at - 1)
    others = (f"{folder}/_index-{number}.json" for number in range(2, -(-count // most) + 1))
    return [f"{folder}/_index.json", *others]


def _tags(one: Outline) -> list[str]:
    return one.tags.split(SPLIT) if one.tags else []


def _tables(entries: Sequence[Outline]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the ids of the entries by tag, and by type."""
    tags: dict[str, list[str]] = {}
    types: dict[str, list[str]] = {}
    for one in entries:
        types.setdefault(kind_of(one), []).append(one.id)
        for tag in _tags(one):
            tags.setdefault(tag, []).append(one.id)
    return tags, types


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
        outlines = stock.outlines()
        by_scope: dict[str, list[Outline]] = {}
        for one in outlines:
            if kept_here(one):
                by_scope.setdefault(one.scope, []).append(one)
                if one.kept.startswith("team:"):  # in another repository
                    self.ignores = tuple(dict.fromkeys((*self.ignores, folder_of(one.scope))))
        scopes: Iterable[str] = by_scope
        if touched is not None:
            changed = [one for one in outlines if one.id in touched.memories]
            scopes = sorted({one.scope for one in changed} | touched.scopes)
            files.update(_moved(changed, touched))
        for scope in scopes:
            files.update(self._scope(scope, by_scope.get(scope, []), stock, touched))
        if touched is None or touched.events or touched.memories:
            files.update(_sessions(stock, outlines, self.options))
        return files

    def _scope(
        self, scope: str, outlines: list[Outline], stock: Stock, touched: Touched | None
    ) -> Files:
        """Return the files of one scope's folder and of its archive."""
        if level_of(scope) not in FOLDERS or (":" in scope) == (scope == "global"):
            return {}
        folder, split = folder_of(scope), self.options.split_at
        changed = _changed(outlines, touched)
        shown = _Shown(stock, outlines, changed | stock.counts.keys())
        first = _first_changed(outlines, changed, touched)
        latest = max((one.updated_at for one in outlines), default="")
        outlines = [shown.with_summary(one) for one in outlines]
        files: Files = {}
        used: set[str] = set()
        for place, statuses in ((folder, LIVE), (f"{folder}/{ARCHIVE}", RETIRED)):
            here = [one for one in outlines if one.status in statuses]
            names = _names(here)
            used.update(f"{place}/{name}" for name in names.values())
            for one in here:
                if one.id in shown.memories:
                    path = f"{place}/{names[one.id]}"
                    memory = shown.memories[one.id]
                    files.update(self._files(memory, path, stock.counts, find=shown.find))
            files.update(dict.fromkeys(index_names(place, len(outlines) + 1, split)))
            if here or (outlines and place == folder and level_of(scope) != "session"):
                since = sum(one.status in statuses for one in outlines[:first])
                for path in index_names(place, len(here), split):
                    del files[path]  # it is written, or unchanged
                files.update(
                    index_files(place, here, names, changed=latest, split_at=split, since=since)
                )
        gone = [
            path
            for memory in shown.memories.values()
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


def _names(outlines: list[Outline]) -> dict[str, str]:
    """Return file names for one folder; if two memories claim one name, the older gets it."""
    names = {one.id: f"{one.id}.json" for one in outlines}
    taken: set[str] = set()  # published names; none of them is the name of another id
    for one in outlines:
        if one.file is not None:
            name = name_for(one.id, one.file)
            if name.lower() not in taken:
                names[one.id] = name
            taken.add(name.lower())
    return names


def _changed(outlines: list[Outline], touched: Touched | None) -> set[str]:
    """Return the memories of a scope whose files must be rendered.

    Two memories may claim one published file name, and only one of them gets it. So if a touched
    memory claims a name, memories that were not touched may take over that name or lose theirs. The
    file of a memory may get a different link if a touched one supersedes it or is superseded by it.
    """
    if touched is None:
        return {one.id for one in outlines}
    found = set(touched.memories)
    for one in outlines:
        linked = one.links.split(SPLIT) if one.links else ()
        if linked and one.id in touched.memories:
            found.update(linked)
        elif linked and not touched.memories.isdisjoint(linked):
            found.add(one.id)
    named = {one.id for one in outlines if one.file is not None}
    return found if named.isdisjoint(touched.memories) else found | named


def _first_changed(outlines: list[Outline], changed: set[str], touched: Touched | None) -> int:
    """Return how many memories of a scope precede the first whose line in an index may change.

    0 if a memory may have left the scope, because its line may have been anywhere.
    """
    if touched is None:
        return 0
    acted = touched.memories - touched.read
    if not acted - {one.id for one in outlines} <= touched.born:
        return 0
    lines = (changed - touched.read) | acted
    return next((n for n, one in enumerate(outlines) if one.id in lines), len(outlines))


class _Shown:
    """The memories of a scope that are read in full: those whose files are rendered.

    Of those that they are linked with, the link is shown as it is now.
    """

    def __init__(self, stock: Stock, outlines: list[Outline], wanted: Collection[str]) -> None:
        here = {one.id for one in outlines}
        self.memories = stock.named(here.intersection(wanted))
        linked = {
            name
            for one in self.memories.values()
            for link in (SUPERSEDES, SUPERSEDED_BY)
            for name in one.links.get(link, ())
        }
        bare = {one.id for one in outlines if not one.summary}
        self._others = stock.named((bare | (linked & here)) - self.memories.keys())

    def find(self, name: str) -> Memory | None:
        """Return a memory whose file is rendered, or that such a memory is linked with."""
        return self.memories.get(name) or self._others.get(name)

    def with_summary(self, one: Outline) -> Outline:
        """Return an outline with a summary, from the content if the memory has none."""
        if one.summary:
            return one
        memory = self.find(one.id)
        return one._replace(summary=summary_of(body_of(memory)) if memory else "")


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


def _moved(changed: Iterable[Outline], touched: Touched) -> Files:
    """Remove the files of touched memories from touched scopes that no longer contain them."""
    files: Files = {}
    for one in changed:
        for scope in touched.scopes:
            if (scope != one.scope or not kept_here(one)) and _has_folder(scope):
                for place in (folder_of(scope), f"{folder_of(scope)}/{ARCHIVE}"):
                    for name in (f"{one.id}.json", f"{one.id}{FULL}"):
                        files[f"{place}/{name}"] = None
    return files


def _has_folder(scope: str) -> bool:
    return level_of(scope) in FOLDERS and (":" in scope) != (scope == "global")


def _sessions(stock: Stock, outlines: list[Outline], options: HivemindOptions) -> Files:
    """Return the documents of this checkout's sessions, and their index."""
    found = [one for one in fold(stock.events) if one.checkout == stock.checkout]
    if not found:
        return {}
    made: dict[str, list[str]] = {}
    for memory in outlines:
        if memory.session and memory.status != "proposed":
            made.setdefault(memory.session, []).append(memory.id)
    at_hand = current(found, stock.checkout)
    shown = _Snapshots(stock, options)
    files: Files = {CURRENT: None, SESSION_INDEX: session_index(found)}
    for one in found:
        document = encoded(_document(one, made.get(one.name, []), shown))
        if one is at_hand:
            files[CURRENT] = document
        elif not one.running:
            files[f"{SESSION_ARCHIVE}/{one.name}.json"] = document
    return files


class _Snapshots:
    """The entries that a session's document shows in full."""

    def __init__(self, stock: Stock, options: HivemindOptions) -> None:
        self._stock = stock
        self._options = options

    def entries(self, names: list[Any]) -> list[Any]:
        """Return the entries with these ids; a part that is not an id is returned unchanged."""
        by_id = self._stock.named([one for one in names if isinstance(one, str)])
        return [
            entry(by_id[one], self._stock.counts, self._options, find=lambda _: None)
            if isinstance(one, str)
            else one
            for one in names
            if one in by_id or not isinstance(one, str)
        ]


def _document(session: HivemindSession, made: list[str], shown: _Snapshots) -> dict[str, Any]:
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
