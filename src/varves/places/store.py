"""The file system as a store; it opens folders one by one and never follows a link."""

from __future__ import annotations

import fcntl
import os
import stat as modes
from _thread import get_ident
from errno import EEXIST, EMLINK, ENOSYS, ENOTSUP, EOPNOTSUPP, EPERM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from varves.places.guard import FileGuard
    from varves.places.port import FileStore, Stat

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
# macOS: fsync does not empty the drive's own cache
_FULL_SYNC = getattr(fcntl, "F_FULLFSYNC", None)
_START = "/proc/sys/kernel/random/boot_id"  # the id of the machine's last start; Linux only
_MADE = os.O_CREAT | os.O_EXCL
_NO_LINKS = (EPERM, EMLINK, ENOSYS, ENOTSUP, EOPNOTSUPP)


class OpenFile:
    """A file opened for reading; closed when it is garbage-collected."""

    __slots__ = ("_handle", "inode")

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self.inode = os.fstat(handle).st_ino

    def size(self) -> int:
        """Return the file's current length in bytes."""
        return os.fstat(self._handle).st_size

    def read(self, start: int, stop: int) -> bytes:
        """Return the bytes between two positions."""
        return os.pread(self._handle, stop - start, start)

    def __del__(self) -> None:
        os.close(self._handle)


