"""A foreign tree of files read as wishes, with every mapping told and nothing dropped.

Each file is one of these: a memory; a list of memories, at the top or deeper inside; an index,
which is derived and made anew; a map of old ids, which become aliases; or a document, such as a
session or a schema, which is kept whole as a memory of its own. All of it is pure, and the same
tree gives the same ids whenever it is read.
"""

from __future__ import annotations

import re

from varves.errors import VarvesError
from varves.events.codec import canonical
from varves.protocols.hivemind.entries import Wish
from varves.protocols.hivemind.foreign import Spot, entry, is_entry, kebab, made_id
from varves.protocols.hivemind.joining import (
    COLUMNS,
    index,
    merged,
    old_ids,
    resolve,
    rows,
    same,
)
from varves.protocols.hivemind.origins import UnreadFile, below, folder_scope, parsed, unread
from varves.protocols.hivemind.starting import CONFIG, PROFILE, TERMS, context_id
from varves.protocols.hivemind.tree import ARCHIVE, FULL, may_be_named
from varves.values.ids import is_memory_id
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from varves.protocols.hivemind.foreign import Tell

    Clean = Callable[[Any], tuple[Any, tuple[str, ...]]]

INDEX = "_index"
DOCUMENTS = {
    "user-profile.json": PROFILE,
    "system-config.json": CONFIG,
    "terminology.json": TERMS,
}
"""The global files that every session loads, and the ids of what they hold."""
_LISTS = (
    *("entries", "memories", "events", "decisions", "learnings", "rules", "session_decisions"),
    *("pending_conflicts", "resolved_conflicts"),
)
_PLAIN = ("version", "$schema")
_NAMED = re.compile(r"mem_[\w-]+", re.ASCII)
_SCOPED = re.compile(r"mem-\d{3,}")


class Brought(Value):
    """A memory a tree brings, and what is to be said of it beside the wish."""

    wish: Wish
    more: dict[str, Any]
    """Kept in its event: `was`, `merged`, `updated_at`."""
    uses: tuple[int, str | None]
    ended: tuple[str, str] | None
    """`archived` and why, or `superseded` and by which memory."""
    path: str


class Reading(Value):
    """A tree read."""

    brought: tuple[Brought, ...]
    mappings: tuple[str, ...]
    unread: tuple[UnreadFile, ...]


def read_tree(
    files: Mapping[str, bytes],
    *,
    project: str,
    known: Callable[[str], bool] = lambda _: False,
    clean: Clean = lambda content: (content, ()),
) -> Reading:
    """Read files, named by their paths with slashes.

    Args:
        files: the bytes by path.
        project: the current project, the scope of what names none.
        known: tells whether the ledger has a memory of that id or alias.
        clean: masks secrets and names the rules that found one.
    """
    tree = _Tree(project, known)
    tree.paths = frozenset(files)
    for path in sorted(files):
        tree.take(path, files[path], clean)
    for record in tree.records:
        _keep_name(record, tree.short.get(record["memory"], FULL))
    tree.merge()
    for path, content in tree.indices:
        index(tree, path, content)
    for record, mapping in tree.maps:
        old_ids(tree, record, mapping)
    resolve(tree)
    brought = tuple(map(_brought, tree.records))
    return Reading(brought=brought, mappings=tuple(tree.mappings()), unread=tuple(tree.unread))


