"""Lists, reads and replaces the files that protocols publish in the work tree; refuses links.

A file is first written in the local folder, which git ignores, and then renamed to its final path.
If that is on another file system, the file is first written next to its final path. So a reader
always finds either the old or the new version.
"""

from __future__ import annotations

import fcntl
import os
import stat as modes
from _thread import get_ident
from errno import ELOOP, EXDEV

from varves.errors import Refused, UnsafeName
from varves.places.local import ASIDE
from varves.places.store import Files, give, locked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from varves.places.places import Places
    from varves.protocols.port import Codec

    Signature = tuple[int, int, int, int]  # size, time modified, time changed, inode

_WAITING = ".view."
_FEW = 16  # up to this many files are synced one by one; more files share one sync
_ANY_WRITE = 0o222
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Folder:
    """A folder that is used as a lock, because it exists even without a ledger."""

    def __init__(self, root: str) -> None:
        self.root = root

    def lock(self, name: str) -> int | None:  # noqa: ARG002 - it has one lock, whatever the name
        """Take an exclusive lock, or return None if another process holds it."""
        return locked(os.open(self.root, _FOLDER & ~os.O_NOFOLLOW))

    def close(self, handle: int) -> None:
        """Release the lock."""
        os.close(handle)


class WaitingRoom(Files):
    """The folder in which files are written before they are renamed to their final path."""

    def __init__(self, root: str, *, private: bool, anchor: str | None = None) -> None:
        super().__init__(root, private=private, anchor=anchor)
        self._room, self._passing = [], _WAITING

    def open_root(self, *, make: bool = False) -> int:
        """Open the folder; if `make` is set, create it.

        No part of its path may be a link.
        """
        return self._walk([], make=make)


