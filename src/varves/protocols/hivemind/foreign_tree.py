"""Converts a foreign file tree to entry requests, reports every mapping, and drops nothing.

Each file is one of these: a memory; a list of memories, at the top level or nested; an index, which
is rebuilt; a map of old ids, which become aliases; or a document, such as a session or a schema,
which is kept whole as one memory. This module has no side effects, and the same tree always gives
the same ids.
"""

from __future__ import annotations

import json
import re

from varves.errors import VarvesError
from varves.events.codec import canonical, lawful
from varves.protocols.hivemind.entries import Wish
from varves.protocols.hivemind.foreign import Spot, entry, is_entry, kebab, made_id, stated
from varves.protocols.hivemind.loaded import wish_at
from varves.protocols.hivemind.tree import ARCHIVE, FULL, may_be_named
from varves.protocols.hivemind.wording import is_blank
from varves.values.ids import is_memory_id
from varves.values.instants import PERMANENT
from varves.values.names import safe_name
from varves.values.progress import report
from varves.values.text import counted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from varves.protocols.hivemind.foreign import Tell

    Progress = Callable[[int], None]
    Clean = Callable[[Any], tuple[Any, tuple[str, ...]]]
    from collections.abc import Callable
    from typing import Any

    Record = dict[str, Any]

_STEP, _PARTS = 100, 5  # files between two reports of progress; reading is a fifth of an import
FOLDERS = {"teams": "team", "agents": "agent", "projects": "project", "sessions": "session"}
_TOPS = (
    *("global", *FOLDERS, "archive", "long-term", "short-term", "episodic", "user"),
    *("learnings", "ops", "schemas"),
)


class UnreadFile(Value):
    """A file that cannot be imported; its bytes are not changed."""

    path: str
    line: int
    message: str


def parsed(raw: bytes) -> tuple[Any, list[str]]:
    """Return the content of a file, and the keys that occur twice in one object."""
    twice: list[str] = []

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(found)
        if len(made) < len(found):
            names = [key for key, _ in found]
            twice.extend(key for key in made if names.count(key) > 1)
        return made

    content = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=pairs)
    lawful(content)
    json.dumps(content, ensure_ascii=False).encode("utf-8")  # refuse lone surrogates
    return content, twice


def unread(path: str, fault: Exception) -> UnreadFile:
    """Return the reason that a file cannot be imported."""
    line = getattr(fault, "lineno", 0)
    if isinstance(fault, VarvesError):
        return UnreadFile(path=path, line=0, message=fault.message)
    if isinstance(fault, UnicodeError):
        return UnreadFile(path=path, line=0, message="not UTF-8 text")
    return UnreadFile(path=path, line=line, message="not JSON" if line else "nested too deep")


def below(path: str) -> list[str]:
    """Return the parts of a path below the root of the memory tree."""
    parts = path.split("/")
    if "memory" in parts[:-1]:
        return parts[len(parts) - parts[::-1].index("memory") :]
    tops = [number for number, part in enumerate(parts[:-1]) if part in _TOPS]
    return parts[tops[0] :] if tops else parts


def folder_scope(path: str) -> str | None:
    """Return the scope that a file's folder stands for, or None."""
    parts = below(path)
    if parts[0] == "global" and len(parts) > 1:
        return "global"
    level = FOLDERS.get(parts[0])
    if level is None or len(parts) < 3 or parts[1] == "archive":
        return None
    try:
        return f"{level}:{safe_name(parts[1], 'scope id')}"
    except VarvesError:
        return None


INDEX = "_index"
_LISTS = (
    *("entries", "memories", "events", "decisions", "learnings", "rules", "session_decisions"),
    *("pending_conflicts", "resolved_conflicts"),
)
_NAMED = re.compile(r"mem_[\w-]+", re.ASCII)
_SCOPED = re.compile(r"mem-\d{3,}")


class Brought(Value):
    """An imported memory, with data that a request for an entry cannot express."""

    wish: Wish
    more: dict[str, Any]
    """Stored in its event: `was`, `merged`, `updated_at`."""
    uses: tuple[int, str | None]
    ended: tuple[str, str] | None
    """`archived` and the reason, or `superseded` and the id of the other memory."""
    path: str


class Reading(Value):
    """The result of reading a tree."""

    brought: tuple[Brought, ...]
    mappings: tuple[str, ...]
    unread: tuple[UnreadFile, ...]


