"""The numbers of the protocol: as published, and settable in the table `[hivemind]`."""

from __future__ import annotations

from varves.protocols.tables import chosen
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_ZERO = ("_weight", "_boost", "confidence", "_above")


class HivemindOptions(Value):
    """What may be set; a name that is left out has the published value."""

    session_hours: float = 4.0
    """After so long without activity a session is archived and another begins."""
    top: int = 10
    """So many memories are loaded for a task at the most."""
    tag_weight: float = 3.0
    keyword_weight: float = 2.0
    recency_weight: float = 1.0
    frequency_weight: float = 0.5
    critical_boost: float = 5.0
    high_boost: float = 3.0
    half_life_days: float = 30.0
    """The age at which recency has halved."""
    frequency_half: float = 10.0
    """The number of accesses at which frequency is one half."""
    default_confidence: float = 0.5
    """The confidence of an entry that is given none."""
    write_through: bool = False
    """Whether counters are recorded with every access, not only when a session ends."""
    any_actor: bool = False
    """Whether names outside the published pattern may create entries."""
    content_bytes: int = 10_240
    """A content of more bytes than this is shown shortened, with the whole beside it."""
    split_at: int = 1000
    """An index file holds fewer entries than this."""
    consolidate_above: int = 100
    """An index with more entries than this is consolidated."""
    consolidate_days: float = 7.0
    """So long after the last consolidation the next one is due."""
    similar_above: float = 0.8
    """Memories more alike than this are merged."""
    episodic_days: float = 30.0
    """Episodic memories older than this are summarised."""
    archive_days: float = 90.0
    """Memories that nobody read for longer than this are archived."""
    promote_at: int = 5
    """An agent's memory read this often is promoted to its team."""
    promote_team_at: int = 10
    """A team's memory read this often is promoted to global."""
    summarise_above: int = 600
    """An old episodic memory with more characters than this is summarised."""
    uncertain_below: float = 0.5
    """A claim held less firmly than this supersedes nothing."""
    significant_confidence: float = 0.8
    """A working memory held this firmly outlives its session."""
    significant_reads: int = 2
    """A working memory read this often outlives its session."""
    recurring_at: int = 3
    """An error seen this often is recurring."""


def options(table: Mapping[str, Any]) -> HivemindOptions:
    """Read the protocol's table of settings.

    Raises:
        UsageError: a name is unknown, or its value is of the wrong kind.
    """
    return HivemindOptions(**chosen(HivemindOptions, "hivemind", table, zero=_ZERO))
