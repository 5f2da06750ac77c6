"""What is known about CHANGELOG.md: from the ledger, and from git if the ledger has nothing.

Archived events come before those of the log, in the graph, the context and searches. The digest of
all events is a chain over the archive and the log, so moving the oldest events to the archive
leaves both views up to date.
"""

from __future__ import annotations

import re
from hashlib import sha256

from varves.errors import Refused
from varves.events.kinds import LOG_ALTERED, LOG_AMENDED, LOGGED
from varves.events.views import VIEW_OF
from varves.protocols.layers.altered import KnownEntry
from varves.protocols.layers.blocks import name_of
from varves.protocols.layers.parser import parse
from varves.protocols.layers.times import moment
from varves.values.memory import STATUSES
from varves.values.text import fold
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.protocols.layers.blocks import Block, Changelog
    from varves.protocols.layers.options import LayersOptions
    from varves.protocols.port import Core

LOG = "CHANGELOG.md"
ARCHIVE = "CHANGELOG-archive.md"
CITED = "View of {} ({})."
"""The line by which an event cites the record of another protocol that it shows."""
PENDING = "pending"  # the note of an append in progress
_MERGES = 50  # the most merges that are checked for the origin of a block
_CITING = re.compile(r"^View of (mem_[0-9a-z]{12}) \([a-z]+\)\.$", re.MULTILINE)
_STAMP = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d)?")


def entry_draft(
    core: Core,
    act: Act,
    block: Block,
    *,
    options: LayersOptions,
    ordinal: int,
    after: str | None = None,
) -> Draft:
    """Return the draft that records a block."""
    said = {"text": block.text, "title": block.title, "type": block.type or "event"}
    masked, names = core.clean(said | {"area": block.area or ""})
    cited = _CITING.findall(masked["text"])
    content = {
        "memory": name_of(block.digest, ordinal),
        "text": masked["text"],
        "scope": "project",
        "type": masked["type"],
        "summary": masked["title"],
        "at": moment(block.time, options.zone),
        "log": LOG,
        "time": block.time,
        "title": masked["title"],
        "area": masked["area"] or None,
        "digest": block.digest,
        "ordinal": ordinal,
        "after": after,
        "redacted": list(names),
        "links": {VIEW_OF: cited[:1]} if cited else {},
    }
    draft = act.draft(LOGGED, content)
    return draft.replace(data={**draft.data, "ordinal": ordinal})


def amending(core: Core, block: Block, options: LayersOptions, *, ordinal: int) -> dict[str, Any]:
    """Return the fields that an accepted change sets."""
    said = {"text": block.text, "title": block.title, "type": block.type or "event"}
    masked, _ = core.clean(said | {"area": block.area or ""})
    changes: dict[str, Any] = {**masked, "summary": masked["title"]}
    at = moment(block.time, options.zone)
    return changes | {"digest": block.digest, "ordinal": ordinal} | ({"at": at} if at else {})


def known_entries(core: Core, *, lean: bool = False) -> list[KnownEntry]:
    """Return the entries that the ledger knows, in order of recording.

    With `lean`, without texts.
    """
    found = []
    told = core.events(LOG_AMENDED)
    places = {one.data["memory"]: one.data["after"] for one in told if "after" in one.data}
    for memory in core.memories(statuses=STATUSES, lean=lean):
        extra = memory.extra
        after = places.get(memory.id, extra.get("after"))
        if extra.get("log") == LOG and isinstance(extra.get("digest"), str):
            found.append(
                KnownEntry(
                    id=memory.id,
                    digest=extra["digest"],
                    ordinal=int(extra.get("ordinal") or 0),
                    text=memory.text,
                    time=_time_in(memory.text) or str(extra.get("time", "")),
                    title=str(extra.get("title", "")),
                    status=memory.status,
                    after=after if isinstance(after, str) else None,
                )
            )
    return found


def _time_in(text: str) -> str:
    """Return the time of a heading, which an accepted change may have altered."""
    found = _STAMP.search(text.partition("\n")[0])
    return found[0].replace("T", " ") if found else ""


