"""Folders with private text that have to lie in the work tree: whether git could take it.

What git tracks goes into the next `commit -a` whatever is ignored, and an ignore file that we did
not write may let in all the rest. Neither is ours to change: whoever would write there is refused.
"""

from __future__ import annotations

import os

from varves.errors import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.log.git import Git

IGNORE = ".gitignore"
ALL = b"*\n"  # what we write into it, and nothing else


def exposed(git: Git | None, root: str, folder: str) -> str:
    """Say why git could take what a folder below a project's root holds; empty: it could not."""
    tracked = git.tracked(f"{root}/{folder}") if git is not None else []
    if tracked:
        return f"git tracks {tracked[0]}"
    if ignores(f"{root}/{folder}/{IGNORE}") not in (None, ALL):
        return f"{folder}/{IGNORE} is not ours"
    return ""


def refuse_exposed(git: Git | None, root: str, folder: str) -> None:
    """Refuse to write private text where git could take it.

    Raises:
        Refused: git tracks something there, or the ignore file is not ours.
    """
    if reason := exposed(git, root, folder):
        raise Refused(f"{folder} holds private text, and {reason}", remedy(folder))


def remedy(folder: str) -> str:
    """Return what a person does about it."""
    return f"git rm --cached -r {folder}, and remove {folder}/{IGNORE}: it is made again"


def ignores(path: str) -> bytes | None:
    """Return the first bytes of an ignore file; None: there is none, empty: it is no file."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return b""
    try:
        return os.read(handle, 4096)
    except OSError:
        return b""
    finally:
        os.close(handle)
