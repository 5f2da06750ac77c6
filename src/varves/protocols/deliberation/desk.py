"""What the verbs of deliberations share: the conversations of a core, and who may speak there."""

from __future__ import annotations

from varves.commands.intake import statement, word
from varves.errors import Damaged, NotFound, Refused, UsageError
from varves.protocols.deliberation.choice import reader
from varves.protocols.deliberation.codec import DeliberationCodec
from varves.protocols.deliberation.options import EXTRACTORS, options
from varves.protocols.deliberation.reader import Reader
from varves.protocols.sessions import current
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.protocols.deliberation.conversations import Conversation
    from varves.protocols.deliberation.findings import Extractor
    from varves.protocols.port import Core

AGENT, AGENT_TRUST = "agent", 2


class DeliberationDesk:
    """The conversations of one core, with the options and the extractors that read them."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.options = options(core.table)
        self.reader = Reader(core, self.options)
        self.codec = DeliberationCodec(self.reader)
        self.meanings = True
        """Whether proposals are also compared by meaning, if that is available."""
        self.people: frozenset[str] = frozenset()
        """The speakers that are persons; all others are agents."""
        self._extractors: dict[str, Extractor] = {}

    def conversation(self, name: str | None = None) -> Conversation:
        """Return the named conversation, or else the last one started here.

        Raises:
            NotFound: there is none.
        """
        given = name if name is not None else self.core.session
        known = self.reader.all()
        if given is not None:
            if given not in known:
                raise NotFound(f"no conversation {quoted(given)}", "see varves deliberation list")
            return known[given]
        last = current(known.values(), self.core.checkout)
        if last is None:
            raise NotFound("no conversation here", "start one: varves deliberation new")
        return last

    def writable(self, name: str | None) -> Conversation:
        """Return a conversation that can be written: its file must be readable."""
        found = self.conversation(name)
        path = self.codec.path_of(found.name)
        reason = self.core.unreadable.get(path)
        if reason is not None:
            hint = "fix it, or move it elsewhere and it is written again"
            raise Damaged(f"{path} cannot be read: {reason}", hint)
        self.codec.stirred.add(found.name)
        return found

    def act(self, conversation: Conversation, *, agent: bool = False) -> Act:
        """Return the acting context; an agent's message has less trust than a person's."""
        act = self.core.act(session=conversation.name)
        if agent and act.trust > AGENT_TRUST:
            act = act.replace(origin=AGENT, trust=AGENT_TRUST)
        return act

    def agent(self, conversation: Conversation | None, agent: Any, *, anybody: bool = False) -> str:
        """Return the name of a speaker who is allowed to speak."""
        name = word(agent, "agent")
        if name is None:
            raise UsageError("the message has no speaker", "name the agent")
        _, rules = self.core.clean(name)
        if rules:
            raise Refused("an agent's name looks like a secret", "give it another one")
        if conversation is None or anybody:
            return name
        if conversation.agents and name not in conversation.agents:
            there = ", ".join(conversation.agents)
            raise Refused(
                f"{quoted(name)} takes no part in {conversation.name}", f"its agents are {there}"
            )
        return name

    def text(self, text: Any, what: str = "a message needs a text") -> tuple[str, tuple[str, ...]]:
        """Return a text with its secrets masked; `what` is the reason if it is empty."""
        if isinstance(text, str) and not text.strip():
            raise Refused(what, "it cannot be empty")
        said, rules = self.core.clean(statement(text))
        return str(said), rules

    def likeness(self, text: str, others: Sequence[str]) -> list[float] | None:
        """Return the similarity in meaning to each of several texts; None to compare only words."""
        return self.core.likeness(text, others) if self.meanings else None

    def extractor(self, name: str | None) -> Extractor:
        """Return the extractor of a name, by default that of the settings."""
        name = name or self.options.extractor
        if name not in self._extractors:
            if name not in EXTRACTORS:
                raise UsageError(f"no extractor {quoted(name)}", f"use {', '.join(EXTRACTORS)}")
            self._extractors[name] = reader(self.options.replace(extractor=name), self.likeness)
        return self._extractors[name]
