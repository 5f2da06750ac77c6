"""The ledger as one protocol uses it: reads memories, appends events and renders files.

A verb runs under one lock on the project's protocol files. First, it adopts people's edits of the
files. Then it decides and appends, and at the end it renders the affected files. The log is always
written before the files. If a file cannot be rendered, the next verb renders it.
"""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from itertools import groupby
from types import MappingProxyType

from varves.commands.port import Decision
from varves.context.guard import note_shown
from varves.context.live_index import EditedView
from varves.errors import Busy, Damaged, Refused, VarvesError
from varves.events.kinds import ACCESSED, BIRTHS, DETECTED, touches
from varves.files.counters import count, flush
from varves.files.git_driver import STALE, GitDriver, literal
from varves.files.prompts import NOTED
from varves.files.published import Folder
from varves.files.renderings import Views
from varves.files.view import ProtocolView
from varves.files.worktree import WorkTree
from varves.index.where import Where
from varves.places.locks import Deciding
from varves.protocols.port import Touched
from varves.protocols.tree import Joint
from varves.values.names import safe_name
from varves.values.text import count_tokens
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Any

    from varves.commands.port import Act, Rows
    from varves.context.guard import VerbGuard
    from varves.events.event import Draft, Event
    from varves.fold.conflicts import Conflict
    from varves.index.port import Index
    from varves.protocols.port import Codec
    from varves.protocols.tree import Tree
    from varves.state.notebook import Line
    from varves.values.answers import RecordConflict
    from varves.values.listing import Listing


# the name of the note that lists the files that git merges with the merge driver
DRIVEN = "merged by git"
NO_FILES: Mapping[str, bytes] = MappingProxyType({})
LOCK = "files"  # the name of the lock on a project's protocol files; it is not the name of a log


