"""Drafts an event for each record of another protocol; the next append or shutdown writes it.

Entries of CHANGELOG.md are never removed. When a record is no longer current, the entry's memory is
archived and an event that withdraws it is drafted.
"""

from __future__ import annotations

from varves.events.kinds import PROPOSED
from varves.events.views import BRIDGE
from varves.protocols.bridged import Bridged, DueView, source_line, speaking, tied, view_of
from varves.protocols.layers.composing import PlannedEvent, check, plain
from varves.protocols.layers.drafts import entry_of, is_bridged, put_away
from varves.protocols.layers.known import CITED
from varves.protocols.layers.parts import LayersVerbs
from varves.protocols.port import writes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.commands.port import Act
    from varves.values.memory import Memory

_AREA = "project"
_LONGEST = 80  # characters of a title
_WITHDRAWN = "change"


class LayersBridge(Bridged, LayersVerbs):
    """Maintains this protocol's views of other protocols' records."""

    def due(self, record: Memory, category: str) -> tuple[DueView, ...]:
        """Return the views that this protocol should have of a record."""
        return (view_of(record, "layers", category),)

    def shows(self, view: Memory, record: Memory, due: tuple[DueView, ...]) -> bool:
        """Return whether a draft, or the event made from it, shows the record's current text."""
        if isinstance(view.extra.get("entry"), dict):
            return super().shows(view, record, due)
        return plain(record.text) in view.text

    @writes
    def take(self, record: Memory, view: DueView) -> None:
        """Draft an event that contains and cites a record of another protocol."""
        entry = PlannedEvent(
            title=_titled(record.topic or record.text),
            type=view.category,
            area=_AREA,
            what=record.text,
            why=f"{source_line(record)}.\n\n{CITED.format(record.id, record.protocol)}",
        )
        act = speaking(self.core.act(), record)
        self._draft(view.id, entry, tied(record), act=act, cause=record.version)

    @writes
    def put_away(self, view: Memory, reason: str, *cause: str) -> None:
        """Archive a view; if it is written already, draft an event that withdraws it."""
        super().put_away(view, reason, *cause)
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
        self._draft(self.core.ids.memory(), entry, more, act=self.core.act(), cause=view.version)
        self.core.notes.append(
            f"CHANGELOG.md keeps {view.id}; an event that withdraws it is drafted"
        )

    @writes
    def bring_back(self, view: Memory) -> None:
        """Restore a view; drop its withdrawal if that is not written yet."""
        super().bring_back(view)
        drafts = [one for one in self._waiting() if one.extra.get("withdraws") == view.id]
        if drafts:
            put_away(self.core, self.core.act(), [one.id for one in drafts])
        elif view.extra.get("digest"):
            self.core.notes.append(
                f"{view.id} is restored; if CHANGELOG.md withdraws it, append the current state"
            )

    def _draft(
        self, name: str, entry: PlannedEvent, more: dict[str, Any], *, act: Act, cause: str
    ) -> None:
        check(entry)
        content = {
            "memory": name,
            "text": f"{entry.title}\n\n{entry.what}".strip(),
            "scope": "project",
            "type": entry.type,
            "summary": entry.title,
            "checkout": self.core.checkout,
            "entry": {key: part for key, part in entry.as_dict().items() if key != "time"},
            **more,
        }
        self.core.append("private", [act.draft(PROPOSED, content, cause)])

    def _waiting(self) -> list[Memory]:
        found = self.core.memories(statuses=("proposed",))
        return [one for one in found if is_bridged(self.core, one)]

    def carried(self) -> list[Memory]:
        """Return the drafts of bridges that an append writes first, each once.

        A draft whose event is already in the log, because a process was killed, is archived.
        """
        if not self.core.bridged:
            return []
        waiting = self._waiting()
        if not waiting:
            return []
        self.look_again()
        written = [one for one in self.core.memories() if one.extra.get("digest")]
        left = [one for one in waiting if not any(_is_in(one, entry) for entry in written)]
        gone = [one.id for one in waiting if one not in left]
        if gone:
            put_away(self.core, self.core.act(), gone)
        return left

    def look_again(self) -> None:
        """Record entries of the log that are not known yet."""


def _is_in(draft: Memory, entry: Memory) -> bool:
    """Return whether an event of the log was made from a draft, by its text and citation."""
    said = entry_of(draft)
    return plain(said.why) in entry.text and plain(said.what) in entry.text


def _titled(text: str) -> str:
    """Return a text as a title: on one line, cut at a word."""
    line = " ".join(text.split())
    if len(line) <= _LONGEST:
        return line
    return line[:_LONGEST].rpartition(" ")[0].rstrip(" ,;:.") + "…"