class Files:
    """A folder on disk; if it is `private`, other users have no access, whatever the umask.

    The folder `anchor` is trusted; below it, no part of the path to the root may be a link.
    """

    def __init__(self, root: str, *, private: bool, anchor: str | None = None) -> None:
        self.root = root
        self.private = private
        self._anchor = anchor or root
        self._below = [part for part in root[len(self._anchor) :].split("/") if part]
        self._folder_mode = 0o700 if private else 0o777
        self._file_mode = 0o600 if private else 0o666
        # the folder for temporary files; None: the target's own folder
        self._room = None if private else ["local"]
        self._passing = "."  # the beginning of the names of temporary files

    def create(self, name: str) -> int:
        """Create a file that must not exist yet, sync its folder, and return a handle."""
        folder, leaf = self._folder_of(name, make=True, sure=True)
        try:
            handle = os.open(leaf, _APPEND | _MADE, self._mode_of(name), dir_fd=folder)
            try:
                self._settle(handle, folder)
                self._sync_folder(folder)
            except OSError:
                os.close(handle)
                os.unlink(leaf, dir_fd=folder)
                raise
        finally:
            os.close(folder)
        return handle

    def reopen(self, name: str) -> int:
        """Open an existing regular file, which must belong to this user, for appending."""
        folder, leaf = self._folder_of(name)
        try:
            handle = os.open(leaf, _APPEND, dir_fd=folder)
        finally:
            os.close(folder)
        # two names, because the spool may have a link
        return self._plain(handle, name, links=1 if self.private else 2)

    def write(self, handle: int, content: bytes) -> int:
        """Append in one call and return the number of bytes written."""
        return os.write(handle, content)

    def sync(self, handle: int) -> None:
        """Sync the file, so that its bytes survive a power cut."""
        if _FULL_SYNC is None:
            os.fsync(handle)
        else:
            fcntl.fcntl(handle, _FULL_SYNC)

    def truncate(self, handle: int, size: int) -> None:
        """Cut the file to a size."""
        os.ftruncate(handle, size)

    def close(self, handle: int) -> None:
        """Close the handle."""
        os.close(handle)

    def read(self, name: str, start: int = 0) -> bytes:
        """Return the bytes from `start` to the end."""
        with os.fdopen(self._open_to_read(name), "rb", buffering=0) as file:
            file.seek(start)
            return file.read()

    def reader(self, name: str) -> OpenFile:
        """Return the file opened for reading; it may grow in the meantime."""
        return OpenFile(self._open_to_read(name))

    def _open_to_read(self, name: str) -> int:
        folder, leaf = self._folder_of(name)
        try:
            # Without O_NONBLOCK, opening a FIFO would wait for a writer.
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            handle = os.open(leaf, flags, dir_fd=folder)
        finally:
            os.close(folder)
        return self._plain(handle, name)

    def _plain(self, handle: int, name: str, *, links: int = 0) -> int:
        """Return the handle of a regular file.

        If `links` is set, the file must also belong to this user and have at most that many names.
        """
        try:
            found = os.fstat(handle)
            ours = not links or (0 < found.st_nlink <= links and not self._foreign(found))
            if not ours or not modes.S_ISREG(found.st_mode):
                raise PermissionError(EPERM, "not a plain file of ours", name)
        except OSError:
            os.close(handle)
            raise
        return handle

    def stat(self, name: str) -> Stat | None:
        """Return the file's signature, or None if no such regular file or folder exists."""
        try:
            found = os.lstat(f"{self.root}/{name}" if name else self.root)
        except OSError:
            return None
        plain = modes.S_ISREG(found.st_mode) or modes.S_ISDIR(found.st_mode)
        return _signature(found) if plain else None

    def stat_handle(self, handle: int) -> Stat:
        """Return the signature of an open file."""
        return _signature(os.fstat(handle))

    def machine_start(self) -> str:
        """Return an id of the machine's last start; empty if the system does not provide one."""
        try:
            with open(_START, encoding="ascii") as file:
                return file.read().strip()
        except (OSError, ValueError):
            return ""

    def entries(self, name: str) -> list[tuple[str, bool, Stat]]:
        """List a folder as (name, is it a folder, signature), without links and special files."""
        found = self._listed(name)
        return [(leaf, modes.S_ISDIR(seen.st_mode), _signature(seen)) for leaf, seen in found]

    def dated(self, name: str) -> list[tuple[str, int]]:
        """List the files of a folder with their modification times in nanoseconds."""
        found = self._listed(name)
        return [(leaf, seen.st_mtime_ns) for leaf, seen in found if modes.S_ISREG(seen.st_mode)]

    def _listed(self, name: str) -> list[tuple[str, os.stat_result]]:
        folder = self._walk(name.split("/") if name else [])
        listed: list[tuple[str, os.stat_result]] = []
        try:
            with os.scandir(folder) as found:
                for entry in found:
                    if entry.is_dir(follow_symlinks=False) or entry.is_file(follow_symlinks=False):
                        try:
                            listed.append((entry.name, entry.stat(follow_symlinks=False)))
                        except FileNotFoundError:
                            continue
        finally:
            os.close(folder)
        return listed

    def lock(self, name: str) -> int | None:
        """Take an exclusive lock, or return None if another process has it."""
        folder, leaf = self._folder_of(name, make=True)
        try:
            handle = _open_or_make(leaf, folder)
        finally:
            os.close(folder)
        self._plain(handle, name, links=1)  # a file that can be locked may also be written
        return locked(handle)

    def hold(self, handle: int) -> bool:
        """Lock an open file, so that no process replaces or removes it.

        Return False if it is already locked.
        """
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass  # this file system has no locks: integrity depends on names and digests
        return True

    def let_go(self, handle: int) -> None:
        """Release the lock on an open file."""
        for _ in range(2):  # otherwise the lock would later block this process itself
            try:
                return fcntl.flock(handle, fcntl.LOCK_UN)
            except OSError:
                continue
        return None

    def guard(self, name: str) -> FileGuard:
        """Lock a file, so that no process appends to it while it is replaced or removed."""
        from varves.places.guard import FileGuard

        return FileGuard(self, name)

    def rewrite(self, handle: int, content: bytes) -> None:
        """Overwrite a small local file in place; after a crash it may be a mix of old and new."""
        os.pwrite(handle, content, 0)
        os.ftruncate(handle, len(content))

    def replace(self, name: str, content: bytes, *, sure: bool = True) -> None:
        """Replace a whole file atomically: readers see either all old or all new bytes.

        Unless `sure` is set, nothing is synced: a power cut may leave the old file, or none.
        """
        self._put(name, content, os.replace, sure=sure)

    def claim(self, name: str, content: bytes) -> bool:
        """Write a whole file if no such file exists; return whether this call wrote it."""
        try:
            self._put(name, content, _link_once)
        except FileExistsError:
            return False
        return True

    def _put(
        self, name: str, content: bytes, place: Callable[..., None], *, sure: bool = True
    ) -> None:
        """Write a temporary file, and let `place` give it its final name.

        In a work tree, the temporary file is one that git ignores.
        """
        folder, leaf = self._folder_of(name, make=True, sure=sure)
        waiting = folder
        passing = f"{self._passing}{leaf}.{os.getpid()}.{get_ident()}"
        flags = os.O_WRONLY | _MADE | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            if self._room is not None:
                waiting = self._walk(self._room, make=True)
            try:
                handle = os.open(passing, flags, self._mode_of(name), dir_fd=waiting)
            except FileExistsError:  # left by a process that was killed
                os.unlink(passing, dir_fd=waiting)
                handle = os.open(passing, flags, self._mode_of(name), dir_fd=waiting)
            try:
                self._settle(handle, folder)
                while content:
                    content = content[os.write(handle, content) :]
                if sure:
                    os.fsync(handle)
                place(passing, leaf, src_dir_fd=waiting, dst_dir_fd=folder)
            except BaseException:
                os.unlink(passing, dir_fd=waiting)
                raise
            finally:
                os.close(handle)
            if sure:
                os.fsync(folder)
        finally:
            os.close(folder)
            if waiting != folder:
                os.close(waiting)

    def remove(self, name: str) -> None:
        """Delete a file."""
        folder, leaf = self._folder_of(name)
        try:
            os.unlink(leaf, dir_fd=folder)
        finally:
            os.close(folder)

    def link(self, name: str, other: Files, target: str) -> None:
        """Give a file a second name in another folder of the same file system."""
        here, leaf = self._folder_of(name)
        try:
            there, other_leaf = other._folder_of(target, make=True)
            try:
                os.link(leaf, other_leaf, src_dir_fd=here, dst_dir_fd=there, follow_symlinks=False)
            finally:
                os.close(there)
        finally:
            os.close(here)

    def _mode_of(self, name: str) -> int:
        return 0o600 if name.startswith("local/") else self._file_mode

    def _settle(self, handle: int, folder: int) -> None:
        """Set the owner of a file or folder that was just made in a folder."""
        give(handle, folder)

    def _foreign(self, found: os.stat_result) -> bool:
        """Return whether a file belongs to another user.

        Root may also use files that belong to the folder's owner.
        """
        if not self.private or found.st_uid == os.geteuid():
            return False
        return os.geteuid() != 0 or found.st_uid != os.stat(self._anchor).st_uid

    def _sync_folder(self, folder: int) -> None:
        os.fsync(folder)

    def _folder_of(self, name: str, *, make: bool = False, sure: bool = False) -> tuple[int, str]:
        *folders, leaf = name.split("/")
        return self._walk(folders, make=make, sure=sure), leaf

    def _walk(self, folders: list[str], *, make: bool = False, sure: bool = False) -> int:
        """Open a folder by opening each folder of its path in turn, so that no link is followed.

        If `make` is set, missing folders are created. If `sure` is set, each folder is synced,
        because a process may have created it and died before its sync.
        """
        if make and not os.path.isdir(self._anchor):
            os.makedirs(self._anchor, self._folder_mode, exist_ok=True)
        here = os.open(self._anchor, _FOLDER & ~os.O_NOFOLLOW if self._below else _FOLDER)
        for depth, part in enumerate(self._below + folders):
            try:
                if part == "..":
                    raise PermissionError(EPERM, "leads out of its folder", "/".join(folders))
                try:
                    below = os.open(part, _FOLDER, dir_fd=here)
                except FileNotFoundError:
                    if not make:
                        raise
                    below = self._make_folder(here, part, self._mode_at(depth, folders))
                else:
                    if sure:
                        self._sync_or_close(here, below)
            finally:
                os.close(here)
            here = below
        return here

    def _mode_at(self, depth: int, folders: list[str]) -> int:
        """Return the mode of a new folder at a depth of the path that begins at the anchor."""
        local = depth >= len(self._below) and folders[0] == "local"
        return 0o700 if local else self._folder_mode

    def _sync_or_close(self, parent: int, below: int) -> None:
        try:
            self._sync_folder(parent)
        except OSError:
            os.close(below)
            raise

    def _make_folder(self, parent: int, name: str, mode: int) -> int:
        try:
            os.mkdir(name, mode, dir_fd=parent)
        except FileExistsError:
            pass
        else:
            try:
                self._sync_folder(parent)
            except OSError:  # the folder is not durable; the next call must not rely on it
                os.rmdir(name, dir_fd=parent)
                raise
            made = os.open(name, _FOLDER, dir_fd=parent)
            if mode & 0o077:
                self._settle(made, parent)
            else:
                give(made, parent)
            return made
        return os.open(name, _FOLDER, dir_fd=parent)


