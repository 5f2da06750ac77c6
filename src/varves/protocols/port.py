"""What a protocol is given, and what it gives: rows and drafts in, files and changes out.

A protocol is rules and a codec. It decides on rows it asks for, hands drafts over, and says how its
files look. It never opens a log, an index or a file: the ledger does that, in the one place where
hand edits are adopted too.
"""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Any, Protocol, TypeVar

    from varves.commands.port import Act, Decision, Rows
    from varves.events.event import Draft, Event
    from varves.protocols.tree import Joint, Tree
    from varves.values.ids import IdSource
    from varves.values.memory import Memory

    Method = TypeVar("Method", bound=Callable[..., Any])
    Counts = dict[str, tuple[int, str]]  # how often, and when last, by memory

    class Core(Protocol):
        """The ledger as a protocol sees it; one for each opened ledger and protocol."""

        root: str
        home: str
        actor: str
        session: str | None
        table: dict[str, Any]
        """The protocol's own table of settings.toml, as it stands there; empty without one."""
        ids: IdSource
        notes: list[str]
        """What a surface says on stderr beside the answer; a line each."""
        tree: Tree
        unreadable: dict[str, str]
        """Files that a writing verb could not read back and leaves as they are, with the reason."""
        unrecorded: list[tuple[str, str]]
        """Path and words of the changes by hand that the last reading verb found."""

        @property
        def now(self) -> int:
            """The instant, in milliseconds."""
            ...

        @property
        def project(self) -> tuple[str, bool]:
            """The current project's id, and whether it was named (an option or VARVES_PROJECT)."""
            ...

        @property
        def bridged(self) -> bool:
            """Whether a bridge leads to this protocol."""
            ...

        @property
        def checkout(self) -> str:
            """The name of this checkout among a repository's worktrees; sessions belong to one."""
            ...

        def is_there(self, checkout: str) -> bool:
            """Tell whether a checkout of this repository still lies where it lay."""
            ...

        def act(self, *, actor: str | None = None, session: str | None = None) -> Act:
            """Return who acts now; its drafts carry this protocol's name."""
            ...

        def clean(self, content: Any, *, allow_secret: bool = False) -> tuple[Any, tuple[str, ...]]:
            """Mask secrets in what a caller hands in; do so before anything else looks at it."""
            ...

        def log_of(self, scope: str) -> str:
            """Return the log that keeps memories of a scope."""
            ...

        # Looking. The index is caught up; within a read verb, hand edits are folded in.

        def rows(self) -> Rows:
            """Return the rows commands decide on."""
            ...

        def memory(self, name: str) -> Memory | None:
            """Return a memory of any protocol by id."""
            ...

        def memories(
            self,
            *,
            scope: str | None = None,
            only: Mapping[str, str] | None = None,
            statuses: Sequence[str] = ("active",),
            lean: bool = False,
            mentioning: Sequence[str] | None = None,
        ) -> list[Memory]:
            """Return this protocol's memories that this checkout holds, in order of recording.

            Whatever is quarantined is left out. An expired one has the status `active` until it is
            archived: judge `expires_at` against `now`. `only` names the type, the category (of
            Hivemind the subtype) or the session they must have. `lean` leaves out texts and bodies.
            `mentioning` may leave out what is not critical and has none of these words in its
            summary or tags.
            """
            ...

        def likeness(self, text: str, others: Sequence[str]) -> list[float] | None:
            """Return how like in meaning a text is to each of others, at most 1.

            None where meanings cannot be compared, or are not to be. The first call loads what
            compares them: ask only with something to compare.
            """
            ...

        def sizes(self, statuses: Sequence[str] = ("active",)) -> dict[str, int]:
            """Return how many of this protocol's memories each scope has."""
            ...

        def barred(self) -> set[str]:
            """Return the memories that were purged: none of them may be recorded again."""
            ...

        def counts(self) -> Counts:
            """Return the counters as `memory.accessed` events say; files show them later."""
            ...

        def uses(self) -> Counts:
            """Return the counters as they stand now: also what is not flushed yet."""
            ...

        def events(
            self,
            *kinds: str,
            session: str | None = None,
            after: tuple[str, str, str] | None = None,
            most: int | None = None,
        ) -> list[Event]:
            """Return this protocol's standing events of some kinds, of this checkout, in order.

            Of one session only those after a place in the order, or only the last so many.
            """
            ...

        def latest(
            self, type: str, *, session: str, most: int, statuses: Sequence[str] = ("active",)
        ) -> list[Memory]:
            """Return a session's last so many memories of a type, in order of recording."""
            ...

        def pulse(self, kinds: Sequence[str], session: str) -> tuple[int, str, str]:
            """Return how many events of some kinds a session has, the last's stamp, and a seal.

            The seal changes when what stands is not only added to: a purge, an undo.
            """
            ...

        def seal(self) -> tuple[Any, ...]:
            """Return what stays equal as long as nothing that is read here has changed."""
            ...

        def text_of(self, event: Event) -> str:
            """Return the text an event carries, however long it is."""
            ...

        def noted(self, name: str) -> str:
            """Return what this protocol noted down for itself in this clone; empty: nothing."""
            ...

        def note_down(self, name: str, text: str) -> None:
            """Note something down that can be found out again; it may be thrown away."""
            ...

        def past(self, when: str) -> AbstractContextManager[None]:
            """Let everything be read as it stood at an instant, after an event, in a commit."""
            ...

        def steps(self, memories: Sequence[str]) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
            """Return by memory the kind and the place in order of its events in the project's log.

            What they say is not read: that is what makes it quick.
            """
            ...

        def tally(self, *kinds: str) -> dict[str, list[int | str]]:
            """Return by kind how many events there are, and what else tells whether others came.

            Of other protocols too: a tally is there to be compared with an earlier one.
            """
            ...

        def files(self) -> dict[str, bytes]:
            """Return the protocol's files as they lie here, state and derived, by path."""
            ...

        # Acting

        def begin(self) -> None:
            """Make the ledger where there is none; whatever is appended does so by itself."""
            ...

        def make_folders(self, folders: Sequence[str], ignored: Sequence[str]) -> list[str]:
            """Make folders of the protocol, some of them hidden from git; return what was made."""
            ...

        def read_prompt(self, path: str) -> tuple[str, str]:
            """Return a prompt file's place in the project and its text."""
            ...

        def replace_prompt(self, place: str, text: str) -> None:
            """Replace a prompt file in one step."""
            ...

        def read_paper(self, path: str) -> bytes | None:
            """Return the bytes of a file that a caller names, anywhere; None: there is none."""
            ...

        def write_paper(self, path: str, content: bytes) -> None:
            """Replace a file that a caller names, anywhere, in one step."""
            ...

        def deciding(self, log: str) -> AbstractContextManager[None]:
            """Hold a log's lock, so that look and append are one step for all processes."""
            ...

        def append(self, log: str, drafts: Sequence[Draft], *, unread: bool = False) -> list[Event]:
            """Make drafts durable in one log; the files they concern are rendered afterwards.

            A file that cannot be read refuses what would change it; with `unread` it stops nothing,
            is left as it is, and shows what was recorded when it is mended.
            """
            ...

        def apply(
            self,
            decide: Callable[[Rows, Any, Act], Decision],
            command: Any,
            *,
            act: Act | None = None,
        ) -> tuple[Decision, list[Event]]:
            """Let one of the core's commands decide, and append what it decides."""
            ...

        def told(self, verb: str, names: Iterable[str], *, agent: str | None = None) -> None:
            """Note that memories were read or injected; counters follow when they are flushed."""
            ...

        def flush(self, *scopes: str) -> None:
            """Record what was told of memories in some scopes, or all, in their own logs."""
            ...

        def during(self, codec: Codec, call: Callable[[], Any], *, writes: bool) -> Any:
            """Run a verb: changes by hand are adopted before it, files rendered after it."""
            ...

        def render_all(self, codec: Codec, joint: Joint | None = None) -> list[str]:
            """Adopt changes by hand and render every file; return the merged files it settled."""
            ...


