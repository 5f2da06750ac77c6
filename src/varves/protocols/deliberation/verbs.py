"""The verbs of deliberations, each a few lines over the functions that do its work."""

from __future__ import annotations

from varves.errors import refuse_unknown
from varves.protocols.deliberation import posts, starts, statements, views
from varves.protocols.deliberation.answers import DeliberationFolders, Replayed, Summarised
from varves.protocols.deliberation.desk import DeliberationDesk
from varves.protocols.deliberation.keeper import Kept
from varves.protocols.deliberation.saved_state import encoded, to_json
from varves.protocols.deliberation.state import Message, stats
from varves.protocols.deliberation.validate import validate
from varves.protocols.port import reads, writes
from varves.protocols.protocol import PublishedProtocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from os import PathLike
    from typing import Any

    from varves.protocols.deliberation.answers import (
        AgentContext,
        Answered,
        Begun,
        ConversationPart,
        ListedConversation,
        MessageFinding,
        MessageSaid,
        OfferedProposal,
        ProposalOutcome,
        Restored,
        Ruling,
        Saved,
        Whole,
    )
    from varves.protocols.deliberation.bus import MessageBus
    from varves.protocols.deliberation.demo import Played
    from varves.protocols.deliberation.memory import ConversationMemory
    from varves.protocols.deliberation.state import State, Stats, Summary
    from varves.protocols.deliberation.transcripts import Transcript
    from varves.protocols.port import Core
    from varves.protocols.runner import AgentRunner
    from varves.values.answers import Finding
    from varves.values.memory import Memory

_MORE = {"runner", "id"}
_TOGETHER = 50  # messages of a transcript that are posted under one lock


