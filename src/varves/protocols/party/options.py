"""The numbers of the protocol: as published, and settable in the table `[party]`."""

from __future__ import annotations

from varves.protocols.tables import chosen
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_UNITS = (
    *("least_confidence", "decay_step", "floor", "boost"),
    *("stated", "unchallenged", "observed", "inferred"),
)


class PartyOptions(Value):
    """What may be set; a name that is left out has the published value."""

    top: int = 10
    """So many of an agent's memories are injected, the last of its sidecar."""
    content_chars: int = 100
    """A memory's content has at most so many characters."""
    least_confidence: float = 0.5
    """A memory that comes in is at least so sure."""
    per_session: int = 5
    """So many memories are added for an agent at the end of a session."""
    cap: int = 50
    """A sidecar holds so many memories; the least sure ones go."""
    decay_sessions: int = 5
    """After so many sessions without a reference a memory loses confidence."""
    decay_step: float = 0.1
    decay_each: bool = False
    """Whether, from then on, it loses some in every session, not each time after so many."""
    floor: float = 0.3
    """A memory less sure than this is pruned."""
    boost: float = 0.1
    """A memory that was referred to gains so much."""
    agree_at: int = 2
    """So many agreements, or disagreements, in one session make a relationship."""
    complement_at: int = 1
    """So many signs in one session tell that one complements the other."""
    session_hours: float = 4.0
    """A party that was idle for longer than this never ended, and is recovered."""
    stated: float = 1.0
    """The confidence of a decision or a stated fact."""
    unchallenged: float = 0.8
    """The confidence of a strong argument that nobody challenged."""
    observed: float = 0.6
    """The confidence of an observation from the discussion."""
    inferred: float = 0.5
    """The confidence of an inference or assumption."""
    write_through: bool = False
    """Whether counters are recorded with every access, not only when a session ends."""


def options(table: Mapping[str, Any]) -> PartyOptions:
    """Read the protocol's table of settings.

    Raises:
        UsageError: a name is unknown, or its value is of the wrong kind.
    """
    return PartyOptions(**chosen(PartyOptions, "party", table, units=_UNITS))
