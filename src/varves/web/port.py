"""What the window needs from other surfaces: the verbs' answers, their JSON, and original messages.

The command line implements this port and passes it in, because one surface may not import another.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Protocol

    from varves import Ledger, Memory
    from varves.sessions.originals import OriginalMessage

    class VerbSource(Protocol):
        """The verbs, as the command line runs them."""

        def document(self, ledger: Ledger, verb: str) -> Any:
            """Return what a verb without arguments answers, as plain data."""
            ...

        def twin(
            self, ledger: Ledger, verb: str, asked: Sequence[tuple[str, str]]
        ) -> tuple[int, bytes]:
            """Return (exit code, JSON): what `varves VERB --json` prints, byte for byte.

            Args:
                ledger: the ledger that answers.
                verb: the verb.
                asked: its arguments and options by name, without dashes; a flag has no value.
            """
            ...

        def reads_moments(self, verb: str) -> bool:
            """Return whether a verb takes `--as-of`."""
            ...

        def original(self, ledger: Ledger, memory: Memory) -> OriginalMessage | None:
            """Return the message from which a memory was captured, if its client still has it."""
            ...
