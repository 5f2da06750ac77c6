"""The memory of a conversation: it processes messages and returns the context for agents.

Without a keeper, the memory exists only in the process. With a keeper, a ledger stores the
conversation, and every other process of the project sees the messages.
"""

from __future__ import annotations

from threading import RLock

from varves.errors import Refused, UsageError
from varves.protocols.deliberation import context, summaries, transitions
from varves.protocols.deliberation.choice import reader
from varves.protocols.deliberation.failures import Failures
from varves.protocols.deliberation.names import published, spelled
from varves.protocols.deliberation.options import DeliberationOptions
from varves.protocols.deliberation.options import options as read_options
from varves.protocols.deliberation.saved_state import checked, to_json
from varves.protocols.deliberation.state import Message, State, stats
from varves.values.ids import IdSource
from varves.values.instants import SystemClock, iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from varves.protocols.deliberation.failures import Failure
    from varves.protocols.deliberation.findings import Extractor
    from varves.protocols.deliberation.repeats import Likeness
    from varves.protocols.deliberation.state import (
        AgentState,
        ConversationDecision,
        Proposal,
        Stats,
        Summary,
    )
    from varves.protocols.runner import AgentRunner
    from varves.values.instants import Clock

    class Keeper(Protocol):
        """A conversation stored in a ledger; each call is atomic across processes."""

        def state(self) -> State:
            """Return the current state of the conversation."""
            ...

        def now(self) -> int:
            """Return the current time, in milliseconds."""
            ...

        def post(self, message: Message) -> Message:
            """Record a message and its findings; return it with its index and id."""
            ...

        def record_summary(self, summary: Summary) -> Summary | None:
            """Record a summary and return it; None if its messages are already covered."""
            ...

        def restore(self, state: State) -> State:
            """Continue from a saved state."""
            ...

        def recent(self, most: int) -> tuple[Message, ...]:
            """Return the last messages, from all processes."""
            ...

        def tries(self) -> dict[int, int]:
            """Return how often a model failed, by a chunk's first message."""
            ...


