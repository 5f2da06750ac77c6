"""Checks whether git could track private text in folders of the work tree.

`git commit -a` includes tracked files even if they are ignored. An ignore file that Varves did not
write may not ignore everything. Varves does not change such files; it refuses to write into the
folder.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.git import Git

IGNORE = ".gitignore"
ALL = b"# Kept out of git: this memory is only yours, your team's or this checkout's.\n*\n"
_LONGEST = 4096


def exposed(root: str, folder: str, repositories: list[Git], *, lost: str) -> tuple[str, str]:
    """Return why git could track the content of a folder, and a remedy; else ("", "").

    Args:
        root: the project's folder.
        folder: a folder below it.
        repositories: the repositories whose index may list files of the folder.
        lost: the path of a `.git` file that leads to no repository; it is then unknown which files
            git tracks.
    """
    remove = f"remove {folder}/{IGNORE}: it is created again"
    for git in repositories:
        if tracked := git.tracked(f"{root}/{folder}"):
            within = os.path.relpath(git.top, root)
            # the repository is elsewhere, such as a submodule
            if within != "." and not within.startswith(".."):
                where = os.path.relpath(folder, within)
                reason = f"git tracks {tracked[0]} in the repository {within}"
                return reason, f"git -C {within} rm --cached -r {where}, and {remove}"
            return f"git tracks {tracked[0]}", f"git rm --cached -r {folder}, and {remove}"
    if not hides_all(ignores(f"{root}/{folder}/{IGNORE}")):
        return (
            f"{folder}/{IGNORE} was not written by varves",
            f"git rm --cached -r {folder}, and {remove}",
        )
    if lost:
        reason = f"{lost} leads to no git folder, so it is unknown what git tracks"
        return reason, "run git worktree repair, or fix or remove that file"
    return "", ""


def left_alone(folders: list[str], reason: str) -> str:
    """Return a message that some folders are not read or written, with the reason."""
    told = f"{', '.join(folders)} {'are' if folders[1:] else 'is'} neither read nor written"
    return f"{told}: private text would be written there, and {reason}"


def exposed_home(home: str, part: str, around: list[Git]) -> tuple[str, str]:
    """Return why git could track a part of the user's folder, and a remedy; else ("", "").

    If the user's folder is itself a repository, made by its owner, it may contain the global log.
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
    found = ignores(ignore)
    if found is None or not hides_all(found):
        return f"{ignore} was not written by varves", f"remove {ignore}: it is created again"
    return "", ""


def hides_all(content: bytes | None) -> bool:
    """Return whether an ignore file hides all files, or is missing and can be created."""
    if content is None:
        return True
    lines = [line for line in content.split(b"\n") if line and line[:1] != b"#"]
    return lines == [b"*"] and len(content) < _LONGEST


def ignores(path: str) -> bytes | None:
    """Return the beginning of an ignore file.

    None if the file is missing; empty if it is not a plain file.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return b""
    try:
        return os.read(handle, _LONGEST)
    except OSError:
        return b""
    finally:
        os.close(handle)
