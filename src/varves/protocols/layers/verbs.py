"""The verbs of the protocol, each a few lines over the functions of its noun."""

from __future__ import annotations

from varves.errors import NotFound, Refused
from varves.log.doomed import PublishedPlaces
from varves.protocols.bridged import Bridged, view_of
from varves.protocols.layers import (
    answers,
    appends,
    archive,
    boot,
    bridge,
    handoffs,
    queries,
    resolution,
    shutdown,
    validation,
    waivers,
)
from varves.protocols.layers.adoption import ARCHIVE, LOG, altered, unrecorded
from varves.protocols.layers.composition import plain
from varves.protocols.layers.known import parsed
from varves.protocols.layers.merge_forms import FORMS
from varves.protocols.layers.options import options, options_of
from varves.protocols.layers.remains import remains
from varves.protocols.layers.views import VIEWS
from varves.protocols.port import Codec, reads, writes
from varves.protocols.protocol import PublishedProtocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Unpack

    from varves.protocols.bridged import DueView
    from varves.protocols.layers.adoption import AlteredEntry
    from varves.protocols.layers.answers import GraphShown, Remade, Way
    from varves.protocols.layers.appends import EventsAppended
    from varves.protocols.layers.archive import EventsArchived
    from varves.protocols.layers.boot import Booted, LayersFiles, RulesShown
    from varves.protocols.layers.drafts import Drafted
    from varves.protocols.layers.graph import GraphEntity
    from varves.protocols.layers.handoffs import Handed, HandoffTaken
    from varves.protocols.layers.keywords import AppendOptions, CommitOptions
    from varves.protocols.layers.queries import Around, FindAnswer
    from varves.protocols.layers.resolution import EntriesResolved, Merged
    from varves.protocols.layers.shutdown import Closed
    from varves.protocols.layers.waivers import FindingsWaived, Waived
    from varves.protocols.port import Core
    from varves.protocols.protocol import Breach, ForeignFiles
    from varves.protocols.tree import Joint
    from varves.values.answers import Imported
    from varves.values.memory import Memory


class LayersCodec(Codec):
    """A codec without rendered files: the verbs read and write all files themselves.

    CHANGELOG.md is a source itself, and graph.md and context.md are computed from it alone.
    """

    name = "layers"
    forms = FORMS


