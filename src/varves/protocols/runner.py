"""The interface for questions to a model; any object with its methods can be a runner.

A runner may raise, take long or return nonsense; callers must work without its answer.
"""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    class AgentRunner(Protocol):
        """Asks a model for a text, or whether an agent should speak."""

        def query(
            self, *, prompt: str, system_prompt: str | None = None, model: str | None = None
        ) -> ModelAnswer | dict[str, Any] | str:
            """Return a `ModelAnswer`, a mapping with `response` or `content`, or a text."""
            ...

        def evaluate(self, *, eval_prompt: str) -> Any:
            """Return whether to respond: an `Evaluation`, or a value the caller understands."""
            ...


class Unanswered(Exception):
    """A runner returned no text; the message gives the reason."""


class ModelAnswer(Value):
    """A model's answer and its cost."""

    response: str
    success: bool = True
    model: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    """In US dollars; None if the price is unknown."""
    truncated: bool = False
    """Whether the model stopped because it reached its output limit."""


class Evaluation(Value):
    """Whether an agent should speak now."""

    respond: bool
    reason: str = ""


def asked(call: Callable[..., Any], **given: Any) -> Any:
    """Call a runner with the parameter names that it accepts: ours, the published, or one mapping.

    The result may be awaitable.
    """
    from inspect import Parameter, signature

    try:
        known = signature(call).parameters
    except (TypeError, ValueError):
        return call(**given)
    if any(one.kind is Parameter.VAR_KEYWORD for one in known.values()):
        return call(**given)
    spelled = {_published(name): part for name, part in given.items()}
    fitting = {name: part for name, part in {**given, **spelled}.items() if name in known}
    return call(**fitting) if fitting else call(spelled)


def _published(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def waited(answer: Any) -> Any:
    """Return an answer after awaiting it, if it is awaitable.

    The answer is awaited in a separate event loop. If a loop already runs on this thread, that loop
    is blocked until the answer arrives, and the answer is awaited on another thread.
    """
    if not hasattr(answer, "__await__"):
        return answer
    from asyncio import get_running_loop, run

    async def wait() -> Any:
        return await answer

    try:
        get_running_loop()
    except RuntimeError:
        return run(wait())
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=1) as other:
        return other.submit(lambda: run(wait())).result()


def response_of(answer: Any) -> str:
    """Return the text of an answer, in any of the forms a runner may return.

    Raises:
        Unanswered: the answer has no text.
    """
    if isinstance(answer, ModelAnswer):
        said: Any = answer.response if answer.success else None
    elif isinstance(answer, dict):
        failed = answer.get("success", True) is not True
        said = None if failed else answer.get("response", answer.get("content"))
    else:
        said = getattr(answer, "response", answer)
    if not isinstance(said, str) or not said.strip():
        raise Unanswered("the runner gave no text")
    return said.strip()


def unfenced(said: str) -> str:
    """Return an answer without the code fence that many models put around JSON."""
    lines = said.strip().splitlines()
    if len(lines) > 2 and lines[0].startswith("```") and lines[-1].strip() == "```":
        return "\n".join(lines[1:-1])
    return said
