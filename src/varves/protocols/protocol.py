"""The interface that every protocol implements for the ledger.

A protocol is a subclass of `PublishedProtocol` and is constructed with a core. The packages of the
ledger know this class and none of its subclasses; `registry.py` finds the subclass by name.
"""

from __future__ import annotations

from varves.values.answers import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Protocol

    from varves.commands.port import Act
    from varves.log.doomed import PublishedPlaces
    from varves.protocols.bridged import Bridged
    from varves.protocols.moments import ClientSession, Moments
    from varves.protocols.port import Codec, Core
    from varves.protocols.threeway import Form
    from varves.protocols.tree import Joint
    from varves.values.answers import Imported, RefusedLine
    from varves.values.memory import Memory

    class Registry(Protocol):
        """Finds protocols by name, and imports each at its first use."""

        def find_protocol(self, name: str) -> type[PublishedProtocol]:
            """Return the protocol with this name."""
            ...

        def find_top(self, name: str) -> str | None:
            """Return the top folder of a protocol's files, without importing the protocol."""
            ...

        def find_forms(self, name: str) -> tuple[Form, ...]:
            """Return the forms of a protocol's tracked files, which git's merge driver merges."""
            ...

        def find_moments(self, name: str) -> Callable[[ClientSession], Moments] | None:
            """Return the factory of a protocol's moments; None if hooks do not drive it."""
            ...

    class FoldersMade(Protocol):
        """The answer of `init`."""

        @property
        def created(self) -> tuple[str, ...]:
            """The files and folders that did not exist before."""
            ...

    class ForeignTree(Protocol):
        """The files of a folder that is imported."""

        files: dict[str, bytes]
        left: list[str]
        """A line for each file that was not read, with the reason."""
        refused: list[RefusedLine]

    class ForeignFiles(Protocol):
        """A file or folder of another tool that is to be imported."""

        path: str
        dry_run: bool
        secret: bool
        """Whether secrets are stored unmasked."""
        progress: Callable[[int], None] | None
        """Called with the number of files and records that were read so far."""

        def act(self, own: Act, name: str) -> Act:
            """Return a copy of the protocol's act with the author, origin and trust of a file."""
            ...

        def folder(self) -> ForeignTree:
            """Read all files of the folder."""
            ...

        def file(self) -> bytes:
            """Read the file."""
            ...


ERROR, WARNING, NOTE = "error", "warning", "note"


class Breach(Finding):
    """A finding with its severity: an error fails `validate`, a warning or a note does not."""

    level: str = ERROR

    @property
    def line(self) -> str:
        """The finding on one line, with the suggested fix."""
        fix = f" ({self.fix})" if self.fix else ""
        return f"{self.place}: {self.message}{fix}"


class PublishedProtocol:
    """One protocol of one opened ledger.

    The defaults suit a protocol whose files are rendered from the log.
    """

    name: str
    """The name in `values.written.PROTOCOLS`."""
    core: Core
    codec: Codec
    prompt_mark = ""
    """The first line of this protocol's block in a prompt file; empty if it writes none."""

    def __init__(self, core: Core) -> None:
        raise NotImplementedError

    def init(self) -> FoldersMade:
        """Create the protocol's initial files and folders."""
        raise NotImplementedError

    # Files

    def validate(self) -> Sequence[Finding]:
        """Return the problems in the protocol's files."""
        raise NotImplementedError

    def published(self) -> PublishedPlaces:
        """Return where the protocol keeps files, except files that contain a prompt block."""
        from varves.log.doomed import PublishedPlaces

        return PublishedPlaces(rendered=self.codec.folders, written=self.codec.shared)

    def sources(self) -> tuple[str, ...]:
        """Return the files that the protocol writes without rendering them from the log."""
        return ()

    def altered(self) -> tuple[Breach, ...]:
        """Return the records of its source files that differ from the log."""
        return ()

    def unrecorded(self) -> Sequence[Breach]:
        """Return the hand edits that are not recorded in the log yet."""
        self.core.during(self.codec, lambda: None, writes=False)
        return [
            Breach(rule="edited", place=path, message=words, fix="varves rebuild", level=NOTE)
            for path, words in self.core.unrecorded
        ]

    def remake(self, joint: Joint) -> Iterable[str]:
        """Adopt hand edits and render all files; return the unmerged files it resolved."""
        return self.core.render_all(self.codec, joint)

    def told_in(self, prompt: str) -> Sequence[str]:  # noqa: ARG002 - for those that override it
        """Return the texts of the memories in the block of a prompt file."""
        return []

    # Requests of other parts of the ledger

    def label_of(self, memory: Memory) -> str | None:  # noqa: ARG002 - for those that override it
        """Return the name that the protocol's files give a memory; None if it is the id."""
        return None

    def still_says(self, memory: Memory) -> tuple[str, ...]:  # noqa: ARG002
        """Return the places where the text of a purged memory is still found, one per line."""
        return ()

    def take_foreign(self, given: ForeignFiles) -> Imported:
        """Import files of another tool, or with `dry_run` only report what would be imported."""
        raise NotImplementedError

    @property
    def bridge(self) -> Bridged | None:
        """The object that maintains views of other protocols' records; None without a bridge."""
        return None
