"""Finds purged content that git still contains, and makes the command that removes it.

A purge changes the files of this checkout. Commits, other branches, git's index and the reflog keep
the old bytes until a user rewrites them, and so does every other clone. No answer contains purged
text. An answer names lines by their events, and files by their paths and objects.
"""

from __future__ import annotations

import os

from varves.events.blobs import named
from varves.events.remnants import holds
from varves.log.doomed import PublishedPlaces, needles_of
from varves.log.files.layout import BLOBS, LOG, SUFFIX
from varves.log.files.segments import read_lines
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from varves.git import Git
    from varves.places.places import Places

UNKNOWN = "unknown"  # the answer if git could not be run
_PRUNE = "git gc --quiet --prune=now"
_NAME = 12  # the number of letters of an object's name that are shown


class _Held:
    """The versions of files with purged content that git has: paths, objects, events, blobs."""

    def __init__(self) -> None:
        self.paths: dict[str, None] = {}
        self.objects: dict[str, None] = {}  # the objects of commits
        self.committed: dict[str, None] = {}  # the paths of files in commits
        self.staged: dict[str, None] = {}  # the paths of files in git's index
        self.events: dict[str, None] = {}
        self.blobs: dict[str, None] = {}
        self.rendered: dict[str, None] = {}  # the objects of files that are rendered from the log
        self.by_hand: dict[str, None] = {}  # the paths of files that people write

    def add(self, version: _Version) -> None:
        self.paths[version.path] = None
        if version.staged:
            self.staged[version.path] = None
        else:
            self.objects[version.object] = self.committed[version.path] = None


class _Version(Value):
    """A file in a commit or in git's index."""

    path: str
    object: str
    staged: bool


def in_git(
    places: Places,
    barred: set[str],
    *,
    said: Iterable[str] = (),
    published: PublishedPlaces | None = None,
) -> dict[str, Any] | str | None:
    """Return what git still contains of these memories; None if it contains nothing.

    Args:
        places: where the log is.
        barred: the purged memories, and the events that are purged with them.
        said: the purged texts, which are searched for in files.
        published: where the published files are.
    """
    git = places.git
    if git is None:
        return UNKNOWN if _is_out_of_reach(places.root) else None
    prefix = places.root[len(git.top) + 1 :]
    below = f"{prefix}/" if prefix else ""
    held = _Held()
    try:
        folder = f"{places.folder[len(git.top) + 1 :]}/{LOG}"
        _search_log(git, folder, barred, held)
        _search_files(git, below, published or PublishedPlaces(), held, barred=barred, said=said)
        return _told(git, folder, held) if held.paths else None
    except (OSError, ValueError):
        return UNKNOWN


def _is_out_of_reach(root: str) -> bool:
    """Return whether a folder is in a repository whose git files cannot be found."""
    here = os.path.abspath(root)
    while not os.path.lexists(f"{here}/.git"):
        here, below = os.path.dirname(here), here
        if here == below:
            return False
    return True


def _told(git: Git, folder: str, held: _Held) -> dict[str, Any]:
    commits: list[str] = []
    stashes, staged = _stashes(git), _staged(git, held)
    stashed: list[str] = []
    if held.committed:
        every = ("--all", "--reflog")
        asked = ("log", "--format=%h", "--full-history", *every, "--", *held.committed)
        commits = git.run("--literal-pathspecs", *asked).decode("ascii").split()
        versions = git.brought(*every, places=list(held.committed))
        brought = {commit for commit, _, one in versions if one in held.objects}
        if brought <= {commit for own in stashes.values() for commit in own}:
            stashed = [name for name, own in stashes.items() if not brought.isdisjoint(own)]
    if commits and not stashed:
        way = command(folder, held)
    else:
        way = " && ".join([*restaging(staged), *map(_dropping, reversed(stashed)), _PRUNE])
    return {
        "commits": commits,
        "paths": list(held.paths),
        "command": way,
        "stashes": len(stashes),
        "stashed": stashed,
        "staged": staged,
        "by_hand": list(held.by_hand),
    }


def _staged(git: Git, held: _Held) -> list[str]:
    """Return the files whose version in git's index has purged content and differs from HEAD's."""
    if not held.staged:
        return []
    asked = ("diff", "--cached", "--name-only", "--no-renames", "-z")
    listed = git.run("--literal-pathspecs", *asked, "--", *held.staged)
    return [path for path in os.fsdecode(listed).split("\0") if path]


def _stashes(git: Git) -> dict[str, tuple[str, ...]]:
    """Return the commits that each git stash consists of, by the stash's name, newest first.

    Only a reflog lists the stashes. The first parent of a stash is the commit it was made on.
    """
    listed = git.run("stash", "list", "--format=%gd %H %P", check=False).decode("ascii", "replace")
    rows = [row.split(" ") for row in listed.splitlines()]
    return {name: (commit, *parents[1:]) for name, commit, *parents in rows}


