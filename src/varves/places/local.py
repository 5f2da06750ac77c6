"""The local folder: a checkout's files that contain text but are not a log.

These are the index, the notebook (memories shown, notes of hooks, state of rendered files), the
hook log and saved texts. All may be deleted, and none may ever be committed. A cloned repository
may contain any `.gitignore`, so the local folder is not in the work tree but next to git's own
files, which git never tracks. Lanes and locks contain no text and stay in `.varves/local/`, because
all users of a log must share them.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.git import Git
    from varves.places.port import FileStore

INDEX, STATE = "index.sqlite", "state.sqlite"
ASIDE, SET_ASIDE, NOTES = "aside", "set-aside", "notes"
HOOKS = "hooks.log"
NO_LOCKS = "local/no-locks"  # in the ledger's folder; it exists if locks do not work
BESIDE = ("", "-wal", "-shm", "-journal")  # the files that SQLite keeps next to a database
NOW = ".now"  # ends the name of the file that names the file of the index in use
NOWHERE = f"{os.devnull}/varves"  # a path at which no folder can be created, so nothing is stored
GIVE_WAY = "move it elsewhere: it is created again"
# File names of earlier versions; most of this data is now in `state.sqlite`.
USAGE, ATTENDANCE, VIEWS = "usage", "attendance", "views.sqlite"
NOTED_EARLIER = (USAGE, ATTENDANCE, VIEWS)
EARLIER = {"layers": f"{NOTES}/layers"}
FOLDERS = (USAGE, ATTENDANCE, ASIDE, SET_ASIDE, NOTES)
DATABASES = (INDEX, STATE, VIEWS)
FILES = (HOOKS, f"{HOOKS}.1", *(f"{name}{end}" for name in DATABASES for end in BESIDE))
_MOVED = {*FOLDERS, *FILES, *EARLIER}


def beside_git(folder: str, name: str, *, top: str, root: str) -> str:
    """Return a folder next to git's own files for a ledger at `root` in a work tree at `top`."""
    return f"{folder}/varves/{name}/{_escaped(root, top)}".rstrip("/")


def _escaped(root: str, top: str) -> str:
    """Return a ledger's path below its work tree as one folder name, or "" if it is at the top."""
    prefix = os.path.relpath(root, top)
    return "" if prefix == "." else prefix.replace("%", "%25").replace("/", "%2F")


def local_beside_git(git: Git, root: str) -> str:
    """Return the local folder next to the git files of this checkout."""
    place = beside_git(git.folder, "local", top=git.top, root=root)
    # a file of the ledger at the top may have this name
    if _escaped(root, git.top) in _MOVED:
        place += "%2F"
    return place


def at_home(folder: str, home: str) -> str:
    """Return the folder, below the user's folder, that is used if git's folder cannot be used."""
    from hashlib import sha256

    return f"{home}/local/{sha256(os.fsencode(folder)).hexdigest()[:12]}"


def in_the_way(path: str) -> str:
    """Return why a path cannot be used as a folder, such as "is a link"; "" if it can."""
    if os.path.islink(path):
        return "is a link, and links are not followed"
    return "is not a folder" if os.path.lexists(path) and not os.path.isdir(path) else ""


def noted_earlier(folder: str) -> bool:
    """Return whether a local folder contains notes in the format of earlier versions."""
    return any(os.path.lexists(f"{folder}/{name}") for name in NOTED_EARLIER)


def left_behind(folder: str) -> list[str]:
    """Return the names of files in a ledger's `local/` that belong into the local folder."""
    try:
        return [name for name in os.listdir(folder) if name in _MOVED or is_index(name)]
    except OSError:
        return []


def is_index(name: str) -> bool:
    """Return whether a file of a local folder belongs to the index.

    An index that was filled in bulk has a longer name.
    """
    return name == INDEX or name.startswith((f"{INDEX}.", f"{INDEX}-"))


def index_files(store: FileStore) -> list[str]:
    """Return the names of all files of the index in a local folder, also of files not in use."""
    try:
        return sorted(
            leaf for leaf, folder, _ in store.entries("") if is_index(leaf) and not folder
        )
    except OSError:
        return []
