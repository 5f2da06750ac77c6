"""The same pages as files: for a pull request or a record of CI, without a server or a script.

Without private memories, the pages are made from a ledger that holds nothing but a copy of the
project's log. So nothing else can be on them, not even as a count.

The folder holds a list of the files of its export. By it the next export removes them all before it
writes, and a folder with files that nobody listed is left alone.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager

import varves
from varves.errors import NotFound, Refused
from varves.web.files import static
from varves.web.render import page
from varves.web.table import PAGES
from varves.web.visit import Visit
from varves.web.window import Window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from varves import Ledger
    from varves.values.instants import Clock
    from varves.web.port import VerbSource
    from varves.web.table import Row

USUAL = 1000  # the newest memories that get a page of their own
_FOLDER = ".varves"
_COPIED = ("format.json", "settings.toml", "log")
_MISSING = "missing"
_FILES = ("app.css", "icon.svg")
_LIST = "varves-export.txt"


class _ProjectAlone:
    """The verbs' answers, without what they tell about this computer."""

    def __init__(self, verbs: VerbSource) -> None:
        self._verbs = verbs
        self.twin, self.original = verbs.twin, verbs.original
        self.reads_moments = verbs.reads_moments

    def document(self, ledger: Ledger, verb: str) -> Any:
        """Return what a verb answers; no agent is connected to a copy."""
        found = self._verbs.document(ledger, verb)
        return {**found, "agents": []} if "agents" in found else found


class FileLinks:
    """Addresses of the pages as files beside each other."""

    live = False

    def __init__(self, *, private: bool) -> None:
        self._private = private
        self.parts: dict[str, set[str]] = {}
        """The pages of single things, by the name of their row."""

    def has(self, row: Row) -> bool:
        """Return whether a page is written."""
        return not row.lives and (self._private or not row.private)

    def to(self, page: str, part: str | None, query: Mapping[str, Any]) -> str:
        """Return the file of a page; filters need a server and are left out."""
        del query
        if part is not None:
            return f"{page}-{part}.html" if part in self.parts.get(page, ()) else f"{_MISSING}.html"
        return "index.html" if page == "now" else f"{page}.html"

    def twin(self, verb: str, query: Mapping[str, Any]) -> str:
        """Return no address: the files have no JSON."""
        del verb, query
        return ""

    def static(self, name: str) -> str:
        """Return the address of a file of the window itself."""
        return name


def export(
    ledger: Ledger, verbs: VerbSource, clock: Clock, folder: str, *, limit: int, private: bool
) -> int:
    """Write the pages into a folder and return their number.

    Raises:
        Refused: the folder holds something else than an export, or cannot be written.
    """
    try:
        with _readable(ledger, private=private) as reader:
            _empty(folder)
            told = verbs if private else _ProjectAlone(verbs)
            window = Window(reader, told, clock, form_key="", read_only=True)
            return _write(window, folder, limit=limit, private=private)
    except OSError as fault:
        reason = f"{fault.filename or folder} cannot be written: {fault.strerror or fault}"
        raise Refused(reason, "name a folder that you may write") from None


def _empty(folder: str) -> None:
    """Make the folder, or remove the files of the export that it holds."""
    os.makedirs(folder, exist_ok=True)
    found = set(os.listdir(folder))
    if found and _LIST not in found:
        reason = f"{folder} is not empty, and holds no export of varves ui"
        raise Refused(reason, "name an empty folder or a new one")
    if found:
        with open(f"{folder}/{_LIST}", encoding="utf-8", errors="replace") as file:
            listed = set(file.read().split("\n"))
        pages = {name for name in found if name.endswith(".html") or name in _FILES}
        for name in sorted(pages - listed):
            reason = f"{folder}/{name} is not a file of the export"
            raise Refused(reason, "move it away, or name another folder")
        for name in pages:
            os.unlink(f"{folder}/{name}")
    with open(f"{folder}/{_LIST}", "wb"):
        pass


@contextmanager
def _readable(ledger: Ledger, *, private: bool) -> Iterator[Ledger]:
    """Yield the ledger, or one that holds a copy of the project's log alone."""
    if private:
        yield ledger
        return
    source = f"{ledger.root}/{_FOLDER}"
    if not os.path.isdir(source):
        raise NotFound(f"no ledger in {ledger.root}", "varves init creates one")
    with tempfile.TemporaryDirectory(prefix="varves-export-") as apart:
        root = f"{apart}/{os.path.basename(ledger.root) or 'project'}"
        os.makedirs(f"{root}/{_FOLDER}")
        for name in _COPIED:
            if os.path.isdir(f"{source}/{name}"):
                shutil.copytree(f"{source}/{name}", f"{root}/{_FOLDER}/{name}", symlinks=True)
            elif os.path.isfile(f"{source}/{name}"):
                shutil.copyfile(f"{source}/{name}", f"{root}/{_FOLDER}/{name}")
        with varves.open(root, home=f"{apart}/home", actor=ledger.actor) as copy:
            yield copy


def _write(window: Window, folder: str, *, limit: int, private: bool) -> int:
    links, ledger = FileLinks(private=private), window.reader
    _compare(ledger)
    links.parts = {
        "memory": {one.id for one in ledger.list(status="all", limit=limit)},
        "conflict": {one.id for one in ledger.conflicts()},
        "discussion": {one.conversation for one in ledger.deliberation.list()},
    }
    written = 0
    for row in filter(links.has, PAGES.values()):
        for path in _paths(row, links):
            visit = Visit(window=window, row=row, path=path, query={}, links=links)
            try:
                text = page(visit, visit.make())
            except NotFound:
                continue  # a page about a thing that somebody has to name
            name = links.to(row.name, next(iter(path.values()), None), {})
            _save(folder, name, text.encode())
            written += 1
    _save(folder, f"{_MISSING}.html", _missing(window, links))
    for name in _FILES:
        _save(folder, name, static(name))
    return written


def _compare(ledger: Ledger) -> None:
    """Compare all memories, so that every page counts the same conflicts."""
    left = ledger.conflicts(limit=1).uncompared
    while left:
        before, left = left, ledger.conflicts(limit=1).uncompared
        if left >= before:
            return  # what cannot be compared is counted on the page of the conflicts


def _paths(row: Row, links: FileLinks) -> list[dict[str, str]]:
    """Return what the address of a page names: nothing, or one thing after another."""
    if "{" not in row.path:
        return [{}]
    (name,) = [part[1:-1] for part in row.path.split("/") if part[:1] == "{"]
    return [{name: part} for part in sorted(links.parts.get(row.name, ()))]


def _missing(window: Window, links: FileLinks) -> bytes:
    visit = Visit(window=window, row=PAGES["memory"], path={}, query={}, links=links)
    fault = NotFound("this was not written with these pages", "varves ui shows everything")
    found = {"fault": fault, "title": "Not among these pages"}
    return page(visit, found, template="fault").encode()


def _save(folder: str, name: str, text: bytes) -> None:
    with open(f"{folder}/{name}", "xb") as file:  # never over a file of somebody else
        with open(f"{folder}/{_LIST}", "a", encoding="utf-8", newline="") as listed:
            listed.write(f"{name}\n")
        file.write(text)
