"""The interfaces between a protocol and the ledger: `Core`, which the ledger provides, and `Codec`.

A protocol consists of rules and a codec. It reads rows through the core, returns drafts of events,
and defines the format of its files. It never opens a log, an index or a file itself: the ledger
does, and the ledger also adopts hand edits.
"""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Any, Protocol, TypeVar

    from varves.commands.port import Act, Decision, Rows
    from varves.events.event import Draft, Event
    from varves.fold.conflicts import Conflict
    from varves.protocols.threeway import Form
    from varves.protocols.tree import Joint, Tree
    from varves.values.answers import RecordConflict
    from varves.values.ids import IdSource
    from varves.values.listing import Listing
    from varves.values.memory import Memory
    from varves.values.outline import Outline

    Method = TypeVar("Method", bound=Callable[..., Any])
    Counts = dict[str, tuple[int, str]]  # by memory: how often it was used, and when last

    class Core(Protocol):
        """The ledger as seen by one protocol; one instance for each opened ledger and protocol."""

        root: str
        home: str
        actor: str
        session: str | None
        table: dict[str, Any]
        """The protocol's table in settings.toml, unchanged; empty if there is none."""
        ids: IdSource
        notes: list[str]
        """Lines that a user interface prints to stderr in addition to the answer."""
        conflicts: list[RecordConflict]
        """What the entries of this call repeat, update or contradict; `notes` has it as text."""
        tree: Tree
        unreadable: dict[str, str]
        """Files that a writing verb could not parse and did not change, with the reason."""
        moved: bool
        """Whether others recorded something since this protocol's last writing verb.

        For example, git brought events, another protocol wrote, or this verb adopts a hand edit.
        """
        unrecorded: list[tuple[str, str]]
        """Path and description of each hand edit that the last reading verb found."""

        @property
        def now(self) -> int:
            """The current time, in milliseconds."""
            ...

        @property
        def project(self) -> tuple[str, bool]:
            """The current project's id, and whether an option or VARVES_PROJECT named it."""
            ...

        @property
        def bridged(self) -> bool:
            """Whether the settings define a bridge to this protocol."""
            ...

        @property
        def checkout(self) -> str:
            """The name of this checkout among the worktrees; a session belongs to one checkout."""
            ...

        def is_there(self, checkout: str) -> bool:
            """Return whether a checkout of this repository still exists at its recorded path."""
            ...

        def act(self, *, actor: str | None = None, session: str | None = None) -> Act:
            """Return the acting context; drafts made with it name this protocol."""
            ...

        def clean(self, content: Any, *, allow_secret: bool = False) -> tuple[Any, tuple[str, ...]]:
            """Mask secrets in a caller's input; call this before any other use of the input."""
            ...

        def log_of(self, scope: str) -> str:
            """Return the log that stores memories of a scope."""
            ...

        # Reading. The index is up to date; within a read verb, hand edits are included.

        def rows(self) -> Rows:
            """Return the rows that commands use for their decisions."""
            ...

        def memory(self, name: str) -> Memory | None:
            """Return a memory of any protocol by id."""
            ...

        def named(self, names: Collection[str]) -> dict[str, Memory]:
            """Return memories of any protocol by id, faster than one by one."""
            ...

        def used(self, names: Collection[str]) -> set[str]:
            """Return those of some ids that an event is about, whatever became of the memory."""
            ...

        def memories(
            self,
            *,
            scope: str | None = None,
            only: Mapping[str, str] | None = None,
            statuses: Sequence[str] = ("active",),
            lean: bool = False,
            mentioning: Sequence[str] | None = None,
            saying: str | None = None,
        ) -> list[Memory]:
            """Return this protocol's memories in this checkout, in order of recording.

            Quarantined memories are left out. An expired memory keeps the status `active` until it
            is archived: compare `expires_at` with `now`. `only` gives the required type, category
            (in Hivemind the subtype) or session. `lean` leaves out texts and bodies. `mentioning`
            allows the ledger to leave out memories that are not critical and have none of these
            words in summary or tags. `saying` is a part of the folded texts.
            """
            ...

        def disputes(
            self,
            scopes: Collection[str],
            *,
            about: Collection[str] | None = None,
            most: int | None = None,
            limit: int | None = None,
        ) -> Listing[Conflict]:
            """Return the conflicts of some scopes that need a person's decision, newest first.

            With `about`, return only the conflicts of these memories. At most `most` memories that
            were not compared yet are compared now, by default all.
            """
            ...

        def likeness(self, text: str, others: Sequence[str]) -> list[float] | None:
            """Return the similarity in meaning, at most 1, of a text to each of the others.

            Return None if meanings cannot be compared or comparison is disabled. The first call
            loads the model: call this only when there is something to compare.
            """
            ...

        def tags(self, scope: str) -> dict[str, int]:
            """Return how many of this protocol's active memories of a scope have each tag."""
            ...

        def types(self, scope: str) -> dict[str, int]:
            """Return how many of this protocol's active memories of a scope have each type."""
            ...

        def sizes(
            self, statuses: Sequence[str] = ("active",), *, private: bool | None = None
        ) -> dict[str, int]:
            """Return the number of this protocol's memories by scope, the oldest scope first.

            With `private`, count only those of the private log, or only the others.
            """
            ...

        def barred(self) -> set[str]:
            """Return the purged memories; none of them may be recorded again."""
            ...

        def counts(self) -> Counts:
            """Return the counters from `memory.accessed` events; files show them."""
            ...

        def uses(self) -> Counts:
            """Return the current counts of reads, including those not recorded in the log yet."""
            ...

        def events(
            self,
            *kinds: str,
            session: str | None = None,
            after: tuple[str, str, str] | None = None,
            most: int | None = None,
        ) -> list[Event]:
            """Return this protocol's effective events of some kinds in this checkout, in order.

            With `session`, return only events of that session: those after a position in the order
            (`after`), or only the last `most` events.
            """
            ...

        def latest(
            self, type: str, *, session: str, most: int, statuses: Sequence[str] = ("active",)
        ) -> list[Memory]:
            """Return the last `most` memories of a type in a session, in order of recording."""
            ...

        def pulse(self, kinds: Sequence[str], session: str) -> tuple[int, str, str]:
            """Return the count of a session's events of some kinds, the last stamp, and a checksum.

            The checksum changes if events were changed and not only added, for example by a purge
            or an undo.
            """
            ...

        def seal(self) -> tuple[Any, ...]:
            """Return a value that changes if any data behind this core changes."""
            ...

        def text_of(self, event: Event) -> str:
            """Return the text of an event, whatever its length."""
            ...

        def noted(self, name: str) -> str:
            """Return a note that this protocol stored in this clone; empty if there is none."""
            ...

        def note_down(self, name: str, text: str) -> None:
            """Store a note that can be computed again; it may be deleted at any time."""
            ...

        def past(self, when: str) -> AbstractContextManager[None]:
            """Return a context whose reads show the state at an instant, event or commit."""
            ...

        def steps(self, memories: Sequence[str]) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
            """Return, by memory, the kind and order position of its events in the project's log.

            The content of the events is not read, which makes this fast.
            """
            ...

        def tally(self, *kinds: str) -> dict[str, list[int | str]]:
            """Return, by kind, the number of events and a value that changes when others are added.

            Events of other protocols count too: a tally is compared with an earlier tally.
            """
            ...

        def files(self) -> dict[str, bytes]:
            """Return the protocol's current files, state and derived, by path."""
            ...

        # Writing

        def begin(self) -> None:
            """Create the ledger if it does not exist; `append` does this automatically."""
            ...

        def make_folders(
            self,
            folders: Sequence[str],
            ignored: Sequence[str],
            files: Mapping[str, bytes] = ...,
        ) -> list[str]:
            """Create folders of the protocol, hide some from git, and add files that are missing.

            Return the new paths. The log must have no record for such a file, and the file must
            contain none. This sets the protocol up in this checkout, so that hooks may drive it,
            even if there is nothing to create.
            """
            ...

        def matching(self, pattern: str) -> list[str]:
            """Return the paths of the project's files that match a pattern such as `docs/*.md`."""
            ...

        def read_prompt(self, path: str) -> tuple[str, str]:
            """Return a prompt file's path in the project and its text."""
            ...

        def is_public(self, place: str) -> bool:
            """Return whether git tracks a file of the project, or `git add` would add it."""
            ...

        def replace_prompt(self, place: str, text: str) -> None:
            """Replace a prompt file atomically."""
            ...

        def read_paper(self, path: str) -> bytes | None:
            """Return the bytes of a file at any path; None if it does not exist."""
            ...

        def write_paper(self, path: str, content: bytes) -> None:
            """Replace a file at any path atomically."""
            ...

        def deciding(self, log: str) -> AbstractContextManager[None]:
            """Hold a log's lock, so that reading and appending are one step for all processes."""
            ...

        def append(self, log: str, drafts: Sequence[Draft], *, unread: bool = False) -> list[Event]:
            """Write drafts durably to one log; the affected files are rendered afterwards.

            A change to a file that cannot be read is refused. With `unread`, such a file does not
            stop the verb: it is left unchanged, and shows the new records once it is fixed.
            """
            ...

        def check(self, log: str, drafts: Sequence[Draft], *, unread: bool = False) -> set[str]:
            """Check that the files affected by drafts can be written; return the drafts' scopes.

            `append` does this automatically; a verb that appends to several logs calls this first.

            Raises:
                Refused: a file or folder must not be written.
                Damaged: a file that would have to be written cannot be read.
            """
            ...

        def apply(
            self,
            decide: Callable[[Rows, Any, Act], Decision],
            command: Any,
            *,
            act: Act | None = None,
        ) -> tuple[Decision, list[Event]]:
            """Run one of the core's commands and append the events it decides on."""
            ...

        def told(self, verb: str, names: Iterable[str], *, agent: str | None = None) -> None:
            """Record that memories were read or injected; files count it after the next `flush`."""
            ...

        def flush(self, *scopes: str) -> None:
            """Record the collected uses of memories in some scopes, or in all, in their logs."""
            ...

        def during(self, codec: Codec, call: Callable[[], Any], *, writes: bool) -> Any:
            """Run a verb: adopt hand edits before it and render files after it."""
            ...

        def render_all(self, codec: Codec, joint: Joint | None = None) -> list[str]:
            """Adopt hand edits and render every file; return the unmerged files it resolved."""
            ...


