"""The keys of sources of events, and the parts that readers get from a source.

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

OWN_PURGES = "project@:purges"  # this clone's purges, on any branch; not a worktree's name
ELSEWHERE = "project@"  # the prefix of the keys of sources outside this checkout


def log_of(key: str) -> str:
    """Return the log that a source belongs to: its key without the place."""
    return key.partition("@")[0]


def elsewhere(key: str) -> str:
    """Return the key of a source in another worktree, or "" for a source of this checkout."""
    return key if key.startswith(ELSEWHERE) else ""


class Part(Value):
    """The changes of one part of a log since its reader's mark."""

    name: str
    mark: bytes = b""
    """The mark for the reader to store and present again; only the log can read it."""
    fresh: bool = False
    """Whether events that were previously read from this part no longer count."""
    gone: bool = False
    unread: bool = False
    """Whether the part could not be read; earlier events still count unless `fresh` is set."""
    closed: bool = False
    """Whether the part never grows again; False if that is not known."""
    events: Lines = ()
    bad: Sequence[tuple[int, int, str]] = ()
    """The ranges that contain something other than events: start, stop and reason."""
