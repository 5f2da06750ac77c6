"""Explains where a memory comes from, and which rules decide its status and its recall."""

from __future__ import annotations

from varves.conflicts.flagged import open_conflicts
from varves.conflicts.pending import DETECTED_KIND, about, noticed
from varves.context.history import lived
from varves.context.usage import unsettled
from varves.events.kinds import DECAYED, MERGED, REINFORCED, TRUSTED, birth
from varves.events.remnants import in_force, stands_for
from varves.events.views import VIEW_OF
from varves.fold.conflicts import FLAGGED
from varves.fold.rivals import TWIN
from varves.index.where import EventWhere, Where
from varves.values.instants import iso
from varves.values.memory import TRUSTWORTHY
from varves.values.names import pointer
from varves.values.text import counted, value_key
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from varves.context.context import Context
    from varves.context.live_index import View
    from varves.events.event import Event
    from varves.index.port import Index
    from varves.state.notebook import Line
    from varves.values.memory import Memory


class Step(Value):
    """One event in a memory's history: actor, time, origin, and the events that caused it."""

    event: str
    kind: str
    time: str
    actor: str
    session: str | None
    origin: str
    trust: int
    writer: str
    log: str
    cause: tuple[str, ...]
    missing: tuple[str, ...]  # the causes that are not in this clone
    undone: bool


class Rule(Value):
    """One rule that applies to a memory: its description, its event and how to undo it."""

    rule: str
    says: str
    event: str | None = None
    undo: str | None = None


class Why(Value):
    """Where a memory comes from, and why it is current and recalled, or why not."""

    id: str
    recalled: bool
    provenance: tuple[Step, ...]
    rules: tuple[Rule, ...]


def why(context: Context, view: View, name: str) -> Why:
    """Explain one memory in the state that the view shows."""
    index = view.index
    history = lived(view, name)
    from varves.commands.undo import taken_back

    gone = taken_back(history)
    memory = index.memory(name)
    trusted = memory is not None and context.trusted.includes(memory)
    life = _Life(view, [event for event in history if event.id not in gone])
    if index is context.index.get():
        life.unsettled = unsettled(context)
    rules = list(_rules(life, memory, trusted=trusted))
    if memory is not None:
        rules += _disputed(context, view, memory)
    if memory is not None and memory.evidence and index is context.index.get():
        rules += _evidence(context, memory)
    return Why(
        id=name,
        recalled=memory is not None
        and memory.status == "active"
        and not any(rule.rule in ("expired", "quarantined", "sensitive", "gone") for rule in rules),
        provenance=tuple(_step(index, event, undone=event.id in gone) for event in history),
        rules=tuple(rules),
    )


class _Life:
    """The events of a memory that are in force, and the view from which they were read."""

    def __init__(self, view: View, events: list[Event]) -> None:
        self.view = view
        held = EventWhere(ids=tuple(event.id for event in events), held=True)
        ahead = view.index.event_sources(held)
        self.events = [event for event in events if event.id not in ahead]
        self.ahead = [event for event in events if event.id in ahead]
        self.unsettled: list[Line] = []

    def last(self, matches: Callable[[Event], object]) -> str | None:
        """Return the id of the last event for which `matches` returns True, or None."""
        return next((event.id for event in reversed(self.events) if matches(event)), None)

    def named(self, version: str) -> Event | None:
        """Return the event that wrote a version; after a purge, the event that replaces it."""
        for event in self.events:
            if version in (event.id, stands_for(event)):
                return event
        return None


def _step(index: Index, event: Event, *, undone: bool) -> Step:
    return Step(
        event=event.id,
        kind=event.kind,
        time=event.time,
        actor=event.actor,
        session=event.session,
        origin=event.origin,
        trust=event.trust,
        writer=event.writer,
        log=event.log,
        cause=event.cause,
        missing=tuple(name for name in event.cause if index.event(name) is None),
        undone=undone,
    )


