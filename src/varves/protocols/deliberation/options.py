"""The numbers of the protocol: as published, and settable in the table `[deliberation]`."""

from __future__ import annotations

from varves.protocols.tables import chosen, words
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

EXTRACTORS = ("published", "careful")
_PATTERNS = ("decision_patterns", "proposal_patterns", "support_patterns", "oppose_patterns")
_TEXTS = ("summary_model", "folder")


class DeliberationOptions(Value):
    """What may be set; a name that is left out has the published value."""

    summary_interval: int = 12
    """A summary is made every so many messages."""
    summary_words: int = 200
    """A summary has at most so many words; a longer one is cut at a sentence's end."""
    summary_model: str = "haiku"
    """The model a summary is asked of: a fast, cheap one."""
    summary_tries: int = 3
    """After so many failures of the model a chunk gets an extractive summary."""
    summaries_shown: int = 3
    """The full context gives so many summaries, the last ones."""
    keep_summaries: int = 20
    keep_decisions: int = 50
    keep_proposals: int = 30
    """The state holds so many; the oldest go first, active proposals last."""
    keep_messages: int = 500
    """A bus keeps so many messages."""
    contributions: int = 10
    """So many of an agent's contributions are kept, the last ones."""
    eval_messages: int = 5
    """So many recent messages are shown to an agent that decides whether to speak."""
    response_messages: int = 15
    """So many recent messages are shown to an agent that speaks."""
    quote_chars: int = 50
    """A message that holds so many first characters of a proposal is about it."""
    topic_words: int = 8
    """A topic that nothing marks is the message's first words, so many."""
    context_tokens: int = 0
    """The budget of a context; 0: none but what the bounds give."""
    likeness: float = 0.0
    """From where on a proposal repeats another; 0: as measured, see the page of the protocol."""
    extractor: str = "published"
    folder: str = "deliberations"
    decision_patterns: tuple[str, ...] = ()
    proposal_patterns: tuple[str, ...] = ()
    support_patterns: tuple[str, ...] = ()
    oppose_patterns: tuple[str, ...] = ()
    """Patterns of one's own, beside the published ones."""
    write_through: bool = False
    """Whether counters are recorded with every access, not only when a session ends."""


def _text(value: Any) -> str | None:
    return None if isinstance(value, str) and value.strip() else "a text"


def _extractor(value: Any) -> str | None:
    return None if value in EXTRACTORS else " or ".join(EXTRACTORS)


def options(table: Mapping[str, Any]) -> DeliberationOptions:
    """Read the protocol's table of settings.

    Raises:
        UsageError: a name is unknown, its value is of the wrong kind, or a pattern is none.
    """
    fits = {**dict.fromkeys(_PATTERNS, words), **dict.fromkeys(_TEXTS, _text)}
    fits["extractor"] = _extractor
    made = DeliberationOptions(
        **chosen(
            DeliberationOptions,
            "deliberation",
            table,
            units=("likeness",),
            zero=("context_tokens",),
            fits=fits,
        )
    )
    if any(getattr(made, name) for name in _PATTERNS):
        from varves.protocols.deliberation.patterns import Patterns

        Patterns(made)
    return made
