"""The protocol's options, with the published defaults; the table `[deliberation]` sets them."""

from __future__ import annotations

from varves.protocols.tables import chosen, words
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

EXTRACTORS = ("reader", "published", "careful")  # "careful" is the former name of "reader"
_PATTERNS = ("decision_patterns", "proposal_patterns", "support_patterns", "oppose_patterns")
_TEXTS = ("summary_model", "folder")


class DeliberationOptions(Value):
    """The settings of the protocol; the defaults are the published values."""

    summary_interval: int = 12
    """The number of messages after which a summary is made."""
    summary_words: int = 200
    """The maximum number of words of a summary; a longer one is cut at the end of a sentence."""
    summary_model: str = "haiku"
    """The model for summaries: a fast, cheap one."""
    summary_tries: int = 3
    """The number of failures of the model after which a chunk gets an extractive summary."""
    summaries_shown: int = 3
    """The number of summaries in the full context, the newest ones."""
    earlier_words: int = 150
    """The maximum number of words that a context takes from summaries before those; 0: none."""
    keep_summaries: int = 20
    """The maximum number of summaries in the state; the oldest are dropped first."""
    keep_decisions: int = 0
    keep_proposals: int = 0
    """The same for these; active proposals are dropped last. 0: all are kept, as published."""
    keep_messages: int = 500
    """The maximum number of messages that a bus keeps."""
    contributions: int = 10
    """The maximum number of contributions kept for an agent, the newest ones."""
    eval_messages: int = 5
    """The number of recent messages shown to an agent that decides whether to speak."""
    response_messages: int = 15
    """The number of recent messages shown to an agent that speaks."""
    quote_chars: int = 50
    """A message that contains this many first characters of a proposal is about it."""
    topic_words: int = 8
    """The number of first words of a message that serve as its topic by default."""
    context_tokens: int = 0
    """The budget of a context; 0 means no limit."""
    likeness: float = 0.0
    """The least similarity of a proposal to one it repeats; 0 selects the measured default."""
    extractor: str = "reader"
    """The rules that find decisions and proposals; `published` uses only the published patterns."""
    folder: str = "deliberations"
    decision_patterns: tuple[str, ...] = ()
    proposal_patterns: tuple[str, ...] = ()
    support_patterns: tuple[str, ...] = ()
    oppose_patterns: tuple[str, ...] = ()
    """Additional patterns, used together with the published ones."""
    write_through: bool = False
    """Whether counters are recorded with every access instead of at the end of a session."""


def _text(value: Any) -> str | None:
    return None if isinstance(value, str) and value.strip() else "a text"


def _extractor(value: Any) -> str | None:
    return None if value in EXTRACTORS else " or ".join(EXTRACTORS)


def options(table: Mapping[str, Any]) -> DeliberationOptions:
    """Read the protocol's table of settings.

    Raises:
        UsageError: a name is unknown, a value has the wrong type, or a pattern is not valid.
    """
    fits = {**dict.fromkeys(_PATTERNS, words), **dict.fromkeys(_TEXTS, _text)}
    fits["extractor"] = _extractor
    made = DeliberationOptions(
        **chosen(
            DeliberationOptions,
            "deliberation",
            table,
            units=("likeness",),
            zero=("context_tokens", "earlier_words", "keep_decisions", "keep_proposals"),
            fits=fits,
        )
    )
    if any(getattr(made, name) for name in _PATTERNS):
        from varves.protocols.deliberation.patterns import Patterns

        Patterns(made)
    return made
