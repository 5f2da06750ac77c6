"""Merges the parts of an imported tree: repeated memories, indices, old ids, references.

These functions modify the records while a tree is read; nothing changes them later.
"""

from __future__ import annotations

from varves.events.codec import canonical
from varves.values.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    from varves.protocols.hivemind.foreign import Tell
    from varves.protocols.hivemind.origins import UnreadFile

    Record = dict[str, Any]

    class TreeRecords(Protocol):
        """The records of a tree, and the look-up of records by id."""

        records: list[Record]
        named: dict[str, Record]
        known: Callable[[str], bool]
        unread: list[UnreadFile]
        empty: set[str]

        def tell(self, path: str) -> Tell:
            """Return a function that records a mapping for one file."""
            ...


COLUMNS = ("entries", "memories")  # where an index lists its entries
_OWN = ("memory", "aliases", "created_at", "updated_at", "uses", "was", "source", "at", "tags")


def same(record: Record) -> bytes:
    """Return a key that is equal for records with the same content."""
    if not record["body"] or record.get("file"):
        return canonical([record["memory"], record["body"]])
    return canonical({key: part for key, part in record.items() if key not in _OWN})


def merged(tree: TreeRecords, group: list[Record]) -> Record:
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


def index(tree: TreeRecords, path: str, content: dict[str, Any]) -> None:
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


def _absence(tree: TreeRecords, name: Any) -> str:
    return "has no content" if name in tree.empty else "is missing"


def _summary(row: Any) -> bool:
    return isinstance(row, dict) and isinstance(row.get("summary"), str) and bool(row["summary"])


def old_ids(tree: TreeRecords, document: Record, mapping: dict[str, Any]) -> None:
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


def resolve(tree: TreeRecords) -> None:
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


def _target(tree: TreeRecords, name: str, tell: Tell) -> str:
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
