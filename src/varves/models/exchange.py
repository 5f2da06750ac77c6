"""A question to a model, its endpoint and limits, and the reply or failure."""

from __future__ import annotations

from varves.values.value import Value


class Site(Value):
    """The HTTP endpoint of a model, and the limits for its use."""

    provider: str
    base_url: str | None = None
    timeout: float = 60.0
    retries: int = 2
    backoff: float = 0.5
    """The pause before the second attempt, in seconds; each further pause is twice as long."""
    max_tokens: int = 1024
    max_bytes: int = 1_000_000


class ModelQuestion(Value):
    """A question to a model."""

    prompt: str
    model: str
    system: str | None = None


class Reply(Value):
    """A model's reply."""

    text: str
    model: str | None = None
    tokens: tuple[int, int] | None = None
    """The numbers of tokens of the question and of the answer; None if they were not reported."""
    truncated: bool = False
    tries: int = 1
    doubtful: int = 0
    """How many earlier attempts may have been charged, although they gave no answer."""


class Failed(Exception):
    """Raised if a model gives no usable answer; the message is the reason in a word or two."""

    def __init__(
        self,
        word: str,
        *,
        again: bool = False,
        charged: bool = False,
        after: float | None = None,
        tokens: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(word)
        self.again = again
        """Whether another attempt may help."""
        self.charged = charged
        """Whether the attempt may have been charged, because the model may have answered."""
        self.after = after
        """The seconds that the server asks to wait; None if it does not ask."""
        self.tokens = tokens
        self.tries = 0
        self.doubtful = 0
