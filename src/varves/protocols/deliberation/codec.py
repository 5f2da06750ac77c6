"""The protocol's files: the state of each conversation, in a folder that git ignores."""

from __future__ import annotations

from varves.errors import VarvesError
from varves.protocols.deliberation import adopting
from varves.protocols.deliberation.conversations import PLAIN, scope_of
from varves.protocols.deliberation.saving import encoded, to_json
from varves.protocols.port import Codec
from varves.protocols.sessions import PROJECT
from varves.values.names import safe_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.protocols.deliberation.reader import Reader
    from varves.protocols.port import Change, Core, FileRecord, Stock, Touched

FILE = "memory.json"


class DeliberationCodec(Codec):
    """The codec of the files below `deliberations`."""

    name = "deliberation"
    kinds = PLAIN

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        folder = reader.options.folder
        self.folders = (folder,)
        self.ignores = (folder,)
        self.stirred: set[str] = set()
        """The conversations in which the current verb recorded something."""

    def path_of(self, name: str) -> str:
        """Return the path of a conversation's saved state."""
        return f"{self.folders[0]}/{name}/{FILE}"

    def conversation_in(self, path: str) -> str | None:
        """Return the conversation whose state file has this path, or None."""
        folder = f"{self.folders[0]}/"
        name, _, rest = path.removeprefix(folder).partition("/")
        if not path.startswith(folder) or rest != FILE:
            return None
        try:
            return safe_name(name, "conversation")
        except VarvesError:
            return None

    def is_state(self, path: str) -> bool:
        """Return whether a file is a conversation's state."""
        return self.conversation_in(path) is not None

    def scope_of(self, path: str) -> str:
        """Return the scope whose log stores a conversation."""
        name = self.conversation_in(path) or ""
        known = self._reader.all().get(name)
        return PROJECT if known is not None and known.shared else scope_of(name)

    def render(self, stock: Stock, touched: Touched | None) -> dict[str, bytes | None]:  # noqa: ARG002
        """Return the states affected by the touched records, or all if `touched` is None."""
        known = self._reader.all()
        names = set(known)
        if touched is not None:
            scopes = set(touched.scopes)
            for one in touched.memories:
                memory = self._reader.core.memory(one)
                scopes |= {memory.scope} if memory is not None else set()
            near = {name for name in known if scope_of(name) in scopes}
            names = near | (self.stirred & names if self.stirred or not touched.events else names)
        self.stirred = set()
        return {self.path_of(name): self._content(name) for name in sorted(names)}

    def _content(self, name: str) -> bytes:
        return encoded(to_json(self._reader.held(name, keep=True).state))

    def parse(self, path: str, content: bytes) -> list[FileRecord]:  # noqa: ARG002 - one format
        """Parse a state file."""
        return adopting.parse(content)

    def adopt(self, core: Core, change: Change, act: Act) -> list[tuple[str, Draft]]:  # noqa: ARG002
        """Return the drafts that record a hand edit."""
        name = self.conversation_in(change.path) or ""
        self.stirred.add(name)
        return adopting.adopted(self._reader, name, change, act=act)
