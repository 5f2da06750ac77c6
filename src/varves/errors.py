"""Every error a caller can meet, one class for each condition.

VarvesError                   the base class: `code` (stable), `exit` (exit status), `hint`
├── UsageError                2  the call is malformed
├── Refused                   3  a rule forbids the call; nothing was written
│   ├── Rejected              3  the value was rejected before; `--again` writes it anyway
│   ├── Stale                 3  the memory changed after the event that the caller saw
│   ├── UnsafeName            3  an id or path that could point outside its folder
│   └── Exposed               3  private text would be written where git could track it
├── NotFound                  4  no such memory, event, conflict or ledger
├── Damaged                   5  the store is damaged, unreadable or in a newer format
│   └── NotDurable            5  the disk did not store the bytes; nothing was acknowledged
└── Busy                      6  a lock could not be acquired in time
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


class VarvesError(Exception):
    """An error that is reported to the caller: a message, and a hint that says what to do."""

    code = "error"
    exit = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(VarvesError):
    """The call is malformed."""

    code = "usage"
    exit = 2


class Refused(VarvesError):
    """A rule forbids the call; nothing was written."""

    code = "refused"
    exit = 3


class Rejected(Refused):
    """An earlier event has rejected the value."""

    code = "rejected"


class Stale(Refused):
    """The memory was changed after the event that the caller had seen."""

    code = "stale"


class UnsafeName(Refused):
    """A name that could point outside its folder."""

    code = "unsafe-name"


class Exposed(Refused):
    """Private text would be written where git could track it."""


class NotFound(VarvesError):
    """Nothing has the given id or name."""

    code = "not-found"
    exit = 4


class Damaged(VarvesError):
    """The store is damaged, unreadable or in a newer format; nothing was written."""

    code = "damaged"
    exit = 5


class NotDurable(Damaged):
    """The disk did not store the bytes, so nothing was acknowledged."""

    code = "not-durable"


class Busy(VarvesError):
    """A lock could not be acquired in time; nothing was written."""

    code = "busy"
    exit = 6


def refuse_unknown(options: Iterable[str], known: Collection[str], see: str) -> None:
    """Raise UsageError if an option of a call in Python is unknown; `see` says where they are."""
    if unknown := [name for name in options if name not in known]:
        raise UsageError(f"unknown option {min(unknown)!a}", f"see {see}")
