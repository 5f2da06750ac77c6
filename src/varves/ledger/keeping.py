"""Upkeep as every ledger offers it: making it, judging it, remaking and mending it."""

from __future__ import annotations

from varves.ledger.steady import steady

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from varves.ledger.engine import Engine
    from varves.log.verify import Finding, Verification
    from varves.values.answers import Initialised, Rescued


class Keeping:
    """The methods of a ledger that look after it."""

    _engine: Engine

    @steady
    def init(self, *, protocols: Iterable[str] = (), local: bool = False) -> Initialised:
        """Make the ledger; a second time changes nothing."""
        from varves.ledger import upkeep

        return upkeep.init(self._engine, protocols=tuple(protocols), local=local)

    @steady
    def status(self) -> dict[str, Any]:
        """Return where the ledger stands."""
        from varves.ledger import upkeep

        return upkeep.status(self._engine)

    @steady
    def verify(self, *, deep: bool = False) -> Verification:
        """Read every log whole and say what is damaged and what is not here."""
        from varves.ledger import upkeep

        return upkeep.verify_all(self._engine, deep=deep)

    @steady
    def rebuild(self, *, progress: Callable[[int], None] | None = None) -> dict[str, int]:
        """Throw away everything derived and make it again."""
        from varves.ledger import upkeep

        self._engine.progress = progress
        return upkeep.rebuild(self._engine)

    @steady
    def doctor(self) -> tuple[Finding, ...]:
        """Return what is wrong with this installation, each with its fix."""
        from varves.ledger import upkeep

        return upkeep.doctor(self._engine)

    @steady
    def restore_eaten(self) -> Rescued:
        """Bring back the events that git took from the work tree."""
        from varves.ledger import upkeep

        return upkeep.restore_eaten(self._engine)
