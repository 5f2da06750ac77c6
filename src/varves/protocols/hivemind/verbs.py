"""The protocol as one class, combined from the groups of its verbs."""

from __future__ import annotations

from varves.protocols import similar
from varves.protocols.hivemind import contradictions, extraction, parsing
from varves.protocols.hivemind.bridged import HivemindBridge
from varves.protocols.hivemind.codec import HivemindCodec
from varves.protocols.hivemind.ending import Ending
from varves.protocols.hivemind.failures import Failing
from varves.protocols.hivemind.handoffs import HandingOver
from varves.protocols.hivemind.options import options
from varves.protocols.hivemind.rollback import RollingBack
from varves.protocols.hivemind.search import Searching
from varves.protocols.hivemind.tasks import Tasks
from varves.protocols.hivemind.validate import HivemindValidation
from varves.protocols.hivemind.writing import EntryVerbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.protocols.hivemind.contradictions import Test
    from varves.protocols.hivemind.extraction import Report
    from varves.protocols.hivemind.parsing import Parsed
    from varves.protocols.port import Core
    from varves.protocols.protocol import ForeignFiles
    from varves.protocols.similar import Measure
    from varves.values.answers import Imported


class Hivemind(
    Ending,
    Failing,
    HandingOver,
    RollingBack,
    HivemindBridge,
    Tasks,
    EntryVerbs,
    Searching,
    HivemindValidation,
):
    """The automatic operations of the protocol, on one open ledger.

    Four callables can be replaced: the parser of tasks, the extraction from a finished task's text,
    the similarity of two texts, and the test for contradictions.
    """

    name = "hivemind"

    def __init__(
        self,
        core: Core,
        *,
        parse: Callable[[str], Parsed] = parsing.parse,
        extract: Callable[[str], Report] = extraction.extract,
        similarity: Measure = similar.similarity,
        contradiction: Test = contradictions.differing,
    ) -> None:
        self.core = core
        self.codec = HivemindCodec(options(core.table))
        self.parse = parse
        self.extract = extract
        self.similarity = similarity
        self.contradiction = contradiction
        self.changes = []

    def take_foreign(self, given: ForeignFiles) -> Imported:
        """Import a folder of memory files."""
        from varves.protocols.hivemind.taking import take_folder

        return take_folder(self.core, self.codec, given)
