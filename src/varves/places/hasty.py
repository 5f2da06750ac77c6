"""Fast mode: a store on the file system that does not wait for the disk.

In this mode a power cut may lose the newest writes. A file that replaces another is still synced,
so that older data is not lost.
"""

from __future__ import annotations

from varves.places.store import Files


class Hasty(Files):
    """A folder of files whose appends survive a crash of the process, but not a power cut."""

    def sync(self, handle: int) -> None:
        """Do nothing: the system decides when the bytes reach the disk."""

    def _sync_folder(self, folder: int) -> None:
        """Do nothing: the system decides when the name of a file reaches the disk."""
