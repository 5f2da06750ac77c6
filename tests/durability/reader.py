"""A second reader of the log, written from the format alone: it shares no code with the package."""

from __future__ import annotations

import json
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

ENVELOPE = "v id hlc time writer seq prev seen protocol session actor cause origin trust kind"
KEYS = [*ENVELOPE.split(), "data", "salt", "c", "h"]


class Segment(NamedTuple):
    """One file of a log: its events, and the bytes after its last newline."""

    path: Path
    events: list[dict[str, Any]]
    torn: bytes


def read_line(line: bytes) -> dict[str, Any]:
    """Read one line, or fail: shape, both digests, and plain ASCII."""
    event = json.loads(line.decode("ascii"))
    head = {key: event[key] for key in (*ENVELOPE.split(), "c")}
    assert event["h"] == sha256(json.dumps(head, separators=(",", ":")).encode()).hexdigest()
    if "purged" in event:
        assert list(event) == [*ENVELOPE.split(), "purged", "c", "h"]
        return event
    assert list(event) == KEYS
    body = json.dumps(event["data"], separators=(",", ":"), sort_keys=True).encode()
    assert event["c"] == sha256(bytes.fromhex(event["salt"]) + body).hexdigest()
    return event


def read_segment(path: Path) -> Segment:
    """Read a segment whole, or fail; only what follows the last newline may be torn."""
    *lines, torn = path.read_bytes().split(b"\n")
    events = [read_line(line) for line in lines]
    for before, event in pairwise(events):
        assert event["writer"] == before["writer"]
        assert (event["seq"], event["prev"]) == (before["seq"] + 1, before["h"])
    return Segment(path, events, torn)


def read_log(root: Path) -> list[Segment]:
    """Read every segment of a project's log, or fail."""
    return [read_segment(path) for path in sorted((root / ".varves/log").glob("*/*.jsonl"))]


def read_private(root: Path) -> list[Segment]:
    """Read every segment of the log beside git's own files, or fail."""
    folder = root / ".git/varves/private/log"
    return [read_segment(path) for path in sorted(folder.glob("*/*.jsonl"))]


def events_of(root: Path) -> list[dict[str, Any]]:
    """Return all events in a project's files, one for each line."""
    return [event for segment in read_log(root) for event in segment.events]
