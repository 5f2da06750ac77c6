"""The protocol as a whole: one class, made of the groups of its verbs."""

from __future__ import annotations

from varves.protocols.layers.booting import Booting
from varves.protocols.layers.codec import LayersCodec
from varves.protocols.layers.graphing import Graphing
from varves.protocols.layers.options import options
from varves.protocols.layers.remains import Remaining
from varves.protocols.layers.settling import Settling
from varves.protocols.layers.shutdown import Closing
from varves.protocols.layers.validate import Validating

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.protocols.port import Core


class Layers(Booting, Closing, Graphing, Remaining, Settling, Validating):
    """A log in Markdown, and the graph and the context made of it, over one opened ledger."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.codec = LayersCodec()
        options(core.table)
