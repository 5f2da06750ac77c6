"""Which memories and which events are wanted: values that every index understands."""

from __future__ import annotations

from varves.values.memory import TRUSTWORTHY
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.values.memory import Memory

    Place = tuple[str, str, str]  # of an event in the order of all: stamp, writer, id

WAITING_PURGES = "purges"  # the note that something purged may be back, until it is seen to


class Trusted(Value):
    """The rule that keeps untrusted memories apart: out of default recall until they are trusted.

    It is no status: a quarantined memory lives, changes and expires as others do.
    """

    clones: tuple[str, ...] | None = None
    """Whose memories count, and whose word for others' counts; None: everybody's."""

    def includes(self, memory: Memory) -> bool:
        """Tell whether a memory is not quarantined."""
        return self.admits(memory.trust, memory.writer, memory.trusted)

    def admits(self, trust: int, writer: str, vouching: str | None) -> bool:
        """Tell it of a memory by its trust, who wrote it and who trusted it."""
        if trust < TRUSTWORTHY or self.clones is None:
            return trust >= TRUSTWORTHY
        return any(one.partition(".")[0] in self.clones for one in (writer, vouching or "."))


class Beside(Value):
    """Memories of any session, of some scopes, or of a scope that some memories are in."""

    scopes: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()


class Where(Value):
    """Which memories are wanted; what is not given asks for nothing."""

    ids: tuple[str, ...] | None = None
    but: str | None = None
    """All others than this one."""
    scope: str | None = None
    within: str | None = None
    """A scope, or a level with all that are named in it."""
    protocol: str | None = None
    type: str | None = None
    category: str | None = None
    session: str | None = None
    statuses: tuple[str, ...] | None = None
    tag: str | None = None
    without_tag: str | None = None
    private: bool | None = None
    """Kept in the private log, or in any other."""
    holds_at: str | None = None
    """An instant at which they have not expired."""
    over_at: str | None = None
    """An instant at which they have expired, or are archived as expired."""
    trusted: Trusted | None = None
    untrusted: Trusted | None = None
    created_until: str | None = None
    used_until: str | None = None
    """Neither changed nor told after an instant."""
    source: str | None = None
    """How the source begins."""
    mentioning: tuple[str, ...] | None = None
    """Words of which the summary or the tags hold one; what is critical needs none."""
    alias: str | None = None
    """What it was called where it came from."""
    saying: str | None = None
    """A text, folded, that is part of theirs."""
    linked: str | None = None
    """A kind of link they have."""
    withdraws: str | None = None
    view_of: str | None = None
    is_view: bool = False
    """Views of other memories only."""
    beside: Beside | None = None
    once: bool = False
    """Of a record and its views only the record, or the first view where it is not wanted."""


class EventWhere(Value):
    """Which events are wanted; what is not given asks for nothing."""

    ids: tuple[str, ...] | None = None
    kinds: tuple[str, ...] | None = None
    actor: str | None = None
    session: str | None = None
    protocol: str | None = None
    log: str | None = None
    clone: str | None = None
    since: str | None = None
    """An instant, itself included."""
    until: str | None = None
    first: Place | None = None
    last: Place | None = None
    beyond: Place | None = None
    """A place in the order, itself left out."""
    after: str | None = None
    """A stamp of the logical clock, itself left out."""
    before: str | None = None
    but_kinds: tuple[str, ...] | None = None
    but_log: str | None = None
    here: bool | None = None
    """Whether this checkout holds them, or only other worktrees do."""
    held: bool | None = None
    """Whether they are too far ahead and wait for their time."""
    about: tuple[str, ...] | None = None
    """Memories of which they touch one."""
    noted: bool = False
    """Those that carry a note."""
    erased: bool = False
    """Those whose content was purged."""
    said_again: bool = False
    """Those that stand in for a purged event."""
    kept_purge: bool = False
    """The purges that this clone wrote, on whatever branch."""
