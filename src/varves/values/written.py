"""Reads the values of a project's settings file; errors show the right form of a value."""

from __future__ import annotations

import os

from varves.errors import Damaged, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PATH = ".varves/settings.toml"
PROTOCOLS = ("party", "layers", "scoped", "hivemind", "deliberation")
MODES = ("durable", "group", "fast")
CAPTURES = ("private", "shared", "off")
HOOKED = ("scoped", "hivemind", "deliberation")
_KEYS = ("mode", "strict", "share", "usage", "dense", "model", "capture", "hooks", "teams")
_TOP = (*_KEYS, "bridges", *PROTOCOLS)


def mode(given: str | None, written: dict[str, Any]) -> str:
    """Return the mode of writes: the caller's if given, otherwise the project's."""
    words = f"use one of {', '.join(MODES)}"
    if given is not None and given not in MODES:
        raise UsageError(f"unknown mode {given!a}", words)
    chosen = written.get("mode", MODES[0])
    if chosen not in MODES:
        raise Damaged(f"{PATH}: unknown mode {_shown(chosen)}", words)
    return given or str(chosen)


def strict(written: dict[str, Any]) -> tuple[str, ...] | None:
    """Return the clones whose memories a strict ledger accepts; None if it is not strict."""
    clones = written.get("strict", False)
    if isinstance(clones, bool):
        return () if clones else None
    if isinstance(clones, list) and all(isinstance(name, str) for name in clones):
        return tuple(clones)
    reason = f"{PATH}: strict is neither true, false nor a list of clones"
    raise Damaged(reason, 'write strict = true or strict = ["k8r6sexq0z"]')


def share(written: dict[str, Any]) -> str:
    """Return `worktrees` if the project's logs of other worktrees are read too, else `branch`."""
    wide = written.get("share", "worktrees")
    if wide not in ("worktrees", "branch"):
        raise Damaged(
            f"{PATH}: share is {_shown(wide)}", 'write share = "worktrees" or share = "branch"'
        )
    return str(wide)


def dense(written: dict[str, Any]) -> bool:
    """Return whether recall uses vectors by default."""
    asked = written.get("dense", True)
    if not isinstance(asked, bool):
        raise Damaged(f"{PATH}: dense is {_shown(asked)}", "write dense = true or dense = false")
    return asked


def model(written: dict[str, Any], path: str) -> dict[str, Any]:
    """Return a settings file's table about the model."""
    table = written.get("model", {})
    if not isinstance(table, dict):
        raise Damaged(f"{path}: model is not a table", "write [model]")
    return table


