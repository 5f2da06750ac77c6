"""Rules on the pages: no link is dead, every page is in the index, every field is described."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

from varves.values.memory import FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.house.repository import Repository

INDEX = "docs/README.md"
FORMAT = "docs/format.md"
NOT_STORED = {"updated_at"}  # folded from later events
GIVEN = ("/samples/", "/golden/")  # inputs and outputs of tests, whose links lead elsewhere
FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"`[^`\n]+`")
LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)|^\[[^\]\n]+\]:\s*(\S+)", re.MULTILINE)
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$", re.MULTILINE)
ANCHOR = re.compile(r"<a\s+(?:id|name)=\"([^\"]+)\"")
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:")


class Link(NamedTuple):
    """A relative link: its line, the path it names from the root, and the anchor on that page."""

    line: int
    path: str
    anchor: str


def dead_links(repository: Repository) -> list[str]:
    """A relative link of a page names a file of the repository, and a heading that is on it."""
    found = []
    for page in _pages(repository):
        for line, path, anchor in _links(repository, page):
            if not repository.has(path):
                found.append(f"{page}:{line}: there is no {path}")
            elif anchor and path.endswith(".md") and anchor not in _anchors(repository.text(path)):
                found.append(f"{page}:{line}: {path} has no heading #{anchor}")
    return found


def unlisted_pages(repository: Repository) -> list[str]:
    """Every page of docs/ can be reached from its index; a link to a folder reaches its pages."""
    pages = [name for name in _pages(repository) if name.startswith("docs/")]
    reached = {INDEX} & {*pages}
    waiting = list(reached)
    while waiting:
        for link in _links(repository, waiting.pop()):
            of_it = {name for name in pages if link.path in {name, posixpath.dirname(name)}}
            waiting += of_it - reached
            reached |= of_it
    return [f"{page}:1: cannot be reached from {INDEX}" for page in pages if page not in reached]


def stored_fields(repository: Repository) -> list[str]:
    """Every field of a stored record is described on the page of the format."""
    stored = {row.key or name for name, row in FIELDS.items() if row.stored} - NOT_STORED
    named = re.findall(r"`([a-z_]+)`", repository.text(FORMAT))
    return [f"{FORMAT}:1: does not describe `{name}`" for name in sorted(stored - {*named})]


def _pages(repository: Repository) -> list[str]:
    """List the pages at the root, in docs/ and in tests/."""
    return [
        name
        for name in repository.names
        if name.endswith(".md")
        if "/" not in name or name.startswith(("docs/", "tests/"))
        if name.endswith("/README.md") or not any(folder in name for folder in GIVEN)
    ]


def _links(repository: Repository, page: str) -> Iterator[Link]:
    """Yield the relative links of a page."""
    prose = FENCED.sub(_blank, repository.text(page))
    prose = QUOTED.sub(_blank, prose)
    for match in LINK.finditer(prose):
        target = match[1] or match[2]
        if SCHEME.match(target):
            continue
        path, _, anchor = target.partition("#")
        whole = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
        yield Link(prose.count("\n", 0, match.start()) + 1, whole, anchor)


def _blank(code: re.Match[str]) -> str:
    return "\n" * code[0].count("\n")


def _anchors(text: str) -> set[str]:
    """Return the anchors of a page: those that renderers make of its headings, and its own."""
    prose = FENCED.sub(_blank, text)
    found = {*ANCHOR.findall(prose)}
    counts: dict[str, int] = {}
    for heading in HEADING.findall(prose):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", shown).replace(" ", "-")
        again = counts.get(anchor, 0)
        counts[anchor] = again + 1
        found.add(f"{anchor}-{again}" if again else anchor)
    return found