def _rules(life: _Life, memory: Memory | None, *, trusted: bool) -> Iterator[Rule]:
    if memory is None:
        yield from _gone(life)
        return
    yield _standing(life, memory)
    yield _origin(life, memory, trusted=trusted)
    if memory.expires_at is not None:
        past = memory.has_expired(iso(life.view.now))
        says = f"{'held' if past else 'holds'} until {memory.expires_at} (ttl {memory.ttl})"
        back = f"varves restore {memory.id}" if past else None
        event = life.last(lambda event: _about(event, memory.id).get("expires_at"))
        yield Rule(rule="expired" if past else "ttl", says=says, event=event, undo=back)
    if "sensitive" in memory.tags:
        says = "tagged sensitive: recalled only with --include sensitive"
        yield Rule(rule="sensitive", says=says, undo=f"varves edit {memory.id} --tag -sensitive")
    for name in life.view.index.rejections(value_key(memory.kept, memory.scope, memory.text)):
        says = f"its value is rejected in {memory.scope}"
        yield Rule(rule="rejected", says=says, event=name, undo=f"varves restore {memory.id}")
    yield Rule(rule="kept", says=f"kept in the {memory.kept} log, visible in {memory.scope}")
    yield from _heard(memory)
    yield from _shown(life, memory)
    yield from _done_to_it(life, memory)
    yield from _by_rules(life, memory)
    yield from _told(life, memory)
    yield from _ahead(life)


def _heard(memory: Memory) -> Iterator[Rule]:
    """Yield a rule with the session in which the memory was captured automatically."""
    from varves.capture.learning import TAG

    if TAG in memory.tags and memory.session:
        says = f"said by {memory.speaker} to {memory.created_by}, session {memory.session}"
        if memory.speaker == memory.created_by:
            says = f"said by {memory.speaker}, session {memory.session}"
        way = f'varves forget {memory.id} --reason "…"'
        if memory.kept == "private":
            way = f"varves share {memory.id}, or {way}"
        yield Rule(rule="captured", says=f"{says}, {memory.at}{_signs(memory)}", undo=way)


def _signs(memory: Memory) -> str:
    """Return the signs for and against a user's statement, with the weights used by capture."""
    from varves.capture.signs import WEIGHTS
    from varves.capture.weighing import Occasion, weighed
    from varves.language.sentences import plain

    if memory.speaker != "user":
        return ""
    signs = weighed(plain(memory.text), Occasion()).signs
    return "; signs: " + ", ".join(f"{one} {WEIGHTS[one]:+d}" for one in signs) if signs else ""


def _evidence(context: Context, memory: Memory) -> Iterator[Rule]:
    """Yield a rule with the state of each pointer to evidence.

    The rule is `gone` only if all evidence is gone.
    """
    from varves.evidence.fates import CHANGED, GONE, Fates

    fates = Fates(context)
    whole = fates.of(memory)
    for place, fate in zip(memory.evidence, fates.each(memory), strict=True):
        if fate is not None and whole is not None:
            rule = GONE if whole.state == GONE else "evidence"
            says = f"{pointer(place)} is {fate.state}: {fate.why}"
            way = f'varves correct {memory.id} "what is true now"'
            yield Rule(rule=rule, says=says, undo=way if fate.state in (CHANGED, GONE) else None)


def _about(event: Event, name: str) -> dict[str, Any]:
    """Return what an event records about a memory: the whole record, or the fields it sets."""
    record = birth(event) or {}
    if record.get("memory") == name:
        return record
    changes = event.data.get("set") if event.data.get("memory") == name else None
    return changes if isinstance(changes, dict) else {}


def _shown(life: _Life, memory: Memory) -> Iterator[Rule]:
    """Yield a rule on protocols that show the memory too, or on the record that it shows."""
    index = life.view.index
    for name in memory.links.get(VIEW_OF, ()):
        record = index.memory(name)
        of = "which is not in this clone" if record is None else f"of {record.protocol}"
        yield Rule(rule="view", says=f"a view of {name}, {of}", event=_birth_of(index, memory.id))
    for view in index.memories(Where(view_of=memory.id)):
        says = f"shown by {view.protocol} as {view.id}, {view.status}"
        yield Rule(rule="views", says=says, event=_birth_of(index, view.id))


