"""The protocol's options, with the published defaults; the table `[party]` sets them."""

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
    """The options; each default is the published value."""

    top: int = 10
    """The number of an agent's memories that are injected, the last of its sidecar."""
    content_chars: int = 100
    """The most characters of a memory's content."""
    least_confidence: float = 0.5
    """The lowest confidence of a new memory."""
    per_session: int = 5
    """The most memories that are added for an agent at the end of a session."""
    cap: int = 50
    """The most memories of a sidecar; the least confident are pruned."""
    decay_sessions: int = 5
    """A memory loses confidence after this many sessions without a reference."""
    decay_step: float = 0.1
    decay_each: bool = False
    """Whether it then loses confidence in every session, not once per `decay_sessions`."""
    floor: float = 0.3
    """A memory with a lower confidence is pruned."""
    boost: float = 0.1
    """The confidence that a memory gains by a reference."""
    agree_at: int = 2
    """Agreements, or disagreements, in one session that make a relationship."""
    complement_at: int = 1
    """Signs in one session that make one agent complement another."""
    session_hours: float = 4.0
    """A party that is idle for longer counts as abandoned and is recovered."""
    stated: float = 1.0
    """The confidence of a decision or a stated fact."""
    unchallenged: float = 0.8
    """The confidence of a strong argument that was not challenged."""
    observed: float = 0.6
    """The confidence of an observation from the discussion."""
    inferred: float = 0.5
    """The confidence of an inference or assumption."""
    write_through: bool = False
    """Whether counters are recorded at every access, not only when a session ends."""


def options(table: Mapping[str, Any]) -> PartyOptions:
    """Read the protocol's table of settings.

    Raises:
        UsageError: a name is unknown, or its value has the wrong type.
    """
    return PartyOptions(**chosen(PartyOptions, "party", table, units=_UNITS))
