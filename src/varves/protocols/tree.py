"""The work tree as a protocol sees it whose files are sources themselves."""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Protocol

    class Tree(Protocol):
        """The work tree where no codec renders: files that are sources, local notes, and git.

        Paths are relative to the root, with slashes. No link is followed but by `consult`.
        """

        def read(self, path: str) -> bytes | None:
            """Return a file's bytes; None where there is none."""
            ...

        def whereabouts(self, paths: Iterable[str]) -> dict[str, str]:
            """Tell which paths are `here`, were there `once` as git knows, or `never`."""
            ...

        def consult(self, path: str) -> bytes | None:
            """Return the bytes of a file that is only ever read: a link within the root will do."""
            ...

        def replace(self, path: str, content: bytes, *, seen: bytes | None) -> None:
            """Replace a file in one step, durably, if it still is as it was seen.

            Raises:
                Refused: somebody changed it meanwhile, or it may not be written.
            """
            ...

        def remove(self, path: str) -> None:
            """Remove a file, if it is there."""
            ...

        def set_aside(self, path: str, content: bytes) -> str:
            """Keep a copy of a file beside the core, and return its name there."""
            ...

        def note(self, name: str) -> dict[str, Any] | None:
            """Return a note of this checkout; None: there is none, or it was lost."""
            ...

        def keep(self, name: str, note: dict[str, Any] | None) -> None:
            """Keep a note, durably, until it is replaced; None: drop it."""
            ...

        def has_git(self) -> bool:
            """Tell whether the project lies in a git repository."""
            ...

        def head(self) -> str | None:
            """Return the commit that is checked out; None before the first, or without git."""
            ...

        def branch(self) -> str | None:
            """Return the branch that is checked out; None when HEAD is detached, or without git."""
            ...

        def committed(self, path: str, commit: str = "HEAD") -> bytes | None:
            """Return a file as a commit has it; None where it has none."""
            ...

        def version(self, path: str) -> str:
            """Return git's name for a file's content in HEAD; empty where it has none."""
            ...

        def merges(self, path: str) -> list[tuple[str, ...]]:
            """Return the parents of each merge behind HEAD in which a file's versions met."""
            ...

        def stages(self, path: str) -> dict[int, bytes]:
            """Return git's versions of an unmerged file: 1 the base, 2 ours, 3 theirs."""
            ...

        def unmerged(self) -> list[str]:
            """Return the files below the root that git could not merge."""
            ...

        def staged(self) -> list[str]:
            """Return what else of git's index a merge that is not done may commit as it lies."""
            ...

        def mark_resolved(self, paths: Sequence[str]) -> list[str]:
            """Mark files that git could not merge as resolved, with the content they have now.

            Returns those that were not resolved before.

            Raises:
                Refused: git would not, with what it says.
            """
            ...

        def joining(self) -> bool:
            """Tell whether a merge, rebase or the like is under way."""
            ...

        def changed(self) -> list[str]:
            """Return the files that differ from HEAD, those git does not know yet among them."""
            ...

        def anonymous(self) -> str:
            """Say in git's words why it does not know who would commit here; empty: it does."""
            ...

        def commit(self, paths: Sequence[str], message: str) -> str | None:
            """Commit these files or folders and nothing else; None if they are as HEAD has them.

            What else is staged stays staged.

            Raises:
                Refused: git would not, with what it says.
            """
            ...


class Joint(Value):
    """What git's index holds of a merge that is not done."""

    unmerged: tuple[str, ...] = ()
    """The files of which it holds both sides."""
    staged: tuple[str, ...] = ()
    """Others that may go into its commit as they will lie here."""
