"""A system that fails on demand: the `os` and `fcntl` that the store calls, with chosen faults."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Callable
from random import Random
from typing import Any

SHORT = -1  # not a number of an error: a write takes half of its bytes
COUNTED = (
    *("open", "write", "pwrite", "fsync", "ftruncate", "mkdir", "makedirs", "link", "replace"),
    *("unlink", "fstat", "scandir", "flock"),
)


class _Module:
    """A module, each counted call of which is asked for first."""

    def __init__(self, module: Any, faults: Faults) -> None:
        self._module = module
        self._faults = faults

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._module, name)
        if name not in COUNTED:
            return real
        return lambda *args, **kwargs: self._faults.call(name, real, args, kwargs)


class Faults:
    """Counts calls while armed, and lets those fail that a rule picks."""

    def __init__(self) -> None:
        self.os = _Module(os, self)
        self.fcntl = _Module(fcntl, self)
        self.calls: list[str] = []
        self.failed: list[str] = []
        self.before: Callable[[str, tuple[Any, ...]], None] | None = None
        self._pick: Callable[[str, tuple[Any, ...]], int | None] | None = None
        self._short: int | None = None

    def call(self, name: str, real: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """Make one call, or let it fail."""
        if self._pick is None:
            return real(*args, **kwargs)
        self.calls.append(name)
        if self.before is not None:
            self.before(name, args)
        number = self._pick(name, args)
        if number is None:
            return real(*args, **kwargs)
        self.failed.append(name)
        if number == SHORT and name in ("write", "pwrite"):
            return real(args[0], args[1][: len(args[1]) // 2], *args[2:])
        if self._short is not None:
            return real(args[0], args[1][: self._short])
        number = errno.EIO if number == SHORT else number
        raise OSError(number, os.strerror(number))

    def count(self) -> None:
        """Count calls and let none fail."""
        self.arm(lambda name, args: None)

    def fail_nth(self, nth: int, number: int) -> None:
        """Let the n-th counted call fail, whichever it is."""
        self.arm(lambda name, args: number if len(self.calls) == nth else None)

    def fail_some(self, rate: float, chance: Random, numbers: tuple[int, ...]) -> None:
        """Let a share of all calls fail, each in a way of its own."""

        def pick(called: str, args: tuple[Any, ...]) -> int | None:
            if chance.random() >= rate:
                return None
            if called in ("write", "pwrite") and chance.random() < 0.3:
                return SHORT
            return chance.choice(numbers)

        self.arm(pick)

    def fail(self, name: str, number: int, *, times: int = 1, on: str = "") -> None:
        """Let the next calls of one function fail; `on` picks files or folders by descriptor."""
        left = iter(range(times))

        def pick(called: str, args: tuple[Any, ...]) -> int | None:
            if called != name or (on and on != _kind(args[0])):
                return None
            return None if next(left, None) is None else number

        self.arm(pick)

    def shorten(self, size: int) -> None:
        """Let the next write take only so many bytes, as a full disk does first."""
        self.fail("write", errno.ENOSPC)
        self._short = size

    def heal(self) -> None:
        """Let everything work again."""
        self._pick = self._short = self.before = None

    def arm(self, pick: Callable[[str, tuple[Any, ...]], int | None]) -> None:
        """Let each call fail with the number that is picked for it, if one is."""
        self.calls, self.failed, self._short = [], [], None
        self._pick = pick


def _kind(handle: int) -> str:
    return "folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file"