class Stock(Value):
    """All that a protocol's files are rendered from, at one moment of the log."""

    memories: tuple[Memory, ...]
    """Of this protocol, whatever their status, in order of recording; no quarantined ones."""
    counts: Counts
    events: tuple[Event, ...]
    """Those of the kinds the codec names in `kinds`, standing, in order."""
    checkout: str
    """The checkout whose sessions are rendered."""


class LazyStock(Stock):
    """A stock whose parts are read when they are first asked for: who needs none pays for none."""

    def __init__(self, **asked: Callable[[], Any]) -> None:
        self.__dict__["_asked"] = asked

    def __getattr__(self, name: str) -> Any:
        """Read a part, and keep it."""
        if name not in self._fields:
            raise AttributeError(name)
        self.__dict__[name] = self.__dict__["_asked"][name]()
        return self.__dict__[name]


class Touched(Value):
    """What a verb changed: only the files these concern are rendered again."""

    memories: frozenset[str] = frozenset()
    scopes: frozenset[str] = frozenset()
    events: bool = False
    """Whether an event of the codec's `kinds` was appended."""


class FileRecord(Value):
    """One record as it stands in a file."""

    key: str
    """What tells it from others in the file: S2's number, S3's id."""
    content: dict[str, Any]


class Change(Value):
    """What a person did to one record of a file."""

    path: str
    key: str
    before: dict[str, Any] | None
    """As the base has it; None: it was added, or there is no base."""
    after: dict[str, Any] | None
    """As the file has it; None: it is gone from the file."""
    ours: dict[str, Any] | None
    """As the log renders it now; differs from `before` where both sides changed."""


