"""What an administrator does: tables, ledgers, and who may read and write them.

Each ledger has two roles without login, one for readers and one for writers. A person is a role
with login that is a member of them.
"""

from __future__ import annotations

from contextlib import contextmanager

from varves.errors import NotFound, Refused, UsageError
from varves.remotes.known import parted, without_password
from varves.remotes.postgres.connection import connected
from varves.remotes.postgres.remote import GLOBAL
from varves.remotes.postgres.tables import check_version, newest, tag, upgrade, version
from varves.values.names import safe_name
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from psycopg import Connection

    from varves.values.ids import IdSource


_UPGRADE = 3600.0  # seconds that one step of the tables may take


class TeamLedger(Value):
    """The result of `team init`."""

    ledger: str
    created: bool
    applied: tuple[int, ...]
    """The steps that were applied to the tables."""


class TeamMember(Value):
    """The result of `team add` and `team remove`."""

    ledger: str
    name: str
    writes: bool
    password: str | None = None
    """The password of a new role; it is shown once and stored nowhere."""


class TeamStatus(Value):
    """The state of a database, as far as this user may see it."""

    version: int
    newest: int
    user: str
    ledgers: tuple[dict[str, Any], ...]


class Team:
    """The administration of one database.

    Args:
        url: the address, as an administrator; after `#`, the name of a ledger.
        ledger: the name of the ledger if the address has none.
        ids: the source of names for roles, and of passwords.
    """

    def __init__(self, url: str, *, ledger: str, ids: IdSource) -> None:
        self._address, named = parted(url)
        self._shown = without_password(self._address)
        if not self._address.startswith(("postgresql://", "postgres://")):
            raise UsageError(
                f"not a PostgreSQL address: {self._shown}",
                "write postgresql://HOST/DATABASE#LEDGER",
            )
        self._ledger = safe_name(named or ledger, "ledger")
        if self._ledger == GLOBAL:
            raise Refused("the name global is taken", "choose another name for the ledger")
        self._ids = ids

    def init(self) -> TeamLedger:
        """Make the tables, if they are missing, and the ledger with its roles."""
        with connected(self._address, self._shown) as connection:
            applied = upgrade(connection, self._shown, word=self._ids.word(6))
            with connection.transaction():
                everybody, _ = _made(connection, GLOBAL)
                number, created = _made(connection, self._ledger)
                if created:
                    word = tag(connection)
                    for mark in ("", "w"):
                        ours = f"varves_{word}_{number}{mark}"
                        _run(connection, "grant {} to {}", f"varves_{word}_{everybody}w", ours)
        return TeamLedger(ledger=self._ledger, created=created, applied=tuple(applied))

    def add(self, member: str, *, write: bool = False) -> TeamMember:
        """Let a person read the ledger, or also write it; make their role if it is missing."""
        from psycopg.sql import SQL, Identifier, Literal

        safe_name(member, "member")
        password = None
        with self._tables() as connection, connection.transaction():
            role = self._role(connection, "w" if write else "")
            if not _exists(connection, member):
                password = self._ids.word(24)
                # the server gets what it stores anyway: its log may have every statement
                verifier = connection.pgconn.encrypt_password(
                    password.encode(), member.encode(), b"scram-sha-256"
                ).decode()
                connection.execute(
                    SQL("create role {} login password {}").format(
                        Identifier(member), Literal(verifier)
                    )
                )
            _run(connection, "grant {} to {}", role, member)
            writes = write or _may(connection, member, self._role(connection, "w"))
        return TeamMember(ledger=self._ledger, name=member, writes=writes, password=password)

    def remove(self, member: str) -> TeamMember:
        """Take a person's rights to the ledger; their role and what they wrote stay."""
        with self._tables() as connection, connection.transaction():
            if not _exists(connection, member):
                raise NotFound(f"no member {member!r}", "a member is a role of the database")
            for mark in ("", "w"):
                _run(connection, "revoke {} from {}", self._role(connection, mark), member)
        return TeamMember(ledger=self._ledger, name=member, writes=False)

    def upgrade(self) -> TeamStatus:
        """Apply the steps that the tables lack, and return the state."""
        with connected(self._address, self._shown, silence=_UPGRADE) as connection:
            if not version(connection):
                check_version(connection, self._shown)
            upgrade(connection, self._shown, word="")
        return self.status()

    def status(self) -> TeamStatus:
        """Return the state of the database, as far as this user may see it."""
        with connected(self._address, self._shown) as connection:
            now = version(connection)
            if not now:
                check_version(connection, self._shown)
            rows = connection.execute(
                "select name, head, varves.may_write(id) from varves.ledger where name <> %s"
                " order by name",
                (GLOBAL,),
            ).fetchall()
            user = connection.execute("select session_user::text").fetchone()
        return TeamStatus(
            version=now,
            newest=newest(),
            user=str(user[0]) if user else "",
            ledgers=tuple({"name": n, "lines": head, "writes": may} for n, head, may in rows),
        )

    @contextmanager
    def _tables(self) -> Iterator[Connection]:
        with connected(self._address, self._shown) as connection:
            check_version(connection, self._shown)
            yield connection

    def _role(self, connection: Connection, mark: str) -> str:
        """Return the role of the ledger's readers, or with the mark "w" of its writers."""
        found = connection.execute(
            "select id from varves.ledger where name = %s", (self._ledger,)
        ).fetchone()
        if found is None:
            raise NotFound(f"no ledger {self._ledger!r} there", "varves team init URL makes it")
        return f"varves_{tag(connection)}_{found[0]}{mark}"


def _made(connection: Connection, name: str) -> tuple[int, bool]:
    """Return the number of a ledger and whether this call made it, with its two roles."""
    row = connection.execute(
        "insert into varves.ledger (name) values (%s) on conflict do nothing returning id", (name,)
    ).fetchone()
    if row is None:
        found = connection.execute("select id from varves.ledger where name = %s", (name,))
        return int((found.fetchone() or (0,))[0]), False
    number, word = int(row[0]), tag(connection)
    for mark in ("", "w"):
        _run(connection, "create role {} nologin", f"varves_{word}_{number}{mark}")
    _run(connection, "grant {} to {}", f"varves_{word}_{number}", f"varves_{word}_{number}w")
    return number, True


def _may(connection: Connection, member: str, role: str) -> bool:
    found = connection.execute("select pg_has_role(%s, %s, 'member')", (member, role)).fetchone()
    return bool(found and found[0])


def _exists(connection: Connection, role: str) -> bool:
    found = connection.execute("select 1 from pg_roles where rolname = %s", (role,))
    return found.fetchone() is not None


def _run(connection: Connection, text: str, *names: str) -> None:
    """Run a statement in which `{}` stands for names of roles."""
    from psycopg.sql import SQL, Identifier

    connection.execute(SQL(text).format(*map(Identifier, names)))
