"""Answers several questions about the ledger at one moment of its past, from one view of it."""

from __future__ import annotations

from varves.context.live_index import View
from varves.context.past import replayed
from varves.index.where import EventWhere, Where
from varves.values.instants import iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any, Self, Unpack

    from varves.context.guard import VerbGuard
    from varves.events.event import Event
    from varves.fold.conflicts import Conflict
    from varves.index.where import Trusted
    from varves.questions.why import Why
    from varves.recall.recall import Recall
    from varves.values.listing import Compared, Listing
    from varves.values.memory import Memory
    from varves.values.options import ListFilters, LogFilters, RecallOptions


class Moment:
    """The ledger at one moment; use it in a `with` statement, and only as long as it is needed.

    Every method answers as the ledger's method of the same name does with `as_of`, but nothing is
    noted as shown to an agent. The state of the moment is computed once, and again if something is
    written in the meantime.

    Args:
        guard: runs the questions.
        as_of: an instant, an event or a git revision.
    """

    def __init__(self, guard: VerbGuard, as_of: str) -> None:
        self.as_of = as_of
        self._guard = guard
        self._context = guard.context
        self._seen: object = None
        self._view: View | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the state of the moment; the next question computes it again."""
        self._seen = self._view = None

    def list(
        self, *, limit: int | None = None, before: str | None = None, **filters: Unpack[ListFilters]
    ) -> Listing[Memory]:
        """Return the memories of the moment, newest first."""
        from varves.questions.lists import listed

        trusted = self._context.trusted
        return self._guard.run(
            lambda: listed(self._at(), trusted, limit=limit, before=before, **filters)
        )

    def log(
        self, *, limit: int | None = None, before: str | None = None, **filters: Unpack[LogFilters]
    ) -> Listing[Event]:
        """Return the events up to the moment, in order."""
        from varves.questions.lists import logged

        return self._guard.run(lambda: logged(self._at(), limit=limit, before=before, **filters))

    def recall(self, query: str, *, k: int = 10, **options: Unpack[RecallOptions]) -> Recall:
        """Return the memories of the moment that answer a query, best first."""
        from varves.questions.lookup import asked

        return self._guard.run(lambda: asked(self._context, self._at(), query, k=k, **options))

    def show(self, id: str) -> Memory:
        """Return a memory as it was at the moment."""
        from varves.questions.lookup import shown

        return self._guard.run(lambda: shown(self._context, self._at(), id))

    def history(self, id: str) -> tuple[Event, ...]:
        """Return every event up to the moment that acts on a memory, in order."""
        from varves.context.history import lived

        return self._guard.run(lambda: lived(self._at(), id))

    def why(self, id: str) -> Why:
        """Return where a memory came from, and why it was current at the moment, or why not."""
        from varves.questions.why import why

        return self._guard.run(lambda: why(self._context, self._at(), id))

    def conflicts(
        self,
        *,
        limit: int | None = None,
        before: str | None = None,
        id: str | None = None,
        of: Collection[str] | None = None,
    ) -> Compared[Conflict]:
        """Return the conflicts that needed a decision at the moment, newest first."""
        from varves.conflicts.pending import about, waiting_for_now

        if of is not None:
            return self._guard.run(lambda: about(self._context, self._at(), of))
        return self._guard.run(
            lambda: waiting_for_now(self._context, self._at(), limit=limit, before=before, id=id)
        )

    def status(self) -> dict[str, Any]:
        """Return the instant, and the numbers of events by kind and of memories by status."""
        return self._guard.run(lambda: _status(self._at(), self._context.trusted))

    def _at(self) -> View:
        present = self._context.fresh().index
        seen = present.changes()
        if self._view is None or self._seen != seen:
            self.close()
            self._view = View(*replayed(self._context.index, present, self.as_of))
            self._seen = seen
        return self._view


def _status(view: View, trusted: Trusted) -> dict[str, Any]:
    index = view.index
    waiting = Where(statuses=("active",), untrusted=trusted)
    return {
        "as_of": iso(view.now),
        "events": index.count(EventWhere()),
        "kinds": {kind: count for kind, count, _ in index.counts().kinds()},
        "memories": by_status(view),
        "quarantined": index.count(waiting),
    }


def by_status(view: View) -> dict[str, int]:
    """Return the numbers of memories by status, at the instant of a view."""
    counts = view.index.count_by(Where(), "status")
    expired = view.index.count(Where(statuses=("active",), over_at=iso(view.now)))
    if expired:
        counts |= {"active": counts["active"] - expired, "expired": expired}
    return counts
