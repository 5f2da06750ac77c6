"""What a look at CHANGELOG.md found, with the log in mind."""

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
    """What a look at the file found, and what is to be recorded of it."""

    lies: bytes | None
    """The file as it lies here."""
    content: bytes
    """The file without an event that was cut short."""
    log: Changelog
    archive: Changelog
    known: tuple[KnownEntry, ...]
    sight: ComparedLog
    drafts: tuple[Draft, ...]
    findings: tuple[Breach, ...]
    adopted: tuple[str, ...]
    """The entries that nobody had recorded."""
    head: Changelog | None
    """The file as HEAD has it, if that was asked for."""
    cut: bytes | None = None
    """What is left of an event that was cut short."""
    pending: bool = False
    """Whether a note of an unfinished append lies here."""
    held: bool = False
    """Whether the log itself is gone and git holds it: nothing is recorded until it is back."""
    tally: dict[str, list[int | str]]
    """The events that tell of the log, counted before it was looked at."""
    version: str = ""
    """What git calls the file in HEAD, if that was looked at."""

    @property
    def is_calm(self) -> bool:
        """Whether a second look, once all of this is recorded, would find nothing."""
        return not self.findings and not self.held and self.lies is not None

    def ground(self) -> Ground:
        """Return the log to add to."""
        missing = self.lies is None
        return Ground(
            content=self.content,
            start=0,
            log=parse(opening().encode()) if missing else self.log,
            archive=self.archive.content,
            tally=self.tally,
            head=self.version,
            missing=missing,
        )
