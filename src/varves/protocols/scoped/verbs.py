"""Scoped memory: session, project, global and team memory in readable files.

Each public method is a verb of the published protocol; the command line uses the same names.
"""

from __future__ import annotations

from varves.protocols.bridged import Bridged, view_of
from varves.protocols.port import reads, writes
from varves.protocols.protocol import PublishedProtocol
from varves.protocols.scoped import (
    injection,
    prompts,
    proposals,
    queries,
    removals,
    steps,
    validate,
    wish,
)
from varves.protocols.scoped.answers import ScopedFolders
from varves.protocols.scoped.codec import ADOPTED, IGNORED, File, ScopedCodec, folded_keys
from varves.protocols.scoped.desk import Desk
from varves.protocols.scoped.holdings import Holdings
from varves.protocols.scoped.places import FOLDERS, GLOBAL, PROJECT, TEAM, name_of, path_of
from varves.protocols.scoped.sessions import unread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Unpack

    from varves.protocols.bridged import DueView
    from varves.protocols.port import Core
    from varves.protocols.scoped.answers import (
        Aged,
        Dispute,
        Entries,
        EntryLine,
        Forgotten,
        Injected,
        Prompt,
        ProposedEntry,
        Ranked,
        SessionEnded,
        SessionStarted,
        StoredEntry,
    )
    from varves.protocols.scoped.learnings import Extract
    from varves.protocols.scoped.shades import Alike
    from varves.protocols.scoped.wish import WriteOptions
    from varves.values.answers import Finding
    from varves.values.memory import Memory


