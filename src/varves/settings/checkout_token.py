"""The tokens of a checkout: random words in its git folder that tie a consent to the checkout.

A path does not identify a checkout, because another repository can be cloned to it. Git never
copies the token file, so a new clone has no token. Each person who consents adds a new token,
because other people may know an older token.
"""

from __future__ import annotations

import os
from errno import ENOSPC

from varves.errors import Refused
from varves.git import Git
from varves.places.places import writable
from varves.values.ids import IdSource

NAME = "consent"
NONE = frozenset({""})
"""The tokens of a checkout that cannot store any; its consents depend on its path alone."""
_LENGTH = 26
_MOST = 16 << 10  # the most bytes of the token file that are read
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_ADD = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def checkout_tokens(root: str) -> frozenset[str]:
    """Return the tokens of the checkout around a folder.

    The result is `NONE` without git, or if git's folder is not writable.
    """
    git = Git.around(root)
    if git is None:
        return NONE
    folder = _beside(git)
    found = _words(folder)
    return found if found or writable(folder) else NONE


def add_checkout_token(root: str) -> str:
    """Add a token to the checkout around a folder and return it; without git, return "".

    Raises:
        Refused: the token cannot be written or read back.
    """
    git, word = Git.around(root), IdSource().word(_LENGTH)
    if git is None:
        return ""
    folder = _beside(git)
    if os.path.islink(folder):
        raise Refused(f"{folder} is a link", "replace it with a folder; no consent was recorded")
    try:
        append(folder, NAME, f"{word}\n".encode("ascii"))
    except OSError as fault:
        reason = f"{folder}/{NAME} cannot be written: {fault.strerror}"
        raise Refused(reason, "no consent was recorded") from None
    if word not in _words(folder):
        reason = f"{folder}/{NAME} does not contain what was written to it"
        raise Refused(reason, "remove it, then try again; no consent was recorded")
    return word


def append(folder: str, name: str, text: bytes) -> None:
    """Append a text to a file that only this user may read; append all of it or nothing."""
    os.makedirs(folder, 0o700, exist_ok=True)
    handle = os.open(f"{folder}/{name}", _ADD, 0o600)
    try:
        os.fchmod(handle, 0o600)
        before = os.fstat(handle).st_size
        if os.write(handle, text) != len(text):
            os.ftruncate(handle, before)
            raise OSError(ENOSPC, "no space left")
        os.fsync(handle)
    finally:
        os.close(handle)


def _beside(git: Git) -> str:
    return f"{git.folder}/varves"


def _words(folder: str) -> frozenset[str]:
    if os.path.islink(folder):
        return frozenset()
    try:
        with os.fdopen(os.open(f"{folder}/{NAME}", _READ), "rb") as file:
            lines = file.read(_MOST).decode("ascii", "replace").split("\n")
    except OSError:
        return frozenset()
    return frozenset(word for word in lines if len(word) == _LENGTH and word.isalnum())
