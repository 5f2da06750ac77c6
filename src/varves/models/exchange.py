"""What is asked of a model, where and within which limits, and what comes of it."""

from __future__ import annotations

from varves.values.value import Value


class Site(Value):
    """Where a model is asked, and within which limits."""

    provider: str
    base_url: str | None = None
    timeout: float = 60.0
    retries: int = 2
    backoff: float = 0.5
    """The first pause, in seconds; each further one is twice as long."""
    max_tokens: int = 1024
    max_bytes: int = 1_000_000


class ModelQuestion(Value):
    """What a model is asked."""

    prompt: str
    model: str
    system: str | None = None


class Reply(Value):
    """What a model said."""

    text: str
    model: str | None = None
    tokens: tuple[int, int] | None = None
    """Those of the question and of the answer; None: it did not say."""
    truncated: bool = False
    tries: int = 1
    doubtful: int = 0
    """How many tries before it may have been charged for, though no answer came."""


class Failed(Exception):
    """No answer that can be used came; the message is one word or two."""

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
        """Whether another try may help."""
        self.charged = charged
        """Whether the model may have answered all the same, at a price."""
        self.after = after
        """The seconds the other side wants to be left alone."""
        self.tokens = tokens
        self.tries = 0
        self.doubtful = 0
