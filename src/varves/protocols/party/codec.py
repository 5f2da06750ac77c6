"""The protocol's files: one sidecar per agent, and one part of the project's state file.

A memory that a person wrote into a sidecar has an id computed from its text, so two clones that
find it record the same memory. A value that breaks the rules is accepted as found, with a note; a
value that no event can represent is not adopted, also with a note.
"""

from __future__ import annotations

from varves.events.kinds import MERGED, RECORDED
from varves.protocols.hand_edit import HandEdit, found_id, made_id, masked
from varves.protocols.party import sidecars
from varves.protocols.party.fold import JOINED, KINDS, PROJECT, REVISED, decision_key, sheets
from varves.protocols.party.merge_forms import FORMS
from varves.protocols.party.options import PartyOptions
from varves.protocols.party.sidecars import (
    FOLDER,
    HEAD,
    MEMORY,
    SENSITIVE,
    STATE,
    WHOLE,
    agent_in,
    day,
    keys_of,
    line,
    path_of,
    record,
    scope_of,
    shown,
)
from varves.protocols.party.state_file import patched
from varves.protocols.port import Codec
from varves.values.instants import iso
from varves.values.memory import STATUSES
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.protocols.port import Change, Core, FileRecord, Stock, Touched
    from varves.values.memory import Memory

    Drafts = list[tuple[str, Draft]]

SAME = "the same memory, adopted from a file before its log came"
_REPO = "repo"


def adopted(core: Core, change: Change, act: Act, *, options: PartyOptions) -> Drafts:
    """Return the drafts for a change to one part of a sidecar."""
    agent = agent_in(change.path) or ""
    change = masked(core, change)
    if change.key == WHOLE:
        return [(PROJECT, draft) for draft in _Head(core, change, act, agent=agent).drafts(options)]
    if change.after is not None:
        for _, message in MEMORY.faults(change.after, options):
            core.notes.append(f"{change.path}: {message}; recorded as found")
    scope = scope_of(agent)
    found = core.memories(scope=scope, statuses=STATUSES)
    edit = _Line(
        core=core,
        change=change,
        act=act,
        log=PROJECT,
        scope=scope,
        agent=agent,
        records=[one for one in found if one.kept == PROJECT],
    )
    return [(PROJECT, draft) for draft in edit.drafts()]


class _Line(HandEdit):
    """One person's change to one memory."""

    agent: str
    records: list[Memory]

    def drafts(self) -> list[Draft]:
        """Return the drafts to record."""
        change = self.change
        memory = self._bearer()
        if change.after is None:
            return [] if memory is None else [self.forgotten(memory, self.records)]
        if memory is not None:
            return self._revised(memory, change.after)
        former = self._former(change.before or change.after)
        drafts = None if former is None else self.returned(former, self._revised)
        if drafts is not None:
            return drafts
        if made_id("found", *self._told(change.after), "0") in self.core.barred():
            self.note("a purged memory is ignored")
            return []
        return [self._recorded(change.after)]

    def _bearer(self) -> Memory | None:
        """Return the memory that the sidecar shows under a key."""
        visible = [
            one for one in self.records if one.status == "active" and SENSITIVE not in one.tags
        ]
        keys = keys_of(shown(one) for one in visible)
        return dict(zip(keys, visible, strict=True)).get(self.change.key)

    def _former(self, content: dict[str, Any]) -> Memory | None:
        """Return a memory with the same content that the sidecar no longer shows."""
        away = [one for one in self.records if one.status not in ("active", "proposed")]
        return next((one for one in reversed(away) if shown(one) == content["content"]), None)

    def _recorded(self, content: dict[str, Any]) -> Draft:
        said = record(content, day(iso(self.act.now)))
        name = found_id(self.core, *self._told(content))
        lifts = self.rejections(said["text"]) if self.is_direct else []
        speaker = {"speaker": self.agent, "lifts": lifts}
        made = {"memory": name, "scope": self.scope, **said, **speaker}
        return self.act.draft(RECORDED, made, *lifts)

    def _told(self, content: dict[str, Any]) -> tuple[str, str, str]:
        """Return the values from which the id of a memory written by a person is computed."""
        return self.agent, self.change.key, content["content"]

    def _revised(self, memory: Memory, after: dict[str, Any]) -> list[Draft]:
        today = day(memory.created_at)
        said, held = record(after, today), record(line(memory), today)
        if said["text"] == held["text"]:  # as the file shows it; the full text is kept
            said.pop("content", None)
        elif "content" in memory.extra:
            said["content"] = said["text"]
        return self.revised(memory, said, held)