def read_tree(
    files: Mapping[str, bytes],
    *,
    project: str,
    known: Callable[[str], bool] = lambda _: False,
    clean: Clean = lambda content: (content, ()),
    progress: Progress | None = None,
) -> Reading:
    """Read files, given by their paths with slashes.

    Args:
        files: the bytes by path.
        project: the current project, used as the scope of entries that name none.
        known: returns whether the ledger has a memory with that id or alias.
        clean: masks secrets and returns the rules that found one.
        progress: called with the number of files that were read so far.
    """
    tree = _Tree(project, known)
    tree.paths = frozenset(files)
    for number, path in enumerate(sorted(files)):
        if number % _STEP == 0:
            report(progress, number, part=number, whole=_PARTS * len(files))
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
    """The records read so far, in the form of their events, and the reported mappings."""

    def __init__(self, project: str, known: Callable[[str], bool]) -> None:
        self.project, self.known = project, known
        self.records: list[dict[str, Any]] = []
        self.indices: list[tuple[str, Any]] = []
        self.maps: list[tuple[dict[str, Any], dict[str, Any]]] = []
        self.unread: list[UnreadFile] = []
        self.paths: frozenset[str] = frozenset()
        self.short: dict[str, str] = {}  # file names of shortened entries, by id
        self.named: dict[str, dict[str, Any]] = {}
        self.empty: set[str] = set()  # ids of memories that say nothing, which are not imported
        self._told: dict[tuple[str, str], int] = {}

    def tell(self, path: str) -> Tell:
        """Return a function that records a mapping for one file."""

        def told(message: str) -> None:
            key = (path, message)
            self._told[key] = self._told.get(key, 0) + 1

        return told

    def mappings(self) -> Iterator[str]:
        """Yield the mappings file by file; a repeated message appears once, with a count."""
        for (path, message), count in sorted(self._told.items(), key=lambda told: told[0][0]):
            yield f"{path}: {message}" + (f" ({count})" if count > 1 else "")

    def take(self, path: str, raw: bytes, clean: Clean) -> None:
        """Read one file, and process it by its kind."""
        tell = self.tell(path)
        try:
            content, twice = parsed(raw)
            content, rules = clean(content)
        except (ValueError, RecursionError, VarvesError) as fault:
            self.unread.append(unread(path, fault))
            return
        if twice:
            tell(f"repeated keys, the last value is used: {', '.join(twice)}")
        if rules:
            tell(f"secrets masked: {', '.join(rules)}")
        name = path.rpartition("/")[2]
        if name.startswith(INDEX) and isinstance(content, dict) and not _holds(content):
            self.indices.append((path, content))
        elif name == "memory.json" and _is_scoped(content):
            tell("skipped: a file of the scoped protocol")
        else:
            _document(self, path, content)

    def spot(self, path: str, at: str = "") -> Spot:
        """Return a position in a file, with the scope of the file's folder."""
        return Spot(path=path, at=at, scope=folder_scope(path), project=self.project)

    def add(self, record: dict[str, Any], path: str) -> str:
        """Add a record and return its id; a record whose id is taken gets another id."""
        tell, name = self.tell(path), record["memory"]
        if ARCHIVE in below(path)[:-1] and record.get("ended") is None:
            record["ended"] = ("archived", "archived where it came from")
        held = self.named.setdefault(name, record)
        if held is not record and held["body"] == record["body"]:
            tell(f"{name} is the same as in {held['source']}")
            return str(name)
        if held is not record:
            name = made_id("twin", name, canonical(record["body"]).decode("ascii"))
            tell(f"{record['memory']} has another content in {held['source']} -> {name}")
            record["memory"] = name
        at = f"{record['at']}: " if record.get("at") else ""
        tell(f"{at}{name} in {record['scope']}")
        self.records.append(record)
        return str(name)

    def merge(self) -> None:
        """Merge records with the same content and scope; all their ids become aliases."""
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
    """Return whether a file named like an index contains memories."""
    return any(is_entry(one, inside=True) for column in COLUMNS for one in rows(content, column))


def _document(tree: _Tree, path: str, content: Any) -> None:
    """Extract the memories of a document, and keep the rest as one memory."""
    tell = tree.tell(path)
    if is_entry(content, inside=False):
        _entry(tree, content, tree.spot(path))
        return
    rest = _lifted(tree, content, path, at="")
    if _is_bare(rest):
        tell("no other content" if rest != content else "no content -> nothing")
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
        about = ", ".join((record["type"], record["priority"], f"subtype {record['subtype']}"))
        tell(f"a document without an id -> {about}")
    tree.add(record, path)


