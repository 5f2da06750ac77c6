"""The numbers of the protocol: as published, and settable in the table `[scoped]`."""

from __future__ import annotations

from varves.protocols.tables import chosen, words
from varves.values.names import safe_name
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

CONFIDENCE = 0.9
"""The confidence of an entry that is given none."""
LEAST_BUDGET, MOST_BUDGET = 1000, 5000

_UNITS = ("global_confidence",)


class ScopedOptions(Value):
    """What may be set; a name that is left out has the published value."""

    global_confidence: float = 0.9
    """A global entry of less confidence is refused unless it is forced."""
    budget: int = 2000
    """The most tokens of one injected block, from 1000 to 5000; a call may ask for any other."""
    top: int = 10
    """So many entries are injected at the most."""
    half_life_days: float = 30.0
    """The age at which recency has halved."""
    frequency_half: float = 10.0
    """The number of accesses at which frequency is one half."""
    write_through: bool = False
    """Whether counters are recorded with every access, not only when a session ends."""
    session_hours: float = 4.0
    """Another actor's session that was idle for so long has crashed."""
    teams: tuple[str, ...] | None = None
    """The teams whose memory a session starts with; by default all that the ledger knows."""


def options(table: Mapping[str, Any]) -> ScopedOptions:
    """Read the protocol's table of settings.

    Raises:
        UsageError: a name is unknown, or its value is of the wrong kind.
    """
    fits = {"teams": words, "budget": _fits_budget}
    found = chosen(ScopedOptions, "scoped", table, units=_UNITS, fits=fits)
    for team in found.get("teams", ()):
        safe_name(team, "team")
    return ScopedOptions(**found)


def _fits_budget(value: Any) -> str | None:
    fitting = type(value) is int and LEAST_BUDGET <= value <= MOST_BUDGET
    return None if fitting else f"from {LEAST_BUDGET} to {MOST_BUDGET}"
