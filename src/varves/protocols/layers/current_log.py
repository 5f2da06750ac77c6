"""The current log and its views, as a verb answers from them."""

from __future__ import annotations

from varves.errors import Refused
from varves.protocols.layers.adoption import LOG, MERGE
from varves.protocols.layers.merge import joined
from varves.protocols.layers.minutes import in_order
from varves.protocols.layers.options import options_of
from varves.protocols.layers.parser import parse
from varves.protocols.layers.views import VIEWS, draw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.protocols.layers.blocks import Changelog
    from varves.protocols.layers.views import Drawn
    from varves.protocols.port import Core

_OURS, _THEIRS = 2, 3  # git's stages of a file that it could not merge


def log_of(core: Core) -> Changelog:
    """Return the log in the file; empty if there is no file."""
    return parse(core.tree.read(LOG) or b"")


def as_merged(core: Core, log: Changelog) -> Changelog:
    """Return the log for answers; if git left it unmerged, or in another order, as merged.

    A file with conflict markers may have the bodies of two events under one heading. Nothing is
    written.
    """
    if not log.markers:
        return in_order(core, log, options_of(core))
    try:
        made = joined(core)
    except Refused:
        made = None
    content = core.tree.committed(LOG) if made is None else made.content
    return parse(content or b"")


def asked(core: Core) -> Changelog:
    """Return the log for a query, and add a note if it is not merged."""
    log = log_of(core)
    if log.markers:
        core.notes.append(f"{LOG} is not merged: this is the answer after {MERGE}")
    return as_merged(core, log)


def draw_current(
    core: Core, *, whole: bool = False, paths: Sequence[str] = VIEWS
) -> tuple[Changelog, Drawn]:
    """Return the log and views for it, both or some; nothing is written."""
    log = asked(core)
    return log, draw(core, log, options_of(core), whole=whole, paths=paths)


def assert_merged(core: Core, log: Changelog | None = None) -> None:
    """Raise an error if git could not merge the log, and nobody else has merged it.

    Where the merge driver could not be started, the file has no conflict markers, but only the
    events of this branch.

    Raises:
        Refused: the log contains conflict markers, or the events of this branch only.
    """
    log = log_of(core) if log is None else log
    if log.markers:
        line = log.markers[0]
        raise Refused(f"{LOG}:{line} is a conflict marker of git", f"{MERGE} resolves it")
    stages = core.tree.stages(LOG) if core.tree.joining() else {}
    if _THEIRS in stages and core.tree.read(LOG) == stages.get(_OURS):
        raise Refused(
            f"{LOG} is not merged: it has the events of one branch only",
            f"{MERGE} merges those of both",
        )
