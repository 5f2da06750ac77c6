"""One request for a page: which page, with which filters, at which moment."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from varves.errors import UsageError, VarvesError
from varves.values.instants import iso
from varves.values.value import Value
from varves.web.table import PAGES
from varves.web.words import kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Protocol

    from varves import Conflict, Ledger, Memory
    from varves.questions.moment import Moment
    from varves.web.table import Row
    from varves.web.window import Window

    class Addresses(Protocol):
        """Where the pages are."""

        @property
        def live(self) -> bool:
            """Whether the window can be asked again; files cannot."""
            ...

        def has(self, row: Row) -> bool:
            """Return whether a page exists."""
            ...

        def to(self, page: str, part: str | None, query: Mapping[str, Any]) -> str:
            """Return the address of a page."""
            ...

        def twin(self, verb: str, query: Mapping[str, Any]) -> str:
            """Return the address of a verb's JSON."""
            ...

        def static(self, name: str) -> str:
            """Return the address of a file of the window itself."""
            ...


AS_OF = "as-of"
_SHOWN = 500  # the times that agents were shown memories; a page has no more
_SAFE = ":,"  # legible in a query


class Visit(Value):
    """A request for a page."""

    window: Window
    row: Row
    path: Mapping[str, str]
    """The parts of the address that the row's path names."""
    query: Mapping[str, str]
    """The filters, without the moment."""
    as_of: str | None = None
    links: Addresses
    untrusted: frozenset[str] | None = None
    """The memories that wait for trust, looked up once for a whole page."""

    @property
    def ledger(self) -> Ledger:
        """The ledger, for a person who looks."""
        return self.window.reader

    @property
    def record(self) -> Ledger | Moment:
        """The ledger at the moment of this visit, for the questions that both can answer."""
        return self.window.reader if self.as_of is None else self.window.at(self.as_of)

    @property
    def now(self) -> int:
        """The present, in milliseconds."""
        return self.window.clock.now()

    def make(self) -> dict[str, Any]:
        """Return what the template of the page needs."""
        name = self.row.name
        module = __import__(f"varves.web.pages.{name}", fromlist=(name,))
        found: dict[str, Any] = getattr(module, name)(self)
        return found

    def asked(self, name: str) -> str | None:
        """Return a filter; None if it is missing or empty."""
        return self.query.get(name, "").strip() or None

    def number(self, name: str, usual: int, most: int) -> int:
        """Return a filter that is a number between 1 and `most`."""
        word = self.asked(name)
        if word is None:
            return usual
        if not (word.isascii() and word.isdigit() and 1 <= int(word) <= most):
            raise UsageError(
                f"{name} must be a number from 1 to {most}", "change it in the address"
            )
        return int(word)

    def link(self, page: str, part: str | None = None, /, **query: Any) -> str:
        """Return the address of a page at the moment of this visit."""
        return self.links.to(page, part, self._with_moment(query))

    def twin(self, verb: str, /, **query: Any) -> str:
        """Return the address of a verb's JSON at the moment of this visit."""
        return self.links.twin(verb, self._with_moment(query))

    def here(self, **query: Any) -> str:
        """Return the address of this page with its filters, some of them changed."""
        part = next(iter(self.path.values()), None)
        return self.links.to(self.row.name, part, {**self.query, **query})

    def _with_moment(self, query: Mapping[str, Any]) -> dict[str, Any]:
        found = {name.replace("_", "-"): value for name, value in query.items()}
        return found if self.as_of is None else {**found, AS_OF: self.as_of}

    def waits(self, memory: Memory) -> bool:
        """Return whether a memory is not trusted yet."""
        known = self.window.untrusted() if self.untrusted is None else self.untrusted
        return memory.id in known

    def kept(self, id: str | None, where: str) -> str:
        """Return where a memory is kept; the project's log keeps what was once shared."""
        return kept("unshared" if where == "private" and id in self.window.unshared() else where)

    def disputes(self, ids: Iterable[str]) -> dict[str, Conflict]:
        """Return the open conflict that each of the given memories is part of, if it is in any."""
        found = self.record.conflicts(of=frozenset(ids))
        return {member.id: one for one in found for member in one.members}

    def read(self, id: str) -> Memory | None:
        """Return a memory at the moment of this visit; None if it is erased or not there."""
        try:
            return self.record.show(id)
        except VarvesError:
            return None

    def shown(self) -> list[Any]:
        """Return the last times that agents were shown memories, up to the moment, newest first."""
        found = self.window.reader.shown(limit=_SHOWN)
        at = None if self.as_of is None else self.window.moment_of(self.as_of)
        return [one for one in found if at is None or one.at <= iso(at)]

    def moment(self) -> dict[str, Any]:
        """Return what the bar at the top shows."""
        axis = self.window.axis()
        if self.as_of is None:
            return {"axis": axis, "at": None, "later": None, "place": 1000.0}
        at, then = self.window.moment_of(self.as_of), self.window.status_at(self.as_of)
        later = max(0, self.window.status()["events"] - then["events"])
        return {"axis": axis, "at": at, "later": later, "place": round(axis.place(at), 1)}


class Links:
    """Addresses of the running window."""

    live = True
    """Whether the window can be asked again; exported files cannot."""

    def has(self, row: Row) -> bool:
        """Return whether a page exists."""
        return row.name in PAGES

    def to(self, page: str, part: str | None, query: Mapping[str, Any]) -> str:
        """Return the address of a page."""
        path = PAGES[page].path
        if part is not None:
            path = f"{path[: path.index('{')]}{quote(part, safe='')}"
        return _asking(path, query)

    def twin(self, verb: str, query: Mapping[str, Any]) -> str:
        """Return the address of a verb's JSON."""
        return _asking(f"/api/{verb.replace(' ', '/')}", query)

    def static(self, name: str) -> str:
        """Return the address of a file of the window itself."""
        return f"/static/{name}"


def _asking(path: str, query: Mapping[str, Any]) -> str:
    given = [(name, value) for name, value in query.items() if value not in (None, False)]
    words = urlencode(
        [(name, "" if value is True else str(value)) for name, value in given], safe=_SAFE
    )
    return f"{path}?{words}" if words else path
