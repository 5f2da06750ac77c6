"""The local folder: where a checkout keeps what holds text and is no log.

The index, the notebook (what was shown, what hooks noted, what is known of rendered files), the
hook log and text set aside: all may be deleted, and none may ever be committed. A repository can be
made by anybody, and what it says of its work tree, `.gitignore` among it, is its maker's word. So
this is beside git's own files, which git never looks at. Lanes and locks hold no text and stay in
`.varves/local/`: everybody who shares a log must share them.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.git import Git

INDEX, STATE = "index.sqlite", "state.sqlite"
ASIDE, SET_ASIDE, NOTES = "aside", "set-aside", "notes"
HOOKS = "hooks.log"
NO_LOCKS = "local/no-locks"  # in the ledger's folder: somebody found that locks do not hold
BESIDE = ("", "-wal", "-shm", "-journal")  # what SQLite keeps next to a file
NOWHERE = f"{os.devnull}/varves"  # no folder can be made there, so nothing is kept
GIVE_WAY = "move it away: it is made again"
# Where earlier versions kept what is in `state.sqlite` now, and other notes.
USAGE, ATTENDANCE, VIEWS = "usage", "attendance", "views.sqlite"
NOTED_EARLIER = (USAGE, ATTENDANCE, VIEWS)
EARLIER = {"layers": f"{NOTES}/layers"}
FOLDERS = (USAGE, ATTENDANCE, ASIDE, SET_ASIDE, NOTES)
DATABASES = (INDEX, STATE, VIEWS)
FILES = (HOOKS, f"{HOOKS}.1", *(f"{name}{end}" for name in DATABASES for end in BESIDE))
_MOVED = {*FOLDERS, *FILES, *EARLIER}


def beside_git(folder: str, name: str, *, top: str, root: str) -> str:
    """Return a place beside git's own files for a ledger at `root` in a work tree at `top`."""
    return f"{folder}/varves/{name}/{_escaped(root, top)}".rstrip("/")


def _escaped(root: str, top: str) -> str:
    """Return the path of a ledger below its work tree as the name of one folder; the top: none."""
    prefix = os.path.relpath(root, top)
    return "" if prefix == "." else prefix.replace("%", "%25").replace("/", "%2F")


def local_beside_git(git: Git, root: str) -> str:
    """Return the local folder beside the files that git keeps for this checkout alone."""
    place = beside_git(git.folder, "local", top=git.top, root=root)
    if _escaped(root, git.top) in _MOVED:  # the name is taken by the ledger at the top
        place += "%2F"
    return place


def at_home(folder: str, home: str) -> str:
    """Return the place in the user's own folder, for where git's cannot be used."""
    from hashlib import sha256

    return f"{home}/local/{sha256(os.fsencode(folder)).hexdigest()[:12]}"


def in_the_way(path: str) -> str:
    """Say what is where a folder of ours should be; empty: nothing, or the folder."""
    if os.path.islink(path):
        return "is a link, and none is followed"
    return "is no folder" if os.path.lexists(path) and not os.path.isdir(path) else ""


def noted_earlier(folder: str) -> bool:
    """Tell whether a local folder holds notes in the form of earlier versions."""
    return any(os.path.lexists(f"{folder}/{name}") for name in NOTED_EARLIER)


def left_behind(folder: str) -> list[str]:
    """Return the names in a ledger's `local/` that belong into the local folder by now."""
    try:
        return [name for name in os.listdir(folder) if name in _MOVED]
    except OSError:
        return []
