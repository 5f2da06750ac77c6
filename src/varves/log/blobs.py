"""Reads blobs: files with texts that are too long for a line.

`git checkout` writes the log's lines (in segments) before the blobs, so a process that reads the
log in the meantime does not find the blob.
"""

from __future__ import annotations

from varves.log.sources import log_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from varves.log.port import Source


def find_blob(sources: Iterable[Source], log: str, digest: str) -> bytes | None:
    """Return a blob's bytes from the first source of a log that has the blob.

    None if none has it.
    """
    found = (source.blob(digest) for source in sources if log_of(source.key) == log)
    return next((content for content in found if content is not None), None)
