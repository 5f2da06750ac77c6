"""Git's merge driver for published files: `varves merge-file BASE OURS THEIRS PATH`.

Git runs it with three temporary files. It makes the protocol's part of the file equal in all three.
Then git's own `merge-file` merges the three files (`files/git_driver.py` has the command). So git
always merges the text that belongs to people. If this program cannot be started or cannot read a
version, git merges the whole file as text, with conflict markers.

The driver reads only these files and no settings. It must start fast, because git runs it for each
file.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.protocols.threeway import Versions

SETTLED, LEFT = 0, 1  # the exit codes: the files were changed, or were left unchanged
_LARGEST = 64 << 20
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def settle(origin: str, ours: str, theirs: str, path: str, *, aloud: bool = True) -> int:
    """Merge the part of a published file that Varves renders; return 0, or 1 without a merge.

    Unless `aloud` is False, a line on stderr says why a merge failed.
    """
    try:
        made = _settled(origin, ours, theirs, path)
    except Exception as fault:  # noqa: BLE001 - git then merges the file as text
        from varves.streams import tell

        said = f"{fault.strerror}: {fault.filename}" if isinstance(fault, OSError) else str(fault)
        reason = " ".join(said.split()) or type(fault).__name__
        if aloud:
            tell(f"varves: {ascii(path)[1:-1]}: git merges it as text: {ascii(reason)[1:-1]}\n")
        return LEFT
    return LEFT if made is None else SETTLED


def _settled(origin: str, ours: str, theirs: str, path: str) -> Versions | None:
    from varves.log import merge_form as log_segments
    from varves.protocols.registry import find_form
    from varves.protocols.threeway import Versions, whole

    versions = Versions(origin=_read(origin), ours=_read(ours), theirs=_read(theirs))
    if log_segments.fits(path):
        segment = log_segments.settled(versions.ours, versions.theirs)
        made = None if segment is None else whole(segment)
    else:
        form = find_form(path)
        made = None if form is None else form.settled(versions)
    if made is None:
        return None
    if made.ours == made.theirs == made.origin and not log_segments.fits(path):
        from varves.files.merged_files import note

        note(path, made.ours, versions)
    # In this order, git can still merge without losing a side if only some of the files are
    # written.
    _write(ours, made.ours)
    _write(theirs, made.theirs)
    _write(origin, made.origin)
    return made


def _read(path: str) -> bytes:
    handle = os.open(path, _READ)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError("it is not a plain file")
        content = file.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise ValueError(f"more than {_LARGEST} bytes")
    return content


def _write(path: str, content: bytes) -> None:
    """Replace one of git's temporary files atomically."""
    aside = f"{path}.varves"
    handle = os.open(aside, _MAKE, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(aside, path)
    except BaseException:
        os.unlink(aside)
        raise
