"""The base class of all groups of the protocol's verbs."""

from __future__ import annotations

from varves.errors import Refused
from varves.protocols.layers import journal
from varves.protocols.layers.adopting import LOG, MERGE
from varves.protocols.layers.merging import joined
from varves.protocols.layers.minutes import in_order
from varves.protocols.layers.options import LayersOptions, options
from varves.protocols.layers.owners import RULES
from varves.protocols.layers.reading import parse
from varves.protocols.layers.views import VIEWS, draw
from varves.protocols.protocol import PublishedProtocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from varves.protocols.layers.blocks import Changelog
    from varves.protocols.layers.views import Drawn
    from varves.protocols.port import Core


class LayersVerbs(PublishedProtocol):
    """One group of verbs; `verbs.Layers` combines all of them."""

    core: Core

    @property
    def options(self) -> LayersOptions:
        """The current settings."""
        return options(self.core.table)

    def log(self) -> Changelog:
        """Return the log in the file; empty if there is no file."""
        return parse(self.core.tree.read(LOG) or b"")

    def as_merged(self, log: Changelog) -> Changelog:
        """Return the log for answers; if git left it unmerged, or in another order, as merged.

        A file with conflict markers may have the bodies of two events under one heading. Nothing is
        written.
        """
        if not log.markers:
            return in_order(self.core, log, self.options)
        try:
            made = joined(self.core)
        except Refused:
            made = None
        content = self.core.tree.committed(LOG) if made is None else made.content
        return parse(content or b"")

    def asked(self) -> Changelog:
        """Return the log for a query, and add a note if it is not merged."""
        log = self.log()
        if log.markers:
            self.core.notes.append(f"{LOG} is not merged: this is the answer after {MERGE}")
        return self.as_merged(log)

    def drawn(
        self, *, whole: bool = False, paths: Sequence[str] = VIEWS
    ) -> tuple[Changelog, Drawn]:
        """Return the log and views for it, both or some; nothing is written."""
        log = self.asked()
        return log, draw(self.core, log, self.options, whole=whole, paths=paths)

    def assert_merged(self, log: Changelog) -> None:
        """Raise an error if the log contains git's conflict markers.

        Raises:
            Refused: the log contains conflict markers.
        """
        if log.markers:
            line = log.markers[0]
            raise Refused(f"{LOG}:{line} is a conflict marker of git", f"{MERGE} resolves it")

    def booted(self) -> dict[str, Any] | None:
        """Return this session's note from its boot; None if there is none or it was lost."""
        return self.core.tree.note(journal.name_of(self.core, RULES))

    def keep_booted(self, note: dict[str, Any], *, sure: bool = True) -> None:
        """Store this session's note."""
        self.core.tree.keep(journal.name_of(self.core, RULES), note, sure=sure)