class Stock(Value):
    """All data from which a protocol's files are rendered, at one moment of the log."""

    memories: tuple[Memory, ...]
    """This protocol's memories with any status, in order of recording; no quarantined ones."""
    counts: Counts
    events: tuple[Event, ...]
    """The effective events of the codec's `kinds`, in order."""
    checkout: str
    """The checkout whose sessions are rendered."""

    def outlines(self) -> list[Outline]:
        """Return the outlines of the memories, in their order."""
        from varves.values.outline import Outline

        return [Outline.of(one) for one in self.memories]

    def named(self, names: Collection[str]) -> dict[str, Memory]:
        """Return some of the memories by id."""
        return {one.id: one for one in self.memories if one.id in names}


class LazyStock(Stock):
    """A stock that reads each part at its first use, so that unused parts cost nothing."""

    def __init__(self, **asked: Callable[..., Any]) -> None:
        self.__dict__["_asked"] = asked

    def __getattr__(self, name: str) -> Any:
        """Read a part and keep it."""
        if name not in self._fields:
            raise AttributeError(name)
        self.__dict__[name] = self.__dict__["_asked"][name]()
        return self.__dict__[name]

    def outlines(self) -> list[Outline]:
        """Return the outlines of the memories, without reading these."""
        found: list[Outline] = self.__dict__["_asked"]["outlines"]()
        return found

    def named(self, names: Collection[str]) -> dict[str, Memory]:
        """Return some of the memories by id, without reading the others."""
        found: dict[str, Memory] = self.__dict__["_asked"]["named"](names)
        return found


