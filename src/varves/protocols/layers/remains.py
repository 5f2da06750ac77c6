"""The text of a purged event that is still in files which only a person edits."""

from __future__ import annotations

from varves.protocols.layers.adoption import ARCHIVE, LOG
from varves.protocols.layers.composition import compose
from varves.protocols.layers.drafts import entry_of
from varves.protocols.layers.known import parsed
from varves.protocols.layers.parser import digest_of
from varves.protocols.layers.views import VIEWS
from varves.values.memory import STATUSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.protocols.port import Core
    from varves.values.memory import Memory

_TELLING = 12  # a line with at least this many letters identifies an entry


def remains(core: Core, memory: Memory) -> tuple[str, ...]:
    """Return the places that still contain the text of a purged entry."""
    digest = memory.extra.get("digest")
    if not isinstance(digest, str):
        return ()  # it was a draft, which no file ever showed
    blocks = [*_blocks(core, digest)]
    made = [*_views(core, memory)] if blocks else []
    return (*blocks, *made, *_drafts(core, digest, str(memory.extra.get("time", ""))))


def _views(core: Core, memory: Memory) -> Iterator[str]:
    """Yield the views that still show the text, until a person edits the log."""
    lines = (line.strip("#-*> ") for line in memory.text.split("\n") if line[:2] != "**")
    said = {line for line in lines if len(line) >= _TELLING}
    for path in VIEWS:
        shown = (core.tree.read(path) or b"").decode("utf-8", "replace")
        if any(one in shown for one in said):
            yield f"{path} (made from {LOG})"


def _blocks(core: Core, digest: object) -> Iterator[str]:
    for path in (LOG, ARCHIVE):
        log = parsed(core.tree.read(path))
        for block in log.blocks if log else ():
            if block.digest == digest:
                yield f"{path}:{block.line}"


def _drafts(core: Core, digest: object, time: str) -> Iterator[str]:
    for one in core.memories(statuses=STATUSES):
        if isinstance(one.extra.get("entry"), dict):
            text = compose(entry_of(one).replace(time=time))
            if digest_of(text) == digest:
                yield f"{one.id} (its draft, private log)"
