"""The protocol as one class, combined from the groups of its verbs."""

from __future__ import annotations

from varves.protocols import similar
from varves.protocols.bridged import Bridged, DueView, speaking, tied, view_of
from varves.protocols.hivemind import contradictions, extraction, parsing
from varves.protocols.hivemind.codec import HivemindCodec
from varves.protocols.hivemind.creators import is_creator
from varves.protocols.hivemind.documenting import Documenting
from varves.protocols.hivemind.end import SessionEnd
from varves.protocols.hivemind.entries import Wish, scope_of
from varves.protocols.hivemind.failures import Failing
from varves.protocols.hivemind.handoffs import HandingOver
from varves.protocols.hivemind.options import options
from varves.protocols.hivemind.rollback import RollingBack
from varves.protocols.hivemind.search import Searching
from varves.protocols.hivemind.tasks import Tasks
from varves.protocols.hivemind.validate import HivemindValidation
from varves.protocols.hivemind.wording import one_line
from varves.protocols.hivemind.writing import EntryVerbs
from varves.protocols.port import writes
from varves.values.facets import facets
from varves.values.memory import TRUSTWORTHY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from varves.protocols.hivemind.contradictions import Action, Test
    from varves.protocols.hivemind.extraction import Report
    from varves.protocols.hivemind.parsing import Parsed
    from varves.protocols.port import Core
    from varves.protocols.protocol import ForeignFiles
    from varves.protocols.similar import Measure
    from varves.values.answers import Imported
    from varves.values.memory import Memory

_SYSTEM = "SYSTEM"


class Hivemind(
    SessionEnd,
    Failing,
    HandingOver,
    RollingBack,
    Bridged,
    Tasks,
    Documenting,
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
        self.seen = set()
        self.named = set()

    def take_foreign(self, given: ForeignFiles) -> Imported:
        """Import a folder of memory files."""
        from varves.protocols.hivemind.taking import take_folder

        return take_folder(self.core, self.codec, given, compare=self._compared_with_ours)

    def _compared_with_ours(self, names: Sequence[str]) -> list[str]:
        """Compare trusted imported memories with the current ones; return the actions taken."""
        found = [one for one in map(self.core.memory, names) if one is not None]
        trusted = [one for one in found if one.trust >= TRUSTWORTHY]
        if not trusted:
            return []
        scopes = tuple(dict.fromkeys((*(one.scope for one in trusted), "global")))
        act = self.core.act(actor="SYSTEM")
        actions = self.compared([one.id for one in trusted], scopes, act, brought=True)
        self.note_own({one.scope for one in trusted})
        return [_line(one) for one in actions]

    # Views of other protocols' records, as entries

    def due(self, record: Memory, category: str) -> tuple[DueView, ...]:
        """Return the views that this protocol should have of a record."""
        return (view_of(record, "hivemind", category),)

    @writes
    def take(self, record: Memory, view: DueView) -> None:
        """Create an entry that shows a record of another protocol."""
        scope = scope_of(self.core, "project")
        act = self.core.act()
        if not (self.options.any_actor or is_creator(act.actor)):
            act = self.core.act(actor=_SYSTEM)
        wish = Wish(
            id=view.id,
            type=facets(view.category)[0],
            subtype=view.category,
            scope=scope,
            content={"text": record.titled},
            tags=record.tags,
            confidence=record.confidence,
            **tied(record),
        )
        self.enter(wish, speaking(act, record))
        self.entered([scope], act)


def _line(action: Action) -> str:
    """Return one line about a contradiction: what was done, both texts, and how to undo it."""
    became = "superseded by" if action.action == "supersede" else "contradicted by"
    pair = (
        f"{action.gives_way} ({one_line(action.gives_way_text)}) is {became}"
        f" {action.stands} ({one_line(action.stands_text)})"
    )
    return f"{pair}: {action.rule}, {action.reason}; undo with `varves undo {action.event}`"
