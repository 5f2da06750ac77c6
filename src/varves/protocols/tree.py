"""The work tree for protocols whose files are sources, not rendered from the log."""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, Protocol

    class Tree(Protocol):
        """The work tree without a codec: files that are sources, local notes, and git.

        Paths are relative to the root, with slashes. Only `consult` follows symbolic links.
        """

        def read(self, path: str) -> bytes | None:
            """Return a file's bytes; None if it does not exist."""
            ...

        def whereabouts(self, paths: Iterable[str]) -> dict[str, str]:
            """Classify paths: `here` (exists), `once` (in git's history only) or `never`."""
            ...

        def consult(self, path: str) -> bytes | None:
            """Return the bytes of a file that is only read; it may be a link within the root."""
            ...

        def replace(
            self, path: str, content: bytes, *, seen: bytes | None, sure: bool = True
        ) -> None:
            """Replace a file atomically, and durably if `sure`, if its content is still `seen`.

            A file that is not `sure` can be made again; a power cut may leave it old or empty.

            Raises:
                Refused: the file changed in the meantime, or it may not be written.
            """
            ...

        def closed(self, paths: Iterable[str]) -> bool:
            """Return whether one of these files could not be replaced: it is read-only."""
            ...

        def remove(self, path: str) -> None:
            """Remove a file if it exists."""
            ...

        def set_aside(self, path: str, content: bytes) -> str:
            """Store a copy of a file in the local folder, and return its path."""
            ...

        def note(self, name: str) -> dict[str, Any] | None:
            """Return a note of this checkout; None if there is none or it was lost."""
            ...

        def keep(self, name: str, note: dict[str, Any] | None, *, sure: bool = True) -> None:
            """Store a note until it is replaced, durably if `sure`; None deletes it."""
            ...

        def has_git(self) -> bool:
            """Return whether the project is in a git repository."""
            ...

        def head(self) -> str | None:
            """Return the commit that is checked out; None if there is no commit or no git."""
            ...

        def branch(self) -> str | None:
            """Return the branch that is checked out; None when HEAD is detached, or without git."""
            ...

        def committed(self, path: str, commit: str = "HEAD") -> bytes | None:
            """Return a file's content in a commit; None if the commit does not contain it."""
            ...

        def version(self, path: str) -> str:
            """Return git's object id of a file in HEAD; empty if HEAD does not contain it."""
            ...

        def current(self, path: str) -> tuple[str, bytes | None]:
            """Return git's object id and the content of a file in HEAD, or ("", None)."""
            ...

        def tracked(self, paths: Sequence[str]) -> list[str]:
            """Return those of the given files that git tracks; none without git."""
            ...

        def deleted(self, folder: str) -> list[str]:
            """Return the files below a folder that git has and the work tree does not have."""
            ...

        def merges(self, path: str) -> list[tuple[str, ...]]:
            """Return the parents of each merge in HEAD's history that merged versions of a file."""
            ...

        def shortening(self, path: str, most: int) -> list[str]:
            """Return which of the newest `most` commits of a file removed lines from it."""
            ...

        def stages(self, path: str) -> dict[int, bytes]:
            """Return git's versions of an unmerged file: 1 the base, 2 ours, 3 theirs."""
            ...

        def unmerged(self) -> list[str]:
            """Return the files below the root that git could not merge."""
            ...

        def staged(self) -> list[str]:
            """Return the other staged files that the commit of an unfinished merge may include."""
            ...

        def mark_resolved(self, paths: Sequence[str]) -> list[str]:
            """Mark files that git could not merge as resolved, with their current content.

            Returns the files that were unresolved before.

            Raises:
                Refused: git failed; the error contains git's message.
            """
            ...

        def joining(self) -> bool:
            """Return whether a merge, a rebase or a similar operation is in progress."""
            ...

        def changed(self) -> list[str]:
            """Return the files that differ from HEAD, including untracked files."""
            ...

        def anonymous(self) -> str:
            """Return git's message if git does not know the committer here; empty if it does."""
            ...

        def commit(
            self,
            paths: Sequence[str],
            message: str,
            *,
            contents: Mapping[str, bytes] | None = None,
            ignored: bool = False,
        ) -> str | None:
            """Commit only these files or folders; return None if they equal HEAD.

            With `ignored`, files that git ignores are committed too. Files in `contents` are
            committed with that content, and keep theirs in the work tree. Other staged files stay
            staged.

            Raises:
                Refused: git failed; the error contains git's message.
            """
            ...


class Joint(Value):
    """The state of git's index during an unfinished merge."""

    unmerged: tuple[str, ...] = ()
    """The files for which the index contains both sides."""
    staged: tuple[str, ...] = ()
    """Other staged files whose new content may go into the merge commit."""