def _kept_whole(tree: _Tree, path: str, body: dict[str, Any]) -> dict[str, Any]:
    parts = below(path)
    where, subtype = "/".join(parts), _subtype(parts, body)
    scope = folder_scope(path) or f"project:{tree.project}"
    record: dict[str, Any] = {
        "memory": made_id("document", where, canonical(body).decode("ascii")),
        "aliases": [],
        "scope": scope,
        "type": "factual",
        "subtype": subtype,
        "body": body,
        "tags": ["document", subtype],
        "priority": "low",
        "ttl": PERMANENT,
        "created_by": "SYSTEM",
        "source": path,
        "references": _mentions(body),
        "was": {"file": where},
        "uses": (0, None),
    }
    wish = wish_at(scope, parts[-1])
    if wish is not None:  # a document that sessions load, in an older shape
        named = {key: getattr(wish, key) for key in ("type", "subtype", "priority", "file")}
        record |= {**named, "memory": wish.id, "tags": list(wish.tags)}
    return record | stated(body)


def _subtype(parts: list[str], body: dict[str, Any]) -> str:
    if isinstance(body.get("session_id"), str) and body["session_id"] and "started_at" in body:
        return "session"
    if parts[0] == "schemas" or "schema" in body or "$id" in body:
        return "schema"
    if parts[-1] == "_memory.json":
        return "agent-profile"
    return kebab(parts[-1].removesuffix(".json")) or "document"


def _is_bare(rest: Any) -> bool:
    """Return whether a document has no content besides the memories extracted from it."""
    return is_blank(_unlisted(rest))


def _unlisted(part: Any) -> Any:
    """Return a document without the ids of extracted memories in its lists of memories."""
    if not isinstance(part, dict):
        return part
    return {
        key: [one for one in inner if not (isinstance(one, dict) and one.keys() == {"memory"})]
        if key in _LISTS and isinstance(inner, list)
        else inner
        for key, inner in part.items()
    }


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
    """Add an entry and return its id; skip an entry of which another file has the full content."""
    folder, _, name = spot.path.rpartition("/")
    whole = f"{folder}/{foreign.get('id')}{FULL}"
    if not spot.at and whole in tree.paths and spot.path != whole:
        tree.tell(spot.path)(f"shortened -> the full text in {whole}")
        tree.short[str(foreign["id"])] = name
        return str(foreign["id"])
    if is_blank(foreign["content"]) and is_blank(foreign.get("summary")):
        tree.tell(spot.path)(
            f"{spot.at}: no content -> nothing" if spot.at else "no content -> nothing"
        )
        name = str(foreign.get("id") or "")
        tree.empty.add(name)
        return name
    record = entry(foreign, spot, tree.tell(spot.path))
    record["at"] = spot.at
    if not spot.at and spot.scope == record["scope"] and below(spot.path)[-2] != ARCHIVE:
        _keep_name(record, name)
        _fix_id(record, tree.tell(spot.path), named=bool(foreign.get("id")))
    if foreign.get("lifecycle") in ("archived", "deleted"):
        record["ended"] = ("archived", f"{foreign['lifecycle']} where it came from")
    return tree.add(record, spot.path)


def _keep_name(record: dict[str, Any], name: str) -> None:
    """Keep the name of a memory's file, unless the name is only its id."""
    stem = name.removesuffix(".json")
    if may_be_named(name) and not name.endswith(FULL) and not is_memory_id(stem):
        record["file"] = name


def _fix_id(record: dict[str, Any], tell: Tell, *, named: bool) -> None:
    """Give a document that sessions load its fixed id."""
    wish = wish_at(record["scope"], record.get("file", ""))
    fixed = wish.id if wish is not None else None
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


COLUMNS = ("entries", "memories")  # where an index lists its entries
_OWN = ("memory", "aliases", "created_at", "updated_at", "uses", "was", "source", "at", "tags")


def same(record: Record) -> bytes:
    """Return a key that is equal for records with the same content."""
    if not record["body"] or record.get("file"):
        return canonical([record["memory"], record["body"]])
    return canonical({key: part for key, part in record.items() if key not in _OWN})


