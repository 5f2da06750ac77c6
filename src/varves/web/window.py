"""One run of the window: the ledger, what was looked up for all pages, and the acts done in it."""

from __future__ import annotations

import os
from math import inf
from threading import Lock
from time import monotonic

from varves.values.instants import instant, is_instant
from varves.values.value import Value
from varves.web.axis import FEW, Axis
from varves.web.live import Live

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from varves import Ledger
    from varves.questions.moment import Moment
    from varves.values.instants import Clock
    from varves.web.port import VerbSource

    Found = TypeVar("Found")

_BRIEFLY = 2.0  # seconds; files and settings may change without an event
_WHILE = 10.0  # seconds; the names in a list of choices
_MOMENTS = 4  # the moments of the past that are kept


class ActNotice(Value):
    """What an act did, for the line on the page that follows it."""

    says: str
    text: str = ""
    had: str = ""
    """What the person had done, in a sentence that says it is undone: "forgotten"."""
    remark: str = ""
    """What the person has to know besides, as a sentence."""
    undo: str | None = None
    """What undo reverses: an event, or the settings that were agreed to, as JSON."""
    undid: str | None = None
    """What this act reversed."""
    was: ActNotice | None = None
    """The act that this one undid."""
    erases: bool = False
    """Whether nothing of what was done before may be shown any more."""
    before: ActNotice | None = None
    """The act that can be undone after this one was."""


class Window:
    """What all pages share.

    Args:
        ledger: the ledger, for acts; pages read it through `reader`, so that nothing counts as
            shown to an agent.
        verbs: the verbs' own answers.
        clock: the source of time.
        form_key: what a form must contain.
        read_only: whether acts are refused.
    """

    def __init__(
        self,
        ledger: Ledger,
        verbs: VerbSource,
        clock: Clock,
        *,
        form_key: str,
        read_only: bool = False,
    ) -> None:
        self.ledger = ledger
        self.reader = ledger.unseen()
        self.verbs = verbs
        self.clock = clock
        self.form_key = form_key
        self.read_only = read_only
        self._notice: ActNotice | None = None
        self._acts: list[ActNotice] = []  # what can be undone, the newest last
        self.live = Live(self.reader.watch().events)
        self._recorded: object = None
        self._kept: dict[str, tuple[float, Any]] = {}
        self._lock = Lock()
        self._names: dict[str, tuple[float, tuple[str, ...]]] = {}
        self._moments: dict[str, Moment] = {}

    def acted(self, notice: ActNotice) -> None:
        """Keep what an act did, for the next page and for undo; undo never acts twice."""
        with self._lock:
            if notice.undid is not None:
                was = next((one for one in self._acts if one.undo == notice.undid), None)
                self._acts = [one for one in self._acts if one is not was]
                before = self._acts[-1] if self._acts else None
                notice = notice.replace(was=was, before=before)
            elif notice.undo is not None:
                self._acts.append(notice)
            elif notice.erases:
                self._acts.clear()
            self._notice = notice
            self._kept = {}  # a consent is no event

    def told(self) -> ActNotice | None:
        """Return what the last act did, once: for the page that follows it."""
        with self._lock:
            notice, self._notice = self._notice, None
            return notice

    @property
    def name(self) -> str:
        """The name of the project."""
        return os.path.basename(self.ledger.root.rstrip("/")) or "project"

    def kept(self, name: str, make: Callable[[], Found], *, seconds: float | None = None) -> Found:
        """Return what `make` returns, made once until a log changes.

        Args:
            name: a name for it.
            make: makes it.
            seconds: how long it is kept at most, if it does not depend on the logs alone.
        """
        recorded, now = self.reader.offers.recorded(), monotonic()
        with self._lock:
            if recorded != self._recorded:
                self._recorded, self._kept = recorded, {}
            until, found = self._kept.get(name, (-1.0, None))
            if now < until:
                kept: Found = found
                return kept
        made = make()
        with self._lock:
            self._kept[name] = (inf if seconds is None else monotonic() + seconds, made)
        return made

    def names(self, what: str) -> tuple[str, ...]:
        """Return the scopes or agents to choose from, looked up again after a while."""
        until, found = self._names.get(what, (-1.0, ()))
        now = monotonic()
        if now >= until:
            found = tuple(self.reader.offers.names(what))
            self._names[what] = (now + _WHILE, found)
        return found

    def axis(self) -> Axis:
        """Return the axis of time, up to now."""
        return Axis(self.kept("times", self._times), self.clock.now())

    def _times(self) -> tuple[tuple[str, int], ...]:
        hours = self.reader.activity()
        return hours if len(hours) >= FEW else self.reader.activity(minutes=True)

    def status(self) -> dict[str, Any]:
        """Return what `varves status` says now."""
        found: dict[str, Any] = self.kept("status", self._status, seconds=_BRIEFLY)
        return found

    def _status(self) -> dict[str, Any]:
        found: dict[str, Any] = self.verbs.document(self.reader, "status")
        return found

    def untrusted(self) -> frozenset[str]:
        """Return the ids of the memories that wait until a person trusts them."""
        if not self.status()["quarantined"]:
            return frozenset()
        return self.kept("untrusted", self._untrusted)

    def _untrusted(self) -> frozenset[str]:
        return frozenset(one.id for one in self.reader.list(status="quarantined"))

    def unshared(self) -> frozenset[str]:
        """Return the ids of the memories whose sharing was undone."""
        return self.kept("unshared", self._unshared)

    def _unshared(self) -> frozenset[str]:
        from varves.questions.unshared import unshared

        return unshared(self.reader.log)

    def at(self, as_of: str) -> Moment:
        """Return the ledger at a moment; the last few moments are kept."""
        with self._lock:
            found = self._moments.pop(as_of, None) or self.reader.at(as_of)
            self._moments[as_of] = found
            while len(self._moments) > _MOMENTS:
                self._moments.pop(next(iter(self._moments))).close()
            return found

    def status_at(self, as_of: str) -> dict[str, Any]:
        """Return the instant of a moment, and what was recorded until then."""
        found: dict[str, Any] = self.kept(f"at {as_of}", self.at(as_of).status)
        return found

    def moment_of(self, as_of: str) -> int:
        """Return the instant of a moment, in milliseconds."""
        if is_instant(as_of):
            return instant(as_of)
        return instant(self.status_at(as_of)["as_of"])

    def waiting_counts(self) -> dict[str, int]:
        """Return how many things wait for a person, by the page that shows them."""
        queue = self.kept("waiting", lambda: self.reader.waiting(limit=1), seconds=_BRIEFLY)
        return {"conflicts": self.status()["conflicts"], "review": len(queue) + queue.more}
