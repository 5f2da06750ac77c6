"""Upkeep as every ledger offers it: making it, judging it, remaking and mending it."""

from __future__ import annotations

from varves.ledger.steady import steady

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from varves.commands.port import Act
    from varves.ledger.engine import Engine
    from varves.ledger.recorder import Recorder
    from varves.log.verify import Finding, Verification
    from varves.values.answers import Imported, Initialised, Mended, Packed, Rescued


class Keeping:
    """The methods of a ledger that look after it."""

    _engine: Engine

    def _writing(self) -> Recorder:
        raise NotImplementedError

    def _act(self) -> Act:
        raise NotImplementedError

    @property
    def progress(self) -> Callable[[int], None] | None:
        """What is told how many events are done, while many are read; None: nobody."""
        return self._engine.progress

    @progress.setter
    def progress(self, tell: Callable[[int], None] | None) -> None:
        self._engine.progress = tell

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
    def pack(self, *, dry_run: bool = False) -> Packed:
        """Fold closed segments into fewer, larger files; what they say stays the same."""
        from varves.ledger.packing import pack_all

        return pack_all(self._engine, dry_run=dry_run)

    @steady
    def doctor(self) -> tuple[Finding, ...]:
        """Return what is wrong with this installation, each with its fix."""
        from varves.ledger.mending import findings

        return findings(self._engine, self._writing(), self._act())

    @steady
    def restore_eaten(self) -> Rescued:
        """Bring back the events that git took from the work tree."""
        from varves.ledger.mending import restore

        return restore(self._engine, self._writing(), self._act())

    @steady
    def mend(self, *, dry_run: bool = False) -> Mended:
        """Repair what can be repaired, or only say what that would be."""
        from varves.ledger.mending import mend

        return mend(self._engine, self._writing(), self._act(), dry_run=dry_run)

    @steady
    def export(
        self, *, format: str = "jsonl", scope: str | None = None, private: bool = False
    ) -> tuple[str, ...]:
        """Return the memories' events, or the memories as Markdown, line by line."""
        from varves.ledger.exchange import export

        view = self._engine.fresh()
        return tuple(export(self._engine, view, format=format, scope=scope, private=private))

    @steady
    def import_(
        self,
        format: str,
        path: str,
        *,
        trust: bool = False,
        dry_run: bool = False,
        allow_secret: bool = False,
    ) -> Imported:
        """Take in what another ledger exported: its events with `trust`, else what they say."""
        from varves.ledger.importing import Wish, bring_in

        wish = Wish(format=format, path=path, trust=trust, dry_run=dry_run, secret=allow_secret)
        return bring_in(self._engine, self._writing(), self._act(), wish=wish)
