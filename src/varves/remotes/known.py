"""The remotes that this person named for a checkout, in `remotes.toml` of the user's folder.

The file is never part of a repository: a cloned repository must not decide where memories are
sent, and an address may contain a password. Nobody else may read the file.
"""

from __future__ import annotations

import re

from varves.errors import NotFound, Refused, UsageError
from varves.places.store import Files
from varves.settings import REMOTES, checkout, has_remotes
from varves.settings.tomlfile import read
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LOGS = ("project", "team", "private", "global")
DEFAULT_LOGS = ("project", "team")
TIMES = ("session", "write", "both", "manual")
SCHEMES = ("postgresql", "postgres", "git", "file")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_SECRET = re.compile(r"([?&])\w*password=[^&]*&?")
_TELLING = re.compile("[:=@]")
_NAME_ENDS = re.compile("[:/?#]")
_HOST = r"(\[[^]/?@]*\]|[^]:,/?@[]*)(:\d*)?"
_PARAMETER = "[^=&]+=[^&]*"
_DATABASE = re.compile(
    rf"postgres(ql)?://([^/?@]*@)?{_HOST}(,{_HOST})*(/[^?@]*)?"
    rf"(\?({_PARAMETER}(&{_PARAMETER})*)?)?"
)
_FIELDS = ("name", "url", "when", "ledger", "owner")


class KnownRemote(Value):
    """One remote of a checkout."""

    name: str
    url: str
    logs: tuple[str, ...] = DEFAULT_LOGS
    when: str = "session"
    """When hooks and writes use it: at a session's start and end, after each write, at each write
    before it is acknowledged (`both`), or never (`manual`)."""
    ledger: str = ""
    """The name of the ledger on the remote."""
    owner: str = ""
    """Whose private and global memories these are, on a remote that does not know who connects."""

    @property
    def scheme(self) -> str:
        """The kind of the remote."""
        return "postgresql" if self.url.startswith("postgres") else self.url.partition(":")[0]

    @property
    def shown(self) -> str:
        """The address without a password."""
        return without_password(self.url)

    def wants(self, log: str) -> bool:
        """Return whether a log, such as `team:core`, is kept on this remote."""
        return log.partition(":")[0] in self.logs


def without_password(url: str) -> str:
    """Return an address without its secrets, also if it is not a valid one.

    Everything before the last `@` belongs to the user part. Of an address for HTTP the whole of it
    is left out, and the parameters too: a token may stand in the place of the user's name.
    """
    scheme, sign, rest = url.partition("://")
    if scheme.startswith("file:") or (scheme.startswith("git:") and not sign):
        return url
    if not sign:
        return url if not _TELLING.search(url) else _TELLING.split(url)[0] + "…"
    user, at, host = _SECRET.sub(r"\1", rest).rpartition("@")
    if scheme.endswith(("http", "https")):
        return f"{scheme}://{host.partition('?')[0]}"
    return f"{scheme}://{_NAME_ENDS.split(user)[0]}{at}{host}".rstrip("?&")


def parted(url: str) -> tuple[str, str]:
    """Return an address and the name of the ledger that follows it after `#`, if there is one.

    Raises:
        UsageError: no name follows, or the address of a database is not valid.
    """
    address, mark, ledger = url.partition("#")
    if address.startswith("postgres") and ("@" in ledger or not _DATABASE.fullmatch(address)):
        raise UsageError(
            "not the address of a database: a port is not a number, or a password is not escaped",
            "write postgresql://HOST/DATABASE; in a password %2F for /, %23 for #, %3F for ?,"
            " %40 for @",
        )
    if mark and not ledger:
        raise UsageError(f"no ledger after # in {without_password(url)}", "write #NAME")
    return address, ledger


def checked(remote: KnownRemote) -> KnownRemote:
    """Return a remote if its parts are valid.

    Raises:
        UsageError: a part is not valid.
    """
    if not _NAME.fullmatch(remote.name):
        raise UsageError(
            f"not a name for a remote: {remote.name!r}", "use letters, digits and . _ -"
        )
    if remote.scheme not in SCHEMES or not remote.url.partition(":")[2].strip("/"):
        raise UsageError(
            f"not the address of a remote: {remote.shown}",
            "write postgresql://HOST/DATABASE, git:REMOTE or file:DIR",
        )
    for log in remote.logs:
        if log not in LOGS:
            raise UsageError(f"no log {log!r}", f"use {', '.join(LOGS)}")
    if remote.when not in TIMES:
        raise UsageError(f"no time {remote.when!r}", f"use {', '.join(TIMES)}")
    return remote


def remotes_of(root: str, home: str) -> list[KnownRemote]:
    """Return the remotes of a checkout, in the order in which they were added.

    Raises:
        Damaged: the file cannot be read.
    """
    mine = checkout(root)
    return [remote for place, remote in _all(home) if place == mine]


def named(root: str, home: str, name: str) -> KnownRemote:
    """Return the remote with this name.

    Raises:
        NotFound: this checkout has no such remote.
    """
    for remote in remotes_of(root, home):
        if remote.name == name:
            return remote
    raise NotFound(f"no remote {name!r}", "varves remote list shows the remotes of this checkout")


def add(root: str, home: str, remote: KnownRemote) -> None:
    """Add a remote to a checkout.

    Raises:
        Refused: another remote of the checkout has this name.
    """
    mine, known = checkout(root), _all(home)
    if any(place == mine and one.name == remote.name for place, one in known):
        raise Refused(
            f"a remote named {remote.name!r} already exists",
            f"to remove it: varves remote remove {remote.name}",
        )
    _write(home, [*known, (mine, checked(remote))])


def remove(root: str, home: str, name: str) -> KnownRemote:
    """Remove a remote from a checkout and return it; nothing on the remote changes."""
    gone, mine = named(root, home, name), checkout(root)
    _write(home, [(place, one) for place, one in _all(home) if (place, one.name) != (mine, name)])
    return gone


def _all(home: str) -> list[tuple[str, KnownRemote]]:
    path = f"{home}/{REMOTES}"
    if not has_remotes(home):
        return []
    rows = read(path, path).get("remote", [])
    return [
        (str(row.get("checkout", "")), _read(row))
        for row in (rows if isinstance(rows, list) else [])
        if isinstance(row, dict)
    ]


def _read(row: dict[str, Any]) -> KnownRemote:
    texts = {name: str(row[name]) for name in _FIELDS if name in row}
    logs = row.get("logs", DEFAULT_LOGS)
    return KnownRemote(**{"name": "", "url": "", **texts}, logs=tuple(map(str, logs)))


def _write(home: str, known: list[tuple[str, KnownRemote]]) -> None:
    parts = []
    for place, remote in known:
        fields = {name: getattr(remote, name) for name in _FIELDS}
        rows = [f"{key} = {_quoted(value)}" for key, value in fields.items() if value]
        logs = ", ".join(map(_quoted, remote.logs))
        parts.append(
            "\n".join(["[[remote]]", f"checkout = {_quoted(place)}", *rows, f"logs = [{logs}]", ""])
        )
    try:
        Files(home, private=True).replace(REMOTES, "\n".join(parts).encode())
    except OSError as fault:
        raise Refused(
            f"{home}/{REMOTES} cannot be written: {fault.strerror}", "no remote was changed"
        ) from None


def _quoted(text: str) -> str:
    from json import dumps

    return dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
