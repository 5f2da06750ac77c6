"""One protocol over one project, at moments of a test's choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import varves as package
from varves.values.instants import FixedClock, instant

if TYPE_CHECKING:
    from pathlib import Path


class Timed:
    """The protocol over one project; time stands still until it is set."""

    protocol: str
    dawn = "2026-01-01T00:00:00Z"

    def __init__(self, root: Path) -> None:
        self.root = root
        self._clock = FixedClock(instant(self.dawn))
        self._ledger: Any = None
        self._given: dict[str, Any] = {}

    @property
    def ledger(self) -> Any:
        """The opened ledger."""
        if self._ledger is None:
            self._ledger = package.open(str(self.root), clock=self._clock, **self._given)
        return self._ledger

    @property
    def verbs(self) -> Any:
        """The protocol's verbs."""
        return getattr(self.ledger, self.protocol)

    def at(self, moment: str) -> Any:
        """Set the time and return the verbs."""
        self._clock.ms = instant(moment)
        return self.verbs

    def again(self, **given: Any) -> Any:
        """Open the ledger anew, as another process would, and return the verbs."""
        self.close()
        self._given = given
        return self.verbs

    def close(self) -> None:
        """Let go of the ledger."""
        if self._ledger is not None:
            self._ledger.close()
            self._ledger = None

    def settings(self, text: str) -> None:
        """Write the table of settings, and open anew."""
        self.close()
        folder = self.root / ".varves"
        folder.mkdir(exist_ok=True)
        (folder / "settings.toml").write_text(f"[{self.protocol}]\n{text}\n", encoding="utf-8")
