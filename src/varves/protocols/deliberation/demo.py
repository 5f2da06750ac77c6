"""A demonstration: three agents with scripted lines, each asked in turn whether it speaks now.

The lines are in `demo.jsonl`. An agent sees only the published prompts, as a model would, and
decides from them whether its line is next.
"""

from __future__ import annotations

import json
from importlib.resources import files

from varves.protocols.deliberation.listener import AgentListener, Persona, says_yes
from varves.protocols.deliberation.state import Message
from varves.protocols.runner import Evaluation, ModelAnswer
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from varves.protocols.deliberation.bus import MessageBus
    from varves.protocols.deliberation.state import Stats
    from varves.protocols.runner import AgentRunner

TOPIC = "How do we handle each webhook of the payment provider once?"
LOOKS = (24, 60, 97)
"""The numbers of messages after which the next speaker's context is shown."""
CAST = {
    "mara": "You are Mara, who wrote the order service. You care about code that is easy to test.",
    "tomas": "You are Tomas from operations. You care about nights without a call.",
    "yuki": "You are Yuki, who leads support. You speak for the customers.",
}
CONVERSATION = "webhooks"
_MARK = "Recent messages:"


class Look(Value):
    """The context of one agent at one point."""

    messages: int
    """The number of messages at that point."""
    agent: str
    text: str


class ScriptLine(Value):
    """One line of the script."""

    agent: str
    content: str
    reply_to: int | None = None
    """The number of the line that it answers."""


class Played(Value):
    """The result of a run."""

    messages: int
    evaluations: int
    """How often an agent was asked whether it speaks."""
    agreed: int
    """How often the answer agreed with the script."""
    looks: tuple[Look, ...]
    failures: int = 0
    """How often a model returned no summary."""


class Scripted:
    """A runner that speaks an agent's next line once the line before it is shown."""

    def __init__(self, agent: str, lines: Sequence[ScriptLine]) -> None:
        self._agent = agent
        self._lines = lines

    def _next(self, shown: str) -> ScriptLine | None:
        """Return the line after the last one shown, if it is this agent's."""
        places = [at for at, line in enumerate(self._lines) if line.content in shown]
        after = max(places, default=-1) + 1
        line = self._lines[after] if after < len(self._lines) else None
        return line if line is not None and line.agent == self._agent else None

    def evaluate(self, *, eval_prompt: str) -> Evaluation:
        """Answer yes if the next line is this agent's."""
        return Evaluation(respond=self._next(eval_prompt.partition(_MARK)[2]) is not None)

    def query(
        self, *, prompt: str, system_prompt: str | None = None, model: str | None = None
    ) -> ModelAnswer:
        """Speak the next line."""
        del system_prompt, model
        line = self._next(prompt)
        return ModelAnswer(response=line.content if line else "", success=line is not None)


class Advised(Scripted):
    """A runner that asks a model whether to speak; the lines still come from the script."""

    def __init__(self, agent: str, lines: Sequence[ScriptLine], model: AgentRunner) -> None:
        super().__init__(agent, lines)
        self._model = model

    def evaluate(self, *, eval_prompt: str) -> Any:
        """Ask the model."""
        return self._model.evaluate(eval_prompt=eval_prompt)


def script() -> list[ScriptLine]:
    """Return the lines, in order."""
    text = files(__package__).joinpath("demo.jsonl").read_text(encoding="utf-8")
    return [ScriptLine(**json.loads(line)) for line in text.splitlines()]


def play(
    bus: MessageBus,
    *,
    model: AgentRunner | None = None,
    progress: Callable[[int], None] | None = None,
) -> Played:
    """Run the scripted conversation over a bus to its end."""
    lines = script()
    listeners = {agent: _listener(agent, lines, bus, model) for agent in CAST}
    posted: list[Message] = []
    looks: list[Look] = []
    asked = agreed = 0
    for number, line in enumerate(lines):
        if posted:
            for agent, listener in listeners.items():
                if agent != posted[-1].agent_id:
                    asked += 1
                    agreed += _speaks(listener, posted[-1]) == (agent == line.agent)
        if number in LOOKS:
            looks.append(_look(bus, number, line.agent))
        said = listeners[line.agent].generate_response() if posted else line.content
        answered = posted[line.reply_to].id if line.reply_to is not None else None
        posted.append(
            bus.add_message(Message(agent_id=line.agent, content=said, reply_to=answered))
        )
        bus.drain()  # so that every run gives the same contexts
        if progress is not None:
            progress(number + 1)
    looks += [_look(bus, len(lines), agent) for agent in CAST]
    return Played(
        messages=len(lines),
        evaluations=asked,
        agreed=agreed,
        looks=tuple(looks),
        failures=len(bus.failures),
    )


def _listener(
    agent: str, lines: Sequence[ScriptLine], bus: MessageBus, model: AgentRunner | None
) -> AgentListener:
    runner = Scripted(agent, lines) if model is None else Advised(agent, lines, model)
    persona = Persona(id=agent, name=agent.capitalize(), system_prompt=CAST[agent])
    return AgentListener(persona, bus, runner)


def _speaks(listener: AgentListener, message: Message) -> bool:
    """Return whether an agent wants to speak; a model that fails to answer does not."""
    try:
        return says_yes(listener.evaluate_reaction(message))
    except Exception:  # noqa: BLE001 - any failure of a runner must not stop the conversation
        return False


def _look(bus: MessageBus, number: int, agent: str) -> Look:
    return Look(messages=number, agent=agent, text=bus.get_memory_context(agent))


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
        progress: is called with the number of messages so far.
    """
    from tempfile import TemporaryDirectory

    with (
        TemporaryDirectory(prefix="varves-demo-") as folder,
        opened(folder, home=folder, actor="demo", mode="fast") as ledger,
    ):
        ledger.deliberation.begin(CONVERSATION, agents=tuple(CAST), topic=TOPIC)
        with ledger.deliberation.bus(CONVERSATION, runner=model) as bus:
            played = play(bus, model=model, progress=progress)
            return played, ledger.deliberation.stats(conversation=CONVERSATION)