class Touched(Value):
    """What a verb changed: only the affected files are rendered again."""

    memories: frozenset[str] = frozenset()
    scopes: frozenset[str] = frozenset()
    events: bool = False
    """Whether an event of the codec's `kinds` was appended."""
    born: frozenset[str] = frozenset()
    """Those of the memories that were recorded just now, so that no file shows them yet."""
    read: frozenset[str] = frozenset()
    """Those of the memories of which nothing but the counters changed."""


class FileRecord(Value):
    """One record as a file contains it."""

    key: str
    """The record's identity within the file: its number in scoped, its id in hivemind."""
    content: dict[str, Any]


class Change(Value):
    """A person's change to one record of a file."""

    path: str
    key: str
    before: dict[str, Any] | None
    """The record in the base version; None if it was added or there is no base."""
    after: dict[str, Any] | None
    """The record in the file; None if it was removed from the file."""
    ours: dict[str, Any] | None
    """The record as the log renders it now; differs from `before` if both sides changed."""


class Codec:
    """The format of a protocol's files; pure. Paths are relative to the root, with slashes.

    The defaults suit a protocol that renders no files. One that does overrides at least `folders`,
    `is_state`, `scope_of`, `render`, `parse` and `adopt`.
    """

    name: str
    """The protocol's name."""
    forms: tuple[Form, ...] = ()
    """The forms of its tracked files, which git's merge driver merges."""
    folders: tuple[str, ...] = ()
    """The folders of its files, such as `memory/projects`; see also `is_state`."""
    kinds: tuple[str, ...] = ()
    """The kinds of events, in addition to memories, that its files show."""
    ignores: tuple[str, ...] = ()
    """Folders that get a `.gitignore` of `*` when the first file is rendered in them."""
    everywhere: tuple[str, ...] = ()
    """Files that show the same in all projects of a person; a write updates them all."""
    endings: tuple[tuple[str, str], ...] = ()
    """By the beginning of a path: what to do about a file that no memory's id removes."""
    counted_until: str | None = "memory"
    """Whose last change limits the counters that files show: `memory`, `scope` or, with None, no
    limit: they count every recorded read."""
    curated: bool = False
    """Whether people keep its files by hand: then an edit that leaves out the records added since
    an earlier version is taken for a removal, and not for an edit of that version."""
    shared: tuple[str, ...] = ()
    """Files of other owners in which this protocol owns one part; see `patch`."""

    def is_state(self, path: str) -> bool:  # noqa: ARG002
        """Return whether a file is this protocol's state, which is read back when edited."""
        return False

    def is_derived(self, path: str) -> bool:  # noqa: ARG002
        """Return whether a file belongs to this protocol and is never read back."""
        return False

    def scope_of(self, path: str) -> str:  # noqa: ARG002
        """Return the scope whose records a state file contains."""
        return "project"

    def render(self, stock: Stock, touched: Touched | None) -> dict[str, bytes | None]:  # noqa: ARG002
        """Return the files affected by `touched`, or all; None means to remove the file."""
        return {}

    def patch(self, path: str, content: bytes | None, stock: Stock) -> bytes | None:  # noqa: ARG002
        """Return a shared file with this protocol's part from the log; None: do not change it.

        Shared files are written after all others. `content` is the current file, None if it is
        missing.

        Raises:
            Unreadable: the file does not have the expected format; it is left unchanged.
        """
        return None

    def keys(self, stock: Stock) -> dict[str, dict[str, str]]:  # noqa: ARG002
        """Return, by path, the memory of each key; only if a key may change its meaning.

        The result includes keys that no file shows any more.
        """
        return {}

    def place(self, key: str, was: dict[str, Any], ours: dict[str, Any]) -> str | None:  # noqa: ARG002
        """Return the current key of the record that had `key` in a file."""
        return key

    def parse(self, path: str, content: bytes) -> list[FileRecord]:
        """Read a state file.

        Raises:
            Unreadable: the file does not have the format of a state file.
        """
        raise NotImplementedError

    def joined(self, core: Core, act: Act) -> list[tuple[str, Draft]]:  # noqa: ARG002
        """Return the drafts that merge records which the log contains twice."""
        return []

    def adopt(self, core: Core, change: Change, act: Act) -> list[tuple[str, Draft]]:
        """Return the drafts that record one person's change, each with its log.

        `act` is the person, or the author of the commit that contains the change. Values that break
        the protocol's rules are accepted unchanged and noted in `core.notes`.
        """
        raise NotImplementedError


def reads(method: Method) -> Method:
    """Run a verb that changes nothing: hand edits affect its answer but are not recorded."""
    return _during(method, writes=False)


def writes(method: Method) -> Method:
    """Run a verb that may record events: adopt hand edits before it and render files after it."""
    return _during(method, writes=True)


def _during(method: Method, *, writes: bool) -> Method:
    def run(protocol: Any, *args: Any, **options: Any) -> Any:
        return protocol.core.during(
            protocol.codec, lambda: method(protocol, *args, **options), writes=writes
        )

    run.__name__, run.__doc__ = method.__name__, method.__doc__
    return run  # type: ignore[return-value]
