"""The folders of a ledger, and the id under which this clone writes.

The project's log is in `.varves/` in the work tree, which is committed. The private log is next to
git's own files and is shared by the repository's worktrees. The global log and those of teams have
folders of their own. All folders have the same structure.
"""

from __future__ import annotations

import os

from varves.errors import Damaged, Exposed
from varves.git import Git, unreachable
from varves.places.local import (
    NOWHERE,
    at_home,
    beside_git,
    left_behind,
    local_beside_git,
    noted_earlier,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from varves.places.port import FileStore
    from varves.values.ids import IdSource

    Kept = TypeVar("Kept")

FOLDER = ".varves"
CLONE = "clone"
FORMAT_TEXT = b'{\n  "format": "varves",\n  "version": 1\n}\n'
# The constant files of a ledger. They are the same in every clone, so that two branches that each
# create a ledger do not conflict.
CONSTANT = {
    "format.json": FORMAT_TEXT,
    ".gitignore": b"local/\nprivate/\n",
    ".gitattributes": b"* -text\n",
}
# written in each folder that git must ignore, because a branch may not have the ignore file above
HIDDEN = b"*\n"


class Places:
    """The folders of one ledger, each opened at its first use."""

    def __init__(
        self,
        root: str,
        home: str,
        *,
        teams: dict[str, str],
        files: Callable[..., FileStore],
        share: str = "worktrees",
        move: Callable[[Places, FileStore], None] | None = None,
    ) -> None:
        self.root = root
        self.home = home
        self.teams = teams
        self.share = share
        self.folder = f"{root}/{FOLDER}"
        self._files = files
        self._move = move
        # the folders of git that the environment names
        self.named: tuple[str, str, str] | None = None
        self._local: str | None = None
        self._besides: dict[str, str] = {}
        self._git: Git | bool | None = False
        self._around_home: dict[str, list[Git]] = {}
        self._stores: dict[str, FileStore] = {}
        self._clones: dict[str, str] = {}
        self._open: dict[str, Any] = {}
        self._looked_into: set[str] = set()

    @property
    def git(self) -> Git | None:
        """The repository that contains the project; it is searched for only once."""
        if self._git is False:
            self._git = Git.around(self.root) or self._named_git()
        return self._git  # type: ignore[return-value]

    @property
    def own_git(self) -> Git | None:
        """The repository found from the project's path.

        None if the environment names another one.
        """
        return None if self.git is None or self.git.named else self.git

    def _named_git(self) -> Git | None:
        return None if self.named is None else Git.named_for(self.root, self.named)

    def repositories(self, folder: str) -> list[Git]:
        """Return every repository whose index may list files of a folder below the project's.

        The folder may be in a repository inside the project's, such as a submodule.
        """
        found = [self.git, None if self.own_git is None else self._named_git()]
        place = f"{self.root}/{folder}"
        while len(place) > len(self.root):
            if os.path.lexists(f"{place}/.git"):
                found.append(Git.around(place))
            place = os.path.dirname(place)
        return [git for git in found if git is not None]

    @property
    def local(self) -> FileStore:
        """The local folder: the store of everything that contains text and is not a log.

        Local files that are still in the work tree are moved first. They date from before `git
        init` or from an earlier version.
        """
        if self._local is None:
            self._local = place = self._local_folder()
            here = f"{self.folder}/local"
            if self._move is not None and place != here and left_behind(here):
                self._move(self, self._at(place, private=True))
        return self._at(self._local, private=True)

    def _local_folder(self) -> str:
        """Decide which folder contains the local files of this ledger."""
        git = self.own_git
        if git is not None and writable(local_beside_git(git, self.root)):
            return local_beside_git(git, self.root)
        if not self.repositories(FOLDER) and not unreachable(self.folder):
            return f"{self.folder}/local"
        self._cover_home()
        # it contains private text, even if the global log is in a repository
        self._cover(f"{self.home}/local")
        usable = writable(self.home) and not self.exposed_home("local")[0]
        return at_home(self.folder, self.home) if usable else NOWHERE

    def at_ledger(self) -> FileStore:
        """The folder `local/` inside the ledger, for lanes and locks.

        Without git, it is used for all local files.
        """
        return self._at(f"{self.folder}/local", private=True)

    def local_stores(self, key: str = "project") -> list[FileStore]:
        """Return every folder that contains, or in an earlier version contained, local files."""
        git, root = self.git, self.root
        name = key.partition("@")[2]
        if name and git is not None:
            top = dict(git.elsewhere())[name]
            root = os.path.normpath(os.path.join(top, os.path.relpath(root, git.top)))
            git = Git(top, git.folder_of(name))
        folder = f"{root}/{FOLDER}"
        found = [f"{folder}/local", at_home(folder, self.home)]
        found += [local_beside_git(git, root)] if git is not None else []
        return [self._at(place, private=True) for place in found if os.path.isdir(place)]

    def within_local(self, kind: Callable[..., Kept]) -> Kept:
        """Return the local folder as a store of class `kind`; it is kept open."""
        root = self.local.root
        return kind(root, private=True, anchor=self._anchor(root))

    @property
    def notes(self) -> FileStore:
        """The folder of the notebook: the local folder; without a ledger, the user's folder.

        Notes in the format of earlier versions are converted first.
        """
        place = self.local.root if self.exists() else f"{self.home}/local"
        store = self._at(place, private=True)
        if place not in self._looked_into:
            self._looked_into.add(place)
            if self._move is not None and noted_earlier(place):
                self._move(self, store)
        return store

    def keep_open(self, path: str, opened: Callable[[], Kept]) -> Kept:
        """Return the open object for a path; at first use, open it and keep it until `close`."""
        if path not in self._open:
            self._open[path] = opened()
        found: Kept = self._open[path]
        return found

    def close(self) -> None:
        """Close all folders that are kept open."""
        for kept in self._open.values():
            kept.close()
        self._open.clear()

    def make(self) -> list[str]:
        """Create the ledger's folder and its fixed files, if they are missing."""
        if self._git is None:  # a repository may exist by now
            self._git, self._local = False, None
        made: list[str] = []
        store = self._at(self.folder, private=False)
        # written each time, because a checkout may have removed them
        for name, content in CONSTANT.items():
            if store.stat(name) is None and store.claim(name, content):
                made.append(f"{FOLDER}/{name}")
        self.hide()
        return made

    def hide(self, log: str = "project") -> None:
        """Make git ignore a log's local files, even on branches without a ledger."""
        git = self.own_git
        for folder in {git.folder, git.commondir} if git is not None else ():
            if "/.git/" not in f"{folder}/":  # git never tracks its own folder
                self._cover(f"{folder}/varves")
        if os.path.isdir(f"{self.home}/global"):
            self._cover_home()
        store = self.store(log)
        if store.stat("local/.gitignore") is None:
            store.claim("local/.gitignore", HIDDEN)

    def _cover(self, place: str) -> None:
        """Make git ignore a folder that Varves created.

        A failure is ignored, because callers check the result.
        """
        if not os.path.lexists(f"{place}/.gitignore"):
            try:
                self._at(place, private=True).claim(".gitignore", HIDDEN)
            except OSError:
                pass

    def _cover_home(self) -> None:
        """Make git ignore the user's folder, unless its owner made it a repository."""
        names = (".gitignore", ".git", "global/.git")
        if not any(os.path.lexists(f"{self.home}/{name}") for name in names):
            self._cover(self.home)

    def guard(self, log: str) -> None:
        """Check that git cannot track a private log in the work tree, or the global log.

        Raises:
            Exposed: git could track it.
        """
        if log == "global":
            self._cover_home()
            reason, remedy = self.exposed_home("global")
            if reason:
                raise Exposed(f"{self.home} contains global memories, and {reason}", remedy)
        root = self.store(log).root if log == "private" else ""
        if root.startswith(f"{self.folder}/"):
            from varves.places.exposure import IGNORE

            store = self.store(log)
            if store.stat(IGNORE) is None:
                store.claim(IGNORE, HIDDEN)
            self.refuse_exposed(f"{FOLDER}/private")

    def refuse_exposed(self, folder: str) -> None:
        """Raise an error if private text would be written where git could track it.

        Raises:
            Exposed: git tracks a file there, Varves did not write the ignore file, or git's state
                is unknown.
        """
        reason, remedy = self.exposed(folder)
        if reason:
            from varves.places.exposure import left_alone

            raise Exposed(left_alone([folder], reason), remedy)

    def exposed(self, folder: str) -> tuple[str, str]:
        """Return the reason why git could track a folder in the work tree, and a remedy.

        If git could not, both are "".
        """
        from varves.places.exposure import exposed

        place = f"{self.root}/{folder}"
        # The names in the ledger's own folder are random, so no commit contains them.
        known = place.startswith(f"{self.folder}/") or (self.git is not None and self.git.named)
        lost = "" if known else unreachable(place)
        return exposed(self.root, folder, self.repositories(folder), lost=lost)

    def exposed_home(self, part: str) -> tuple[str, str]:
        """Return why git could track a part of the user's folder, and a remedy; else ("", "").

        Args:
            part: `global`, with the log, or `local`, with the local folders of some projects.
        """
        if part not in self._around_home:
            place = f"{self.home}/{part}"
            named = None if self.named is None else Git.named_for(place, self.named)
            found = [git for git in (Git.around(place), named) if git is not None]
            self._around_home[part] = found
        if not self._around_home[part]:
            return "", ""
        from varves.places.exposure import exposed_home

        return exposed_home(self.home, part, self._around_home[part])

    def exists(self) -> bool:
        """Return whether a ledger exists here."""
        return os.path.isdir(self.folder)

    def sources(self) -> list[tuple[str, FileStore]]:
        """Return this checkout's own logs as (key, store); a key is `log` or `log@place`.

        A log is included even if its folder is missing, so that the index drops the log's events.
        """
        found = [("project", self.store("project"))]
        found += [(key, self._at(place, private=True)) for key, place in self._private_places()]
        found.append(("global", self.store("global")))
        return found + [(f"team:{name}", self.store(f"team:{name}")) for name in sorted(self.teams)]

    def written(self, log: str) -> tuple[str, FileStore]:
        """Return the source that events of a log are written to, as (key, store)."""
        key = self._private_places()[-1][0] if log == "private" else log
        return key, self.store(log)

    def store(self, log: str) -> FileStore:
        """Return the store that events of a log are written to."""
        if log == "project":
            return self._at(self.folder, private=False)
        if log == "private":
            return self._at(self._private_places()[-1][1], private=True)
        if log == "global":
            return self._at(f"{self.home}/global", private=True)
        return self._at(self.teams[log.partition(":")[2]], private=False)

    def shared(self) -> list[tuple[str, FileStore]]:
        """Return the project logs of other checkouts that recall reads.

        Nothing is written to them.
        """
        return self.elsewhere() if self.share == "worktrees" else []

    def elsewhere(self) -> list[tuple[str, FileStore]]:
        """Return the readable project logs of all other checkouts."""
        if self.git is None or not os.path.isdir(f"{self.git.commondir}/worktrees"):
            return []
        below = os.path.relpath(self.folder, self.git.top)
        others = self.git.elsewhere()
        places = [(f"project@{name}", os.path.join(top, below)) for name, top in others]
        return [(key, self._at(path, private=False)) for key, path in places if _readable(path)]

    def branch(self, key: str) -> str:
        """Return the branch that another worktree has checked out, by the key of its source."""
        name = key.partition("@")[2]
        return self.git.branch(name) if self.git else name

    def _private_places(self) -> list[tuple[str, str]]:
        """Return the private logs to read as (key, folder); new events go to the last one."""
        here, git = ("private@here", f"{self.folder}/private"), self.own_git
        if git is None:
            return [here]
        beside = ("private", f"{git.commondir}/varves/private")
        if writable(beside[1]):
            return [here, beside] if os.path.isdir(here[1]) else [beside]
        return [beside, here] if os.path.isdir(beside[1]) else [here]

    def _at(self, path: str, *, private: bool) -> FileStore:
        if path not in self._stores:
            anchor = self._anchor(path)
            self._stores[path] = self._files(path, private=private, anchor=anchor)
        return self._stores[path]

    def _anchor(self, path: str) -> str | None:
        """Return the trusted folder above a path: below it, no part of the path may be a link."""
        tops = (self.git.commondir if self.git else self.root, self.root, self.home)
        return next((top for top in tops if path.startswith(f"{top}/")), None)

    def clone(self, log: str, ids: IdSource) -> str:
        """Return the id under which this clone writes a log; create the id at first use.

        The global log and those of teams are written under the id of the user's home.
        """
        at_home = log == "global" or log.startswith("team:")
        place = self.home if at_home else self._identity_folder()
        if place not in self._clones:
            self._clones[place] = self._read_or_make_clone(place, ids)
        return self._clones[place]

    def own_clones(self) -> list[str]:
        """Return the ids under which this clone and this user's home write, if they exist."""
        stores = [self._at(place, private=True) for place in (self.home, self._identity_folder())]
        made = [store.read(CLONE) for store in stores if store.stat(CLONE) is not None]
        return [name.decode("ascii", "replace").strip() for name in made]

    def _identity_folder(self) -> str:
        git = self.own_git
        if git is not None and os.path.isfile(f"{git.commondir}/varves/{CLONE}"):
            return f"{git.commondir}/varves"  # read access is enough
        private = self._private_places()[-1][1]
        return os.path.dirname(private) if private.endswith("/varves/private") else private

    def _read_or_make_clone(self, place: str, ids: IdSource) -> str:
        store = self._at(place, private=True)
        if store.stat(CLONE) is None:
            if place.startswith(self.folder):
                store.claim(".gitignore", HIDDEN)
            store.claim(CLONE, ids.word(10).encode("ascii") + b"\n")
        name = store.read(CLONE).decode("ascii", "replace").strip()
        if not name.isalnum():
            raise Damaged(f"{place}/{CLONE} is not a clone id", "remove it; a new one is created")
        return name

    def repository_of(self, log: str) -> Git | None:
        """Return the repository that contains a log.

        Folders of teams and users may be in one too.
        """
        if log.partition("@")[0] == "private":
            return None
        return self.git if log == "project" else Git.around(self.store(log).root)

    @property
    def spool(self) -> FileStore | None:
        """Return the folder of the spool of the project's log; None without git."""
        return None if self.own_git is None else self._kept_beside(self.own_git, "spool")

    @property
    def purges(self) -> FileStore | None:
        """Return the folder for this clone's own purges.

        None without git, because then nothing can remove the purges from the log.
        """
        return None if self.own_git is None else self._kept_beside(self.own_git, "purges")

    def _kept_beside(self, git: Git, name: str) -> FileStore:
        return self._at(self._beside(git, name), private=True)

    def _beside(self, git: Git, name: str) -> str:
        """Return a folder for this ledger next to git's own files.

        If that folder is not writable, return one in the user's folder.
        """
        if name not in self._besides:
            where = beside_git(git.commondir, name, top=git.top, root=self.root)
            self._besides[name] = where
        place = self._besides[name]
        if not writable(place) and writable(self.home):
            from hashlib import sha256

            mark = sha256(os.fsencode(place)).hexdigest()[:12]  # the same in all worktrees
            return f"{self.home}/{name}/{mark}"
        return place


def writable(path: str) -> bool:
    """Return whether this user can write to a folder; if it is missing, to its nearest parent."""
    while not os.path.lexists(path):
        path = os.path.dirname(path)
    return os.path.isdir(path) and os.access(path, os.W_OK | os.X_OK)


def _readable(folder: str) -> bool:
    """Return whether this version of the program can read the ledger of another checkout."""
    if os.path.islink(folder) or not os.access(f"{folder}/log", os.R_OK | os.X_OK):
        return False
    try:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
        with os.fdopen(os.open(f"{folder}/format.json", flags), "rb") as file:
            return file.read(len(FORMAT_TEXT) + 1) == FORMAT_TEXT
    except FileNotFoundError:
        return True
    except OSError:
        return False
