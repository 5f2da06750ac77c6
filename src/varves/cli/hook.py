"""Runs `varves hook` without loading the argument tables."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def hook(words: Sequence[str], *, alone: bool = False) -> int:
    """Run a hook, which parses `words` itself: an argument error must not stop an agent."""
    try:
        code: int = import_module("varves.hosts.hook").run(words, alone=alone)
        return code
    except Exception:  # noqa: BLE001 - a broken installation must not stop it either
        return 0


def hook_alone(words: Sequence[str]) -> int:
    """Run a hook in a process that does nothing else, and end the process at once.

    Garbage collection and interpreter shutdown would take a sixth of the total time.
    """
    gc.disable()
    code = hook(words, alone=True)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            pass
    os._exit(code)
