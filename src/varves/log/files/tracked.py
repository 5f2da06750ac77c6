"""The project's log as git has it: what git took, could not merge, and still holds."""

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
    """The files of the project's log in a work tree, with the spool beside them."""

    def __init__(self, places: Places, ids: IdSource) -> None:
        self._places = places
        self._ids = ids

    def spooled(self) -> tuple[str, int] | None:
        """Return where second names of segments are kept, and how many; None: nowhere."""
        spool = spool_of(self._places, "project")
        return None if spool is None else (spool.place.root, len(spool.names()))

    def prune(self, *, now: int) -> int:
        """Drop from the spool what git can no longer take from us; return how many."""
        from varves.log.files.rescue import prune

        return prune(self._places, now=now)

    def eaten(
        self,
        indexed: Iterable[tuple[str, str, str]],
        present: Callable[[], Container[str]],
    ) -> Eaten:
        """Find the events that only the spool, an index or git's index still has.

        Args:
            indexed: (id, log, line) of events that an index remembers from files that are gone.
            present: gives the events in the files of this checkout; it is asked last, so that no
                write is taken for lost.
        """
        from varves.log.files.rescue import eaten, remembered

        known = remembered(self._places, indexed)
        return eaten(self._places, known, present().__contains__)

    def bring_back(self, found: Eaten, *, day: str) -> list[str]:
        """Write eaten lines into fresh segments, or those git tracks; return their names."""
        from varves.log.files.rescue import bring_back

        return bring_back(self._places, found, day=day, word=self._ids.word)

    def conflicted(self) -> Iterable[str]:
        """Return the files that hold marks of an unfinished merge."""
        from varves.log.files.unmerged import conflicted

        return conflicted(self._places.store("project"))

    def resolve_marks(self, name: str) -> None:
        """Put one line for each event in the place of git's two versions."""
        from varves.log.files.unmerged import resolve_marks

        resolve_marks(self._places.store("project"), name)

    def remains(
        self, barred: set[str], *, said: Iterable[str], published: PublishedPlaces
    ) -> dict[str, Any] | str | None:
        """Return what git still holds of purged memories; None: nothing.

        Args:
            barred: the purged memories, and events that go with them.
            said: the texts that were purged, to know them in files.
            published: where to look for those.
        """
        from varves.log.files.remains import in_git

        return in_git(self._places, barred, said=said, published=published)
