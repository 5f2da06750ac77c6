"""Bridges show the current records of one protocol in another protocol, as memories called views.

After a write, each changed record is compared with its views. A missing view is written through the
other protocol's own verbs, an outdated view is archived, and the view of a restored record is
restored. The position reached in the log is stored. So after an interrupted run, the next write
continues there, and nothing is done twice.
"""

from __future__ import annotations

from varves.errors import Rejected, UsageError, VarvesError
from varves.events.views import VIEW_OF
from varves.files.bridge_mark import MARK
from varves.index.where import EventWhere, Where
from varves.recall.replaced import LATER, PROTOCOL, replacements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from varves.context.context import Context
    from varves.context.follow_up import FollowUp
    from varves.files.protocols import Protocols
    from varves.index.port import Index
    from varves.protocols.bridged import Bridged
    from varves.values.memory import Memory

_LEFT = "unbridged"  # the name of the note that lists the records whose views could not be updated
_SAID = ("direct", "agent")
_SENSITIVE = "sensitive"
_SHOWN = ("active", "proposed")


def follow(context: Context, protocols: Protocols, follow_up: FollowUp, names: set[str]) -> None:
    """Update the views of all records that this process, or an interrupted one, has changed."""
    if protocols.running:
        return  # a protocol's verb is running; it calls this function when it ends
    follow_up.bridging = True
    follow_up.notes.clear()
    try:
        _Following(context, protocols, follow_up).run(names)
    except (VarvesError, OSError, context.index.faults) as fault:
        follow_up.notes.append(f"bridges were not updated, the next write will do it: {fault}")
    finally:
        follow_up.unbridged.clear()
        follow_up.bridging = False


class _Following:
    """One pass over the changed records."""

    def __init__(self, context: Context, protocols: Protocols, follow_up: FollowUp) -> None:
        self._context = context
        self._protocols = protocols
        self._follow_up = follow_up
        self._rules = context.settings.bridges
        self._own = frozenset(context.places.own_clones())
        self._left: set[str] = set()

    def run(self, names: set[str]) -> None:
        """Update the views of the changed records, and those whose last update failed."""
        index = self._index()
        latest, notes, found = index.latest_hlc(), index.notes(), set(names)
        if self._rules:
            found.update((notes.get(_LEFT) or "").split())
            since = EventWhere(after=notes.get(MARK) or latest, held=False, here=True)
            found.update(name for name, *_ in index.touched(since))
        for name in sorted(found):
            self._attempt(name)
        if self._rules:
            notes = self._index().notes()
            notes.put(MARK, latest)
            notes.put(_LEFT, " ".join(sorted(self._left)))

    def _index(self) -> Index:
        return self._context.fresh().index

    def _attempt(self, name: str) -> None:
        index = self._index()
        record = index.memory(name)
        if record is None:
            if index.exists(Where(view_of=name)) and index.purges().barred(name):
                self._try(name, "its views", self._purge, name)
        elif VIEW_OF not in record.links:
            self._reconcile(record, index.memories(Where(view_of=name)))
            for earlier in record.links.get(LATER, ()) if record.protocol == PROTOCOL else ():
                replaced = index.memory(earlier)
                if replaced is not None:
                    self._reconcile(replaced, index.memories(Where(view_of=earlier)))

    def _purge(self, name: str) -> None:
        from varves.purge.purge import purge_views

        views = self._index().memories(Where(view_of=name))
        purge_views(self._context, self._protocols, views, reason=f"{name} was purged")

    def _reconcile(self, record: Memory, views: list[Memory]) -> None:
        """Compare one record with its views in each protocol that has or should have views."""
        kind = (record.protocol, record.category)
        wanted = {target for *rule, target in self._rules if tuple(rule) == kind}
        stands = self._stands(record)
        if not stands or not self._is_ours(record):
            wanted = set()
        for target in sorted({*wanted, *(one.protocol for one in views)}):
            own = [one for one in views if one.protocol == target]
            make = target in wanted
            self._try(record.id, target, self._in, target, record, own, (stands, make))

    def _is_ours(self, record: Memory) -> bool:
        """Return whether this clone wrote the record.

        Records of other clones get no views here.
        """
        return record.origin in _SAID and record.writer.partition(".")[0] in self._own

    def _stands(self, record: Memory) -> bool:
        """Return whether other protocols may show a record: it must be current and not private.

        Private results of a deliberation may be shown too.
        """
        return (
            record.status == "active"
            and record.branch is None
            and (record.kept == "project" or record.protocol == "deliberation")
            and _SENSITIVE not in record.tags
            and self._context.trusted.includes(record)
            and not replacements(self._index(), [record])
        )

    def _in(
        self, target: str, record: Memory, views: list[Memory], wish: tuple[bool, bool]
    ) -> None:
        """Update the views of one record in one protocol."""
        stands, make = wish
        one = self._protocols.named(target).bridge
        if one is None:
            return
        due = one.due(record, record.category) if stands else ()
        shown = []
        for view in views:
            fits = stands and one.shows(view, record, due)
            if view.status in _SHOWN and not fits:
                self._call(one, one.put_away, view, self._why(record), record.version)
            elif fits and view.status == "archived" and one.rests(view):
                self._call(one, one.bring_back, view)
                shown.append(view)
            elif fits and view.status in _SHOWN:
                shown.append(view)
        for wanted in due if make else ():
            alone = wanted.agent is None and shown
            if not alone and not self._index().count(EventWhere(about=(wanted.id,))):
                self._call(one, one.take, record, wanted)

    def _why(self, record: Memory) -> str:
        """Return the reason why a view is archived.

        The record is not quoted, because it may be private.
        """
        if record.status == "active":
            later = replacements(self._index(), [record]).get(record.id)
            return f"{record.id} " + (
                f"is replaced by {later}" if later else "now has another text"
            )
        by = ", ".join(record.links.get("superseded_by", ()))
        return f"{record.id} is {record.status}" + (f" by {by}" if by else "")

    def _call(self, one: Bridged, verb: Callable[..., None], *given: Any) -> None:
        """Let a protocol write, and add the protocol's notes to the notes of the verb."""
        said = list(one.core.notes)
        try:
            verb(*given)
            self._follow_up.notes += one.core.notes
        finally:
            one.core.notes[:] = said

    def _try(self, name: str, what: str, call: Callable[..., None], *given: Any) -> None:
        """Call a function that writes in another protocol because of a record.

        If this fails, add a note, so that the verb does not fail.
        """
        try:
            call(*given)
        except (Rejected, UsageError) as fault:  # a second attempt would also be refused
            self._follow_up.notes.append(f"not bridged, {name} -> {what}: {fault.message}")
        except (VarvesError, OSError, self._context.index.faults) as fault:
            self._left.add(name)
            self._follow_up.notes.append(f"not bridged yet, {name} -> {what}: {fault}")
