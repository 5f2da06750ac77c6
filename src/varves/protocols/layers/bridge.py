"""Drafts events for records of other protocols; the next append or shutdown writes them.

Entries of CHANGELOG.md are never removed: when a record is no longer current, the entry's memory is
archived and an event that withdraws it is drafted.
"""

from __future__ import annotations

from varves.events.kinds import PROPOSED
from varves.events.views import BRIDGE
from varves.protocols.bridged import source_line, speaking, tied
from varves.protocols.layers.composition import PlannedEvent, check
from varves.protocols.layers.drafts import UNNEEDED, archive, is_bridged
from varves.protocols.layers.known import CITED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.commands.port import Act
    from varves.protocols.bridged import DueView
    from varves.protocols.port import Core
    from varves.values.memory import Memory

_AREA = "project"
_LONGEST = 80  # characters of a title
_WITHDRAWN = "change"


def _titled(text: str) -> str:
    """Return a text as a title: on one line, cut at a word."""
    line = " ".join(text.split())
    if len(line) <= _LONGEST:
        return line
    return line[:_LONGEST].rpartition(" ")[0].rstrip(" ,;:.") + "…"


def take(core: Core, record: Memory, view: DueView) -> None:
    """Draft an event that contains and cites a record of another protocol."""
    entry = PlannedEvent(
        title=_titled(record.topic or record.text),
        type=view.category,
        area=_AREA,
        what=record.text,
        why=f"{source_line(record)}.\n\n{CITED.format(record.id, record.protocol)}",
    )
    act = speaking(core.act(), record)
    _draft(core, view.id, entry, tied(record), act=act, cause=record.version)


def withdraw(core: Core, view: Memory, reason: str) -> None:
    """Draft an event that withdraws an archived view, if it is written already."""
    if view.status != "active":
        return
    title = str(view.extra.get("title", ""))
    entry = PlannedEvent(
        title=_titled(f"Withdrawn: {title}"),
        type=_WITHDRAWN,
        area=_AREA,
        what=f"What the event of {view.extra.get('time', '')} says is no longer true: {title}",
        why=f"{reason}. It withdraws {view.id}.",
    )
    more = {"withdraws": view.id, "rule": BRIDGE}
    _draft(core, core.ids.memory(), entry, more, act=core.act(), cause=view.version)
    core.notes.append(f"CHANGELOG.md keeps {view.id}; an event that withdraws it is drafted")


def drop_withdrawal(core: Core, view: Memory) -> None:
    """Drop the withdrawal of a restored view if it is not written yet."""
    drafts = [one for one in waiting(core) if one.extra.get("withdraws") == view.id]
    if drafts:
        archive(core, core.act(), {one.id: UNNEEDED for one in drafts})
    elif view.extra.get("digest"):
        core.notes.append(
            f"{view.id} is restored; if CHANGELOG.md withdraws it, append the current state"
        )


def _draft(
    core: Core, name: str, entry: PlannedEvent, more: dict[str, Any], *, act: Act, cause: str
) -> None:
    check(entry)
    content = {
        "memory": name,
        "text": f"{entry.title}\n\n{entry.what}".strip(),
        "scope": "project",
        "type": entry.type,
        "summary": entry.title,
        "checkout": core.checkout,
        "entry": {key: part for key, part in entry.as_dict().items() if key != "time"},
        **more,
    }
    core.append("private", [act.draft(PROPOSED, content, cause)])


def waiting(core: Core) -> list[Memory]:
    """Return the drafts of bridges in this checkout that no append has written yet."""
    found = core.memories(statuses=("proposed",))
    return [one for one in found if is_bridged(core, one)]