class _Head:
    """One person's change to the parts of a sidecar outside its memories."""

    def __init__(self, core: Core, change: Change, act: Act, *, agent: str) -> None:
        self._core = core
        self._change = change
        self._act = act
        self._agent = agent
        self._after: dict[str, Any] = change.after or {}
        self._known = change.before if change.before is not None else change.ours or {}
        self._sessions_held = 0

    def drafts(self, options: PartyOptions) -> list[Draft]:
        """Return the drafts to record."""
        found, after = [], self._after
        scope = scope_of(self._agent)
        memories = self._core.memories(scope=scope, statuses=STATUSES)
        held = sheets(memories, self._core.events(*KINDS), options).get(self._agent)
        self._sessions_held = held.sessions if held is not None else 0
        content: dict[str, Any] = {"agent": self._agent, "scope": scope}
        if held is None:
            name = after.get("displayName")
            joined = {**content, "display_name": name if isinstance(name, str) else self._agent}
            found.append(self._act.draft(JOINED, joined))
        parts = dict(self._parts())
        if parts:
            found.append(self._act.draft(REVISED, {**content, **parts}))
        return found

    def _parts(self) -> Iterator[tuple[str, Any]]:
        """Yield each changed part with the name that an event uses for it."""
        if self._after.get("agent", self._agent) != self._agent:
            self._stays("agent", "the file's name determines the agent")
        said = dict(self._said())
        if said:
            yield "set", said
        yield from self._sessions()
        yield from self._relationships()
        yield from self._decisions()
        unknown = {
            key: part
            for key, part in self._after.items()
            if key not in HEAD and self._known.get(key, _Head) != part
        }
        if unknown:
            yield "unknown", unknown
        gone = sorted(key for key in self._known if key not in HEAD and key not in self._after)
        if gone:
            yield "removed", gone

    def _stays(self, key: str, why: str) -> None:
        self._core.notes.append(f"{self._change.path}: {key} is not changed: {why}")

    def _differs(self, key: str) -> bool:
        """Return whether the person changed a part; a part that equals the log is unchanged."""
        ours = self._change.ours
        if key not in self._after or (ours is not None and self._after[key] == ours.get(key)):
            return False
        return bool(self._after[key] != self._known.get(key))

    def _said(self) -> Iterator[tuple[str, str]]:
        for key, name in (("displayName", "display_name"), ("created_at", "created_at")):
            if self._differs(key):
                part = self._after[key]
                if isinstance(part, str) and part.strip():
                    yield name, part
                else:
                    self._stays(key, "it is not text")

    def _sessions(self) -> Iterator[tuple[str, int]]:
        key = "sessions_participated"
        if not self._differs(key):
            return
        part, before = self._after[key], self._known.get(key)
        # The log that counts more may arrive later; earlier versions wrote a smaller count.
        unknown = self._change.before is None
        unsure = unknown or self._act.origin == _REPO
        if isinstance(part, bool) or not isinstance(part, int) or part < 0:
            self._stays(key, "it is not a whole number of 0 or more")
        elif unsure or not isinstance(before, int):
            if part > self._sessions_held:  # otherwise they are counted already
                yield "least", part
        else:
            yield "sessions", part - before

    def _relationships(self) -> Iterator[tuple[str, dict[str, list[str]]]]:
        key = "relationships"
        if not self._differs(key):
            return
        after, before = self._after[key], self._known.get(key)
        if not isinstance(after, dict):
            self._stays(key, "it is not an object")
            return
        before = before if isinstance(before, dict) else {}
        more, less = {}, {}
        for relation, names in after.items():
            held = before.get(relation, [])
            if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
                self._stays(f"{key}.{relation}", "it is not a list of names")
                continue
            if self._agent in names and self._agent not in held:
                where = f"{self._change.path}: {relation}"
                self._core.notes.append(f"{where} names the agent itself; recorded as found")
            more[relation] = list(dict.fromkeys(one for one in names if one not in held))
            less[relation] = [one for one in held if one not in names]
        if self._change.before is not None:
            less |= {one: list(before[one]) for one in before if one not in after}
        for name, part in (("related", more), ("unrelated", less)):
            some = {relation: names for relation, names in part.items() if names}
            if some:
                yield name, some

    def _decisions(self) -> Iterator[tuple[str, list[Any]]]:
        key = "decision_history"
        if not self._differs(key):
            return
        after, before = self._after[key], self._known.get(key)
        if not isinstance(after, list) or not all(isinstance(one, dict) for one in after):
            self._stays(key, "it is not a list of objects")
            return
        before = before if isinstance(before, list) else []
        more = [one for one in after if one not in before]
        names = {decision_key(one) for one in after}
        gone = [decision_key(one) for one in before if isinstance(one, dict)]
        gone = [name for name in gone if name not in names]
        if more:
            yield "decided", more
        if gone and self._change.before is not None:
            yield "undecided", gone


