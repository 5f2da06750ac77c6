"""Folders with private text that have to be in the work tree: whether git could take it.

What git tracks goes into the next `commit -a` whatever is ignored, and an ignore file that we did
not write may let in all the rest. Neither is ours to change: whoever would write there is refused.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.git import Git

IGNORE = ".gitignore"
ALL = b"*\n"  # what we write into it, and nothing else


def exposed(root: str, folder: str, repositories: list[Git], *, lost: str) -> tuple[str, str]:
    """Say why git could take what a folder of a project holds, and what to do; empty: it cannot.

    Args:
        root: the project's folder.
        folder: the one below it.
        repositories: those whose index may name what it holds.
        lost: a `.git` that leads to none, so that nobody knows what git tracks.
    """
    remove = f"remove {folder}/{IGNORE}: it is made again"
    for git in repositories:
        if tracked := git.tracked(f"{root}/{folder}"):
            within = os.path.relpath(git.top, root)
            if within != "." and not within.startswith(".."):  # such as a submodule
                where = os.path.relpath(folder, within)
                reason = f"git tracks {tracked[0]} in the repository {within}"
                return reason, f"git -C {within} rm --cached -r {where}, and {remove}"
            return f"git tracks {tracked[0]}", f"git rm --cached -r {folder}, and {remove}"
    if ignores(f"{root}/{folder}/{IGNORE}") not in (None, ALL):
        return f"{folder}/{IGNORE} is not ours", f"git rm --cached -r {folder}, and {remove}"
    if lost:
        reason = f"{lost} leads to no git folder, so nobody knows what git tracks"
        return reason, "git worktree repair, or mend or remove that file"
    return "", ""


def left_alone(folders: list[str], reason: str) -> str:
    """Say that some folders are neither read nor written, and why."""
    told = f"{', '.join(folders)} {'are' if folders[1:] else 'is'} left alone"
    return f"{told}: private text would be written there, and {reason}"


def exposed_home(home: str, part: str, around: list[Git]) -> tuple[str, str]:
    """Say why a repository could take what a part of the user's folder holds, and what to do.

    One that begins in the folder itself is its owner's wish, and may have the global log.
    """
    folder, ignore = f"{home}/{part}", f"{home}/{IGNORE}"
    own = any(f"{git.top}/".startswith(f"{home}/") for git in around)
    if own and part == "global":
        return "", ""
    for git in around:
        if tracked := git.tracked(folder):
            remedy = f"git -C {git.top} rm --cached -r {os.path.relpath(folder, git.top)}"
            return f"git tracks {tracked[0]} in {git.top}", remedy
    if own:
        ignore = f"{folder}/{IGNORE}"
    if ignores(ignore) != ALL:
        return f"{ignore} is not ours", f"remove {ignore}: it is made again"
    return "", ""


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
