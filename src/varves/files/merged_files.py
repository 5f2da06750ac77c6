"""Notes the files that git's merge driver made in this checkout, and the versions it merged.

The driver knows only three versions of a file, so its result may differ from what the log renders.
Such a difference is not an edit. But a merged version may contain a person's edit. So each merged
version is examined by itself, as if git had left both.

The note is a list of digests next to git's own files. If it is deleted, only files of merge commits
are recognised, by merging the parents' versions again.
"""

from __future__ import annotations

import os
from hashlib import sha1, sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.git import Git
    from varves.protocols.threeway import Versions

_FILE = "varves/merged"
_LONG = 1 << 20  # the most bytes of the note
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_ADD = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC


def note(path: str, made: bytes, versions: Versions) -> None:
    """Add a merged file, and the versions it was made from, to the list of merged files."""
    from varves.git import Git

    git = Git.around(os.path.dirname(path) or ".")
    if git is None or not os.path.isdir(f"{git.folder}/varves"):
        return
    place = f"{git.folder}/{_FILE}"
    words = [sha256(made).hexdigest()]
    words += [name for one in (versions.ours, versions.theirs) for name in object_names(one)]
    try:
        handle = os.open(place, _ADD, 0o600)
        try:
            os.write(handle, f"{' '.join(words)}\n".encode("ascii"))
            long = os.fstat(handle).st_size > _LONG
        finally:
            os.close(handle)
        if long:
            _shorten(place)
    except OSError:
        return


def merged_from(git: Git, made: bytes) -> list[tuple[str, str]] | None:
    """Return the object names that git may have for each version a file was merged from.

    None if the driver did not make the file in this checkout.
    """
    sought = sha256(made).hexdigest().encode("ascii")
    for line in reversed(_lines(f"{git.folder}/{_FILE}")):
        name, *rest = line.split()
        if name == sought and len(rest) == 4:
            first, second, third, fourth = (one.decode("ascii", "replace") for one in rest)
            return [(first, second), (third, fourth)]
    return None


def forget(git: Git) -> None:
    """Delete the list of merged files; its digests could confirm a guess of a purged text."""
    try:
        os.unlink(f"{git.folder}/{_FILE}")
    except OSError:
        pass


def object_names(content: bytes) -> tuple[str, str]:
    """Return the object names that git gives some bytes: with SHA-1 and with SHA-256."""
    whole = b"blob %d\0" % len(content) + content
    return sha1(whole, usedforsecurity=False).hexdigest(), sha256(whole).hexdigest()


def _lines(place: str) -> list[bytes]:
    try:
        with os.fdopen(os.open(place, _READ), "rb") as file:
            return [line for line in file.read(2 * _LONG).splitlines() if line.strip()]
    except OSError:
        return []


def _shorten(place: str) -> None:
    from varves.disk import replace_file

    lines = _lines(place)
    replace_file(place, b"\n".join([*lines[len(lines) // 2 :], b""]), mode=0o600)
