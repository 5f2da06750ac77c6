"""Upkeep: the store looks after itself, when a session ends, a scope is crowded or a week is over.

A scope is crowded with its 101st entry. A run over it is not repeated with every further write:
the next is due when it has grown by another hundred, or was down to a hundred in between. When a
week has passed since the last whole run, the next session start makes up for it. What ran, when and
why is kept as `consolidation.run` in the private log, with the day the next run is due.
"""

from __future__ import annotations

from varves.events import kinds
from varves.protocols.hivemind.consolidation import RULES, Consolidation, RuleChange
from varves.protocols.hivemind.contradictions import Contradicting
from varves.protocols.hivemind.tree import LIVE
from varves.protocols.port import writes
from varves.values.instants import DAY_MS, instant, iso
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Event
    from varves.protocols.similar import Measure

RUN = kinds.CONSOLIDATED
ENDING, CROWDED, WEEKLY, ASKED = "session-end", "entry-count", "weekly", "asked"


class Consolidated(Value):
    """What a consolidation did."""

    ran: bool
    trigger: str
    due: str | None
    """When the next whole run is due; None while there is nothing to keep up."""
    done: dict[str, list[list[str]]]
    """By rule: each memory concerned, and what it was merged into, summarised or copied as."""
    changes: tuple[RuleChange, ...] = ()
    """The same with the words, and with the events that undo it."""


class Upkeep(Contradicting):
    """The verb for upkeep, and the steps at which it runs by itself."""

    similarity: Measure
    """How alike two texts are; see protocols/similar.py."""
    changes: list[RuleChange]
    """What rules did by themselves in all verbs so far, for a surface to show."""

    @writes
    def maintain(self, *, force: bool = False) -> Consolidated:
        """Consolidate and archive if a week has passed since the last time, or when forced."""
        due = self._due()
        if not force and (due is None or due > self.core.now):
            return Consolidated(
                ran=False, trigger=ASKED, due=None if due is None else iso(due), done={}
            )
        act, _ = self.acting(actor="SYSTEM")
        return self.consolidated(ASKED, act)

    def entered(self, scopes: Iterable[str], act: Act) -> None:
        """Consolidate the scopes in which too many entries stand now."""
        super().entered(scopes, act)
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
        """Make up for a weekly run that is overdue."""
        super().begun(act)
        due = self._due()
        if due is not None and due <= self.core.now:
            self.consolidated(WEEKLY, self._system(act))

    def _system(self, act: Act) -> Act:
        return self.core.act(actor="SYSTEM", session=act.session)

    def _due(self) -> int | None:
        """Return when the next whole run is due: a week after the last, or after the beginning."""
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
        """Run once, over some scopes or all, and record it."""
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
        changes = tuple(run.changes)
        return Consolidated(ran=True, trigger=trigger, due=iso(due), done=done, changes=changes)
