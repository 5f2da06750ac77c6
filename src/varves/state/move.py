"""Moves local files out of the work tree: files of earlier versions or from before `git init`.

A file is written completely at its new place before the old one is removed, and a file that already
exists there is compared by its bytes. So the next process finishes a move that was interrupted, or
that two processes made at the same time. Notes in any format are added to the notebook at the new
place (`earlier.py`). The index may be open in other processes, so SQLite copies it before the old
name is removed. A file that git tracks may come from another person. Such a file is never read, and
it is removed only if its mode shows that this program wrote it.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from errno import EAGAIN, ENOSPC

from varves.places.local import (
    BESIDE,
    DATABASES,
    EARLIER,
    FOLDERS,
    HOOKS,
    INDEX,
    NO_LOCKS,
    NOTED_EARLIER,
    NOTES,
    STATE,
    left_behind,
    noted_earlier,
)
from varves.state.earlier import carry, carry_file
from varves.state.notebook import Notebook, is_ours, place_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.places.places import Places
    from varves.places.port import FileStore

LOCK = "move.lock"
_BUSY_MS = 500  # milliseconds to wait for a notebook that other processes write
_PATIENCE = 400  # attempts, 10 ms apart, while another process moves files
# lines of these files are added to the file with the same name at the new place
_LINES = (HOOKS, f"{HOOKS}.1")


def move(places: Places, local: FileStore) -> None:
    """Move the files left in a ledger's own `local/`, and import notes of earlier versions.

    A file that cannot be moved now stays where it is.
    """
    if noted_earlier(local.root):
        _carry_all(places, local)
    old = places.at_ledger()
    if old.root == local.root:
        return
    theirs = _tracked(places, old)
    names = [name for name in _files(old) if name not in theirs or _looks_ours(old, name)]
    if not names:
        return
    try:
        lock = _locked(old)
    except OSError:
        return  # the place is read-only, so nothing can be removed there
    if lock is None:
        return
    notebook = _notebook(places, local)
    try:
        for name in names:
            try:
                if _looks_ours(old, name) and name not in theirs:
                    _keep(old, name, local, notebook)
                for end in BESIDE if name in DATABASES else ("",):
                    if old.stat(f"{name}{end}") is not None:
                        old.remove(f"{name}{end}")
            except OSError:
                continue
        _drop_empty(old)
    finally:
        notebook.close()
        old.close(lock)


def _carry_all(places: Places, local: FileStore) -> None:
    """Import the files of a local folder that are in the format of earlier versions."""
    notebook = _notebook(places, local)
    try:
        carry(notebook.file(), local)
    except OSError:
        return
    finally:
        notebook.close()


def _notebook(places: Places, local: FileStore) -> Notebook:
    notebook = Notebook(local, f"{places.folder}/{NO_LOCKS}")
    notebook.wait(_BUSY_MS)
    return notebook


def _files(old: FileStore) -> Iterator[str]:
    """Yield the files to move; a database comes last, followed by its journals."""
    found = sorted(left_behind(old.root), key=lambda name: (name.startswith(DATABASES), name))
    for name in found:
        yield from _below(old, name) if name in FOLDERS or name in EARLIER else [name]


def _below(old: FileStore, folder: str) -> Iterator[str]:
    try:
        entries = old.entries(folder)
    except OSError:
        return
    for leaf, is_folder, _ in entries:
        yield from _below(old, f"{folder}/{leaf}") if is_folder else [f"{folder}/{leaf}"]


def _looks_ours(old: FileStore, name: str) -> bool:
    try:
        return is_ours(os.lstat(f"{old.root}/{name}"))
    except OSError:
        return False


def _tracked(places: Places, old: FileStore) -> set[str]:
    """Return the files that a repository's index lists; all files if git cannot be run."""
    tracked = set[str]()
    for git in places.repositories(os.path.relpath(old.root, places.root)):
        below = os.path.relpath(old.root, git.top)
        found = git.tracked(old.root)
        if below in found:
            return {*_files(old)}
        tracked |= {os.path.relpath(name, below) for name in found}
    return tracked


