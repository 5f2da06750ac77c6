"""Looking for what fails, and keeping it: `make torture` searches, `make test` only replays.

`make test` draws the same examples each time and first those kept in `tests/found/examples`. A
search draws at random (profile `deep`) and keeps there what fails. The key of an example is a
digest of its test, so it is lost when the test is changed: write it down as an `@example` as well.
"""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis.database import (
    DirectoryBasedExampleDatabase,
    ExampleDatabase,
    ReadOnlyDatabase,
)
from hypothesis.internal.conjecture import providers

EXAMPLES = Path(__file__).parent / "found" / "examples"
ORDER = os.environ.pop("VARVES_ORDER", "")  # a file to write the order of tests to


def found() -> ExampleDatabase:
    """Return the examples that failed once, to be replayed."""
    return ReadOnlyDatabase(finding())


def finding() -> ExampleDatabase:
    """Return the same, to keep what fails now."""
    return DirectoryBasedExampleDatabase(os.environ.get("VARVES_EXAMPLES", EXAMPLES))


def draw_from_nothing_loaded() -> None:
    """Keep Hypothesis from drawing constants out of our modules that happen to be loaded.

    Which ones are depends on the tests that ran before.
    """
    constants = providers._local_constants  # noqa: SLF001 - there is no public way
    providers._get_local_constants = lambda: constants  # noqa: SLF001 - the same


def note_order(nodeid: str) -> None:
    """Write down that a test is about to run, where somebody asked for the order."""
    if ORDER:
        worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
        with open(f"{ORDER}.{worker}", "a", encoding="utf-8") as file:
            file.write(f"{nodeid}\n")