class _Tree:
    """What was found so far: records as they stand in their event, and what was told of them."""

    def __init__(self, project: str, known: Callable[[str], bool]) -> None:
        self.project, self.known = project, known
        self.records: list[dict[str, Any]] = []
        self.indices: list[tuple[str, Any]] = []
        self.maps: list[tuple[dict[str, Any], dict[str, Any]]] = []
        self.unread: list[UnreadFile] = []
        self.paths: frozenset[str] = frozenset()
        self.short: dict[str, str] = {}  # the file of what is whole in another, by id
        self.named: dict[str, dict[str, Any]] = {}
        self._told: dict[tuple[str, str], int] = {}

    def tell(self, path: str) -> Tell:
        """Return what takes down a mapping of one file."""

        def told(message: str) -> None:
            key = (path, message)
            self._told[key] = self._told.get(key, 0) + 1

        return told

    def mappings(self) -> Iterator[str]:
        """Yield what was told, file by file; the same thing of several entries once."""
        for (path, message), count in sorted(self._told.items(), key=lambda told: told[0][0]):
            yield f"{path}: {message}" + (f" ({count})" if count > 1 else "")

    def take(self, path: str, raw: bytes, clean: Clean) -> None:
        """Read one file and file it under what it is."""
        tell = self.tell(path)
        try:
            content, twice = parsed(raw)
            content, rules = clean(content)
        except (ValueError, RecursionError, VarvesError) as fault:
            self.unread.append(unread(path, fault))
            return
        if twice:
            tell(f"keys said twice, the last one counts: {', '.join(twice)}")
        if rules:
            tell(f"secrets masked: {', '.join(rules)}")
        name = path.rpartition("/")[2]
        if name.startswith(INDEX) and isinstance(content, dict) and not _holds(content):
            self.indices.append((path, content))
        elif name == "memory.json" and _is_scoped(content):
            tell("left out: the scoped protocol's file")
        else:
            _document(self, path, content)

    def spot(self, path: str, at: str = "") -> Spot:
        """Return a place in a file, with the scope of its folder."""
        return Spot(path=path, at=at, scope=folder_scope(path), project=self.project)

    def add(self, record: dict[str, Any], path: str) -> str:
        """Take a record in and return its id; one that another record has makes way."""
        tell, name = self.tell(path), record["memory"]
        if ARCHIVE in below(path)[:-1] and record.get("ended") is None:
            record["ended"] = ("archived", "archived where it came from")
        held = self.named.setdefault(name, record)
        if held is not record and held["body"] == record["body"]:
            tell(f"{name} as in {held['source']}")
            return str(name)
        if held is not record:
            name = made_id("twin", name, canonical(record["body"]).decode("ascii"))
            tell(f"{record['memory']} says something else in {held['source']} -> {name}")
            record["memory"] = name
        at = f"{record['at']}: " if record.get("at") else ""
        tell(f"{at}{name} in {record['scope']}")
        self.records.append(record)
        return str(name)

    def merge(self) -> None:
        """Make one of records that say the same in the same scope; all their ids find it."""
        groups: dict[bytes, list[dict[str, Any]]] = {}
        for record in self.records:
            groups.setdefault(same(record), []).append(record)
        self.records = [merged(self, group) for group in groups.values()]
        self.named.clear()
        for record in self.records:
            for name in (*record["aliases"], record["memory"]):
                self.named[name] = record


def _is_scoped(content: Any) -> bool:
    listed = content.get("entries") if isinstance(content, dict) else None
    return isinstance(listed, list) and all(
        isinstance(one, dict) and _SCOPED.fullmatch(str(one.get("id"))) for one in listed
    )


def _holds(content: dict[str, Any]) -> bool:
    """Tell whether a file named as an index holds memories itself."""
    return any(is_entry(one, inside=True) for column in COLUMNS for one in rows(content, column))


def _document(tree: _Tree, path: str, content: Any) -> None:
    """Take the memories out of a document; what else it says is kept as one."""
    tell = tree.tell(path)
    if is_entry(content, inside=False):
        _entry(tree, content, tree.spot(path))
        return
    rest = _lifted(tree, content, path, at="")
    if _is_bare(rest):
        tell("says nothing else" if rest != content else "says nothing -> nothing")
        return
    body = rest if isinstance(rest, dict) else {"value": rest}
    record = _kept_whole(tree, path, body)
    if isinstance(body.get("mapping"), dict):
        tree.maps.append((record, body["mapping"]))
        record["references"] = []
    if record["subtype"] == "session":
        record["type"], record["aliases"] = "episodic", [body["session_id"]]
        tell(f"a session -> episodic, low, with {body['session_id']} as alias")
    else:
        tell(f"a document without an id -> factual, low, subtype {record['subtype']}")
    tree.add(record, path)


def _kept_whole(tree: _Tree, path: str, body: dict[str, Any]) -> dict[str, Any]:
    parts = below(path)
    where, subtype = "/".join(parts), _subtype(parts, body)
    return {
        "memory": made_id("document", where, canonical(body).decode("ascii")),
        "aliases": [],
        "scope": folder_scope(path) or f"project:{tree.project}",
        "type": "factual",
        "subtype": subtype,
        "body": body,
        "tags": ["document", subtype],
        "priority": "low",
        "ttl": "permanent",
        "created_by": "SYSTEM",
        "source": path,
        "references": _mentions(body),
        "was": {"file": where},
        "uses": (0, None),
    }


def _subtype(parts: list[str], body: dict[str, Any]) -> str:
    if isinstance(body.get("session_id"), str) and body["session_id"] and "started_at" in body:
        return "session"
    if parts[0] == "schemas" or "schema" in body or "$id" in body:
        return "schema"
    if parts[-1] == "_memory.json":
        return "agent-profile"
    return kebab(parts[-1].removesuffix(".json")) or "document"


