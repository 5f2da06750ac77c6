"""Drafts: events that an agent will write at its shutdown; until then only its session sees them.

They are stored in the private log as proposals, with the parts of an event. A draft has no time,
because an event gets the time of its append.
"""

from __future__ import annotations

from varves.events.kinds import ARCHIVED, PROPOSED
from varves.events.views import BRIDGE
from varves.protocols.layers.composition import PlannedEvent
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from varves.commands.port import Act
    from varves.events.event import Event
    from varves.protocols.port import Core
    from varves.values.memory import Memory

APPENDED = "appended"  # why a draft is archived
UNNEEDED = "not needed any more"


class Drafted(Value):
    """An event that is not written yet."""

    id: str
    title: str
    type: str
    scope: str
    """The area, in the words of the log."""
    text: str
    created_at: str


def propose(core: Core, act: Act, entries: Sequence[PlannedEvent]) -> list[Event]:
    """Store events for the end of this session; they are complete and masked."""
    scope = "project" if act.session is None else f"session:{act.session}"
    drafts = []
    for entry in entries:
        parts = {key: part for key, part in entry.as_dict().items() if key != "time"}
        content = {
            "memory": core.ids.memory(),
            "text": f"{entry.title}\n\n{entry.what}".strip(),
            "scope": scope,
            "type": entry.type,
            "summary": entry.title,
            "checkout": core.checkout,
            "entry": parts,
        }
        drafts.append(act.draft(PROPOSED, content))
    return core.append("private", drafts)


def waiting(core: Core) -> list[Memory]:
    """Return the drafts of this session in this checkout, oldest first.

    Without a session, return those that the same actor made without a session.
    """
    return [one for one in _all(core) if _is_own(core, one)]


def of_others(core: Core) -> list[Memory]:
    """Return the drafts of other sessions in this checkout, oldest first."""
    return [one for one in _all(core) if not _is_own(core, one)]


def _all(core: Core) -> list[Memory]:
    found = core.memories(statuses=("proposed",))
    here = [one for one in found if one.extra.get("checkout", "") == core.checkout]
    return [one for one in here if isinstance(one.extra.get("entry"), dict)]


def is_bridged(core: Core, memory: Memory) -> bool:
    """Return whether a bridge made a draft in this checkout, which the next append writes."""
    extra = memory.extra
    return extra.get("rule") == BRIDGE and extra.get("checkout", "") == core.checkout


def _is_own(core: Core, memory: Memory) -> bool:
    if is_bridged(core, memory):
        return True
    if core.session is not None:
        return memory.session == core.session
    return memory.session is None and memory.created_by == core.actor


def fate(core: Core, name: str) -> str | None:
    """Return what became of a draft that is archived, in words; None if it is no such draft."""
    memory = core.memory(name)
    if memory is None or memory.status != "archived" or "entry" not in memory.extra:
        return None
    last = core.rows().event(memory.version)
    return str(last.data.get("reason", "")) if last is not None else None


def entry_of(memory: Memory) -> PlannedEvent:
    """Return the parts of a draft."""
    parts = memory.extra["entry"]
    known = {key: part for key, part in parts.items() if key in PlannedEvent._fields}
    return PlannedEvent(**{**known, "time": "", "files": tuple(parts.get("files", ()))})


def shown(memory: Memory) -> Drafted:
    """Return a draft as a verb shows it."""
    entry = entry_of(memory)
    return Drafted(
        id=memory.id,
        title=entry.title,
        type=str(entry.type),
        scope=str(entry.area),
        text=memory.text,
        created_at=memory.created_at,
    )


def put_away(core: Core, act: Act, names: Mapping[str, str | None]) -> None:
    """Archive drafts, with the memory of the event that each has become; None if it is unknown.

    Drafts that are archived already are not changed.
    """
    reasons = {name: f"{APPENDED} as {made}" if made else APPENDED for name, made in names.items()}
    archive(core, act, reasons)


def archive(core: Core, act: Act, reasons: Mapping[str, str]) -> None:
    """Archive drafts, each for a reason; drafts that are archived already are not changed."""
    drafts = []
    for name, reason in reasons.items():
        memory = core.memory(name)
        if memory is not None and memory.status == "proposed":
            content = {"memory": name, "reason": reason}
            drafts.append(act.draft(ARCHIVED, content, memory.version))
    core.append("private", drafts)
