"""The protocol's numbers: published weights, defaults and limits, and the table `[scoped]`."""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

CONFIDENCE = 0.9
"""The default confidence of an entry."""
CONFIDENCE_WEIGHT, RECENCY_WEIGHT, FREQUENCY_WEIGHT = 0.4, 0.3, 0.3
"""The weights of the three terms of a score."""
LEAST_BUDGET, MOST_BUDGET = 1000, 5000
"""The tokens that the setting `budget` may allow; the larger one is also a session's total."""
STALE = "90d"
"""The default age of entries that `scoped stale` lists."""
COMPARED = 500
"""The most memories that are compared for conflicts when a session starts."""
RIVALS = 40
"""The most entries of nearer scopes that one entry is compared with."""
DISPUTES = 10
"""The most conflicts that the start of a session names."""
SHORTEST, LONGEST = 5, 400
"""The length of a sentence that may be a learning."""
MARKED, UNMARKED = 0.8, 0.7
"""The confidence of statements that are marked as learnings, and of others."""
STATEMENT = 3
"""The fewest words of a statement that no act explains."""
SHOWN = 60
"""The most characters of an entry in a message."""
HOOK_TOKENS = 900
"""The most tokens of a block that fits into a hook's output."""
HOOK_TASK, HOOK_CALL = 2000, 200
"""The most characters of a prompt used as a task, and of a tool's call in a note."""

_UNITS = ("global_confidence",)


class ScopedOptions(Value):
    """The options; each default is the published value."""

    global_confidence: float = 0.9
    """The confidence that must be stated for a global entry that is not forced."""
    budget: int = 2000
    """The most tokens of one injected block, from 1000 to 5000; a call may pass any number."""
    top: int = 10
    """The most entries that are injected."""
    half_life_days: float = 30.0
    """The age at which recency is one half."""
    frequency_half: float = 10.0
    """The number of accesses at which frequency is one half."""
    write_through: bool = False
    """Whether counters are recorded at every access, not only when a session ends."""
    session_hours: float = 4.0
    """A session counts as crashed after this many idle hours."""
    teams: tuple[str, ...] | None = None
    """The teams whose memory a session loads; by default all teams of the ledger."""


def options(table: Mapping[str, Any]) -> ScopedOptions:
    """Read the protocol's table of settings.

    Raises:
        UsageError: a name is unknown, or its value has the wrong type.
    """
    from varves.protocols.tables import chosen, words
    from varves.values.names import safe_name

    fits = {"teams": words, "budget": _fits_budget}
    found = chosen(ScopedOptions, "scoped", table, units=_UNITS, fits=fits)
    for team in found.get("teams", ()):
        safe_name(team, "team")
    return ScopedOptions(**found)


def _fits_budget(value: Any) -> str | None:
    fitting = type(value) is int and LEAST_BUDGET <= value <= MOST_BUDGET
    return None if fitting else f"from {LEAST_BUDGET} to {MOST_BUDGET}"
