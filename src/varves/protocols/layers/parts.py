"""What every group of the protocol's verbs can reach."""

from __future__ import annotations

from varves.errors import Refused
from varves.protocols.layers import journal
from varves.protocols.layers.adopting import LOG, MERGE
from varves.protocols.layers.merging import joined
from varves.protocols.layers.options import LayersOptions, options
from varves.protocols.layers.reading import parse
from varves.protocols.layers.views import draw
from varves.protocols.protocol import PublishedProtocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.protocols.layers.blocks import Changelog
    from varves.protocols.layers.codec import LayersCodec
    from varves.protocols.layers.views import Drawn
    from varves.protocols.port import Core

RULES = "rules"


class LayersVerbs(PublishedProtocol):
    """One group of verbs; `verbs.Layers` is made of all of them."""

    core: Core
    codec: LayersCodec

    @property
    def options(self) -> LayersOptions:
        """The settings that hold now."""
        return options(self.core.table)

    def log(self) -> Changelog:
        """Return the log as the file has it; empty where there is none."""
        return parse(self.core.tree.read(LOG) or b"")

    def as_merged(self, log: Changelog) -> Changelog:
        """Return the log that answers are made from: where git left it unmerged, as if it were.

        A file with conflict markers holds two events' bodies under one heading. Nothing is written.
        """
        if not log.markers:
            return log
        try:
            made = joined(self.core)
        except Refused:
            made = None
        content = self.core.tree.committed(LOG) if made is None else made.content
        return parse(content or b"")

    def asked(self) -> Changelog:
        """Return the log that a question is put to, and say so where it is not merged."""
        log = self.log()
        if log.markers:
            self.core.notes.append(f"{LOG} is not merged: answered as {MERGE} would leave it")
        return self.as_merged(log)

    def drawn(self, *, whole: bool = False) -> tuple[Changelog, Drawn]:
        """Return the log, and both views as it asks for them; nothing is written."""
        log = self.asked()
        return log, draw(self.core, log, self.options, whole=whole)

    def assert_merged(self, log: Changelog) -> None:
        """Stop where git left its conflict markers in the log.

        Raises:
            Refused: it did.
        """
        if log.markers:
            line = log.markers[0]
            raise Refused(f"{LOG}:{line} is a conflict marker of git", f"{MERGE} settles it")

    def booted(self) -> dict[str, Any] | None:
        """Return what this session noted at its boot; None: it did not, or the note is lost."""
        return self.core.tree.note(journal.name_of(self.core, RULES))

    def keep_booted(self, note: dict[str, Any]) -> None:
        """Note what holds for this session."""
        self.core.tree.keep(journal.name_of(self.core, RULES), note)
