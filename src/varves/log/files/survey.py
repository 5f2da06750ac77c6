"""Which segments have changed since somebody last looked, and the marks that tell.

A folder whose signature is the same holds the same files, and only a writer's newest segment can
still grow. So looking at a log where nothing happened costs a bounded number of `stat` calls,
however many segments it has: the folders, the files that may grow and some of the others, which
nobody should write to and an editor can. A signature only says where to read; what is new there,
the bytes tell.
"""

from __future__ import annotations

from os import fsdecode, fsencode

from varves.log.files.layout import BLOBS, LOG, SUFFIX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from varves.places.port import FileStore, Stat

_SETTLE_NS = 50_000_000  # a folder touched this close to our look may change again unseen
_SETTLE_FILE_NS = 20_000_000  # two ticks of the slowest kernel
_SETTLE_COARSE_NS = 2_500_000_000  # the same where times come in whole seconds


UNKNOWN = -1  # kept as the inode of what must be looked at again next time
UNSETTLED = (0, 0, UNKNOWN)  # kept for a folder that must be listed again
ENDING = 80  # bytes before the place a file was read up to: a line's digest is among them


def file_mark(stat: Stat, end: int = 0, checksum: int = 0, ending: bytes = b"") -> bytes:
    """Return the mark of a file: its signature, and how far it was read.

    Args:
        stat: its signature when it was read.
        end: the place after the last line.
        checksum: of all bytes before that.
        ending: the last of those bytes.
    """
    return b"%d %d %d %d %d " % (*stat, end, checksum) + ending


AGAIN = file_mark(UNSETTLED, 0, UNKNOWN)  # of a file that must be read whole


def stat_of(mark: bytes) -> Stat:
    """Return the signature in a file's mark; of one that cannot be read, none that a file has."""
    try:
        size, time, inode, _ = mark.split(b" ", 3)
        return int(size), int(time), int(inode)
    except ValueError:
        return UNSETTLED


def read_up_to(mark: bytes) -> tuple[int, int, bytes]:
    """Return how far a file was read: the place, the checksum and the bytes before it.

    Of a mark that cannot be read: as of one that says to read all.
    """
    if not mark:
        return 0, 0, b""
    try:
        *_, end, checksum, ending = mark.split(b" ", 5)
        return int(end), int(checksum), ending
    except ValueError:
        return 0, UNKNOWN, b""


def folders_mark(folders: Mapping[str, Stat]) -> bytes:
    """Return the mark of a log: the signatures of its folders."""
    listed = [fsencode(name) + b"\0%d %d %d" % stat for name, stat in sorted(folders.items())]
    return b"\0".join(listed)


def folders_of(mark: bytes) -> dict[str, Stat]:
    """Return the signatures of folders in the mark of a log; none, if it cannot be read."""
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
    """What a look at a log found: changed and vanished files, and folder signatures to keep.

    Those of `unsettled` were touched so lately that the same signature may come to mean other
    bytes: whoever reads them looks once more.
    """

    __slots__ = ("changed", "folders", "gone", "unsettled")

    def __init__(self) -> None:
        self.changed: dict[str, Stat] = {}
        self.gone: list[str] = []
        self.folders: dict[str, Stat | None] = {}  # None: the folder is gone
        self.unsettled: set[str] = set()


def still(store: FileStore, folders: Mapping[str, Stat], files: Mapping[str, bytes]) -> bool:
    """Tell whether nothing has happened to folders and files since the last survey."""
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
    """Compare a log with what was known of it.

    Args:
        store: the log's place.
        folders: signatures of the folders as kept from the last survey.
        files: those to look at in any case, with their marks.
        files_in: the files known in a folder, asked for only if the folder changed.
        now_ns: the file system's idea of the present.
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
    except FileNotFoundError:  # any other fault must not read as an empty folder
        entries = []
    here = {f"{folder}/{name}": seen for name, _, seen in entries if name.endswith(SUFFIX)}
    found.gone += [name for name in known if name not in here]
    found.changed.update(
        (name, seen) for name, seen in here.items() if not _is_as(known.get(name, b""), seen)
    )


def _settled(signature: Stat, now_ns: int, fine: int = _SETTLE_NS) -> bool:
    coarse = signature[1] % 1_000_000_000 == 0
    return now_ns - signature[1] > (_SETTLE_COARSE_NS if coarse else fine)
