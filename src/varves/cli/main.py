"""Where a process starts: with a hook, or with any other verb."""

from __future__ import annotations

import gc
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_OBJECTS = 20_000  # made between two looks for garbage; most verbs make fewer


def main(argv: Sequence[str] | None = None, *, name: str = "") -> int:
    """Run one verb and return the exit code.

    Args:
        argv: the words; by default those of the process.
        name: the command by which a person called the verb, where that is not `varves`.
    """
    given = sys.argv[1:] if argv is None else list(argv)
    if given[:1] == ["hook"] and not {"--help", "-h"} & {*given}:
        from varves.cli.hook import hook, hook_alone

        return hook(given[1:]) if argv is not None else hook_alone(given[1:])
    if argv is None:
        gc.set_threshold(_OBJECTS)
    from varves.cli.run import run

    code = run(given, name=name)
    if argv is None:
        gc.freeze()  # the process ends: its last looks for garbage are not worth their time
    return code
