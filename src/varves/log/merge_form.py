"""Merges two versions of one segment: the longer one, with every purged line purged.

A segment is written by one lane. Two versions of it differ only if two clones took different
numbers of its lines from a remote, or purged different lines.
"""

from __future__ import annotations

import re

from varves.log.copies import digest_of, is_purged

PATTERN = ".varves/log/*/*.jsonl"
_PATH = re.compile(r"(?:.*/)?\.varves/log/\d{4}-\d\d/[^/]+\.jsonl")


def fits(path: str) -> bool:
    """Return whether a path is that of a file of a project's log."""
    return _PATH.fullmatch(path) is not None


def settled(ours: bytes, theirs: bytes) -> bytes | None:
    """Return the merged bytes; None if neither version is the beginning of the other."""
    mine, yours = ours.split(b"\n"), theirs.split(b"\n")
    long, short = (mine, yours) if len(mine) >= len(yours) else (yours, mine)
    for one, other in zip(short[:-1], long, strict=False):
        if one != other and digest_of(one) != digest_of(other):
            return None
    if short[-1] and not long[len(short) - 1].startswith(short[-1]):
        return None
    purged = {digest_of(line): line for line in (*mine, *yours) if is_purged(line)}
    return b"\n".join(purged.get(digest_of(line), line) for line in long)
