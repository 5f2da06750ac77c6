"""What a protocol may see of a ledger: its memories, events and counters in this checkout.

Other worktrees, which recall reads too, are left out: a file that git tracks must not show them.
"""

from __future__ import annotations

import os

from varves.errors import UnsafeName
from varves.events.event import TRUSTWORTHY
from varves.events.memories import PURGED
from varves.ledger.counting import counted
from varves.log.git import MAIN
from varves.protocols.port import Stock
from varves.values.names import safe_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from varves.events.event import Event
    from varves.ledger.engine import Engine
    from varves.protocols.port import Codec, Counts, Touched
    from varves.stores.sqlite.index import Index
    from varves.values.memory import Memory

_TELLING = {name: f"m.{name} = ?" for name in ("scope", "type", "category", "session")}
_MANY = 400  # touched memories, from which on everything is read


class Looking:
    """The reading half of a protocol's core."""

    def __init__(self, engine: Engine, name: str) -> None:
        settings = engine.settings
        self.name = name
        self.engine = engine
        self.root = settings.root
        self.home = settings.home
        self.actor = settings.actor
        self.session = settings.session
        self.table = settings.tables.get(name, {})
        self.ids = engine.ids
        self._codec: Codec | None = None
        self._overlay: Index | None = None
        self._own: tuple[str, Index] | None = None
        self._counted: tuple[Index, str, Counts] | None = None
        self._decoded: dict[str, tuple[Any, list[Event]]] = {}

    @property
    def now(self) -> int:
        """The instant, in milliseconds."""
        return self.engine.clock.now()

    @property
    def project(self) -> tuple[str, bool]:
        """The current project's id, and whether it was named."""
        named = self.engine.settings.project
        if named is not None:
            return named, True
        try:
            return safe_name(os.path.basename(self._main_root()), "project"), False
        except UnsafeName:
            return "project", False

    def _main_root(self) -> str:
        """Return the root, or for a linked worktree the checkout it is linked to: one project."""
        git = self.engine.places.git
        if git is None or git.folder == git.commondir or git.top != os.path.realpath(self.root):
            return self.root
        above, name = os.path.split(git.commondir)
        return above if name == ".git" else self.root

    @property
    def checkout(self) -> str:
        """The name of this checkout among a repository's worktrees."""
        git = self.engine.places.git
        return "" if git is None else os.path.basename(git.folder)

    def is_there(self, checkout: str) -> bool:
        """Tell whether a checkout of this repository still lies where it lay."""
        git = self.engine.places.git
        if git is None or checkout == self.checkout:
            return checkout == self.checkout
        places = {
            os.path.basename(git.commondir) if name == MAIN else name: top
            for name, top in git.elsewhere()
        }
        return os.path.isdir(places.get(checkout, ""))

    def index(self) -> Index:
        """Return the index, caught up, of what this checkout holds; edits folded in on reading."""
        if self._overlay is not None:
            return self._overlay
        present = self.engine.fresh().index
        if not self.engine.places.shared():
            return present
        seal = f"{present.latest_hlc()} {present.count('event', 'present and away = ?', ('',))}"
        if self._own is None or self._own[0] != seal:
            from varves.ledger.overlay import replayed

            self._own = seal, replayed(self.engine, present, ())
        return self._own[1]

    def memory(self, name: str) -> Memory | None:
        """Return a memory of any protocol by id."""
        return self.index().memory(name)

    def memories(
        self,
        *,
        scope: str | None = None,
        only: Mapping[str, str] | None = None,
        statuses: Sequence[str] = ("active",),
        lean: bool = False,
        mentioning: Sequence[str] | None = None,
    ) -> list[Memory]:
        """Return this protocol's memories that this checkout holds, in order of recording."""
        where, values = self._own_rows(statuses)
        wanted = {**(only or {}), **({} if scope is None else {"scope": scope})}
        where += [_TELLING[column] for column in wanted]
        values += wanted.values()
        if mentioning is not None and all(map(str.isascii, mentioning)):  # as SQLite folds case
            said = "lower(coalesce(m.summary, '') || char(31) || coalesce(m.tags, ''))"
            met = [f"instr({said}, ?)" for _ in mentioning]
            where.append(f"({' or '.join(['m.priority = ?', *met])})")
            values += ["critical", *(word.lower() for word in mentioning)]
        return self.index().memories(" and ".join(where), values, "m.hlc, m.id", lean=lean)

    def sizes(self, statuses: Sequence[str] = ("active",)) -> dict[str, int]:
        """Return how many of this protocol's memories each scope has."""
        where, values = self._own_rows(statuses)
        return self.index().sizes(" and ".join(where), values)

    def _own_rows(self, statuses: Sequence[str] = ()) -> tuple[list[str], list[Any]]:
        trusted, clones = self.engine.free
        where, values = ["m.protocol = ?", f"({trusted})"], [self.name, *clones]
        if statuses:
            where.append(f"m.status in ({', '.join('?' * len(statuses))})")
            values += statuses
        return where, values

    def barred(self) -> set[str]:
        """Return the memories that were purged: none of them may be recorded again."""
        return self.index().purged()

    def counts(self) -> Counts:
        """Return the counters that files show."""
        index = self.index()
        latest = index.latest_hlc()
        if self._counted is None or self._counted[:2] != (index, latest):
            self._counted = index, latest, index.accessed()
        return dict(self._counted[2])

    def uses(self) -> Counts:
        """Return the counters as they stand now: also what is not flushed yet."""
        found = self.counts()
        for name, (count, last) in counted(self.engine, self.name).items():
            before, latest = found.get(name, (0, ""))
            found[name] = (before + count, max(latest, last))
        return found

    def events(self, *kinds: str, session: str | None = None) -> list[Event]:
        """Return this protocol's events of some kinds, of this checkout, in order."""
        return self._standing(self.index(), kinds, session)

    def steps(self, memories: Sequence[str]) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
        """Return by memory the kind and the place in order of its events in the project's log."""
        return self.engine.fresh().index.steps(memories, "project")

    def tally(self, *kinds: str) -> dict[str, list[int | str]]:
        """Return by kind how many events there are, and what else tells whether others came."""
        found = self.engine.fresh().index.tally(kinds)
        found["free"] = [repr(self.engine.free)]
        return found

    def stock(self, touched: Touched | None = None) -> Stock:
        """Return what files are rendered from, as the log stands now; of all, or what is touched.

        Besides the touched scopes, whole, that is whatever was recorded in a session.
        """
        if touched is None or len(touched.memories) > _MANY:
            return self._stock(self.index())
        scopes, names = sorted(touched.scopes), sorted(touched.memories)
        of = "select t.scope from memory t where t.id in"
        where = (
            f"(m.session is not null or m.scope in ({', '.join('?' * len(scopes))})"
            f" or m.scope in ({of} ({', '.join('?' * len(names))})))"
        )
        return self._stock(self.index(), where, (*scopes, *names))

    def stock_at(self, commit: str) -> Stock:
        """Return what files were rendered from, by the project's log as a commit holds it."""
        from varves.ledger.past import unpurged

        return self._stock(unpurged(self.engine, self.engine.fresh().index, commit))

    def _stock(self, index: Index, only: str = "1", asked: Sequence[str] = ()) -> Stock:
        where, values = self._own_rows()
        where, values = [*where, only], [*values, *asked]
        kinds = self._codec.kinds if self._codec else ()
        return Stock(
            memories=tuple(index.memories(" and ".join(where), values, "m.hlc, m.id")),
            counts=index.accessed(),
            events=tuple(self._standing(index, kinds, None)),
            checkout=self.checkout,
        )

    def _standing(self, index: Index, kinds: Sequence[str], session: str | None) -> list[Event]:
        """Return events of some kinds; one verb asks again and again, so each is read once."""
        if not kinds:
            return []
        if session is not None:
            found = index.events(f"{_of(kinds)} and session = ?", (*kinds, session))
            return [one for one in found if self._is_own(one)]
        tally = index.tally((*kinds, PURGED))
        marks = {kind: (index, tally.get(kind), tally.get(PURGED)) for kind in kinds}
        late = [kind for kind in marks if self._decoded.get(kind, (None,))[0] != marks[kind]]
        if late:
            fresh: dict[str, tuple[Any, list[Event]]] = {kind: (marks[kind], []) for kind in late}
            for event in index.events(_of(late), tuple(late)):
                if self._is_own(event):
                    fresh[event.kind][1].append(event)
            self._decoded |= fresh
        found = [event for kind in marks for event in self._decoded[kind][1]]
        return sorted(found, key=lambda event: event.order)

    def _is_own(self, event: Event) -> bool:
        return event.protocol == self.name and event.trust >= TRUSTWORTHY

    def files(self) -> dict[str, bytes]:
        """Return the protocol's files as they lie here, state and derived, by path."""
        from varves.ledger.trees import lying

        return {} if self._codec is None else lying(self.root, self._codec)


def _of(kinds: Sequence[str]) -> str:
    """Return the condition for events of some kinds that stand in this checkout."""
    return f"kind in ({', '.join('?' * len(kinds))}) and not held and away = ''"
