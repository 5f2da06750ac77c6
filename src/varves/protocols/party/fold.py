"""Folds sidecars from the project's log; private events of a clone do not appear in them.

A session counts once, however often its end was recorded; its start event identifies it. A hand
edit applies from its place in the log onwards.
"""

from __future__ import annotations

import json
import re

from varves.events import kinds
from varves.protocols.party.sidecars import SENSITIVE, Sheet, blank
from varves.protocols.records import seconds
from varves.protocols.sessions import ENDED
from varves.values.memory import STATUSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.events.event import Event
    from varves.protocols.party.options import PartyOptions
    from varves.protocols.port import Core
    from varves.values.memory import Memory

JOINED = kinds.JOINED
REVISED = kinds.PARTICIPANT_REVISED
OBSERVED = kinds.OBSERVED
KINDS = (JOINED, REVISED, OBSERVED, ENDED)
PROJECT = "project"
UNDONE = "undone"
AGREEING = ("agrees_with", "disagrees_with")
NUMBER = re.compile(r"DR-(\d{1,9})")
DIGITS = 3


def sheets_of(core: Core, options: PartyOptions) -> dict[str, Sheet]:
    """Return the current sidecar of each agent."""
    held = core.memories(statuses=STATUSES)  # archived memories affect a sidecar's dates
    return sheets(held, core.events(*KINDS), options)


def sheets(
    memories: Iterable[Memory], events: Iterable[Event], options: PartyOptions
) -> dict[str, Sheet]:
    """Return the sidecar of each agent."""
    heads: dict[str, _Head] = {}
    events = [event for event in events if event.log == PROJECT]
    numbers = _renumbered(events)
    for event in events:
        for agent in agents_of(event):
            head = heads.setdefault(agent, _Head(agent, event.time, numbers))
            head.take(event, options)
    kept: dict[str, list[Memory]] = {}
    for memory in memories:
        level, _, agent = memory.scope.partition(":")
        if level == "agent" and agent and memory.kept == PROJECT:
            head = heads.setdefault(agent, _Head(agent, memory.created_at))
            if memory.status != "forgotten" or memory.reason != UNDONE:
                # After an undo it is only a proposal in the clone where it was said, which is
                # private.
                head.last = max(head.last, memory.updated_at)
            if memory.status == "active" and SENSITIVE not in memory.tags:
                kept.setdefault(agent, []).append(memory)
    return {agent: head.sheet(kept.get(agent, [])) for agent, head in sorted(heads.items())}


def agents_of(event: Event) -> list[str]:
    """Return the agents whose sidecars show an event."""
    content = event.data
    if event.kind == ENDED:
        agents = content.get("agents")
        return [name for name, _ in _pairs(agents)]
    name = content.get("agent")
    return [name] if event.kind in KINDS and isinstance(name, str) and name else []


def decisions_in(event: Event) -> list[tuple[str, dict[str, Any]]]:
    """Return the decisions in a session's end event, by agent."""
    parts = [(agent, part) for agent, part in _pairs(event.data.get("agents")) if _is_dict(part)]
    told = [(agent, part.get("decisions")) for agent, part in parts]
    return [(agent, one) for agent, some in told for one in some or () if _is_dict(one)]


def decision_key(one: dict[str, Any]) -> str:
    """Return the key of a decision in a sidecar: its name, otherwise its whole content."""
    name = one.get("dr_id")
    return name if isinstance(name, str) and name else json.dumps(one, sort_keys=True)


def start_of(event: Event) -> str:
    """Return the id of the session that an event belongs to."""
    start = event.data.get("start")
    return start if isinstance(start, str) else event.session or event.id


def next_number(name: Any, taken: Iterable[Any]) -> Any:
    """Return the next free name after a decision's name such as DR-001; others are unchanged."""
    found = NUMBER.fullmatch(name) if isinstance(name, str) else None
    if found is None:
        return name
    used = {int(one[1]) for one in map(NUMBER.fullmatch, filter(_is_text, taken)) if one}
    number = int(found[1]) + 1
    while number in used:
        number += 1
    return f"DR-{number:0{DIGITS}}"


def _renumbered(events: Iterable[Event]) -> dict[tuple[str, str], str]:
    """Return new names for decisions that another clone's party gave an agent the same name for.

    The earlier decision keeps its name; the later one gets the next that is free. The result
    depends on the log only, so it is the same in every clone and in every sidecar.
    """
    holders: dict[str, dict[str, set[str]]] = {}  # by name and session: the agents
    for event in events:
        if event.kind == ENDED:
            for agent, one in decisions_in(event):
                if one.get("named") is not True:
                    told = holders.setdefault(decision_key(one), {})
                    told.setdefault(start_of(event), set()).add(agent)
    renamed: dict[tuple[str, str], str] = {}
    for name, told in holders.items():
        before: set[str] = set()
        for start, agents in told.items():
            if agents & before:
                renamed[name, start] = next_number(name, [*holders, *renamed.values()])
            before |= agents
    return renamed


