"""The part of a ledger that a protocol reads: memories, events, counters of this checkout.

Other worktrees, which recall also reads, are left out, because a file that git tracks must not show
their memories.
"""

from __future__ import annotations

import os
from contextlib import contextmanager

from varves.errors import UnsafeName
from varves.events.blobs import inflate
from varves.events.kinds import BARRING, UNDONE
from varves.events.remnants import masked
from varves.files.counters import counted
from varves.git import MAIN
from varves.index.where import Beside, EventWhere, Where
from varves.log.blobs import find_blob
from varves.protocols.port import LazyStock
from varves.protocols.tables import sifted
from varves.values.memory import TRUSTWORTHY
from varves.values.names import safe_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Any

    from varves.context.context import Context
    from varves.events.event import Event
    from varves.index.port import Index
    from varves.protocols.port import Codec, Counts, Stock, Touched
    from varves.values.memory import Memory

_MANY = 400  # if more memories than this have changed, everything is read


class ProtocolView:
    """The part of a protocol's core that reads."""

    def __init__(self, context: Context, name: str) -> None:
        settings = context.settings
        self.name = name
        self.context = context
        self.root = settings.root
        self.home = settings.home
        self.actor = settings.actor
        self.session = settings.session
        self.table, self.faults = sifted(name, settings.tables.get(name, {}))
        self.ids = context.ids
        self._codec: Codec | None = None
        self._overlay: Index | None = None
        self._own: tuple[str, Index] | None = None
        self._counted: tuple[Index, str, Counts] | None = None
        self._gone: tuple[tuple[Any, ...], set[str]] | None = None
        self._decoded: dict[str, tuple[Any, list[Event]]] = {}

    @property
    def now(self) -> int:
        """The current instant, in milliseconds."""
        return self.context.clock.now()

    @property
    def project(self) -> tuple[str, bool]:
        """The id of the current project, and whether it was set explicitly."""
        named = self.context.settings.project
        if named is not None:
            return named, True
        try:
            return safe_name(os.path.basename(self._main_root()), "project"), False
        except UnsafeName:
            return "project", False

    def _main_root(self) -> str:
        """Return the root of the main checkout, also in a linked worktree."""
        git = self.context.places.git
        if git is None or git.folder == git.commondir or git.top != os.path.realpath(self.root):
            return self.root
        above, name = os.path.split(git.commondir)
        return above if name == ".git" else self.root

    @property
    def bridged(self) -> bool:
        """Whether a bridge leads to this protocol."""
        return any(target == self.name for _, _, target in self.context.settings.bridges)

    @property
    def checkout(self) -> str:
        """The name of this checkout among a repository's worktrees."""
        git = self.context.places.git
        return "" if git is None else os.path.basename(git.folder)

    def is_there(self, checkout: str) -> bool:
        """Return whether a checkout of this repository still exists at the path noted for it."""
        git = self.context.places.git
        if git is None or checkout == self.checkout:
            return checkout == self.checkout
        places = {
            os.path.basename(git.commondir) if name == MAIN else name: top
            for name, top in git.elsewhere()
        }
        return os.path.isdir(places.get(checkout, ""))

    def index(self) -> Index:
        """The index of this checkout, up to date.

        For a verb that only reads, it includes edits that are not recorded yet.
        """
        if self._overlay is not None:
            return self._overlay
        present = self.context.fresh().index
        if not self.context.places.shared():
            return present
        held = present.count(EventWhere(here=True))
        seal = f"{present.latest_hlc()} {held} {present.counts().by_kind(BARRING)}"
        if self._own is None or self._own[0] != seal:
            from varves.context.overlay import replayed

            self._own = seal, replayed(self.context, present, ())
        return self._own[1]

    def memory(self, name: str) -> Memory | None:
        """Return a memory of any protocol by id."""
        return self.index().memory(name)

    def named(self, names: Collection[str]) -> dict[str, Memory]:
        """Return memories of any protocol by id."""
        index = self.index()
        found = (index.memories(Where(ids=ids)) for ids in _portions(names))
        return {one.id: one for portion in found for one in portion}

    def used(self, names: Collection[str]) -> set[str]:
        """Return those of some ids that an event is about."""
        index = self.index()
        found = (index.touched(EventWhere(about=ids)) for ids in _portions(names))
        return {memory for portion in found for memory, _, _ in portion}.intersection(names)

    def memories(
        self,
        *,
        scope: str | None = None,
        only: Mapping[str, str] | None = None,
        statuses: Sequence[str] = ("active",),
        lean: bool = False,
        mentioning: Sequence[str] | None = None,
        saying: str | None = None,
    ) -> list[Memory]:
        """Return this protocol's memories in this checkout, in order of recording."""
        wish = self._own_rows(statuses).replace(scope=scope, saying=saying, **(only or {}))
        if mentioning is not None:
            wish = wish.replace(mentioning=tuple(mentioning))
        return self.index().memories(wish, lean=lean)

    def likeness(self, text: str, others: Sequence[str]) -> list[float] | None:
        """Return the similarity in meaning of a text to others; None if it cannot be computed."""
        return self.context.index.semantic.alike(text, others)

    def sizes(
        self, statuses: Sequence[str] = ("active",), *, private: bool | None = None
    ) -> dict[str, int]:
        """Return how many of this protocol's memories each scope has, the oldest scope first."""
        return self.index().count_by(self._own_rows(statuses).replace(private=private), "scope")

    def tags(self, scope: str) -> dict[str, int]:
        """Return how many of this protocol's active memories of a scope have each tag."""
        return self.index().count_by(self._own_rows(("active",)).replace(scope=scope), "tags")

    def types(self, scope: str) -> dict[str, int]:
        """Return how many of this protocol's active memories of a scope have each type."""
        return self.index().count_by(self._own_rows(("active",)).replace(scope=scope), "type")

    def _own_rows(self, statuses: Sequence[str] = ()) -> Where:
        return Where(
            protocol=self.name,
            trusted=self.context.trusted,
            statuses=tuple(statuses) if statuses else None,
        )

    def barred(self) -> set[str]:
        """Return the purged memories, none of which may be recorded again."""
        return self.index().purges().barred()

    def counts(self) -> Counts:
        """Return the recorded counters; files show them when they next change."""
        index = self.index()
        latest = index.latest_hlc()
        if self._counted is None or self._counted[:2] != (index, latest):
            self._counted = index, latest, index.uses().accessed()
        return dict(self._counted[2])

    def uses(self) -> Counts:
        """Return the counters, including reads that are not recorded yet."""
        found = self.counts()
        for name, (count, last) in counted(self.context, self.name).items():
            before, latest = found.get(name, (0, ""))
            found[name] = (before + count, max(latest, last))
        return found

    def events(
        self,
        *kinds: str,
        session: str | None = None,
        after: tuple[str, str, str] | None = None,
        most: int | None = None,
    ) -> list[Event]:
        """Return this protocol's events of some kinds in this checkout, in order."""
        if session is None:
            return self._standing(self.index(), kinds)
        here = EventWhere(session=session, protocol=self.name, here=True, held=False)
        found = self.index().events(here.replace(kinds=kinds, beyond=after), last=most)
        gone = self._covered()
        return [_unsaid(one, gone) for one in found if one.trust >= TRUSTWORTHY]

    def _covered(self) -> set[str]:
        """Return the conversation events that were purged; their content may not be erased yet."""
        seal = self.seal()
        if self._gone is None or self._gone[0] != seal:
            self._gone = seal, self.index().purges().talk()
        return self._gone[1]

    def latest(
        self, type: str, *, session: str, most: int, statuses: Sequence[str] = ("active",)
    ) -> list[Memory]:
        """Return a session's newest memories of a type, in the order of recording."""
        wish = self._own_rows(statuses).replace(session=session, type=type)
        return self.index().memories(wish, order="latest", most=most)[::-1]

    def pulse(self, kinds: Sequence[str], session: str) -> tuple[int, str, str]:
        """Return a session's number of events of some kinds, the last stamp, and a checksum."""
        index = self.index()
        counts, whose = index.counts(), (session, self.name, kinds)
        last, _ = counts.last_in_session(*whose)
        seal = counts.by_kind((*BARRING, UNDONE)), counts.not_here(*whose), len(self._covered())
        return counts.in_session(*whose), last, repr(seal)

    def seal(self) -> tuple[Any, ...]:
        """Return a value that changes if anything changes that was read through this object."""
        index = self.index()
        return index, *index.changes(), self.context.trusted.clones

    def text_of(self, event: Event) -> str:
        """Return an event's text, read from its own file if it is long."""
        held, sources = dict(event.data), self.context.logs.own
        inflate(held, lambda digest: find_blob(sources(), event.log, digest))
        text = held.get("text")
        return text if isinstance(text, str) else ""

    def past(self, when: str) -> AbstractContextManager[None]:
        """Return a `with` block that reads everything as of an instant, an event or a commit."""
        return self._looking_back(when)

    @contextmanager
    def _looking_back(self, when: str) -> Iterator[None]:
        from varves.context.past import replayed

        before = self._overlay
        self._overlay, _ = replayed(self.context.index, self.context.fresh().index, when)
        try:
            yield
        finally:
            self._overlay = before

    def steps(self, memories: Sequence[str]) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
        """Return, by memory, the kinds of its events and their places in the project's log."""
        wish = EventWhere(log="project", about=tuple(memories))
        found: dict[str, list[tuple[str, tuple[str, ...]]]] = {name: [] for name in memories}
        for memory, kind, place in self.index().touched(wish):
            if memory in found:
                found[memory].append((kind, place))
        return found

    def tally(self, *kinds: str) -> dict[str, list[int | str]]:
        """Return, by kind, values that change if events are added or other clones are trusted."""
        found = self.context.fresh().index.counts().by_kind(kinds)
        found["free"] = [repr(self.context.trusted.clones)]
        return found

    def stock(self, touched: Touched | None = None) -> Stock:
        """Return the data from which files are rendered: everything, or only what was changed.

        The data of a changed scope is complete. Memories recorded in a session are always included.
        """
        if touched is None or len(touched.memories) > _MANY:
            return self._stock(self.index())
        near = Beside(
            scopes=tuple(sorted(touched.scopes)), memories=tuple(sorted(touched.memories))
        )
        return self._stock(self.index(), beside=near)

    def stock_at(self, commit: str, *, purged: bool = False) -> Stock:
        """Return the data from which files were rendered, according to the log in a commit.

        Args:
            commit: the commit.
            purged: whether to leave out content that was purged later.
        """
        from varves.context.past import replayed, unpurged

        present = self.context.fresh().index
        if purged:
            return self._stock(replayed(self.context.index, present, commit)[0])
        return self._stock(unpurged(self.context.index, present, commit))

    def _stock(self, index: Index, beside: Beside | None = None) -> Stock:
        wish = self._own_rows().replace(beside=beside)
        kinds = self._codec.kinds if self._codec else ()
        return LazyStock(
            memories=lambda: tuple(index.memories(wish)),
            outlines=lambda: index.outlines(wish),
            named=lambda names: {one.id: one for one in _named(index, wish, names)},
            counts=lambda: index.uses().accessed(until=self._counted_until()),
            events=lambda: tuple(self._standing(index, kinds)),
            checkout=lambda: self.checkout,
        )

    def _counted_until(self) -> str | None:
        """Return the point up to which the files count reads, as `until` of `Uses.accessed`.

        None if they count all.
        """
        if self._codec is None or self.table.get("write_through") is True:
            return None
        return self._codec.counted_until

    def _standing(self, index: Index, kinds: Sequence[str]) -> list[Event]:
        """Return the events of some kinds, from a cache that lasts for one verb."""
        if not kinds:
            return []
        tally = index.counts().by_kind((*kinds, *BARRING))
        purges = [tally.get(kind) for kind in BARRING]
        marks = {kind: (index, tally.get(kind), purges) for kind in kinds}
        late = [kind for kind in marks if self._decoded.get(kind, (None,))[0] != marks[kind]]
        if late:
            fresh: dict[str, tuple[Any, list[Event]]] = {kind: (marks[kind], []) for kind in late}
            gone = self._covered() if index is self.index() else set()
            for event in index.events(EventWhere(kinds=tuple(late), held=False, here=True)):
                if self._is_own(event):
                    fresh[event.kind][1].append(_unsaid(event, gone))
            self._decoded |= fresh
        found = [event for kind in marks for event in self._decoded[kind][1]]
        return sorted(found, key=lambda event: event.order)

    def _is_own(self, event: Event) -> bool:
        return event.protocol == self.name and event.trust >= TRUSTWORTHY

    def files(self) -> dict[str, bytes]:
        """Return the protocol's files in this checkout by path: state files and derived files."""
        from varves.files.published import lying

        return {} if self._codec is None else lying(self.root, self._codec)


def _portions(names: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Yield ids in portions; of many, SQLite takes no list."""
    ids = list(dict.fromkeys(names))
    for start in range(0, len(ids), _MANY):
        yield tuple(ids[start : start + _MANY])


def _named(index: Index, wish: Where, names: Collection[str]) -> list[Memory]:
    """Return the memories with some ids."""
    if len(names) > _MANY:
        return [one for one in index.memories(wish) if one.id in names]
    return index.memories(wish.replace(ids=tuple(names)))


def _unsaid(event: Event, gone: set[str]) -> Event:
    return masked(event, gone) if event.id in gone else event