def _keep(old: FileStore, name: str, local: FileStore, notebook: Notebook) -> None:
    """Copy a file to its new place, unless it can be rebuilt or the copy exists."""
    if name == INDEX:
        try:
            _copy(old, name, local)
        except (OSError, sqlite3.DatabaseError, UnicodeDecodeError):
            return
    elif name == STATE or name.partition("/")[0] in NOTED_EARLIER:
        if not carry_file(notebook.file(), old, name):
            raise BlockingIOError(EAGAIN, "is in use", name)
    elif not name.startswith(DATABASES):
        with old.guard(name):  # no other process can now add a line to the file
            _carry(old, name, local)
            old.remove(name)


def _carry(old: FileStore, name: str, local: FileStore) -> None:
    folder, _, rest = name.partition("/")
    target = f"{EARLIER[folder]}/{rest}" if folder in EARLIER else name
    content = old.read(name)
    if _claim(local, target, content) or target.startswith(f"{NOTES}/"):
        return  # if both places have a note, the one at the new place is newer
    if folder in _LINES:
        _add(local, target, content)
    else:
        number = 2
        while local.read(target) != content and not _claim(local, f"{name}.{number}", content):
            target, number = f"{name}.{number}", number + 1


def _claim(local: FileStore, name: str, content: bytes) -> bool:
    """Write a whole file if it does not exist; replace an incomplete copy by a killed process.

    The file is first written under a fixed name. If the process is killed, the next process finds
    that name, so only one copy can be left behind.
    """
    passing = _passing(name)
    if local.stat(passing) is not None:
        local.remove(passing)
    handle = local.create(passing)
    try:
        if local.write(handle, content) != len(content):
            raise OSError(ENOSPC, "no room", name)
        local.sync(handle)
        local.link(passing, local, name)
    except FileExistsError:
        return False
    finally:
        local.close(handle)
        local.remove(passing)
    return True


def _passing(name: str) -> str:
    folder, slash, leaf = name.rpartition("/")
    return f"{folder}{slash}.{leaf}.moving"


def _add(local: FileStore, name: str, lines: bytes) -> None:
    with local.guard(name):
        if lines not in local.read(name):
            handle = local.reopen(name)
            try:
                local.write(handle, lines)
            finally:
                local.close(handle)


def _copy(old: FileStore, name: str, local: FileStore) -> None:
    """Copy a database that this program made, unless the new place already has one."""
    source, passing = f"{old.root}/{name}", f"{local.root}/{_passing(name)}"
    if local.stat(name) is not None:
        return
    _drop_copy(local, name)  # a copy from an interrupted move
    local.close(local.create(_passing(name)))
    try:
        with closing(_connected(source, "ro")) as there, closing(_connected(passing, "rw")) as here:
            made_at = there.execute("select value from meta where name = 'place'").fetchone()
            if made_at != (place_of(source),):
                return
            there.backup(here, progress=_refuse_to_wait)
            here.execute("update meta set value = ? where name = 'place'", (place_of(passing),))
        local.link(_passing(name), local, name)
    except FileExistsError:
        pass  # the database was rebuilt in the meantime
    finally:
        _drop_copy(local, name)


def _refuse_to_wait(status: int, left: int, whole: int) -> None:
    """Raise an error if copying a database would wait for another process indefinitely."""
    if status not in (sqlite3.SQLITE_OK, sqlite3.SQLITE_DONE):
        raise sqlite3.OperationalError(f"locked: {left} of {whole} pages are not copied")


def _drop_copy(local: FileStore, name: str) -> None:
    for end in BESIDE:
        if local.stat(f"{_passing(name)}{end}") is not None:
            local.remove(f"{_passing(name)}{end}")


def _connected(path: str, mode: str) -> sqlite3.Connection:
    escaped = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return sqlite3.connect(f"file:{escaped}?mode={mode}", uri=True, isolation_level=None)


def _locked(old: FileStore) -> int | None:
    from time import sleep

    for _ in range(_PATIENCE):
        lock = old.lock(LOCK)
        if lock is not None:
            return lock
        sleep(0.01)
    return None


def _drop_empty(old: FileStore) -> None:
    for name in (*FOLDERS, *EARLIER):
        try:
            os.rmdir(f"{old.root}/{name}")
        except OSError:
            continue
