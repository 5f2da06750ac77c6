"""Stores the state that a verb left, so that nothing is compared again if nothing has changed.

The note contains digests of CHANGELOG.md and of both views, and counts of the events about them. If
one of these has changed, or the note is lost, the whole log is read and compared. If nothing has
changed, only the end of the log is read: the events that the graph does not show yet.
"""

from __future__ import annotations

from hashlib import sha1, sha256

from varves.events.kinds import (
    BARRING,
    LOG_ALTERED,
    LOG_AMENDED,
    LOG_ARCHIVED,
    LOGGED,
    RESOLVED,
    RESTORED,
    TRUSTED,
    UNDONE,
)
from varves.protocols.layers.horizon import behind, fits, horizon, rules
from varves.protocols.layers.known import ARCHIVE, LOG, PENDING
from varves.protocols.layers.parser import parse
from varves.protocols.layers.views import CONTEXT, GRAPH, VIEWS
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from varves.protocols.layers.blocks import Block, Changelog
    from varves.protocols.layers.options import LayersOptions
    from varves.protocols.layers.views import Drawn
    from varves.protocols.port import Core

    Tally = dict[str, list[int | str]]

LAST_LOOK = "settled"
KINDS = (  # the events that may add or remove a known entry
    *(LOGGED, LOG_ALTERED, LOG_AMENDED, LOG_ARCHIVED),
    *(RESTORED, RESOLVED, TRUSTED, UNDONE, *BARRING),
)
_SHA1 = 40  # hexadecimal digits


class Ground(Value):
    """The log to append to, or its end if the rest is known."""

    content: bytes
    """The bytes of the file."""
    start: int
    """The offset in it where `log` begins."""
    log: Changelog
    archive: bytes
    tally: Tally
    """The numbers of events at the time of the comparison."""
    head: str = ""
    """The version in HEAD that was compared too; empty if none was."""
    missing: bool = False
    """Whether there is no file yet."""
    graph: bytes | None = None
    """graph.md, if `log` continues from it."""

    def with_end(self, end: bytes) -> Ground:
        """Return the log with its content from `start` on replaced."""
        log = parse(end)
        if self.log.skipped:
            log = log.but(skipped=self.log.skipped, chained=self.log.chained)
        return self.replace(content=self.content[: self.start] + end, log=log, missing=False)

    def equal(self, block: Block) -> int:
        """Return the number of earlier events, including the archive, with the same text."""
        heading = block.raw.partition("\n")[0].rstrip().encode("utf-8")
        older = (self.archive, self.content[: self.start])
        met = [parse(part) for part in older if heading in part]
        return sum(one.digest == block.digest for log in met for one in log.blocks)


class Standing(Value):
    """A log that both views show."""

    events: int
    context: str
    graph: dict[str, int]


def ground(core: Core, options: LayersOptions) -> Ground | None:
    """Return the end of the log, if nothing changed since the last verb; otherwise None."""
    note = core.tree.note(LAST_LOOK)
    content = core.tree.read(LOG)
    if note is None or content is None or core.tree.note(PENDING) is not None:
        return None
    archive, graph = core.tree.read(ARCHIVE) or b"", core.tree.read(GRAPH)
    tally = core.tally(*KINDS)
    same = {
        "log": _digest(content),
        "archive": _digest(archive),
        "graph": _digest(graph),
        "rules": rules(options),
        "tally": tally,
    }
    if any(note.get(name) != value for name, value in same.items()):
        return None
    try:
        log = parse(content[note["at"] :])
        log = log.but(skipped=note["skipped"], chained=note["chained"])
        head = str(note["head"])
    except (KeyError, TypeError):
        return None  # from another version
    return Ground(
        content=content,
        start=note["at"],
        log=log,
        archive=archive,
        tally=tally,
        head=head,
        graph=graph,
    )


def standing(core: Core, options: LayersOptions) -> Standing | None:
    """Return what the views of an unchanged log show; None if a view or git differs."""
    here = ground(core, options)
    shown = (core.tree.note(LAST_LOOK) or {}).get("shown")
    context = core.tree.read(CONTEXT)
    if here is None or not shown or context is None or _digest(context) != shown.get("context"):
        return None
    version = core.tree.version(LOG)
    if version not in ("", here.head) and version != _named(here.content, len(version)):
        return None
    return Standing(
        events=here.log.skipped + len(here.log.blocks),
        context=context.decode("utf-8").replace("\r\n", "\n"),
        graph=shown["graph"],
    )


def note_look(
    core: Core,
    here: Ground,
    *,
    options: LayersOptions,
    wrote: Mapping[str, int],
    shown: Drawn | None = None,
) -> None:
    """Store that the log is known in its current state; unusual states are not stored.

    Args:
        core: the ledger.
        here: the log, as its file contains it now.
        options: the options of the protocol.
        wrote: the number of events of each kind that were recorded since the comparison.
        shown: the content of both views, if they were written.
    """
    log, tally = here.log, core.tally(*KINDS)
    counts = {kind: told[0] for kind, told in here.tally.items()}
    expected = {kind: int(counts.get(kind, 0)) + wrote.get(kind, 0) for kind in KINDS}
    lies = {path: core.tree.read(path) for path in VIEWS}
    texts = {path: (lies[path] or b"").decode("utf-8", "replace") for path in VIEWS}
    text = texts[GRAPH]
    if (
        not log.blocks
        or not fits(horizon(text), log, options)
        or any(expected[kind] != (tally[kind][0] if kind in tally else 0) for kind in KINDS)
        or any((log.markers, log.footer, log.unclosed, log.newest_first, b"\r" in here.content))
    ):
        return
    place = max(len(log.blocks) - max(behind(text, log), options.recent), 0)
    after = sum(len((block.raw + block.gap).encode("utf-8")) for block in log.blocks[place:])
    note: dict[str, Any] = {
        "log": _digest(here.content),
        "archive": _digest(here.archive),
        "graph": _digest(lies[GRAPH]),
        "rules": rules(options),
        "tally": tally,
        "at": len(here.content) - after,
        "skipped": log.skipped + place,
        "chained": log.chains[place],
        "head": here.head,
    }
    if shown is not None and shown.texts == {
        path: said.replace("\r\n", "\n") for path, said in texts.items()
    }:
        note["shown"] = {"context": _digest(lies[CONTEXT]), "graph": shown.graph.size()}
    if note != core.tree.note(LAST_LOOK):
        core.tree.keep(LAST_LOOK, note, sure=False)


def _digest(content: bytes | None) -> str:
    return "" if content is None else sha256(content).hexdigest()


def _named(content: bytes, letters: int) -> str:
    """Return the git object id of some content, as SHA-1 or SHA-256."""
    whole = b"blob %d\0" % len(content) + content
    made = sha1(whole, usedforsecurity=False) if letters == _SHA1 else sha256(whole)
    return made.hexdigest()
