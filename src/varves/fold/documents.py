"""Folds documents: memories that are rewritten and never lose a concurrent version.

Each version names the versions that it replaces, and is current until another version replaces it.
Usually one version is current. If two clones wrote at the same time, two versions are current. The
memory shows the newest current version and lists the others, until one version replaces them all. A
deletion, forgetting, replacement or resolution covers only the versions it names, so a version
written in the meantime stays current.
"""

from __future__ import annotations

from varves.events.kinds import BIRTHS, FORGOTTEN, RESTORED, REVISED
from varves.fold.changes import revise, stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Protocol

    from varves.events.event import Event

    Row = dict[str, Any]
    # by the event that wrote the version, in order
    Versions = dict[str, tuple[str, dict[str, Any], str, int]]

    class Versioned(Protocol):
        """The part of a folded family of memories that contains the state of its documents."""

        versions: dict[str, Versions]
        passed: dict[str, list[Any]]


DOCUMENT = "document"
HEADS = "heads"
OVER = "over"
DELETED = "deleted"
# statuses that an event sets whose writer did not know the version
_GONE = ("forgotten", "superseded")


def part(event: Event) -> dict[str, Any] | None:
    """Return the part of an event about a document: shelf, key, and the versions it replaces."""
    content = event.data
    if event.kind in (REVISED, RESTORED):
        content = content.get("set", {})
    elif event.kind not in (FORGOTTEN, *BIRTHS):
        return None
    found = content.get(DOCUMENT)
    return found if isinstance(found, dict) else None


def begin(row: Row, event: Event) -> None:
    """Record the event that creates a document as the document's first version."""
    if DOCUMENT in row["extra"]:
        row["extra"] = {**row["extra"], HEADS: [event.id]}


def over(event: Event) -> list[Any] | None:
    """Return the versions that an event replaces; None if the event lists no versions."""
    found = (part(event) or event.data).get(OVER)
    return found if isinstance(found, list) else None


def keep(family: Versioned, row: Row) -> None:
    """Register a memory's row that was just created, if the memory is a document."""
    if DOCUMENT in row["extra"]:
        family.versions[row["id"]] = {row["version"]: _version(row)}


def mourn(family: Versioned, row: Row) -> None:
    """Register a document whose first version was undone; a later version may recreate it."""
    if DOCUMENT in row["extra"]:
        _show(row, family.versions.setdefault(row["id"], {}))


def write(family: Versioned, row: Row, event: Event) -> bool:
    """Apply an event that writes or deletes a version; return False if the event does neither."""
    heads = family.versions.get(row["id"])
    if heads is None or part(event) is None:
        return False
    if event.id in heads:  # this event created the row
        return True
    for name in _covered(family, over(event) or []):
        heads.pop(name, None)
    if event.kind != FORGOTTEN:
        _add(heads, row, event)
    elif not heads:
        row["status"], row["reason"] = "forgotten", event.data.get("reason")
    _show(row, heads)
    stamp(row, event)
    return True


def outlives(family: Versioned, row: Row, event: Event) -> bool:
    """Apply an event that removes a document; return whether a concurrent version remains."""
    heads = family.versions.get(row["id"])
    if heads is None:
        return False
    named = over(event)
    for name in list(heads) if named is None else _covered(family, named):
        heads.pop(name, None)
    _show(row, heads)
    return bool(heads)


def stand(family: Versioned, row: Row, event: Event) -> None:
    """Apply a person's choice to keep a document; the versions that it replaces are removed."""
    heads = family.versions.get(row["id"])
    if heads is None or row["status"] != "active":
        return
    for name in _covered(family, over(event) or []):
        if len(heads) > 1:
            heads.pop(name, None)
    if not heads:  # the document's text was deleted, and is now a version again
        heads[event.id] = _version(row)
    _show(row, heads)


def _covered(family: Versioned, names: list[Any]) -> Iterator[str]:
    """Yield the names of the given versions.

    If a version was undone, also yield the versions that it replaced.
    """
    waiting, seen = [*names], set()
    while waiting:
        name = str(waiting.pop())
        if name not in seen:
            seen.add(name)
            yield name
            waiting += family.passed.get(name, ())


def _version(row: Row) -> tuple[str, dict[str, Any], str, int]:
    return row["text"], row["extra"][DOCUMENT], row["origin"], row["trust"]


def _add(heads: Versions, row: Row, event: Event) -> None:
    """Add a version to the current versions; it replaces a version with the same text."""
    if event.kind in BIRTHS:
        row["text"] = event.data.get("text", "")
        row["extra"] = row["extra"] | {DOCUMENT: event.data[DOCUMENT]}
    else:
        revise(row, event.data)
    row["origin"], row["trust"] = event.origin, event.trust
    for name in [name for name, version in heads.items() if version[0] == row["text"]]:
        del heads[name]
    heads[event.id] = _version(row)
    if event.kind == RESTORED or row["status"] in _GONE:
        row["status"], row["reason"] = "active", None


def _show(row: Row, heads: Versions) -> None:
    """Set a row's text to the newest current version, and list all current versions in the row."""
    extra = {**row["extra"], HEADS: list(heads)}
    if heads:
        row["text"], extra[DOCUMENT], row["origin"], row["trust"] = list(heads.values())[-1]
    row["extra"] = extra
