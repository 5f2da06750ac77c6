"""Finds text of purged entries that is still in files which only a person edits."""

from __future__ import annotations

from varves.protocols.layers.adopting import ARCHIVE, LOG
from varves.protocols.layers.composing import compose
from varves.protocols.layers.drafts import entry_of
from varves.protocols.layers.known import parsed
from varves.protocols.layers.parts import LayersVerbs
from varves.protocols.layers.reading import digest_of
from varves.protocols.layers.views import VIEWS
from varves.values.memory import STATUSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.values.memory import Memory


_TELLING = 12  # a line with at least this many letters identifies an entry


class Remaining(LayersVerbs):
    """The methods by which the ledger finds remains of purged text in the protocol's files."""

    def has_files(self) -> bool:
        """Return whether a log or a view of this protocol exists."""
        log = parsed(self.core.tree.read(LOG))
        views = (self.core.tree.read(path) for path in VIEWS)
        return (log is not None and log.is_log) or any(view is not None for view in views)

    def still_says(self, memory: Memory) -> tuple[str, ...]:
        """Return the places that still contain the text of a purged entry."""
        digest = memory.extra.get("digest")
        if not isinstance(digest, str):
            return ()  # it was a draft, which no file ever showed
        blocks = [*self._blocks(digest)]
        made = [*self._views(memory)] if blocks else []
        return (*blocks, *made, *self._drafts(digest, str(memory.extra.get("time", ""))))

    def _views(self, memory: Memory) -> Iterator[str]:
        """Yield the views that still show the text, until a person edits the log."""
        lines = (line.strip("#-*> ") for line in memory.text.split("\n") if line[:2] != "**")
        said = {line for line in lines if len(line) >= _TELLING}
        for path in VIEWS:
            shown = (self.core.tree.read(path) or b"").decode("utf-8", "replace")
            if any(one in shown for one in said):
                yield f"{path} (made from {LOG})"

    def _blocks(self, digest: object) -> Iterator[str]:
        for path in (LOG, ARCHIVE):
            log = parsed(self.core.tree.read(path))
            for block in log.blocks if log else ():
                if block.digest == digest:
                    yield f"{path}:{block.line}"

    def _drafts(self, digest: object, time: str) -> Iterator[str]:
        for one in self.core.memories(statuses=STATUSES):
            if isinstance(one.extra.get("entry"), dict):
                text = compose(entry_of(one).replace(time=time))
                if digest_of(text) == digest:
                    yield f"{one.id} (its draft, private log)"
