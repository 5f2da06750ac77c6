"""Fast mode: a store on the file system that does not wait for the disk.

In this mode a power cut may lose the newest writes. Files that replace others are still synced, so
that older data is not lost with them.
"""

from __future__ import annotations

from varves.places.store import Files


class Hasty(Files):
    """A store whose appends are only as durable as the kernel's memory."""

    def sync(self, handle: int) -> None:
        """Do nothing; the system decides when the bytes reach the disk."""

    def _sync_folder(self, folder: int) -> None:
        """Do nothing; the system decides when a name reaches the disk."""
