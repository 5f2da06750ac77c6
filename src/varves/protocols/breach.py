"""A finding of `validate` or `doctor` with its severity."""

from __future__ import annotations

from varves.values.answers import Finding

ERROR, WARNING, NOTE = "error", "warning", "note"


class Breach(Finding):
    """A finding with its severity: an error fails `validate`, a warning or a note does not."""

    level: str = ERROR

    @property
    def line(self) -> str:
        """The finding on one line, with the suggested fix."""
        fix = f" ({self.fix})" if self.fix else ""
        return f"{self.place}: {self.message}{fix}"