def _is_bare(rest: Any) -> bool:
    """Tell whether nothing is said: no keys but a version and lists for memories, all empty."""
    if not isinstance(rest, dict):
        return rest in (None, [])
    said = {key: part for key, part in rest.items() if key not in _PLAIN}
    return all(key in _LISTS and not _left(part) for key, part in said.items())


def _left(part: Any) -> list[Any]:
    """Return what a list holds beside the ids of the memories taken out of it."""
    if not isinstance(part, list):
        return [part]
    return [one for one in part if not (isinstance(one, dict) and one.keys() == {"memory"})]


def _lifted(tree: _Tree, part: Any, path: str, *, at: str) -> Any:
    """Return a document with its memories replaced by their ids."""
    if isinstance(part, dict):
        return {
            key: _lifted(tree, inner, path, at=f"{at}.{key}" if at else key)
            for key, inner in part.items()
        }
    if not isinstance(part, list):
        return part
    made: list[Any] = []
    for number, inner in enumerate(part):
        here = f"{at}[{number}]"
        if is_entry(inner, inside=True):
            made.append({"memory": _entry(tree, inner, tree.spot(path, here))})
        else:
            made.append(_lifted(tree, inner, path, at=here))
    return made


def _entry(tree: _Tree, foreign: dict[str, Any], spot: Spot) -> str:
    """Take one foreign entry in and return its id; one that is whole elsewhere is not taken."""
    folder, _, name = spot.path.rpartition("/")
    whole = f"{folder}/{foreign.get('id')}{FULL}"
    if not spot.at and whole in tree.paths and spot.path != whole:
        tree.tell(spot.path)(f"shortened -> the whole of it in {whole}")
        tree.short[str(foreign["id"])] = name
        return str(foreign["id"])
    record = entry(foreign, spot, tree.tell(spot.path))
    record["at"] = spot.at
    if not spot.at and spot.scope == record["scope"] and below(spot.path)[-2] != ARCHIVE:
        _keep_name(record, name)
        _fix_id(record, tree.tell(spot.path), named=bool(foreign.get("id")))
    if foreign.get("lifecycle") in ("archived", "deleted"):
        record["ended"] = ("archived", f"{foreign['lifecycle']} where it came from")
    return tree.add(record, spot.path)


def _keep_name(record: dict[str, Any], name: str) -> None:
    """Let a memory's file be called as it was, if that tells more than its id."""
    stem = name.removesuffix(".json")
    if may_be_named(name) and not name.endswith(FULL) and not is_memory_id(stem):
        record["file"] = name


def _fix_id(record: dict[str, Any], tell: Tell, *, named: bool) -> None:
    """Let a document that sessions load have the id they know it by."""
    level, _, project = record["scope"].partition(":")
    fixed = DOCUMENTS.get(record.get("file", "")) if level == "global" else None
    if level == "project" and record.get("file") == "context.json":
        fixed = context_id(project)
    if fixed not in (None, record["memory"]):
        tell(f"{record['memory']} -> {fixed}, as every {record['file']}")
        if named and not record["aliases"]:
            record["aliases"] = [record["memory"]]
        record["memory"] = fixed


def _mentions(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Return references to the memories that a document names."""
    found: dict[str, None] = {}
    waiting: list[Any] = [body]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            waiting.extend(reversed(part.values()))
        elif isinstance(part, list):
            waiting.extend(reversed(part))
        elif isinstance(part, str) and _NAMED.fullmatch(part):
            found[part] = None
    return [{"type": "memory", "id": name, "relationship": "references"} for name in found]


def _brought(record: dict[str, Any]) -> Brought:
    links = {key: record[key] for key in ("supersedes", "superseded_by") if record.get(key)}
    wish = Wish(
        type=record["type"],
        content=record["body"],
        scope=record["scope"],
        subtype=record.get("subtype"),
        tags=tuple(record["tags"]),
        priority=record["priority"],
        ttl=record["ttl"],
        confidence=record.get("confidence"),
        references=tuple(record.get("references", ())),
        summary=record.get("summary"),
        links=links,
        file=record.get("file"),
        id=record["memory"],
        aliases=tuple(record["aliases"]),
        created_at=record.get("created_at"),
        created_by=record["created_by"],
        unknown=record.get("unknown", {}),
        source=record["source"],
    )
    more = {key: record[key] for key in ("was", "merged", "updated_at") if record.get(key)}
    return Brought(
        wish=wish, more=more, uses=record["uses"], ended=record.get("ended"), path=record["source"]
    )
