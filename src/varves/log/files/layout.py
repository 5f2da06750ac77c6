"""Where a log's files lie and what they are called.

A segment is `log/2026-11/20261115-<clone6>-<rand10>.jsonl`; a pack, in the same folders, ends in
`.pack.jsonl`. Names carry fresh randomness, so two clones never make the same file.
"""

from __future__ import annotations

LOG = "log"
BLOBS = "blobs"
SUFFIX = ".jsonl"
PACK_SUFFIX = ".pack.jsonl"
KEPT_PURGES = "log/own/purges.jsonl"  # the one file of that source
MAX_LINES = 1000
MAX_BYTES = 1 << 20


def segment_name(day: str, clone: str, random: str) -> str:
    """Return a segment's name for a day written `2026-11-15`."""
    # What comes from elsewhere is written too, and a stranger may call itself anything.
    named = "".join(c if c.isascii() and c.isalnum() else "-" for c in clone[:6])
    return f"{LOG}/{day[:7]}/{day.replace('-', '')}-{named}-{random}{SUFFIX}"


def is_pack(name: str) -> bool:
    """Tell whether a file name is a pack's."""
    return name.endswith(PACK_SUFFIX)


def blob_name(digest: str) -> str:
    """Return the name of the blob with this SHA-256."""
    return f"{LOG}/{BLOBS}/{digest}"