def tables(written: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the tables of the protocols; each protocol reads its own."""
    for name in PROTOCOLS:
        if not isinstance(written.get(name, {}), dict):
            raise Damaged(f"{PATH}: {name} is not a table", f"write [{name}]")
    return {name: written[name] for name in PROTOCOLS if name in written}


def bridges(written: dict[str, Any]) -> tuple[tuple[str, str, str], ...]:
    """Return the bridges (source, category, target) of the settings, each once."""
    lines = written.get("bridges", [])
    form = 'write bridges = ["deliberation.decision -> layers"]'
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise Damaged(f"{PATH}: bridges is not a list of lines", form)
    found: dict[tuple[str, str, str], None] = {}
    for line in lines:
        from varves.values.crosswalk import carried, pairs
        from varves.values.text import quoted

        what, arrow, target = (part.strip() for part in line.partition("->"))
        source, _, category = what.partition(".")
        if not arrow or not category:
            raise Damaged(f"{PATH}: not a bridge: {quoted(line)}", form)
        if category not in carried(source, target):
            reason = f"{PATH}: unknown bridge {quoted(line)}"
            raise Damaged(reason, f"possible bridges: {pairs()}")
        found[source, category, target] = None
    return tuple(found)


def hooks(written: dict[str, Any]) -> dict[str, Any]:
    """Return the table `hooks` of the settings."""
    table = written.get("hooks", {})
    if not isinstance(table, dict):
        raise Damaged(f"{PATH}: hooks is not a table", "write [hooks]")
    return table


def capture(written: dict[str, Any]) -> str:
    """Return how hooks capture statements, as set in the project's table or in `hooks`."""
    chosen = hooks(written).get("capture", written.get("capture", CAPTURES[0]))
    if chosen not in CAPTURES:
        from varves.values.text import quoted

        words = f"write one of {', '.join(CAPTURES)}"
        raise Damaged(f"{PATH}: unknown capture {quoted(chosen)}", words)
    return str(chosen)


def hooked(written: dict[str, Any]) -> tuple[str, ...] | None:
    """Return the protocols whose verbs hooks call, in a fixed order; None if not set."""
    table = hooks(written)
    if "protocols" not in table:
        return None
    named = table["protocols"]
    form = f'write protocols = ["hivemind"], with names from {", ".join(HOOKED)}'
    if not isinstance(named, list):
        raise Damaged(f"{PATH}: hooks.protocols is not a list", form)
    for name in named:
        if name not in HOOKED:
            from varves.values.text import quoted

            raise Damaged(f"{PATH}: hooks cannot run the protocol {quoted(name)}", form)
    return tuple(name for name in HOOKED if name in named)


def usage(written: dict[str, Any]) -> bool:
    """Return whether to record which memories readers are shown."""
    noted = written.get("usage", True)
    if not isinstance(noted, bool):
        raise Damaged(f"{PATH}: usage is {_shown(noted)}", "write usage = true or usage = false")
    return noted


def teams(root: str, written: dict[str, Any]) -> dict[str, str]:
    """Return the ledger folder of each team whose ledger is shared by several projects."""
    table = written.get("teams", {})
    if not isinstance(table, dict):
        raise Damaged(f"{PATH}: teams is not a table", "write [teams.NAME] with a root key")
    found = {}
    for name, team in table.items():
        if fault := _fault(team):
            from varves.values.text import quoted

            raise Damaged(
                f"{PATH}: team {quoted(name)} {fault}", "write [teams.NAME] with a root key"
            )
        found[name] = folder(root, team["root"])
    return found


def _fault(team: Any) -> str:
    """Return the reason why a team has no folder, or "" if it has one."""
    if not isinstance(team, dict):
        return "is not a table"
    if "root" not in team:
        return "has no folder: root is not set"
    if not isinstance(team["root"], str):
        return "has no folder: root is not text"
    return "has no folder: root is not a path" if "\0" in team["root"] else ""


def folder(root: str, named: str) -> str:
    """Return the absolute path of a folder that a project's settings name."""
    return os.path.normpath(os.path.join(root, os.path.expanduser(named)))


def odd(written: dict[str, Any]) -> tuple[str, ...]:
    """Return a line for each unknown name in the settings, with the most similar valid name.

    The tables of protocols are checked by the protocols.
    """
    found = unknown(written, "", _TOP)
    if isinstance(written.get("hooks"), dict):
        found += unknown(written["hooks"], "hooks.", ("capture", "protocols"))
    named = written.get("teams")
    for name, team in named.items() if isinstance(named, dict) else ():
        if isinstance(team, dict):
            found += unknown(team, f"teams.{name}.", ("root",))
    return tuple(found)


def _shown(value: Any) -> str:
    """Return a value as shown in a message, shortened if it is long."""
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    from varves.values.text import quoted

    return quoted(value) if isinstance(value, str) else quoted(value).strip("'").lower()


def unknown(table: dict[str, Any], prefix: str, known: tuple[str, ...]) -> list[str]:
    """Return a line for each unknown name of a table."""
    found = []
    for key in table:
        if key not in known:
            from varves.values.text import nearest, quoted

            near = nearest(key.lower(), known)
            meant = f"; did you mean {prefix}{near}?" if near else ""
            found.append(f"{PATH}: {quoted(prefix + key)} is unknown and has no effect{meant}")
    return found