class Scoped(Bridged, PublishedProtocol):
    """The verbs of scoped memory for one opened ledger.

    Args:
        core: the ledger.
        extract: finds learnings in a text; by default the phrases of `learnings.extract`.
        alike: returns whether a newer text is about the same subject as an older one; by default
            the core's likeness rule, as `shades.alike` applies it.
    """

    name = "scoped"
    prompt_mark = prompts.BEGIN

    def __init__(
        self, core: Core, *, extract: Extract | None = None, alike: Alike | None = None
    ) -> None:
        self.core = core
        self.codec = ScopedCodec()
        self._desk = Desk(core, extract=extract, alike=alike)

    # Entries

    @reads
    def read(self, scope: str, id: str | None = None, *, type: str | None = None) -> Entries:
        """Return the entries of one scope; each counts as read.

        Args:
            scope: session, project, team or global.
            id: the project or team; by default the current project, or the only team.
            type: return only entries of this type.
        """
        return queries.read(self._desk, scope, id, type)

    @reads
    def list(
        self, scope: str | None = None, id: str | None = None, *, type: str | None = None
    ) -> tuple[EntryLine, ...]:
        """Return entries by scope and number; none of them counts as read.

        Args:
            scope: only this scope; by default the session, the current project, all teams and
                global.
            id: the project or team.
            type: return only entries of this type.
        """
        return queries.listed(self._desk, scope, id, type)

    @writes
    def write(
        self, scope: str, id: str | None = None, **options: Unpack[WriteOptions]
    ) -> StoredEntry:
        """Store one entry and return it with its number.

        Args:
            scope: session, project, team or global.
            id: the project or team; by default the current project, or the only team.
            **options: type (decision, convention, pattern or preference) and content are required;
                confidence is from 0 to 1 (default 0.9; a global entry needs a stated one);
                override_global hides, in this scope, the global entry about the same subject, and
                overrides the one with that number; force accepts a global entry without the
                confidence that the settings require; again accepts a value that was rejected;
                allow_secret disables masking.

        Raises:
            Refused: the entry is global and no sufficient confidence is stated, or several global
                entries have the subject of one that overrides.
            Rejected: the value was rejected before and `again` is not set.
        """
        return wish.write(self._desk, scope, id, options)

    @reads
    def search(
        self, query: str, *, scope: str | None = None, project: str | None = None, k: int = 10
    ) -> tuple[EntryLine, ...]:
        """Return the entries that contain all words of a query, the best match first.

        Entries that another scope hides in this project come last, and the notes name them.

        Args:
            query: words; case is ignored.
            scope: search only this scope; by default all.
            project: the project; by default the current one, or all if no scope is given.
            k: the most entries to return.
        """
        return queries.searched(self._desk, query, scope=scope, project=project, most=k)

    @writes
    def forget(self, id: str, *, scope: str, reason: str, project: str | None = None) -> Forgotten:
        """Hide an entry; it keeps its number and can be restored.

        Raises:
            Refused: the number is used in several projects, or its file shows another entry.
            NotFound: no entry has the number.
        """
        return removals.forget(self._desk, id, scope=scope, reason=reason, project=project)

    @writes
    def restore(self, id: str, *, scope: str, project: str | None = None) -> Forgotten:
        """Restore a forgotten entry, and return the reason it was forgotten."""
        return removals.restore(self._desk, id, scope=scope, project=project)

    @reads
    def rank(self, scope: str | None = None, id: str | None = None) -> tuple[Ranked, ...]:
        """Return entries by relevance, with the three terms of each score; no access is counted.

        The notes name the best entries that another scope hides in this project.

        Args:
            scope: only this scope; by default the current project, all teams and global.
            id: the project or team.
        """
        return queries.ranked(self._desk, scope, id)

    @reads
    def conflicts(self, scope: str | None = None, id: str | None = None) -> tuple[Dispute, ...]:
        """Return the entries that contradict, update or repeat each other, newest first.

        Both stay until a person decides: `Ledger.resolve` takes the number of an entry.

        Args:
            scope: only this scope; by default the projects, all teams and global.
            id: the project or team.
        """
        return queries.conflicting(self._desk, scope, id)

    @reads
    def stale(
        self, *, older_than: str | None = None, unused_for: str | None = None
    ) -> tuple[Aged, ...]:
        """Return entries that are old or unused for long, the oldest first.

        Args:
            older_than: recorded longer ago than this, such as 90d, which is the default if neither
                is given.
            unused_for: neither read nor injected for this long.
        """
        return queries.aged(self._desk, older_than, unused_for)

    # Sessions

    @writes
    def session_start(
        self,
        *,
        id: str | None = None,
        team: str | None = None,
        project: str | None = None,
        budget: int | None = None,
        agent: str | None = None,
    ) -> SessionStarted:
        """Begin a session: return proposals of crashed sessions and a block of the best entries.

        Args:
            id: the session's name; by default the ledger's session, otherwise a new name.
            team: the team whose memory is loaded; by default the settings' teams, otherwise all.
            project: the project; by default the current one.
            budget: the most tokens of the block.
            agent: the agent that receives the block.
        """
        return steps.start(self._desk, id, team=team, project=project, budget=budget, agent=agent)

    @writes
    def task(
        self,
        text: str,
        *,
        team: str | None = None,
        project: str | None = None,
        budget: int | None = None,
        agent: str | None = None,
    ) -> Injected:
        """Return what is known about a task, as a block to inject before it begins."""
        return steps.task(self._desk, text, team=team, project=project, budget=budget, agent=agent)

    @writes
    def note(self, text: str, *, kind: str | None = None) -> StoredEntry:
        """Record a tool used, a file edited, a decision or a plain note in the session's file.

        Args:
            text: what was done or decided.
            kind: tool, edit, decision or note; by default determined from the text. Decisions, and
                the learnings in notes, are proposed when the session ends.
        """
        return steps.note(self._desk, text, kind)

    @writes
    def session_end(self) -> SessionEnded:
        """End the session: propose its decisions, then remove its file."""
        return steps.end(self._desk)

    # Learnings

    @writes
    def done(
        self,
        *,
        text: str | None = None,
        transcript: str | None = None,
        output: Any = None,
        scope: str = PROJECT,
        id: str | None = None,
    ) -> tuple[ProposedEntry, ...]:
        """Propose the learnings of a finished task; without input, the session's decisions.

        Args:
            text: what a person says was learned; if no learning is marked in it, the whole text.
            transcript: the conversation, as text or as JSON Lines of messages.
            output: the task's `output_data`, as JSON text or as the parsed value.
            scope: where the learnings would be stored.
            id: the project or team.
        """
        return proposals.done(
            self._desk, text=text, transcript=transcript, output=output, scope=scope, name=id
        )

    @reads
    def proposals(self) -> tuple[ProposedEntry, ...]:
        """Return the proposals that wait for approval."""
        return tuple(Holdings(self.core).proposals())

    @writes
    def approve(self, id: str, *, force: bool = False, again: bool = False) -> StoredEntry:
        """Store a proposal under the next number of its file."""
        return proposals.approve(self._desk, id, force=force, again=again)

    @writes
    def reject(self, id: str, reason: str | None = None) -> ProposedEntry:
        """Drop a proposal; its text is not proposed again, and writing it requires `again`."""
        return proposals.reject(self._desk, id, reason)

    # Files

    @writes
    def init(self, *, project: str | None = None, team: str | None = None) -> ScopedFolders:
        """Create the folders and files of scoped memory; a second call changes nothing."""
        held = Holdings(self.core, lean=True)
        own = [f"{PROJECT}:{self._desk.project(project)}", GLOBAL]
        if team is not None:
            own.append(f"{TEAM}:{name_of(team, TEAM)}")
        kept = folded_keys(self.core.events(ADOPTED))
        empty = {
            path_of(scope): File(records=[]).written({})
            for scope in own
            if not held.records(scope) and scope not in kept
        }
        self.core.begin()
        folders = dict.fromkeys([*FOLDERS, *(path_of(one).rpartition("/")[0] for one in own)])
        made = self.core.make_folders(tuple(folders), IGNORED, empty)
        return ScopedFolders(root=self.core.root, created=tuple(made))

    @writes
    def inject(self, path: str, *more: str) -> Prompt:
        """Write the block of a session's start into prompt files, between markers.

        Counters that are not recorded yet are ignored, so that a second run writes the same block.
        If one of the files is refused, none is written. A file that git could commit gets only
        entries that the project's log has.
        """
        return injection.inject(self._desk, (path, *more))

    @reads
    def validate(self) -> tuple[Finding, ...]:
        """Return the problems in the files, and the sessions that broke a rule."""
        files = self.core.files()
        return (
            *validate.findings(files),
            *validate.numbers(self.core, files),
            *unread(self._desk.sessions().values()),
        )

    def label_of(self, memory: Memory) -> str | None:
        """Return the number that an entry has in its file."""
        numbers = Holdings(self.core, lean=True).numbers(memory.scope)
        return numbers.label(memory.id) if memory.id in numbers.shown else None

    def told_in(self, prompt: str) -> Sequence[str]:
        """Return the texts of the memories in the block of a prompt file."""
        return prompts.told_in(prompt)

    # Views of other protocols' records

    def due(self, record: Memory, category: str) -> tuple[DueView, ...]:
        """Return the views that this protocol should have of a record."""
        return (view_of(record, self.name, category),)

    @writes
    def take(self, record: Memory, view: DueView) -> None:
        """Propose a record of another protocol for this project, unless its text is known there.

        Raises:
            Refused: the text was rejected in this project before.
        """
        proposals.take(self._desk, record, view)
