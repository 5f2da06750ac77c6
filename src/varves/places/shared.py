"""A folder that several accounts of a machine or a network share."""

from __future__ import annotations

import os
import stat as modes

from varves.places.store import Files


class SharedFiles(Files):
    """A folder in which every new file and folder has the rights of the folder it is in.

    The group may do what it may do there, and others at most what they may do there; the umask
    counts for others only. A folder that its owner alone can use thus keeps that for all that is
    made in it.

    Args:
        root: the folder.
        anchor: the folder that was shared; it is trusted.
        personal: whether the root is made for its owner alone.
    """

    def __init__(self, root: str, *, anchor: str, personal: bool = False) -> None:
        super().__init__(root, private=False, anchor=anchor)
        self._room = None  # accounts have no place for temporary files in common
        self._personal = personal

    def _mode_at(self, depth: int, folders: list[str]) -> int:
        alone = self._personal and depth == len(self._below) - 1
        return 0o700 if alone else super()._mode_at(depth, folders)

    def _settle(self, handle: int, folder: int) -> None:
        super()._settle(handle, folder)
        made, there = os.fstat(handle), os.fstat(folder)
        mode = modes.S_IMODE(made.st_mode)
        wanted = mode & (there.st_mode | ~0o007)
        if made.st_gid == there.st_gid:  # otherwise the group is another one: the umask decides
            wanted = (wanted & ~0o070) | (there.st_mode & 0o070)
        if modes.S_ISDIR(made.st_mode):
            wanted |= there.st_mode & modes.S_ISGID
        else:
            wanted &= 0o666
        if wanted != mode:
            try:
                os.fchmod(handle, wanted)
            except OSError:
                pass  # this file system has no rights of its own