def _dropping(stash: str) -> str:
    return f"git stash drop --quiet '{stash}'"


def _search_log(git: Git, folder: str, barred: set[str], held: _Held) -> None:
    blobs: set[str] = set()
    kept: set[str] = set()
    versions = _versions(git, [folder])
    for one, content in _read(git, [one for one in versions if one.path.endswith(SUFFIX)]):
        for event, _ in read_lines(one.path, content, "project").events:
            if holds(event, barred):
                held.add(one)
                held.events[event.id] = None
                blobs |= set(named(event.data))
            else:
                kept |= set(named(event.data))
    names = {f"{folder}/{BLOBS}/{digest}" for digest in blobs - kept}
    for one in sorted(versions, key=lambda one: one.path):
        if one.path in names:
            held.add(one)
            held.blobs[one.path] = None


def _search_files(
    git: Git,
    below: str,
    published: PublishedPlaces,
    held: _Held,
    *,
    barred: set[str],
    said: Iterable[str],
) -> None:
    """Search for texts in every version of the protocols' files except the current ones."""
    texts = set(said)
    needles = {needle for text in texts for needle in needles_of(text)}
    long = {needle for text in texts for needle in needles_of(text, short=False)}
    written = {below + place for place in published.written}
    others = {*written, *(below + place for place in published.views)}
    places = [*(below + place for place in published.rendered), *sorted(others)]
    for one, content in _read(git, _versions(git, places)) if places and needles else ():
        own = one.path.rpartition("/")[2].partition(".")[0] in barred
        # a short text in such a file may be there for another reason
        met = long if one.path in others else needles
        if own or any(needle in content for needle in met):
            if one.path not in others and content == _lies(git, one.path):
                # the file is rendered from the current log, so another memory has the same text
                continue
            held.add(one)
            if one.path in written:
                held.by_hand[one.path] = None
            else:
                held.rendered[one.object] = None


def _lies(git: Git, path: str) -> bytes | None:
    try:
        with open(f"{git.top}/{path}", "rb") as file:
            return file.read()
    except OSError:
        return None


def _versions(git: Git, places: list[str]) -> list[_Version]:
    """Return every version of some files or folders that git has, staged versions last."""
    asked = ("rev-list", "--objects", "--full-history", "--all", "--reflog", "--", *places)
    rows = os.fsdecode(git.run("--literal-pathspecs", *asked)).splitlines()
    cut = [(path, one, False) for one, _, path in (row.partition(" ") for row in rows)]
    listed = git.run("--literal-pathspecs", "ls-files", "-s", "-z", "--", *places)
    for head, _, path in (row.partition("\t") for row in os.fsdecode(listed).split("\0")):
        cut += [(path, head.split(" ")[1], True)] if path else []
    within = tuple(f"{place}/" for place in places)
    return [
        _Version(path=path, object=one, staged=staged)
        for path, one, staged in cut
        if path in places or path.startswith(within)
    ]


def _read(git: Git, versions: list[_Version]) -> Iterator[tuple[_Version, bytes]]:
    yield from zip(versions, git.contents([one.object for one in versions]), strict=True)


def restaging(paths: Iterable[str]) -> list[str]:
    """Return the shell commands that replace git's staged versions by the current files."""
    from shlex import quote

    named = " ".join(map(quote, paths))
    return [f"git add -A -- {named}"] if named else []


def command(folder: str, held: _Held) -> str:
    """Return a shell command that removes the content from history; it needs only git and sed.

    The command does not change files that people write. If the content is only in such files, the
    result is "".
    """
    from shlex import quote

    steps = []
    if held.events:
        lines = f'/^[{{]"v":[0-9]+,"id":"({"|".join(held.events)})"/'
        change = f'{lines}s/,"data":.*,"salt":"[0-9a-f]{{32}}"/,"purged":true/'
        files = f"find {quote(folder)} -name '*.jsonl'"
        steps.append(f"{files} -exec sed -E -i.bak {quote(change)} {{}} +")
        steps.append(f"find {quote(folder)} -name '*.bak' -delete")
    if held.blobs:
        steps.append(f"rm -f {' '.join(map(quote, held.blobs))}")
    script = f"if [ -d {quote(folder)} ]; then {'; '.join(steps)}; fi" if steps else ""
    if held.rendered:
        objects = "|".join(one[:_NAME] for one in held.rendered)
        listed = f"git -c core.quotePath=false ls-files -s | grep -E '^[0-9]+ ({objects})'"
        removing = f'{listed} | cut -f2 | while IFS= read -r file; do rm -f "$file"; done'
        script = f"{script}; {removing}" if script else removing
    if not script:
        return ""
    return (
        f"FILTER_BRANCH_SQUELCH_WARNING=1 git filter-branch --force --tree-filter {quote(script)}"
        " --tag-name-filter cat -- --all"
        " && git for-each-ref --format='delete %(refname)' refs/original | git update-ref --stdin"
        " && git reflog expire --expire=now --all && " + _PRUNE
    )
