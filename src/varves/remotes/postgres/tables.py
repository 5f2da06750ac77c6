"""The tables in the database: numbered steps that are only ever added, and who applies them.

Only `varves team init` and `varves team upgrade` change tables, one at a time, under a lock. Every
other call compares versions and stops if they differ.
"""

from __future__ import annotations

from importlib.resources import files

from varves.errors import Damaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from psycopg import Connection

_NEWEST = 2
_LOCK = 0x76617276  # "varv"; held while a step is applied


def steps() -> dict[int, str]:
    """Return the steps by their numbers."""
    found = {}
    for entry in files(__package__).iterdir():
        stem, _, ending = entry.name.partition(".")
        if ending == "sql" and stem.isdigit():
            found[int(stem)] = entry.read_text(encoding="utf-8")
    return dict(sorted(found.items()))


def newest() -> int:
    """Return the number of the last step that this program knows."""
    return _NEWEST


def errors_of_missing_tables() -> tuple[type[Exception], ...]:
    """Return the driver's errors if tables or functions of ours are missing."""
    from psycopg import errors

    return (errors.InvalidSchemaName, errors.UndefinedTable, errors.UndefinedFunction)


def version(connection: Connection) -> int:
    """Return the number of the last step that was applied; 0 if there are no tables."""
    there = connection.execute("select to_regclass('varves.migration') is not null").fetchone()
    if not there or not there[0]:
        return 0
    found = connection.execute("select coalesce(max(n), 0) from varves.migration").fetchone()
    return int(found[0]) if found else 0


def check_version(connection: Connection, shown: str) -> None:
    """Check that the tables are those that this program knows.

    Raises:
        Damaged: the tables are missing, older or newer.
    """
    found = version(connection)
    if not found:
        raise Damaged(f"{shown} has no tables of varves", "varves team init URL makes them")
    _check_not_newer(found, shown)
    if found < _NEWEST:
        raise Damaged(
            f"{shown} has tables of an older version ({found})", "varves team upgrade URL, once"
        )


def _check_not_newer(found: int, shown: str) -> None:
    if found > _NEWEST:
        raise Damaged(f"{shown} has tables of a newer version ({found})", "upgrade varves here")


def tag(connection: Connection) -> str:
    """Return the word in the names of this database's roles."""
    found = connection.execute("select tag from varves.installation").fetchone()
    if not found:
        raise Damaged("the table varves.installation is empty", "restore it from a backup")
    return str(found[0])


def upgrade(connection: Connection, shown: str, *, word: str) -> list[int]:
    """Apply the steps that are missing; return their numbers.

    Args:
        connection: a connection as the role that owns the tables.
        shown: the name by which messages call the database.
        word: the word for the names of roles, if the tables do not exist yet.

    Raises:
        Damaged: the tables are newer than this program.
    """
    _check_not_newer(version(connection), shown)
    applied = []
    with connection.transaction():
        connection.execute("set local lock_timeout = '3s'")
        connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
        if not version(connection):
            connection.execute("create schema if not exists varves")
            connection.execute(
                "create table varves.migration (n int primary key,"
                " at timestamptz not null default now())"
            )
            connection.execute("create table varves.installation (tag text not null)")
            connection.execute("grant select on varves.migration, varves.installation to public")
            connection.execute("insert into varves.installation values (%s)", (word,))
        done, own = version(connection), tag(connection)
        for number, text in steps().items():
            if number > done:
                connection.execute(text.replace("TAG", own).encode())
                connection.execute("insert into varves.migration (n) values (%s)", (number,))
                applied.append(number)
    return applied
