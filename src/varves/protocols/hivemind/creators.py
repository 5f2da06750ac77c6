"""Who may create entries: an agent such as DEV-001, the coordinator, the system, the user."""

from __future__ import annotations

import re

from varves.errors import Refused
from varves.values.text import quoted

ACTORS = ("COORDINATOR", "SYSTEM", "USER")
_AGENT = re.compile(r"[A-Z]+-[0-9]{3}")


def creator(name: str, *, any_actor: bool = False) -> str:
    """Return the name if it may create entries: an agent such as DEV-001, or one of `ACTORS`."""
    if not (any_actor or is_creator(name)):
        raise Refused(
            f"{quoted(name)} may not create entries",
            "an agent's name is capital letters, a hyphen and three digits, such as DEV-001; the"
            " others are COORDINATOR, SYSTEM and USER; any_actor = true under [hivemind] in"
            " settings.toml allows every name",
        )
    return name


def is_creator(name: str) -> bool:
    """Return whether a name matches the protocol's pattern for creators of entries."""
    return name in ACTORS or is_agent(name)


def is_agent(name: str) -> bool:
    """Return whether a name has the published form of an agent's."""
    return _AGENT.fullmatch(name) is not None
