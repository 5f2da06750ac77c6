"""The result of comparing CHANGELOG.md with the ledger."""

from __future__ import annotations

from varves.protocols.layers.composing import opening
from varves.protocols.layers.last_look import Ground
from varves.protocols.layers.reading import parse
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.events.event import Draft
    from varves.protocols.breach import Breach
    from varves.protocols.layers.altered import ComparedLog, KnownEntry
    from varves.protocols.layers.blocks import Changelog


class Seen(Value):
    """The result of a look at the file, and the events to record."""

    lies: bytes | None
    """The current file."""
    content: bytes
    """The file without an incomplete event."""
    log: Changelog
    archive: Changelog
    known: tuple[KnownEntry, ...]
    sight: ComparedLog
    drafts: tuple[Draft, ...]
    findings: tuple[Breach, ...]
    adopted: tuple[str, ...]
    """The entries that were not recorded before."""
    head: Changelog | None
    """The file in HEAD, if it was read."""
    cut: bytes | None = None
    """The text of an incomplete event."""
    pending: bool = False
    """Whether there is a note of an unfinished append."""
    held: bool = False
    """Whether the ledger's log is missing but in git: nothing is recorded until it is restored."""
    tally: dict[str, list[int | str]]
    """The events about the log, counted before the comparison."""
    version: str = ""
    """Git's object id of the file in HEAD, if it was read."""

    @property
    def is_calm(self) -> bool:
        """Whether a second comparison, after recording, would find nothing new."""
        return not self.findings and not self.held and self.lies is not None

    def ground(self) -> Ground:
        """Return the log to append to."""
        missing = self.lies is None
        log = parse(opening().encode()) if missing else self.log
        if self.archive.blocks:
            count, chained = len(self.archive.blocks), self.archive.chains[-1]
            log = log.but(skipped=count, chained=chained)
        return Ground(
            content=self.content,
            start=0,
            log=log,
            archive=self.archive.content,
            tally=self.tally,
            head=self.version,
            missing=missing,
        )
