"""The whole protocol: a party starts, talks and ends; sidecars keep its results.

Between start and end, all events are private to the clone; only the end writes what sidecars show.
"""

from __future__ import annotations

import csv
import io

from varves.commands.intake import statement, word
from varves.errors import Damaged, NotFound, Refused, UsageError
from varves.events.kinds import RECORDED
from varves.protocols.bridged import Bridged, DueView, speaking, supporters, tied, view_of
from varves.protocols.excerpt import LONGEST, shortened
from varves.protocols.party.answers import Offer, PartyFolders, PartyStarted, SidecarShown
from varves.protocols.party.closing import CAP, PRUNED
from varves.protocols.party.codec import PartyCodec
from varves.protocols.party.fold import JOINED, decisions_in
from varves.protocols.party.injecting import block, told
from varves.protocols.party.options import options
from varves.protocols.party.sessions import DECISION
from varves.protocols.party.sidecars import FOLDER, STATE, day, line, path_of, scope_of
from varves.protocols.party.state_file import unmade
from varves.protocols.party.talking import STANCES, PartyVerbs
from varves.protocols.party.validate import validate
from varves.protocols.port import reads, writes
from varves.protocols.sessions import ENDED, PRIVATE, PROJECT, STARTED, draft
from varves.values.names import safe_name
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.protocols.party.answers import PartyEnded
    from varves.protocols.party.sidecars import Sheet
    from varves.protocols.party.talk import Detector
    from varves.protocols.port import Core
    from varves.values.answers import Finding
    from varves.values.memory import Memory


MANIFEST = "_mdan/_config/agent-manifest.csv"


