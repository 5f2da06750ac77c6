"""Upkeep: automatic consolidation when a session ends, a scope is crowded or a week has passed.

A scope is crowded from its 101st entry. The run is not repeated at every further write: the next
run is due when the scope has grown by another hundred entries, or has shrunk to a hundred and grown
again. If a week has passed since the last complete run, the next session start runs it. Each run is
recorded as `consolidation.run` in the private log, with its reason and the date of the next run.
"""

from __future__ import annotations

from varves.events import kinds
from varves.protocols.hivemind.arriving import Arriving
from varves.protocols.hivemind.consolidation import RULES, Consolidation, RuleChange
from varves.protocols.hivemind.contradictions import Action
from varves.protocols.hivemind.tree import LIVE
from varves.protocols.port import writes
from varves.values.instants import DAY_MS, instant, iso
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Event
    from varves.protocols.similar import Measure

RUN = kinds.CONSOLIDATED
ENDING, CROWDED, WEEKLY, ASKED = "session-end", "entry-count", "weekly", "asked"


class Consolidated(Value):
    """The result of a consolidation."""

    ran: bool
    trigger: str
    due: str | None
    """When the next complete run is due; None if there are no memories."""
    done: dict[str, list[list[str]]]
    """By rule: each memory concerned, and the memory it was merged, summarised or copied to."""
    changes: tuple[RuleChange, ...] = ()
    """The same changes with the texts, and with the events to undo."""


class Upkeep(Arriving):
    """The verb `maintain`, and the steps of other verbs that run consolidation automatically."""

    similarity: Measure
    """Measures how alike two texts are; see protocols/similar.py."""
    changes: list[RuleChange]
    """The changes that rules made in all verbs so far, for display."""

    @writes
    def maintain(self, *, force: bool = False) -> Consolidated:
        """Consolidate and archive if a week has passed since the last run, or if forced."""
        due = self._due()
        if not force and (due is None or due > self.core.now):
            return Consolidated(
                ran=False, trigger=ASKED, due=None if due is None else iso(due), done={}
            )
        act, _ = self.acting(actor="SYSTEM")
        return self.consolidated(ASKED, act)

    def reconciled(self, names: Sequence[str], act: Act) -> None:
        """Compare new entries with memories of their scopes and of global; report the changes."""
        made = [one for one in map(self.core.memory, names) if one is not None]
        if made:
            scopes = dict.fromkeys((*(one.scope for one in made), "global"))
            self.changes += map(_told, self.compared(names, tuple(scopes), act))

    def entered(self, scopes: Iterable[str], act: Act, *, made: Sequence[str] = ()) -> None:
        """Compare new entries, and consolidate the scopes that now have too many."""
        super().entered(scopes, act, made=made)
        self.reconciled(made, act)
        scopes = list(scopes)
        self.changes += map(_told, self.arrived(self._system(act), scopes))
        entered, sizes = set(scopes), self.core.sizes(LIVE)
        most = self.options.consolidate_above
        crowded = {
            scope: sizes[scope] for scope in sizes if scope in entered and sizes[scope] > most
        }
        if not crowded:
            return
        before: dict[str, int] = {}
        for event in self.core.events(RUN):
            counts = event.data.get("counts")
            before.update(counts if isinstance(counts, dict) else {})
        step = self.options.consolidate_above
        now_due = [
            scope
            for scope, count in crowded.items()
            if before.get(scope, 0) <= step or count >= before[scope] + step
        ]
        if now_due:
            self.consolidated(CROWDED, self._system(act), tuple(now_due))

    def begun(self, act: Act) -> None:
        """Run the weekly consolidation if it is overdue."""
        super().begun(act)
        self.changes += map(_told, self.arrived(self._system(act)))
        due = self._due()
        if due is not None and due <= self.core.now:
            self.consolidated(WEEKLY, self._system(act))

    def _system(self, act: Act) -> Act:
        return self.core.act(actor="SYSTEM", session=act.session)

    def _due(self) -> int | None:
        """Return when the next complete run is due: a week after the last, or the first memory."""
        whole = [event for event in self._runs() if event.data.get("whole")]
        if whole:
            last = whole[-1].time
        else:
            memories = self.core.memories(lean=True)
            if not memories:
                return None
            last = min(memory.created_at for memory in memories)
        return instant(last) + round(self.options.consolidate_days * DAY_MS)

    def _runs(self) -> list[Event]:
        return [
            event
            for event in self.core.events(RUN)
            if event.data.get("checkout", "") == self.core.checkout
        ]

    def consolidated(
        self, trigger: str, act: Act, scopes: tuple[str, ...] | None = None
    ) -> Consolidated:
        """Run once, over the given scopes or all, and record the run."""
        brought = [] if scopes else [_told(one) for one in self.arrived(act)]
        self.changes += brought
        run = Consolidation(
            self.core, act, self.options, measure=self.similarity, test=self.contradiction
        )
        done = run.run(scopes)
        self.changes += run.changes
        sizes = self.core.sizes(LIVE)
        counts = {scope: sizes[scope] for scope in sizes if scopes is None or scope in scopes}
        due = self.core.now + round(self.options.consolidate_days * DAY_MS)
        if scopes is not None:
            due = self._due() or due
        told: dict[str, Any] = {
            "trigger": trigger,
            "whole": scopes is None or None,
            "counts": counts,
            "done": {rule: done[rule] for rule in RULES if done[rule]},
            "due": iso(due),
        }
        self.note(act, RUN, told)
        changes = (*brought, *run.changes)
        return Consolidated(ran=True, trigger=trigger, due=iso(due), done=done, changes=changes)


def _told(action: Action) -> RuleChange:
    """Return the action about a contradiction in the form of a change that a rule made."""
    return RuleChange(
        rule=action.rule,
        memory=action.gives_way,
        text=action.gives_way_text,
        by=action.stands,
        by_text=action.stands_text,
        reason=action.reason,
        event=action.event,
    )
