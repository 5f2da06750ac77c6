"""The door: `varves.open`."""

from __future__ import annotations

import os

from varves import settings
from varves.errors import VarvesError
from varves.ledger.facade import Ledger
from varves.ledger.steady import masked_error
from varves.values.ids import IdSource
from varves.values.instants import FixedClock, SystemClock, instant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.values.instants import Clock


def open(  # noqa: A001, PLR0913 - the door is called varves.open and has its keywords
    root: str | os.PathLike[str] | None = None,
    *,
    home: str | os.PathLike[str] | None = None,
    clock: Clock | None = None,
    actor: str | None = None,
    session: str | None = None,
    mode: str | None = None,
    ids: IdSource | None = None,
    origin: str = "direct",
) -> Ledger:
    """Open the ledger of a folder; nothing is read or made until it is used.

    Args:
        root: the project's folder; by default VARVES_ROOT, the nearest ledger, the git top level,
            or the current folder.
        home: the user-level folder, by default VARVES_HOME or the platform's user data folder.
        clock: where instants come from, by default the system or VARVES_NOW.
        actor: who acts, by default VARVES_ACTOR or USER.
        session: the session things belong to, by default VARVES_SESSION.
        mode: durable (each write is synced), group (threads share a sync) or fast (no sync: the
            newest writes may be lost in a power cut), by default as settings.toml says.
        ids: where identities come from, by default the system's randomness.
        origin: the door things come through, which decides how far they are trusted.
    """
    try:
        chosen = settings.load(
            None if root is None else os.fspath(root),
            home=None if home is None else os.fspath(home),
            actor=actor,
            session=session,
            mode=mode,
        )
        return _opened(chosen, clock, ids, origin=origin)
    except VarvesError as fault:
        raise masked_error(fault) from None


def open_for_hook(root: str, *, actor: str, session: str | None) -> Ledger:
    """Open the ledger of a project for a hook, which makes do with settings that say nothing."""
    return _opened(settings.load(root, actor=actor, session=session, hook=True))


def _opened(
    chosen: settings.Settings,
    clock: Clock | None = None,
    ids: IdSource | None = None,
    *,
    origin: str = "direct",
) -> Ledger:
    if clock is None:
        clock = FixedClock(instant(chosen.now)) if chosen.now else SystemClock()
    return Ledger(chosen, clock, ids or IdSource(), origin=origin)