class LedgerCore(ProtocolView):
    """One opened ledger, as one of its protocols uses it."""

    def __init__(self, guard: VerbGuard, name: str) -> None:
        super().__init__(guard.context, name)
        self._guard = guard
        self.notes: list[str] = []
        self.conflicts: list[RecordConflict] = []
        # edits that a verb that only reads has found, by path
        self.unrecorded: list[tuple[str, str]] = []
        self.moved = False
        self.unreadable: dict[str, str] = {}  # files that no verb may write, each with the reason
        self.joint = Joint()  # the merge conflicts of git that this verb resolves
        self.views = Views(self.context.places, name, sure=self.context.settings.mode != "fast")
        self.tree: Tree = WorkTree(self.context.places, name)
        self._held: dict[str, int] = {}
        self._edited: frozenset[str] = frozenset()  # what unrecorded edits of files change
        self._forget_touched()

    def _forget_touched(self) -> None:
        self._memories: set[str] = set()
        self._scopes: set[str] = set()
        self._stated: list[str] = []
        self._detected: list[Event] = []
        self._events = False
        self._appended = False
        self._told = False

    @property
    def running(self) -> bool:
        """Whether a verb of this protocol is running now."""
        return self._codec is not None

    def act(self, *, actor: str | None = None, session: str | None = None) -> Act:
        """Return an `Act`: who acts, and when; drafts made with it name this protocol."""
        act = self.context.act(session).replace(protocol=self.name)
        if actor is None:
            return act
        masked, _ = self.context.clean(safe_name(actor, "actor"))
        return act.replace(actor=masked)

    def clean(self, content: Any, *, allow_secret: bool = False) -> tuple[Any, tuple[str, ...]]:
        """Return a caller's content with secrets masked."""
        return self.context.clean(content, allow_secret=allow_secret)

    def log_of(self, scope: str) -> str:
        """Return the log that stores memories of a scope."""
        return self.context.log_of(scope)

    def rows(self) -> Rows:
        """Return the current memories, from which commands decide what to do."""
        return self.context.current()

    def disputes(
        self,
        scopes: Collection[str],
        *,
        about: Collection[str] | None = None,
        most: int | None = None,
        limit: int | None = None,
    ) -> Listing[Conflict]:
        """Return the conflicts of some scopes that need a person's decision, newest first."""
        from varves.conflicts.pending import Among, ComparisonLimit, waiting

        view = self.context.view(None)
        if self._overlay is not None and self._edited:
            view = EditedView(self._overlay, view, self._edited)
        among = Among(scopes=scopes, memories=about)
        compared = ComparisonLimit(memories=most)
        return waiting(self.context, view, compared=compared, limit=limit, among=among)

    def noted(self, name: str) -> str:
        """Return the text that this protocol stored under a name in this clone, or ""."""
        return self.views.mark(f"own {name}")

    def note_down(self, name: str, text: str) -> None:
        """Store a text under a name in this clone; it may be lost and computed again."""
        self.views.set_mark(f"own {name}", text)

    # Acting

    def begin(self) -> None:
        """Create the ledger if it does not exist."""
        if not self.context.places.exists():
            self.context.begin()

    def make_folders(
        self,
        folders: Sequence[str],
        ignored: Sequence[str],
        files: Mapping[str, bytes] = NO_FILES,
    ) -> list[str]:
        """Create folders of the protocol, some of them ignored by git, and files; return new paths.

        This sets the protocol up in this checkout, so that hooks may drive it.
        """
        from varves.context.consents import agree_to_hooks
        from varves.files.folders import make

        made = make(self.root, tuple(folders), tuple(ignored), files)
        agree_to_hooks(self.context.settings, [self.name])
        return made

    def matching(self, pattern: str) -> list[str]:
        """Return the paths of the project's files that match a pattern such as `docs/*.md`."""
        from glob import glob

        return sorted(path.replace(os.sep, "/") for path in glob(pattern, root_dir=self.root))

    def read_prompt(self, path: str) -> tuple[str, str]:
        """Return a prompt file's path in the project and its text."""
        from varves.files.prompts import read

        return read(self.root, path)

    def is_public(self, place: str) -> bool:
        """Return whether git tracks a file, or would track it after `git add`."""
        git = self.context.places.git
        if git is None:
            return False
        path = f"{self.root}/{place}"
        return bool(git.tracked(path)) or not git.run("check-ignore", "--", path, check=False)

    def replace_prompt(self, place: str, text: str) -> None:
        """Replace a prompt file atomically."""
        from varves.files.prompts import write

        write(self.root, place, text)
        noted = self.views.mark(NOTED).splitlines()
        self.views.set_mark(NOTED, "\n".join(sorted({*noted, place})))

    def read_paper(self, path: str) -> bytes | None:
        """Return the bytes of a file at any path given by the caller; None if it does not exist."""
        from varves.files.papers import read

        return read(path)

    def write_paper(self, path: str, content: bytes) -> None:
        """Replace a file at any path given by the caller, atomically."""
        from varves.files.papers import write

        write(path, content)

    def deciding(self, log: str) -> AbstractContextManager[None]:
        """Return a `with` block that locks a log; nested blocks do not lock it again."""
        return self._holding(log)

    @contextmanager
    def _holding(self, name: str) -> Iterator[None]:
        """Hold a lock during a `with` block; in nested calls, only the outermost call takes it.

        The protocol files are locked through the project's folder, which exists even without a
        ledger.
        """
        with ExitStack() as stack:
            if not self._held.get(name):
                if name == LOCK:
                    stack.enter_context(Deciding(Folder(self.root), lambda: None))
                    # other processes may have written before the lock was granted
                    self.context.index.steady = True
                else:
                    self.context.begin(name)
                    stack.enter_context(self.context.deciding(name))
            self._held[name] = self._held.get(name, 0) + 1
            try:
                yield
            finally:
                self._held[name] -= 1

    def append(self, log: str, drafts: Sequence[Draft], *, unread: bool = False) -> list[Event]:
        """Append events, given as drafts, durably to one log.

        If `unread` is set, files that cannot be read are ignored.
        """
        if not drafts:
            return []
        scopes = self.check(log, drafts, unread=unread)
        decision = Decision(log=log, drafts=tuple(drafts), memory="")
        self.context.logs.hlc.read(self.context.fresh().index.latest_hlc())
        _, events = self.context.append(decision)
        self._appended = True
        self._scopes |= scopes
        for event in events:
            self._touch(event)
        return events

    def check(self, log: str, drafts: Sequence[Draft], *, unread: bool = False) -> set[str]:
        """Check that the files to which drafts (events to be appended) lead can be written.

        Return the scopes of the drafts.
        """
        from varves.files.render import ready

        index = self.index()
        scopes = {scope for draft in drafts for scope in _scopes_of(draft.data, index)}
        if self._codec is not None:
            names = {name for draft in drafts for name in _names_in(draft.data)}
            unread = unread or all(draft.kind == ACCESSED for draft in drafts)
            ready(self, self._codec, scopes, log=log, memories=names, unread=unread)
        return scopes

    def _touch(self, event: Event) -> None:
        if event.kind in BIRTHS or "text" in (event.data.get("set") or ()):
            self._stated += touches(event)
        elif event.kind == DETECTED:
            self._detected.append(event)
        self._memories.update(touches(event))
        self._guard.follow_up.unbridged.update(touches(event))
        if event.kind == ACCESSED:
            self._memories.update(event.data["accessed"])
        if self._codec is not None and event.kind in self._codec.kinds:
            self._events = True

    def apply(
        self,
        decide: Callable[[Rows, Any, Act], Decision],
        command: Any,
        *,
        act: Act | None = None,
    ) -> tuple[Decision, list[Event]]:
        """Let a command decide on the current memories, and append the drafts of its events."""
        decision = decide(self.rows(), command, act or self.act())
        return decision, self.append(decision.log, decision.drafts)

    def told(self, verb: str, names: Iterable[str], *, agent: str | None = None) -> None:
        """Note that memories were read or injected, and by which verb."""
        line = count(self.context, self.name, verb, names=list(names), agent=agent)
        if line is not None:
            self.shown(line)
        self._told = True
        if self.table.get("write_through") is True and self._held.get(LOCK):
            self.flush()

    def shown(self, line: Line) -> None:
        """Record that the verb that runs now shows memories to its caller."""
        memories = self.index().memories(Where(ids=line.memories))
        tokens = sum(count_tokens(one.text) for one in memories)
        note_shown(self.context, [line], moment=line.verb, tokens=tokens)

    def flush(self, *scopes: str) -> None:
        """Record in the logs that memories of some scopes were read.

        Without scopes, all reads that are not recorded yet are recorded.
        """
        flush(self, scopes)

    # Running a verb

    def during(self, codec: Codec, call: Callable[[], Any], *, writes: bool) -> Any:
        """Record people's edits of files, run a verb, and render files; a nested verb is only run.

        Only one thread at a time runs a verb, so that no thread sees another's unfinished work.
        """
        with self.context.lock:
            return self._during(codec, call, writes=writes)

    def _during(self, codec: Codec, call: Callable[[], Any], *, writes: bool) -> Any:
        if self._codec is not None:
            return call()

        def run() -> Any:
            self._codec = codec
            self.context.index.steady = True
            self._forget_touched()
            self.notes.clear()
            self.conflicts.clear()
            try:
                return self._write(codec, call) if writes else self._read(codec, call)
            except self.context.index.faults as fault:
                if self._appended:  # the verb has appended, so it must not run twice
                    reason = f"the index was damaged during the call: {fault}"
                    raise Damaged(
                        reason, "before you continue, check with varves log what was recorded"
                    ) from None
                raise
            finally:
                self._codec = self._overlay = None
                self._edited = frozenset()

        return self._guard.run(run)

    def _write(self, codec: Codec, call: Callable[[], Any]) -> Any:
        places = self.context.places
        plain = places.git is None and not places.exists()
        with self._holding(LOCK):
            from varves.files.hand_edits import look
            from varves.files.render import render

            if self.context.settings.bridges:
                from varves.files.bridge_mark import begin

                begin(self.context)
            found = look(self, codec, writes=True)
            self.notes += found.notes
            self.unreadable = found.unreadable
            self.moved = self.views.moved or bool(found.drafts)
            edited = {
                one for _, draft in found.drafts for one in _scopes_of(draft.data, self.index())
            }
            if edited:
                self.flush(*edited)  # first, so that the files show current counters
            for log, drafts in groupby(found.drafts, lambda pair: pair[0]):
                self.append(log, [draft for _, draft in drafts])
            try:
                answer = call()
                if plain and places.exists():  # perhaps nobody wanted one in this folder
                    self.notes.append(f"there was no ledger here: {self.root} has one now")
            finally:
                touched = Touched(
                    memories=frozenset(self._memories),
                    scopes=frozenset(self._scopes),
                    events=self._events,
                )
                try:
                    render(self, codec, touched, stale=found.stale, unreadable=found.unreadable)
                # the events are recorded, so this error only becomes a note
                except (VarvesError, OSError) as fault:
                    self.notes.append(f"not every file is up to date yet: {fault}")
                if codec.everywhere:
                    from varves.files.everywhere import spread

                    spread(self, codec, changed="global" in self._scopes)
                self._drive(codec)
            return self._judged(answer)

    def _judged(self, answer: Any) -> Any:
        """Add to an answer the conflicts that the recorded statements have with older memories.

        This is done at the end of a verb, so that conflicts settled by its rules are not reported.
        """
        if not self._stated and not self._detected:
            return answer
        from varves.conflicts.arrivals import SAID, arrived
        from varves.conflicts.pending import left_to_a_person

        found = [one.of_record for one in arrived(self.context, self._stated, hidden=True)]
        try:
            found += left_to_a_person(self.rows(), self._detected, self._stated)
        except (self.context.index.faults, VarvesError, OSError):
            pass  # the events are recorded, and `varves conflicts` lists the conflicts
        self.conflicts += found
        self.notes += [f"{one.memory} {one.in_words}" for one in found[:SAID]]
        if len(found) > SAID:
            self.notes.append(f"{len(found) - SAID} more: varves conflicts")
        if isinstance(answer, Value) and hasattr(answer, "conflicts"):
            own = getattr(answer, "memory", None)
            told = [one for one in found if own in (None, one.memory)]
            return answer.replace(conflicts=tuple(told))
        return answer

    def _drive(self, codec: Codec) -> None:
        """Set up git's merge driver for this protocol's files, once something is written.

        If a person has removed the driver, it is not added again, unless its program has moved.
        """
        git, settings = self.context.places.own_git, self.context.settings
        if git is None or settings.in_hook or not (codec.forms and self.context.places.exists()):
            return
        driver = GitDriver(git, self.root, self.merged_patterns(codec))
        if self.views.mark(DRIVEN) == driver.seal and driver.state() != STALE:
            return
        try:
            driver.install()
        except (Busy, Refused):
            return  # `doctor` reports it
        self.views.set_mark(DRIVEN, driver.seal)

    def merged_patterns(self, codec: Codec) -> list[str]:
        """Return the paths of this protocol's files that git merges with the merge driver."""
        patterns = [one for form in codec.forms for one in form.patterns]
        return [*patterns, *map(literal, self.views.mark(NOTED).splitlines())]

    def render_all(self, codec: Codec, joint: Joint | None = None) -> list[str]:
        """Record people's edits of files, and render every file.

        If git could not merge a file, both sides are recorded. Return the files that are resolved
        by this.
        """
        self.joint = joint or Joint()
        try:
            settled: list[str] = self.during(codec, self._render_everything, writes=True)
            return settled
        finally:
            self.joint = Joint()

    def _render_everything(self) -> list[str]:
        from varves.files.render import render

        codec = self._codec
        assert codec is not None  # noqa: S101 - within a verb
        render(self, codec, None, stale=set(), unreadable=self.unreadable)
        if not (self.joint.unmerged or self.joint.staged):
            return []
        from varves.files.unmerged import mark_resolved

        return mark_resolved(self, codec)

    def render_after(self, codec: Codec, memories: set[str]) -> None:
        """Render the files that show the given memories, after other code changed the memories."""

        def touch() -> None:
            for name in memories:
                memory = self.memory(name)
                if memory is not None:
                    self._memories.add(name)
                    self._scopes.add(memory.scope)

        self.during(codec, touch, writes=True)

    def _read(self, codec: Codec, call: Callable[[], Any]) -> Any:
        from varves.files.hand_edits import look

        found = look(self, codec, writes=False)
        self.notes += found.notes
        self.unrecorded = found.unrecorded
        if found.drafts:
            from varves.context.overlay import replayed

            present = self.context.fresh().index
            self._overlay = replayed(self.context, present, found.drafts)
            self._edited = frozenset(n for _, one in found.drafts for n in _names_in(one.data))
        answer = call()
        if self._told and self.table.get("write_through") is True:
            self._overlay = None
            self.notes[:] = [one for one in self.notes if one not in found.notes]
            self._write(codec, self.flush)
        return answer


def _scopes_of(content: dict[str, Any], index: Index) -> set[str]:
    """Return the scopes whose files a draft affects."""
    found = {part["scope"] for part in (content, content.get("record")) if part and "scope" in part}
    found.update(content.get("scopes", ()))
    for name in _names_in(content):
        memory = index.memory(name)
        if memory is not None:
            found.add(memory.scope)
    return found


def _names_in(content: dict[str, Any]) -> set[str]:
    """Return the ids of the memories that a draft names."""
    single = (content.get("memory"), content.get("by"), (content.get("record") or {}).get("memory"))
    names = (*single, *content.get("memories", ()), *content.get("accessed", ()))
    return {name for name in names if isinstance(name, str)}