def joined(core: Core, act: Act) -> Drafts:
    """Return the drafts that merge memories adopted from a commit before its log arrived."""
    by_place: dict[tuple[str, str], list[Memory]] = {}
    for one in core.memories():
        if one.kept == PROJECT:
            by_place.setdefault((one.scope, fold(shown(one))), []).append(one)
    drafts: Drafts = []
    for same in by_place.values():
        others = [one for one in same if one.origin != _REPO]
        for one, other in zip([one for one in same if one.origin == _REPO], others, strict=False):
            dated = "source_session"
            if one.extra.get(dated) == other.extra.get(dated):
                content = {"memory": one.id, "by": other.id, "reason": SAME, "rule": SAME}
                draft = act.draft(MERGED, content, one.version, other.version)
                drafts.append((PROJECT, draft))
    return drafts


class PartyCodec(Codec):
    """The format of the files below `_mdan/state`."""

    name = "party"
    forms = FORMS
    folders = (FOLDER,)
    kinds = KINDS
    shared = (STATE,)

    def __init__(self, options: PartyOptions | None = None) -> None:
        self.options = options or PartyOptions()

    def is_state(self, path: str) -> bool:
        """Return whether a file is a sidecar."""
        return agent_in(path) is not None

    def scope_of(self, path: str) -> str:
        """Return the scope of the agent that owns a sidecar."""
        return scope_of(agent_in(path) or "")

    def render(self, stock: Stock, touched: Touched | None) -> dict[str, bytes | None]:
        """Return the sidecars affected by `touched`, or all."""
        found = sheets(stock.memories, stock.events, self.options)
        if touched is not None:
            scopes = {one.scope for one in stock.memories if one.id in touched.memories}
            scopes |= touched.scopes
            found = {agent: one for agent, one in found.items() if scope_of(agent) in scopes}
        return {path_of(agent): sidecars.encoded(one) for agent, one in found.items()}

    def patch(self, path: str, content: bytes | None, stock: Stock) -> bytes | None:  # noqa: ARG002
        """Return the state file with the list of sidecars from the log."""
        return patched(content, sheets(stock.memories, stock.events, self.options).values())

    def parse(self, path: str, content: bytes) -> list[FileRecord]:  # noqa: ARG002 - all look alike
        """Read a sidecar."""
        return sidecars.parse(content)

    def joined(self, core: Core, act: Act) -> list[tuple[str, Draft]]:
        """Return the drafts that merge memories which were recorded twice."""
        return joined(core, act)

    def adopt(self, core: Core, change: Change, act: Act) -> list[tuple[str, Draft]]:
        """Return the drafts that record one person's change."""
        return adopted(core, change, act, options=self.options)
