"""The protocol's files: one sidecar per agent, and one part of the project's state file."""

from __future__ import annotations

from varves.protocols.party import adopting, sidecars
from varves.protocols.party.fold import KINDS, sheets
from varves.protocols.party.merge_forms import FORMS
from varves.protocols.party.options import PartyOptions
from varves.protocols.party.sidecars import FOLDER, STATE, agent_in, path_of, scope_of
from varves.protocols.party.state_file import patched
from varves.protocols.port import Codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.protocols.port import Change, Core, FileRecord, Stock, Touched


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
        return adopting.joined(core, act)

    def adopt(self, core: Core, change: Change, act: Act) -> list[tuple[str, Draft]]:
        """Return the drafts that record one person's change."""
        return adopting.adopted(core, change, act, options=self.options)
