"""Fast mode: the file system as a log store that does not wait for the disk.

Whoever chooses it accepts that a power cut may take the newest writes. Files that take the place of
others are synced all the same: what was safe before must not be lost with them.
"""

from __future__ import annotations

from varves.places.store import Files


class Hasty(Files):
    """A store whose appends are as safe as the kernel's memory."""

    def sync(self, handle: int) -> None:
        """Leave it to the system when the bytes reach the disk."""

    def _sync_folder(self, folder: int) -> None:
        """Leave it to the system when a name reaches the disk."""