class PublishedTree(Files):
    """The work tree below a project's root."""

    def __init__(self, places: Places, *, sure: bool = True) -> None:
        super().__init__(os.path.realpath(places.root), private=False)
        self._places = places
        self._sure = sure

    @property
    def local(self) -> WaitingRoom:
        """The local folder, for files that are being written and for backup copies."""
        return self._places.within_local(WaitingRoom)

    # Reading

    def listing(
        self, folders: Iterable[str], wanted: Callable[[str], bool]
    ) -> dict[str, Signature]:
        """Return the signatures of those files below some folders for which `wanted` returns True.

        Raises:
            UnsafeName: a file or folder among them is a link.
            Refused: a folder has the name of a wanted file.
        """
        found: dict[str, Signature] = {}
        for folder in folders:
            self.refuse_links(folder)
            try:
                handle = self._walk(folder.split("/"))
            except FileNotFoundError:
                continue
            except OSError as fault:
                raise _unusable(folder, fault) from None
            self._list(handle, folder, wanted=wanted, found=found)
        return found

    def _list(
        self,
        handle: int,
        folder: str,
        *,
        wanted: Callable[[str], bool],
        found: dict[str, Signature],
    ) -> None:
        """Add the wanted files of a folder and its subfolders to `found`.

        Close the folder's handle.
        """
        below: list[str] = []
        try:
            with os.scandir(handle) as entries:
                for entry in entries:
                    path = f"{folder}/{entry.name}"
                    if entry.is_dir(follow_symlinks=False) and not wanted(path):
                        below.append(entry.name)
                    elif entry.is_symlink() and (wanted(path) or entry.is_dir()):
                        raise _link(path)
                    elif wanted(path):
                        found[path] = _plain(path, entry.stat(follow_symlinks=False))
            for name in below:
                try:
                    inner = os.open(name, _FOLDER, dir_fd=handle)
                except FileNotFoundError:
                    continue
                self._list(inner, f"{folder}/{name}", wanted=wanted, found=found)
        except OSError as fault:
            raise _unusable(folder, fault) from None
        finally:
            os.close(handle)

    def refuse_links(self, path: str) -> None:
        """Raise an error if a path contains a link; parts of the path may be missing."""
        here = self.root
        for part in path.split("/"):
            here = f"{here}/{part}"
            try:
                if modes.S_ISLNK(os.lstat(here).st_mode):
                    raise _link(here[len(self.root) + 1 :])
            except (FileNotFoundError, NotADirectoryError):
                return

    def signature(self, path: str) -> Signature | None:
        """Return a file's signature, or None if it does not exist."""
        try:
            seen = os.lstat(f"{self.root}/{path}")
        except (FileNotFoundError, NotADirectoryError):
            return None
        if modes.S_ISLNK(seen.st_mode):
            raise _link(path)
        return _plain(path, seen)

    def content(self, path: str) -> bytes | None:
        """Return a file's bytes, or None if it no longer exists."""
        try:
            return self.read(path)
        except FileNotFoundError:
            return None
        except OSError as fault:
            raise _unusable(path, fault) from None

    # Checks before writing

    def refuse_closed(self, path: str) -> None:
        """Raise an error if a file cannot be written, because it is read-only or locked."""
        try:
            folder, leaf = self._folder_of(path)
            try:
                flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
                handle = os.open(leaf, flags, dir_fd=folder)
            finally:
                os.close(folder)
        except FileNotFoundError:
            return
        except OSError as fault:
            raise _unusable(path, fault) from None
        try:
            if not os.fstat(handle).st_mode & _ANY_WRITE:
                raise Refused(f"{path} is read-only", "make it writable, then try again")
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused(f"{path} is locked by another program", "try again later") from None
        except OSError:
            pass  # this file system has no locks
        finally:
            os.close(handle)

    def refuse_closed_folder(self, path: str) -> None:
        """Raise an error if no file can be created in a folder.

        If the folder is missing, its nearest existing parent is checked.
        """
        self.refuse_links(path)
        here = f"{self.root}/{path}"
        while not os.path.lexists(here):
            here = os.path.dirname(here)
        if not os.path.isdir(here):
            raise Refused(f"{here} is not a folder", "move it, then try again")
        closed = not os.stat(here).st_mode & _ANY_WRITE
        if closed or not os.access(here, os.W_OK | os.X_OK):
            raise Refused(f"{here} is read-only", "make it writable, then try again")

    # Writing

    def put_all(self, files: dict[str, bytes], *, sure: bool = True) -> None:
        """Write whole files; after all are on disk, each is renamed to its final path.

        Unless `sure` is set, nothing is synced.
        """
        sync = self._sure and sure
        waiting: list[tuple[str, str]] = []
        for path in files:
            self.refuse_links(path)
        local = self._waiting_room()
        try:
            for number, (path, content) in enumerate(files.items()):
                name = f"{_WAITING}{os.getpid()}.{get_ident()}.{number}"
                waiting.append((name, path))
                if local is not None:
                    self._write(local, name, content, sync=sync and len(files) <= _FEW)
            if sync and len(files) > _FEW:
                os.sync()
            while waiting:
                name, path = waiting[0]
                self._place(local, name, path, files[path], sync=sync)
                waiting.pop(0)
        except OSError as fault:
            raise _unusable(waiting[0][1] if waiting else self.root, fault) from None
        finally:
            if local is not None:
                for name, _ in waiting:
                    _unlink(name, local)
                os.close(local)

    def _waiting_room(self) -> int | None:
        """Open the folder in which files are first written.

        None if files are first written next to their final path.
        """
        try:
            return self.local.open_root(make=True)
        except OSError:
            return None

    def _write(self, folder: int, name: str, content: bytes, *, sync: bool) -> None:
        try:
            handle = os.open(name, _MAKE, 0o666, dir_fd=folder)
        except FileExistsError:  # left by a process that was killed
            os.unlink(name, dir_fd=folder)
            handle = os.open(name, _MAKE, 0o666, dir_fd=folder)
        try:
            give(handle, folder)
            while content:
                content = content[os.write(handle, content) :]
            if sync:
                os.fsync(handle)
        finally:
            os.close(handle)

    def _place(
        self, local: int | None, name: str, path: str, content: bytes, *, sync: bool
    ) -> None:
        folder, leaf = self._folder_of(path, make=True)
        try:
            if local is not None and _moved(name, local, leaf, folder):
                return
            self._write(folder, name, content, sync=sync)
            _keep_mode(name, folder, leaf, folder)
            os.rename(name, leaf, src_dir_fd=folder, dst_dir_fd=folder)
        finally:
            os.close(folder)

    def sync_folder_of(self, path: str) -> None:
        """Sync the folder of a file, so that the file's name survives a power cut."""
        folder, _ = self._folder_of(path)
        try:
            self._sync_folder(folder)
        finally:
            os.close(folder)

    def sweep(self) -> None:
        """Remove the temporary files of killed processes.

        The caller must hold the lock of the files.
        """
        try:
            local = self.local.open_root()
        except OSError:
            return
        try:
            for name in os.listdir(local):
                if name.startswith(_WAITING):
                    _unlink(name, local)
        finally:
            os.close(local)

    def take_away(self, path: str, *, keep: Iterable[str]) -> None:
        """Remove a file, and the folders that become empty, except those in `keep`."""
        try:
            self.remove(path)
        except FileNotFoundError:
            pass
        except OSError as fault:
            raise _unusable(path, fault) from None
        kept, folder = set(keep), os.path.dirname(path)
        while folder and folder not in kept and any(folder.startswith(f"{one}/") for one in kept):
            try:
                above, leaf = self._folder_of(folder)
            except OSError:
                return
            try:
                os.rmdir(leaf, dir_fd=above)
            except OSError:
                return  # the folder is not empty
            finally:
                os.close(above)
            folder = os.path.dirname(folder)

    def set_aside(self, path: str, content: bytes) -> str:
        """Store a copy of a file in the local folder, and return its path."""
        local, leaf = self.local, path.replace("/", "__")
        number, name = 1, f"{ASIDE}/{leaf}"
        try:
            while local.stat(name) is not None and local.read(name) != content:
                number += 1
                name = f"{ASIDE}/{leaf}.{number}"
            if local.stat(name) is None:
                local.replace(name, content)
        except OSError as fault:
            raise _unusable(f"{local.root}/{name}", fault) from None
        return f"{local.root}/{name}".removeprefix(f"{self._places.root}/")

    def drop_aside(self) -> None:
        """Remove every copy that was stored in the local folder."""
        try:
            for name, is_folder, _ in self.local.entries(ASIDE):
                if not is_folder:
                    self.local.remove(f"{ASIDE}/{name}")
        except (FileNotFoundError, NotADirectoryError):
            pass