if TYPE_CHECKING:

    class Codec(Protocol):
        """How a protocol's files look; pure. Paths are relative to the root, with slashes."""

        @property
        def name(self) -> str:
            """The protocol's name."""
            ...

        @property
        def folders(self) -> tuple[str, ...]:
            """Where its files are, such as `memory/projects`; below them `is_state` decides."""
            ...

        @property
        def kinds(self) -> tuple[str, ...]:
            """The kinds of events, besides memories, that its files show."""
            ...

        @property
        def ignores(self) -> tuple[str, ...]:
            """Folders that get a `.gitignore` of `*` as soon as a file is rendered in them."""
            ...

        @property
        def counted_until(self) -> str:
            """Up to the last change of what (`memory`, `scope`) its files count."""
            ...

        @property
        def shared(self) -> tuple[str, ...]:
            """Files of others in which one part is this protocol's; see `patch`."""
            ...

        def is_state(self, path: str) -> bool:
            """Tell whether a file is this protocol's state: read back when a person edited it."""
            ...

        def is_derived(self, path: str) -> bool:
            """Tell whether a file is this protocol's and never read back."""
            ...

        def scope_of(self, path: str) -> str:
            """Return the scope whose records a state file holds."""
            ...

        def render(self, stock: Stock, touched: Touched | None) -> dict[str, bytes | None]:
            """Return the files that concern what was touched, or all; None: it is to be gone."""
            ...

        def patch(self, path: str, content: bytes | None, stock: Stock) -> bytes | None:
            """Return a shared file with this protocol's part as the log has it; None: leave it.

            It is written after all others. `content` is the file as it lies here, None: missing.

            Raises:
                Unreadable: it is not what it should be, and is left alone.
            """
            ...

        def keys(self, stock: Stock) -> dict[str, dict[str, str]]:
            """Return which memory has each key, by path; only where keys may come to mean others.

            Those that no file shows any more are among them.
            """
            ...

        def place(self, key: str, was: dict[str, Any], ours: dict[str, Any]) -> str | None:
            """Return the key under which the log now has a record that stood in a file so."""
            ...

        def parse(self, path: str, content: bytes) -> list[FileRecord]:
            """Read a state file.

            Raises:
                Unreadable: it is not one.
            """
            ...

        def joined(self, core: Core, act: Act) -> list[tuple[str, Draft]]:
            """Return the drafts that make one record of what the log has come to hold twice."""
            ...

        def adopt(self, core: Core, change: Change, act: Act) -> list[tuple[str, Draft]]:
            """Return, with their logs, the drafts that make one person's change so.

            `act` is the person, or the author of the commit that brought it. Values outside the
            protocol's rules are taken as found and noted in `core.notes`.
            """
            ...


def reads(method: Method) -> Method:
    """Run a verb that changes nothing: hand edits are folded in for its answer only."""
    return _during(method, writes=False)


def writes(method: Method) -> Method:
    """Run a verb that may record: hand edits are adopted first, files rendered after."""
    return _during(method, writes=True)


def _during(method: Method, *, writes: bool) -> Method:
    def run(protocol: Any, *args: Any, **options: Any) -> Any:
        return protocol.core.during(
            protocol.codec, lambda: method(protocol, *args, **options), writes=writes
        )

    run.__name__, run.__doc__ = method.__name__, method.__doc__
    return run  # type: ignore[return-value]
