"""A finding of `validate` or `doctor` with its weight."""

from __future__ import annotations

from varves.values.answers import Finding

ERROR, WARNING, NOTE = "error", "warning", "note"


class Breach(Finding):
    """A finding with its weight: an error fails `validate`, a warning and a note do not."""

    level: str = ERROR

    @property
    def line(self) -> str:
        """The finding on one line, with what to do about it."""
        fix = f" ({self.fix})" if self.fix else ""
        return f"{self.place}: {self.message}{fix}"
