"""The whole protocol: one class that combines the groups of its verbs."""

from __future__ import annotations

from varves.errors import Refused
from varves.log.doomed import PublishedPlaces
from varves.protocols.breach import NOTE, Breach
from varves.protocols.layers.adopting import ALTERED, ARCHIVE, LOG, look
from varves.protocols.layers.archiving import ArchivingVerbs
from varves.protocols.layers.booting import Booting
from varves.protocols.layers.codec import LayersCodec
from varves.protocols.layers.graphing import Graphing
from varves.protocols.layers.known import parsed
from varves.protocols.layers.options import options
from varves.protocols.layers.remains import Remaining
from varves.protocols.layers.resolution import ResolutionVerbs
from varves.protocols.layers.shutdown import Closing
from varves.protocols.layers.validate import LayersValidation
from varves.protocols.layers.views import VIEWS
from varves.protocols.port import reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.protocols.port import Core
    from varves.protocols.protocol import ForeignFiles
    from varves.protocols.tree import Joint
    from varves.values.answers import Imported


class Layers(
    Booting, Closing, ArchivingVerbs, Graphing, Remaining, ResolutionVerbs, LayersValidation
):
    """A log in Markdown, and the graph and context computed from it, for one opened ledger."""

    name = "layers"

    def __init__(self, core: Core) -> None:
        self.core = core
        self.codec = LayersCodec()
        options(core.table)

    def published(self) -> PublishedPlaces:
        """Return where the protocol keeps files; none are rendered from the ledger's log."""
        return PublishedPlaces(views=VIEWS, written=(LOG, ARCHIVE))

    def sources(self) -> tuple[str, ...]:
        """Return the files that this protocol writes and git may fail to merge."""
        log = parsed(self.core.tree.committed(LOG) or self.core.tree.read(LOG))
        return (LOG, *VIEWS) if log is not None and log.is_log else VIEWS

    @reads
    def altered(self) -> tuple[Breach, ...]:
        """Return the events of the log that differ from the ledger, or are not recorded yet."""
        if not self.has_files():
            return ()
        seen = look(self.core, self.options, thorough=False)
        found = [one for one in seen.findings if one.rule == ALTERED]
        if seen.adopted:
            many = len(seen.adopted) > 1
            words = ("events", "them") if many else ("event", "it")
            message = (
                f"{len(seen.adopted)} {words[0]} added by hand; the next write records {words[1]}"
            )
            fix = "varves layers boot"
            found.append(Breach(rule="edited", place=LOG, message=message, fix=fix, level=NOTE))
        return tuple(found)

    def unrecorded(self) -> tuple[Breach, ...]:
        """Return the hand edits that are not recorded in the log yet."""
        return self.altered()

    def remake(self, joint: Joint) -> tuple[str, ...]:
        """Rebuild both views, and merge the log if git could not.

        Return the files of an unfinished merge that are now resolved and marked so in git.
        """
        try:
            return self._remake(joint)
        except Refused as fault:  # for example, git's conflict markers do not match
            self.core.notes.append(f"{fault.message}; {fault.hint}")
            return ()

    def _remake(self, joint: Joint) -> tuple[str, ...]:
        log = parsed(self.core.tree.read(LOG))
        marked = log is not None and log.is_log and bool(log.markers)
        settled: tuple[str, ...] = ()
        if marked or any(path in joint.unmerged for path in (LOG, *VIEWS)):
            settled = self.merge().settled
        elif self.has_files():
            self.rebuild()
        else:
            return ()
        ours = (LOG, *VIEWS) if marked else VIEWS  # otherwise a person resolved the log
        more = [path for path in ours if path in joint.staged]
        return tuple(dict.fromkeys((*settled, *self.core.tree.mark_resolved(more))))

    def take_foreign(self, given: ForeignFiles) -> Imported:
        """Import another project's log of events, or this project's own."""
        from varves.protocols.layers.foreign import take_file

        return take_file(self.core, self.codec, given, options=self.options)
