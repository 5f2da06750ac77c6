"""Rolling summaries: the messages that are due, the prompt for a model, and the stored result.

A chunk of a conversation ends before each multiple of the interval, so that the ranges have no gaps
and no overlaps, even after failures and changes of the interval.
"""

from __future__ import annotations

import re

from varves.protocols.deliberation.extractive import extract
from varves.protocols.deliberation.state import PURGED, Summary
from varves.protocols.runner import ModelAnswer, asked, response_of, waited
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from varves.protocols.deliberation.failures import Failures
    from varves.protocols.deliberation.options import DeliberationOptions
    from varves.protocols.deliberation.state import Message, State
    from varves.protocols.runner import AgentRunner

SYSTEM_PROMPT = "You summarize discussions concisely."
EXTRACTIVE = "extractive"
CUT = "[…]"
"""Marks the end of a summary that was cut."""
ALL_PURGED = "What was said here was purged."
_PROMPT = """\
Summarize this discussion chunk concisely:

{messages}

Focus on:
- Key points raised
- Agreements reached
- Disagreements noted
- Decisions made
- Open questions

Keep it under {words} words."""
_WORD = re.compile(r"\S+")
_SENTENCE_END = re.compile(r"[.!?\u2026\u3002\uff01\uff1f][\"'\u201d\u2019)\]*_`]*$")


class Chunk(Value):
    """A range of messages that is due for a summary."""

    start: int
    end: int
    """The last message, included."""
    messages: tuple[Message, ...]

    @property
    def whole(self) -> tuple[int, int]:
        """The range in the form that a summary uses."""
        return self.start, self.end


def listed(messages: Sequence[Message]) -> str:
    """Return messages in the form used in prompts: `[agent]: content`, separated by blank lines."""
    said = (one for one in messages if one.type != PURGED)
    return "\n\n".join(f"[{one.agent_id}]: {one.content}" for one in said)


def prompt(messages: Sequence[Message], options: DeliberationOptions) -> str:
    """Return the prompt that asks a model to summarise messages."""
    return _PROMPT.format(messages=listed(messages), words=options.summary_words)


def due(state: State, interval: int, *, rest: bool = False) -> tuple[Chunk, ...]:
    """Return the chunks that no summary covers, oldest first.

    Args:
        state: the conversation.
        interval: messages in a full chunk; each chunk begins at a message number that is a
            multiple of it.
        rest: include the last chunk, which is not full yet.
    """
    chunks: dict[int, list[Message]] = {}
    for one in state.pending:
        chunks.setdefault(one.index // interval, []).append(one)
    found = []
    for number, held in sorted(chunks.items()):
        end = (number + 1) * interval - 1
        if end < state.total or rest:
            end = min(end, state.total - 1)
            told = tuple(one for one in held if one.type != PURGED)
            found.append(Chunk(start=held[0].index, end=end, messages=told))
    return tuple(found)


def is_open(state: State, summary: Summary) -> bool:
    """Return whether some messages in a summary's range are not covered yet."""
    start, end = summary.message_range
    return any(start <= one.index <= end for one in state.pending)


def shortened(text: str, words: int, *, cut: bool = False) -> str:
    """Return a text cut to at most `words` words at the end of a sentence, and marked if cut.

    Args:
        text: the text.
        words: the maximum number of words, including the mark.
        cut: the text was cut before, so that its last sentence may be incomplete.
    """
    found = list(_WORD.finditer(text))
    if len(found) <= words and not (cut and not _SENTENCE_END.search(text.rstrip())):
        return text.strip()
    room = min(len(found), max(words - 1, 1))
    for place in range(room, 0, -1):
        end = found[place - 1].end()
        line_ends = "\n" in text[end : found[place].start()] if place < len(found) else False
        if line_ends or _SENTENCE_END.search(found[place - 1][0]):
            return f"{text[:end].strip()} {CUT}"
    return f"{text[: found[room - 1].end()].strip()} {CUT}"


class Summariser:
    """Writes the summary of a chunk with a model, or without one by choosing sentences.

    If the model fails, the chunk gets no summary and is tried again; after `summary_tries` failures
    it gets an extractive one.
    """

    def __init__(
        self, options: DeliberationOptions, failures: Failures, tries: dict[int, int] | None = None
    ) -> None:
        self.options = options
        self._failures = failures
        self._tries = {} if tries is None else tries  # failures, by a chunk's first message

    def write(
        self, chunk: Chunk, state: State, *, runner: AgentRunner | None, now: str
    ) -> Summary | None:
        """Return the summary of a chunk; None if the model failed and may be asked again."""
        content, by = None, EXTRACTIVE
        if not chunk.messages:
            content, runner = ALL_PURGED, None
        if runner is not None and self._tries.get(chunk.start, 0) < self.options.summary_tries:
            content, by = self._asked(chunk, runner)
            if content is None and self._tries.get(chunk.start, 0) < self.options.summary_tries:
                return None
        if content is None:
            by = EXTRACTIVE
            content = extract(chunk.messages, state, words=self.options.summary_words)
        self._tries.pop(chunk.start, None)
        return Summary(timestamp=now, message_range=chunk.whole, content=content, by=by)

    def _asked(self, chunk: Chunk, runner: AgentRunner) -> tuple[str | None, str]:
        options = self.options
        try:
            answer = waited(
                asked(
                    runner.query,
                    prompt=prompt(chunk.messages, options),
                    system_prompt=SYSTEM_PROMPT,
                    model=options.summary_model,
                )
            )
            said = response_of(answer)
        except Exception as error:  # noqa: BLE001 - a runner is third-party code
            self._failures.note(f"summary {chunk.start}-{chunk.end}", error)
            self._tries[chunk.start] = self._tries.get(chunk.start, 0) + 1
            return None, ""
        cut = isinstance(answer, ModelAnswer) and answer.truncated
        return shortened(said, options.summary_words, cut=cut), _by(answer, options)


def _by(answer: Any, options: DeliberationOptions) -> str:
    named = answer.get("model") if isinstance(answer, dict) else getattr(answer, "model", None)
    return named if isinstance(named, str) and named else options.summary_model