def _done_to_it(life: _Life, memory: Memory) -> Iterator[Rule]:
    """Yield a rule for each automatic change of the memory, with the way to undo it."""
    if memory.reinforced:
        last = life.last(lambda event: event.kind == REINFORCED)
        says = f"said again {counted(memory.reinforced, 'time')}"
        yield Rule(rule="reinforced", says=says, event=last, undo=f"varves undo {last}")
    for event in life.events:
        if event.kind == DECAYED:
            now = event.data.get("set", {}).get("confidence")
            says = f"confidence lowered to {now} by {event.actor}"
            yield Rule(rule="decayed", says=says, event=event.id, undo=f"varves undo {event.id}")
        masked = event.data.get("redacted") or _about(event, memory.id).get("redacted")
        if masked:
            says = f"a secret was masked before it was written: {', '.join(map(str, masked))}"
            way = f'varves correct {memory.id} "the text as it should be" --allow-secret'
            yield Rule(rule="redacted", says=says, event=event.id, undo=way)


def _by_rules(life: _Life, memory: Memory) -> Iterator[Rule]:
    """Yield a rule for each change of the memory by a protocol's rules, except of its status."""
    for event in life.events:
        rule = event.data.get("rule") or (birth(event) or {}).get("rule")
        gone = event.id == memory.version and memory.status != "active"
        if isinstance(rule, str) and rule and not gone:
            other = event.data.get("memory", memory.id)
            of = f" of {other}" if other != memory.id else ""
            reason = f": {event.data['reason']}" if event.data.get("reason") else ""
            says = f"{event.kind}{of}{reason}, by the rule {rule}"
            yield Rule(rule="by-rule", says=says, event=event.id, undo=f"varves undo {event.id}")
    for event, conflict in noticed(life.view.index, iso(life.view.now)):
        if memory.id in [member.id for member in conflict.members]:
            others = ", ".join(one.id for one in conflict.members if one.id != memory.id)
            says = f"contradicts {others}: {conflict.reason}"
            way = f"varves conflicts resolve {conflict.id} --keep {memory.id}"
            yield Rule(rule="conflict", says=says, event=event.id, undo=way)


def _disputed(context: Context, view: View, memory: Memory) -> Iterator[Rule]:
    """Yield a rule for each open conflict that no other rule has told."""
    for conflict in about(context, view, (memory.id,)):
        told = conflict.kind == DETECTED_KIND
        if told or (memory.status == "flagged" and conflict.kind in FLAGGED):
            continue
        others = ", ".join(one.id for one in conflict.members if one.id != memory.id)
        says = f"in dispute with {others}: {conflict.reason}"
        way = f"varves conflicts resolve {conflict.id} --keep {memory.id}"
        yield Rule(rule="conflict", says=says, undo=way)


def _told(life: _Life, memory: Memory) -> Iterator[Rule]:
    """Yield a rule on the agents that were shown the memory, and how often."""
    told = {
        agent: (count, last) for agent, count, last in life.view.index.uses().by_agent(memory.id)
    }
    for line in life.unsettled:
        if memory.id in line.memories:
            count, last = told.get(line.agent, (0, ""))
            told[line.agent] = (count + 1, max(last, line.time))
    for agent, (count, last) in sorted(told.items()):
        often = "once" if count == 1 else f"{count} times"
        yield Rule(rule="told", says=f"shown to {agent} {often}, last {last}")


def _gone(life: _Life) -> Iterator[Rule]:
    for event in in_force(life.events):
        reason = event.data.get("reason") or "no reason given"
        yield Rule(rule="purged", says=f"erased for good: {reason}", event=event.id)
        return
    if not life.ahead:
        says = "the event that recorded it is not in this clone, or was undone"
        yield Rule(rule="waiting", says=says)
    yield from _ahead(life)


