"""Finds the files of a log that changed since a reader stored marks of them.

A folder with an unchanged signature contains the same files, and only a writer's newest segment can
still grow. So a limited number of `stat` calls is enough to check an unchanged log, however many
segments it has. The calls check the folders, the files that may grow, and some of the other files,
because an editor can change them. A signature only shows where to read. Which lines are new is
decided by comparing bytes.
"""

from __future__ import annotations

from os import fsdecode, fsencode

from varves.log.files.layout import BLOBS, LOG, SUFFIX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from varves.places.port import FileStore, Stat

# after a change this recent, a folder may change again and still have the same signature
_SETTLE_NS = 50_000_000
_SETTLE_FILE_NS = 20_000_000  # the same for files: two ticks of the slowest kernel clock
_SETTLE_COARSE_NS = 2_500_000_000  # the same for file systems that store whole seconds


UNKNOWN = -1  # stored in place of an inode: the file must be checked again
UNSETTLED = (0, 0, UNKNOWN)  # stored for a folder that must be listed again
# the number of bytes stored from the end of the last read; they include a line's digest
ENDING = 80


def file_mark(stat: Stat, end: int = 0, checksum: int = 0, ending: bytes = b"") -> bytes:
    """Return the mark of a file: its signature, and how far it was read.

    Args:
        stat: the file's signature when it was read.
        end: the offset after the last line.
        checksum: the checksum of all bytes before `end`.
        ending: the last ENDING of those bytes.
    """
    return b"%d %d %d %d %d " % (*stat, end, checksum) + ending


AGAIN = file_mark(UNSETTLED, 0, UNKNOWN)  # the mark of a file that must be read completely


def stat_of(mark: bytes) -> Stat:
    """Return the signature in a file's mark; for an unreadable mark, one that matches no file."""
    try:
        size, time, inode, _ = mark.split(b" ", 3)
        return int(size), int(time), int(inode)
    except ValueError:
        return UNSETTLED


def read_up_to(mark: bytes) -> tuple[int, int, bytes]:
    """Return how far a file was read: the offset, the checksum, and the last bytes read.

    For an unreadable mark, the result is such that the reader reads the whole file.
    """
    if not mark:
        return 0, 0, b""
    try:
        *_, end, checksum, ending = mark.split(b" ", 5)
        return int(end), int(checksum), ending
    except ValueError:
        return 0, UNKNOWN, b""


def folders_mark(folders: Mapping[str, Stat]) -> bytes:
    """Return the mark of a whole log, which consists of the signatures of its folders."""
    listed = [fsencode(name) + b"\0%d %d %d" % stat for name, stat in sorted(folders.items())]
    return b"\0".join(listed)


def folders_of(mark: bytes) -> dict[str, Stat]:
    """Return the signatures of the folders in a log's mark; empty if the mark is unreadable."""
    parts = mark.split(b"\0")
    folders: dict[str, Stat] = {}
    try:
        for name, signature in zip(parts[::2], parts[1::2], strict=False):
            size, time, inode = signature.split(b" ")
            folders[fsdecode(name)] = int(size), int(time), int(inode)
    except ValueError:
        return {}
    return folders


class Survey:
    """The result of comparing a log with marks: changed and vanished files, and signatures.

    Files in `unsettled` changed very recently. They may change again and keep their signature, so
    the reader checks them once more.
    """

    __slots__ = ("changed", "folders", "gone", "unsettled")

    def __init__(self) -> None:
        self.changed: dict[str, Stat] = {}
        self.gone: list[str] = []
        self.folders: dict[str, Stat | None] = {}  # None if the folder is gone
        self.unsettled: set[str] = set()


def still(store: FileStore, folders: Mapping[str, Stat], files: Mapping[str, bytes]) -> bool:
    """Return whether all folders and files have the given signatures, so that nothing changed."""
    if not folders and store.stat(LOG) is None:
        return not files
    return (
        LOG in folders
        and all(store.stat(name) == seen for name, seen in folders.items())
        and all(_is_as(mark, store.stat(name)) for name, mark in files.items())
    )


def _is_as(mark: bytes, stat: Stat | None) -> bool:
    return stat is not None and mark.startswith(b"%d %d %d " % stat)


def survey(
    store: FileStore,
    *,
    folders: Mapping[str, Stat],
    files: Mapping[str, bytes],
    files_in: Callable[[str], Mapping[str, bytes]],
    now_ns: Callable[[], int],
) -> Survey:
    """Compare a log with the stored signatures and marks.

    Args:
        store: where the log is.
        folders: the folders' signatures, as stored by the last survey.
        files: the files to check in any case, with their marks.
        files_in: returns the known files of a folder; called only if the folder changed.
        now_ns: the current time by the clock of the file system.
    """
    found = Survey()
    listed = [name for name in folders if name != LOG]
    root = store.stat(LOG)
    if root is None:
        found.gone = list({file: None for folder in folders for file in files_in(folder)})
        found.folders = dict.fromkeys(folders)
        return found
    if folders.get(LOG) != root:
        found.folders[LOG] = root if _settled(root, now_ns()) else UNSETTLED
        months = [name for name, is_folder, _ in store.entries(LOG) if is_folder and name != BLOBS]
        listed = sorted({*listed, *(f"{LOG}/{month}" for month in months)})
    for folder in listed:
        signature = store.stat(folder)
        if signature is None or folders.get(folder) != signature:
            _compare(store, folder, files_in(folder), found)
            settled = signature is None or _settled(signature, now_ns())
            found.folders[folder] = signature if settled else UNSETTLED
    for name, mark in files.items():
        if name not in found.changed and name not in found.gone:
            now = store.stat(name)
            if now is None:
                found.gone.append(name)
            elif not _is_as(mark, now):
                found.changed[name] = now
    moment = now_ns() if found.changed else 0
    for name, signature in found.changed.items():
        if not _settled(signature, moment, _SETTLE_FILE_NS):
            found.unsettled.add(name)
    return found


def _compare(store: FileStore, folder: str, known: Mapping[str, bytes], found: Survey) -> None:
    try:
        entries = store.entries(folder)
    except FileNotFoundError:  # any other error must not be treated as an empty folder
        entries = []
    here = {f"{folder}/{name}": seen for name, _, seen in entries if name.endswith(SUFFIX)}
    found.gone += [name for name in known if name not in here]
    found.changed.update(
        (name, seen) for name, seen in here.items() if not _is_as(known.get(name, b""), seen)
    )


def _settled(signature: Stat, now_ns: int, fine: int = _SETTLE_NS) -> bool:
    coarse = signature[1] % 1_000_000_000 == 0
    return now_ns - signature[1] > (_SETTLE_COARSE_NS if coarse else fine)