class Deliberation(PublishedProtocol):
    """Long discussions and their results, on one open ledger."""

    name = "deliberation"

    def __init__(self, core: Core) -> None:
        self.core = core
        self.desk = DeliberationDesk(core)
        self.options = self.desk.options
        self.reader = self.desk.reader
        self.codec = self.desk.codec
        self._memories: dict[str, ConversationMemory] = {}

    @writes
    def init(self) -> DeliberationFolders:
        """Create the folder of the saved states, which git ignores."""
        self.core.begin()
        folders = self.codec.folders
        return DeliberationFolders(created=tuple(self.core.make_folders(folders, folders)))

    # Starting

    @writes
    def begin(
        self,
        name: str | None = None,
        *,
        agents: Sequence[str] = (),
        topic: str | None = None,
        shared: bool = False,
        extractor: str | None = None,
    ) -> Begun:
        """Start a conversation.

        Args:
            name: its name; by default the session's name, or else the date.
            agents: who may speak; by default anyone.
            topic: the topic.
            shared: store it in the project's log for everyone, not only in this clone.
            extractor: the extractor, if not the one of the settings.
        """
        return starts.begin(
            self.desk, name, agents=agents, topic=topic, shared=shared, extractor=extractor
        )

    # Posting

    def say(
        self,
        agent: str,
        text: str,
        *,
        conversation: str | None = None,
        reply_to: str | None = None,
        type: str = "message",
        at: str | None = None,
        **more: Any,
    ) -> MessageSaid:
        """Post one message, and extract its findings.

        Args:
            agent: the speaker.
            text: the text.
            conversation: its name; by default the session's, or else the last one started here.
            reply_to: the message it answers, by number or id.
            type: `system` for a message that expresses no position.
            at: when it was said; by default now.
            more: id, the message's own; runner, which writes the summaries that are due.
        """
        refuse_unknown(more, _MORE, "varves deliberation say --help")
        runner = more.get("runner")
        message = Message(
            agent_id=agent,
            content=text,
            id=more.get("id") or "",
            timestamp=at or "",
            reply_to=None if reply_to is None else str(reply_to),
            type=type,
        )
        said, _ = self.post(conversation, message, summarise=runner is None, strict=True)
        if runner is None:
            return said
        made = self.summarise(conversation=said.conversation, runner=runner)
        self.core.notes += made.failures
        return said.replace(summaries=made.summaries)

    @writes
    def post(
        self, conversation: str | None, message: Message, *, summarise: bool, strict: bool = False
    ) -> tuple[MessageSaid, Message]:
        """Record a message and its findings; return the result and the message as stored.

        Args:
            conversation: its name; None for the current one.
            message: the message, with its speaker.
            summarise: make extractive summaries that are due.
            strict: refuse a reply to a message that the conversation does not have.
        """
        return posts.post(self.desk, conversation, message, summarise=summarise, strict=strict)

    def summarise(
        self,
        *,
        conversation: str | None = None,
        runner: AgentRunner | None = None,
        rest: bool = False,
    ) -> Summarised:
        """Make the summaries that are due; others can post while a runner is asked.

        Args:
            conversation: its name.
            runner: asks a model; without one, sentences of the messages are chosen.
            rest: also summarise the last messages, which are not a full chunk yet.
        """
        name = self._taken_up(conversation)
        memory = self._memory(name)
        before = len(memory.failures)
        made = memory.summarise(runner, rest=rest)
        state = self.state(conversation=name)
        ids = {one.message_range: one for one in state.summaries}
        failed = tuple(f"{one.part} failed: {one.error}" for one in memory.failures[before:])
        return Summarised(
            conversation=name,
            summaries=tuple(ids.get(one.message_range, one) for one in made),
            failures=failed,
            due=len(state.pending),
        )

    @writes
    def _taken_up(self, conversation: str | None) -> str:
        """Return the selected conversation's name, after recording hand edits of its file."""
        return self.desk.writable(conversation).name

    def _memory(self, name: str) -> ConversationMemory:
        """Return the memory of a conversation, cached together with its failures."""
        from varves.protocols.deliberation.memory import ConversationMemory

        if name not in self._memories:
            self._memories[name] = ConversationMemory(
                self.options,
                self.desk.extractor(self.desk.conversation(name).extractor),
                Kept(self, name),
                clock=_Time(self.core),
                ids=self.core.ids,
            )
        return self._memories[name]

    @writes
    def record_summary(self, name: str, summary: Summary) -> tuple[Summary, ...]:
        """Record a given summary, unless its messages were covered in the meantime."""
        return posts.record_summary(self.desk, name, summary)

    @writes
    def resume(self, name: str, state: State) -> None:
        """Load a saved state into a conversation that has no messages yet.

        Raises:
            Refused: the conversation has messages, and the state is not its own.
        """
        starts.resume(self.desk, name, state)

    def bus(
        self, conversation: str | None = None, *, runner: AgentRunner | None = None
    ) -> MessageBus:
        """Return a bus for a conversation; the ledger stores every message."""
        from varves.protocols.deliberation.bus import MessageBus

        return MessageBus(self._memory(self.named(conversation)), runner=runner)

    def replay(
        self,
        messages: Iterable[Message],
        *,
        name: str | None = None,
        progress: Callable[[int], None] | None = None,
        **more: Any,
    ) -> Replayed:
        """Post messages in a new conversation, and return the findings.

        Args:
            messages: the messages, in order.
            name: the name of the conversation.
            progress: is called with the number of messages done.
            more: arguments of `begin`, and runner.
        """
        runner = more.pop("runner", None)
        messages = [
            posts.sayable(self.desk, one)[0] for one in messages
        ]  # before anything is recorded
        begun = self.begin(name, **more)
        found: list[MessageFinding] = []
        summaries: list[Summary] = []
        failures: list[str] = []
        step = 1 if runner is not None else _TOGETHER
        for start in range(0, len(messages), step):
            part = messages[start : start + step]
            for said in self._posted(begun.conversation, part, summarise=runner is None):
                found += said.found
                summaries += said.summaries
            if runner is not None:
                made = self.summarise(conversation=begun.conversation, runner=runner)
                summaries += made.summaries
                failures += made.failures
            if progress is not None:
                progress(start + len(part))
        state = self.state(conversation=begun.conversation)
        return Replayed(
            conversation=begun.conversation,
            messages=state.total,
            found=tuple(found),
            summaries=tuple(summaries),
            stats=stats(state),
            failures=tuple(failures),
        )

    @writes
    def _posted(
        self, name: str, messages: Sequence[Message], *, summarise: bool
    ) -> list[MessageSaid]:
        """Post messages under one lock; the files are rendered after the last one."""
        return posts.post_all(self.desk, name, messages, summarise=summarise)

    @staticmethod
    def transcript(text: str, name: str) -> Transcript:
        """Parse a transcript for `replay`.

        Args:
            text: JSON Lines, or Markdown with `Name: text` lines.
            name: the file's name, which determines the format.
        """
        from varves.protocols.deliberation.transcripts import with_replies

        return with_replies(text, name)

    @staticmethod
    def demonstrate(
        opened: Callable[..., Any],
        model: AgentRunner | None = None,
        *,
        progress: Callable[[int], None] | None = None,
    ) -> tuple[Played, Stats]:
        """Run the scripted conversation in a temporary ledger.

        Args:
            opened: opens a ledger, as `varves.open` does.
            model: speaks for the agents; by default they follow the script.
            progress: is called with the number of messages.
        """
        from varves.protocols.deliberation.demo import demonstrate

        return demonstrate(opened, model, progress=progress)

    # Explicit statements

    @writes
    def decide(
        self,
        topic: str,
        outcome: str,
        *,
        agent: str | None = None,
        support: Sequence[str] = (),
        replaces: str | None = None,
        resolves: str | None = None,
        **more: Any,
    ) -> Ruling:
        """Record a decision.

        Args:
            topic: what it is about.
            outcome: what was decided.
            agent: who stated it.
            support: who else supports it.
            replaces: the decision that it replaces; by default the last on the same topic.
            resolves: the proposal that it accepts.
            more: conversation, its name; again, to record it although it was rejected before.
        """
        return statements.decide(
            self.desk,
            topic,
            outcome,
            agent=agent,
            support=support,
            replaces=replaces,
            resolves=resolves,
            **more,
        )

    @writes
    def propose(
        self, agent: str, text: str, *, conversation: str | None = None, again: bool = False
    ) -> OfferedProposal:
        """Record a proposal.

        Args:
            agent: who proposes it.
            text: the proposal.
            conversation: the name of the conversation.
            again: record it although it was rejected before.

        Raises:
            Rejected: it repeats a rejected proposal, in the same words or in others.
        """
        return statements.propose(self.desk, agent, text, conversation=conversation, again=again)

    @writes
    def react(
        self, agent: str, proposal: str, reaction: str, *, conversation: str | None = None
    ) -> Answered:
        """Record that an agent supports a proposal, opposes it or is neutral.

        Args:
            agent: who reacts.
            proposal: the id of the proposal.
            reaction: support, oppose or neutral; the latest of each agent counts.
            conversation: the name of the conversation.
        """
        return statements.react(self.desk, agent, proposal, reaction, conversation=conversation)

    @writes
    def resolve(
        self,
        proposal: str,
        status: str,
        *,
        successor: str | None = None,
        reason: str | None = None,
        conversation: str | None = None,
    ) -> ProposalOutcome:
        """Record the resolution of a proposal.

        Args:
            proposal: the id of the proposal.
            status: accepted, rejected, modified, or active to reopen it.
            successor: with modified, the proposal that replaces it.
            reason: the reason.
            conversation: the name of the conversation.
        """
        return statements.resolve(
            self.desk,
            proposal,
            status,
            successor=successor,
            reason=reason,
            conversation=conversation,
        )

    # Reading

    @reads
    def named(self, conversation: str | None = None) -> str:
        """Return the name of the selected conversation."""
        return views.named(self.desk, conversation)

    @reads
    def context(
        self,
        agent: str | None = None,
        *,
        conversation: str | None = None,
        budget: int | None = None,
        message: int | None = None,
        as_of: str | None = None,
    ) -> AgentContext:
        """Return the context that an agent needs before it speaks.

        Args:
            agent: the agent whose own position is included.
            conversation: its name; by default the session's, or else the last started here.
            budget: the maximum number of tokens; by default the setting.
            message: the context as it was after this message; the first is 0.
            as_of: the context as it was at a time, after an event, or in a commit.
        """
        return views.context(
            self.desk, agent, conversation=conversation, budget=budget, message=message, as_of=as_of
        )

    @reads
    def brief(
        self,
        *,
        conversation: str | None = None,
        budget: int | None = None,
        message: int | None = None,
        as_of: str | None = None,
    ) -> AgentContext:
        """Return only decisions and active proposals, for deciding whether to speak."""
        return views.context(
            self.desk,
            short=True,
            conversation=conversation,
            budget=budget,
            message=message,
            as_of=as_of,
        )

    @reads
    def state(
        self,
        *,
        conversation: str | None = None,
        message: int | None = None,
        as_of: str | None = None,
    ) -> State:
        """Return a conversation's state as a value; `saved_state.to_json` publishes it."""
        return views.state(self.desk, conversation=conversation, message=message, as_of=as_of)

    @reads
    def stats(
        self,
        *,
        conversation: str | None = None,
        message: int | None = None,
        as_of: str | None = None,
    ) -> Stats:
        """Return the counts of summaries, decisions, active proposals, agents and messages."""
        return views.counts(self.desk, conversation=conversation, message=message, as_of=as_of)

    @reads
    def messages(
        self,
        most: int | None = None,
        *,
        conversation: str | None = None,
        as_of: str | None = None,
    ) -> tuple[Message, ...]:
        """Return the last messages of a conversation, oldest first, or all if `most` is None."""
        return views.messages(self.desk, most, conversation=conversation, as_of=as_of)

    @reads
    def list(self, *, as_of: str | None = None) -> tuple[ListedConversation, ...]:
        """Return the conversations, in order of their start."""
        return views.listed(self.desk, as_of=as_of)

    @reads
    def show(
        self,
        name: str | None = None,
        *,
        conversation: str | None = None,
        message: int | None = None,
        as_of: str | None = None,
    ) -> Whole | ConversationPart:
        """Return a conversation, or one decision, proposal or summary with its messages.

        Args:
            name: the record's id, or the conversation's name; None for the current conversation.
            conversation: where to search for a record that came with an id from elsewhere.
            message: the state as it was after this message.
            as_of: the state as it was at a time.
        """
        return views.show(self.desk, name, conversation=conversation, message=message, as_of=as_of)

    @reads
    def validate(self) -> tuple[Finding, ...]:
        """Return the breaches in the saved states."""
        return validate(self.core, self.desk.codec, self.reader.all())

    def still_says(self, memory: Memory) -> tuple[str, ...]:
        """Return the places at which a conversation still contains the text of a purged record."""
        return views.still_says(self.desk, memory)

    # Saving

    @writes
    def save(self, *, conversation: str | None = None, to: str | None = None) -> Saved:
        """Write a conversation's state to its own folder, or to the given file."""
        return starts.save(self.desk, conversation=conversation, to=to)

    def text(self, *, conversation: str | None = None) -> str:
        """Return a conversation's state as the text of its saved file."""
        return encoded(to_json(self.state(conversation=conversation))).decode()

    def restore(
        self,
        source: str | bytes | PathLike[str] | Mapping[str, Any],
        *,
        name: str | None = None,
        agents: Sequence[str] = (),
        shared: bool = False,
    ) -> Restored:
        """Continue from a saved state, in a new conversation.

        Args:
            source: the file, its content as bytes, or the state itself.
            name: the name of the conversation; by default the session's name, or else the date.
            agents: who may speak; by default anyone.
            shared: store it in the project's log.

        Raises:
            Damaged: the file is not a saved state; it is not changed.
        """
        state = starts.saved_in(self.desk, source)
        return self._restore(state, name=name, agents=agents, shared=shared)

    @writes
    def _restore(
        self, state: State, *, name: str | None, agents: Sequence[str], shared: bool
    ) -> Restored:
        return starts.restore(self.desk, state, name=name, agents=agents, shared=shared)


class _Time:
    """The ledger's clock."""

    fixed = False

    def __init__(self, core: Core) -> None:
        self._core = core

    def now(self) -> int:
        """Return the current time."""
        return self._core.now
