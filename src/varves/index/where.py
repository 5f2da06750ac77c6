"""Conditions on memories and on events, as values that every index can evaluate."""

from __future__ import annotations

from varves.values.memory import TRUSTWORTHY
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.values.memory import Memory

    Place = tuple[str, str, str]  # an event's place in the total order: stamp, writer, id

# the name of the note that purged content may have returned; the next write checks this
WAITING_PURGES = "purges"


class Trusted(Value):
    """The rule that keeps untrusted memories out of default recall until they are trusted.

    Quarantine is not a status: a quarantined memory changes and expires like any other memory.
    """

    clones: tuple[str, ...] | None = None
    """The clones whose memories and `trust` decisions are trusted; None means all clones."""

    def includes(self, memory: Memory) -> bool:
        """Return whether a memory is not quarantined."""
        return self.admits(memory.trust, memory.writer, memory.trusted)

    def admits(self, trust: int, writer: str, vouching: str | None) -> bool:
        """Return whether a memory with this trust, writer and voucher is not quarantined."""
        if trust < TRUSTWORTHY or self.clones is None:
            return trust >= TRUSTWORTHY
        return any(one.partition(".")[0] in self.clones for one in (writer, vouching or "."))


class Beside(Value):
    """A condition for memories: of any session, of given scopes, or of given memories' scopes."""

    scopes: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()


class Where(Value):
    """Conditions for memories; a field that is not set adds no condition."""

    ids: tuple[str, ...] | None = None
    but: str | None = None
    """A memory that is excluded."""
    scope: str | None = None
    within: str | None = None
    """A scope, or a level with all its scopes."""
    protocol: str | None = None
    type: str | None = None
    category: str | None = None
    session: str | None = None
    kept: str | None = None
    """The log that has the memories."""
    here: bool | None = None
    """Whether this checkout contains the memories, or only other worktrees do."""
    statuses: tuple[str, ...] | None = None
    tag: str | None = None
    without_tag: str | None = None
    follows: str | None = None
    """A memory; only those after it in the order `newest` match, and none if it is unknown."""
    by: str | None = None
    """The person or agent that recorded the memories, or said them."""
    cites: str | None = None
    """A file that the memories have as evidence."""
    private: bool | None = None
    """True for memories in the private log, False for memories in any other log."""
    holds_at: str | None = None
    """An instant at which the memories have not expired."""
    over_at: str | None = None
    """An instant at which the memories have expired, or were archived as expired."""
    trusted: Trusted | None = None
    untrusted: Trusted | None = None
    created_until: str | None = None
    listed_after: tuple[str, str] | None = None
    """Only memories that follow this one in a list, newest first, given as (stamp, id)."""
    used_until: str | None = None
    """An instant after which the memories were neither changed nor shown."""
    source: str | None = None
    """A prefix of the field `source`."""
    mentioning: tuple[str, ...] | None = None
    """At least one of these words is in the summary or the tags; critical memories always match."""
    alias: str | None = None
    """An alias of the memories: their name in the place they were imported from."""
    saying: str | None = None
    """A text, without case and accents, that the memories' text contains."""
    linked: str | None = None
    """A kind of link that the memories have."""
    without_link: str | None = None
    """A kind of link that the memories do not have."""
    withdraws: str | None = None
    view_of: str | None = None
    is_view: bool = False
    """Only views of other memories."""
    beside: Beside | None = None
    once: bool = False
    """Whether a record and its views are returned only once.

    The record itself is returned or, if it does not match, the first of its views.
    """


class EventWhere(Value):
    """Conditions for events; a field that is not set adds no condition."""

    ids: tuple[str, ...] | None = None
    kinds: tuple[str, ...] | None = None
    actor: str | None = None
    session: str | None = None
    protocol: str | None = None
    log: str | None = None
    clone: str | None = None
    since: str | None = None
    """The earliest time of the events, inclusive."""
    until: str | None = None
    first: Place | None = None
    last: Place | None = None
    beyond: Place | None = None
    """Only events after this place in the order."""
    short_of: Place | None = None
    """Only events before this place in the order."""
    after: str | None = None
    """Only events with a higher stamp."""
    before: str | None = None
    but_kinds: tuple[str, ...] | None = None
    but_log: str | None = None
    here: bool | None = None
    """Whether this checkout contains the events, or only other worktrees do."""
    held: bool | None = None
    """Whether the events wait because their stamps are in the future."""
    about: tuple[str, ...] | None = None
    """Memories, at least one of which the events touch."""
    arrived: tuple[int, int] | None = None
    """Only events that arrived after the first of two numbers, up to the second."""
    noted: bool = False
    """Only events that contain a note."""
    erased: bool = False
    """Only events whose content was purged."""
    said_again: bool = False
    """Only events that stand in for a purged event."""
    kept_purge: bool = False
    """Only purges that this clone wrote, on any branch."""