def _plain(path: str, seen: os.stat_result) -> Signature:
    if not modes.S_ISREG(seen.st_mode):
        raise Refused(f"{path} is not a plain file", "move it, then try again")
    return seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino


def _link(path: str) -> UnsafeName:
    return UnsafeName(f"{path} is a link", "put a plain file or folder in its place")


def _unusable(path: str, fault: OSError) -> Refused:
    if fault.errno == ELOOP:
        return _link(path)
    return Refused(f"cannot use {path}: {fault.strerror or fault}", "check the folder")


def _keep_mode(name: str, local: int, leaf: str, folder: int) -> None:
    """Give the replacement the same permissions as the file it replaces."""
    try:
        seen = os.stat(leaf, dir_fd=folder, follow_symlinks=False)
        os.chmod(name, modes.S_IMODE(seen.st_mode), dir_fd=local)
    except OSError:
        pass  # there is no file yet, or no modes on this disk


def _moved(name: str, local: int, leaf: str, folder: int) -> bool:
    """Rename a file to its final path; return False if the path is on another file system."""
    _keep_mode(name, local, leaf, folder)
    try:
        os.rename(name, leaf, src_dir_fd=local, dst_dir_fd=folder)
    except OSError as fault:
        if fault.errno != EXDEV:
            raise
        os.unlink(name, dir_fd=local)
        return False
    return True


def _unlink(name: str, folder: int) -> None:
    try:
        os.unlink(name, dir_fd=folder)
    except OSError:
        pass


def lying(root: str, codec: Codec) -> dict[str, bytes]:
    """Return by path the bytes of all files of a protocol below a root, except links."""
    found: dict[str, bytes] = {}
    for folder in codec.folders:
        for place, _, names in os.walk(os.path.join(root, folder)):
            for name in names:
                full = os.path.join(place, name)
                path = os.path.relpath(full, root).replace(os.sep, "/")
                ours = codec.is_state(path) or codec.is_derived(path)
                if ours and os.path.isfile(full) and not os.path.islink(full):
                    with open(full, "rb") as file:
                        found[path] = file.read()
    return found