class Layers(Bridged, PublishedProtocol):
    """A log in Markdown, and the graph and context computed from it, for one opened ledger."""

    name = "layers"

    def __init__(self, core: Core) -> None:
        self.core = core
        self.codec = LayersCodec()
        options(core.table)

    @writes
    def init(self, *, begin: bool = False) -> LayersFiles:
        """Create the log and the views if they are missing; a second call changes nothing.

        AGENTS.md is written by people, never by this verb. A CHANGELOG.md without events is a
        different kind of file and is not changed.

        Args:
            begin: start a log in such a file too, after its existing text.
        """
        return boot.init(self.core, begin=begin)

    def boot(self) -> Booted:
        """Load the rules and return the state of the work; no file that git tracks is changed.

        In a read-only checkout nothing is written; the answer is the same.

        Raises:
            NotFound: there is no AGENTS.md.
        """
        if self.core.tree.closed((LOG, *VIEWS)):
            return self._read_boot()
        return self._write_boot()

    @reads
    def _read_boot(self) -> Booted:
        return boot.boot_reading(self.core)

    @writes
    def _write_boot(self) -> Booted:
        return boot.boot_writing(self.core)

    @reads
    def constraints(self) -> dict[str, list[str]]:
        """Return the rules from this session's boot; before a boot, those of the file.

        Raises:
            NotFound: there was no boot, and there is no AGENTS.md.
        """
        return boot.constraints(self.core)

    @reads
    def rules(self) -> RulesShown:
        """Return all that this session's boot read from AGENTS.md; before a boot, from the file.

        Raises:
            NotFound: there was no boot, and there is no AGENTS.md.
        """
        return boot.rules_shown(self.core)

    @reads
    def agents_section(self) -> str:
        """Return the section about this memory for a person to paste into AGENTS.md."""
        return boot.agents_section()

    @writes
    def append(self, **options: Unpack[AppendOptions]) -> EventsAppended:
        """Append one event to CHANGELOG.md.

        Args:
            **options: type (decision, change, result or milestone), scope (project, pack, skill
                or file), title, what and why are required; impact, next (the next steps) and files
                (the paths it concerns, from the root) are optional; check_files refuses paths that
                do not exist. A time `at` before the last event or in the
                future is replaced by now. `draft` keeps the event for this session's shutdown;
                allow_secret disables masking.

        Raises:
            Refused: the event breaks a rule, or the file is not a log or has conflict markers.
            NotFound: the log is missing, but events of it are known; or one of files is missing.
        """
        return appends.append(self.core, **options)

    @writes
    def append_text(
        self, text: str, *, draft: bool = False, allow_secret: bool = False
    ) -> EventsAppended:
        """Append each event of a text in the published form."""
        return appends.append_text(self.core, text, draft=draft, allow_secret=allow_secret)

    @writes
    def archive(self, *, keep: int | None = None, before: str | None = None) -> EventsArchived:
        """Move the oldest events of the log to CHANGELOG-archive.md, unchanged.

        Args:
            keep: the number of events that stay; by default the setting `archive_keep`.
            before: move the events before this time instead; the last event always stays.

        Raises:
            Refused: an event of the log was altered, or cannot be moved without a change.
        """
        return archive.archive(self.core, keep=keep, before=before)

    @writes
    def merge(self) -> Merged:
        """Resolve CHANGELOG.md after two branches appended to it, and rebuild both views.

        Raises:
            Refused: the conflict markers do not match.
        """
        return resolution.merge(self.core)

    @writes
    def resolve(self, id: str | None = None, *, accept: bool) -> EntriesResolved:
        """Accept the altered text of an entry, or restore its old text.

        Args:
            id: the memory of the entry; by default all altered ones. If the whole file is missing,
                restoring creates it again.
            accept: accept the change; otherwise the old text is restored in its old place.

        Raises:
            NotFound: there is no such entry, or nothing was altered.
            Refused: the entry is not altered, or its text was masked.
        """
        return resolution.resolve(self.core, id, accept=accept)

    @reads
    def graph_show(
        self, *, format: str = "text", around: str | None = None, depth: int = 1
    ) -> GraphShown:
        """Return the graph as text, json, mermaid, dot or svg.

        Args:
            format: the format.
            around: only the part around this entity.
            depth: the largest distance from it, in relations.

        Raises:
            NotFound: no entity has this id.
            Refused: the format is svg, and the layout library is not installed or the graph is too
                large for a picture.
        """
        return answers.graph_show(self.core, format=format, around=around, depth=depth)

    @reads
    def graph_query(
        self,
        *,
        id: str | None = None,
        kind: str | None = None,
        status: str | None = None,
        pack: str | None = None,
        references: str | None = None,
    ) -> tuple[GraphEntity, ...]:
        """Return the entities that match all conditions.

        Args:
            id: only this entity.
            kind: skill, pack or file.
            status: of skills; case is ignored.
            pack: the members of this pack.
            references: the entities that refer to this one.

        Raises:
            NotFound: no entity has this id.
        """
        return answers.graph_query(
            self.core,
            id=id,
            kind=kind,
            status=status,
            pack=pack,
            references=references,
        )

    @reads
    def graph_path(self, a: str, b: str) -> Way:
        """Return a shortest path between two entities, ignoring direction."""
        return answers.graph_path(self.core, a, b)

    @reads
    def graph_neighbours(
        self, id: str, *, depth: int = 1, relation: str | None = None, direction: str = "both"
    ) -> Around:
        """Return the entities around an entity, the nearest first.

        Args:
            id: the entity.
            depth: the largest distance, in relations.
            relation: follow only `depends on`, `part of` or `references`.
            direction: out, in or both.
        """
        return queries.neighbours(
            answers.current_graph(self.core),
            id,
            depth=depth,
            relation=relation,
            direction=direction,
        )

    @reads
    def graph_depends(self, id: str) -> tuple[GraphEntity, ...]:
        """Return all direct and indirect dependencies of an entity, the nearest first."""
        return queries.depends(answers.current_graph(self.core), id)

    @reads
    def graph_cycles(self) -> tuple[tuple[str, ...], ...]:
        """Return the dependency cycles."""
        return queries.cycles(answers.current_graph(self.core))

    @reads
    def find(self, text: str) -> FindAnswer:
        """Search the graph, then the log; each hit names its place."""
        return answers.find(self.core, text)

    @writes
    def graph_rebuild(self) -> Remade:
        """Report whether graph.md is stale, and rebuild it from the log.

        Raises:
            NotFound: the log is missing.
        """
        return answers.graph_rebuild(self.core)

    @writes
    def rebuild(self) -> Remade:
        """Rebuild both views from the log.

        Raises:
            NotFound: the log is missing.
        """
        return answers.rebuild(self.core)

    def context(self, *, write: bool = True) -> GraphShown:
        """Return the state of the work, computed from the log.

        Args:
            write: also write context.md, if its bytes differ.
        """
        return self._write_context() if write else self._read_context()

    @writes
    def _write_context(self) -> GraphShown:
        return answers.context_written(self.core)

    @reads
    def _read_context(self) -> GraphShown:
        return answers.context_shown(self.core)

    @reads
    def validate(self) -> tuple[Breach, ...]:
        """Return the problems in the four files, each with its place, rule and severity.

        Stale views are reported too; the next boot updates them. Waived findings are left out.
        """
        return waivers.without_waived(self.core, validation.findings(self.core))

    @writes
    def waive(
        self, place: str, *, reason: str = "", rule: str | None = None, withdraw: bool = False
    ) -> FindingsWaived:
        """Accept the findings at a place as they are; validate no longer counts them.

        Args:
            place: the place as validate prints it, such as `CHANGELOG.md:12`.
            reason: why they are accepted.
            rule: only the findings of this rule.
            withdraw: end the waivers of these findings instead.

        Raises:
            NotFound: there is no such finding.
            Refused: another verb resolves the finding, or no reason is given.
        """
        return waivers.waive(self.core, place, reason=reason, rule=rule, withdraw=withdraw)

    @reads
    def waived(self) -> tuple[Waived, ...]:
        """Return the present findings that are waived, with who waived them, when and why."""
        return waivers.waived(self.core)

    @reads
    def drafts(self) -> tuple[Drafted, ...]:
        """Return the events this session will append at its shutdown."""
        return handoffs.waiting_drafts(self.core)

    @writes
    def handoff(self, *, to: str, reason: str, share: bool = False) -> Handed:
        """Hand over committed work to another agent.

        Args:
            to: the agent that continues.
            reason: session timeout, task complete or escalation.
            share: commit the handoff too, so that it reaches other clones.

        Raises:
            Refused: drafts are not appended yet, or CHANGELOG.md has uncommitted changes.
        """
        return handoffs.hand_over(self.core, to=to, reason=reason, share=share)

    @writes
    def accept(self) -> HandoffTaken:
        """Accept a handoff; only its receiver can do so, and only once.

        Raises:
            NotFound: there is no handoff.
            Refused: the file is not a handoff, was accepted before, or is for another agent.
        """
        return handoffs.accept(self.core)

    @writes
    def shutdown(
        self,
        *,
        text: str | None = None,
        to: str | None = None,
        reason: str | None = None,
        commit: bool = True,
        **more: Unpack[CommitOptions],
    ) -> Closed:
        """Append the remaining events, rebuild the views, commit, hand over, and delete notes.

        An interrupted shutdown continues when it is called again, with or without the same text.

        Args:
            text: events in Markdown, each a unit of work; this session's drafts come before them.
            to: the agent that continues, if any.
            reason: session timeout, task complete (the default) or escalation.
            commit: whether to commit the log, the views and the files that this session's events
                link; git hooks run as for any commit.
            **more: files (more files for the commit), message (the commit's), and share, which
                commits the handoff too, so that it reaches other clones.

        Raises:
            Refused: a check failed; unless git itself refused the commit, nothing was written.
        """
        return shutdown.shutdown(self.core, text=text, to=to, reason=reason, commit=commit, **more)

    # Files

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
        return unrecorded(self.core) if self.has_files() else ()

    @reads
    def altered_entries(self) -> tuple[AlteredEntry, ...]:
        """Return the entries of the log that were changed or removed by hand, with both texts."""
        return altered(self.core) if self.has_files() else ()

    def unrecorded(self) -> tuple[Breach, ...]:
        """Return the hand edits that are not recorded in the log yet."""
        return self.altered()

    def remake(self, joint: Joint) -> tuple[str, ...]:
        """Rebuild both views, and merge the log if git could not.

        Return the files of an unfinished merge that are now resolved and marked so in git.
        """
        try:
            return self._settle(joint)
        except (NotFound, Refused) as fault:  # for example, git's conflict markers do not match
            self.core.notes.append(f"{fault.message}; {fault.hint}")
            return ()

    def _settle(self, joint: Joint) -> tuple[str, ...]:
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

        return take_file(self.core, self.codec, given, options=options_of(self.core))

    def still_says(self, memory: Memory) -> tuple[str, ...]:
        """Return the places that still contain the text of a purged entry."""
        return remains(self.core, memory)

    # Records of other protocols

    def due(self, record: Memory, category: str) -> tuple[DueView, ...]:
        """Return the views that this protocol should have of a record."""
        return (view_of(record, "layers", category),)

    def shows(self, view: Memory, record: Memory, due: tuple[DueView, ...]) -> bool:
        """Return whether a draft, or the event made from it, shows the record's current text."""
        if isinstance(view.extra.get("entry"), dict):
            return super().shows(view, record, due)
        return plain(record.text) in view.text

    @writes
    def take(self, record: Memory, view: DueView) -> None:
        """Draft an event that contains and cites a record of another protocol."""
        bridge.take(self.core, record, view)

    @writes
    def put_away(self, view: Memory, reason: str, *cause: str) -> None:
        """Archive a view; if it is written already, draft an event that withdraws it."""
        super().put_away(view, reason, *cause)
        bridge.withdraw(self.core, view, reason)

    @writes
    def bring_back(self, view: Memory) -> None:
        """Restore a view; drop its withdrawal if that is not written yet."""
        super().bring_back(view)
        bridge.drop_withdrawal(self.core, view)
