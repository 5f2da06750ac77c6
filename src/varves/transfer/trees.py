"""Imports files and folders of other tools, with the protocol that knows their format.

This module reads the files and finds out their origin. If this repository tracks a file, its actor
is the file's last author.
"""

from __future__ import annotations

import os

from varves.errors import Refused, UsageError
from varves.events.redact import author_name
from varves.values.answers import RefusedLine
from varves.values.memory import TRUST, TRUSTWORTHY
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from varves.commands.port import Act
    from varves.context.context import Context
    from varves.files.protocols import Protocols
    from varves.values.answers import Imported


FORMATS = {"hivemind": "hivemind", "changelog": "layers"}
"""The formats of other tools, each with the protocol that reads it."""
LARGEST = 100 << 20
LONGEST = 8 << 20
_SKIPPED = (".git", ".varves")


class ImportWish(Value):
    """What to import, and how."""

    format: str
    path: str
    trust: bool = False
    dry_run: bool = False
    secret: bool = False
    progress: Callable[[int], None] | None = None


class _Found:
    """The files of a folder, and the files in it that do not belong to the format."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.left: list[str] = []
        self.refused: list[RefusedLine] = []


def _read(folder: str) -> _Found:
    """Read the JSON files of a folder, or a single file; links are not followed."""
    if os.path.isfile(folder):
        names = [os.path.basename(folder)]
        folder = os.path.dirname(folder) or "."
    elif os.path.isdir(folder):
        names = list(_names(folder))
    else:
        raise UsageError(f"no folder {folder}", "give the folder that contains the memory files")
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


def bring_files(context: Context, protocols: Protocols, wish: ImportWish) -> Imported:
    """Let the protocol that reads a format import a file or a folder."""
    return protocols.named(FORMATS[wish.format]).take_foreign(_GivenFiles(context, wish))


class _GivenFiles:
    """The files to import, as a protocol reads them."""

    def __init__(self, context: Context, wish: ImportWish) -> None:
        self.path = wish.path
        self.dry_run = wish.dry_run
        self.secret = wish.secret
        self.progress = wish.progress
        self._context = context
        self._trust = wish.trust
        self._authors: dict[str, str] | None = None

    def act(self, own: Act, name: str) -> Act:
        """Return an `Act` for a file, by the file's last author if git tracks the file."""
        if self._authors is None:
            self._authors = authors_of(self._context, self.path)
        author = self._authors.get(name)
        if author is not None:
            return own.replace(origin="repo", trust=TRUST["repo"], actor=author)
        trust = TRUSTWORTHY if self._trust else TRUST["import"]
        return own.replace(origin="import", trust=trust)

    def folder(self) -> _Found:
        """Read the JSON files of a folder, or a single file; links are not followed."""
        return _read(self.path)

    def file(self) -> bytes:
        """Read the file."""
        path = self.path
        if os.path.islink(path) or not os.path.isfile(path):
            raise UsageError(f"no file {path}", "give the Markdown file that contains the events")
        if os.path.getsize(path) > LARGEST:
            raise Refused(f"{path} has more than 100 MiB", "import it in parts")
        with open(path, "rb") as file:
            return file.read()


def authors_of(context: Context, path: str) -> dict[str, str]:
    """Return, by path in the folder, the last author of each file that this repository tracks."""
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
