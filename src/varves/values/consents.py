"""Decides which settings need a person's consent, because they can expose the user's words.

A settings file comes with a clone, and its author is not the user of the clone. The file may name
folders that are read and written (`teams`), let hooks write to the project's log (`capture`,
`hooks`), and show private conversations in tracked files (`bridges`). Each such value needs a
separate consent.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    Asked = tuple[str, str]
    """The name of a setting, and its value or the reason why the value cannot be read."""

SHARED = "shared"
PROTOCOLS = "hooks.protocols"
_TABLES = ("teams", "capture", "hooks", "bridges")


def guarded(written: dict[str, Any]) -> bool:
    """Return whether a settings file contains a table that may need consent."""
    return any(name in written for name in _TABLES)


def asked(written: dict[str, Any], resolved: Callable[[str], str]) -> list[Asked]:
    """Return the settings of a file that need consent.

    Unreadable values must have been removed before.

    Args:
        written: the content of the file.
        resolved: returns the folder that a team's root names after links are followed; a clone may
            contain links.
    """
    hooks = _table(written, "hooks")
    found = [
        (team_key(name), resolved(team["root"]))
        for name, team in _table(written, "teams").items()
        if isinstance(team, dict) and isinstance(team.get("root"), str)
    ]
    found += [("capture", SHARED)] if written.get("capture") == SHARED else []
    found += [("hooks.capture", SHARED)] if hooks.get("capture") == SHARED else []
    found += [(PROTOCOLS, name) for name in _lines(hooks, "protocols")]
    found += [("bridges", line) for line in _lines(written, "bridges")]
    return list(dict.fromkeys(found))


def team_key(name: str) -> str:
    """Return the name of the setting with the root folder of a team."""
    return f"teams.{name}.root"


def digest(one: Asked) -> str:
    """Return the digest that identifies a consent to one setting."""
    from hashlib import sha256

    return sha256("\0".join(one).encode("utf-8", "surrogateescape")).hexdigest()


def without(written: dict[str, Any], waiting: Iterable[Asked]) -> dict[str, Any]:
    """Return the content of a settings file without the settings that wait for consent."""
    left, gone = dict(written), set(waiting)
    hooks = dict(_table(written, "hooks"))
    for table, name, key in ((left, "bridges", "bridges"), (hooks, "protocols", PROTOCOLS)):
        if name in table and any(one[0] == key for one in gone):
            table[name] = [line for line in table[name] if (key, line) not in gone]
    for table, key in ((left, "capture"), (hooks, "hooks.capture")):
        if (key, SHARED) in gone:
            table.pop("capture")
    held = {key for key, _ in gone}
    teams = {n: one for n, one in _table(written, "teams").items() if team_key(n) not in held}
    changed = {"hooks": hooks, "teams": teams}
    return left | {name: changed[name] for name in changed if isinstance(written.get(name), dict)}


def line(waiting: Iterable[Asked]) -> str:
    """Return one line that lists the waiting settings and says what to do; "" if there are none."""
    listed = ", ".join(f"{key} = {value}" for key, value in waiting)
    return f"{listed}: no effect until you agree (varves trust --settings)" if listed else ""


def _table(written: dict[str, Any], name: str) -> dict[str, Any]:
    table = written.get(name)
    return table if isinstance(table, dict) else {}


def _lines(table: dict[str, Any], name: str) -> list[str]:
    lines = table.get(name)
    return [one for one in lines if isinstance(one, str)] if isinstance(lines, list) else []
