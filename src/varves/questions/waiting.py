"""Lists what needs a person, as one queue of six kinds, each with the command that settles it.

The kinds follow one another in the order of `KINDS`; within a kind the newest comes first. A page
is read through indexes of the ledger's index, so its cost does not grow with the ledger.
"""

from __future__ import annotations

from varves.capture.learning import TAG
from varves.conflicts.finders import at_once, uncompared
from varves.conflicts.pending import ComparisonLimit, count
from varves.conflicts.pending import waiting as open_conflicts
from varves.errors import NotFound, UsageError
from varves.index.where import Where
from varves.values.instants import iso
from varves.values.listing import Compared, check_limit
from varves.values.memory import TRUSTWORTHY
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from varves.context.context import Context
    from varves.fold.conflicts import Conflict
    from varves.index.port import Index
    from varves.values.answers import Finding
    from varves.values.memory import Memory

    Page = Callable[[int | None, str | None], tuple[list["Waiting"], int]]
    """Takes the most items and the id of the item before; returns items, and how many follow."""

CONSENT, EDITED, CONFLICT = "consent", "edited", "conflict"
QUARANTINED, PROPOSED, CAPTURED = "quarantined", "proposed", "captured"
KINDS = (CONSENT, EDITED, CONFLICT, QUARANTINED, PROPOSED, CAPTURED)

_SENSITIVE = "sensitive"
_HIDDEN = "(sensitive: varves show prints it)"
_LINK = "supersedes"
_NEXT = {
    QUARANTINED: "varves trust {0} | varves forget {0} --reason R",
    PROPOSED: "varves scoped approve {0} | varves scoped reject {0}",
    CAPTURED: "varves share {0} | varves forget {0} --reason R | varves edit {0} --tag -captured",
}


class Waiting(Value):
    """One thing that needs a person."""

    kind: str
    """consent, edited, conflict, quarantined, proposed or captured"""
    id: str
    """A memory, a conflict, a setting, or the place in a file that a person has edited."""
    text: str
    since: str | None
    """The time from which it waits, as an ISO instant; None if it is not known."""
    next: str
    """The commands that settle it."""


def queue(
    context: Context,
    *,
    edits: Sequence[Finding],
    limit: int | None,
    before: str | None,
    kind: str | None,
) -> Compared[Waiting]:
    """Return a page of the queue.

    Args:
        context: the dependencies.
        edits: people's edits of published files that are not recorded yet.
        limit: the maximum number of things; by default all.
        before: the id of a thing; only those after it in the queue are returned. It may have been
            settled since.
        kind: only things of this kind are returned.

    Raises:
        UsageError: there is no such kind.
        NotFound: nothing has or had the id `before`.
    """
    check_limit(limit)
    if kind is not None and kind not in KINDS:
        raise UsageError(f"nothing waits as {kind!r}", f"it is one of {', '.join(KINDS)}")
    view = context.fresh()
    now, index = iso(view.now), view.index
    wishes = {
        QUARANTINED: Where(statuses=("active",), holds_at=now, untrusted=context.trusted),
        # what is proposed in a party is settled by its end, not by a person
        PROPOSED: Where(statuses=("proposed",), holds_at=now, protocol="scoped"),
        CAPTURED: Where(
            statuses=("active",), holds_at=now, private=True, tag=TAG, without_link=_LINK
        ),
    }
    wishes[CAPTURED] = wishes[CAPTURED].replace(trusted=context.trusted)

    def conflicts(most: int | None, after: str | None) -> tuple[list[Waiting], int]:
        compared = at_once(context, view)
        if most == 0:
            return [], count(context, view, most=compared)
        found = open_conflicts(
            context, view, compared=ComparisonLimit(memories=compared), limit=most, before=after
        )
        return [_conflict(one) for one in found], found.more

    few = [*_consents(context), *map(_edit, edits)]
    pages: dict[str, Page] = {
        CONSENT: _listed([one for one in few if one.kind == CONSENT]),
        EDITED: _listed([one for one in few if one.kind == EDITED]),
        CONFLICT: conflicts,
    }
    pages |= {kind: _memories(index, kind, wish) for kind, wish in wishes.items()}
    start = KINDS.index(_kind_of(index, few, before)) if before is not None else 0
    shown, more = list[Waiting](), 0
    for name in KINDS[start:]:
        if kind not in (None, name):
            continue
        left = None if limit is None else limit - len(shown)
        after = before if name == KINDS[start] else None
        found, follow = pages[name](left, after)
        shown, more = [*shown, *found], more + follow
    return Compared(shown, more=more, uncompared=uncompared(context, view))


def _kind_of(index: Index, few: Sequence[Waiting], name: str) -> str:
    """Return the kind under which something is or was in the queue."""
    for one in few:
        if one.id == name:
            return one.kind
    if name.startswith("cfl_"):
        return CONFLICT
    memory = index.memory(name)
    if memory is None:
        raise NotFound(f"nothing in the queue is or was called {name}", "varves waiting lists it")
    if memory.trust < TRUSTWORTHY or memory.trusted is not None:
        return QUARANTINED
    return CAPTURED if TAG in memory.tags else PROPOSED


def _listed(found: Sequence[Waiting]) -> Page:
    def page(most: int | None, after: str | None) -> tuple[list[Waiting], int]:
        names = [one.id for one in found]
        start = 0 if after is None else len(names) - names[::-1].index(after)
        end = len(found) if most is None else start + most
        return [*found[start:end]], len(found[end:])

    return page


def _memories(index: Index, kind: str, wish: Where) -> Page:
    def page(most: int | None, after: str | None) -> tuple[list[Waiting], int]:
        rest = wish if after is None else wish.replace(follows=after)
        found = [] if most == 0 else index.memories(rest, order="newest", most=most)
        full = most is not None and len(found) == most
        return [_memory(kind, one) for one in found], index.count(rest) - len(found) if full else 0

    return page


def _memory(kind: str, memory: Memory) -> Waiting:
    return Waiting(
        kind=kind,
        id=memory.id,
        text=_HIDDEN if _SENSITIVE in memory.tags else memory.titled,
        since=memory.created_at,
        next=_NEXT[kind].format(memory.id),
    )


def _conflict(conflict: Conflict) -> Waiting:
    newest = max(conflict.members, key=lambda one: one.created_at)  # of equals the first
    return Waiting(
        kind=CONFLICT,
        id=conflict.id,
        text=_HIDDEN if _SENSITIVE in newest.tags else newest.titled,
        since=newest.created_at,
        next=f"varves conflicts resolve {conflict.id} --keep ID | --merge TEXT | --delete ID",
    )


def _edit(found: Finding) -> Waiting:
    return Waiting(kind=EDITED, id=found.place, text=found.message, since=None, next=found.fix)


def _consents(context: Context) -> Iterator[Waiting]:
    """Yield the project's settings that wait for this person's consent."""
    from varves.settings import waiting_now

    for key, value in waiting_now(context.settings):
        yield Waiting(
            kind=CONSENT,
            id=key,
            text=f"{key} = {value}",
            since=None,
            next="varves trust --settings",
        )
