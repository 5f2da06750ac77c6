"""The whole protocol: one class that combines the groups of its verbs."""

from __future__ import annotations

from varves.errors import NotFound, Refused
from varves.log.doomed import PublishedPlaces
from varves.protocols.layers.adopting import ALTERED, ARCHIVE, LOG, look
from varves.protocols.layers.archiving import ArchivingVerbs
from varves.protocols.layers.booting import Booting
from varves.protocols.layers.composing import compose
from varves.protocols.layers.drafts import entry_of
from varves.protocols.layers.graphing import Graphing
from varves.protocols.layers.known import parsed
from varves.protocols.layers.merge_forms import FORMS
from varves.protocols.layers.options import options
from varves.protocols.layers.reading import digest_of
from varves.protocols.layers.resolution import ResolutionVerbs
from varves.protocols.layers.shutdown import Closing
from varves.protocols.layers.validate import LayersValidation
from varves.protocols.layers.views import VIEWS
from varves.protocols.port import Codec, reads
from varves.protocols.protocol import NOTE, Breach
from varves.values.memory import STATUSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.protocols.port import Core
    from varves.protocols.protocol import ForeignFiles
    from varves.protocols.tree import Joint
    from varves.values.answers import Imported
    from varves.values.memory import Memory

_TELLING = 12  # a line with at least this many letters identifies an entry


class LayersCodec(Codec):
    """A codec without rendered files: the verbs read and write all files themselves.

    CHANGELOG.md is a source itself, and graph.md and context.md are computed from it alone.
    """

    name = "layers"
    forms = FORMS


class Layers(Booting, Closing, ArchivingVerbs, Graphing, ResolutionVerbs, LayersValidation):
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

    def has_files(self) -> bool:
        """Return whether a log or a view of this protocol exists."""
        log = parsed(self.core.tree.read(LOG))
        views = (self.core.tree.read(path) for path in VIEWS)
        return (log is not None and log.is_log) or any(view is not None for view in views)

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
        except (NotFound, Refused) as fault:  # for example, git's conflict markers do not match
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

    # Text of purged entries that is still in files which only a person edits

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
