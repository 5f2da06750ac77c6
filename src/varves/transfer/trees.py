"""Whole trees of files: another tool's memory folder that is imported, or our own to be judged.

What the files mean is the protocol's own. By which door an imported one came is decided here: a
file that this repository tracks speaks for its last author.
"""

from __future__ import annotations

import os

from varves.errors import Refused, UsageError
from varves.events.redact import author_name
from varves.values.answers import Imported, RefusedLine
from varves.values.memory import TRUST, TRUSTWORTHY
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from varves.commands.port import Act
    from varves.context.context import Context
    from varves.protocols.hivemind.verbs import Hivemind


FORMATS = ("hivemind", "changelog")
LARGEST = 100 << 20
LONGEST = 8 << 20
_SKIPPED = (".git", ".varves")


class ImportWish(Value):
    """What is to be taken in, and how."""

    format: str
    path: str
    trust: bool = False
    dry_run: bool = False
    secret: bool = False


class _Found:
    """The files of a folder, and those that are no part of the tree."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.left: list[str] = []
        self.refused: list[RefusedLine] = []


def bring_tree(one: Hivemind, wish: ImportWish) -> Imported:
    """Take a folder in, or only say what would come of it."""
    from varves.protocols.hivemind.importing import read_tree
    from varves.protocols.hivemind.taking import take

    found = _read(wish.path)
    acts = Acts(one.core, wish)

    def run() -> Imported:
        reading = read_tree(
            found.files,
            project=one.core.project[0],
            known=lambda name: one.core.memory(name) is not None,
            clean=lambda content: one.core.clean(content, allow_secret=wish.secret),
        )
        taken = take(one.core, reading.brought, acts.of, dry_run=wish.dry_run)
        unread = [
            RefusedLine(line=fault.line, code="refused", message=f"{fault.path}: {fault.message}")
            for fault in reading.unread
        ]
        late = [
            RefusedLine(line=0, code=code, message=f"{path}: {message}")
            for path, code, message in taken.refused
        ]
        return Imported(
            written=taken.written,
            known=taken.known,
            refused=(*found.refused, *unread, *late),
            mappings=(*reading.mappings, *found.left, *taken.mappings),
        )

    core: Any = one.core
    answer: Imported = core.during(one.codec, run, writes=not wish.dry_run)
    return answer


def _read(folder: str) -> _Found:
    """Read a folder's JSON files, or a single one; links are not followed."""
    if os.path.isfile(folder):
        names = [os.path.basename(folder)]
        folder = os.path.dirname(folder) or "."
    elif os.path.isdir(folder):
        names = list(_names(folder))
    else:
        raise UsageError(f"no folder {folder}", "name the folder that holds the memory files")
    found, size = _Found(), 0
    for name in sorted(names):
        path = os.path.join(folder, name)
        shown = name.replace(os.sep, "/")
        if os.path.islink(path) or not os.path.isfile(path):
            found.left.append(f"{shown}: left out, not a plain file")
        elif not name.endswith(".json"):
            found.left.append(f"{shown}: left out, not JSON")
        elif os.path.getsize(path) > LONGEST:
            message = f"{shown}: more than 8 MiB"
            found.refused.append(RefusedLine(line=0, code="refused", message=message))
        else:
            size += os.path.getsize(path)
            if size > LARGEST:
                raise Refused(f"{folder} has more than 100 MiB", "import it folder by folder")
            with open(path, "rb") as file:
                found.files[shown] = file.read()
    return found


def _names(folder: str) -> Iterator[str]:
    def fail(fault: OSError) -> None:
        raise fault

    for place, folders, files in os.walk(folder, onerror=fail):
        folders[:] = [name for name in sorted(folders) if name not in _SKIPPED]
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        for name in (*files, *links):
            yield os.path.relpath(os.path.join(place, name), folder)


class Acts:
    """Who says what a file says: its last author where git tracks it, else nobody we know."""

    def __init__(self, core: Any, wish: ImportWish) -> None:
        self._core, self._wish = core, wish
        self._authors: dict[str, str] | None = None

    def of(self, path: str) -> Act:
        """Return the act of recording what a file says."""
        act: Act = self._core.act()
        if self._authors is None:
            self._authors = authors_of(self._core.context, self._wish.path)
        author = self._authors.get(path)
        if author is not None:
            return act.replace(origin="repo", trust=TRUST["repo"], actor=author)
        trust = TRUSTWORTHY if self._wish.trust else TRUST["import"]
        return act.replace(origin="import", trust=trust)


def authors_of(context: Context, path: str) -> dict[str, str]:
    """Return the last author of each file that this repository tracks, by path in the folder."""
    git, place = context.places.git, os.path.realpath(path)
    top = "" if git is None else os.path.realpath(git.top)
    if git is None or not (place + os.sep).startswith(top + os.sep):
        return {}
    folder = place if os.path.isdir(place) else os.path.dirname(place)
    tracked = set(git.run("ls-files", "-z", "--full-name", "--", place, check=False).split(b"\0"))
    said = git.run("log", "-z", "--format=%x01%an", "--name-only", "--", place, check=False)
    authors: dict[str, str] = {}
    author = ""
    for part in said.split(b"\0"):
        name = part.lstrip(b"\n")
        if name.startswith(b"\x01"):
            author = author_name(name[1:])
        elif name and name in tracked and author:
            own = os.path.relpath(os.path.join(top, os.fsdecode(name)), folder)
            authors.setdefault(own.replace(os.sep, "/"), author)
    return authors
