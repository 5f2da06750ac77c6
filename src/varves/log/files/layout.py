"""Defines the paths and names of a log's files.

A segment is `log/2026-11/20261115-<clone6>-<rand10>.jsonl`. A pack is in the same folders and ends
in `.pack.jsonl`. Every name contains new random letters, so two clones never create the same file.
"""

from __future__ import annotations

LOG = "log"
BLOBS = "blobs"
SUFFIX = ".jsonl"
PACK_SUFFIX = ".pack.jsonl"
KEPT_PURGES = "log/own/purges.jsonl"  # the only file of this clone's own purges
MAX_LINES = 1000
MAX_BYTES = 1 << 20


def segment_name(day: str, clone: str, random: str) -> str:
    """Return a segment's name; `day` is written like `2026-11-15`."""
    # An imported event's clone is its writer, which can have any name.
    named = "".join(c if c.isascii() and c.isalnum() else "-" for c in clone[:6])
    return f"{LOG}/{day[:7]}/{day.replace('-', '')}-{named}-{random}{SUFFIX}"


def is_pack(name: str) -> bool:
    """Return whether a file name is the name of a pack."""
    return name.endswith(PACK_SUFFIX)


def blob_name(digest: str) -> str:
    """Return the name of the blob with this SHA-256."""
    return f"{LOG}/{BLOBS}/{digest}"
