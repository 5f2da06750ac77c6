"""Compares the memories of two moments: what was added, corrected, forgotten, and came back.

Both moments are read as `--as-of` reads them. A memory counts at a moment if `list` would show it
then, or if it is in dispute. Memories that only another worktree has are left out.
"""

from __future__ import annotations

from varves.conflicts.pending import about
from varves.context.history import lived
from varves.events.kinds import birth
from varves.index.where import Where
from varves.questions.comparison import GONE, ComparedMoment, Diff, MemoryChange, MemoryCorrection
from varves.questions.replacing import replacement
from varves.recall.replaced import DECISION, LATER, PROTOCOL
from varves.values.instants import iso
from varves.values.text import value_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeVar

    from varves.context.context import Context
    from varves.context.live_index import View
    from varves.fold.conflicts import Conflict
    from varves.values.memory import Memory

    C = TypeVar("C", bound=MemoryChange)

_PORTION = 5000  # how many memories are read at once
_HELD = ("active", "flagged")
_FRESH = ("proposed", *_HELD)  # the statuses of a memory that was never taken out of use


def diff(context: Context, earlier: str, later: str | None, *, published: bool) -> Diff:
    """Return what changed between two moments.

    Args:
        context: the dependencies.
        earlier: an instant, an event or a git revision.
        later: the same; None for now.
        published: compare only the memories of the project's log, which git publishes.
    """
    sides = [_Side(context, context.view(word), published=published) for word in (earlier, later)]
    before, after = sides
    changed = {name for name, _ in before.versions ^ after.versions}
    then, now = before.held(changed), after.held(changed)
    corrected, forgotten, told = list[MemoryCorrection](), list[MemoryChange](), set[str]()
    disputed = {
        name
        for name, one in now.items()
        if one.status == "flagged" and (name not in then or then[name].status != "flagged")
    }
    for name, old in then.items():
        left = after.index.memory(name)
        successors = [now[name]] if name in now else list(after.successors(name))
        if left is None:  # the later moment is before the correction, or it was undone
            successors = list(after.held(old.links.get("supersedes", ())).values())
        corrected += [
            after.correction(old, one, left) for one in successors if one.titled != old.titled
        ]
        told.update(one.id for one in successors)
        if not successors:
            forgotten.append(_lost(old, left, after.now))
    added, returned = list[MemoryChange](), list[MemoryChange]()
    told.update(name for one in now.values() for name in _decided_before(one))
    for name, one in now.items():
        if name in then or name in told:
            continue
        if olds := before.held(_decided_before(one)):
            corrected += [after.correction(old, one, one) for old in olds.values()]
        elif before.had_dropped(one):
            returned.append(_change(one))
        elif before.index.memory(one.id) is not None:  # it was known, and has come to count since
            added.append(_change(one))
        else:
            added.append(_change(one).replace(by=one.created_by, at=one.created_at))
    fresh = disputed | {one.id for one in (*added, *corrected, *returned)}
    return Diff(
        earlier=before.moment(earlier),
        later=after.moment(later),
        added=_latest(added),
        corrected=_latest(corrected),
        forgotten=_latest(forgotten),
        returned=_latest(returned),
        conflicts=tuple(after.conflicts(fresh)),
    )


class _Side:
    """The memories that count at one of the two moments."""

    def __init__(self, context: Context, view: View, *, published: bool) -> None:
        self._context, self._view, self._published = context, view, published
        self.index, self.now = view.index, iso(view.now)
        self._wish = Where(
            statuses=_HELD,
            holds_at=self.now,
            trusted=context.trusted,
            without_tag="sensitive",
            here=True,
            kept="project" if published else None,
        )
        once = view.index.exists(Where(is_view=True))
        self.versions = view.index.versions(self._wish.replace(once=once))
        self._names = {name for name, _ in self.versions}

    def moment(self, asked: str | None) -> ComparedMoment:
        return ComparedMoment(asked=asked, at=self.now, memories=len(self.versions))

    def held(self, names: Iterable[str]) -> dict[str, Memory]:
        """Return those of the given memories that count."""
        wanted = sorted(self._names.intersection(names))
        found: dict[str, Memory] = {}
        for start in range(0, len(wanted), _PORTION):
            part = self._wish.replace(ids=tuple(wanted[start : start + _PORTION]))
            found |= {one.id: one for one in self.index.memories(part, order="newest")}
        return found

    def successors(self, name: str) -> Iterator[Memory]:
        """Yield the memories that count in the place of one that was replaced."""
        waiting, seen = [name], {name}
        while waiting:
            memory = self.index.memory(waiting.pop(0))
            after = {} if memory is None else dict.fromkeys(memory.links.get("superseded_by", ()))
            fresh = [one for one in after if one not in seen]
            seen.update(fresh)
            found = self.held(fresh)
            yield from found.values()
            waiting += [one for one in fresh if one not in found]

    def correction(self, old: Memory, later: Memory, left: Memory | None) -> MemoryCorrection:
        """Return the correction of a memory; `left` is what this moment has under its id.

        Who made it, when and why is in the last event that put the later memory in the place of
        another: there may be several corrections between the two, and changes after them.
        """
        said = _change(later).replace(reason=None if left is None else left.reason)
        if later.id != old.id:
            event = replacement(lived(self._view, later.id), later.id)
            if event is not None:
                by = later.created_by if birth(event) else event.actor
                said = said.replace(by=by, at=event.time, reason=event.data.get("reason"))
        return MemoryCorrection(**vars(said), was_id=old.id, was=old.titled)

    def had_dropped(self, later: Memory) -> bool:
        """Return whether a memory of a later moment was out of use here, or its text rejected."""
        known = self.index.memory(later.id)
        if known is not None and (known.status not in _FRESH or known.has_expired(self.now)):
            return True
        return bool(self.index.rejections(value_key(later.kept, later.scope, later.text)))

    def conflicts(self, names: set[str]) -> Iterator[Conflict]:
        """Yield the open conflicts of which one of the given memories is part."""
        for one in about(self._context, self._view, names):
            if not self._published or all(member.kept == "project" for member in one.members):
                yield one


def _decided_before(memory: Memory) -> tuple[str, ...]:
    """Return the decisions of the same conversation that a decision replaces; they stay active."""
    if (memory.protocol, memory.category) != (PROTOCOL, DECISION):
        return ()
    return tuple(memory.links.get(LATER, ()))


def _change(memory: Memory) -> MemoryChange:
    return MemoryChange(
        id=memory.id,
        text=memory.titled,
        type=memory.type,
        scope=memory.scope,
        tags=memory.tags,
        kept=memory.kept,
        status=memory.status,
        by=memory.updated_by,
        at=memory.updated_at,
        reason=None,
    )


def _lost(old: Memory, left: Memory | None, now: str) -> MemoryChange:
    """Return a memory that counts no more; `left` is what the later moment has under its id."""
    if left is None:
        return _change(old).replace(status=GONE, at=None)
    if left.status == "active" and left.has_expired(now):
        return _change(left).replace(status="expired", at=left.expires_at)
    return _change(left).replace(text=old.titled, reason=left.reason)


def _latest(changes: list[C]) -> tuple[C, ...]:
    return tuple(sorted(changes, key=lambda one: one.at or "", reverse=True))
