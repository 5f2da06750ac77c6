"""Entry point of the process: runs a hook or git's merge driver directly, other verbs by `run`."""

from __future__ import annotations

import gc
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_MERGED = 5  # the number of words of a call by git: the verb, three files and a path
_OBJECTS = 20_000  # the number of allocations between garbage collections; most verbs make fewer


def main(argv: Sequence[str] | None = None, *, name: str = "") -> int:
    """Run one verb and return the exit code.

    Args:
        argv: the arguments; by default those of the process.
        name: the command that the user called, if it is not `varves`.
    """
    given = sys.argv[1:] if argv is None else list(argv)
    if given[:1] == ["hook"] and not {"--help", "-h"} & {*given}:
        from varves.cli.hook import hook, hook_alone

        return hook(given[1:]) if argv is not None else hook_alone(given[1:])
    if given[:1] == ["merge-file"] and len(given) == _MERGED and "--help" not in given:
        from varves.merge_driver import settle

        return settle(*given[1:])
    if argv is None:
        gc.set_threshold(_OBJECTS)
    from varves.cli.run import run

    code = run(given, name=name)
    if argv is None:
        gc.freeze()  # the process ends now, so the last garbage collection is skipped
    return code