class Party(Bridged, PartyVerbs):
    """Parties of agents and what each agent remembers of them, for one opened ledger.

    To find memories in the talk by other rules, pass a detector (a callable).
    """

    name = "party"

    def __init__(self, core: Core, *, detect: Detector | None = None) -> None:
        self.core = core
        self.options = options(core.table)
        self.codec = PartyCodec(self.options)
        self.detect = detect

    @writes
    def init(self) -> PartyFolders:
        """Create the folder for the sidecars."""
        self.core.begin()
        return PartyFolders(created=tuple(self.core.make_folders((FOLDER,), ())))

    # Start

    @writes
    def start(
        self, *, agents: Sequence[str], topic: str | None = None, plain: bool = False
    ) -> PartyStarted:
        """Start a party: recover abandoned ones, then return each agent's memories.

        Args:
            agents: the participants.
            topic: the topic of the talk.
            plain: leave the two emoji out of the blocks.
        """
        names = self._names(agents)
        about, _ = self.core.clean(word(topic, "topic"))
        before = self._sheets()
        self._refuse_lookalikes(names, before)
        self._refuse_unreadable(names)
        if self.core.session is not None:
            safe_name(self.core.session, "session")
        recovered = self._recover()
        before = self._sheets() if recovered else before
        self.core.notes += [
            f"{path} is missing, but {STATE} lists it"
            for path in unmade(self.core.tree.read(STATE), before)
        ]
        fresh = [name for name in names if name not in before]
        self._join(fresh)
        sidecars = self._sheets() if fresh else before
        session, named = self._session_name()
        content = {
            "agents": [[name, sidecars[name].display_name] for name in names],
            "loaded": {name: len(before[name].memories) for name in names if name in before},
            "topic": about,
            "named": named,
        }
        act = self.core.act(session=session)
        [event] = self.core.append(PRIVATE, [draft(self.core, act, STARTED, content)])
        blocks = []
        for name in names:
            sheet = sidecars[name]
            first = name not in before
            blocks.append(block(sheet, self.options, first=first, plain=plain))
            told_now = [one.id for one in told(sheet, self.options)]
            self.core.told("party start", told_now, agent=name)
        return PartyStarted(
            session=session,
            event=event.id,
            topic=about,
            blocks=tuple(blocks),
            recovered=recovered,
            text="\n\n".join(
                one.text if len(blocks) == 1 else f"{one.agent}:\n{one.text}" for one in blocks
            ),
        )

    def _names(self, agents: Sequence[str]) -> list[str]:
        """Return the participants, each once."""
        if isinstance(agents, str):
            agents = (agents,)
        names = list(dict.fromkeys(self._name(name) for name in agents))
        if not names:
            raise UsageError("a party has no agents", "give them with --agents a,b,c")
        return names

    def _refuse_lookalikes(self, names: Iterable[str], known: Iterable[str]) -> None:
        """Refuse two names that share one file on a case-insensitive file system."""
        seen = {name.casefold(): name for name in known}
        for name in names:
            other = seen.setdefault(name.casefold(), name)
            if other != name:
                message = f"{quoted(name)} and {quoted(other)} differ in case only"
                raise Refused(message, f"write it as {other}")

    def _refuse_unreadable(self, names: Iterable[str]) -> None:
        """Refuse to start with agents whose sidecars cannot be read."""
        for path in map(path_of, names):
            reason = self.core.unreadable.get(path)
            if reason is not None:
                hint = "fix it, or move it so that it is created again"
                raise Damaged(f"{path} cannot be read: {reason}", hint)

    def _join(self, names: Sequence[str]) -> None:
        """Record agents that take part for the first time."""
        displays = self._manifest() if names else {}
        act = self.core.act()
        drafts = [
            act.draft(
                JOINED,
                {
                    "agent": name,
                    "scope": scope_of(name),
                    "display_name": displays.get(name) or name,
                },
            )
            for name in names
        ]
        self.core.append(PROJECT, drafts)

    def _manifest(self) -> dict[str, str]:
        """Return the display names of the project's roster, if it has one."""
        raw = self.core.tree.read(MANIFEST)
        if raw is None:
            return {}
        try:
            rows = list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline="")))
        except (UnicodeDecodeError, csv.Error):
            self.core.notes.append(f"{MANIFEST} cannot be read: names are shown as given")
            return {}
        pairs = ((row.get("name"), row.get("displayName")) for row in rows)
        found = {name.strip(): shown.strip() for name, shown in pairs if name and shown}
        masked, _ = self.core.clean(found)
        return {name: " ".join(str(text).split()) for name, text in masked.items()}

    def _session_name(self) -> tuple[str, bool]:
        """Return the name of a new party, and whether a caller gave it."""
        if self.core.session is not None:
            return safe_name(self.core.session, "session"), True
        return self._free_name(), False

    # Read

    @reads
    def prompt(self, agent: str, *, topic: str) -> Offer:
        """Return the facilitator's line to an agent that has memories about a topic."""
        from varves.protocols.party.relevance import offer

        sheet = self._sheet(agent)
        offered = offer(sheet.display_name, statement(topic), sheet.memories)
        self.core.told("party prompt", [one.id for one in offered.cited], agent=sheet.agent)
        cited = tuple({"id": one.id, **line(one)} for one in offered.cited)
        return Offer(agent=sheet.agent, text=offered.text, memories=cited)

    @reads
    def show(self, agent: str) -> SidecarShown:
        """Return an agent's sidecar."""
        sheet = self._sheet(agent)
        return SidecarShown(
            agent=sheet.agent,
            display_name=sheet.display_name,
            path=path_of(sheet.agent),
            created_at=sheet.created_at,
            last_updated=sheet.last_updated,
            sessions=sheet.sessions,
            memories=tuple({"id": one.id, **line(one)} for one in sheet.memories),
            relationships=sheet.relationships,
            decisions=sheet.decisions,
            unknown=sheet.unknown,
        )

    def _sheet(self, agent: Any) -> Sheet:
        name = self._name(agent)
        sheet = self._sheets().get(name)
        if sheet is None:
            raise NotFound(f"{quoted(name)} has no sidecar", "it gets one with its first party")
        return sheet

    @reads
    def validate(self) -> tuple[Finding, ...]:
        """Return the problems in the protocol's current files."""
        return validate(self.core, self.options, self._sheets())

    # End

    def still_says(self, memory: Memory) -> tuple[str, ...]:
        """Return the positions recorded with a purged decision; the positions are not memories."""
        if memory.type != DECISION:
            return ()
        found = [
            f"the position of {agent} on {one.get('dr_id')} ({ENDED})"
            for event in self.core.events(ENDED)
            if event.session == memory.session
            for agent, one in decisions_in(event)
            if one.get("position") not in (None, "", *STANCES.values())
        ]
        return tuple(dict.fromkeys(found))

    @writes
    def end(self) -> PartyEnded:
        """End the party: update every participant's sidecar, then the state file."""
        meeting = self._meeting()
        if not meeting.running:
            return self._ended_before(meeting)
        return self._close(meeting)

    @writes
    def recover(self) -> tuple[PartyEnded, ...]:
        """End the parties that were abandoned, and keep what they learned."""
        return self._recover()

    # Views of other protocols' records

    def due(self, record: Memory, category: str) -> tuple[DueView, ...]:
        """Return the views of a record: one for each supporter that has a sidecar.

        If the record names no supporters, its speaker counts as the supporter.
        """
        known = {name.casefold(): name for name in self._sheets()}
        named = supporters(record) or (record.speaker or record.created_by,)
        agents = [known[name.casefold()] for name in named if name.casefold() in known]
        return tuple(
            view_of(record, "party", category, agent=agent) for agent in dict.fromkeys(agents)
        )

    @writes
    def take(self, record: Memory, view: DueView) -> None:
        """Add a record of another protocol to an agent's memories."""
        agent = str(view.agent)
        short = shortened(record.titled, self.options.content_chars)
        content = {
            "memory": view.id,
            "text": record.titled,
            "content": short if short != record.titled or len(short) > LONGEST else None,
            "scope": scope_of(agent),
            "type": view.category,
            "confidence": self.options.stated,
            "source_session": day(record.created_at),
            "speaker": agent,
            **tied(record),
        }
        act = self.core.act()
        made = speaking(act, record).draft(RECORDED, content, record.version)
        self.core.append(PROJECT, [*self._room(agent, act), made])

    def _room(self, agent: str, act: Act) -> list[Draft]:
        """Return drafts that prune an agent's least confident memories to make room for one."""
        held = [one for one in self.core.memories(scope=scope_of(agent)) if one.kept == PROJECT]
        held.sort(key=lambda one: one.confidence or 0.0)
        cap = self.options.cap
        return [
            act.draft(
                PRUNED,
                {"memory": one.id, "reason": f"more than {cap} memories", "rule": CAP},
                one.version,
            )
            for one in held[: max(0, len(held) + 1 - cap)]
        ]
