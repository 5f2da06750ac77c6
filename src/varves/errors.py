"""Every error a caller can meet, one class for each condition.

VarvesError                   the one base: `code` (a stable word), `exit` (a status), `hint`
├── UsageError                2  the call itself makes no sense
├── Refused                   3  a rule says no, nothing was written
│   ├── Rejected              3  the value was rejected before; `--again` lifts it
│   ├── Stale                 3  the memory has moved on since the event the caller saw
│   ├── UnsafeName            3  an id or path that could leave its folder
│   └── Exposed               3  private text would lie where git could take it
├── NotFound                  4  no such memory, event, conflict or ledger
├── Damaged                   5  the store is damaged, unreadable or of a newer format
│   └── NotDurable            5  the disk did not take the bytes; nothing was acknowledged
└── Busy                      6  a lock was not had in time
"""

from __future__ import annotations


class VarvesError(Exception):
    """Something a caller must hear about: what happened, and what to do."""

    code = "error"
    exit = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(VarvesError):
    """The call itself makes no sense."""

    code = "usage"
    exit = 2


class Refused(VarvesError):
    """A rule says no, and nothing was written."""

    code = "refused"
    exit = 3


class Rejected(Refused):
    """The value was rejected before."""

    code = "rejected"


class Stale(Refused):
    """The memory has moved on since the event the caller saw."""

    code = "stale"


class UnsafeName(Refused):
    """A name that could leave the folder it is meant for."""

    code = "unsafe-name"


class Exposed(Refused):
    """Private text would be written where git could take it."""


class NotFound(VarvesError):
    """There is nothing by that name."""

    code = "not-found"
    exit = 4


class Damaged(VarvesError):
    """The store is damaged, unreadable or of a newer format; nothing was written."""

    code = "damaged"
    exit = 5


class NotDurable(Damaged):
    """The disk did not take the bytes, so nothing was acknowledged."""

    code = "not-durable"


class Busy(VarvesError):
    """A lock was not had in time; nothing was written."""

    code = "busy"
    exit = 6
