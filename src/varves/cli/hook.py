"""`varves hook` is run without the tables of arguments, which it does not need."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def hook(words: Sequence[str], *, alone: bool = False) -> int:
    """Answer a hook; its words are its own to read, since none of them may stop an agent."""
    try:
        code: int = import_module("varves.hosts.hook").run(words, alone=alone)
        return code
    except Exception:  # noqa: BLE001 - half an installation must not stop one either
        return 0


def hook_alone(words: Sequence[str]) -> int:
    """Answer a hook in a process that does nothing else, and end it at once.

    To look for garbage, and to take the interpreter apart, are a sixth of the time it takes.
    """
    gc.disable()
    code = hook(words, alone=True)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            pass
    os._exit(code)
