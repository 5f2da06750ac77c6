"""The port of a protocol: what the ledger asks of each one.

A protocol is a subclass of `PublishedProtocol` over a core. The rooms of the ledger know this class
and none of its subclasses; `registry.py` finds the subclass of a name.
"""

from __future__ import annotations

from varves.protocols.breach import NOTE, Breach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Protocol

    from varves.commands.port import Act
    from varves.log.doomed import PublishedPlaces
    from varves.protocols.bridged import Bridged
    from varves.protocols.moments import ClientSession, Moments
    from varves.protocols.port import Codec, Core
    from varves.protocols.tree import Joint
    from varves.values.answers import Finding, Imported, RefusedLine
    from varves.values.memory import Memory

    class Registry(Protocol):
        """Finds protocols by name, and imports each only when it is asked for."""

        def find_protocol(self, name: str) -> type[PublishedProtocol]:
            """Return the protocol of a name."""
            ...

        def find_moments(self, name: str) -> Callable[[ClientSession], Moments] | None:
            """Return what makes the moments of a protocol; None: hooks do not drive it."""
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
        """A line for each file that is not read, with the reason."""
        refused: list[RefusedLine]

    class ForeignFiles(Protocol):
        """A file or a folder of another tool that is to be imported."""

        path: str
        dry_run: bool
        secret: bool
        """Whether secrets are stored unmasked."""

        def act(self, own: Act, name: str) -> Act:
            """Return the protocol's own act with the author, origin and trust of a file."""
            ...

        def folder(self) -> ForeignTree:
            """Read all files of the folder."""
            ...

        def file(self) -> bytes:
            """Read the file."""
            ...


class PublishedProtocol:
    """One protocol over one opened ledger.

    The defaults suit a protocol whose files are rendered from the log.
    """

    name: str
    """As `values.written.PROTOCOLS` has it."""
    core: Core
    codec: Codec
    prompt_mark = ""
    """The line that begins this protocol's block in a prompt file; empty: it writes none."""

    def __init__(self, core: Core) -> None:
        raise NotImplementedError

    def init(self) -> FoldersMade:
        """Make the files and folders that the protocol begins with."""
        raise NotImplementedError

    # Its files

    def validate(self) -> Sequence[Finding]:
        """Return what is wrong with the protocol's files."""
        raise NotImplementedError

    def published(self) -> PublishedPlaces:
        """Return where the protocol keeps files; those with a prompt block are not among them."""
        from varves.log.doomed import PublishedPlaces

        return PublishedPlaces(rendered=self.codec.folders, written=self.codec.shared)

    def sources(self) -> tuple[str, ...]:
        """Return the files that the protocol writes and that are not rendered from the log."""
        return ()

    def altered(self) -> tuple[Breach, ...]:
        """Return which records of its sources differ from the log."""
        return ()

    def unrecorded(self) -> Sequence[Breach]:
        """Return the changes by hand that the log does not hold yet."""
        self.core.during(self.codec, lambda: None, writes=False)
        return [
            Breach(rule="edited", place=path, message=words, fix="varves rebuild", level=NOTE)
            for path, words in self.core.unrecorded
        ]

    def remake(self, joint: Joint) -> Iterable[str]:
        """Adopt changes by hand and make all files anew; return the merged files it settled."""
        return self.core.render_all(self.codec, joint)

    def told_in(self, prompt: str) -> list[str]:  # noqa: ARG002 - for those that override it
        """Return the texts of the memories in the block of a prompt file."""
        return []

    # What others ask it to do

    def still_says(self, memory: Memory) -> tuple[str, ...]:  # noqa: ARG002
        """Return where the text of a purged memory is still found, a line each."""
        return ()

    def take_foreign(self, given: ForeignFiles) -> Imported:
        """Import files of another tool, or with `dry_run` only report what would be imported."""
        raise NotImplementedError

    @property
    def bridge(self) -> Bridged | None:
        """What keeps views of other protocols' records; None: no bridge leads here."""
        return None