def merged(tree: _Tree, group: list[Record]) -> Record:
    """Return the oldest of several records with the same content, extended by the others."""
    first, *others = sorted(group, key=lambda one: one.get("created_at") or "")
    if not others:
        return first
    names = [one["memory"] for one in others if one["memory"] != first["memory"]]
    aliases = [*first["aliases"], *names, *(name for one in others for name in one["aliases"])]
    tags = [tag for one in (first, *others) for tag in one["tags"]]
    last = max((one["uses"][1] or "" for one in group), default="")
    keys = ("memory", "created_at", "updated_at", "was", "source")
    for one in others:
        tell = tree.tell(one["source"])
        tell(f"{one['memory']} has the same content as {first['memory']} -> merged as an alias")
    return first | {
        "aliases": list(dict.fromkeys(aliases)),
        "tags": list(dict.fromkeys(tags)),
        "uses": (sum(one["uses"][0] for one in group), last or None),
        "merged": [{key: one[key] for key in keys if one.get(key)} for one in others],
    }


def index(tree: _Tree, path: str, content: dict[str, Any]) -> None:
    """Read an index of any format: keep its summaries; the rest is rebuilt."""
    tell = tree.tell(path)
    keys = ", ".join(content) or "no keys"
    tell(f"an index with the keys ({keys}) -> rebuilt in the published format")
    listed = [row for column in COLUMNS for row in rows(content, column)]
    count = content.get("entry_count", content.get("memory_count", len(listed)))
    if count != len(listed):
        tell(f"has a count of {count} but lists {counted(len(listed), 'entry')}")
    for row in listed:
        name = row.get("id") if isinstance(row, dict) else None
        record = tree.named.get(name) if isinstance(name, str) else None
        if record is None:
            file = row.get("file_path", row.get("file")) if isinstance(row, dict) else None
            said = f", with the summary: {row['summary']}" if _summary(row) else ""
            if not (isinstance(name, str) and tree.known(name)):
                broken = any(one.path == f"{path.rpartition('/')[0]}/{file}" for one in tree.unread)
                state = "cannot be read" if broken else _absence(tree, name)
                tell(f"lists {name} in {file}, which {state}{said}")
        elif _summary(row) and not record.get("summary"):
            record["summary"] = row["summary"]
            tell(f"summary of {name} -> its own")


def _absence(tree: _Tree, name: Any) -> str:
    return "has no content" if name in tree.empty else "is missing"


def _summary(row: Any) -> bool:
    return isinstance(row, dict) and isinstance(row.get("summary"), str) and bool(row["summary"])


def old_ids(tree: _Tree, document: Record, mapping: dict[str, Any]) -> None:
    """Make each old id an alias of its successor or, if that is missing, of the map."""
    tell = tree.tell(document["source"])
    document = tree.named.get(document["memory"], document)
    for old, successor in mapping.items():
        record = tree.named.get(successor) if isinstance(successor, str) else None
        if record is None:
            said = f"{old} -> {successor}, which is missing: the old id is an alias of this map"
        else:
            said = f"{old} -> an alias of {record['memory']}"
        holder = tree.named.setdefault(old, record or document)
        if holder is not (record or document):
            said = f"{old} -> not an alias of {successor}: {holder['memory']} has it"
        elif old != holder["memory"]:
            holder["aliases"] = list(dict.fromkeys([*holder["aliases"], old]))
        tell(said)


def resolve(tree: _Tree) -> None:
    """Resolve references to memory ids, and report references to missing memories."""
    for record in tree.records:
        tell = tree.tell(record["source"])
        for link in record.get("references", ()):
            if link["type"] == "memory":
                link["id"] = _target(tree, link["id"], tell)
        for key in ("supersedes", "superseded_by"):
            record[key] = [_target(tree, name, tell) for name in record.get(key, ())]
        if record["superseded_by"] and record.get("ended") is None:
            by = record["superseded_by"][0]
            if by in tree.named:
                record["ended"] = ("superseded", by)


def _target(tree: _Tree, name: str, tell: Tell) -> str:
    record = tree.named.get(name)
    if record is not None:
        if record["memory"] != name:
            tell(f"reference to {name} -> {record['memory']}")
        return str(record["memory"])
    if not tree.known(name):
        near = [one for one in tree.named if one.startswith(name)]
        tell(
            f"refers to {name}, which {_absence(tree, name)}"
            + (f"; {near[0]} exists" if near else "")
        )
    return name


def rows(content: dict[str, Any], column: str) -> list[Any]:
    """Return the items of one column of an index."""
    found = content.get(column)
    return found if isinstance(found, list) else []
