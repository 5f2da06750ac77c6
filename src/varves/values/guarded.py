"""Ignores those invalid settings that would need a person's consent if they were valid.

`consents` lists these settings. If a bad value of them were an error, anyone who can push to a
repository could break every verb in its clones.
"""

from __future__ import annotations

from varves.errors import Damaged
from varves.values import written as read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from varves.values.consents import Asked

    Look = Callable[[Any], object]

TEAMS = "teams"
_LOOKS: dict[str, Look] = {  # a table comes before the settings in it
    TEAMS: lambda value: read.teams("", {"teams": value}),
    "capture": lambda value: read.capture({"capture": value}),
    "hooks": lambda value: read.hooks({"hooks": value}),
    "hooks.capture": lambda value: read.capture({"capture": value}),
    "hooks.protocols": lambda value: read.hooked({"hooks": {"protocols": value}}),
    "bridges": lambda value: read.bridges({"bridges": value}),
}
_PLAIN: dict[str, Look] = {
    "mode": lambda value: read.mode(None, {"mode": value}),
    "strict": lambda value: read.strict({"strict": value}),
    "share": lambda value: read.share({"share": value}),
    "usage": lambda value: read.usage({"usage": value}),
    "dense": lambda value: read.dense({"dense": value}),
    "model": lambda value: read.model({"model": value}, read.PATH),
}
_LINES = ("hooks.protocols", "bridges")  # each line of these settings needs a separate consent
_MOST = 100  # the most lines or teams of a setting that are checked one by one


def sifted(written: dict[str, Any]) -> tuple[dict[str, Any], tuple[Asked, ...]]:
    """Return a file's settings without invalid ones that need consent, and the reasons."""
    left, invalid = dict(written), []
    for key, look in _LOOKS.items():
        table_name, _, name = key.rpartition(".")
        table = left.get(table_name, {}) if table_name else left
        reason = _fault(look, table[name]) if name in table else ""
        if not reason:
            continue
        value = table[name]
        kept = {one: table[one] for one in table if one != name}
        if key == TEAMS and isinstance(value, dict) and len(value) <= _MOST:
            faults = {team: _fault(look, {team: value[team]}) for team in value}
            invalid += [(f"{TEAMS}.{team}", why) for team, why in faults.items() if why]
            kept[name] = {team: value[team] for team in value if not faults[team]}
        else:
            invalid.append((key, reason))
        if key in _LINES and isinstance(value, list) and len(value) <= _MOST:
            kept[name] = [line for line in value if not _fault(look, [line])]
        left = {**left, table_name: kept} if table_name else kept
    return left, tuple(invalid)


def spared(written: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that hooks use if one of the file's values cannot be read.

    Guarded settings then have no effect, with one exception: if capture was switched off, it stays
    off.
    """
    left = {
        key: value
        for key, value in written.items()
        if (key in _PLAIN and not _fault(_PLAIN[key], value))
        or (key in read.PROTOCOLS and isinstance(value, dict))
    }
    hooks = written.get("hooks")
    heard = (hooks.get("capture") if isinstance(hooks, dict) else None, written.get("capture"))
    return left | ({"capture": "off"} if "off" in heard else {})


def line(invalid: Iterable[Asked]) -> str:
    """Return one line with the invalid settings, which have no effect, and their right form."""
    listed = ", ".join(reason for _, reason in invalid)
    return f"{read.PATH}: invalid and without effect: {listed}"


def _fault(look: Look, value: Any) -> str:
    try:
        look(value)
    except Damaged as fault:
        return f"{fault.message.removeprefix(f'{read.PATH}: ')} ({fault.hint})"
    return ""
