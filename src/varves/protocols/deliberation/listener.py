"""An agent that listens to a conversation: it evaluates each message, and answers if it should.

It never reacts to its own messages. The listeners of one bus may post at most `max_replies`
messages in a row; then someone who is not a listener has to post first.
"""

from __future__ import annotations

from varves.protocols.deliberation.bus import MESSAGE
from varves.protocols.deliberation.names import PublishedValue
from varves.protocols.deliberation.state import Message
from varves.protocols.deliberation.summaries import listed
from varves.protocols.runner import Evaluation, asked, response_of, waited

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self

    from varves.protocols.deliberation.bus import MessageBus, Notice
    from varves.protocols.runner import AgentRunner

MAX_REPLIES = 10
_EVALUATION = """\
{context}

---
Recent messages:
{messages}

---
Should {name} respond?"""
_SYSTEM = """\
{persona}

## Context from earlier discussion:
{context}"""
_YES = ("respond", "should_respond", "shouldRespond")


class Persona(PublishedValue):
    """The identity of an agent."""

    id: str
    name: str
    system_prompt: str


class AgentListener:
    """One agent on a bus; it reacts automatically between `start` and `stop`."""

    def __init__(
        self,
        persona: Persona,
        bus: MessageBus,
        runner: AgentRunner,
        *,
        max_replies: int = MAX_REPLIES,
    ) -> None:
        self.persona = persona
        self.bus = bus
        self.runner = runner
        self.max_replies = max_replies
        self._unsubscribe: Callable[[], bool] | None = None

    def start(self) -> None:
        """Start listening; a second call has no effect."""
        if self._unsubscribe is None:
            self.bus.floor.join(self.persona.id)
            self._unsubscribe = self.bus.subscribe(MESSAGE, self._heard)

    def stop(self) -> None:
        """Stop listening; an answer that is being generated is not posted."""
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
            self.bus.floor.leave(self.persona.id)

    def evaluate_reaction(self, message: Message | None = None) -> Any:
        """Ask the runner whether this agent should respond, and return its answer."""
        del message  # it is among the recent ones
        return waited(self._evaluated())

    def generate_response(self) -> str:
        """Ask the runner for this agent's response.

        Raises:
            Unanswered: the runner returned no text.
        """
        return response_of(waited(self._answered()))

    async def evaluateReaction(self, message: Message | None = None) -> Any:  # noqa: N802 - published
        """Do the same as `evaluate_reaction`, asynchronously, as published."""
        del message
        return await _awaited(self._evaluated)

    async def generateResponse(self) -> str:  # noqa: N802 - published
        """Do the same as `generate_response`, asynchronously, as published."""
        return response_of(await _awaited(self._answered))

    def _evaluated(self) -> Any:
        prompt = _EVALUATION.format(
            context=self.bus.get_eval_memory_context(),
            messages=listed(self.bus.get_recent_messages(self.bus.options.eval_messages)),
            name=self.persona.name,
        )
        return asked(self.runner.evaluate, eval_prompt=prompt.strip())

    def _answered(self) -> Any:
        system = _SYSTEM.format(
            persona=self.persona.system_prompt,
            context=self.bus.get_memory_context(self.persona.id),
        )
        recent = self.bus.get_recent_messages(self.bus.options.response_messages)
        return asked(self.runner.query, prompt=listed(recent), system_prompt=system.strip())

    def _heard(self, notice: Notice) -> None:
        message = notice.message
        if message.agent_id == self.persona.id or not says_yes(self.evaluate_reaction(message)):
            return
        if not self.bus.floor.take(self.max_replies):
            return
        said = False
        try:
            content = self.generate_response()
            if self._unsubscribe is not None:
                self.bus.add_message(
                    Message(agent_id=self.persona.id, content=content, reply_to=message.id)
                )
                said = True
        finally:
            if not said:
                self.bus.floor.give_back()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


async def _awaited(ask: Callable[[], Any]) -> Any:
    """Ask on another thread, so that a slow runner does not block the loop; await in this loop."""
    from asyncio import to_thread

    answer = await to_thread(ask)
    return await answer if hasattr(answer, "__await__") else answer


def says_yes(evaluation: Any) -> bool:
    """Return whether an evaluation requests a response; an unknown form does not."""
    if isinstance(evaluation, bool):
        return evaluation
    if isinstance(evaluation, Evaluation):
        return evaluation.respond is True
    if isinstance(evaluation, dict):
        return any(evaluation.get(name) is True for name in _YES)
    return any(getattr(evaluation, name, None) is True for name in _YES)