class _Head:
    """The parts of a sidecar outside its memories, while it is folded."""

    def __init__(
        self, agent: str, time: str, numbers: dict[tuple[str, str], str] | None = None
    ) -> None:
        self.numbers = numbers or {}
        self.agent = agent
        self.display = agent
        self.created = seconds(time)
        self.last = time
        self.sessions = 0
        self.ended: set[str] = set()  # the counted sessions
        self.relationships: dict[str, Any] = blank()
        self.decisions: dict[tuple[str, str], Any] = {}
        self.unknown: dict[str, Any] = {}

    def take(self, event: Event, options: PartyOptions) -> None:
        """Apply one event."""
        content = event.data
        if event.kind == JOINED:
            says_more = self._name(content.get("display_name"))
        elif event.kind == OBSERVED:
            says_more = self._observe(content, options)
        elif event.kind == ENDED:
            says_more = self._end(event)
        else:
            says_more = self._revise(content)
        if says_more:
            self.last = max(self.last, event.time)

    def _name(self, name: Any) -> bool:
        if not isinstance(name, str) or not name or name == self.display:
            return False
        self.display = name
        return True

    def _observe(self, content: dict[str, Any], options: PartyOptions) -> bool:
        relation, other, count = (content.get(key) for key in ("relation", "other", "count"))
        enough = options.agree_at if relation in AGREEING else options.complement_at
        if isinstance(count, int) and count >= enough and other != self.agent:
            return self._add(relation, [other])
        return False

    def _add(self, relation: Any, names: Any) -> bool:
        held = self.relationships.setdefault(str(relation), [])
        if not isinstance(held, list) or not isinstance(names, list):
            return False
        more = [name for name in names if isinstance(name, str) and name not in held]
        held.extend(more)
        return bool(more)

    def _end(self, event: Event) -> bool:
        """Count a session; return whether it counts, or has decisions."""
        start = start_of(event)
        first = start not in self.ended
        if first:
            self.ended.add(start)
            self.sessions += 1
        part = event.data["agents"].get(self.agent)
        decided = part.get("decisions", ()) if _is_dict(part) else ()
        for one in decided:
            self._decide(one, start)
        return first or bool(decided)

    def _decide(self, one: Any, start: str) -> None:
        """Add a decision; if another clone gave its name to another decision, it has a new one."""
        if not _is_dict(one):
            return
        name = decision_key(one)
        entry = {key: part for key, part in one.items() if key != "named"}
        if (name, start) in self.numbers and one.get("named") is not True:
            entry["dr_id"] = name = self.numbers[name, start]
        if one.get("named") is True:
            held = [key for key in self.decisions if key[0] == name]
            start = held[-1][1] if held else start
        self.decisions[name, start] = entry

    def _revise(self, content: dict[str, Any]) -> bool:
        """Apply a person's change to the head."""
        for key, part in _pairs(content.get("set")):
            if key == "display_name":
                self._name(part)
            elif key == "created_at" and isinstance(part, str):
                self.created = part
        more, least = content.get("sessions"), content.get("least")
        if isinstance(more, int):
            self.sessions = max(0, self.sessions + more)
        if isinstance(least, int):
            self.sessions = max(self.sessions, least)
        self._revise_lists(content)
        self._revise_keys(content)
        return True

    def _revise_lists(self, content: dict[str, Any]) -> None:
        for relation, names in _pairs(content.get("unrelated")):
            held = self.relationships.get(relation)
            if isinstance(held, list):
                held[:] = [name for name in held if name not in names]
        for relation, names in _pairs(content.get("related")):
            self._add(relation, names)
        gone = content.get("undecided", ())
        self.decisions = {key: one for key, one in self.decisions.items() if key[0] not in gone}
        for one in content.get("decided", ()):
            if _is_dict(one):
                self._decide({**one, "named": True}, "")

    def _revise_keys(self, content: dict[str, Any]) -> None:
        for key in content.get("removed", ()):
            self.unknown.pop(key, None)
        self.unknown |= dict(_pairs(content.get("unknown")))

    def sheet(self, memories: list[Memory]) -> Sheet:
        """Return the current sidecar."""
        return Sheet(
            agent=self.agent,
            display_name=self.display,
            created_at=self.created,
            last_updated=seconds(self.last),
            sessions=self.sessions,
            relationships=self.relationships,
            decisions=tuple(self.decisions.values()),
            unknown=self.unknown,
            memories=tuple(memories),
        )


def _is_text(part: Any) -> bool:
    return isinstance(part, str)


def _is_dict(part: Any) -> bool:
    return isinstance(part, dict)


def _pairs(part: Any) -> list[tuple[str, Any]]:
    return list(part.items()) if isinstance(part, dict) else []