def sides(core: Core) -> list[list[set[str]]]:
    """Return, for every merge of the file, the digests of the events on each side."""
    tree = core.tree
    read: dict[str, set[str]] = {}

    def digests(commit: str) -> set[str]:
        if commit not in read:
            held = parsed(tree.committed(LOG, commit))
            read[commit] = {block.digest for block in held.blocks} if held else set()
        return read[commit]

    others = ("MERGE_HEAD", "REBASE_HEAD", "CHERRY_PICK_HEAD") if tree.joining() else ()
    pairs = [("HEAD", other) for other in others] + tree.merges(LOG)[:_MERGES]
    return [[digests(commit) for commit in pair] for pair in pairs]


def parsed(content: bytes | None) -> Changelog | None:
    """Parse a log; None if there is none or it cannot be read."""
    if content is None:
        return None
    try:
        return parse(content)
    except Refused:
        return None


def before(log: Changelog, older: bytes | None) -> Changelog | None:
    """Parse an older version of a log; if the log begins with that version, reuse its blocks."""
    plain = log.unclosed is None and not log.newest_first and not log.skipped
    if not older or not plain or not log.content.startswith(older):
        return parsed(older)
    end = len(older.decode("utf-8", "replace"))
    place, count, last = len(log.preamble), 0, end + 1
    while count < len(log.blocks) and place < end:
        block = log.blocks[count]
        last, count = place + len(block.raw), count + 1
        place = last + len(block.gap)
    return log.first(count) if last <= end else parsed(older)


def committed(block: Block) -> KnownEntry:
    """Return a block that only git's version contains, as a known entry."""
    return KnownEntry(
        id=block.name,
        digest=block.digest,
        ordinal=block.ordinal,
        text=block.text,
        time=block.time,
        title=block.title,
        status="active",
        committed=True,
    )


class Forms(Value):
    """Recognises blocks that are not new entries: earlier versions of entries, or purged ones."""

    names: frozenset[str]
    digests: frozenset[str]
    headings: frozenset[tuple[str, str]]

    def has(self, block: Block) -> bool:
        """Return whether a block is an earlier version of a known entry, or a purged entry."""
        if block.name in self.names or block.digest in self.digests:
            return True
        return (block.time, fold(block.title)) in self.headings


def forms_of(core: Core, known: Sequence[KnownEntry], log: Changelog) -> Forms:
    """Return how to recognise earlier versions of known entries, and purged entries."""
    there = {block.digest for block in log.blocks}
    lost = [one for one in known if one.digest not in there]
    told = (event.data.get("found") for event in core.events(LOG_ALTERED))
    return Forms(
        names=frozenset(core.barred()),
        digests=frozenset(one for one in told if isinstance(one, str)),
        headings=frozenset((one.time, fold(one.title)) for one in lost),
    )


ARCHIVING = "archiving"  # the note of a move that is not finished


def archive_of(core: Core) -> bytes | None:
    """Return the archive, without what an unfinished move copied to it."""
    content, note = core.tree.read(ARCHIVE), core.tree.note(ARCHIVING)
    if content is None or note is None:
        return content
    if sha256(core.tree.read(LOG) or b"").hexdigest() != note.get("log"):
        return content  # the log was written too
    return content[: int(note.get("length", 0))] or None


def settle(core: Core) -> None:
    """Take back what an unfinished move copied to the archive."""
    if core.tree.note(ARCHIVING) is None:
        return
    kept, lies = archive_of(core), core.tree.read(ARCHIVE)
    if kept is None and lies is not None:
        core.tree.remove(ARCHIVE)
    elif kept is not None:
        core.tree.replace(ARCHIVE, kept, seen=lies)
    core.tree.keep(ARCHIVING, None)


def continued(core: Core, log: Changelog) -> Changelog:
    """Return a log with the archived events before its own."""
    if log.skipped or log.archived:
        return log
    archive = parsed(archive_of(core))
    if archive is None or not archive.blocks:
        return log
    return log.but(
        blocks=(*archive.ordered, *log.ordered),
        archived=len(archive.blocks),
        comments=tuple(one for one in log.comments if one != "newest first"),
    )
