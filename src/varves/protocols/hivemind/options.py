"""The settings of the protocol, in the table `[hivemind]`; the defaults are published values."""

from __future__ import annotations

from varves.errors import UsageError
from varves.protocols.hivemind.lifetimes import expires
from varves.protocols.tables import chosen
from varves.recall.weights import PROFILES
from varves.values.instants import PERMANENT
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_WEIGHTS = PROFILES["hivemind"]
_ZERO = ("_weight", "_boost", "confidence", "_above")


class HivemindOptions(Value):
    """The settings of the protocol; the defaults are the published values."""

    session_hours: float = 4.0
    """A session without activity for this long is archived, and another starts."""
    top: int = 10
    """The maximum number of memories loaded for a task."""
    tag_weight: float = _WEIGHTS["tags"]
    keyword_weight: float = _WEIGHTS["keywords"]
    recency_weight: float = _WEIGHTS["recency"]
    frequency_weight: float = _WEIGHTS["use"]
    critical_boost: float = _WEIGHTS["critical"]
    high_boost: float = _WEIGHTS["high"]
    half_life_days: float = 30.0
    """The age at which recency is one half."""
    frequency_half: float = 10.0
    """The number of accesses at which frequency is one half."""
    critical_ttl: str = PERMANENT
    """The lifetime of an entry of this priority that names none."""
    high_ttl: str = "P1Y"
    medium_ttl: str = "P90D"
    low_ttl: str = "P30D"
    working_ttl: str = "PT4H"
    """The lifetime of a working memory that names none, whatever its priority."""
    default_confidence: float = 0.5
    """The confidence of an entry that is created without one."""
    write_through: bool = False
    """Whether counters are recorded with every access instead of at the end of a session."""
    any_actor: bool = False
    """Whether names outside the published pattern may create entries."""
    content_bytes: int = 10_240
    """A content with more bytes than this is shortened; another file contains it in full."""
    split_at: int = 1000
    """An index file contains fewer entries than this."""
    consolidate_above: int = 100
    """An index with more entries than this is consolidated."""
    consolidate_days: float = 7.0
    """The next consolidation is due this long after the last one."""
    similar_above: float = 0.8
    """Memories more alike than this are merged."""
    episodic_days: float = 30.0
    """Episodic memories older than this are summarised."""
    archive_days: float = 90.0
    """Memories not read for longer than this are archived."""
    promote_at: int = 5
    """An agent's memory read this often is promoted to its team."""
    promote_team_at: int = 10
    """A team's memory read this often is promoted to global."""
    summarise_above: int = 600
    """An old episodic memory with more characters than this is summarised."""
    uncertain_below: float = 0.5
    """A claim with a lower confidence than this supersedes nothing."""
    significant_confidence: float = 0.8
    """A working memory with at least this confidence is kept after its session."""
    significant_reads: int = 2
    """A working memory read this often is kept after its session."""
    recurring_at: int = 3
    """An error that occurred this often is recurring."""
    error_similar_above: float = 0.5
    """An error is linked to errors of its type and to fixes whose message is more alike."""
    error_links: int = 10
    """The maximum number of errors, and of fixes, that an error is linked to."""
    rejected_above: float = 0.9
    """A learning more alike to a rejected text than this is flagged for a person."""
    handoff_own: int = 50
    """The most of its own memories that the receiver of a handoff loads."""

    def default_ttl(self, kind: str, priority: str) -> str:
        """Return the lifetime of an entry that names none."""
        name = "working" if kind == "working" else priority
        return str(getattr(self, f"{name}_ttl", self.medium_ttl))

    @property
    def weights(self) -> dict[str, float]:
        """The weights of the score, by the names of the features in a recall."""
        return {
            "tags": self.tag_weight,
            "keywords": self.keyword_weight,
            "recency": self.recency_weight,
            "critical": self.critical_boost,
            "high": self.high_boost,
            "use": self.frequency_weight,
        }


def options(table: Mapping[str, Any]) -> HivemindOptions:
    """Read the protocol's table of settings.

    Raises:
        UsageError: a name is unknown, or its value has the wrong type.
    """
    fits = dict.fromkeys((name for name in HivemindOptions._fields if name.endswith("_ttl")), _ttl)
    return HivemindOptions(**chosen(HivemindOptions, "hivemind", table, zero=_ZERO, fits=fits))


def _ttl(value: Any) -> str | None:
    """Return a description of a valid lifetime if a value is none, otherwise None."""
    try:
        expires(value, 0)
    except UsageError:
        return "permanent or a duration such as P90D"
    return None
