"""Collects how often memories were read, and records the counts with the next write.

A read must not change a tracked file, so it only stores a line in the notebook. The lines are
recorded when the protocol's session ends or a write changes files. They become one
`memory.accessed` event in each log that contains such memories.
"""

from __future__ import annotations

from varves.context.guard import told_line
from varves.events.kinds import ACCESSED
from varves.state.notebook import counter_of, usage_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Protocol

    from varves.commands.port import Act
    from varves.context.context import Context
    from varves.events.event import Draft, Event
    from varves.index.port import Index
    from varves.state.notebook import Line
    from varves.values.memory import Memory

    class CountedCore(Protocol):
        """The methods of `LedgerCore` that this module uses."""

        context: Context
        name: str

        def act(self) -> Act:
            """Return the current actor."""
            ...

        def index(self) -> Index:
            """Return the index, up to date."""
            ...

        def memory(self, name: str) -> Memory | None:
            """Return a memory by id."""
            ...

        def append(self, log: str, drafts: Sequence[Draft]) -> list[Event]:
            """Append events, given as drafts, durably to a log."""
            ...


def count(
    context: Context, protocol: str, verb: str, *, names: Sequence[str], agent: str | None
) -> Line | None:
    """Store, outside the log, that memories were read, for the counters.

    Return the line, for the trail of what agents saw; None if nothing is to be recorded.
    """
    line = told_line(context, verb, names, agent=agent)
    if line is not None:
        usage_of(context.places).count(protocol, line)
    return line


def counted(context: Context, protocol: str) -> dict[str, tuple[int, str]]:
    """Return how often, and when last, each memory was read since reads were last recorded."""
    return _sums(usage_of(context.places).lines(counter_of(protocol)))


def _sums(lines: Iterable[Line]) -> dict[str, tuple[int, str]]:
    found: dict[str, tuple[int, str]] = {}
    for line in lines:
        for name in line.memories:
            count, last = found.get(name, (0, ""))
            found[name] = (count + 1, max(last, line.time))
    return found


def flush(core: CountedCore, scopes: Sequence[str]) -> None:
    """Record the reads of memories in some scopes, or in all, that are not recorded yet.

    Reads of other memories are recorded later.
    """
    context, usage, leaf = core.context, usage_of(core.context.places), counter_of(core.name)
    if not usage.waiting(leaf):
        return
    with usage.alone() as alone:
        for left_by in usage.waiting(leaf) if alone else ():
            event = left_by or context.ids.event(context.clock.now())
            lines = usage.claim(leaf, event, anew=not left_by)
            if lines is not None:
                known = bool(left_by) and core.index().event(event) is not None
                rest = () if known else _record(core, lines, event, scopes)
                usage.drop(leaf, event, but=rest)


def _record(core: CountedCore, lines: list[Line], event: str, scopes: Sequence[str]) -> list[Line]:
    """Record the reads of memories in some scopes; return the remaining lines.

    A memory that no event records here may be an edit that is not adopted yet, or on another
    branch: its reads wait too.
    """
    by_log: dict[str, dict[str, list[int | str]]] = {}
    waiting: set[str] = set()
    index, sums = core.index(), _sums(lines)
    barred = index.purges().barred(*sums)
    for name, (count, last) in sums.items():
        memory = index.memory(name)
        if memory is None:
            waiting.update({name} - barred)
        elif scopes and memory.scope not in scopes:
            waiting.add(name)
        else:
            by_log.setdefault(memory.kept, {})[name] = [count, last]
    act = core.act()
    for place, (log, accessed) in enumerate(sorted(by_log.items()), 1):
        draft = act.draft(ACCESSED, {"accessed": dict(sorted(accessed.items()))})
        if place == len(by_log):  # after the last log, no line is left to record
            draft = draft.replace(id=event)
        core.append(log, [draft])
    left = (tuple(name for name in line.memories if name in waiting) for line in lines)
    return [line.replace(memories=names) for line, names in zip(lines, left, strict=True) if names]
