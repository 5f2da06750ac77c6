"""The protocol as one class: starting, posting in, saving and continuing conversations."""

from __future__ import annotations

import json

from varves.commands.intake import word
from varves.errors import Damaged, NotFound, Refused, UsageError
from varves.protocols.deliberation.answers import (
    Begun,
    DeliberationFolders,
    Replayed,
    Restored,
    Saved,
    Summarised,
)
from varves.protocols.deliberation.codec import DeliberationCodec
from varves.protocols.deliberation.conversations import Conversation, scope_of
from varves.protocols.deliberation.keeping import Kept
from varves.protocols.deliberation.options import EXTRACTORS, options
from varves.protocols.deliberation.reader import Reader
from varves.protocols.deliberation.restoring import drafts_of
from varves.protocols.deliberation.saving import checked, encoded, from_json, parsed, to_json
from varves.protocols.deliberation.state import Message, stats, written
from varves.protocols.deliberation.stating import Stating
from varves.protocols.deliberation.telling import Telling
from varves.protocols.port import writes
from varves.protocols.sessions import PRIVATE, PROJECT, STARTED, draft, fold
from varves.protocols.unreadable import Unreadable
from varves.values.instants import iso
from varves.values.names import safe_name
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from os import PathLike
    from typing import Any

    from varves.events.event import Draft
    from varves.protocols.deliberation.answers import MessageFinding, MessageSaid
    from varves.protocols.deliberation.bus import MessageBus
    from varves.protocols.deliberation.demo import Played
    from varves.protocols.deliberation.findings import Extractor
    from varves.protocols.deliberation.memory import ConversationMemory
    from varves.protocols.deliberation.state import State, Stats, Summary
    from varves.protocols.deliberation.transcripts import Transcript
    from varves.protocols.port import Core
    from varves.protocols.runner import AgentRunner

_MORE = {"runner", "id"}
_DATE = 10
_TOGETHER = 50  # messages of a transcript that are posted under one lock


