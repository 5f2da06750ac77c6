"""Atomic replacement of files outside the logs: readers see either the old bytes or the new."""

from __future__ import annotations

import os
from _thread import get_ident

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def replace_file(
    path: str,
    content: bytes,
    *,
    mode: int = 0o666,
    exact: bool = False,
    check: Callable[[], None] | None = None,
) -> None:
    """Write a temporary file, sync it, and rename it to its final name.

    Args:
        path: the final path, in an existing folder.
        content: the whole content.
        mode: the permissions, subject to the umask.
        exact: set the mode regardless of the umask.
        check: called before the rename; an exception from it cancels the replacement.
    """
    folder, name = os.path.split(path)
    aside = os.path.join(folder, f".{name}.{os.getpid()}.{get_ident()}.varves-tmp")
    try:
        handle = os.open(aside, _MAKE, mode)
    except FileExistsError:  # left by a process that was killed
        os.unlink(aside)
        handle = os.open(aside, _MAKE, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            if exact:
                os.fchmod(handle, mode)
            os.fsync(handle)
        if check is not None:
            check()
        os.replace(aside, path)
    except BaseException:
        os.unlink(aside)
        raise
