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
    since: str = ""
    """When it began to fail, if it has failed each time since then"""


def note(places: Places, check: Check) -> None:
    """Keep the result of a check instead of the one before, if the ledger exists."""
    if places.exists():
        row = (check.name, check.at, int(check.ok), check.says)
        notebook = notebook_of(places)
        notebook.write("insert or replace into checked values (?, ?, ?, ?)", [row])
        if check.ok:
            notebook.write("delete from failing where name = ?", [(check.name,)])
        else:
            notebook.write("insert or ignore into failing values (?, ?)", [(check.name, check.at)])


def forget(places: Places, name: str) -> None:
    """Drop the result of a check."""
    if places.exists():
        for table in ("checked", "failing"):
            notebook_of(places).write(f"delete from {table} where name = ?", [(name,)])


def last(places: Places) -> tuple[Check, ...]:
    """Return the last result of each check that ran here."""
    if not places.exists():
        return ()
    rows = notebook_of(places).rows(
        "select c.name, at, ok, says, coalesce(since, '') from checked c"
        " left join failing f on f.name = c.name order by c.name"
    )
    return tuple(
        Check(name=name, at=at, ok=bool(ok), says=says, since=since)
        for name, at, ok, says, since in rows
    )