class Deliberation(Telling, Stating):
    """Long discussions and their results, on one open ledger."""

    name = "deliberation"

    def __init__(self, core: Core) -> None:
        self.core = core
        self.options = options(core.table)
        self.reader = Reader(core, self.options)
        self.codec = DeliberationCodec(self.reader)
        self._extractors: dict[str, Extractor] = {}
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
        if extractor not in (None, *EXTRACTORS):
            raise UsageError(f"no extractor {quoted(extractor)}", f"use {', '.join(EXTRACTORS)}")
        about, _ = self.core.clean(word(topic, "topic"))
        named, log = self._name(name), PROJECT if shared else PRIVATE
        speakers = self._speakers(agents)
        self.extractor(extractor)  # checks the patterns of the settings first
        started = self._started(named, speakers, topic=about, shared=shared, extractor=extractor)
        with self.core.deciding(log):
            self._refuse_known(named)
            made = fold(Conversation, self.core.append(log, [started]))
        self.codec.stirred.add(named)
        return self._begun(made[0])

    def _started(self, name: str, agents: Sequence[str], *, shared: bool, **more: Any) -> Draft:
        content = {"agents": list(agents), "shared": shared or None, **more}
        return draft(self.core, self.core.act(session=name), STARTED, content)

    def _begun(self, made: Conversation) -> Begun:
        return Begun(
            conversation=made.name,
            event=made.start,
            path=self.codec.path_of(made.name),
            agents=made.agents,
            topic=made.topic,
            shared=made.shared,
            extractor=made.extractor or self.options.extractor,
        )

    def _name(self, given: Any) -> str:
        """Return the name of a new conversation."""
        given = given if given is not None else self.core.session
        if given is not None:
            name = safe_name(word(given, "name") or "", "conversation")
            if self.core.clean(name)[1]:
                raise Refused("a conversation's name looks like a secret", "give it another one")
            return name
        day = iso(self.core.now)[:_DATE]
        known = {name.casefold() for name in self.reader.all()}
        number = 2
        name = day
        while name in known:
            name, number = f"{day}-{number}", number + 1
        return name

    def _refuse_known(self, name: str) -> None:
        """Refuse a name that is already used, ignoring case."""
        known = {one.casefold(): one for one in self.reader.all()}
        held = known.get(name.casefold())
        if held is not None:
            raise Refused(f"there is already a conversation {quoted(held)}", "give it another name")
        if self.core.memories(scope=scope_of(name)):
            raise Refused(f"{quoted(name)} already has memories", "give it another name")
        path = self.codec.path_of(name)
        if path in self.core.unreadable:
            reason = self.core.unreadable[path]
            raise Damaged(f"{path} cannot be read: {reason}", "fix it, or move it elsewhere")

    def _speakers(self, agents: Sequence[str]) -> tuple[str, ...]:
        given = (agents,) if isinstance(agents, str) else tuple(agents)
        found = []
        for one in given:
            name = word(one, "agent")
            if name is None or self.core.clean(name)[1]:
                raise Refused("an agent's name looks like a secret", "give it another one")
            found.append(name.strip())
        return tuple(dict.fromkeys(found))

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
        if unknown := more.keys() - _MORE:
            raise UsageError(f"unknown option {min(unknown)!a}", "see varves deliberation say")
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
        return self._writable(conversation).name

    def _memory(self, name: str) -> ConversationMemory:
        """Return the memory of a conversation, cached together with its failures."""
        from varves.protocols.deliberation.memory import ConversationMemory

        if name not in self._memories:
            self._memories[name] = ConversationMemory(
                self.options,
                self.extractor(self.conversation(name).extractor),
                Kept(self, name),
                clock=_Time(self.core),
                ids=self.core.ids,
            )
        return self._memories[name]

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
        messages = [self.sayable(one)[0] for one in messages]  # before anything is recorded
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
        conversation = self._writable(name)
        with self.core.deciding(conversation.log), self.reader.alone(name):
            return [self.post(name, one, summarise=summarise)[0] for one in messages]

    # Saving

    @writes
    def save(self, *, conversation: str | None = None, to: str | None = None) -> Saved:
        """Write a conversation's state to its own folder, or to the given file."""
        found = self._writable(conversation)
        content = encoded(to_json(self.reader.held(found.name, keep=True).state))
        path = self.codec.path_of(found.name)
        if to is not None:
            path = str(to)
            before = self.core.read_paper(path)
            if before is not None:
                _refuse_foreign(path, before)
            self.core.write_paper(path, content)
        return Saved(conversation=found.name, path=path, bytes=len(content))

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
        state = self._saved(source)
        return self._restore(state, name=name, agents=agents, shared=shared)

    def _saved(self, source: Any) -> State:
        if not isinstance(source, str | bytes) and hasattr(source, "keys"):
            return checked(json.loads(json.dumps(dict(source), default=written)))
        path = "the text" if isinstance(source, bytes) else str(source)
        content = source if isinstance(source, bytes) else self.core.read_paper(path)
        if content is None:
            raise NotFound(f"no file {quoted(path)}", "name a saved state")
        try:
            return checked(parsed(content))
        except (Unreadable, UsageError) as reason:
            raise Damaged(f"{path} is not a saved state: {reason}", "it was not changed") from None

    @writes
    def _restore(
        self, state: State, *, name: str | None, agents: Sequence[str], shared: bool
    ) -> Restored:
        masked, _ = self.core.clean(to_json(state))
        named, log = self._name(name), PROJECT if shared else PRIVATE
        started = self._started(named, self._speakers(agents), shared=shared)
        act = self.core.act(session=named)
        with self.core.deciding(log):
            self._refuse_known(named)
            drafts = drafts_of(self.core, named, from_json(masked), act=act)
            # The start comes last, so that an append cut short by a crash makes no conversation.
            events = self.core.append(log, [*drafts, started])
        self.codec.stirred.add(named)
        return Restored(
            conversation=named,
            event=events[-1].id,
            path=self.codec.path_of(named),
            stats=stats(self.reader.held(named, keep=True).state),
        )

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


class _Time:
    """The ledger's clock."""

    fixed = False

    def __init__(self, core: Core) -> None:
        self._core = core

    def now(self) -> int:
        """Return the current time."""
        return self._core.now


def _refuse_foreign(path: str, content: bytes) -> None:
    """Refuse to overwrite a file that is not a saved state."""
    try:
        if "summaries" in parsed(content):
            return
    except Unreadable:
        pass
    raise Refused(f"{path} exists and is not a saved state", "name another file")
