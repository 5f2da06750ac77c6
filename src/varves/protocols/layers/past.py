"""The archived events: they come before those of the log, in the graph, the context and searches.

The digest of all events is a chain over the archive and the log. So moving the oldest events to the
archive leaves both views up to date.
"""

from __future__ import annotations

from hashlib import sha256

from varves.protocols.layers.known import ARCHIVE, LOG, parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.protocols.layers.blocks import Changelog
    from varves.protocols.port import Core

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
