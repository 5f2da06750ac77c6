"""A reader of logs written from docs/format.md alone: it imports nothing of ours."""

from __future__ import annotations

import json
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def read_line(line: bytes) -> dict[str, Any]:
    """Check both digests of a line, given without its newline, and parse it."""
    end, purged = line[-143:], b',"purged":true'
    assert end[:6] == b',"c":"'
    assert end[70:77] == b'","h":"'
    assert end[141:] == b'"}'
    c, h = end[6:70].decode(), end[77:141].decode()
    if line[:-143].endswith(purged):
        head = line[: -143 - len(purged)]
    else:
        head, _, rest = line[:-143].partition(b',"data":')
        body, salt = rest[:-42], rest[-42:]
        assert salt[:9] == b',"salt":"'
        assert sha256(bytes.fromhex(salt[9:41].decode()) + body).hexdigest() == c
    assert sha256(head + end[:71] + b"}").hexdigest() == h
    event: dict[str, Any] = json.loads(line)
    assert event["h"] == h
    return event


def segments(folder: Path) -> Iterator[list[dict[str, Any]]]:
    """Yield the events of each segment, those in packs too; a torn tail is skipped."""
    for file in sorted(folder.glob("log/*/*.jsonl")):
        lines = file.read_bytes().split(b"\n")[:-1]
        counts = [len(lines)]
        if file.name.endswith(".pack.jsonl"):
            counts = [count for _, count, _, _ in json.loads(lines.pop(0))["segments"]]
        for count in counts:
            yield [read_line(line) for line in lines[:count]]
            lines = lines[count:]


def precedence(event: dict[str, Any]) -> tuple[bool, bool, str, str, str]:
    """Return the key by which one of several lines with the same id counts."""
    place = (event["hlc"], event["writer"], event["h"])
    return event["trust"] < 2, "purged" not in event, *place


def read_log(folder: Path) -> list[dict[str, Any]]:
    """Return the events of a log in order, each once, after walking the chains."""
    events: dict[str, dict[str, Any]] = {}
    for segment in segments(folder):
        for before, after in pairwise(segment):
            assert (after["writer"], after["seq"]) == (before["writer"], before["seq"] + 1)
            assert after["prev"] == before["h"]
        for event in segment:
            held = events.setdefault(event["id"], event)
            events[event["id"]] = min(held, event, key=precedence)
    return sorted(events.values(), key=lambda e: (e["hlc"], e["writer"], e["id"]))


def text_of(folder: Path, record: dict[str, Any]) -> str:
    """Return what a record says, from its line or from its blob."""
    if "text" in record:
        return str(record["text"])
    content = (folder / "log/blobs" / record["blob"]["sha256"]).read_bytes()
    assert sha256(content).hexdigest() == record["blob"]["sha256"]
    assert len(content) == record["blob"]["bytes"]
    return content.decode()
