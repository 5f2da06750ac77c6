"""Counts the events of all logs as they are written: it counts lines and folds nothing."""

from __future__ import annotations

from varves.index.where import EventWhere

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.context.guard import VerbGuard
    from varves.log.port import Follower, Source


class Watch:
    """A count of events that follows the logs.

    Args:
        guard: runs the questions.
    """

    def __init__(self, guard: VerbGuard) -> None:
        self._guard = guard
        self._context = guard.context
        self._followers: dict[str, Follower] = {}
        self._index: object = None  # the followers read the marks of this one
        self._count = 0

    def events(self) -> int:
        """Return the number of events in all logs.

        If lines were removed, or a log appeared, the index is read again.
        """
        return self._guard.run(self._look, judges=True)

    def _look(self) -> int:
        sources = self._context.logs.readable()
        same = self._index is not None and self._context.index.opened is self._index
        if not same or {one.key for one in sources} != self._followers.keys():
            return self._begin(sources)
        for follower in self._followers.values():
            lines = follower.poll()
            if lines is None:
                return self._begin(sources)
            self._count += len(lines)
        return self._count

    def _begin(self, sources: list[Source]) -> int:
        index = self._context.fresh().index
        known = index.logs().known
        self._followers = {one.key: one.follow(known(one.key)) for one in sources}
        self._index, self._count = index, index.count(EventWhere())
        return self._count
