"""Documents: memories that are written again and again, and lose no version to another clone.

A version names those it was written over. The ones that nobody has written over stand: mostly one,
two where two clones wrote at once. The newest of them is what the memory says; the others are named
beside it until somebody writes over them all. Whoever deletes, forgets, replaces or settles covers
the versions they name and no others, so what was written meanwhile stands.
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
    Versions = dict[str, tuple[str, dict[str, Any], str, int]]  # by event, in order

    class Versioned(Protocol):
        """What a folded family keeps of its documents."""

        versions: dict[str, Versions]
        passed: dict[str, list[Any]]


DOCUMENT = "document"
HEADS = "heads"
OVER = "over"
DELETED = "deleted"
_GONE = ("forgotten", "superseded")  # by somebody who did not see what is written


def part(event: Event) -> dict[str, Any] | None:
    """Return what an event says of a version: shelf and key, and what it was written over."""
    content = event.data
    if event.kind in (REVISED, RESTORED):
        content = content.get("set", {})
    elif event.kind not in (FORGOTTEN, *BIRTHS):
        return None
    found = content.get(DOCUMENT)
    return found if isinstance(found, dict) else None


def begin(row: Row, event: Event) -> None:
    """Let the event that brings a document be its first version."""
    if DOCUMENT in row["extra"]:
        row["extra"] = {**row["extra"], HEADS: [event.id]}


def over(event: Event) -> list[Any] | None:
    """Return the versions that an event says it was made over."""
    found = (part(event) or event.data).get(OVER)
    return found if isinstance(found, list) else None


def keep(family: Versioned, row: Row) -> None:
    """Take up a row that was just brought, if it is a document."""
    if DOCUMENT in row["extra"]:
        family.versions[row["id"]] = {row["version"]: _version(row)}


def mourn(family: Versioned, row: Row) -> None:
    """Take up a row whose first version was undone: it may be written again."""
    if DOCUMENT in row["extra"]:
        _show(row, family.versions.setdefault(row["id"], {}))


def write(family: Versioned, row: Row, event: Event) -> bool:
    """Let an event write or delete a version; tell whether that is what it does."""
    heads = family.versions.get(row["id"])
    if heads is None or part(event) is None:
        return False
    if event.id in heads:  # it brought the row
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
    """Let an event take a document out of use; tell whether something written meanwhile stands."""
    heads = family.versions.get(row["id"])
    if heads is None:
        return False
    named = over(event)
    for name in list(heads) if named is None else _covered(family, named):
        heads.pop(name, None)
    _show(row, heads)
    return bool(heads)


def stand(family: Versioned, row: Row, event: Event) -> None:
    """Let a document stand because a person said so, without the versions they settled."""
    heads = family.versions.get(row["id"])
    if heads is None or row["status"] != "active":
        return
    for name in _covered(family, over(event) or []):
        if len(heads) > 1:
            heads.pop(name, None)
    if not heads:  # what it says was deleted, and is a version again
        heads[event.id] = _version(row)
    _show(row, heads)


def _covered(family: Versioned, names: list[Any]) -> Iterator[str]:
    """Yield versions, and what those were written over of them that were undone."""
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
    """Put a version beside those that stand; the same text twice is one version."""
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
    """Let the row say what the newest version says, and name all that stand."""
    extra = {**row["extra"], HEADS: list(heads)}
    if heads:
        row["text"], extra[DOCUMENT], row["origin"], row["trust"] = list(heads.values())[-1]
    row["extra"] = extra
