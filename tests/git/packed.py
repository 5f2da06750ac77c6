"""What the tests of packing look at: a log's files, loose and packed, and what they say."""

from __future__ import annotations

from tests.git.scene import Checkout, assert_each_counts_once, assert_index_follows
from varves.log.files.segments import read_lines
from varves.log.files.verify import stored
from varves.places.store import Files


def files(there: Checkout, pattern: str = "*.jsonl") -> set[str]:
    """Return the names of the log's files."""
    return {path.name for path in (there.root / ".varves/log").glob(f"*/{pattern}")}


def only_packs(there: Checkout) -> set[str]:
    return files(there, "*.pack.jsonl")


def loose(there: Checkout) -> set[str]:
    return files(there) - only_packs(there)


def segments(there: Checkout, count: int, *, seed: int = 1) -> None:
    """Write so many committed segments of two events each."""
    for number in range(count):
        for line in range(2):
            there.remember(f"Note {seed}.{number}.{line} of {there.root.name}")
        there.commit(f"{number}")


def all_ids(store: Files) -> set[str]:
    """Read every file of a log as the verbs do that need no index."""
    return {
        event.id
        for name, content in stored(store)
        for event, _ in read_lines(name, content, "project").events
    }


def dumped(there: Checkout) -> str:
    """Check the index against the files and a fold from nothing, and return the dump."""
    assert_each_counts_once(there)
    return assert_index_follows(there.ledger, there.time.ms)
