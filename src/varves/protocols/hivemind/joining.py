"""How the memories of one tree are joined: twins, indices, old ids, references.

It works on the records while they are being made; afterwards nothing of a tree changes.
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
        """The records of a tree, and who finds them."""

        records: list[Record]
        named: dict[str, Record]
        known: Callable[[str], bool]
        unread: list[UnreadFile]

        def tell(self, path: str) -> Tell:
            """Return what takes down a mapping of one file."""
            ...


COLUMNS = ("entries", "memories")  # where an index lists what it indexes
_OWN = ("memory", "aliases", "created_at", "updated_at", "uses", "was", "source", "at", "tags")


def same(record: Record) -> bytes:
    """Return what two records have in common that say the same."""
    if not record["body"] or record.get("file"):
        return canonical([record["memory"], record["body"]])
    return canonical({key: part for key, part in record.items() if key not in _OWN})


def merged(tree: TreeRecords, group: list[Record]) -> Record:
    """Return the oldest of some records that say the same, with what the others add."""
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
        tell(f"{one['memory']} says the same as {first['memory']} -> merged, its id an alias")
    return first | {
        "aliases": list(dict.fromkeys(aliases)),
        "tags": list(dict.fromkeys(tags)),
        "uses": (sum(one["uses"][0] for one in group), last or None),
        "merged": [{key: one[key] for key in keys if one.get(key)} for one in others],
    }


def index(tree: TreeRecords, path: str, content: dict[str, Any]) -> None:
    """Read an index of any shape: its summaries are kept, the rest is made anew."""
    tell = tree.tell(path)
    keys = ", ".join(content) or "no keys"
    tell(f"an index of the shape ({keys}) -> made anew in the published one")
    listed = [row for column in COLUMNS for row in rows(content, column)]
    count = content.get("entry_count", content.get("memory_count", len(listed)))
    if count != len(listed):
        tell(f"says that there are {count} and lists {counted(len(listed), 'entry')}")
    for row in listed:
        name = row.get("id") if isinstance(row, dict) else None
        record = tree.named.get(name) if isinstance(name, str) else None
        if record is None:
            file = row.get("file_path", row.get("file")) if isinstance(row, dict) else None
            said = f", of which it says: {row['summary']}" if _summary(row) else ""
            if not (isinstance(name, str) and tree.known(name)):
                broken = any(one.path == f"{path.rpartition('/')[0]}/{file}" for one in tree.unread)
                state = "cannot be read" if broken else "is not there"
                tell(f"lists {name} in {file}, which {state}{said}")
        elif _summary(row) and not record.get("summary"):
            record["summary"] = row["summary"]
            tell(f"summary of {name} -> its own")


def _summary(row: Any) -> bool:
    return isinstance(row, dict) and isinstance(row.get("summary"), str) and bool(row["summary"])


def old_ids(tree: TreeRecords, document: Record, mapping: dict[str, Any]) -> None:
    """Let each old id of a map find the memory of its successor, else the map itself."""
    tell = tree.tell(document["source"])
    document = tree.named.get(document["memory"], document)
    for old, successor in mapping.items():
        record = tree.named.get(successor) if isinstance(successor, str) else None
        if record is None:
            said = f"{old} -> {successor}, which is not there: the old id finds this map"
        else:
            said = f"{old} -> an alias of {record['memory']}"
        holder = tree.named.setdefault(old, record or document)
        if holder is not (record or document):
            said = f"{old} -> not an alias of {successor}: {holder['memory']} has it"
        elif old != holder["memory"]:
            holder["aliases"] = list(dict.fromkeys([*holder["aliases"], old]))
        tell(said)


def resolve(tree: TreeRecords) -> None:
    """Let references name memories by their ids; those that lead nowhere are told."""
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
        tell(f"refers to {name}, which is not there" + (f"; {near[0]} is" if near else ""))
    return name


def rows(content: dict[str, Any], column: str) -> list[Any]:
    """Return what a column of an index lists."""
    found = content.get(column)
    return found if isinstance(found, list) else []