def _signature(found: os.stat_result) -> Stat:
    """Return a signature that changes when a file, or the list of a folder, is changed."""
    is_folder = modes.S_ISDIR(found.st_mode)
    return found.st_size, found.st_mtime_ns if is_folder else found.st_ctime_ns, found.st_ino


def _open_or_make(leaf: str, folder: int) -> int:
    flags = os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(leaf, flags, dir_fd=folder)
    except FileNotFoundError:
        pass
    try:
        handle = os.open(leaf, flags | _MADE, 0o600, dir_fd=folder)
    except FileExistsError:  # another process created it first
        return os.open(leaf, flags, dir_fd=folder)
    give(handle, folder)
    return handle


def _link_once(source: str, target: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
    try:
        os.link(source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)
    except OSError as fault:
        if fault.errno not in _NO_LINKS:
            raise
        # This file system has no hard links. If two processes claim a name at the same moment, the
        # last one wins.
        if target in os.listdir(dst_dir_fd):
            raise FileExistsError(EEXIST, "exists", target) from None
        os.rename(source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)
    else:
        os.unlink(source, dir_fd=src_dir_fd)


def give(handle: int, folder: int) -> None:
    """If root created a file, for example in a container, give it to the folder's owner."""
    if os.geteuid() == 0:
        try:
            owner = os.fstat(folder)
            if owner.st_uid:
                os.fchown(handle, owner.st_uid, owner.st_gid)
        except OSError:
            pass  # the user is unknown in this container, or the mount has no owners of files


def locked(handle: int) -> int | None:
    """Lock an open file or folder; if it is already locked, close it and return None."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    except OSError:
        os.close(handle)
        raise
    return handle


def files_below(store: FileStore, folder: str) -> Iterator[str]:
    """Yield the names of all files in a folder of a store and in the folders below it."""
    if store.stat(folder) is None:
        return
    for leaf, is_folder, _ in store.entries(folder):
        if is_folder:
            yield from files_below(store, f"{folder}/{leaf}")
        else:
            yield f"{folder}/{leaf}"
