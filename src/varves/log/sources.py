"""The keys of sources (logs that can be read), and the changes that readers get.

A source key is `log` or `log@place`: `project`, `private`, `private@here`, `global`, `team:x`,
`project@worktree`.
"""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.events.event import Event

    Lines = Sequence[tuple[Event, bytes]]

# this clone's purges, made on any branch; `:purges` is not the name of a worktree
OWN_PURGES = "project@:purges"
ELSEWHERE = "project@"  # the prefix of the keys of sources outside this checkout


def log_of(key: str) -> str:
    """Return the log that a source belongs to: its key without the place."""
    return key.partition("@")[0]


def elsewhere(key: str) -> str:
    """Return the key of a source in another worktree, or "" for a source of this checkout."""
    return key if key.startswith(ELSEWHERE) else ""


class Part(Value):
    """The changes of one part of a log since its reader's mark was made."""

    name: str
    mark: bytes = b""
    """The new mark of the part, which the reader stores; only the log can interpret it."""
    fresh: bool = False
    """Whether the events that were read earlier from this part no longer count."""
    gone: bool = False
    unread: bool = False
    """Whether the part could not be read.

    Events read earlier still count, unless `fresh` is set.
    """
    closed: bool = False
    """Whether the part is closed and never grows again; False if this is not known."""
    events: Lines = ()
    bad: Sequence[tuple[int, int, str]] = ()
    """The ranges of bytes that are not events, as (start, stop, reason)."""
