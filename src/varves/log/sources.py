"""What a source of events is called, and what it hands to its readers.

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

OWN_PURGES = "project@:purges"  # what this clone purged, on any branch; git calls no worktree so
ELSEWHERE = "project@"  # how the keys begin that are not this checkout's


def log_of(key: str) -> str:
    """Return the log a source belongs to: its key without the place."""
    return key.partition("@")[0]


def elsewhere(key: str) -> str:
    """Return the key of a source in another worktree, nothing for one of this checkout."""
    return key if key.startswith(ELSEWHERE) else ""


class Part(Value):
    """What happened to one part of a log since its reader last looked."""

    name: str
    mark: bytes = b""
    """To be kept by the reader and shown to the log again, which alone can read it."""
    fresh: bool = False
    """Whether what was read of it before no longer counts."""
    gone: bool = False
    unread: bool = False
    """Whether it could not be read; what was read of it before still counts, unless fresh."""
    closed: bool = False
    """Whether it never grows again; False: not as far as this look tells."""
    events: Lines = ()
    bad: Sequence[tuple[int, int, str]] = ()
    """Where it holds something else than events: start, stop and the reason."""
