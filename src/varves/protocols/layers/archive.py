"""Moves the oldest events to CHANGELOG-archive.md; graph, context and search still show them.

The archive is written before the log. If the process dies between the two writes, a note
records what the archive contained before, and the events copied to its end are ignored.
"""

from __future__ import annotations

from hashlib import sha256

from varves.errors import Refused, UsageError
from varves.protocols.layers.adoption import look, record
from varves.protocols.layers.appends import ready
from varves.protocols.layers.known import ARCHIVE, ARCHIVING, LOG, archive_of
from varves.protocols.layers.options import options_of
from varves.protocols.layers.parser import parse
from varves.protocols.layers.times import given
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.protocols.layers.blocks import Block, Changelog
    from varves.protocols.port import Core

_OPENING = "# Changelog archive\n\nEvents that were moved from CHANGELOG.md, oldest first.\n"


class EventsArchived(Value):
    """The events that were moved to the archive."""

    ids: tuple[str, ...]
    left: int
    """The number of events that are still in the log."""
    path: str


def archive(core: Core, *, keep: int | None = None, before: str | None = None) -> EventsArchived:
    """Move the oldest events of the log to CHANGELOG-archive.md, unchanged."""
    if keep is not None and keep < 1:
        raise UsageError("at least one event must be kept", "give --keep 1 or more")
    if keep is not None and before is not None:
        raise UsageError("--keep and --before cannot be used together", "give one of them")
    until = None if before is None else given(before, options_of(core).zone)
    seen = ready(core, options_of(core))
    if seen.sight.changed or seen.sight.missing:
        raise Refused(f"an event of {LOG} was altered", "varves layers resolve settles it")
    log = seen.log
    moved = _oldest(core, log, keep, until)
    if not moved:
        core.notes.append("there is nothing to archive")
        return EventsArchived(ids=(), left=len(log.blocks), path=ARCHIVE)
    old, lies = archive_of(core), core.tree.read(ARCHIVE)
    archive = _with_end(old, moved, log.newline)
    rest = log.without(moved)
    wanted = [block.digest for block in (*seen.archive.ordered, *log.ordered)]
    parts = (parse(archive, ARCHIVE), parse(rest))
    if [block.digest for part in parts for block in part.ordered] != wanted:
        raise Refused(
            f"the events would be read differently in {ARCHIVE}",
            "code or a comment there or between the events is unclosed; move them by hand",
        )
    core.begin()
    note = {"log": sha256(seen.content).hexdigest(), "length": len(old or b"")}
    core.tree.keep(ARCHIVING, note)
    core.tree.replace(ARCHIVE, archive, seen=lies)
    core.tree.replace(LOG, rest, seen=seen.content)
    core.tree.keep(ARCHIVING, None)
    after = look(core, options_of(core), thorough=False)
    record(core, after)
    names = {id(block): name for name, block in seen.sight.present.items()}
    names |= {id(one.block): one.block.name for one in seen.sight.fresh}
    return EventsArchived(
        ids=tuple(names.get(id(block), block.name) for block in moved),
        left=len(log.blocks) - len(moved),
        path=ARCHIVE,
    )


def _oldest(core: Core, log: Changelog, keep: int | None, until: str | None) -> tuple[Block, ...]:
    if until is None:
        left = options_of(core).archive_keep if keep is None else keep
        return log.ordered[: max(len(log.blocks) - left, 0)]
    count = 0
    while count < len(log.blocks) - 1 and log.ordered[count].time < until:
        count += 1
    return log.ordered[:count]


def _with_end(old: bytes | None, moved: Sequence[Block], newline: str) -> bytes:
    """Return the archive with more events at its end; the text between events moves too."""
    text = (old or b"").decode("utf-8") or _OPENING.replace("\n", newline)
    for block in moved:
        text = f"{text.rstrip(chr(13) + chr(10))}{newline}{newline}{block.raw}{block.gap}"
    return (text.rstrip("\r\n") + newline).encode("utf-8")