@published
class ConversationMemory:
    """The state of a conversation; thread-safe.

    `likeness` returns how similar in meaning a text is to each of several others, from 0 to 1.
    Without it, repeated ideas are recognised only by their words.
    """

    def __init__(
        self,
        options: DeliberationOptions | Mapping[str, Any] | None = None,
        extractor: Extractor | None = None,
        keeper: Keeper | None = None,
        *,
        clock: Clock | None = None,
        ids: IdSource | None = None,
        likeness: Likeness | None = None,
    ) -> None:
        if options is None:
            options = DeliberationOptions()
        self.options = (
            options if isinstance(options, DeliberationOptions) else read_options(options)
        )
        self._extractor = extractor or reader(self.options, likeness)
        self._keeper = keeper
        self._now = (clock or keeper or SystemClock()).now
        self._ids = ids or IdSource()
        self._lock = RLock()
        self._state = State()
        self.failed = Failures()
        self._summariser = summaries.Summariser(
            self.options, self.failed, None if self._keeper is None else self._keeper.tries()
        )

    @property
    def state(self) -> State:
        """The current memory, as a value."""
        if self._keeper is None:
            return self._state
        with self._lock:
            return self._keeper.state()

    @property
    def summaries(self) -> tuple[Summary, ...]:
        """The summaries that the state contains."""
        return self.state.summaries

    @property
    def decisions(self) -> tuple[ConversationDecision, ...]:
        """The decisions that the state contains."""
        return self.state.decisions

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """The proposals that the state contains."""
        return self.state.proposals

    @property
    def agent_states(self) -> dict[str, AgentState]:
        """The position and the contributions of each agent."""
        return self.state.agent_states

    @property
    def is_shared(self) -> bool:
        """Whether other processes can post to the same conversation."""
        return self._keeper is not None

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The failures so far, oldest first; none of them stopped the conversation."""
        return self.failed.all()

    def process_message(self, message: Message | Mapping[str, Any]) -> Message:
        """Process a message; return it as stored, with its id, index and time.

        Args:
            message: a message, or a mapping with its published keys.

        Raises:
            Refused: the message has no agent or no text.
        """
        said: Message = as_message(message)
        check(said)
        with self._lock:
            if self._keeper is not None:
                return self._keeper.post(said)
            posted = said.replace(
                id=said.id or f"msg_{self._ids.word(12)}",
                timestamp=said.timestamp or iso(self._now()),
                index=self._state.total,
            )
            found = self._extractor.read(posted, self._state)
            self._state = transitions.after(
                self._state, posted, found, make_id=self._ids.memory, options=self.options
            )
            return posted

    def summary_is_due(self, message: Message) -> bool:
        """Return whether the count after a message is a multiple of the interval."""
        return (message.index + 1) % self.options.summary_interval == 0

    def summarise(
        self, runner: AgentRunner | None = None, *, rest: bool = False
    ) -> tuple[Summary, ...]:
        """Make the summaries that are due and return them.

        A chunk whose runner failed stays due; after `summary_tries` failures it gets an extractive
        summary, as every chunk does without a runner. Messages are still accepted while a runner is
        asked.

        Args:
            runner: asks a model.
            rest: also summarise the last messages, which are not a full chunk yet.
        """
        made = []
        for chunk in summaries.due(self.state, self.options.summary_interval, rest=rest):
            now = iso(self._now())
            summary = self._summariser.write(chunk, self.state, runner=runner, now=now)
            if summary is None:
                break  # later chunks wait, so that summaries stay in order
            kept = self._record(summary)
            if kept is not None:
                made.append(kept)
        return tuple(made)

    def _record(self, summary: Summary) -> Summary | None:
        """Store a summary, unless its messages were covered in the meantime."""
        with self._lock:
            if not summaries.is_open(self.state, summary):
                return None
            if self._keeper is None:
                named = summary.replace(id=self._ids.memory())
                self._state = transitions.summarised(self._state, named, self.options)
                return named
            return self._keeper.record_summary(summary)

    def recent(self, most: int) -> tuple[Message, ...]:
        """Return the last messages; without a keeper, only those not summarised yet."""
        if self._keeper is None:
            return self._state.pending[-most:]
        with self._lock:
            return self._keeper.recent(most)

    def get_memory_context(self, agent: str | None = None) -> str:
        """Return the full context; for an agent it includes its previous position."""
        return context.full(self.state, agent, self.options)

    def get_brief_context(self) -> str:
        """Return only decisions and active proposals, for a quick evaluation."""
        return context.brief(self.state, self.options)

    def get_state(self) -> dict[str, Any]:
        """Return the memory with its published keys, ready for JSON."""
        return to_json(self.state)

    def get_stats(self) -> Stats:
        """Return the counts of the memory's records."""
        return stats(self.state)

    get_memory_state, get_memory_stats = get_state, get_stats

    def restore(self, state: State | Mapping[str, Any]) -> None:
        """Continue from a saved state; keys that an older state lacks get defaults."""
        held = state if isinstance(state, State) else checked(state)
        with self._lock:
            if self._keeper is not None:
                self._keeper.restore(held)
            else:
                self._state = transitions.bounded(held, self.options)
            self._summariser = summaries.Summariser(
                self.options, self.failed, None if self._keeper is None else self._keeper.tries()
            )

    restore_memory = restore


def as_message(given: Any) -> Any:
    """Return a message that is given as a mapping with its published keys; others unchanged."""
    if isinstance(given, Message) or not hasattr(given, "keys"):
        return given
    found = spelled(given, Message)
    return Message(**found) if found.keys() >= {"agent_id", "content"} else given


def check(message: Any) -> None:
    """Check that a message has an agent and a text.

    Raises:
        Refused: one of them is empty.
        UsageError: it is not a message.
    """
    said = (message.agent_id, message.content) if isinstance(message, Message) else (None,)
    if not all(isinstance(one, str) for one in said):
        raise UsageError("not a message", "give a Message with agent_id and content as texts")
    if not message.agent_id.strip():
        raise Refused("a message needs an agent", "name the speaker")
    if not message.content.strip():
        raise Refused("a message needs a text", "it cannot be empty")
