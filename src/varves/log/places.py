"""Where the four logs of a ledger lie, and who writes them.

Project: `.varves/` in the work tree, committed. Private: beside git's own files, shared by the
repository's worktrees. Global and teams: folders of their own. All have the same shape inside.
"""

from __future__ import annotations

import os

from varves.errors import Damaged
from varves.log.git import Git
from varves.log.spool import Spool, spool_folder
from varves.log.tree import WorkTree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.log.port import LogStore
    from varves.values.ids import IdSource

FOLDER = ".varves"
CLONE = "clone"
FORMAT_TEXT = b'{\n  "format": "varves",\n  "version": 1\n}\n'
# The same bytes in every clone, so that two branches that each began a ledger do not conflict.
CONSTANT = {
    "format.json": FORMAT_TEXT,
    ".gitignore": b"local/\nprivate/\n",
    ".gitattributes": b"* -text\n",
}
HIDDEN = b"*\n"  # the folders git must never see say so themselves: a branch may lack the above


class Places:
    """The stores of one ledger, opened as they are asked for."""

    def __init__(
        self,
        root: str,
        home: str,
        *,
        teams: dict[str, str],
        files: Callable[..., LogStore],
    ) -> None:
        self.root = root
        self.home = home
        self.teams = teams
        self.folder = f"{root}/{FOLDER}"
        self._files = files
        self._git: Git | bool | None = False
        self._stores: dict[str, LogStore] = {}
        self._clones: dict[str, str] = {}

    @property
    def git(self) -> Git | None:
        """The repository around the project, looked for once."""
        if self._git is False:
            self._git = Git.around(self.root)
        return self._git  # type: ignore[return-value]

    def make(self) -> list[str]:
        """Make the ledger's folder and its constant files where they are missing."""
        made: list[str] = []
        store = self._at(self.folder, private=False)
        for name, content in CONSTANT.items():  # each time: a checkout may have taken them away
            if store.stat(name) is None and store.claim(name, content):
                made.append(f"{FOLDER}/{name}")
        self.hide()
        return made

    def hide(self) -> None:
        """Keep what is local out of git's sight on branches without a ledger too."""
        store = self._at(self.folder, private=False)
        if store.stat("local/.gitignore") is None:
            store.claim("local/.gitignore", HIDDEN)

    def exists(self) -> bool:
        """Tell whether there is a ledger here."""
        return os.path.isdir(self.folder)

    def sources(self) -> list[tuple[str, LogStore]]:
        """Return every log there is to read, as (key, store); a key is `log` or `log@place`.

        One whose folder is not there is named all the same: what was read from it is gone.
        """
        found = [("project", self.store("project"))]
        found += [(key, self._at(place, private=True)) for key, place in self._private_places()]
        found.append(("global", self.store("global")))
        return found + [(f"team:{name}", self.store(f"team:{name}")) for name in sorted(self.teams)]

    def store(self, log: str) -> LogStore:
        """Return the store a log is written to."""
        if log == "project":
            return self._at(self.folder, private=False)
        if log == "private":
            return self._at(self._private_places()[-1][1], private=True)
        if log == "global":
            return self._at(f"{self.home}/global", private=True)
        return self._at(self.teams[log.partition(":")[2]], private=False)

    def elsewhere(self) -> list[LogStore]:
        """Return the project's log as it lies in the repository's other checkouts."""
        git = self.git
        below = os.path.relpath(self.folder, git.top) if git else ""
        tops = [top for top in git.worktrees() if top != git.top] if git else []
        found = [self._at(os.path.join(top, below), private=False) for top in tops]
        return [store for store in found if os.path.isdir(store.root)]

    def _private_places(self) -> list[tuple[str, str]]:
        """Return the private folders to read, the one to write last."""
        here = ("private@here", f"{self.folder}/private")
        if self.git is None:
            return [here]
        beside = ("private", f"{self.git.commondir}/varves/private")
        if os.path.isdir(beside[1]) or os.access(self.git.commondir, os.W_OK):
            return [here, beside] if os.path.isdir(here[1]) else [beside]
        return [beside, here] if os.path.isdir(beside[1]) else [here]

    def _at(self, path: str, *, private: bool) -> LogStore:
        if path not in self._stores:
            tops = (self.git.commondir if self.git else self.root, self.root, self.home)
            anchor = next((top for top in tops if path.startswith(f"{top}/")), None)
            self._stores[path] = self._files(path, private=private, anchor=anchor)
        return self._stores[path]

    def clone(self, log: str, ids: IdSource) -> str:
        """Return the id this clone, or this user's home, writes under; made once, kept for good."""
        at_home = log == "global" or log.startswith("team:")
        place = self.home if at_home else self._identity_folder()
        if place not in self._clones:
            self._clones[place] = self._read_or_make_clone(place, ids)
        return self._clones[place]

    def _identity_folder(self) -> str:
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
            raise Damaged(f"{place}/{CLONE} is not a clone id", "remove it; a new one is made")
        return name

    def tree(self, log: str) -> WorkTree | None:
        """Return the work tree a log lies in; only the project's does."""
        if log != "project" or self.git is None:
            return None
        return WorkTree(self.git, self.spool(log))

    def spool(self, log: str) -> Spool | None:
        """Return the spool of a log that lies in a work tree."""
        if log != "project" or self.git is None:
            return None
        place = spool_folder(self.git.commondir, top=self.git.top, root=self.root)
        if not os.access(self.git.commondir, os.W_OK):
            from hashlib import sha256

            mark = sha256(os.fsencode(self.root)).hexdigest()[:12]
            place = f"{self.home}/spool/{mark}"
        return Spool(self._at(place, private=True))
