"""The protocol as one class: its verbs are functions of the modules that are named here."""

from __future__ import annotations

from functools import partial

from varves.protocols import similar
from varves.protocols.bridged import DueView, speaking, tied, view_of
from varves.protocols.hivemind import (
    completion,
    contradictions,
    end,
    entry_verbs,
    extraction,
    failures,
    handoffs,
    loaded,
    parts,
    start,
    task_words,
    tasks,
    upkeep,
)
from varves.protocols.hivemind import rollback as rollbacks
from varves.protocols.hivemind import search as searches
from varves.protocols.hivemind import validate as validation
from varves.protocols.hivemind.codec import HivemindCodec
from varves.protocols.hivemind.creators import is_creator
from varves.protocols.hivemind.entries import Wish, scope_of
from varves.protocols.hivemind.options import options
from varves.protocols.port import writes
from varves.values.facets import facets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.protocols.hivemind.contradictions import Test
    from varves.protocols.hivemind.extraction import Report
    from varves.protocols.hivemind.task_words import Parsed
    from varves.protocols.port import Core
    from varves.protocols.protocol import ForeignFiles
    from varves.protocols.similar import Measure
    from varves.values.answers import Imported
    from varves.values.memory import Memory

_SYSTEM = "SYSTEM"


class Hivemind(parts.HivemindWork):
    """The automatic operations of the protocol, on one open ledger.

    Four callables can be replaced: the parser of tasks, the extraction from a finished task's text,
    the similarity of two texts, and the test for contradictions.
    """

    name = "hivemind"

    def __init__(
        self,
        core: Core,
        *,
        parse: Callable[[str], Parsed] = task_words.parse,
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

    # Verbs

    init = start.init
    session_start = start.session_start
    session_end = end.session_end
    task = tasks.task
    done = completion.done
    hear = completion.hear
    error = failures.error
    attempt = failures.attempt
    handoff = handoffs.hand_over
    accept = handoffs.accept
    write = entry_verbs.write
    show = entry_verbs.show
    list = entry_verbs.list_entries
    forget = entry_verbs.forget
    document = loaded.document
    rollback = rollbacks.rollback
    contradict = contradictions.contradict
    maintain = upkeep.maintain
    validate = validation.validate

    def search(
        self,
        query: str,
        *,
        scope: str | None = None,
        team: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        k: int = 10,
    ) -> searches.SearchResult:
        """Find memories by their texts, tags and summaries, including those of low priority.

        Without a scope, a team, an agent or a project, every scope visible to the caller is
        searched.
        """
        place = searches.SearchPlace(scope=scope, team=team, agent=agent, project=project)
        return searches.search(self, query, place, k=k)

    # What the verbs have in common

    acting = parts.acting
    note = parts.note
    enter = parts.enter
    with_errors = parts.with_errors
    link_back = parts.link_back
    ensured = start.ensured
    begins = start.begins
    at_hand = start.at_hand
    finished = start.finished
    worker = start.worker
    detected = start.detected
    held = start.held
    subject_of = completion.subject_of
    mended = failures.mended
    fixed = failures.fixed
    doubted = contradictions.doubted
    candidates = contradictions.candidates
    parted = contradictions.parted
    compared = contradictions.compared
    begun = end.begun
    look_after = upkeep.look_after
    entered = upkeep.entered
    reconciled = upkeep.reconciled
    consolidated = upkeep.consolidated
    arrived = upkeep.arrived
    note_own = upkeep.note_own

    def take_foreign(self, given: ForeignFiles) -> Imported:
        """Import a folder of memory files."""
        from varves.protocols.hivemind.tree_import import take_folder

        compare = partial(upkeep.compared_import, self)
        return take_folder(self.core, self.codec, given, compare=compare)

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