def _ahead(life: _Life) -> Iterator[Rule]:
    for event in life.ahead:
        says = f"{event.kind} is stamped {event.time}, more than 24 h ahead, and does not count yet"
        way = "correct the clocks; the event counts once it is less than 24 h ahead"
        yield Rule(rule="ahead", says=says, event=event.id, undo=way)


def _standing(life: _Life, memory: Memory) -> Rule:
    """Return the rule that explains the memory's status, with the event that set it."""
    version = life.named(memory.version)
    event = version.id if version is not None else memory.version
    if memory.status == "active":
        by = f" by {memory.updated_by}, {version.kind}" if version is not None else ""
        says = f"current since {memory.updated_at}{by}"
        return Rule(rule="active", says=says, event=event)
    if memory.status == "flagged":
        return _in_conflict(life, memory, event)
    said = memory.status
    if memory.links.get("superseded_by"):
        said += f" by {', '.join(memory.links['superseded_by'])}"
    if memory.reason:
        said += f": {memory.reason}"
    said += _by_rule(version)
    if memory.reason == TWIN:  # the value is current, but under the id of another memory
        event = _birth_of(life.view.index, memory.links["superseded_by"][0]) or event
        return Rule(rule="twin", says=said, event=event, undo=f"varves undo {event}")
    way = f"varves restore {memory.id}, or varves undo {event}"
    rule = "merged" if version is not None and version.kind == MERGED else memory.status
    return Rule(rule=rule, says=said, event=event, undo=way)


def _by_rule(event: Event | None) -> str:
    """Return a phrase with the rule by which an event was recorded; "" if a caller recorded it."""
    rule = event.data.get("rule") if event is not None else None
    return f", by the rule {rule}" if isinstance(rule, str) and rule else ""


def _in_conflict(life: _Life, memory: Memory, event: str) -> Rule:
    """Return the rule about the conflict for which a memory is flagged, and how to resolve it."""
    way = f"varves restore {memory.id}"
    for conflict in open_conflicts(life.view.index):
        if memory.id in [member.id for member in conflict.members]:
            way = f"varves conflicts resolve {conflict.id} --keep {memory.id}, or {way}"
            if conflict.kind == "returned":
                key = value_key(memory.kept, memory.scope, memory.text)
                event = next(iter(life.view.index.rejections(key)), event)
            elif conflict.current is not None:
                event = _birth_of(life.view.index, conflict.current) or event
            says = f"{conflict.reason}: {memory.reason}"
            return Rule(rule=conflict.kind, says=says, event=event, undo=way)
    said = (memory.reason or "flagged") + _by_rule(life.named(memory.version))
    return Rule(rule="flagged", says=said, event=event, undo=way)


def _birth_of(index: Index, name: str) -> str | None:
    """Return the event that recorded a memory, if this clone has it."""
    for event in reversed(index.events(EventWhere(about=(name,)))):
        if (birth(event) or {}).get("memory") == name:
            return event.id
    return None


def _origin(life: _Life, memory: Memory, *, trusted: bool) -> Rule:
    says = f"{memory.origin}, trust {memory.trust}, written by {memory.writer}"
    derived = memory.links.get("derived_from")
    if derived:
        says += f", derived from {', '.join(derived)}"
    if not trusted:
        cause = (
            "below agent" if memory.trust < TRUSTWORTHY else "a clone that the settings do not list"
        )
        way = f"varves trust {memory.id}"
        event = _birth_of(life.view.index, memory.id)
        return Rule(rule="quarantined", says=f"{says}: {cause}", event=event, undo=way)
    vouched = [event for event in life.events if event.kind == TRUSTED]
    if vouched:
        return Rule(
            rule="trusted", says=f"{says}, vouched for by {vouched[-1].actor}", event=vouched[-1].id
        )
    return Rule(rule="origin", says=says)
