"""The project's log in git: events that git removed, failed merges, and purged content in git."""

from __future__ import annotations

from varves.log.files.spool import spool_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable
    from typing import Any

    from varves.log.doomed import PublishedPlaces
    from varves.log.eaten import Eaten
    from varves.places.places import Places
    from varves.values.ids import IdSource


class TrackedFiles:
    """The files of the project's log in a work tree, and their spool."""

    def __init__(self, places: Places, ids: IdSource) -> None:
        self._places = places
        self._ids = ids

    def spooled(self) -> tuple[str, int] | None:
        """Return where the spool is and how many segments it has; None without a spool."""
        spool = spool_of(self._places, "project")
        return None if spool is None else (spool.place.root, len(spool.names()))

    def prune(self, *, now: int) -> int:
        """Delete spooled segments whose events git can no longer remove; return how many."""
        from varves.log.files.rescue import prune

        return prune(self._places, now=now)

    def eaten(
        self,
        indexed: Iterable[tuple[str, str, str]],
        present: Callable[[], Container[str]],
    ) -> Eaten:
        """Find the events that only the spool, an index or git's index still contains.

        Args:
            indexed: (id, log, line) of the events that an index has from files that no longer
                exist.
            present: returns the events in the files of this checkout; called last, so that a
                concurrent write is not reported as lost.
        """
        from varves.log.files.rescue import eaten, remembered

        known = remembered(self._places, indexed)
        return eaten(self._places, known, present().__contains__)

    def bring_back(self, found: Eaten, *, day: str) -> list[str]:
        """Write removed lines to new segments or back to tracked ones.

        Return the segments' names.
        """
        from varves.log.files.rescue import bring_back

        return bring_back(self._places, found, day=day, word=self._ids.word)

    def conflicted(self) -> Iterable[str]:
        """Return the files that contain conflict markers of an unfinished merge."""
        from varves.log.files.unmerged import conflicted

        return conflicted(self._places.store("project"))

    def resolve_marks(self, name: str) -> None:
        """Replace the conflict markers in a file by one line for each event."""
        from varves.log.files.unmerged import resolve_marks

        resolve_marks(self._places.store("project"), name)

    def remains(
        self, barred: set[str], *, said: Iterable[str], published: PublishedPlaces
    ) -> dict[str, Any] | str | None:
        """Return what git still contains of purged memories; None if it contains nothing.

        Args:
            barred: the purged memories, and the events that are purged with them.
            said: the purged texts, to recognise them in files.
            published: where the published files are.
        """
        from varves.log.files.remains import in_git

        return in_git(self._places, barred, said=said, published=published)
