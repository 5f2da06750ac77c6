"""The last result of each check here, and of the exchange with each remote, told without work."""

from __future__ import annotations

from varves.state.notebook import notebook_of
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.places.places import Places


class Check(Value):
    """One check: when it ran last, and what it found."""

    name: str
    """verify, doctor, or `remote` and its name"""
    at: str
    ok: bool
    says: str


def note(places: Places, check: Check) -> None:
    """Keep the result of a check instead of the one before, if the ledger exists."""
    if places.exists():
        row = (check.name, check.at, int(check.ok), check.says)
        notebook_of(places).write("insert or replace into checked values (?, ?, ?, ?)", [row])


def forget(places: Places, name: str) -> None:
    """Drop the result of a check."""
    if places.exists():
        notebook_of(places).write("delete from checked where name = ?", [(name,)])


def last(places: Places) -> tuple[Check, ...]:
    """Return the last result of each check that ran here."""
    if not places.exists():
        return ()
    rows = notebook_of(places).rows("select name, at, ok, says from checked order by name")
    return tuple(Check(name=name, at=at, ok=bool(ok), says=says) for name, at, ok, says in rows)
